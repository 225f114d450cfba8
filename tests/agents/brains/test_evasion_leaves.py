"""Leaves of intruders that keep out of the way of guards, and of guards that see trespassers off, tick by tick."""

from __future__ import annotations

import math
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS
from lastseen.agents.bodies.orders import SPEEDS
from lastseen.agents.brains.leaves.evasion import (
    ChooseFreeExit,
    KnownGuards,
    SlipTo,
    ThrowNoise,
    _avoided,
    guards_remembered,
    knows_guard,
    shut_door_behind,
)
from lastseen.agents.brains.leaves.flight import (
    ChooseExit,
    Hide,
    enemy_rows,
    is_hunted,
    is_in_danger,
    is_watched,
    shake_off,
    threats_in_sight,
    was_hunted,
)
from lastseen.agents.brains.leaves.territory import SeeOff, has_trespasser
from lastseen.agents.brains.relations import ATTITUDES
from lastseen.agents.brains.surroundings import STATES, Territory
from lastseen.kernels.arrays.agent_arrays import ARRIVED, BODY, NO_WAY
from lastseen.reasoning.tactical.cost_field import NO_COST
from lastseen.vocabulary.words import Trespass
from specimens.cells import passable, tile_layout
from specimens.worlds import acts_of, mind_in

CHASE = STATES.index("chase")
PLACES = ((3.0, 4.0, 0.0), (20.0, 9.0, 0.0), (30.0, 2.0, 0.0), (12.0, 7.0, 0.0))
"""Two guards, and two intruders of which the second is the one asked."""


def intruder(places: Any = PLACES, **more: Any) -> Any:
    return mind_in(places, 3, **more)


def neutral(mind: Any, row: int) -> None:
    """Let a guard be neutral to the intruder."""
    mind.world.relations.pairs[row, 1] = ATTITUDES.index("neutral")
    mind.world.relations.is_mixed = True


# Guards that an intruder knows of


def test_a_guard_is_known_by_sight_or_by_its_steps_and_where_it_was_stays_known() -> None:
    mind, known = intruder(time=4.0), KnownGuards(2)
    known.update(mind)
    assert known.time.tolist() == [-math.inf, -math.inf]
    mind.senses.spotted[1, 0] = True
    mind.world.bodies.gaze[:] = 0.7, -0.4, 0.0, 0.0
    known.update(mind)
    assert known.time.tolist() == [4.0, -math.inf]
    assert (known.xyz[0].tolist(), known.heading[0]) == ([3.0, 4.0, 0.0], 0.7)
    mind.senses.spotted[:] = False
    mind.senses.spotted[0] = True  # what the other intruder sees
    mind.world.bodies.velocity_xy[1] = 2.4, -3.2  # its steps carry further than 8.2 m
    mind.world.time = 6.0
    known.update(mind)
    assert known.time.tolist() == [4.0, 6.0]
    assert known.lately(14.0).tolist() == [True, True]
    assert known.lately(14.1).tolist() == [False, True]
    assert known.lately(7.0, 1.0).tolist() == [False, True]
    mind.world.bodies.mode[1], mind.world.time = BODY, 7.0
    known.update(mind)
    assert known.time[1] == 6.0, "it lies on the floor"


def test_neutral_guards_need_not_be_kept_in_mind() -> None:
    mind, known = intruder(), KnownGuards(2)
    mind.senses.spotted[1] = True
    neutral(mind, 0)
    assert enemy_rows(mind).tolist() == [1]
    known.update(mind)
    assert np.isfinite(known.time).tolist() == [False, True]


def test_an_intruder_knows_how_near_the_nearest_guard_is() -> None:
    mind = intruder(time=5.0)
    assert knows_guard(mind) == (False, "knows of no guard near")
    mind.senses.spotted[1] = True
    assert knows_guard(mind) == (True, "2 known, the nearest at 8 m")
    assert not knows_guard(mind, within=8.2)[0]
    assert knows_guard(mind, within=8.3)[0]
    mind.senses.spotted[1], mind.world.time = False, 8.0
    assert knows_guard(mind)[0]
    mind.world.time = 8.1
    assert not knows_guard(mind)[0]
    assert knows_guard(mind, seconds=3.2)[0]


