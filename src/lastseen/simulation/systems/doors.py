"""Doors: who opens them, what that changes, and who shuts them again."""

from __future__ import annotations

import math

import numpy as np

from ...agents.bodies.orders import Act
from ...agents.brains.surroundings import TEAMS
from ...agents.senses.hearing.sounds import sound
from ...kernels.bodies.neighbours import find_near_doors
from ...vocabulary.events import DoorMoved
from ..world.world import World

_DOOR_WIDTH = 1.5
"""Metres from its middle within which one stands in the way of a door."""

_REACH = 1.0
"""Metres from a door's middle at which one who walks opens it."""
_SHUT_AFTER = 1.5
"""Seconds after which a guard's door falls shut once nobody is near."""


def set_door(world: World, number: int, *, shut: bool, by: int) -> None:
    """Open or shut a door: sight and sound change at once, and it can be heard."""
    if bool(world.doors.shut[number]) == shut:
        return
    world.doors.shut[number] = shut
    world.sight.set_door(number, shut)
    world.doors.air.set_door(number, shut)
    x, y = world.level.doors[number].outline_xy.mean(axis=0).tolist()
    place = (x, y, float(world.level.doors[number].z))
    world.senses.sounds.append(sound("door", place, created=world.time, made_by=by))
    name = world.level.doors[number].name
    world.happened(DoorMoved(world.tick, by, at=place, door=number, name=name, shut=shut))
    if by >= 0 and world.bodies.team[by] != TEAMS.index("guards"):
        world.attention.changed.change(number, int(shut), world.time)


def use_door(world: World, agent: int, order: Act) -> None:
    """Open or shut a door as ordered; one in which its user stands falls shut once nobody does."""
    doors, number, shut = world.doors, order.number, order.kind == "close door"
    if world.level.doors[number].locked:
        return
    if shut and math.dist(world.bodies.xyz[agent].tolist(), doors.middles[number].tolist()) < _DOOR_WIDTH:
        doors.opened_by[number] = agent
        return
    set_door(world, number, shut=shut, by=agent)
    doors.opened_by.pop(number, None)


def pass_doors(world: World) -> None:
    """Open shut doors before those who walk up to them; let doors guards opened fall shut behind them."""
    if not len(world.doors.shut):
        return
    walker, nearest = np.empty(len(world.doors.shut), np.int32), np.empty(len(world.doors.shut))
    find_near_doors(world.bodies, world.orders.arrays.going, world.doors.middles, _REACH, walker, nearest)
    for number in np.flatnonzero(world.doors.shut & (walker >= 0)).tolist():
        if not world.level.doors[number].locked:
            by = int(walker[number])
            set_door(world, number, shut=False, by=by)
            if world.bodies.team[by] == TEAMS.index("guards"):  # who sneaks in leaves it as it is
                world.doors.opened_by[number] = by
    for number in list(world.doors.opened_by):
        if nearest[number] <= _REACH + 0.5:
            world.doors.free_since.pop(number, None)
        elif world.time - world.doors.free_since.setdefault(number, world.time) >= _SHUT_AFTER:
            set_door(world, number, shut=True, by=world.doors.opened_by.pop(number))
            del world.doors.free_since[number]
