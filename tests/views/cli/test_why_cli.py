"""`lastseen why`: state, tree, knowledge and choice of one agent at one moment."""

import json
from pathlib import Path

import msgspec
import pytest
from click.testing import CliRunner

from lastseen.agents.rules.speech.utterance import miss_words
from lastseen.simulation.recording.recording import Recording
from lastseen.views.cli.app.main import cli
from lastseen.vocabulary.events import AlarmRaised
from specimens.recordings import LOST, made, recorded

FIELDS = {
    *("agent", "tick", "seconds", "xyz", "state", "mode", "way", "left", "goal", "tree", "known", "decision", "before"),
    *("step", "said", "did", "duty", "asks_in_vain", "fight", "held", "out"),
}


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    return recorded(LOST, tmp_path_factory.mktemp("why") / "lost.rec")


@pytest.fixture(scope="module")
def events(lost):
    """First event of each kind, and its seconds."""
    recording = Recording.read(lost)
    found = {}
    for event in recording.events():
        found.setdefault(event.kind, (event, event.tick * recording.about.step))
    return found


def why(*arguments):
    return CliRunner().invoke(cli, ["why", *map(str, arguments)])


def answer(*arguments):
    result = why(*arguments, "--json")
    assert result.exit_code == 0, result.output
    assert result.stderr == ""
    return json.loads(result.stdout)


def refused(*arguments):
    result = why(*arguments)
    assert result.exit_code == 2, result.output
    assert isinstance(result.exception, SystemExit)
    assert result.stdout == ""
    return result.stderr


def test_a_chase_is_explained_by_its_flood(lost, events):
    event, seconds = events["flood"]
    found = answer(lost, "--agent", "Ames", "--at", seconds + 0.5)
    assert set(found) == FIELDS
    assert found["state"] == "chase"
    assert found["decision"]["kind"] == "flood"
    assert found["goal"] == pytest.approx(event.at, abs=1e-3)
    assert found["known"][0]["target"] == "you"
    assert found["known"][0]["source"] == "sight"
    assert 0.4 < found["known"][0]["age"] < 1.0
    words = why(lost, "--agent", "Ames", "--at", seconds + 0.5).stdout
    assert words.startswith("Ames at ")
    assert ": chase, active, at (" in words
    assert f"chose where to go at {seconds:.1f} s" in words
    assert "last seen at (14.0, 4.0)" in words
    assert "chase [guard]" in words


def test_a_search_is_explained_by_the_terms_of_its_cells(lost, events):
    _, seconds = events["searches"]
    found = answer(lost, "--agent", "Ames", "--at", seconds + 0.3)
    assert found["state"] == "search"
    assert found["decision"]["kind"] == "searches"
    assert "= influence" in why(lost, "--agent", "Ames", "--at", seconds + 0.3).stdout


def test_an_old_choice_does_not_explain_where_one_goes_now(lost, events):
    found = answer(lost, "--agent", "Ames", "--at", events["end"][1])
    assert found["state"] in ("patrol", "return")
    assert found["decision"] is None
    assert "chose where to go" not in why(lost, "--agent", "Ames").stdout


def test_the_tree_shows_what_was_reached_and_all_on_request(lost):
    some, whole = (why(lost, "--agent", "Ames", "--at", 1, *more).stdout for more in ((), ("--all",)))
    assert "engage [guard]" in some
    assert "patrol [sequence]" not in some
    assert "patrol [sequence]" in whole
    running = [line for line in some.splitlines() if line.strip().startswith("▶")]
    assert any("pursue" in line and "behind you" in line for line in running)


def test_words_said_are_quoted_and_times_are_those_of_events(lost, events):
    event, seconds = events["said"]
    words = why(lost, "--agent", "Ames", "--at", seconds).stdout
    assert f"{seconds:6.1f} s  “{event.line}”" in words


def test_words_said_come_with_their_rule_what_it_knew_and_what_was_near(lost, events):
    event, seconds = events["said"]
    words = why(lost, "--agent", "Ames", "--at", seconds).stdout
    assert f"said “{event.line}” at {seconds:.1f} s" in words
    assert f"rule {event.rule!r} of {event.handler}  [" in words
    assert f"because bark.trigger is {event.facts['bark.trigger']}" in words
    assert f"not {event.near[0].rule!r}: {miss_words(event.near[0])}" in words
    assert "said “" not in why(lost, "--agent", "you", "--at", seconds).stdout


def test_one_moved_from_outside_has_no_tree(lost):
    words = why(lost, "--agent", "you", "--at", 0).stdout
    assert "knows of no target" in words
    assert "none: controlled from outside" in words


def test_without_a_time_the_end_is_meant(lost):
    recording = Recording.read(lost)
    assert answer(lost, "--agent", "Ames")["tick"] == len(recording) - 1


def test_every_moment_of_everybody_can_be_asked_for(lost):
    recording = Recording.read(lost)
    for tick in range(0, len(recording), 97):
        for agent in recording.about.agents:
            found = answer(lost, "--agent", agent, "--at", tick * recording.about.step)
            assert (found["agent"], found["tick"]) == (agent, tick)


def test_bad_input_is_refused_in_words(lost, tmp_path):
    assert "did you mean 'Ames'" in refused(lost, "--agent", "Amse")
    assert "--at is -1 s" in refused(lost, "--agent", "Ames", "--at", "-1")
    assert "spans 0 to" in refused(lost, "--agent", "Ames", "--at", "1000")
    assert "--at is nan" in refused(lost, "--agent", "Ames", "--at", "nan")
    assert "cannot be read" in refused(tmp_path / "none.rec", "--agent", "Ames")
    assert "--agent" in refused(lost)
    (tmp_path / "foreign.rec").write_bytes(b"GIF89a" + bytes(100))
    assert "is not a recording of lastseen" in refused(tmp_path / "foreign.rec", "--agent", "Ames")
    data = bytearray(Path(lost).read_bytes())
    data[40] ^= 255
    (tmp_path / "damaged.rec").write_bytes(data)
    assert "its head is damaged" in refused(tmp_path / "damaged.rec", "--agent", "Ames")


def test_a_recording_of_something_else_is_refused_in_words(tmp_path):
    made(tmp_path / "made.rec", [AlarmRaised(1, 0)], ticks=20)
    assert "does not hold state" in refused(tmp_path / "made.rec", "--agent", "Ames")


def test_of_a_recording_cut_off_the_readable_part_answers(lost, tmp_path):
    data = Path(lost).read_bytes()
    (tmp_path / "cut.rec").write_bytes(data[: int(0.6 * len(data))])
    result = why(tmp_path / "cut.rec", "--agent", "Ames", "--json")
    assert result.exit_code == 0
    assert "cut off; readable up to" in result.stderr
    assert json.loads(result.stdout)["tick"] == len(Recording.read(tmp_path / "cut.rec")) - 1


def test_the_object_is_of_plain_values(lost):
    assert msgspec.json.decode(why(lost, "--agent", "Ames", "--json").stdout.encode()) == answer(
        lost, "--agent", "Ames"
    )


def test_a_catch_that_ends_the_run_is_listed_once(tmp_path):
    text = "level: corridor\nseconds: 20\nagents: [{name: Ames, at: [4, 4]}, {name: you, brain: puppet, at: [6, 4]}]\n"
    caught = recorded(text, tmp_path / "caught.rec")
    assert why(caught, "--agent", "Ames").stdout.count("Ames caught you") == 1
