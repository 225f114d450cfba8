"""Halls with a wall, a low cover or a door, and guards that look across them."""

from __future__ import annotations

import math

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.vision.sightings import Sightings, VisionMemory
from lastseen.kernels.arrays.agent_arrays import BodyArrays
from lastseen.kernels.arrays.level_arrays import SightArrays
from lastseen.level.features import Door, Obstacle
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.sight.sight import Sight


def block(x0: float, y0: float, x1: float, y1: float, height: float = 3.0, name: str = "") -> Obstacle:
    return Obstacle(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), height=height, name=name)


def door(x0: float, y0: float, x1: float, y1: float, name: str = "door") -> Door:
    return Door(np.array([(x0, y0), (x1, y0), (x1, y1), (x0, y1)]), name=name)


def hall(*, obstacles=(), cover=(), doors=(), width: int = 60, depth: int = 40) -> Level:
    """An open floor from (0, 0) with what is given on it."""
    floor = Tiles((TileFloor(np.ones((depth, width), bool)),))
    return Level(floor, obstacles=tuple(obstacles), cover=tuple(cover), doors=tuple(doors))


def sight_of(level: Level) -> SightArrays:
    return Sight.from_level(level).arrays


OPEN = sight_of(hall())
GUARD = (10.0, 20.0)


def pair(metres: float, degrees: float = 0.0, *, guard=GUARD, **target) -> BodyArrays:
    """A guard that faces +x, and a target so far away in that direction (counter-clockwise from straight ahead)."""
    angle = math.radians(degrees)
    place = (guard[0] + metres * math.cos(angle), guard[1] + metres * math.sin(angle))
    columns = {name: [usual, target[name]] for name, usual in USUAL.items() if name in target}
    return bodies([guard, place], 0.0, team=[0, 1], **columns)


USUAL = {"stance": 0, "light": 1.0, "camouflage": 0.0, "velocity_xy": (0.0, 0.0)}


def look(model, table: BodyArrays, sight: SightArrays = OPEN, memory=None, seconds=0.1, **options) -> Sightings:
    """Body 0 looks at all others."""
    others = np.arange(1, len(table.xyz))
    memory = VisionMemory(1, len(others)) if memory is None else memory
    return model.look(table, sight, [0], others, memory, seconds, **options)


def look_for(model, table: BodyArrays, seconds: float, sight: SightArrays = OPEN, memory=None, **options) -> Sightings:
    """Look for so many seconds in steps of a tenth, with a memory of its own or the one given."""
    memory = VisionMemory(1, len(table.xyz) - 1) if memory is None else memory
    for _ in range(round(seconds * 10)):
        found = look(model, table, sight, memory, **options)
    return found
