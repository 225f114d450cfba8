"""Flat pieces of floors: their plans, and the planes they lie in."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import shapely

from ..conventions import Floats
from ..level.level import Floor
from .body import Body

NOWHERE = shapely.Polygon()

FLAT = 1e-4
"""Metres a corner may deviate from the plane of its floor; floors that deviate more are split into triangles."""


@dataclass(frozen=True)
class Plane:
    """`z = a x + b y + c`; `warp` is the largest distance in metres of the corners it was fitted to."""

    a: float
    b: float
    c: float
    warp: float = 0.0

    @property
    def grade(self) -> float:
        """Rise per metre, metres."""
        return float(np.hypot(self.a, self.b))

    def minus(self, other: Plane) -> Plane:
        """Return the plane of height differences."""
        return Plane(self.a - other.a, self.b - other.b, self.c - other.c)

    def heights(self, xy: Floats) -> Floats:
        """Return z at positions (n, 2)."""
        return self.a * xy[:, 0] + self.b * xy[:, 1] + self.c


@dataclass(frozen=True)
class Piece:
    """A flat part of a floor; `shape` is one or several polygons, seen from above."""

    shape: shapely.Geometry
    plane: Plane
    storey: int


def plane_of(corners_xyz: Floats) -> Plane:
    """Return the least-squares plane of corners (n, 3); level corners give exactly a = b = 0."""
    if np.ptp(corners_xyz[:, 2]) == 0.0:
        return Plane(0.0, 0.0, float(corners_xyz[0, 2]))
    middle = corners_xyz.mean(axis=0)
    local = corners_xyz - middle
    (a, b), *_ = np.linalg.lstsq(local[:, :2], local[:, 2], rcond=None)
    warp = float(np.abs(local[:, 2] - local[:, :2] @ np.array([a, b])).max())
    return Plane(float(a), float(b), float(middle[2] - a * middle[0] - b * middle[1]), warp)


def is_walkable(plane: Plane, body: Body) -> bool:
    """Return whether the plane is gentle enough for a body to walk on."""
    return float(np.arctan(plane.grade)) <= body.slope + 1e-6


def pieces_of(floor: Floor) -> list[Piece]:
    """Return the flat pieces of a floor: the floor itself, or its triangles if its corners are not coplanar."""
    rings = [floor.outline_xyz, *floor.holes_xyz]
    corners = np.concatenate(rings)
    shape = shapely.make_valid(shapely.Polygon(rings[0][:, :2], [ring[:, :2] for ring in rings[1:]]))
    shape = areas_only(shape)
    plane = plane_of(corners)
    if plane.warp <= FLAT:
        return [Piece(shape, plane, floor.storey)] if not shape.is_empty else []
    height = {(x, y): z for x, y, z in corners.tolist()}
    pieces = []
    for triangle in shapely.get_parts(shapely.constrained_delaunay_triangles(shape)):
        ring = shapely.get_coordinates(triangle)[:3]
        # A self-crossing outline gets new corners at its crossings; they lie on the fitted plane.
        z = [height.get((x, y), plane.a * x + plane.b * y + plane.c) for x, y in ring.tolist()]
        pieces.append(Piece(triangle, plane_of(np.column_stack([ring, z])), floor.storey))
    return pieces


def areas_only(shape: shapely.Geometry) -> shapely.Geometry:
    """Return the polygons of a geometry, without stray points and lines."""
    parts = shapely.get_parts(shapely.get_parts(shape))
    areas = [part for part in parts if part.geom_type == "Polygon" and not part.is_empty]
    return areas[0] if len(areas) == 1 else shapely.MultiPolygon(areas)


def strip(plane: Plane, low: float, high: float, bounds: tuple[float, float, float, float]) -> shapely.Geometry | None:
    """Return the part of `bounds` where `low < z < high` on the plane; None if that is everywhere, empty if nowhere."""
    left, bottom, right, top = bounds
    corners = np.array([(left, bottom), (right, bottom), (right, top), (left, top)])
    height = plane.heights(corners)
    if height.min() > low and height.max() < high:
        return None
    if height.max() <= low or height.min() >= high:
        return NOWHERE
    uphill = np.array([plane.a, plane.b]) / plane.grade
    across = np.array([-uphill[1], uphill[0]])
    middle = corners.mean(axis=0)
    reach = float(np.hypot(right - left, top - bottom)) + 1.0
    here = float(plane.heights(middle[None])[0])
    begin, end = (float(np.clip((z - here) / plane.grade, -reach, reach)) for z in (low, high))
    ring = [middle + u * uphill + v * reach * across for u, v in ((begin, -1), (end, -1), (end, 1), (begin, 1))]
    return shapely.Polygon(ring)
