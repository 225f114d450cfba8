"""`lastseen.studio.connect` finds a studio, or says in words why it does not."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import threading
from collections.abc import Callable, Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from types import SimpleNamespace

import pytest
from websockets.exceptions import ConnectionClosedError

import lastseen as ls
from lastseen.errors import InputError, LastSeenError
from lastseen.studio import sender
from lastseen.views.studio.server import running_studios
from lastseen.views.studio.session.feeds import empty_feed
from specimens.nasty_values import NASTY
from studio.server import PATIENCE, TOKEN, Served, preparing, until


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """No studio that happens to run on this machine is found."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "running"))


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    folder = tmp_path / "studio"
    folder.mkdir()
    with preparing(folder, empty_feed) as found:
        until(found.studio.ready.is_set)
        yield found


def walk(feed: ls.studio.Feed, frames: int) -> None:
    for number in range(frames):
        feed.agent("Ames", (float(number), 2.0))
        feed.frame(number / 60.0)


def test_a_wrong_token_is_refused(served):
    with pytest.raises(InputError, match="rejects the token"):
        ls.studio.connect("toy", address=served.host, token="wrong")
    with pytest.raises(InputError, match="no token"):
        ls.studio.connect("toy", address=served.host)
    ls.studio.connect("toy", address=served.host, token=TOKEN).close()


def test_without_a_studio_it_says_what_to_do():
    with pytest.raises(InputError, match="lastseen play --feed"):
        ls.studio.connect("toy")
    with pytest.raises(InputError, match="no studio answers"):
        ls.studio.connect("toy", address="127.0.0.1:1", token="x")
    feed = ls.studio.connect("toy", required=False)
    walk(feed, 3)
    feed.close()
    assert (feed.is_connected, feed.address, feed.dropped) == (False, "", 0)


def test_a_studio_is_found_by_its_private_file(served, tmp_path):
    with running_studios.published("127.0.0.1", served.port, TOKEN):
        (place,) = running_studios.running_folder().iterdir()
        assert place.stat().st_mode & 0o077 == 0
        assert place.parent.stat().st_mode & 0o077 == 0
        with ls.studio.connect("toy") as feed:
            assert feed.address == f"http://{served.host}/"
            assert TOKEN not in repr(feed)
        place.chmod(0o644)  # others could have read or replaced it
        with pytest.raises(InputError, match="no studio is running"):
            ls.studio.connect("toy")
        place.chmod(0o600)
        elsewhere = tmp_path / "elsewhere.json"
        place.rename(elsewhere)
        place.symlink_to(elsewhere)
        with pytest.raises(InputError, match="no studio is running"):
            ls.studio.connect("toy")
        elsewhere.replace(place)
        (place.parent / "9.json").write_bytes(b'{"host": 1}')
        ls.studio.connect("toy").close()
    assert not place.exists()


def test_the_file_of_a_studio_that_was_killed_is_passed_over(served):
    with running_studios.published("127.0.0.1", 1, TOKEN), running_studios.published("127.0.0.1", served.port, TOKEN):
        folder = running_studios.running_folder()
        os.utime(folder / f"{served.port}.json", (1.0, 1.0))  # older than the one of the dead studio
        ls.studio.connect("toy").close()


def test_a_waiting_studio_is_started_found_and_leaves_no_file(tmp_path):
    command = [sys.executable, "-m", "lastseen", "play", "--feed", "--no-open", "--port", "0"]
    settings = {**os.environ, "PYTHONUNBUFFERED": "1"}
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings, cwd=tmp_path) as process:
        try:
            assert process.stdout is not None
            assert "the studio waits for a game at http://127.0.0.1:" in process.stdout.readline()
            until(lambda: running_studios.find_running() is not None)
            with ls.studio.connect() as feed:
                walk(feed, 3)
                assert feed.is_connected
        finally:
            process.terminate()
            process.communicate(timeout=PATIENCE)
    assert process.returncode == 0
    assert list(running_studios.running_folder().iterdir()) == []


@pytest.mark.parametrize("argument", ["name", "level", "step", "address", "token"])
def test_connecting_with_bad_arguments_raises_errors_in_words(argument):
    right = {"name": "toy", "address": "127.0.0.1:1", "token": "x"}
    for value in NASTY.values():
        with pytest.raises(LastSeenError):
            ls.studio.connect(**{**right, argument: value})


