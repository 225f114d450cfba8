"""Inset: where can the middle of a body be, kept a radius away from every wall?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import numpy as np
import shapely

from .agent import Agent
from .pieces import Piece, areas_only, strip

__all__ = ["ARC_SEGMENTS", "keep_distance"]

ARC_SEGMENTS = 4
"""Straight pieces per quarter circle around a wall's corner: there a body keeps at least 0.98 radius away."""

SEAM = 5e-7
"""Metres two outlines may lie apart and still be a seam one walks across."""


def keep_distance(pieces: Sequence[Piece], agent: Agent, arc_segments: int = ARC_SEGMENTS) -> list[Piece]:
    """Take a radius off at walls. An outline is no wall where another piece goes on within a step of `climb`."""
    if agent.radius == 0.0 or not pieces:
        return list(pieces)
    shapes = np.array([piece.shape for piece in pieces], dtype=object)
    near = _neighbours(shapes, agent.radius)
    walls = [_walls(pieces, n, near[n], agent) for n in range(len(pieces))]
    guarded = [shapely.buffer(shapely.line_merge(wall), agent.radius, quad_segs=arc_segments) for wall in walls]
    result = []
    for n, piece in enumerate(pieces):
        taken = [guarded[n]]
        for other in near[n]:
            # Seen from this piece, a wall of another counts only where that one goes on at about this height.
            reach = agent.climb + agent.radius * (piece.plane.grade + pieces[other].plane.grade) + SEAM
            gap = pieces[other].plane.minus(piece.plane)
            where = strip(gap, -reach, reach, guarded[other].bounds) if not guarded[other].is_empty else None
            taken.append(guarded[other] if where is None else shapely.intersection(guarded[other], where))
        shape = areas_only(shapely.difference(piece.shape, shapely.union_all(taken)))
        result.append(replace(piece, shape=shape))
    return [piece for piece in result if not piece.shape.is_empty]


def _neighbours(shapes: np.ndarray, radius: float) -> list[list[int]]:
    one, other = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=radius + SEAM)
    near: list[list[int]] = [[] for _ in shapes]
    for a, b in sorted(zip(one.tolist(), other.tolist())):
        if a != b:
            near[a].append(b)
    return near


def _walls(pieces: Sequence[Piece], n: int, near: list[int], agent: Agent) -> shapely.Geometry:
    """Return the stretches of a piece's outline beyond which nothing goes on at about the same height."""
    piece = pieces[n]
    outline = shapely.boundary(piece.shape)
    seams = []
    for other in near:
        bounds = shapely.box(*pieces[other].shape.bounds).buffer(SEAM)
        if not piece.shape.intersects(bounds):
            continue
        line = shapely.intersection(
            shapely.boundary(pieces[other].shape), shapely.box(*piece.shape.bounds).buffer(SEAM)
        )
        if line.is_empty:
            continue
        where = strip(pieces[other].plane.minus(piece.plane), -agent.climb - SEAM, agent.climb + SEAM, line.bounds)
        seams.append(shapely.buffer(line if where is None else shapely.intersection(line, where), SEAM, quad_segs=1))
    return shapely.difference(outline, shapely.union_all(seams)) if seams else outline
