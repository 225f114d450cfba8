"""Who has a place keeps it while it is good enough, though the target moves; who is one too many stays out."""

from __future__ import annotations

import math

import numpy as np

from lastseen.agents.crews.combat.attack_turns import turns_of
from lastseen.agents.crews.combat.fights import clear_line, firing
from lastseen.agents.crews.roles.vocabulary import Asked, Places
from lastseen.agents.crews.shipped.destinations import slots
from lastseen.agents.directions import Direction
from lastseen.simulation.game_loop import step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from specimens.crews import Hall, crew_of, told

GUARDS = [(4.0, 6.0), (5.0, 7.0), (6.0, 4.0)]
ROUND = """
root:
  roles:
    - role:
        name: round
        prefer: {near_place: 3.0, stays: 0.1}
        places: {slots: {radius: 2.0, count: 8, apart: 1.0}}
        directions: {stand: place}
"""
BRAWL = """
level: hall
step: 0.1
seconds: 9
seed: 2
rules: none
combat: true
crews: true
sharing: broadcast
ends: []
agents:
"""


def walk(hall: Hall, x: float, y: float) -> None:
    """Let the target be elsewhere, and everybody know."""
    hall.world.bodies.xyz[hall.target] = (x, y, 0.0)
    hall.see()


def test_slots_that_move_along_with_a_target_never_leave_the_floor() -> None:
    hall, mind = crew_of(GUARDS)
    slots(mind, radius=3.0)
    for metres in np.arange(0.0, 9.5, 0.35):
        walk(hall, 10.0 - metres, 6.0 - 0.5 * metres)
        hall.world.time += 0.3
        mind.begin()
        found = slots(mind, radius=3.0)
        assert len(found) >= 3
        assert (found.xyz[:, :2] >= 0.29).all(), "a body of 0.3 m stands free of the walls"


def test_a_slot_somebody_has_is_found_again_where_a_wall_comes_in_its_way() -> None:
    hall, mind = crew_of(GUARDS)
    mind.seeking = "round"
    found = slots(mind, radius=3.0)
    west = int(found.number[found.xyz[:, 0].argmin()])
    walk(hall, 2.8, 6.0)
    mind.begin()
    mind.crew.given[0] = Direction(0, "round", 0.0, "", {}, west)
    assert west in slots(mind, radius=3.0).number.tolist(), "turned aside, under its number"


def test_who_has_a_place_to_shoot_from_keeps_it_while_the_target_moves() -> None:
    hall, mind = crew_of(GUARDS)
    mind.seeking = "ranged"
    found = firing(mind, near=5.0, far=9.0)
    row = int(np.abs(np.linalg.norm(found.xyz - (10.0, 6.0, 0.0), axis=1) - 7.0).argmin())
    mind.crew.given[0] = Direction(0, "ranged", 0.0, "", {}, int(found.number[row]))
    for metres in (0.4, 0.8, 1.2):
        walk(hall, 10.0 + metres, 6.0)
        hall.world.time += 2.5
        mind.begin()
        again = firing(mind, near=5.0, far=9.0)
        (same,) = np.flatnonzero(again.number == found.number[row])
        assert np.array_equal(again.xyz[same], found.xyz[row])
        assert len(set(again.number.tolist())) == len(again)
    walk(hall, *found.xyz[row, :2])
    mind.begin()
    away = np.linalg.norm(firing(mind, near=5.0, far=9.0).xyz - found.xyz[row], axis=1)
    assert (away >= 4.0).all(), "one that the target stands on is given up"


def test_a_colleague_who_passes_a_line_makes_nobody_leave_its_place_before_a_second_is_over() -> None:
    hall, mind = crew_of([(2, 6), (6, 6.3)])
    asked = Asked("ranged", Places.of([(2.0, 6.0, 0.0), (10.0, 1.0, 0.0)]))
    assert clear_line(mind, (0,), asked).tolist() == [[0.0, 1.0]]
    mind.crew.given[0] = Direction(0, "ranged", 0.0, "", {}, 0)
    assert clear_line(mind, (0,), asked)[0, 0] > 0.9
    hall.world.time += 1.1
    assert clear_line(mind, (0,), asked)[0, 0] == 0.0
    hall.world.bodies.xyz[1] = (6.0, 9.0, 0.0)
    mind.begin()
    assert clear_line(mind, (0,), asked)[0, 0] == 1.0
    hall.world.bodies.xyz[1] = (6.0, 6.0, 0.0)
    mind.begin()
    assert clear_line(mind, (0,), asked)[0, 0] > 0.9, "the second begins anew"


def test_a_change_of_place_is_an_event_and_a_place_that_is_kept_is_none() -> None:
    hall = Hall(ROUND, [(4.0, 6.0), (5.0, 7.0)])
    hall.ask([0, 1])
    hall.update()
    assert told(hall, hall.update(), "place") == []
    hall.world.bodies.xyz[0] = (17.0, 6.0, 0.0)
    moved = hall.update()
    (text,) = told(hall, moved, "place")
    assert text.startswith("g0 changes its place: round: slot ")
    (event,) = [one for one in moved if one.kind == "place"]
    given = hall.world.teamwork.directions[0]
    assert given is not None
    assert event.slot == given.slot != event.before
    assert event.at == given.values["stand"]
    assert told(hall, moved, "role") == []


def test_turns_are_made_once_for_each_crew() -> None:
    hall, mind = crew_of(GUARDS)
    first = turns_of(mind)
    hall.world.time += 1.0
    assert turns_of(mind) is first


def test_who_is_one_too_many_stays_out_until_there_is_room() -> None:
    names = [f"g{number}" for number in range(12)]
    agents = "".join(
        f"  - {{name: {name}, at: [{4 + at % 4}, {8 + at // 4}], patrol: ''}}\n" for at, name in enumerate(names)
    )
    world = make_world(parse_scenario(f"{BRAWL}{agents}  - {{name: Vera, brain: puppet, at: [10, 9], health: 3000}}\n"))
    assert world.teamwork.crews is not None
    assert world.combat is not None
    left, attacks = set(), 0
    while world.time < 3.0:
        step(world)
        members = {member for crew in world.teamwork.crews.standing.values() for member in crew.members}
        if len(members) == 10:
            attackers = {agent for agent in world.combat.blows if agent < 12}
            attacks += len(attackers & members)
            assert attackers <= members
            left |= {
                at
                for at, given in enumerate(world.teamwork.directions)
                if given is not None and given.role == "reserve"
            }
    assert attacks > 0
    assert len(left) >= 2
    (crew,) = world.teamwork.crews.standing.values()
    held = [at for at, given in enumerate(world.teamwork.directions) if given is not None and given.role == "reserve"]
    assert held, "two of twelve are left over"
    assert not set(held) & set(crew.members)
    assert all(
        math.isclose(math.dist(world.teamwork.directions[at].values["stand"], world.bodies.xyz[at]), 0.0, abs_tol=3.0)
        for at in held
    )
    for at in held:
        world.teamwork.requests.withdraw(at)
    world.teamwork.crews.update(world)
    assert [world.teamwork.directions[at] for at in held] == [None] * len(held)
