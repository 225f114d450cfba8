"""The large complex: about 20,000 square metres of rooms and corridors, different for every seed."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace

import numpy as np

from ...conventions import Bools
from ...rng import generator
from ..features import Patrol, PatrolStop
from ..level import Level, TileFloor, Tiles
from ..readers.parts import Meaning, Parts
from ..readers.tile_features import TileGrid, place

WIDTH, HEIGHT = 186, 146
CORRIDOR = 3
BLOCK = 34
ROOM_LEAST, ROOM_MOST = 6, 14
AREA = 20_150
"""Target area in square metres before furniture, which takes about 200 away."""

GUARDS = 8
_GUARD = Meaning("guard", speed=1.4, turn_speed=math.radians(120.0), view_angle=math.radians(70.0), view_distance=15.0)
_DOORS = (Meaning("door"), Meaning("door", open=True), Meaning("floor"))


def complex_level(seed: int) -> Level:
    """Return the complex of `seed`: 19,000 to 21,000 passable 1 m tiles, all connected (counting doors as open)."""
    plan = _make_plan(generator(seed, "complex plan"))
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
        fresh = [room for room in plan.neighbours(rooms[-1]) if room not in rooms]
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


@dataclass(frozen=True)
class Room:
    """A rectangle of floor: columns `left … right - 1`, rows `low … high - 1`, with walls around it."""

    left: int
    low: int
    right: int
    high: int
    corridor: bool = False

    @property
    def area(self) -> int:
        """Number of tiles."""
        return (self.right - self.left) * (self.high - self.low)


@dataclass(frozen=True)
class Opening:
    """The open tiles `(column, row)` in the wall between rooms `one` and `other`."""

    one: int
    other: int
    tiles: tuple[tuple[int, int], ...]

    @property
    def wide(self) -> bool:
        """Whether the opening is too wide for a door."""
        return len(self.tiles) > 1


@dataclass(frozen=True)
class Plan:
    """Rooms and the openings between them."""

    rooms: tuple[Room, ...]
    openings: tuple[Opening, ...]

    def passable(self) -> Bools:
        """Return the floor as `[row, column]`."""
        floor = np.zeros((HEIGHT, WIDTH), np.bool_)
        for room in self.rooms:
            floor[room.low : room.high, room.left : room.right] = True
        for opening in self.openings:
            for column, row in opening.tiles:
                floor[row, column] = True
        return floor

    def neighbours(self, room: int) -> list[int]:
        """Return the rooms one opening away, in ascending order."""
        pairs = [(o.one, o.other) for o in self.openings if room in (o.one, o.other)]
        return sorted({other if one == room else one for one, other in pairs})


def _make_plan(draw: np.random.Generator) -> Plan:
    """Return a plan whose rooms are all connected and cover about `AREA` tiles."""
    rooms = _split(Room(1, 1, WIDTH - 1, HEIGHT - 1), draw)
    walls = _shared_walls(rooms)
    rooms, walls = _fill_up(rooms, walls, draw)
    return Plan(tuple(rooms), tuple(_open(rooms, walls, draw)))


def _split(block: Room, draw: np.random.Generator) -> list[Room]:
    """Cut a block in two with a corridor while it is large, then with walls while it is larger than a room."""
    width, height = block.right - block.left, block.high - block.low
    along_x = width >= height
    length = max(width, height)
    if length > BLOCK:
        cut = int(draw.integers(length * 2 // 5, length * 3 // 5)) - CORRIDOR // 2
        first, rest = _cut(block, along_x, cut, cut + CORRIDOR + 2)
        between = _cut(_cut(block, along_x, cut, cut + 1)[1], along_x, CORRIDOR, CORRIDOR)[0]
        corridor = Room(between.left, between.low, between.right, between.high, corridor=True)
        return [corridor, *_split(first, draw), *_split(rest, draw)]
    limit = int(draw.integers(ROOM_LEAST * 2 + 1, ROOM_MOST + 2))
    if length < limit:
        return [block]
    cut = int(draw.integers(ROOM_LEAST, length - ROOM_LEAST))
    first, rest = _cut(block, along_x, cut, cut + 1)
    return [*_split(first, draw), *_split(rest, draw)]


def _cut(block: Room, along_x: bool, end: int, start: int) -> tuple[Room, Room]:
    """Return the part before `end` and the part starting at `start`, counted from the low side."""
    if along_x:
        return (
            Room(block.left, block.low, block.left + end, block.high),
            Room(block.left + start, block.low, block.right, block.high),
        )
    return (
        Room(block.left, block.low, block.right, block.low + end),
        Room(block.left, block.low + start, block.right, block.high),
    )


Wall = tuple[int, int, tuple[tuple[int, int], ...]]


def _shared_walls(rooms: list[Room]) -> list[Wall]:
    """Return, for rooms one wall apart, the wall tiles with a room on both sides (at least 3)."""
    walls = []
    for one, a in enumerate(rooms):
        for other, b in enumerate(rooms):
            rows = range(max(a.low, b.low), min(a.high, b.high))
            columns = range(max(a.left, b.left), min(a.right, b.right))
            if a.right + 1 == b.left and len(rows) >= 3:
                walls.append((one, other, tuple((a.right, row) for row in rows)))
            elif a.high + 1 == b.low and len(columns) >= 3:
                walls.append((one, other, tuple((column, a.high) for column in columns)))
    return walls


def _fill_up(rooms: list[Room], walls: list[Wall], draw: np.random.Generator) -> tuple[list[Room], list[Wall]]:
    """Drop rooms at random until the area fits, keeping the rest connected."""
    keep = set(range(len(rooms)))
    area = sum(room.area for room in rooms)
    for index in draw.permutation(len(rooms)).tolist():
        room = rooms[index]
        if area - room.area < AREA - 40 or room.corridor:
            continue
        if _connected(keep - {index}, walls):
            keep.discard(index)
            area -= room.area
    number = {old: new for new, old in enumerate(sorted(keep))}
    kept_walls = [(number[a], number[b], tiles) for a, b, tiles in walls if a in keep and b in keep]
    return [rooms[old] for old in sorted(keep)], kept_walls


def _connected(rooms: set[int], walls: list[Wall]) -> bool:
    near: dict[int, list[int]] = {room: [] for room in rooms}
    for one, other, _ in walls:
        if one in near and other in near:
            near[one].append(other)
            near[other].append(one)
    start = min(rooms)
    seen = {start}
    queue = [start]
    for room in queue:
        fresh = [other for other in near[room] if other not in seen]
        seen.update(fresh)
        queue += fresh
    return len(seen) == len(rooms)


def _open(rooms: list[Room], walls: list[Wall], draw: np.random.Generator) -> list[Opening]:
    """Open corridors into one another, one opening into every room, and a third of all other walls to form loops."""
    openings = []
    group = list(range(len(rooms)))
    order = draw.permutation(len(walls)).tolist()
    order.sort(key=lambda index: not _both_corridors(rooms, walls[index]))
    for index in order:
        one, other, tiles = walls[index]
        wide = _both_corridors(rooms, walls[index])
        joins = _root(group, one) != _root(group, other)
        if not (wide or joins or draw.random() < 0.3):
            continue
        group[_root(group, one)] = _root(group, other)
        middle = int(draw.integers(1, len(tiles) - 1))
        openings.append(Opening(one, other, tiles[middle - 1 : middle + 2] if wide else (tiles[middle],)))
    return openings


def _both_corridors(rooms: list[Room], wall: Wall) -> bool:
    return rooms[wall[0]].corridor and rooms[wall[1]].corridor


def _root(group: list[int], room: int) -> int:
    while group[room] != room:
        room = group[room]
    return room
