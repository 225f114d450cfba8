"""Shipped brains do what they say: runners, civilians, guards called to bodies, doors and colleagues."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from lastseen.agents.brains.shipped_brains import BRAINS, brain_text, shipped_brain
from lastseen.kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from lastseen.kernels.sight.sight_line import clear_lines
from lastseen.simulation.world.world import World
from specimens.worlds import Play

ALONE = "level: warehouse\nstep: 0.1\nseconds: 120\nseed: 3\nagents:\n  - {name: you, brain: %s, at: [6, 12]%s}\n"


def test_every_shipped_brain_is_a_file_to_copy() -> None:
    for name in BRAINS:
        assert brain_text(name).startswith("# A")
        assert shipped_brain(name).trees


@pytest.mark.parametrize("brain", ["runner", "hider", "sight_breaker", "double_backer"])
def test_alone_it_goes_to_the_exit(brain: str) -> None:
    play = Play(ALONE % (brain, "")).run(120.0)
    assert play.outcome.reason == "escaped"


def test_a_runner_goes_to_the_marker_it_is_sent_to() -> None:
    text = "level: house\nstep: 0.1\nseconds: 60\nends: []\nagents:\n"
    play = Play(text + "  - {name: you, brain: runner, at: [5, -4.5, -0.6], settings: {to: safe}}\n").run(40.0)
    safe = next(marker for marker in play.world.level.markers if marker.name == "safe")
    assert math.dist(play.world.bodies.xyz[0], safe.xyz) < 1.5


def test_who_starts_beside_the_exit_fetches_what_it_came_for_and_then_leaves() -> None:
    text = "level: house\nstep: 0.1\nseconds: 120\nagents:\n  - {name: you, brain: runner, at: [5, -4.5, -0.6]}\n"
    play = Play(text)
    safe = next(marker for marker in play.world.level.markers if marker.name == "safe")
    nearest = math.inf

    def note(world: World) -> None:
        nonlocal nearest
        nearest = min(nearest, math.dist(world.bodies.xyz[0], safe.xyz))

    assert play.run(120.0, note).outcome.reason == "escaped"
    assert nearest < 1.5


def test_a_roamer_never_rests_and_gets_about_and_draws_by_its_seed() -> None:
    cells = {}
    for seed in (3, 3, 4):
        play, visited = Play((ALONE % ("roamer", "")).replace("seed: 3", f"seed: {seed}\nends: []")), []
        play.run(40.0, lambda world: visited.append(tuple(np.floor(world.bodies.xyz[0, :2] / 4).tolist())))  # noqa: B023
        assert len(set(visited)) >= 6
        assert seed not in cells or cells[seed] == visited
        cells[seed] = visited
    assert cells[3] != cells[4]


def test_a_wanderer_keeps_its_direction_more_often_than_it_turns_back() -> None:
    play = Play((ALONE % ("wanderer", "")).replace("seconds: 120", "seconds: 120\nends: []"))
    goals: list[object] = []
    turns: list[float] = []

    def note(world: World) -> None:
        goal = world.minds[0].blackboard.get("goal")
        if goal is not None and (not goals or goals[-1] != goal):
            goals.append(goal)
            mind = world.minds[0]
            turns.append(abs(math.remainder(mind.heading_to(goal) - mind.heading, math.tau)))

    play.run(60.0, note)
    assert len(turns) >= 8
    assert np.median(turns) < math.radians(60.0)


def _chased(brain: str, seconds: float = 20.0, each: Any = None, search: str = "gain") -> Play:
    text = f"""
level: warehouse
step: 0.1
seconds: 60
seed: 1
ends: []
search: {search}
agents:
  - {{name: Ames, at: [12, 16], heading: 0.0}}
  - {{name: you, brain: {brain}, at: [22, 16], speed: 2.4}}
"""
    return Play(text).run(seconds, each)


def _sees(world: World, one: int, other: int) -> bool:
    clear = np.zeros(1, np.bool_)
    clear_lines(
        world.sight.arrays, world.bodies.xyz[[one]] + (0, 0, 1.6), world.bodies.xyz[[other]] + (0, 0, 1.3), clear
    )
    return bool(clear[0])


@pytest.mark.parametrize("brain", ["runner", "sight_breaker", "double_backer", "roamer", "hider"])
def test_chased_it_breaks_the_line_of_sight(brain: str) -> None:
    seen: list[bool] = []

    def look(world: World) -> None:
        if world.bodies.mode[1] in (ACTIVE, HIDDEN):
            seen.append(world.bodies.mode[1] == ACTIVE and _sees(world, 0, 1))

    play = _chased(brain, 20.0, look)
    assert "flee" in play.states["you"]
    assert seen[0]
    unseen = max(len(run) for run in "".join("x" if one else "." for one in seen).split("x"))
    assert unseen >= 10


def test_a_double_backer_comes_back_to_where_it_was_seen() -> None:
    away: list[float] = []

    def note(world: World) -> None:
        away.append(math.dist(world.bodies.xyz[1], (22, 16, 0)))

    play = _chased("double_backer", 25.0, note, search="influence")
    back = [event for event in play.of_kind("picks place") if event.query == "double_back"]
    furthest = int(np.argmax(away))
    assert back
    assert min(away[furthest:]) < away[furthest] - 4.0


def test_a_sight_breaker_minds_guards_that_have_not_seen_it() -> None:
    text = """
