"""Slow, obvious versions of the navmesh queries, on tile maps and with exact fractions."""

from __future__ import annotations

import heapq
import itertools
import math
from fractions import Fraction

import numpy as np

from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh

Tile = tuple[int, int]

POINT = Body(radius=0.0)
"""A body without width: walks on whole tiles."""


def tile_mesh(passable: np.ndarray, body: Body = POINT, *, merge: bool = True) -> NavMesh:
    """Return a mesh of a tile map: one face per run of passable tiles in a row (or per tile)."""
    boxes = []
    for row, tiles in enumerate(passable):
        columns = np.flatnonzero(tiles)
        runs = np.split(columns, np.flatnonzero(np.diff(columns) > (1 if merge else 0)) + 1)
        boxes += [(run[0], row, run[-1] + 1, row + 1) for run in runs if len(run)]
    return box_mesh(boxes, body)


def box_mesh(boxes: list[tuple[float, ...]], body: Body = POINT) -> NavMesh:
    """Return a mesh of axis-parallel rectangles `(left, low, right, high[, z])`."""
    corners = []
    for left, low, right, high, *z in boxes:
        height = z[0] if z else 0.0
        corners += [(left, low, height), (right, low, height), (right, high, height), (left, high, height)]
    return assemble(corners, np.arange(len(boxes) + 1) * 4, np.arange(len(corners)), body=body)


def tiles_touching(passable: np.ndarray, x: Fraction, y: Fraction) -> set[Tile]:
    """Return the passable tiles whose closed square holds a point."""
    columns = {math.floor(x), math.ceil(x) - 1}
    rows = {math.floor(y), math.ceil(y) - 1}
    height, width = passable.shape
    return {(c, r) for c in columns for r in rows if 0 <= c < width and 0 <= r < height and passable[r, c]}


def linked_about(passable: np.ndarray, tiles: set[Tile], x: Fraction, y: Fraction) -> set[Tile]:
    """Return all tiles at a point that hang together with `tiles` through sides that touch the point."""
    around = tiles_touching(passable, x, y)
    reached = tiles & around
    while True:
        more = {t for t in around - reached for s in reached if abs(t[0] - s[0]) + abs(t[1] - s[1]) == 1}
        if not more:
            return reached
        reached |= more


def is_wall_corner(passable: np.ndarray, x: Fraction, y: Fraction, dx: Fraction, dy: Fraction) -> bool:
    """Return whether a strict line along `d` stops at `(x, y)`: a wall touches it other than as a straight border."""
    if x.denominator != 1 or y.denominator != 1:
        return False
    height, width = passable.shape

    def free(c: int, r: int) -> bool:
        return 0 <= c < width and 0 <= r < height and bool(passable[r, c])

    c, r = int(x), int(y)
    sides = [free(c - 1, r - 1), free(c, r - 1), free(c, r), free(c - 1, r)]
    if all(sides):
        return False
    along_x, along_y = dy == 0, dx == 0
    below, above, left, right = sides[0:2], sides[2:4], [sides[0], sides[3]], sides[1:3]
    for along, one, other in ((along_x, below, above), (along_y, left, right)):
        if along and ((all(one) and not any(other)) or (all(other) and not any(one))):
            return False
    return True


def walk_line(
    passable: np.ndarray, start: tuple[Fraction, Fraction], end: tuple[Fraction, Fraction], *, strict: bool = False
) -> Fraction | None:
    """Return the fraction of a line that can be walked on a tile map, exactly; None where the start is off it.

    Tiles are closed. From tile to tile one passes through sides; at a corner through the sides that meet there.
    """
    (x0, y0), (x1, y1) = start, end
    dx, dy = x1 - x0, y1 - y0
    current = linked_about(passable, tiles_touching(passable, x0, y0), x0, y0)
    if not current:
        return None
    stops = {Fraction(0), Fraction(1)}
    for origin, step in ((x0, dx), (y0, dy)):
        if step:
            low, high = sorted((origin, origin + step))
            stops |= {(k - origin) / step for k in range(math.ceil(low), math.floor(high) + 1)}
    for here, there in itertools.pairwise(sorted(stops)):
        x, y = x0 + here * dx, y0 + here * dy
        if strict and here > 0 and is_wall_corner(passable, x, y, dx, dy):
            return here
        middle = (here + there) / 2
        ahead = tiles_touching(passable, x0 + middle * dx, y0 + middle * dy)
        current = linked_about(passable, current, x, y) & ahead
        if not current:
            return here
    return Fraction(1)


def corners_of(passable: np.ndarray) -> list[tuple[int, int]]:
    """Return the lattice points at which a shortest way may bend: exactly one of the four tiles is blocked."""
    padded = np.pad(passable, 1)
    height, width = padded.shape
    blocked = sum((~padded[r : r + height - 1, c : c + width - 1]).astype(int) for r in (0, 1) for c in (0, 1))
    return [(int(x), int(y)) for y, x in np.argwhere(blocked == 1)]


def shortest(points: np.ndarray, sees: np.ndarray) -> float:
    """Return the length of the shortest way from point 0 to point 1 over pairs that see each other; inf for none."""
    best = np.full(len(points), np.inf)
    best[0] = 0.0
    waiting = [(0.0, 0)]
    while waiting:
        length, here = heapq.heappop(waiting)
        if here == 1 or length > best[here]:
            continue
        for there in np.flatnonzero(sees[here]):
            longer = length + float(np.hypot(*(points[there] - points[here])))
            if longer < best[there]:
                best[there] = longer
                heapq.heappush(waiting, (longer, int(there)))
    return float(best[1])


def shortest_on_tiles(passable: np.ndarray, start: tuple[Fraction, Fraction], goal: tuple[Fraction, Fraction]) -> float:
    """Return the length of the shortest any-angle way on a tile map, by a visibility graph; inf for none."""
    corners = [(Fraction(x), Fraction(y)) for x, y in corners_of(passable)]
    places = [start, goal, *corners]
    sees = np.zeros((len(places), len(places)), dtype=bool)
    for i, j in itertools.combinations(range(len(places)), 2):
        sees[i, j] = sees[j, i] = walk_line(passable, places[i], places[j]) == 1
    return shortest(np.array(places, dtype=float), sees)
