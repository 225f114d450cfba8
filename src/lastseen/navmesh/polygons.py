"""The polygon builder: floors without obstacles and low ceilings become convex faces.

The steps: flat pieces → slope → obstacles → headroom → inset by the radius → convex faces → assembly.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from dataclasses import replace

import numpy as np
import shapely

from ..errors import BakeError
from ..level.features import Obstacle
from ..level.level import Floors, Level
from .assembly import assemble
from .body import Body
from .convex import convex_faces, part_wide_faces
from .inset import ARC_SEGMENTS, keep_distance
from .navmesh import NavMesh
from .pieces import Piece, areas_only, is_walkable, pieces_of, strip

Progress = Callable[[str, float], None]


def build_from_floors(
    level: Level, body: Body, *, arc_segments: int = ARC_SEGMENTS, progress: Progress | None = None
) -> NavMesh:
    """Build a navmesh from floors with height, including ramps and stairs.

    Floors steeper than `body.slope` are not walkable; obstacles and cover are cut out where they block a body; floor
    with less than `body.height` below another floor is closed; `body.radius` is kept from walls.
    Edges where another floor continues within a step of `body.climb` are open.
    """
    report = progress or _silent
    report("free floor", 0.0)
    free = walkable_pieces(level, body)
    report("inset", 0.3)
    inset = keep_distance(free, body, arc_segments)
    report("convex faces", 0.5)
    vertices, start, corners, storey = part_wide_faces(*convex_faces(_flat_storeys(inset)))
    if len(start) < 2:
        raise BakeError(_nothing_left(level, free, body))
    report("links", 0.8)
    mesh = assemble(vertices, start, corners, body=body, face_storey=storey, name=level.name)
    report("links", 1.0)
    return mesh


def _silent(_stage: str, _share: float) -> None:
    """Report nothing."""


def walkable_pieces(level: Level, body: Body) -> list[Piece]:
    """Return the flat pieces of floor on which a body of this height, but without radius, can stand."""
    assert isinstance(level.surface, Floors)
    drawn = merge_coplanar([piece for floor in level.surface.polygons for piece in pieces_of(floor)])
    if not drawn:
        raise BakeError(f"{_name(level)}: no walkable place: it has no floor with any area; draw at least one polygon")
    gentle = [piece for piece in drawn if is_walkable(piece.plane, body)]
    if not gentle:
        least = min(math.degrees(math.atan(piece.plane.grade)) for piece in drawn)
        raise BakeError(
            f"{_name(level)}: no walkable place: its gentlest floor rises {least:.3g}°, the body's slope is "
            f"{math.degrees(body.slope):.3g}°; raise the slope or flatten the floors"
        )
    free = cut_low_ceilings(gentle, drawn, body)
    free = cut_obstacles(free, (*level.obstacles, *level.cover), body)
    if not free:
        raise BakeError(
            f"{_name(level)}: no walkable place: obstacles and low ceilings leave nothing of its floors for a body "
            f"{body.height:g} m tall; check their z and height"
        )
    return free


def merge_coplanar(pieces: Sequence[Piece]) -> list[Piece]:
    """Merge the pieces of a storey that lie in the same plane, so that their seams vanish."""
    groups: dict[tuple[float, ...], list[Piece]] = {}
    for piece in pieces:
        plane = piece.plane
        groups.setdefault((piece.storey, round(plane.a, 9), round(plane.b, 9), round(plane.c, 7)), []).append(piece)
    return [
        group[0]
        if len(group) == 1
        else replace(group[0], shape=areas_only(shapely.union_all([piece.shape for piece in group])))
        for group in groups.values()
    ]


def _flat_storeys(pieces: Sequence[Piece]) -> list[Piece]:
    """Move each piece up to the first storey where it overlaps none, such as stairs over the floor they stand on."""
    middle = [float(piece.plane.heights(shapely.get_coordinates(piece.shape)).mean()) for piece in pieces]
    tree = shapely.STRtree([piece.shape for piece in pieces])
    storey: dict[int, int] = {}
    for n in sorted(range(len(pieces)), key=lambda n: (middle[n], n)):
        touching = [int(k) for k in tree.query(pieces[n].shape, predicate="intersects") if int(k) in storey]
        under = [k for k in touching if shapely.intersection(pieces[k].shape, pieces[n].shape).area > 1e-6]
        level = pieces[n].storey
        while level in {storey[k] for k in under}:
            level += 1
        storey[n] = level
    return [replace(piece, storey=storey[n]) for n, piece in enumerate(pieces)]


def _nothing_left(level: Level, free: list[Piece], body: Body) -> str:
    """Return an error message with the largest radius that fits, found by bisection."""
    fits, fails = 0.0, body.radius
    while fails - fits > 0.005 * body.radius:
        middle = (fits + fails) / 2.0
        if keep_distance(free, replace(body, radius=middle)):
            fits = middle
        else:
            fails = middle
    return (
        f"{_name(level)}: no walkable place: a body of radius {body.radius:g} m is wider than every corridor; "
        f"the largest radius that fits is about {fits:.3g} m: reduce the radius or widen the corridors"
    )


def _name(level: Level) -> str:
    return level.source or level.name or "the level"


TOUCH = 1e-6
"""Metres of height by which things may overlap without colliding."""


def cut_obstacles(pieces: Sequence[Piece], obstacles: Sequence[Obstacle], body: Body) -> list[Piece]:
    """Remove the floor that obstacles block: those that rise above it, with less than the body's height below them."""
    shapes = np.array([shapely.make_valid(shapely.Polygon(o.outline_xy)) for o in obstacles], dtype=object)
    tree = shapely.STRtree(shapes)
    result = []
    for piece in pieces:
        blocked = []
        for n in np.sort(tree.query(piece.shape, predicate="intersects")):
            low, high = obstacles[n].z - body.height + TOUCH, obstacles[n].z + obstacles[n].height - TOUCH
            where = strip(piece.plane, low, high, shapes[n].bounds)
            blocked.append(shapes[n] if where is None else shapely.intersection(shapes[n], where))
        result.append(_without(piece, blocked))
    return [piece for piece in result if not piece.shape.is_empty]


