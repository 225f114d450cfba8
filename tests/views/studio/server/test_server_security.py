"""Access to the studio: tokens, hosts, origins, rates, and the files it reads and writes."""

from __future__ import annotations

import socket
import threading

import httpx
import pytest
from websockets.exceptions import ConnectionClosed

from lastseen.errors import InputError, LastSeenError
from lastseen.simulation.scenario.reader import shipped_scenarios
from lastseen.views.studio.server import http_routes
from lastseen.views.studio.server.security import Door, Rate, new_token
from lastseen.views.studio.server.serve import bind
from lastseen.views.studio.session.folder import Folder, NameTaken
from studio.server import PATIENCE, TOKEN, serving

CLOSED = {"token": 4401, "origin": 4403}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio")) as found:
        yield found


def closed_with(socket) -> int:
    with pytest.raises(ConnectionClosed) as closing:
        socket.recv(timeout=PATIENCE)
    return closing.value.rcvd.code


@pytest.mark.parametrize("token", [None, "", "wrong", TOKEN + "x", TOKEN[:-1], "ü"])
def test_without_the_token_nothing_is_said(served, token):
    with served.connect(token=token) as socket:
        assert closed_with(socket) == CLOSED["token"]


@pytest.mark.parametrize(
    "origin", ["http://evil.example", "null", "http://127.0.0.1:1", "https://127.0.0.1.evil.example"]
)
def test_a_page_from_elsewhere_is_refused_even_with_the_token(served, origin):
    with served.connect(origin=origin) as socket:
        assert closed_with(socket) == CLOSED["origin"]


def test_our_own_page_is_let_in(served):
    with served.connect(origin=f"http://{served.host}") as socket:
        assert '"hello"' in socket.recv(timeout=PATIENCE)[:4000]


@pytest.mark.parametrize(
    "host", ["evil.example", "evil.example:80", "127.0.0.1.evil.example", "evil.example@127.0.0.1", "", "["]
)
def test_a_strange_host_is_refused(served, host):
    answer = httpx.get(f"http://{served.host}/", headers={"Host": host}, timeout=PATIENCE, verify=False)
    assert answer.status_code in (400, 403)


def test_the_page_is_served_with_a_policy_that_lets_nothing_else_in(served):
    answer = httpx.get(f"http://{served.host}/", timeout=PATIENCE, verify=False)
    assert answer.status_code == 200
    assert answer.headers["content-type"].startswith("text/html")
    assert "default-src 'none'" in answer.headers["content-security-policy"]
    assert "frame-ancestors 'none'" in answer.headers["content-security-policy"]
    assert "token" not in answer.text.lower() or TOKEN not in answer.text


@pytest.mark.parametrize(
    "path",
    [
        "/static/../app.py",
        "/static/%2e%2e/app.py",
        "/static/..%2fapp.py",
        "/static//etc/passwd",
        "/static/%00",
        "/static/",
        "/static/nothing.js",
        "/static/" + "a" * 5000,
        "/api/nothing",
        "/app.py",
    ],
)
def test_no_file_outside_the_page_is_served(served, path):
    answer = httpx.get(f"http://{served.host}{path}", timeout=PATIENCE, verify=False)
    assert answer.status_code in (400, 404)
    assert b"import" not in answer.content


def test_a_name_never_leads_out_of_the_folder(tmp_path):
    inside, outside = tmp_path / "open", tmp_path / "secret"
    inside.mkdir()
    outside.mkdir()
    (outside / "map.txt").write_text("####\n#.P#\n####\n")
    (inside / "way out").symlink_to(outside)
    (inside / "link.txt").symlink_to(outside / "map.txt")
    folder = Folder(inside)
    names = [
        "../secret/map.txt",
        str(outside / "map.txt"),
        "way out/map.txt",
        "link.txt",
        "..",
        ".",
        "",
        "\0",
        "a/../../x",
    ]
    for name in names:
        with pytest.raises(InputError, match="not in the open folder"):
            folder.readable(name)
    assert folder.menus().levels == Folder(outside.parent / "nothing").menus().levels


