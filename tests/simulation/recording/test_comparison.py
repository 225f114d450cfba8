"""Two runs side by side: hand-made ones with known differences, and real ones."""

import msgspec
import numpy as np
import pytest

from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.writer import Recorder
from lastseen.simulation.replay import comparison as module
from lastseen.simulation.replay.comparison import Difference, compare
from lastseen.vocabulary.events import InputChanged, Sees
from specimens.recordings import LOST, made, recorded

SAW, LATER = Sees(5, 0, other=2), Sees(9, 0, other=2)
MOVE, STOP = InputChanged(7, 2, move=(1.0, 0.0)), InputChanged(7, 2)


def places(ticks=20, agents=3):
    return np.zeros((ticks, agents, 3), np.float32)


def test_a_run_and_itself(tmp_path):
    one = Recording.read(recorded(LOST, tmp_path / "one.rec"))
    other = Recording.read(recorded(LOST, tmp_path / "other.rec"))
    found = compare(one, other)
    assert found.is_same
    assert found.steps == (526, 526)
    assert found.compared == 526
    assert (found.tick, found.digest_tick, found.settings, found.first) == (None, None, (), ())
    assert all((apart.metres, apart.same_state) == (0.0, 1.0) for apart in found.apart)
    assert found.only_count == (0, 0)
    assert found.ends == ("all calm", "all calm")


def test_where_somebody_goes_elsewhere(tmp_path):
    moved = places()
    moved[12:, 1, 0] = np.linspace(0.5, 4.0, 8)
    moved[3, 2, 1] = 0.0005  # nearer than anybody could tell
    one = made(tmp_path / "one.rec", [], ticks=20, places=places())
    found = compare(one, made(tmp_path / "other.rec", [], ticks=20, places=moved))
    assert not found.is_same
    assert found.tick == 12
    assert found.first == (Difference("position", "Bell", "(0.000, 0.000, 0.000)", "(0.500, 0.000, 0.000)"),)
    assert [(apart.agent, apart.metres, apart.tick) for apart in found.apart[:1]] == [("Bell", 4.0, 19)]
    assert found.digest_tick is None


def test_events_of_one_run_only(tmp_path):
    one = made(tmp_path / "one.rec", [SAW, SAW, MOVE], ticks=20)
    other = made(tmp_path / "other.rec", [SAW, STOP, LATER], ticks=20)
    found = compare(one, other)
    assert found.only == ((SAW, MOVE), (STOP, LATER))
    assert found.only_count == (2, 2)
    assert found.tick is None
    assert not found.is_same


def test_events_are_counted_though_few_are_listed(tmp_path, monkeypatch):
    monkeypatch.setattr(module, "MOST_EVENTS", 1)
    found = compare(made(tmp_path / "one.rec", [SAW, LATER], ticks=20), made(tmp_path / "other.rec", [], ticks=20))
    assert [one.tick for one in found.only[0]] == [5]
    assert found.only_count == (2, 0)


def test_events_after_the_shorter_run_are_no_difference(tmp_path):
    one = made(tmp_path / "one.rec", [SAW, LATER], ticks=20)
    found = compare(one, made(tmp_path / "other.rec", [SAW], ticks=8))
    assert found.compared == 8
    assert ([event.kind for event in found.only[1]], found.only_count) == (["end"], (0, 1))
    assert not found.is_same


def test_agents_are_compared_by_name(tmp_path):
    here = places(agents=2)
    here[:, 0, 0] = 3.0
    one = made(tmp_path / "one.rec", [SAW], names=("Ames", "you"), ticks=20, places=here)
    there = places(agents=3)
    there[:, 2, 0] = 3.0
    other = made(tmp_path / "other.rec", [], names=("you", "Cole", "Ames"), ticks=20, places=there)
    found = compare(one, other)
    assert found.tick is None
    assert [apart.agent for apart in found.apart] == ["Ames", "you"]
    assert found.settings == (Difference("agents", "", "Ames, you", "you, Cole, Ames"),)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"level": "another"}, "different levels"),
        ({"step": 0.2}, "their steps are 0.1 s and 0.2 s"),
        ({"agents": ("Dean", "Eve", "Finn")}, "no agent in common"),
    ],
)
def test_what_cannot_be_compared_says_why(tmp_path, changes, words):
    one = made(tmp_path / "one.rec", [SAW], ticks=20)
    recorder = Recorder(tmp_path / "other.rec", msgspec.structs.replace(one.about, **changes))
    recorder.add([np.ones((3, 3))], [], [])
    recorder.close("stopped", "0")
    found = compare(one, Recording.read(tmp_path / "other.rec"))
    assert words in found.cannot
    assert found.compared == 0
    assert (found.tick, found.apart, found.only_count) == (None, (), (0, 0))
    assert found.settings[0].what in changes


def test_another_seed_parts_in_its_digest_first(tmp_path):
    one = Recording.read(recorded(LOST, tmp_path / "one.rec"))
    other = Recording.read(recorded(LOST.replace("at: 1.5", "at: 2.5"), tmp_path / "other.rec"))
    found = compare(one, other)
    assert [difference.what for difference in found.settings] == ["scenario"]
    assert found.digest_tick is not None
    assert found.tick is not None
    assert found.digest_tick <= found.tick == 45
    assert Difference("mode", "you", "gone", "active") in found.first


def test_another_seed_is_no_other_scenario(tmp_path):
    one, other = (Recording.read(recorded(f"seed: {seed}\n{LOST}", tmp_path / f"{seed}.rec")) for seed in (1, 2))
    assert compare(one, other).settings == (Difference("seed", "", "1", "2"),)
