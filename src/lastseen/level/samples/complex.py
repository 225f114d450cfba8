"""The large complex: about 20,000 square metres of rooms and corridors, different for every seed."""

from __future__ import annotations

import math
from dataclasses import replace

import numpy as np

from ...conventions import Bools
from ...rng import generator
from ..features import Patrol, PatrolStop
from ..level import Level, TileFloor, Tiles
from ..readers.parts import Meaning, Parts
from ..readers.tile_features import TileGrid, place
from .complex_plan import Plan, Room, make_plan

GUARDS = 8
_GUARD = Meaning("guard", speed=1.4, turn_speed=math.radians(120.0), view_angle=math.radians(70.0), view_distance=15.0)
_DOORS = (Meaning("door"), Meaning("door", open=True), Meaning("floor"))


def complex_level(seed: int) -> Level:
    """Return the complex of `seed`: 19,000 to 21,000 passable 1 m tiles, all connected (counting doors as open)."""
    plan = make_plan(generator(seed, "complex plan"))
    draw = generator(seed, "complex furniture")
    grid = TileGrid(plan.passable(), 1.0, 0.0)
    parts = Parts()
    for opening in plan.openings:
        if not opening.wide:
            meaning = _DOORS[int(draw.choice(3, p=(0.4, 0.3, 0.3)))]
            place(parts, meaning, _mask(grid, *opening.tiles), grid)
    for room in plan.rooms:
        if not room.corridor:
            _furnish(room, grid, parts, draw)
    _people(plan, grid, parts, generator(seed, "complex people"))
    surface = Tiles((TileFloor(grid.passable, name="ground"),))
    return parts.level(surface, f"Complex {seed}", "complex")


def _mask(grid: TileGrid, *tiles: tuple[int, int]) -> Bools:
    mask = np.zeros(grid.passable.shape, np.bool_)
    for column, row in tiles:
        mask[row, column] = True
    return mask


def _furnish(room: Room, grid: TileGrid, parts: Parts, draw: np.random.Generator) -> None:
    """Put crates or pillars inside a room, and a wardrobe in a corner.

    Each piece keeps a ring of free floor around it, so that no furniture can cut a room in two.
    """
    for left in range(room.left + 2, room.right - 3, 4):
        for low in range(room.low + 2, room.high - 3, 4):
            if draw.random() < 0.45:
                continue
            width, depth = int(draw.integers(1, 3)), int(draw.integers(1, 3))
            mask = np.zeros(grid.passable.shape, np.bool_)
            mask[low : low + depth, left : left + width] = True
            if draw.random() < 0.7:
                place(parts, Meaning("cover", height=float(draw.choice([0.9, 1.2]))), mask, grid)
            grid.passable &= ~mask
    if draw.random() < 0.3:
        column = room.left if draw.random() < 0.5 else room.right - 1
        row = room.low if draw.random() < 0.5 else room.high - 1
        place(parts, Meaning("hide", name="wardrobe"), _mask(grid, (column, row)), grid)


def _people(plan: Plan, grid: TileGrid, parts: Parts, draw: np.random.Generator) -> None:
    """Place the player and the exit far apart, and guards on patrols through neighbouring rooms."""
    first = 0
    last = _furthest(plan, first)
    place(parts, Meaning("player"), _mask(grid, _free_tile(plan.rooms[first], grid)), grid)
    place(parts, Meaning("exit"), _mask(grid, _free_tile(plan.rooms[last], grid)), grid)
    far = [room for room in range(len(plan.rooms)) if room not in (first, last)]
    posts = draw.choice(far, size=GUARDS, replace=False).tolist()
    for number, post in enumerate(posts, 1):
        round_name = f"round {number}"
        rooms = _walk(plan, int(post), draw)
        stops: list[PatrolStop] = []
        for room in [*rooms, *rooms[-2:0:-1]]:
            xyz = grid.centre(*_free_tile(plan.rooms[room], grid))
            stops.append(PatrolStop(xyz))
            if not plan.rooms[room].corridor:
                stops.append(PatrolStop(xyz, "wait", seconds=float(draw.integers(1, 5))))
        parts.patrols.append(Patrol(tuple(stops), round_name))
        guard = replace(_GUARD, patrol=round_name)
        parts.spawns.append(guard.spawn(stops[0].xyz, parts.names.take("", "guard")))


def _free_tile(room: Room, grid: TileGrid) -> tuple[int, int]:
    """Return the free tile `(column, row)` of a room nearest its centre, ties by row then column."""
    rows, columns = np.nonzero(grid.passable[room.low : room.high, room.left : room.right])
    middle_row, middle_column = (room.high - room.low - 1) / 2, (room.right - room.left - 1) / 2
    best = int(np.argmin((rows - middle_row) ** 2 + (columns - middle_column) ** 2))
    return room.left + int(columns[best]), room.low + int(rows[best])


def _walk(plan: Plan, start: int, draw: np.random.Generator) -> list[int]:
    """Return up to 6 rooms in sequence through openings, without visiting any of them twice."""
    rooms = [start]
    for _ in range(int(draw.integers(2, 6))):
        ways = plan.neighbours(rooms[-1])
        fresh = [room for room in ways if room not in rooms]
        if not fresh:
            break
        rooms.append(int(draw.choice(fresh)))
    return rooms


def _furthest(plan: Plan, start: int) -> int:
    """Return the room most openings away from `start`, the lowest number on ties."""
    steps = {start: 0}
    queue = [start]
    for room in queue:
        for other in plan.neighbours(room):
            if other not in steps:
                steps[other] = steps[room] + 1
                queue.append(other)
    return max(steps, key=lambda room: (steps[room], -room))
