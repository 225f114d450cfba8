"""Arrays of things that block sight: upright walls and triangles."""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

import numpy as np
import shapely

from ...conventions import Array, Floats, Ids

NO_DOOR = -1


class Blockers(NamedTuple):
    """Walls as in `SightArrays` and triangles by their corners; the door each belongs to, or NO_DOOR."""

    wall: Floats = np.zeros((0, 8))
    wall_door: Ids = np.zeros(0, np.int32)
    corner_xyz: Floats = np.zeros((0, 3, 3))
    triangle_door: Ids = np.zeros(0, np.int32)


def joined(parts: Iterable[Blockers]) -> Blockers:
    """Return all parts as one."""
    return Blockers(*(np.concatenate(columns) for columns in zip(Blockers(), *parts)))


def upright(begin_xy: Array, end_xy: Array, bottom: Array, top: Array) -> Blockers:
    """Return walls from `begin_xy` to `end_xy` (n, 2), `bottom` and `top` (n, 2) at both ends, solid on their right."""
    ends = np.stack([bottom[:, 0], top[:, 0], bottom[:, 1], top[:, 1]], axis=1)
    wall = np.ascontiguousarray(np.concatenate([begin_xy, end_xy, ends], axis=1), np.float64)
    return Blockers(wall=wall, wall_door=np.full(len(wall), NO_DOOR, np.int32))


def sheets(corner_xyz: Floats, door: int = NO_DOOR) -> Blockers:
    """Return triangles (n, 3, 3) that block from both sides."""
    corner_xyz = np.ascontiguousarray(corner_xyz, np.float64)
    return Blockers(corner_xyz=corner_xyz, triangle_door=np.full(len(corner_xyz), door, np.int32))


def flat_triangles(shapes: Array) -> tuple[Floats, Array]:
    """Return polygons split into triangles (n, 3, 2), and the index of the polygon of each, (n,)."""
    parts, owner = shapely.get_parts(shapely.constrained_delaunay_triangles(shapes), return_index=True)
    return shapely.get_coordinates(parts).reshape(-1, 4, 2)[:, :3], owner


def prisms(outlines_xy: list[Floats], low: Floats, high: Floats, door: Ids) -> Blockers:
    """Return upright prisms with their tops and bottoms; `low`, `high`, `door` of each, (n,)."""
    if not outlines_xy:
        return Blockers()
    lengths = [len(outline) for outline in outlines_xy]
    rings = shapely.linearrings(np.concatenate(outlines_xy), indices=np.repeat(np.arange(len(lengths)), lengths))
    shapes = shapely.polygons(rings)
    broken = ~shapely.is_valid(shapes)
    shapes[broken] = shapely.make_valid(shapes[broken], method="structure")
    # Clockwise, so that the inside lies to the right.
    pieces, thing = shapely.get_parts(shapely.orient_polygons(shapes, exterior_cw=True), return_index=True)
    solid = (shapely.get_type_id(pieces) == 3) & (shapely.area(pieces) > 0.0)
    pieces, thing = pieces[solid], thing[solid]
    sides, ring_owner = shapely.get_rings(pieces, return_index=True)
    points, ring = shapely.get_coordinates(sides, return_index=True)
    inner = ring[:-1] == ring[1:]
    owner = thing[ring_owner[ring[:-1][inner]]]
    walls = upright(points[:-1][inner], points[1:][inner], _twice(low[owner]), _twice(high[owner]))
    caps, cap_owner = flat_triangles(pieces)
    cap_owner = thing[cap_owner]
    corners = np.concatenate([_lift(caps, low[cap_owner]), _lift(caps, high[cap_owner])])
    return Blockers(
        walls.wall,
        door[owner],
        corners,
        np.tile(door[cap_owner], 2),
    )


def _twice(values: Array) -> Array:
    return np.stack([values, values], axis=1)


def _lift(flat: Floats, z: Floats) -> Floats:
    """Return flat triangles (n, 3, 2) at heights (n,)."""
    return np.concatenate([flat, np.broadcast_to(z[:, None, None], (len(flat), 3, 1))], axis=2)
