"""Reasons in words: why one leaves a crew, and what a direction does not say."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import pytest

from lastseen.agents.brains.leaves.teamwork import has_direction
from lastseen.agents.directions import Direction
from specimens.crews import Hall, told

TREE = "root: {role: {name: press, least: 0, directions: {stand: target}}}"


@pytest.mark.parametrize(
    ("objective", "why"), [("hunt", "no longer requests it"), ("fight", "requests something else")]
)
def test_what_no_crew_serves_is_nothing_else_to_do(objective: str, why: str) -> None:
    hall = Hall(TREE, [(8.0, 8.0), (8.0, 10.0), (6.0, 9.0)])
    hall.ask([0, 1, 2])
    hall.update()
    hall.world.teamwork.requests.withdraw(0)
    hall.world.teamwork.requests.post(0, objective, -1, priority=2.0, seconds=60.0, now=hall.world.time)
    assert told(hall, hall.update(), "crew") == [f"g0 leaves crew 0 (fight): {why}"]


@pytest.mark.parametrize(
    ("asked", "answer"),
    [
        ({"key": "stand"}, (False, "is search, no value for stand")),
        ({"key": "attack"}, (False, "is search, told not to attack")),
        ({"role": "press"}, (False, "is search")),
        ({"role": "search", "key": "watch"}, (True, "search: 2 m away")),
    ],
)
def test_a_direction_says_what_it_does_not_hold(asked: dict[str, str], answer: tuple[bool, str]) -> None:
    given = Direction(0, "search", 0.0, "search: 2 m away", {"watch": (1.0, 2.0, 0.0), "attack": False})
    mind: Any = SimpleNamespace(direction=given)
    assert has_direction(mind, **asked) == answer
