"""Doors: who opens them, what that changes, and who shuts them again."""

from __future__ import annotations

import numpy as np

from ..agents.brains.surroundings import TEAMS
from ..agents.perception.sounds import sound
from ..kernels.body_arrays import ACTIVE
from .world import World

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
    if shut:
        world.air.close_door(world.level, number)
    else:
        world.air.open_door(world.level, number)
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
    middles = world.door_middles
    active = np.flatnonzero(world.bodies.mode == ACTIVE)
    away = np.linalg.norm(world.bodies.xyz[active][:, None] - middles[None], axis=2)
    walking = world.orders.arrays.going[active] == 1
    for place, number in np.argwhere((away <= _REACH) & walking[:, None] & world.door_shut[None]).tolist():
        if not world.level.doors[number].locked and world.door_shut[number]:
            set_door(world, number, shut=False, by=int(active[place]))
            world.door_opened_by[number] = int(active[place])
    for number, by in list(world.door_opened_by.items()):
        if world.bodies.team[by] != TEAMS.index("guards"):
            del world.door_opened_by[number]  # who sneaks in leaves it as it is
        elif away[:, number].min(initial=np.inf) <= _REACH + 0.5:
            world.door_free_since.pop(number, None)
        elif world.time - world.door_free_since.setdefault(number, world.time) >= _SHUT_AFTER:
            set_door(world, number, shut=True, by=by)
            del world.door_opened_by[number], world.door_free_since[number]
