"""Check that intended paths and guard routes lie on the floor."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np

from ...checks import points_xyz
from ...conventions import Array, Floats, Ids
from ...errors import InputError
from ...level.features import IntendedPath
from ...level.level import ConvexFaces, Level, Tiles
from ...navmesh.body import Body
from ...navmesh.navmesh import NavMesh
from ...navmesh.query import faces_at, heights_at, nearest_many, raycasts
from .detection import guard_label
from .guard_routes import GuardRoute, Placement

_ANYWHERE = 1e6
_HAIR = 1e-3
"""Metres off the floor within which a guard counts as at its edge."""


def body_radius(level: Level) -> float:
    """Return the radius of bodies where none is given: 0 on tile maps and ready-made navmeshes, else the usual one.

    Paths on tile maps are often drawn along walls, where a body with a radius cannot stand.
    """
    return 0.0 if isinstance(level.surface, Tiles | ConvexFaces) else Body().radius


def on_floor(mesh: NavMesh, points: Floats) -> tuple[Floats, Ids]:
    """Return places (n, 3) with the height of the floor, and their faces (n,), -1 where there is none.

    Places drawn flat, all at height 0, may have their floor at any height.
    """
    face, height = faces_at(mesh, points), heights_at(mesh, points)
    if not points[:, 2].any() and (face < 0).any():
        face = faces_at(mesh, points, below=_ANYWHERE, above=_ANYWHERE)
        height = heights_at(mesh, points, below=_ANYWHERE, above=_ANYWHERE)
    return np.column_stack([points[:, :2], np.where(face < 0, points[:, 2], height)]), face


def settled_line(mesh: NavMesh, path: Any) -> tuple[Floats, int]:
    """Return an intended path on the floor, (n, 3), without repeated points, and the piece of the level it is on.

    Parameters
    ----------
    mesh : the mesh of a body without radius: a path may run along a wall, never through it.

    Raises
    ------
    InputError
        A point is off the floor, the path leads from one piece of the level to another, or it crosses a wall.
    """
    points = points_xyz(path.points_xyz if isinstance(path, IntendedPath) else path, "path")
    apart = np.linalg.norm(np.diff(points, axis=0), axis=1) > 0.0
    points = points[np.r_[True, apart]] if len(points) else points
    if len(points) < 2:
        raise InputError(f"the intended path has {len(points)} distinct points; give at least a start and an end")
    points, face = on_floor(mesh, points)
    for number in np.flatnonzero(face < 0).tolist()[:1]:
        raise InputError(f"point {number + 1} of the intended path, {_off(mesh, points[number])}")
    piece = mesh.face_component[face]
    for number in np.flatnonzero(piece != piece[0]).tolist()[:1]:
        raise InputError(
            "the intended path leads from one separate piece of the level to another: from "
            f"{xyz_text(points[0])} there is no way to its point {number + 1}, {xyz_text(points[number])}; join the "
            "pieces or keep to one"
        )
    for number, wall in _walls(mesh, points[:-1], points[1:])[:1]:
        raise InputError(
            f"the intended path crosses a wall at {xyz_text(wall)}, between its points {number + 1}, "
            f"{xyz_text(points[number])}, and {number + 2}, {xyz_text(points[number + 1])}; lead it around with more "
            "points"
        )
    return points, int(piece[0])


def settled_guards(mesh: NavMesh, placement: Placement, source: str) -> Placement:
    """Return guards of a file as they walk this level: those drawn flat are put on its floor.

    Notes, coverage and check results are dropped: they may belong to another level.

    Parameters
    ----------
    mesh : the mesh of a body without radius.
    source : name of the file, for messages.

    Raises InputError if a guard is off the floor, inside a wall, or walks through one.
    """
    routes = tuple(_settled_guard(mesh, placement.routes, number, source) for number in range(len(placement.routes)))
    return replace(placement, routes=routes, notes=(), coverage=None, passed=None)


def _settled_guard(mesh: NavMesh, routes: tuple[GuardRoute, ...], number: int, source: str) -> GuardRoute:
    route, label = routes[number], f"{source}: {guard_label(routes, number)}"
    points, face = on_floor(mesh, route.points)
    for row in np.flatnonzero(face < 0).tolist():
        near = nearest_many(mesh, points[row : row + 1])[0]
        if near.distance > _HAIR:
            place = "at" if route.stays else f"at point {row + 1} of its route,"
            raise InputError(f"{label}, {place} {_off(mesh, points[row])}, or give guards placed for this level")
        points[row] = near.xyz
    for row, wall in _walls(mesh, points, np.roll(points, -1, axis=0))[:1] if not route.stays else ():
        following = (row + 1) % len(points)
        raise InputError(
            f"{label} walks through a wall at {xyz_text(wall)}, between points {row + 1}, {xyz_text(points[row])}, and "
            f"{following + 1}, {xyz_text(points[following])}, of its route; lead it around with more points, or give "
            "guards placed for this level"
        )
    drawn_flat = not route.points[:, 2].any() and points[:, 2].any()
    return replace(route, points=points) if drawn_flat else route


def _walls(mesh: NavMesh, starts: Floats, ends: Floats) -> list[tuple[int, Floats]]:
    """Return which straight lines cross a wall, and where; one that only touches a corner is free in one direction."""
    hits = raycasts(mesh, starts, ends)
    blocked: Array = ~hits.reached
    blocked[blocked] = ~raycasts(mesh, ends[blocked], starts[blocked]).reached
    return [(number, hits.xyz[number]) for number in np.flatnonzero(blocked).tolist()]


def _off(mesh: NavMesh, place: Floats) -> str:
    near = nearest_many(mesh, place[None])[0]
    return (
        f"{xyz_text(place)}, is off the floor, outside the level or inside an obstacle; the nearest floor is "
        f"{near.distance:.3g} m away at {xyz_text(near.xyz)}; move it there"
    )


def xyz_text(xyz: Floats) -> str:
    """Return a place as messages show it: without the height if it is practically 0."""
    numbers = xyz[:2] if abs(xyz[2]) < 1e-9 else xyz
    return "(" + ", ".join(f"{value:.4g}" if math.isfinite(value) else "?" for value in numbers.tolist()) + ")"
