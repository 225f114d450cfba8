"""Sensors: the combined knowledge of a crew's members."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...conventions import Floats, Ids
from ...kernels.knowledge_arrays import NOTHING
from ..brains.mind import Place
from ..brains.surroundings import Surroundings

__all__ = ["CrewKnowledge", "sense_crew"]


@dataclass(frozen=True, eq=False)
class CrewKnowledge:
    """The members' combined knowledge of their target.

    Attributes
    ----------
    column : of the target among those watched, -1 if it is not watched.
    place : where any member last perceived it, else the place of their requests, or None.
    time : seconds at which it was perceived, -inf if never.
    direction_xy, speed : its motion at that time; zeros if unknown.
    by : number of the member with that record, -1 if there is none.
    seen_by : members that see it now.
    xyz : (m, 3) metres, positions of the members in their order.
    metres : (m,) straight-line distances to that place; infinite if there is none.
    """

    column: int
    place: Place | None
    time: float
    direction_xy: tuple[float, float]
    speed: float
    by: int
    seen_by: frozenset[int]
    xyz: Floats
    metres: Floats


def sense_crew(
    world: Surroundings, members: tuple[int, ...], objective: str, target: int, matter: int = -1
) -> CrewKnowledge:
    """Return the members' combined knowledge; if none perceived the target, use the place of their requests."""
    who = np.array(members, np.int64)
    feet = world.bodies.xyz.take(who, axis=0)
    column = -1 if target < 0 else _column(world.targets, target)
    every = world.watcher_row.take(who).tolist()
    rows = [(row, member) for row, member in zip(every, members) if row >= 0]
    place, time, by = None, -np.inf, -1
    direction, speed = (0.0, 0.0), 0.0
    seen: frozenset[int] = frozenset()
    if column >= 0 and rows:
        know = world.knowledge.arrays
        seen = frozenset(member for row, member in rows if world.seen[row] == column)
        _, _, newest = max([(know.time.item(row, column), -member, (row, member)) for row, member in rows])
        if know.source[newest[0], column] != NOTHING:
            row, by = newest
            x, y, z = know.xyz[row, column].tolist()
            place, time = (x, y, z), know.time.item(row, column)
            direction = know.direction_xy.item(row, column, 0), know.direction_xy.item(row, column, 1)
            speed = know.speed.item(row, column)
    if place is None:
        place = world.requests.place_of(objective, target, members, matter=matter)
    metres = np.full(len(members), np.inf) if place is None else _metres(feet, place)
    return CrewKnowledge(column, place, time, direction, speed, by, seen, feet, metres)


def _column(targets: Ids, target: int) -> int:
    all_of_them = targets.tolist()
    return all_of_them.index(target) if target in all_of_them else -1


def _metres(feet: Floats, place: Place) -> Floats:
    """Return distances in metres from feet (m, 3) to a place, (m,). For few members this is faster than NumPy."""
    to_x, to_y, to_z = place
    away = [(x - to_x, y - to_y, z - to_z) for x, y, z in feet.tolist()]
    return np.array([math.sqrt(x * x + y * y + z * z) for x, y, z in away])