def test_a_scenario_may_not_name_what_is_outside(tmp_path):
    inside = tmp_path / "open"
    inside.mkdir()
    (tmp_path / "map.txt").write_text("#####\n#.PG#\n#####\n")
    for text in ("level: ../map.txt\n", "level: rooms\nagents: [{name: a, brain: ../map.txt, at: [3, 3]}]\n"):
        (inside / "night.yaml").write_text(text)
        with pytest.raises(LastSeenError, match="not in the folder"):
            Folder(inside).scenario("night.yaml")
    (inside / "night.yaml").write_text("level: rooms\n")
    assert Folder(inside).scenario("night.yaml").level.name == "Two rooms"
    names = [entry.name for entry in Folder(inside).menus().scenarios]
    assert names == ["night.yaml", *shipped_scenarios()]


@pytest.mark.parametrize(
    "name", ["", ".", "..", "a/b", "a\\b", ".hidden", "nul", "CON.rec", "x" * 200, "a\0b", "-o", "ends."]
)
def test_names_to_save_under_are_plain(tmp_path, name):
    with pytest.raises(InputError, match="not a valid file name"):
        Folder(tmp_path).save(name, b"")
    assert list(tmp_path.iterdir()) == []


def test_saving_replaces_recordings_only(tmp_path):
    folder = Folder(tmp_path)
    (tmp_path / "mine.rec").write_text("my own words")
    with pytest.raises(InputError, match="not a recording"):
        folder.save("mine", b"lsrecord")
    assert folder.save("new", b"lsrecord 1") == "new.rec"
    with pytest.raises(NameTaken, match=r"'new\.rec' already"):
        folder.save("new.rec", b"lsrecord 2")
    assert (tmp_path / "new.rec").read_bytes() == b"lsrecord 1"
    assert folder.save("new.rec", b"lsrecord 2", replace=True) == "new.rec"
    assert (tmp_path / "new.rec").read_bytes() == b"lsrecord 2"


@pytest.mark.parametrize("data", [b"", b"lsrecord", b"lsrecord" + bytes(100), bytes(range(256))])
def test_a_damaged_recording_is_refused_in_words(tmp_path, data):
    (tmp_path / "bad.rec").write_bytes(data)
    with pytest.raises(LastSeenError):
        Folder(tmp_path).recording("bad.rec")


def test_hosts_are_known_by_where_one_listens():
    local, open_to_all, named = Door("t", "127.0.0.1"), Door("t", "0.0.0.0"), Door("t", "box.lan")
    assert all(local.knows_host(host) for host in ("127.0.0.1:80", "localhost:8765", "[::1]:1", "127.0.0.2"))
    assert not any(
        local.knows_host(host)
        for host in ("192.168.0.7:80", "box.lan", None, "", "[", "a b", "me@127.0.0.1", "@localhost")
    )
    assert open_to_all.knows_host("192.168.0.7:80")
    assert not open_to_all.knows_host("evil.example")
    assert named.knows_host("box.lan:80")
    assert not named.knows_host("evil.example")


def test_a_token_is_new_in_every_run_unless_it_is_set(monkeypatch):
    monkeypatch.delenv("LASTSEEN_STUDIO_TOKEN", raising=False)
    assert new_token() != new_token()
    assert len(new_token()) >= 22
    monkeypatch.setenv("LASTSEEN_STUDIO_TOKEN", "short")
    assert new_token() != "short"
    monkeypatch.setenv("LASTSEEN_STUDIO_TOKEN", "long enough to be a token")
    assert new_token() == "long enough to be a token"


def test_a_rate_lets_bursts_through_and_then_an_average():
    rate = Rate(per_second=10.0, burst=5.0)
    start = rate._since
    assert [rate.may(start) for _ in range(7)] == [True] * 5 + [False] * 2
    assert [rate.may(start + 0.25) for _ in range(4)] == [True, True, False, False]
    assert sum(rate.may(start + 100.0) for _ in range(50)) == 5