def cut_low_ceilings(pieces: Sequence[Piece], ceilings: Sequence[Piece], body: Body) -> list[Piece]:
    """Remove floor below another floor that is too low to stand under; of two in the same place, keep the first.

    `ceilings` are all floors as drawn, including those too steep to walk on.
    """
    blocked: list[list[shapely.Geometry]] = [[] for _ in pieces]
    for n, above, common in overlaps(pieces, ceilings):
        where = strip(ceilings[above].plane.minus(pieces[n].plane), TOUCH, body.height - TOUCH, common.bounds)
        blocked[n].append(common if where is None else shapely.intersection(common, where))
    for n, other, common in overlaps(pieces, pieces):
        if other < n and same_plane(pieces[other], pieces[n]):
            blocked[n].append(common)
    result = [_without(piece, cuts) for piece, cuts in zip(pieces, blocked)]
    return [piece for piece in result if not piece.shape.is_empty]


def overlaps(pieces: Sequence[Piece], others: Sequence[Piece]) -> list[tuple[int, int, shapely.Geometry]]:
    """Return the pairs of pieces that overlap seen from above, with the part they share."""
    shapes, beyond = (np.array([piece.shape for piece in part], dtype=object) for part in (pieces, others))
    one, other = shapely.STRtree(beyond).query(shapes, predicate="intersects")
    apart = shapes[one] != beyond[other]
    order = np.lexsort((other[apart], one[apart]))
    one, other = one[apart][order], other[apart][order]
    common = shapely.intersection(shapes[one], beyond[other])
    solid = np.flatnonzero(shapely.area(common) > TOUCH * TOUCH)
    return [(int(one[k]), int(other[k]), areas_only(common[k])) for k in solid]


def same_plane(one: Piece, other: Piece) -> bool:
    """Return whether a piece lies in the plane of another."""
    gap = one.plane.minus(other.plane)
    corners = shapely.get_coordinates(one.shape)
    return bool(np.abs(gap.heights(corners)).max() <= TOUCH)


def _without(piece: Piece, blocked: list[shapely.Geometry]) -> Piece:
    if not blocked:
        return piece
    return replace(piece, shape=areas_only(shapely.difference(piece.shape, shapely.union_all(blocked))))
