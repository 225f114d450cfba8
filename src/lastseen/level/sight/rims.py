"""Place walls along the rims of floors, and openings where one floor leads onto another.

Beyond the rim of a floor is solid matter, up to the height of walls. If another floor lies beyond, there is air above
it: the wall ends at its height, and if that is no higher there is no wall (stairs, ramps, galleries over a hall).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import pairwise

import numpy as np
import shapely

from ...conventions import Array, Floats
from ..ground import REACH
from ..plans import heights_on
from .blockers import Blockers, joined, upright

__all__ = ["Patch", "edges_of", "rim_walls"]

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
    way = end - begin
    length = np.maximum(np.hypot(way[:, 0], way[:, 1]), SNAP)
    aside = np.stack([way[:, 1], -way[:, 0]], axis=1) * (BEYOND / length)[:, None]
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
        share = (shapely.get_coordinates(piece) - begin[n] - aside[n]) @ way[n] / length[n] ** 2
        first, last = _trimmed(float(share.min()), float(share.max()), float(length[n]))
        if last - first > SNAP:
            first, last = (_snapped(begin[n], way[n], float(length[n]), one, beyond) for one in (first, last))
            found.setdefault(int(owner[n]), {}).setdefault(int(edge[n]), []).append((first, last, beyond))
    return found


def _trimmed(first: float, last: float, length: float) -> tuple[float, float]:
    """Undo the widening of the other floor, unless the edge ends there."""
    slack, trim = SNAP / length, GAP / length
    return (0.0 if first <= slack else first + trim), (1.0 if last >= 1.0 - slack else last - trim)


def _snapped(begin: Floats, way: Floats, length: float, share: float, beyond: Patch) -> float:
    """Snap the end of an opening to a corner of the floor beyond that practically coincides with it."""
    corners = np.concatenate([beyond.begin_xy, beyond.end_xy])
    away = np.hypot(*(corners - (begin + share * way)).T)
    near = int(away.argmin()) if len(away) else -1
    if near < 0 or away[near] > GAP:
        return share
    exact = float((corners[near] - begin) @ way) / length**2
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