def sent(served, name: str, data: bytes, *, token: str = TOKEN, **options):
    address = f"http://{served.host}/api/upload"
    return httpx.post(
        address, params={"token": token, "name": name}, content=data, timeout=PATIENCE, verify=False, **options
    )


def test_a_file_that_was_sent_can_be_played(served):
    answer = sent(served, "mine.txt", b"name: Mine\n#######\n#P...G#\n#######\n")
    assert answer.json() == {"type": "uploaded", "kind": "level", "name": "uploaded/mine.txt"}
    with served.page() as page:
        page.say("open", level="uploaded/mine.txt")
        assert page.until("hello", title="Mine")["mode"] == "play"
        assert list(served.folder.iterdir()) == []


@pytest.mark.parametrize(
    ("name", "data", "words"),
    [
        ("mine.txt", b"\x00\xff", ""),
        ("night.yaml", b"level: ../../secret.txt", "not in the folder"),
        ("night.yaml", b"level: /etc/passwd", "not in the folder"),
        ("run.rec", b"lsrecord", "is not a recording"),
        ("page.html", b"<script>", "its extension must be one of"),
        ("../mine.txt", b"#.#", "not a valid file name"),
        ("", b"#.#", "not a valid file name"),
        ("mine.txt", bytes(17 << 20), "bytes"),
    ],
)
def test_a_file_that_cannot_be_read_is_refused_and_not_kept(served, name, data, words):
    kept = sorted(path.name for path in served.uploads.iterdir())
    answer = sent(served, name, data)
    assert answer.status_code == 400
    assert words in answer.json()["message"]
    assert sorted(path.name for path in served.uploads.iterdir()) == kept


def test_files_are_taken_only_with_the_token_and_from_our_own_page(served):
    assert sent(served, "mine.txt", b"#.#", token="wrong").status_code == 401
    assert sent(served, "mine.txt", b"#.#", headers={"Origin": "http://evil.example"}).status_code == 403
    assert httpx.get(f"http://{served.host}/api/upload", timeout=PATIENCE, verify=False).status_code == 405


def test_what_is_wrong_with_a_file_that_was_sent_is_said_by_its_own_name(served):
    answer = sent(served, "bad.yaml", b"level: corridor\nno_such_key: 1\n")
    assert "bad.yaml" in answer.json()["message"]
    assert str(served.uploads) not in answer.json()["message"]
    (served.uploads / "later.yaml").write_text("level: corridor\nno_such_key: 1\n")
    with served.page() as page:
        page.say("open", scenario="uploaded/later.yaml")
        message = page.until("error")["message"]
    (served.uploads / "later.yaml").unlink()
    assert message.startswith("uploaded/later.yaml")
    assert str(served.folder) not in message


def test_who_leaves_in_the_middle_of_a_file_is_let_go_without_a_word(served, capfd, monkeypatch):
    begun, ended, body_of = threading.Event(), threading.Event(), http_routes._body_of

    async def watched(request, most):
        begun.set()
        try:
            return await body_of(request, most)
        finally:
            ended.set()

    monkeypatch.setattr(http_routes, "_body_of", watched)
    head = f"POST /api/upload?token={TOKEN.replace(' ', '%20')}&name=a.txt HTTP/1.1\r\nHost: {served.host}\r\n"
    with socket.create_connection(("127.0.0.1", served.port)) as one:
        one.sendall(f"{head}Content-Length: 1000\r\n\r\nabc".encode())
        assert begun.wait(PATIENCE)
    assert ended.wait(PATIENCE)
    with served.page() as page:
        page.settle()
    assert "Traceback" not in capfd.readouterr().err


def test_a_strange_host_to_serve_at_is_said_to_be_that():
    with pytest.raises(InputError, match="address of this machine"):
        bind("192.0.2.1", 0)


def test_a_folder_is_not_said_to_be_large(tmp_path):
    (tmp_path / "levels").mkdir()
    with pytest.raises(InputError, match="is not a file"):
        Folder(tmp_path).readable("levels")
