"""`lastseen replay`: the story, the files it writes, and what it refuses."""

import io
import json
from pathlib import Path

import pytest
from click.testing import CliRunner
from PIL import Image

from lastseen.simulation.recording.recording import Recording
from lastseen.views.cli.app.main import cli
from lastseen.views.figures.moment import replay_figure
from lastseen.views.prose.story import story_of
from lastseen.vocabulary.events import AlarmRaised
from specimens.recordings import LOST, SHARED, made, recorded


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    return recorded(LOST, tmp_path_factory.mktemp("replay") / "lost.rec")


@pytest.fixture
def replay(tmp_path, monkeypatch):
    """Run `lastseen replay` in an empty folder."""
    monkeypatch.chdir(tmp_path)

    def runner(*arguments):
        return CliRunner().invoke(cli, ["replay", *map(str, arguments)])

    return runner


@pytest.fixture
def refused(replay):
    """Run a replay that must fail in words and write nothing, and return them."""

    def run(*arguments):
        before = {path.name: path.read_bytes() for path in Path().iterdir()}
        result = replay(*arguments)
        assert result.exit_code == 2, result.output
        assert isinstance(result.exception, SystemExit)
        assert result.stdout == ""
        assert {path.name: path.read_bytes() for path in Path().iterdir()} == before
        return result.stderr

    return run


def test_without_a_picture_the_story_is_told(replay, lost):
    result = replay(lost)
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    story = story_of(Recording.read(lost))
    assert result.stdout.splitlines() == [f"{one.seconds:7.1f} s  {one.text}" for one in story]
    assert replay(lost, "--text").stdout == result.stdout


def test_a_stretch_of_the_story(replay, lost):
    lines = replay(lost, "--from", 1, "--to", 3).stdout.splitlines()
    times = [float(line.split()[0]) for line in lines]
    assert times
    assert min(times) >= 1.0
    assert max(times) <= 3.0


def test_as_an_object(replay, lost):
    found = json.loads(replay(lost, "--json").stdout)
    recording = Recording.read(lost)
    assert set(found) == {"recording", "seconds", "agents", "end", "fault", "story", "wrote", "notes"}
    assert found["agents"] == ["Ames", "you"]
    assert found["end"]["reason"] == "all calm"
    assert found["fault"] == ""
    assert found["seconds"] == pytest.approx(recording.seconds)
    first = story_of(recording)[0]
    assert found["story"][0] == {
        "tick": first.tick,
        "seconds": pytest.approx(first.seconds),
        "agent": first.agent,
        "text": first.text,
    }


def test_pictures_are_written_and_named(replay, lost):
    result = replay(lost, "--png", "a.png", "--at", 1.0, "--gif", "a.gif", "--from", 1, "--to", 2, "--scale", 8)
    assert result.exit_code == 0, result.output
    assert result.stdout.splitlines() == ["wrote a.png", "wrote a.gif"]
    with Image.open("a.png") as picture, Image.open("a.gif") as film:
        assert (picture.format, film.format) == ("PNG", "GIF")
        assert film.n_frames == 10
    answer = json.loads(replay(lost, "--png", "b.png", "--scale", 8, "--json").stdout)
    assert answer["wrote"] == {"png": "b.png"}


def test_a_film_is_the_same_every_time_and_lasts_as_long_as_it_took(replay, lost):
    for name in ("a.gif", "b.gif"):
        assert replay(lost, "--gif", name, "--from", 1, "--to", 3, "--scale", 8).exit_code == 0
    assert Path("a.gif").read_bytes() == Path("b.gif").read_bytes()
    assert _milliseconds("a.gif")[:-1] == [100] * 19
    assert replay(lost, "--gif", "c.gif", "--from", 1, "--to", 3, "--scale", 8, "--speed", 2).exit_code == 0
    assert _milliseconds("c.gif")[:-1] == [100] * 9


def _milliseconds(name):
    found = []
    with Image.open(io.BytesIO(Path(name).read_bytes())) as film:
        for number in range(film.n_frames):
            film.seek(number)
            found.append(film.info["duration"])
    return found