def test_remembered_guards_come_latest_first_with_where_they_looked() -> None:
    mind = intruder()
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.time[:], known.heading[:] = (3.0, 5.0), (0.25, 1.5)
    known.xyz[:] = (1.0, 2.0, 3.0), (4.0, 5.0, 6.0)
    mind.world.time = 12.9
    found = guards_remembered(mind)
    assert found.xyz.tolist() == [[4.0, 5.0, 6.0], [1.0, 2.0, 3.0]]
    assert np.asarray(found.heading).tolist() == [1.5, 0.25]
    mind.world.time = 13.1
    assert guards_remembered(mind).xyz.tolist() == [[4.0, 5.0, 6.0]]


HALL = tile_layout(passable("\n".join(["." * 30] * 24)))


def test_ground_in_view_of_a_guard_costs_more_and_that_next_to_it_most() -> None:
    mind = intruder(cells=HALL)
    assert _avoided(mind, guards_remembered(mind)) is NO_COST
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.time[0], known.heading[0], known.xyz[0] = 0.0, 0.6, (6.0, 5.0, 0.0)
    field = _avoided(mind, guards_remembered(mind))
    ahead, beside = np.array([np.cos(0.6), np.sin(0.6), 0.0]), np.array([-np.sin(0.6), np.cos(0.6), 0.0])
    along = [9.0 * ahead, 1.0 * beside, -4.0 * ahead, 9.0 * beside, 16.5 * ahead, 6.0 * ahead + 3.0 * beside]
    costs = field.shape_values(known.xyz[0] + np.array(along)).tolist()
    seen, near, behind, aside, far, slanting = costs
    assert near > seen > 0.0
    assert slanting > 0.0
    assert (behind, aside, far) == (0.0, 0.0, 0.0)


WALLED = tile_layout(passable("\n".join(["." * 24] * 8 + ["." * 3 + "#" * 18 + "." * 3] + ["." * 24] * 8)))


def test_one_slips_around_a_known_guard_and_out_of_its_view() -> None:
    """From left to right along a wall, past a guard that looks at the wall: the way leads behind its back."""
    mind, leaf = intruder(cells=WALLED), SlipTo(gait="walk", pace=0.5, exposed=3.0)
    mind.world.snapshot.places[3], goal = (1.5, 7.0, 0.0), (22.5, 7.0, 0.0)
    mind.blackboard["goal"] = goal
    orders = mind.world.orders.arrays
    leaf.enter(mind)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "21 m around 0 guards")
    assert (orders.goal_xyz[3].tolist(), orders.speed[3]) == (list(goal), SPEEDS["walk"] * 0.5)
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.time[0], known.xyz[0], known.heading[0] = 0.5, (12.0, 5.0, 0.0), 1.2
    mind.world.time = 0.9
    leaf.tick(mind)
    assert orders.goal_xyz[3].tolist() == list(goal), "it looks for a path once a second"
    mind.world.time = 1.0
    assert leaf.tick(mind) is RUNNING
    first = orders.goal_xyz[3].copy()
    assert 1.5 < first[1] <= 2.6
    assert leaf.reason == "25 m around 1 guards"
    mind.world.snapshot.places[3] = (first[0] - 0.7, first[1], 0.0)
    leaf.tick(mind)
    assert orders.goal_xyz[3].tolist() == first.tolist()
    mind.world.snapshot.places[3] = (first[0] - 0.5, first[1], 0.0)
    leaf.tick(mind)
    assert orders.goal_xyz[3].tolist() != first.tolist(), "on to the next bend"


def test_one_does_not_slip_through_the_view_of_a_guard_nor_where_there_is_no_way() -> None:
    mind, leaf = intruder(cells=HALL), SlipTo(exposed=1.4)
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.time[0], known.xyz[0], known.heading[0] = 0.0, (15.0, 2.0, 0.0), math.pi / 2
    mind.world.snapshot.places[3], mind.blackboard["goal"] = (15.0, 9.0, 0.0), (15.0, 12.0, 0.0)
    leaf.enter(mind)
    # Three metres at an extra cost of 3 per metre count as (12 - 3.3) / 6 = 1.45 m.
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "1 m of the path in view of guards")
    free = SlipTo(exposed=1.5)
    free.enter(mind)
    assert free.tick(mind) is RUNNING
    mind.world.tick += 1
    mind.world.snapshot.ways[3] = ARRIVED
    assert (free.tick(mind), free.reason) == (SUCCESS, "there")
    mind.world.snapshot.ways[3] = NO_WAY
    assert (free.tick(mind), free.reason) == (FAILURE, "no way on")