def test_a_studio_is_started_if_there_is_none(tmp_path, monkeypatch):
    begun = []

    def popen(*given, **named):
        begun.append(subprocess.Popen(*given, **named, cwd=tmp_path))
        return begun[-1]

    monkeypatch.setattr(sender, "subprocess", SimpleNamespace(Popen=popen, DEVNULL=subprocess.DEVNULL))
    monkeypatch.delenv("DISPLAY", raising=False)
    try:
        with ls.studio.connect("toy", start=True) as feed:
            walk(feed, 3)
            assert feed.is_connected
            with ls.studio.connect("another", start=True) as other:
                assert other.address == feed.address
    finally:
        for process in begun:
            process.terminate()
            process.wait(PATIENCE)
    assert len(begun) == 1


@pytest.fixture
def other_server() -> Iterator[Callable[[type], str]]:
    """Serve something that is no studio."""
    begun: list[HTTPServer] = []

    def serve(handler: type) -> str:
        server = HTTPServer(("127.0.0.1", 0), handler)
        begun.append(server)
        threading.Thread(target=server.serve_forever, daemon=True).start()
        return f"127.0.0.1:{server.server_port}"

    yield serve
    for server in begun:
        server.shutdown()
        server.server_close()


class Page(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_error(404)

    def log_message(self, *_: object) -> None:
        """Stay silent."""


class Closing(Page):
    def handle(self) -> None:
        """Close the connection at once."""


@pytest.mark.parametrize("handler", [Page, Closing])
def test_another_server_is_no_studio(other_server, handler):
    host = other_server(handler)
    with pytest.raises(InputError, match=rf"no studio answers at http://{host}/ .*lastseen play --feed") as raised:
        ls.studio.connect("toy", address=host, token="x")
    assert "Traceback" not in str(raised.value)
    with ls.studio.connect("toy", address=host, token="x", required=False) as feed:
        walk(feed, 2)
        assert (feed.is_connected, feed.dropped) == (False, 0)


def test_a_server_that_hangs_up_before_it_is_asked_is_no_studio(monkeypatch):
    def hung_up(_: object) -> None:
        raise ConnectionClosedError(None, None)

    monkeypatch.setattr(sender, "_socket", hung_up)
    with pytest.raises(InputError, match=r"no studio answers at http://127\.0\.0\.1:1/ .*lastseen play --feed"):
        ls.studio.connect("toy", address="127.0.0.1:1", token="x")


def test_a_server_that_never_answers_is_given_up(monkeypatch):
    monkeypatch.setattr(sender, "_PATIENCE", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as silent:
        host = f"127.0.0.1:{silent.getsockname()[1]}"
        with pytest.raises(InputError, match="does not answer; is it still getting ready"):
            ls.studio.connect("toy", address=host, token="x")


def test_without_a_name_the_program_is_shown(served, monkeypatch):
    monkeypatch.setattr(sys, "argv", ["/games/heist.py"])
    with ls.studio.connect(address=served.address) as feed:
        walk(feed, 1)
        until(lambda: "heist" in {run.source for run in served.studio.director.feeds._runs.values()})


def test_of_two_studios_the_one_started_last_is_found(served, tmp_path):
    folder = tmp_path / "another"
    folder.mkdir()
    with preparing(folder, empty_feed) as later:
        until(later.studio.ready.is_set)
        with running_studios.published("127.0.0.1", served.port, TOKEN):
            with running_studios.published("127.0.0.1", later.port, TOKEN):
                os.utime(running_studios.running_folder() / f"{served.port}.json", (1.0, 1.0))
                with ls.studio.connect("toy") as feed:
                    assert feed.address == f"http://{later.host}/"
            with ls.studio.connect("toy") as feed:
                assert feed.address == f"http://{served.host}/"


def test_text_that_json_cannot_hold_is_refused_before_it_is_sent(served):
    with pytest.raises(InputError, match=r"name is .* without lone surrogates"):
        ls.studio.connect("\ud800", address=served.address)
    with ls.studio.connect("toy", address=served.address) as feed:
        for call in (
            lambda: feed.agent("\ud800", (0.0, 0.0)),
            lambda: feed.agent("Ames", (0.0, 0.0), why="\ud800"),
            lambda: feed.event("wakes", text="\udfff"),
        ):
            with pytest.raises(InputError, match="without lone surrogates"):
                call()
        feed.agent("Änne", (0.0, 0.0), why="schläft")
        feed.frame(0.0)
        until(lambda: any(run.ticks for run in served.studio.director.feeds._runs.values()))
        assert feed.is_connected
