"""Whatever a scenario or a recording names, nothing outside the open folder is read or revealed."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from lastseen.errors import LastSeenError
from lastseen.level.samples import sample
from lastseen.simulation.recording.format import HEAD, MAGIC, VERSION, About, digest_of
from lastseen.simulation.scenario.scenario import Scenario
from lastseen.views.studio.answers.export_jobs import comparer_of
from lastseen.views.studio.session.folder import Folder, Uploads
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage import stage_of_level
from lastseen.views.studio.session.stage_opening import opened, request_for

SECRET = "aws_secret_key"
FIELDS = ("level", "brain", "crews", "rules")
WAYS = ("absolute", "up", "link", "folder link")


@pytest.fixture
def inside(tmp_path: Path) -> Path:
    """A folder with links that lead out of it, to a file whose content must not be revealed."""
    outside, inside = tmp_path / "secret", tmp_path / "open"
    outside.mkdir()
    inside.mkdir()
    for name in ("credentials.yaml", "others.json", "passwords.txt"):
        (outside / name).write_text(f'{{"{SECRET}": "hunter2"}}')
    (inside / "link.yaml").symlink_to(outside / "credentials.yaml")
    (inside / "out").symlink_to(outside)
    return inside


def named(way: str, inside: Path, *, is_there: bool = True) -> str:
    name = "credentials.yaml" if is_there else "nothing.yaml"
    outside = inside.parent / "secret"
    return {
        "absolute": str(outside / name),
        "up": f"../secret/{name}",
        "link": "link.yaml",
        "folder link": f"out/{name}",
    }[way]


def scenario_of(field: str, name: str) -> dict[str, object]:
    agent = {"name": "A", "at": [6, 4], "brain": name if field == "brain" else "guard"}
    plain: dict[str, object] = {"level": name if field == "level" else "corridor", "agents": [agent]}
    if field in ("crews", "rules"):
        plain[field] = {"hunt": name} if field == "crews" else name
    return plain


def refusal(act) -> str:
    with pytest.raises(LastSeenError) as refused:
        act()
    words = str(refused.value)
    assert "not in the folder that is open" in words
    assert SECRET not in words
    assert "passwords" not in words
    assert "others" not in words
    return words


@pytest.mark.parametrize("faulty", [False, True])
@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("field", FIELDS)
def test_no_scenario_reads_a_file_outside(inside, field, way, faulty):
    plain = scenario_of(field, named(way, inside)) | ({"no_such_key": 1} if faulty else {})
    (inside / "night.yaml").write_bytes(msgspec.json.encode(plain))
    refusal(lambda: Folder(inside).scenario("night.yaml"))


def test_whether_there_is_a_file_outside_is_not_told(inside):
    for field in FIELDS:
        told = []
        for is_there in (True, False):
            name = named("up", inside, is_there=is_there)
            (inside / "night.yaml").write_bytes(msgspec.json.encode(scenario_of(field, name)))
            told.append(refusal(lambda: Folder(inside).scenario("night.yaml")).replace(name, ""))
        assert told[0] == told[1]


@pytest.mark.parametrize("way", ["absolute", "up", "folder link"])
def test_a_folder_of_rules_outside_is_not_listed(inside, way):
    name = str(Path(named(way, inside)).parent)
    (inside / "night.yaml").write_bytes(msgspec.json.encode(scenario_of("rules", name)))
    refusal(lambda: Folder(inside).scenario("night.yaml"))


def test_a_link_among_rules_of_the_folder_is_not_followed(inside):
    (inside / "rules").mkdir()
    (inside / "rules" / "more.yaml").symlink_to(inside.parent / "secret" / "credentials.yaml")
    (inside / "night.yaml").write_bytes(msgspec.json.encode(scenario_of("rules", "rules")))
    refusal(lambda: Folder(inside).scenario("night.yaml"))


@pytest.mark.parametrize("field", FIELDS)
def test_no_file_that_was_sent_reads_one_outside(inside, field):
    uploads = Uploads()
    try:
        data = msgspec.json.encode(scenario_of(field, named("absolute", inside)))
        refusal(lambda: uploads.keep("night.yaml", data))
    finally:
        uploads.close()


def forged(game: Game, plain: dict[str, object]) -> bytes:
    """Return the file of a run that says it was made of another scenario."""
    data = game.file()
    length = HEAD.unpack(data[: HEAD.size])[2]
    about = msgspec.json.decode(data[HEAD.size : HEAD.size + length], type=About)
    given = msgspec.json.decode(about.scenario) | {key: plain[key] for key in plain if key not in ("level", "agents")}
    given["agents"] = plain["agents"]
    head = msgspec.json.encode(msgspec.structs.replace(about, scenario=msgspec.json.encode(given).decode()))
    return HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head + data[HEAD.size + length :]


@pytest.fixture(scope="module")
def game() -> Game:
    return Game(stage_of_level(sample("corridor"), "corridor"))


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize("field", ["brain", "crews", "rules"])
def test_no_recording_reads_a_file_outside(inside, game, field, way):
    (inside / "run.rec").write_bytes(forged(game, scenario_of(field, named(way, inside))))
    folder = Folder(inside)
    refusal(lambda: opened(folder, request_for("run.rec")))
    refusal(lambda: comparer_of(game, folder, "run.rec")(lambda text, fraction: None))


def test_what_lies_in_the_folder_may_be_named_even_from_below_and_by_links_within(inside):
    (inside / "sub").mkdir()
    (inside / "map.txt").write_text("#######\n#P...G#\n#######\n")
    (inside / "sub" / "same.txt").symlink_to(inside / "map.txt")
    for name in ("../map.txt", "same.txt"):
        (inside / "sub" / "night.yaml").write_bytes(msgspec.json.encode({"level": name}))
        assert Folder(inside).scenario("sub/night.yaml").scenario == Scenario(name)


def test_ready_names_stay_allowed(inside):
    plain = scenario_of("crews", "search") | {"rules": "none", "crews": True}
    (inside / "night.yaml").write_bytes(msgspec.json.encode(plain))
    assert Folder(inside).scenario("night.yaml").crews