level: hall
step: 0.1
seconds: 30
ends: []
agents:
  - {name: Ames, at: [6, 9], heading: 3.14}
  - {name: you, brain: sight_breaker, at: [14, 9]}
"""
    play = Play(text).run(0.1)
    assert play.states["you"] == ["flee"]
    assert play.states["Ames"] == ["patrol"]


def test_a_hunted_hider_hides_lies_low_and_comes_out() -> None:
    play = _chased("hider", 55.0)
    assert play.of_kind("hid")
    assert play.states["you"][:2] == ["flee", "hidden"] or "hidden" in play.states["you"]


def test_a_civilian_flees_calls_calms_down_and_goes_back_and_guards_come() -> None:
    text = """
level: hall
step: 0.1
seconds: 90
ends: []
agents:
  - {name: Cora, brain: civilian, at: [6, 9], heading: 0.0}
  - {name: Ames, at: [6, 16], heading: 1.57}
  - {name: you, brain: puppet, at: [14, 9]}
script:
  - {at: 3.0, do: remove, agent: you}
"""
    play = Play(text).run(60.0)
    order = [state for state in play.states["Cora"] if state != "suspicious"]
    assert order[-3:] == ["flee", "return", "patrol"]
    assert "FLEE" in [event.facts.get("bark.trigger") for event in play.of_kind("said") if event.agent == 0]
    assert math.dist(play.world.bodies.xyz[0], play.world.cast.home[0]) < 0.7
    assert any(event.stimulus == "shout" for event in play.of_kind("investigates"))


def test_a_body_is_found_the_alarm_raised_and_everybody_searches() -> None:
    text = """
level: hall
step: 0.1
seconds: 90
search_seconds: 15
agents:
  - {name: Ames, at: [6, 9], heading: 0.0}
  - {name: Bell, at: [6, 2], heading: 3.14}
  - {name: Cole, at: [14, 9], heading: 0.0}
script:
  - {at: 0.5, do: fell, agent: Cole}
"""
    play = Play(text).run(60.0)
    kinds = play.kinds("Ames")
    assert kinds.index("found") < kinds.index("alarm") < kinds.index("search begins") < kinds.index("gives up")
    for name in ("Ames", "Bell"):
        assert [state for state in play.states[name] if state != "patrol"][-3:] == ["suspicious", "search", "return"]


def test_a_door_left_open_is_looked_into_and_shut_again_once() -> None:
    text = """
level: rooms
step: 0.1
seconds: 60
agents:
  - {name: Ames, at: [20, 5.5], heading: 3.14}
  - {name: you, brain: puppet, at: [3, 2]}
script:
  - {at: 0.0, do: close door, door: door 1}
  - {at: 1.0, do: open door, door: door 1, agent: you}
  - {at: 1.0, do: remove, agent: you}
"""
    play = Play(text).run(40.0)
    assert [event.thing for event in play.of_kind("found")] == ["open door"]
    assert play.world.doors.shut[0]
    assert play.states["Ames"] == ["patrol", "suspicious", "return", "patrol"]


def test_who_waits_after_a_loss_goes_in_after_ten_seconds_or_at_once_when_the_intruder_has_moved() -> None:
    starts = {}
    for moved in (False, True):
        text = f"""
level: rooms
step: 0.1
seconds: 60
ends: []
agents:
  - {{name: Ames, at: [14, 6], heading: 3.14, settings: {{approach: true}}}}
  - {{name: Bell, at: [14, 4], heading: 3.14, settings: {{approach: true}}}}
  - {{name: you, brain: puppet, at: [8.5, 5.5]}}
sharing: broadcast
script:
  - {{at: 0.0, do: open door, door: door 1}}
  - {{at: 1.2, do: close door, door: door 1}}
  - {{at: 1.2, do: place, agent: you, place: {[2, 8] if moved else [8.6, 5.6]}}}
  - {{at: 1.2, do: remove, agent: you}}
"""
        play = Play(text).run(30.0)
        went = play.of_kind("approaches")
        lost = play.of_kind("lost")
        assert len(went) == 1, "one goes in at a time, and once"
        assert "flood" not in play.kinds(), "nobody runs after the intruder"
        starts[moved] = (went[0].tick - lost[-1].tick) * play.world.step + play.world.scenario.sighting_hold
        assert "search" in play.states["Ames"]
        assert "search" in play.states["Bell"]
    assert starts[True] < 2.0
    assert starts[False] == pytest.approx(10.0, abs=0.5)