# Doors and exits


def door(x: float, y: float, z: float = 0.0, locked: bool = False) -> Any:
    outline = np.array([(x - 0.5, y - 0.1), (x + 0.5, y - 0.1), (x + 0.5, y + 0.1), (x - 0.5, y + 0.1)])
    return SimpleNamespace(outline_xy=outline, z=z, locked=locked)


@pytest.mark.parametrize(
    ("place", "more", "shuts"),
    [
        ((11.0, 6.0), {}, True),
        ((13.0, 8.0), {}, False),  # it lies ahead
        ((11.5, 6.5), {}, False),  # it still stands in it
        ((10.0, 5.5), {}, False),  # that is too far back
        ((11.0, 6.0), {"z": 2.0}, False),
        ((11.0, 6.0), {"z": 1.4}, True),
        ((11.0, 6.0), {"locked": True}, False),
    ],
)
def test_a_door_just_passed_is_shut_behind_oneself(place: Any, more: Any, shuts: bool) -> None:
    doors = SimpleNamespace(shut=np.array([True, False]))
    mind = intruder(doors=doors, level=SimpleNamespace(doors=[door(11.0, 6.0), door(*place, **more)]))
    mind.world.bodies.velocity_xy[3] = 2.0, 1.0
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    assert shut_door_behind(mind) is SUCCESS
    assert acts_of(mind) == [], "it knows of no guard"
    known.time[0], known.xyz[0] = 0.0, (12.0, 27.5, 0.0)
    shut_door_behind(mind)
    assert acts_of(mind) == [], "none is after it"
    known.xyz[0] = 3.0, 4.0, 0.0
    shut_door_behind(mind)
    assert acts_of(mind) == [("close door", 1, None, None)] * shuts


def marker(name: str, kind: str, *xyz: float) -> Any:
    return SimpleNamespace(name=name, kind=kind, xyz=xyz)


EXITS = (marker("west", "exit", 1.0, 6.0, 0.0), marker("east", "exit", 25.0, 9.0, 0.0))


def test_an_exit_is_the_nearest_or_the_one_named() -> None:
    mind, leaf = intruder(level=SimpleNamespace(markers=EXITS)), ChooseExit()
    assert leaf.tick(mind) is SUCCESS
    assert mind.blackboard["goal"] == (1.0, 6.0, 0.0)
    mind.blackboard["to"] = "east"
    assert leaf.tick(mind) is SUCCESS
    assert mind.blackboard["goal"] == (25.0, 9.0, 0.0)
    mind.blackboard["to"] = "north"
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "the level has no north")


def test_one_that_came_in_by_an_exit_first_gets_what_it_came_for() -> None:
    loot = marker("safe", "goal", 11.0, 1.0, 0.0), marker("vault", "goal", 28.0, 9.0, 0.0)
    places = [*PLACES[:3], (3.0, 6.0, 0.0)]
    mind, leaf = intruder(places, level=SimpleNamespace(markers=(*EXITS, *loot))), ChooseExit()
    leaf.tick(mind)
    assert mind.blackboard["goal"] == (11.0, 1.0, 0.0)
    mind.world.snapshot.places[3] = (10.0, 2.0, 0.0)
    leaf.tick(mind)
    assert mind.blackboard["goal"] == (1.0, 6.0, 0.0), "it has been there: 1.4 m"
    far = intruder(level=SimpleNamespace(markers=(*EXITS, *loot)))
    ChooseExit().tick(far)
    assert far.blackboard["goal"] == (1.0, 6.0, 0.0), "it came from elsewhere"


