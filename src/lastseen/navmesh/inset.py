"""Inset floors by the radius of a body: what is left is where its centre can be."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cached_property

import numpy as np
import shapely

from .body import Body
from .pieces import Piece, areas_only, strip

ARC_SEGMENTS = 4
"""Segments per quarter circle around the corner of a wall: a body keeps a distance of at least 0.98 radius there."""

SEAM = 5e-7
"""Distance in metres within which two outlines form a walkable seam."""

SHORT = 64
"""Most corners of an outline that is cheaper to use whole than to clip."""


def keep_distance(pieces: Sequence[Piece], body: Body, arc_segments: int = ARC_SEGMENTS) -> list[Piece]:
    """Inset pieces by the radius at walls; an outline is not a wall where another piece continues within `climb`."""
    if body.radius == 0.0 or not pieces:
        return list(pieces)
    near = _within(pieces, body.radius + SEAM)
    touching = _within(pieces, SEAM)
    outlines = [_Outline(piece) for piece in pieces]
    walls = [_walls(outlines, n, touching[n], body) for n in range(len(pieces))]
    needed = {other for n in range(len(pieces)) for other in (n, *near[n]) if near[n]}
    guarded = {n: shapely.buffer(shapely.line_merge(walls[n]), body.radius, quad_segs=arc_segments) for n in needed}
    result = []
    for n, piece in enumerate(pieces):
        if not near[n]:
            # An isolated piece gets the same result in a seventh of the time.
            alone = shapely.buffer(piece.shape, -body.radius, quad_segs=arc_segments)
            result.append(replace(piece, shape=areas_only(alone)))
            continue
        taken = [guarded[n]] if not guarded[n].is_empty else []
        for other in near[n]:
            # The walls of another piece count only where that piece is at about the same height.
            reach = body.climb + body.radius * (piece.plane.grade + pieces[other].plane.grade) + SEAM
            if guarded[other].is_empty:
                continue
            where = strip(pieces[other].plane.minus(piece.plane), -reach, reach, guarded[other].bounds)
            taken.append(guarded[other] if where is None else shapely.intersection(guarded[other], where))
        result.append(replace(piece, shape=_without(piece.shape, taken)))
    return [piece for piece in result if not piece.shape.is_empty]


def _without(shape: shapely.Geometry, taken: list[shapely.Geometry]) -> shapely.Geometry:
    if not taken:
        return shape
    return areas_only(shapely.difference(shape, taken[0] if len(taken) == 1 else shapely.union_all(taken)))


def _within(pieces: Sequence[Piece], distance: float) -> list[list[int]]:
    """Return for each piece the others within `distance` metres, seen from above."""
    shapes = np.array([piece.shape for piece in pieces], dtype=object)
    one, other = shapely.STRtree(shapes).query(shapes, predicate="dwithin", distance=distance)
    near: list[list[int]] = [[] for _ in pieces]
    for a, b in sorted(zip(one.tolist(), other.tolist())):
        if a != b:
            near[a].append(b)
    return near


class _Outline:
    """The outline of a piece, and the thin band around it within which other outlines coincide with it."""

    def __init__(self, piece: Piece):
        self.piece = piece
        self.line = shapely.boundary(piece.shape)
        self.box = shapely.box(*piece.shape.bounds).buffer(SEAM, quad_segs=1)

    @cached_property
    def band(self) -> shapely.Geometry:
        return shapely.buffer(self.line, SEAM, quad_segs=1)

    def band_near(self, other: _Outline, where: shapely.Geometry | None) -> shapely.Geometry:
        """Return the part of the band that can meet another outline, and only `where`."""
        if where is None and shapely.get_num_coordinates(self.line) <= SHORT:
            return self.band
        line = shapely.intersection(self.line, other.box)
        return shapely.buffer(line if where is None else shapely.intersection(line, where), SEAM, quad_segs=1)


def _walls(outlines: Sequence[_Outline], n: int, touching: list[int], body: Body) -> shapely.Geometry:
    """Return the stretches of a piece's outline beyond which no piece continues at about the same height."""
    own = outlines[n]
    limit = body.climb + SEAM
    seams = []
    for other in touching:
        left, low, right, high = own.box.bounds
        beyond = outlines[other].box.bounds
        common = (max(left, beyond[0]), max(low, beyond[1]), min(right, beyond[2]), min(high, beyond[3]))
        where = strip(outlines[other].piece.plane.minus(own.piece.plane), -limit, limit, common)
        if where is None or not where.is_empty:
            seams.append(outlines[other].band_near(own, where))
    return shapely.difference(own.line, shapely.union_all(seams)) if seams else own.line