def test_too_long_a_film_is_thinned_and_says_so(replay, lost, monkeypatch):
    monkeypatch.setattr(replay_figure, "MOST_FRAMES", 12)
    result = replay(lost, "--gif", "long.gif", "--scale", 6)
    assert result.exit_code == 0, result.output
    assert "would be 175 frames; shows 12" in result.stderr
    with Image.open("long.gif") as film:
        assert film.n_frames == 12
    assert sum(_milliseconds("long.gif")[:-1]) == pytest.approx(1000 * 17.5 * 11 / 12, rel=0.1)


def test_of_a_recording_cut_off_the_readable_part_is_shown(replay, lost):
    data = Path(lost).read_bytes()
    Path("cut.rec").write_bytes(data[: int(0.6 * len(data))])
    result = replay("cut.rec", "--text", "--png", "cut.png", "--scale", 8)
    assert result.exit_code == 0, result.output
    assert "cut off; readable up to" in result.stderr
    assert "It ended" not in result.stdout
    assert "Ames lost you" in result.stdout
    assert Path("cut.png").exists()
    assert json.loads(replay("cut.rec", "--json").stdout)["end"] is None


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--at", "1"), "give --png FILE too"),
        (("--speed", "2"), "give --gif FILE too"),
        (("--scale", "9"), "give --png or --gif FILE"),
        (("--storey", "0"), "give --png or --gif FILE"),
        (("--png", "a.png", "--at", "-1"), "--at is -1 s"),
        (("--png", "a.png", "--at", "100"), "--at is 100 s"),
        (("--png", "a.png", "--at", "nan"), "--at is nan s"),
        (("--from", "5", "--to", "2"), "is after"),
        (("--from", "99"), "--from is 99 s"),
        (("--gif", "a.gif", "--from", "3", "--to", "3"), "is empty"),
        (("--gif", "a.gif", "--speed", "0"), "speed is 0"),
        (("--png", "a.jpg"), "pictures are PNG"),
        (("--gif", "a.png"), "this picture is GIF"),
        (("--png", "a.png", "--scale", "0"), "scale is 0"),
        (("--png", "a.png", "--scale", "1e6"), "at most"),
        (("--png", "a.png", "--storey", "1"), "there is no storey 1"),
        (("--png", "nowhere/a.png"), "no folder 'nowhere'"),
    ],
)
def test_bad_arguments_are_refused_in_words(refused, lost, arguments, words):
    assert words in refused(lost, *arguments)


def test_foreign_and_damaged_recordings_are_refused_in_words(refused, lost):
    data = Path(lost).read_bytes()
    Path("foreign.rec").write_bytes(b"\x89PNG" + bytes(80))
    Path("empty.rec").write_bytes(b"")
    Path("newer.rec").write_bytes(data[:8] + b"\x09" + data[9:])
    Path("older.rec").write_bytes(data[:8] + b"\x02" + data[9:])
    Path("head.rec").write_bytes(data[:60])
    assert "is not a recording of lastseen" in refused("foreign.rec")
    assert "is not a recording of lastseen" in refused("empty.rec", "--png", "a.png")
    assert "recorded in format 9" in refused("newer.rec")
    older = "older.rec: recorded in format 2, but this version of lastseen reads format 3; record the scenario again"
    assert older in refused("older.rec")
    assert "its head is damaged" in refused("head.rec")
    assert "cannot be read" in refused("missing.rec")
    about = 32 + int.from_bytes(data[12:16], "little")
    Path("none.rec").write_bytes(data[:about])
    assert "holds no steps" in refused("none.rec")


def test_a_recording_without_a_place_can_be_told_but_not_drawn(replay, refused):
    made(Path("made.rec"), [AlarmRaised(5, 0)], ticks=20)
    assert "Ames called the others." in replay("made.rec").stdout
    assert "so it cannot be drawn" in refused("made.rec", "--png", "a.png")


def test_storeys_stand_side_by_side_or_alone(replay, tmp_path):
    path = recorded(SHARED, tmp_path / "shared.rec")
    for name, more in (("both", ()), ("upper", ("--storey", "1"))):
        assert replay(path, "--png", f"{name}.png", "--at", 1, "--scale", 20, *more).exit_code == 0
    with Image.open("both.png") as both, Image.open("upper.png") as upper:
        assert both.width > 1.4 * upper.width
