"""Conditions of shipped brains about what an agent sees and knows, in a world of a few numbers."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lastseen.agents.brains.leaves.combat import Dodge
from lastseen.agents.brains.leaves.conditions import knows_intruder, sees_intruder
from specimens.cells import passable, tile_mesh

HALL = tile_mesh(passable("\n".join(["." * 20] * 20)))


def mind(*, seen: int = -1, known: int = -1, heard_at: float = 0.0, now: float = 0.0) -> Any:
    """Return the mind of the second of two watchers, in a world with two targets."""
    world = SimpleNamespace(
        knowledge=SimpleNamespace(arrays=SimpleNamespace(time=np.array([[99.0, 99.0], [heard_at, heard_at]]))),
        target_name=lambda column: ("Ann", "Bob")[column],
    )
    attention = SimpleNamespace(seen=[-1, seen], known=[-1, known])
    return SimpleNamespace(
        world=world, attention=attention, row=1, time=now, blackboard={"target": -1}, require_watcher=lambda: 1
    )


@pytest.mark.parametrize("column", [0, 1])
def test_any_target_is_one_to_see_and_to_know_of(column: int) -> None:
    name = ("Ann", "Bob")[column]
    for condition, one in ((sees_intruder, mind(seen=column)), (knows_intruder, mind(known=column))):
        answer, reason = condition(one)
        assert answer
        assert name in reason
        assert one.blackboard["target"] == column


def test_where_there_is_no_target_the_last_one_stays() -> None:
    for condition in (sees_intruder, knows_intruder):
        one = mind()
        assert not condition(one)[0]
        assert one.blackboard["target"] == -1


def test_what_is_known_grows_old() -> None:
    assert knows_intruder(mind(known=1, heard_at=5.0, now=65.0))[0]
    assert not knows_intruder(mind(known=1, heard_at=5.0, now=65.1))[0]
    assert not knows_intruder(mind(known=1, heard_at=5.0, now=8.1), within=3.0)[0]


@pytest.mark.parametrize(("guard", "expected"), [((14.0, 10.0), (4.0, 10.0)), ((10.0, 4.0), (10.0, 16.0))])
def test_one_who_dodges_goes_to_the_far_side_of_its_area(guard: Any, expected: Any) -> None:
    cast = SimpleNamespace(home=np.array([[10.0, 10.0, 0.0]]))
    world = SimpleNamespace(cast=cast, crowd=SimpleNamespace(mesh=HALL))
    one = SimpleNamespace(world=world, number=0, xyz=(10.0, 10.0, 0.0))
    place = Dodge(area=6.0)._choose(one, np.array([[*guard, 0.0]]))  # type: ignore[arg-type]
    assert place[:2] == pytest.approx(expected)