@pytest.mark.parametrize(("guard", "ahead"), [((12.0, 20.5, 0.0), 2), ((12.0, 17.0, 0.0), -1)])
def test_an_exit_is_free_if_every_known_guard_has_further_to_go(guard: Any, ahead: int) -> None:
    exits = (marker("west", "exit", 2.0, 7.0, 0.0),)
    mind, leaf = intruder(cells=HALL, level=SimpleNamespace(markers=exits)), ChooseFreeExit()
    mind.blackboard["goal"] = (9.0, 9.0, 0.0)
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.xyz[0], known.xyz[1] = guard, (2.0, 7.0, 0.0)
    known.time[0] = 0.0
    mind.world.snapshot.places[3] = (12.0 + (6.8 if ahead < 0 else 4.8), 7.0, 0.0)
    free = leaf.tick(mind)
    own = mind.xyz[0] - 2.0
    metres = math.dist(guard, (2.0, 7.0, 0.0)) - own
    assert leaf.reason == f"{metres:+.0f} m ahead at the exit"
    assert free is (SUCCESS if metres > 1.0 else FAILURE)
    assert mind.blackboard["goal"] == ((2.0, 7.0, 0.0) if free is SUCCESS else (9.0, 9.0, 0.0))


# Hunters


def test_hunters_are_guards_in_sight_that_chase_or_have_noticed_one() -> None:
    mind = intruder(time=20.0)
    assert is_hunted(mind) == (False, "nobody is after it")
    assert was_hunted(mind) == (False, "nobody was after it")
    mind.senses.spotted[1] = True
    assert not is_hunted(mind)[0], "they have not noticed it"
    assert is_watched(mind) == (True, "2 in sight")
    assert is_watched(mind, within=9.0) == (True, "1 in sight")
    assert is_watched(mind, within=8.0) == (False, "nobody in sight")
    assert threats_in_sight(mind).tolist() == [list(PLACES[0]), list(PLACES[1])]
    mind.attention.noticed[0] = 1
    assert is_hunted(mind) == (True, "1 after it")
    assert (mind.blackboard["hunted"], mind.blackboard["hunted_at"]) == (20.0, PLACES[3])
    assert threats_in_sight(mind).tolist() == [list(PLACES[0])]
    shake_off(mind)
    assert not is_hunted(mind, within=9.4)[0]
    assert is_hunted(mind, within=9.5)[0]
    mind.attention.noticed[0], mind.attention.seen[1] = 0, 1  # the first is after the other intruder
    assert threats_in_sight(mind).tolist() == [list(PLACES[1])]
    mind.attention.seen[1], mind.world.state[0] = -1, CHASE
    assert threats_in_sight(mind).tolist() == [list(PLACES[0])]
    mind.senses.spotted[1, 0] = False
    mind.world.time = 22.0
    assert is_hunted(mind) == (True, "was seen 2.0 s ago")
    mind.world.time = 22.1
    assert not is_hunted(mind)[0]


def test_where_a_hunt_began_is_kept_until_nobody_was_after_it_for_a_while() -> None:
    mind = intruder(time=20.0)
    mind.senses.spotted[1, 0], mind.attention.seen[0] = True, 1
    is_hunted(mind)
    mind.world.snapshot.places[3], mind.world.time = (9.0, 8.0, 0.0), 28.0
    is_hunted(mind)
    assert mind.blackboard["hunted_at"] == PLACES[3], "8 s: the same hunt"
    mind.world.time = 36.1
    is_hunted(mind)
    assert mind.blackboard["hunted_at"] == (9.0, 8.0, 0.0)
    mind.world.time = 51.1
    assert was_hunted(mind) == (True, "was seen 15.0 s ago")
    assert not was_hunted(mind, within=14.0)[0]
    shake_off(mind)
    assert not was_hunted(mind)[0]


def test_danger_lasts_for_a_while_after_it_was_seen() -> None:
    mind = mind_in(PLACES, 1, time=30.0)
    assert is_in_danger(mind) == (False, "sees no danger")
    mind.attention.known[1], mind.world.knowledge.arrays.time[1] = 0, (22.0, 3.0)
    assert is_in_danger(mind) == (True, "saw C 8.0 s ago")
    assert not is_in_danger(mind, within=7.5)[0]


