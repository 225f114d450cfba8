"""The objects of a world: slots, users, keys, and what counts as changed. Worked by hand."""

from __future__ import annotations

from typing import Any

import pytest

from lastseen.agents.brains.objects import IN_LOCKER, Objects, SmartObject
from lastseen.vocabulary.words import ObjectKind

BENCH = SmartObject(
    "bench", ObjectKind.WORKBENCH, (4.0, 1.0, 0.5), ((3.0, 1.0, 0.5), (4.0, 3.0, 0.5), (6.0, 1.0, 0.5)), "work", 8.0
)
CHEST = SmartObject(
    "chest", ObjectKind.LOCKER, (9.0, 2.0, 0.0), ((8.0, 2.0, 0.0),), "rummage", 2.0, users=("crew",), key="pin"
)
PIN = SmartObject("pin", ObjectKind.ITEM, (2.0, 7.0, 0.0), ((2.0, 6.0, 0.0),), "take", 0.8, opens=(2, 5))
LAMP = SmartObject("lamp", ObjectKind.SWITCH, (5.0, 5.0, 0.0), ((5.0, 4.0, 0.0),), "switch", 0.5)
WALL = SmartObject("wall", ObjectKind.BARRIER, (7.0, 7.0, 0.0), ((7.0, 6.0, 0.0),), "rewire", 3.0, team="crew")
BELL = SmartObject("bell", ObjectKind.ALARM, (1.0, 9.0, 0.0), ((1.0, 8.0, 0.0),), "ring", 1.5)


def objects(*things: SmartObject) -> Objects:
    return Objects(
        things=things,
        places=[thing.xyz for thing in things],
        carrier=[-1] * len(things),
        is_on=[True] * len(things),
        owner=[thing.team for thing in things],
        rung=[-99.0] * len(things),
    )


def test_an_agent_gets_the_free_slot_nearest_to_it_and_keeps_it() -> None:
    found = objects(CHEST, BENCH)
    near_last, near_second = (6.5, 1.5, 0.5), (4.0, 3.5, 0.5)
    assert found.claim(1, 7, near_last) == 2
    assert found.claim(1, 7, near_second) == 2, "it has one already"
    assert found.claim(1, 8, near_last) == 1, "6 m is taken, and (4, 3) is nearer than (3, 1)"
    assert found.claim(1, 9, near_last) == 0
    assert found.claim(1, 5, near_last) == -1
    assert found.claims == {7: (1, 2), 8: (1, 1), 9: (1, 0)}
    found.release(8)
    found.release(8)
    assert found.claim(1, 5, near_last) == 1
    assert found.claim(0, 7, near_last) == 0, "it goes to another object"
    assert found.claim(1, 8, near_last) == 2


def test_a_moved_item_has_one_slot_where_it_lies() -> None:
    found = objects(CHEST, PIN)
    assert found.slots(1) == ((2.0, 6.0, 0.0),)
    found.lay(1, (5.0, 2.0, 0.0))
    assert found.slots(1) == ((5.0, 2.0, 0.0),)
    assert found.slots(0) == ((8.0, 2.0, 0.0),)
    found.claims[3] = (1, 4)  # a slot that the item no longer has
    assert found.claim(1, 3, (0.0, 0.0, 0.0)) == 0


@pytest.mark.parametrize(
    ("team", "chest_carrier", "pin_carrier", "why"),
    [
        ("crew", -1, 4, ""),
        ("crew", 4, 4, ""),
        ("crew", 6, 4, "chest is gone"),
        ("crew", IN_LOCKER, 4, "chest is gone"),
        ("visitors", -1, 4, "chest is not for visitors"),
        ("crew", -1, -1, "has no pin"),
        ("crew", -1, 3, "has no pin"),
    ],
)
def test_what_keeps_an_agent_from_an_object(team: str, chest_carrier: int, pin_carrier: int, why: str) -> None:
    found = objects(CHEST, PIN)
    found.carrier[:] = chest_carrier, pin_carrier
    assert found.obstacle(0, 4, team) == why
    assert found.obstacle(1, pin_carrier, team) == ""


def test_an_item_opens_doors_for_its_carrier_only_and_changes_hands() -> None:
    found = objects(CHEST, PIN)
    assert (found.number("pin"), found.number("chest"), found.number("key")) == (1, 0, -1)
    assert found.opened_by(-1) == (2, 5)
    found.carrier[1] = 3
    assert found.opened_by(3) == (2, 5)
    assert found.opened_by(4) == ()
    assert not found.hand_over("pin", 4, 5)
    assert found.hand_over("pin", 3, 5)
    assert (found.carries(5, "pin"), found.carries(3, "pin")) == (True, False)
    assert found.hand_over("pin", 3, 5), "it has it already"


def test_objects_and_their_slots_ride_with_the_floor() -> None:
    found = objects(CHEST, PIN, BENCH)
    found.ride([2], (1.0, -2.0, 0.25))
    assert found.things[:2] == (CHEST, PIN)
    assert found.things[2].xyz == (5.0, -1.0, 0.75)
    assert found.things[2].slots == ((4.0, -1.0, 0.75), (5.0, 1.0, 0.75), (7.0, -1.0, 0.75))


def _darken(found: Objects) -> None:
    found.is_on[2] = False


def _turn(found: Objects) -> None:
    found.owner[3] = "visitors"


def _ring(found: Objects) -> None:
    found.rung[4] = 30.5


def _move(found: Objects) -> None:
    found.lay(1, (2.0, 7.0, 0.1))


def _take(found: Objects) -> None:
    found.carrier[1] = 0


@pytest.mark.parametrize(
    ("change", "states"),
    [
        (lambda _: None, [0, 0, 0, 0, 0]),
        (_darken, [0, 0, 1, 0, 0]),
        (_turn, [0, 0, 0, 1, 0]),
        (_ring, [0, 0, 0, 0, 1]),
        (_move, [0, 1, 0, 0, 0]),
        (_take, [0, 2, 0, 0, 0]),
    ],
)
def test_states_tell_what_differs_from_the_beginning(change: Any, states: list[int]) -> None:
    found = objects(CHEST, PIN, LAMP, WALL, BELL)
    found.is_on[0] = False  # it is no switch
    change(found)
    assert found.states(50.0) == states
    assert found.ringing(50.0) == [4] * (change is _ring)
    assert found.ringing(50.5) == [], "an alarm rings for 20 s"
