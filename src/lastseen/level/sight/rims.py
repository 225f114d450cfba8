"""Walls along the rims of floors and tiles, with openings where one floor leads onto another.

Beyond the rim of a floor is solid matter, up to the height of walls. If another floor lies beyond, there is air above
it: the wall ends at its height, and if that is no higher there is no wall (stairs, ramps, galleries over a hall).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from ...conventions import Array, Bools, Floats
from ...kernels.mesh.convex_merge import merge_tiles
from ..floor_plans import REACH, heights_on
from ..level import TileFloor
from .blockers import Blockers, joined, upright

BEYOND, GAP = 0.02, 0.01
"""Metres: how far beyond its rim a floor looks for others, and how far these are widened: gaps of 3 cm are walls."""
STEP = 0.01
"""Metres by which the heights of joined floors may differ."""
SNAP = 1e-6


@dataclass(frozen=True, eq=False)
class Patch:
    """A piece of floor and its rim.

    `shape` is its plan; `centre` and `normal` (3,) its plane; `begin_xy` and `end_xy` (n, 2) its rim, with the floor on
    the left. Tile floors are `walled` against floors far below: in tile maps, walls and voids look the same.
    """

    shape: shapely.Geometry
    centre: Floats
    normal: Floats
    begin_xy: Floats
    end_xy: Floats
    walled: bool = False

    def heights(self, xy: Array) -> Floats:
        """Return z of the plane at positions (n, 2)."""
        return heights_on(self.centre[None], self.normal[None], xy)


def edges_of(shape: shapely.Geometry) -> tuple[Floats, Floats]:
    """Return the edges of polygons as begin and end points (n, 2), with the inside on the left."""
    rings = shapely.get_rings(shapely.get_parts(shapely.orient_polygons(shape, exterior_cw=False)))
    points, ring = shapely.get_coordinates(rings, return_index=True)
    along = ring[:-1] == ring[1:]
    return points[:-1][along], points[1:][along]


def rim_walls(patches: Sequence[Patch], wall_height: float) -> Blockers:
    """Return the walls along the rims of all patches."""
    openings = _openings(patches) if len(patches) > 1 else {}
    parts: list[Blockers] = []
    for number, patch in enumerate(patches):
        bottom = np.stack([patch.heights(patch.begin_xy), patch.heights(patch.end_xy)], axis=1)
        whole = np.ones(len(bottom), np.bool_)
        for edge, beyond in openings.get(number, {}).items():
            whole[edge] = False
            parts += _broken_wall(patch, edge, beyond, wall_height)
        parts.append(upright(patch.begin_xy[whole], patch.end_xy[whole], bottom[whole], bottom[whole] + wall_height))
    return joined(parts)


Opening = tuple[float, float, Patch]
"""First and last fraction of an edge beyond which another patch lies, and that patch."""


def _openings(patches: Sequence[Patch]) -> dict[int, dict[int, list[Opening]]]:
    """Return the patches beyond each edge, by patch and edge."""
    begin, end = (np.concatenate([getattr(patch, name) for patch in patches]) for name in ("begin_xy", "end_xy"))
    counts = [len(patch.begin_xy) for patch in patches]
    owner = np.repeat(np.arange(len(patches)), counts)
    edge = np.arange(len(owner)) - np.repeat(np.cumsum(counts) - counts, counts)
    span = end - begin
    length = np.maximum(np.hypot(span[:, 0], span[:, 1]), SNAP)
    aside = np.stack([span[:, 1], -span[:, 0]], axis=1) * (BEYOND / length)[:, None]
    lines = shapely.linestrings(np.stack([begin + aside, end + aside], axis=1))
    wider = shapely.buffer([patch.shape for patch in patches], GAP, join_style="mitre")
    line, other = shapely.STRtree(wider).query(lines, predicate="intersects")
    foreign = owner[line] != other
    line, other = line[foreign], other[foreign]
    pieces, pair = shapely.get_parts(shapely.intersection(lines[line], wider[other]), return_index=True)
    found: dict[int, dict[int, list[Opening]]] = {}
    for piece, index in zip(pieces, pair.tolist()):
        if piece.geom_type != "LineString":
            continue
        n, beyond = int(line[index]), patches[int(other[index])]
        share = (shapely.get_coordinates(piece) - begin[n] - aside[n]) @ span[n] / length[n] ** 2
        first, last = _trimmed(float(share.min()), float(share.max()), float(length[n]))
        if last - first > SNAP:
            first, last = (_snapped(begin[n], span[n], float(length[n]), one, beyond) for one in (first, last))
            found.setdefault(int(owner[n]), {}).setdefault(int(edge[n]), []).append((first, last, beyond))
    return found


def _trimmed(first: float, last: float, length: float) -> tuple[float, float]:
    """Undo the widening of the other floor, unless the edge ends there."""
    slack, trim = SNAP / length, GAP / length
    return (0.0 if first <= slack else first + trim), (1.0 if last >= 1.0 - slack else last - trim)


def _snapped(begin: Floats, span: Floats, length: float, share: float, beyond: Patch) -> float:
    """Snap the end of an opening to a corner of the floor beyond that practically coincides with it."""
    corners = np.concatenate([beyond.begin_xy, beyond.end_xy])
    away = np.hypot(*(corners - (begin + share * span)).T)
    near = int(away.argmin()) if len(away) else -1
    if near < 0 or away[near] > GAP:
        return share
    exact = float((corners[near] - begin) @ span) / length**2
    return exact if abs(exact - share) * length <= SNAP else share


def _broken_wall(patch: Patch, edge: int, openings: list[Opening], wall_height: float) -> Iterator[Blockers]:
    """Yield the walls of an edge with other floors beyond parts of it."""
    begin, end = patch.begin_xy[edge], patch.end_xy[edge]
    shares = _breaks(patch, begin, end, openings, wall_height)
    for first, last in pairwise(shares):
        middle = (first + last) / 2.0
        over = [beyond for low, high, beyond in openings if low < middle < high]
        xy = np.array([begin + first * (end - begin), end if last == 1.0 else begin + last * (end - begin)])
        bottom = patch.heights(xy)
        top = bottom + wall_height
        for beyond in over:
            floor = beyond.heights(xy)
            far_below = float(floor.mean() - bottom.mean()) < -REACH
            if not (patch.walled and beyond.walled and far_below):
                top = np.minimum(top, floor)
        if (top - bottom).max() > STEP:
            yield upright(xy[:1], xy[1:], bottom[None], np.maximum(top, bottom)[None])


def _breaks(patch: Patch, begin: Floats, end: Floats, openings: list[Opening], wall_height: float) -> list[float]:
    """Return the fractions of an edge where another floor begins, ends, or crosses the foot or the top of the wall."""
    ends = np.array([begin, end])
    bottom = patch.heights(ends)
    shares = {0.0, 1.0}
    for first, last, beyond in openings:
        shares |= {first, last}
        for level in (0.0, wall_height):
            above = beyond.heights(ends) - bottom - level
            if above[0] * above[1] < 0.0:
                share = float(above[0] / (above[0] - above[1]))
                shares |= {share} if first < share < last else set()
    return sorted(shares)


def open_tiles(floor: TileFloor, shapes: Array, low: Floats, high: Floats, wall_height: float) -> Bools:
    """Return the tiles without a wall: passable ones, and those occupied by something drawn.

    Cover is not floor, but agents see over it: its own height counts. It must fill more than half of a tile.
    """
    free = floor.passable.copy()
    stands = (low < floor.z + wall_height) & (low <= floor.z + REACH) & (high > floor.z)
    rows, columns = free.shape
    for shape in shapes[stands]:
        bounds = (np.array(shape.bounds).reshape(2, 2) - floor.origin_xy) / floor.tile
        first = np.clip(np.floor(bounds[0]), 0, [columns, rows]).astype(np.int64)
        last = np.clip(np.ceil(bounds[1]), 0, [columns, rows]).astype(np.int64)
        row, column = np.nonzero(~free[first[1] : last[1], first[0] : last[0]])
        row, column = row + first[1], column + first[0]
        left, below = floor.origin_xy[0] + column * floor.tile, floor.origin_xy[1] + row * floor.tile
        boxes = shapely.box(left, below, left + floor.tile, below + floor.tile)
        filled = shapely.area(shapely.intersection(boxes, shape)) > 0.5 * floor.tile**2
        free[row[filled], column[filled]] = True
    return free


def tile_outline(free: Bools, tile: float, origin_xy: Sequence[float]) -> tuple[Floats, Floats]:
    """Return the runs of edges between free and other tiles, begin and end (n, 2), with free tiles on the left."""
    lengthwise = _runs(free)
    crosswise = _runs(free.T)[:, ::-1, ::-1]  # mirrored: swap x and y, and the direction
    edges = np.concatenate([lengthwise, crosswise]).astype(np.float64) * tile + np.asarray(origin_xy, np.float64)
    return edges[:, 0], edges[:, 1]


def _runs(free: Bools) -> Array:
    """Return the edges along rows as (n, 2, 2): begin and end, column and row."""
    rows, columns = free.shape
    padded = np.zeros((rows + 2, columns + 2), np.int8)
    padded[1:-1, 1:-1] = free
    change = np.diff(padded, axis=0)  # 1: free above the line, -1: free below it
    parts = []
    for sign in (1, -1):
        line, edge = np.nonzero(np.diff((change == sign).astype(np.int8), axis=1))
        begin, end = np.stack([edge[::2], line[::2]], axis=1), np.stack([edge[1::2], line[1::2]], axis=1)
        parts.append(np.stack([begin, end] if sign == 1 else [end, begin], axis=1))
    return np.concatenate(parts)


def tile_sheet(floor: TileFloor) -> Floats:
    """Return the passable tiles as triangles (n, 3, 3)."""
    flat = _rectangles(floor.passable, floor)
    corner = np.concatenate([flat, np.full((len(flat), 4, 1), floor.z)], axis=2)
    return np.concatenate([corner[:, [0, 1, 2]], corner[:, [0, 2, 3]]])


def tile_shape(free: Bools, floor: TileFloor) -> shapely.Geometry:
    """Return the plan of free tiles."""
    return shapely.union_all(shapely.polygons(_rectangles(free, floor)))


def _rectangles(free: Bools, floor: TileFloor) -> Floats:
    """Return disjoint rectangles that cover the free tiles, (n, 4, 2)."""
    found = np.empty((int(free.sum()), 4), dtype=np.int32)
    column, row, width, height = found[: merge_tiles(free.astype(np.uint8), max(free.shape), found)].T
    x = np.stack([column, column + width, column + width, column], axis=1)
    y = np.stack([row, row, row + height, row + height], axis=1)
    return np.stack([x, y], axis=2) * floor.tile + np.asarray(floor.origin_xy)
