"""A recording says of every node what it said itself at that moment, also where only its reason had changed."""

from __future__ import annotations

from pathlib import Path

from lastseen.agents.behaviour.status import IDLE, RUNNING
from lastseen.simulation.game_loop import step
from lastseen.simulation.recording.recording import Recording
from lastseen.simulation.recording.world_columns import recorder_of, step_of
from lastseen.simulation.replay.account import account_of
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.views.cli.run.why import as_lines
from lastseen.views.prose.sentences import Sentences
from lastseen.vocabulary.events import PlaceChanged, RoleChanged

FIGHT = """
level: hall
step: 0.1
seconds: 3
rules: none
combat: true
crews: true
sharing: broadcast
ends: []
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: Vera, brain: brawler, at: [10, 9], health: 5000}
"""


def test_reasons_are_those_of_the_moment(tmp_path: Path) -> None:
    world = make_world(parse_scenario(FIGHT))
    recorder = recorder_of(world, tmp_path / "run.rec")
    truth, rewordings = [], 0
    while world.time < 2.5:
        step(world)
        recorder.add(*step_of(world))
        said = {
            (row, node.index): (node.status, node.why())
            for row, tree in enumerate(world.trees)
            if tree is not None
            for node in tree.nodes
            if node.status is not IDLE and not (node.children and node.status is RUNNING)
        }
        if truth:
            rewordings += sum(
                truth[-1][at][0] is status is not RUNNING and truth[-1][at][1] != words
                for at, (status, words) in said.items()
                if at in truth[-1]
            )
        truth.append(said)
    recorder.close("over", "")
    recording = Recording.read(tmp_path / "run.rec")
    assert rewordings > 20, "conditions change their words without changing their answer"
    for tick in range(0, len(truth), 3):
        texts = recording.frame(tick).texts
        assert {at: texts.get(at, "") for at in truth[tick]} == {at: words for at, (_, words) in truth[tick].items()}


def test_who_waits_for_room_in_a_full_crew_is_told_of_like_a_member(tmp_path: Path) -> None:
    guards = "".join(
        f'  - {{name: g{at}, at: [{4 + at % 4}, {8 + at // 4}], attack: ranged, patrol: ""}}\n' for at in range(12)
    )
    world = make_world(
        parse_scenario(FIGHT[: FIGHT.index("  - {name: Ames")] + guards + FIGHT[FIGHT.index("  - {name: Vera") :])
    )
    recorder = recorder_of(world, tmp_path / "run.rec")
    held: set[str] = set()
    while world.time < 2.0 and not held:
        step(world)
        recorder.add(*step_of(world))
        held = {
            world.names[at]
            for at, one in enumerate(world.teamwork.directions)
            if one is not None and one.role == "reserve"
        }
    recorder.close("over", "")
    name = min(held)
    account = account_of(Recording.read(tmp_path / "run.rec"), name, world.time)
    assert account.duty is not None
    assert (account.duty.role, len(account.duty.members)) == ("reserve", 10)
    assert not held & set(account.duty.members)
    lines = as_lines(account, Sentences(world.names))
    first = next(at for at, line in enumerate(lines) if line.startswith("waits for room in crew 0 (fight Vera): "))
    assert lines[first].endswith("; led by g0")
    assert lines[first + 1].startswith("  is reserve at (")
    assert "  because reserve: crew 0 (fight) is full, and its members take turns" in lines
    assert any("attack not now" in line for line in lines)


def test_roles_have_the_reason_of_their_step_when_asked_later(tmp_path: Path) -> None:
    world = make_world(parse_scenario(FIGHT))
    recorder, of = recorder_of(world, tmp_path / "run.rec"), Sentences.of_world(world)
    events, at_once = [], []
    while world.time < 2.5:
        step(world)
        recorder.add(*step_of(world))
        changed = [event for event in world.events if isinstance(event, RoleChanged | PlaceChanged)]
        events += changed
        at_once += map(of, changed)
    recorder.close("over", "")
    assert len(set(at_once)) > 1, "several roles or places"
    assert list(map(of, events)) == at_once
    assert list(map(Sentences.of_recording(Recording.read(tmp_path / "run.rec")), events)) == at_once
