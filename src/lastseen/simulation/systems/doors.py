"""Doors: who opens them, what that changes, and who shuts them again."""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...kernels.bodies.neighbours import find_near_doors
from ..world.world import World

__all__ = ["pass_doors", "set_door"]

_REACH = 1.0
"""Metres from a door's middle at which one who walks opens it."""
_SHUT_AFTER = 1.5
"""Seconds after which a guard's door falls shut once nobody is near."""


def set_door(world: World, number: int, *, shut: bool, by: int) -> None:
    """Open or shut a door: sight and sound change at once, and it can be heard."""
    if bool(world.door_shut[number]) == shut:
        return
    world.door_shut[number] = shut
    world.sight.set_door(number, shut)
    world.air.set_door(number, shut)
    if world.areas is not None:
        world.hearing = world.areas.hearing(world.door_shut, world.fairness)
    x, y = world.level.doors[number].outline_xy.mean(axis=0).tolist()
    place = (x, y, float(world.level.doors[number].z))
    world.sounds.append(sound("door", place, created=world.time, made_by=by))
    name = world.level.doors[number].name or f"door {number + 1}"
    world.happened("door", by, f"{name} {'shut' if shut else 'opened'}", at=place, data={"door": number, "shut": shut})
    if by >= 0 and world.bodies.team[by] != TEAMS.index("guards"):
        world.changed.change(number, int(shut), world.time)


def pass_doors(world: World) -> None:
    """Open shut doors before those who walk up to them; let doors guards opened fall shut behind them."""
    if not len(world.door_shut):
        return
    walker, nearest = np.empty(len(world.door_shut), np.int32), np.empty(len(world.door_shut))
    find_near_doors(world.bodies, world.orders.arrays.going, world.door_middles, _REACH, walker, nearest)
    for number in np.flatnonzero(world.door_shut & (walker >= 0)).tolist():
        if not world.level.doors[number].locked:
            by = int(walker[number])
            set_door(world, number, shut=False, by=by)
            if world.bodies.team[by] == TEAMS.index("guards"):  # who sneaks in leaves it as it is
                world.door_opened_by[number] = by
    for number in list(world.door_opened_by):
        if nearest[number] <= _REACH + 0.5:
            world.door_free_since.pop(number, None)
        elif world.time - world.door_free_since.setdefault(number, world.time) >= _SHUT_AFTER:
            set_door(world, number, shut=True, by=world.door_opened_by.pop(number))
            del world.door_free_since[number]