def test_one_hides_in_the_nearest_place_that_no_known_guard_is_nearer_to() -> None:
    spots = [SimpleNamespace(xyz=xyz) for xyz in ((12.0, 1.0, 0.0), (9.0, 7.0, 0.0), (12.0, 17.0, 0.0))]
    mind, leaf = intruder(level=SimpleNamespace(hiding_places=spots)), Hide()
    orders = mind.world.orders.arrays
    assert leaf.tick(mind) is RUNNING
    assert orders.goal_xyz[3].tolist() == [9.0, 7.0, 0.0]
    known = mind.blackboard["known_guards"] = KnownGuards(2)
    known.time[0], known.xyz[0] = 0.0, (7.0, 7.0, 0.0)
    assert leaf.tick(mind) is RUNNING
    assert orders.goal_xyz[3].tolist() == [12.0, 1.0, 0.0]
    assert acts_of(mind) == []
    mind.world.snapshot.places[3] = (12.0, 2.3, 0.0)
    leaf.tick(mind)
    assert acts_of(mind) == [("hide", 0, None, None)]
    assert (Hide(within=1.2).tick(mind), Hide(within=1.4).tick(mind)) == (FAILURE, RUNNING)
    mind.world.snapshot.places[3], mind.world.tick = (12.0, 4.3, 0.0), 60
    mind.world.snapshot.ways[3] = ARRIVED
    mind.world.orders.forget_acts()
    leaf.tick(mind)
    assert acts_of(mind) == [("hide", 0, None, None)], "as near as there is a way"
    mind.world.acts.hidden_in[3] = 0
    assert leaf.tick(mind) is SUCCESS
    mind.world.acts.hidden_in[3], mind.world.level.hiding_places[:] = -1, spots[1:2]
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "no hiding place near")


def test_a_bottle_is_thrown_to_the_goal() -> None:
    mind = intruder()
    mind.blackboard["goal"] = (7.0, 3.0, 0.0)
    assert ThrowNoise().tick(mind) is SUCCESS
    assert acts_of(mind) == [("throw", -1, (7.0, 3.0, 0.0), None)]


# Trespassers


def keeper(step: Trespass, who: int = 1) -> Any:
    none = [-1.0, -1.0]
    territory = Territory(
        restricted=(), safe=(), steps=[Trespass.FREE, step], since=none, inside=none, keeper=[-1, who],
        sheltered=none, patience=4.0, escort=8.0, forgives=6.0,
    )  # fmt: skip
    return mind_in(PLACES, 1, territory=territory)


@pytest.mark.parametrize(
    ("step", "who", "expected"),
    [
        (Trespass.WARNED, 1, (True, "sees off D")),
        (Trespass.ESCORTED, 1, (True, "sees off D")),
        (Trespass.WANTED, 1, (False, "no trespasser")),
        (Trespass.FREE, 1, (False, "no trespasser")),
        (Trespass.WARNED, 0, (False, "no trespasser")),
    ],
)
def test_a_trespasser_is_seen_off_by_its_keeper(step: Trespass, who: int, expected: Any) -> None:
    assert has_trespasser(keeper(step, who)) == expected
    assert has_trespasser(mind_in(PLACES, 1)) == (False, "no trespasser")


def test_a_keeper_warns_once_from_where_it_stands_then_walks_next_to_the_trespasser() -> None:
    mind, leaf = keeper(Trespass.WARNED), SeeOff()
    orders, lines = mind.world.orders.arrays, mind.world.orders.lines
    leaf.enter(mind)
    assert (leaf.tick(mind), leaf.reason) == (RUNNING, "warned D")
    assert leaf.tick(mind) is RUNNING
    assert lines == [(1, "You there. This is no place for you.")]
    assert orders.going[1] == 0
    assert orders.face[1] == pytest.approx(math.atan2(-2.0, -8.0))
    mind.world.territory.steps[1] = Trespass.ESCORTED
    assert leaf.tick(mind) is RUNNING
    assert lines[1:] == [(1, "Out. Come with me.")]
    assert (orders.going[1], orders.goal_xyz[1].tolist()) == (1, list(PLACES[3]))
    mind.world.snapshot.places[1] = (13.5, 8.0, 0.0)  # 1.80 m
    leaf.tick(mind)
    assert orders.going[1] == 1
    mind.world.snapshot.places[1] = (13.4, 8.0, 0.0)
    leaf.tick(mind)
    assert orders.going[1] == 0
    mind.world.territory.steps[1] = Trespass.FREE
    assert (leaf.tick(mind), leaf.reason) == (FAILURE, "it has left")
