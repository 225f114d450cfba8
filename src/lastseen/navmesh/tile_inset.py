"""Inset tile maps: trace where a body can be that keeps its radius away from walls.

A body narrower than a tile meets one wall at a time: the outline moves inwards by the radius, a corner of the floor
stays a corner, and around the corner of a wall it follows an arc. Nothing is merged or buffered, so that the cost
follows the length of the outline.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
import shapely

from ..conventions import Array, Bools
from ..level.level import TileFloor
from .convex import MANY
from .pieces import areas_only

_STEPS = np.array([(1, 0), (0, 1), (-1, 0), (0, -1)])
"""Directions 0 … 3 are east, north, west and south; left of direction `d` is `(d + 1) % 4`."""
_SOUTH = 3


class Outlines(NamedTuple):
    """Outlines of passable tiles, walked with the floor on the left.

    Attributes
    ----------
    point : (n, 2) int64, column and row of the grid point of each corner, outline by outline.
    arrival : (n,) int64, direction in which a corner is reached.
    turns_left : (n,) bool, at a corner of the floor; else the outline turns right around the corner of a wall.
    start : (outlines + 1,) int64, the first corner of each outline: the lowest one, of these the leftmost.
    shell : (outlines,) int64, the outline around the same floor; an outline is either its own shell or a hole.
    """

    point: Array
    arrival: Array
    turns_left: Bools
    start: Array
    shell: Array


def outlines_of(passable: Bools) -> Outlines:
    """Trace the outlines of passable tiles. Tiles that meet in a corner only have outlines of their own."""
    point, arrival, turns_left = _corners(passable)
    departure = (arrival + np.where(turns_left, 1, 3)) % 4
    following = np.empty(len(point), np.int64)
    for direction in range(4):
        # Edges of one direction on one line do not overlap: the first begins before the first ends, and so on.
        line = (1, 0) if direction % 2 == 0 else (0, 1)
        leaving, arriving = (
            one[np.lexsort((point[one, 1 - line[0]], point[one, line[0]]))]
            for one in (np.flatnonzero(departure == direction), np.flatnonzero(arrival == direction))
        )
        following[leaving] = arriving
    order, start = _cycles(following)
    point, arrival, turns_left = point[order], arrival[order], turns_left[order]
    return Outlines(point, arrival, turns_left, start, _shells(passable, point, arrival, start))


def _corners(passable: Bools) -> tuple[Array, Array, Bools]:
    """Return the corners of all outlines by row and column: grid points (n, 2), arrivals, and which turn left."""
    tiles = np.pad(passable, 1)
    # Tiles to the north-east, north-west, south-west and south-east of each grid point.
    around = tiles[1:, 1:], tiles[1:, :-1], tiles[:-1, :-1], tiles[:-1, 1:]
    total = sum(tile.astype(np.int8) for tile in around)
    is_alone = (total == 1) | ((total == 2) & (around[0] == around[2]))
    is_walled = total == 3
    found = [
        (np.argwhere(where)[:, ::-1], (quadrant + turn) % 4, turn == 3)
        for quadrant, tile in enumerate(around)
        for where, turn in ((tile & is_alone, 3), (~tile & is_walled, 2))
    ]
    point = np.concatenate([point for point, _, _ in found])
    arrival = np.concatenate([np.full(len(point), arrival) for point, arrival, _ in found])
    turns_left = np.concatenate([np.full(len(point), turns_left) for point, _, turns_left in found])
    order = np.lexsort((point[:, 0], point[:, 1]))
    return point[order], arrival[order], turns_left[order]


def _cycles(following: Array) -> tuple[Array, Array]:
    """Return the elements of all cycles of a permutation, cycle by cycle from the lowest on, and where each begins."""
    onward = following.tolist()
    order, start = list[int](), [0]
    for first in range(len(onward)):
        element = first
        while onward[element] >= 0:
            order.append(element)
            onward[element], element = -1, onward[element]
        if len(order) > start[-1]:
            start.append(len(order))
    return np.array(order, np.int64), np.array(start, np.int64)


def _shells(passable: Bools, point: Array, arrival: Array, start: Array) -> Array:
    """Return the outline around the floor on the left of each outline."""
    onward = np.roll(point, -1, axis=0)
    onward[start[1:] - 1] = point[start[:-1]]
    area = np.add.reduceat(point[:, 0] * onward[:, 1] - point[:, 1] * onward[:, 0], start[:-1])
    shell = np.arange(len(area))
    hole = np.flatnonzero(area < 0)
    if not len(hole):
        return shell
    # West of a hole's first corner lies floor, and the outline met first, going west, is around the same floor.
    column, row = point[start[hole]].T
    wall = np.maximum.accumulate(np.where(passable, -1, np.arange(passable.shape[1])), axis=1)[row, column - 1]
    rows = passable.shape[0] + 1
    edge = np.flatnonzero(arrival == _SOUTH)
    edge = edge[np.lexsort((point[edge, 1], point[edge, 0]))]
    met = edge[np.searchsorted(point[edge, 0] * rows + point[edge, 1], (wall + 1) * rows + row, side="right") - 1]
    shell[hole] = np.searchsorted(start, met, side="right") - 1
    while (area[shell] < 0).any():
        shell = shell[shell]
    return shell


def inset_polygons(outlines: Outlines, floor: TileFloor, radius: float, arc_segments: int) -> Array:
    """Return the polygons (n,) where a body can be whose radius is less than half a tile."""
    normal = _STEPS[(outlines.arrival + 1) % 4]
    offset = np.repeat(
        (normal + _STEPS[(outlines.arrival + 2) % 4]).astype(np.float64)[:, None], arc_segments + 1, axis=1
    )
    share = np.arange(arc_segments + 1) / arc_segments
    # From the left of the arrival to the left of the departure, which is straight on.
    along, across = np.sin(share * np.pi / 2.0), np.cos(share * np.pi / 2.0)
    along[-1], across[-1] = 1.0, 0.0
    arcs = _STEPS[:, None] * along[:, None] + _STEPS[[1, 2, 3, 0], None] * across[:, None]
    bent = ~outlines.turns_left
    offset[bent] = arcs[outlines.arrival[bent]]
    taken = np.ones(offset.shape[:2], np.bool_)
    taken[outlines.turns_left, 1:] = False
    corner = np.asarray(floor.origin_xy) + outlines.point * floor.tile
    corner_xy = (corner[:, None] + radius * offset)[taken]
    count = np.add.reduceat(taken.sum(axis=1), outlines.start[:-1])
    rings = shapely.linearrings(corner_xy, indices=np.repeat(np.arange(len(count)), count))
    return _polygons(rings, outlines.shell)


def _polygons(rings: Array, shell: Array) -> Array:
    """Return polygons of rings, each the shell of one or a hole in the polygon of its shell."""
    is_shell = shell == np.arange(len(rings))
    polygons = shapely.polygons(rings[is_shell])
    holes, owner = rings[~is_shell], np.searchsorted(np.flatnonzero(is_shell), shell[~is_shell])
    for polygon in np.unique(owner).tolist():
        polygons[polygon] = shapely.polygons(polygons[polygon].exterior, holes[owner == polygon])
    return polygons


def halved(rings: Array) -> list[shapely.Polygon]:
    """Halve the polygon of an outline and its holes until its parts have at most `MANY` corners.

    Only the outline and the holes on a cut are clipped.
    """
    holes = rings[1:]
    polygon = shapely.polygons(rings[0], holes) if len(holes) else shapely.polygons(rings[0])
    if shapely.get_num_coordinates(polygon) <= MANY:
        return [polygon]
    left, low, right, high = polygon.bounds
    x, y = (left + right) / 2.0, (low + high) / 2.0
    axis = 0 if right - left >= high - low else 1
    halves = (
        (shapely.box(left, low, x, high), shapely.box(x, low, right, high))
        if axis == 0
        else (shapely.box(left, low, right, y), shapely.box(left, y, right, high))
    )
    bounds = shapely.bounds(holes).reshape(-1, 4)
    before, behind = bounds[:, axis + 2] < (x, y)[axis], bounds[:, axis] > (x, y)[axis]
    clipped = shapely.polygons(rings[0], holes[~before & ~behind])
    blocks: list[shapely.Polygon] = []
    for half, inner in zip(halves, (holes[before], holes[behind])):
        parts = shapely.get_parts(areas_only(shapely.intersection(clipped, half)))
        owner = np.zeros(len(inner), np.int64)
        if len(parts) > 1 and len(inner):
            hole, part = shapely.STRtree(parts).query(inner, predicate="covered_by")
            owner[hole] = part
        for number, part in enumerate(parts):
            blocks += halved(np.r_[shapely.get_rings(part), inner[owner == number]])
    return blocks
