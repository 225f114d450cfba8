"""Minds that pass over what no fact wakes do as those that ask everything at every tick."""

from __future__ import annotations

import pytest

from lastseen.agents.behaviour.resting import LeafShortcut
from lastseen.agents.brains.leaves.patrol import FollowPatrol
from lastseen.agents.brains.mind import Mind
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.world_columns import gather_reasons, step_of
from lastseen.simulation.scenario.reader import shipped_scenario
from lastseen.simulation.world.setup import make_world


def steps_of(name: str, seconds: float) -> list[tuple[object, ...]]:
    world = make_world(shipped_scenario(name))
    gather_reasons(world)
    found = []
    while world.time < seconds and world.ending is None:
        step(world)
        _, _, events, texts = step_of(world)
        statuses = [b"" if tree is None else tree.status_bytes for tree in world.trees]
        boards = [dict(mind.blackboard) for mind in world.minds]
        found.append((statuses, texts[:], repr(events), repr(boards), world.trace.digest.hexdigest()))
    return found


@pytest.mark.parametrize(
    ("name", "seconds"),
    [
        ("night_shift", 12.0),
        ("interrupted_talk", 10.0),
        ("in_pairs", 8.0),
        *(pytest.param(name, 60.0, marks=pytest.mark.long) for name in ("brawl", "no_answer", "cordon", "man_down")),
    ],
)
def test_resting_changes_no_status_no_word_and_nothing_anybody_keeps_in_mind(
    name: str, seconds: float, monkeypatch: pytest.MonkeyPatch
) -> None:
    resting = steps_of(name, seconds)
    monkeypatch.setattr(Mind, "facts", -1)
    monkeypatch.setattr(LeafShortcut, "run", lambda *_: False)
    restless = steps_of(name, seconds)
    for number, (ours, theirs) in enumerate(zip(resting, restless, strict=True)):
        assert ours == theirs, f"step {number}"


def test_a_guard_under_way_on_its_patrol_has_nothing_to_do(monkeypatch: pytest.MonkeyPatch) -> None:
    world = make_world(shipped_scenario("night_shift"))
    ticks, idles = [], []
    tick, idle = FollowPatrol.tick, FollowPatrol.idles
    monkeypatch.setattr(FollowPatrol, "tick", lambda leaf, mind: ticks.append(mind) or tick(leaf, mind))
    monkeypatch.setattr(FollowPatrol, "idles", lambda leaf, mind: idle(leaf, mind) and not idles.append(mind))
    for _ in range(60):
        step(world)
    assert len(ticks) < 0.2 * len(idles)
