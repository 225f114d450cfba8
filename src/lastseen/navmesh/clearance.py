"""Clearance: which parts of floors are free of obstacles, with room for a body's height above them?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely

from ..level.features import Obstacle
from .agent import Agent
from .pieces import Piece, areas_only, strip

__all__ = ["cut_low_ceilings", "cut_obstacles"]

TOUCH = 1e-6
"""Metres of height by which things may meet without being in one another's way."""


def cut_obstacles(pieces: Sequence[Piece], obstacles: Sequence[Obstacle], agent: Agent) -> list[Piece]:
    """Take out what stands in the way: an obstacle over the floor, lower than the body is tall."""
    shapes = np.array([shapely.make_valid(shapely.Polygon(o.outline_xy)) for o in obstacles], dtype=object)
    tree = shapely.STRtree(shapes)
    result = []
    for piece in pieces:
        blocked = []
        for n in np.sort(tree.query(piece.shape, predicate="intersects")):
            low, high = obstacles[n].z - agent.height + TOUCH, obstacles[n].z + obstacles[n].height - TOUCH
            where = strip(piece.plane, low, high, shapes[n].bounds)
            blocked.append(shapes[n] if where is None else shapely.intersection(shapes[n], where))
        result.append(_without(piece, blocked))
    return [piece for piece in result if not piece.shape.is_empty]


def cut_low_ceilings(pieces: Sequence[Piece], ceilings: Sequence[Piece], agent: Agent) -> list[Piece]:
    """Take out floor that another floor covers too low to stand under; of two in the same place keep the first.

    `ceilings` are all floors as drawn, also those too steep to walk on.
    """
    blocked: list[list[shapely.Geometry]] = [[] for _ in pieces]
    for n, above, common in _overlaps(pieces, ceilings):
        where = strip(ceilings[above].plane.minus(pieces[n].plane), TOUCH, agent.height - TOUCH, common.bounds)
        blocked[n].append(common if where is None else shapely.intersection(common, where))
    for n, other, common in _overlaps(pieces, pieces):
        if other < n and _same_plane(pieces[other], pieces[n]):
            blocked[n].append(common)
    result = [_without(piece, cuts) for piece, cuts in zip(pieces, blocked)]
    return [piece for piece in result if not piece.shape.is_empty]


def _overlaps(pieces: Sequence[Piece], others: Sequence[Piece]) -> list[tuple[int, int, shapely.Geometry]]:
    """Return which pieces cover part of which others seen from above, and that part."""
    shapes, beyond = (np.array([piece.shape for piece in part], dtype=object) for part in (pieces, others))
    one, other = shapely.STRtree(beyond).query(shapes, predicate="intersects")
    apart = shapes[one] != beyond[other]
    order = np.lexsort((other[apart], one[apart]))
    one, other = one[apart][order], other[apart][order]
    common = shapely.intersection(shapes[one], beyond[other])
    solid = np.flatnonzero(shapely.area(common) > TOUCH * TOUCH)
    return [(int(one[k]), int(other[k]), areas_only(common[k])) for k in solid]


def _same_plane(one: Piece, other: Piece) -> bool:
    gap = one.plane.minus(other.plane)
    corners = shapely.get_coordinates(one.shape)
    return bool(np.abs(gap.heights(corners)).max() <= TOUCH)


def _without(piece: Piece, blocked: list[shapely.Geometry]) -> Piece:
    if not blocked:
        return piece
    return replace(piece, shape=areas_only(shapely.difference(piece.shape, shapely.union_all(blocked))))
