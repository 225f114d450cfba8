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
    tree = shapely.STRtree([ceiling.shape for ceiling in ceilings])
    result: list[Piece] = []
    for n, piece in enumerate(pieces):
        blocked = []
        for above in np.sort(tree.query(piece.shape, predicate="intersects")):
            gap = ceilings[above].plane.minus(piece.plane)
            common = areas_only(shapely.intersection(piece.shape, ceilings[above].shape))
            if common.is_empty or common.area == 0.0:
                continue
            where = strip(gap, TOUCH, agent.height - TOUCH, common.bounds)
            blocked.append(common if where is None else shapely.intersection(common, where))
        blocked += [earlier.shape for earlier in pieces[:n] if _same_place(earlier, piece)]
        result.append(_without(piece, blocked))
    return [piece for piece in result if not piece.shape.is_empty]


def _same_place(one: Piece, other: Piece) -> bool:
    gap = one.plane.minus(other.plane)
    if gap.grade > TOUCH or not one.shape.intersects(other.shape):
        return False
    middle = np.array([one.shape.centroid.coords[0]])
    return bool(abs(gap.heights(middle)[0]) <= TOUCH)


def _without(piece: Piece, blocked: list[shapely.Geometry]) -> Piece:
    if not blocked:
        return piece
    return replace(piece, shape=areas_only(shapely.difference(piece.shape, shapely.union_all(blocked))))
