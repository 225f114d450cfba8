"""The floor guards are placed on: its plan by storey, and checks that paths and routes lie on it."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from ...checks import expect, finite_number, points_xyz, read_only
from ...conventions import Array, Floats, Ids
from ...errors import InputError
from ...level.features import Door, IntendedPath, Obstacle
from ...level.level import ConvexFaces, Level, Tiles
from ...level.sight.sight import Sight
from ...navmesh.assembly import assemble
from ...navmesh.body import Body
from ...navmesh.build import build_navmesh
from ...navmesh.cut import CutMesh
from ...navmesh.growing_mesh import ranges
from ...navmesh.navmesh import NavMesh
from ...navmesh.query import faces_at, heights_at, nearest_many, raycasts
from .detection import guard_label
from .guard_routes import GuardRoute, Placement

_ANYWHERE = 1e6
_HAIR = 1e-3
"""Metres off the floor within which a guard counts as at its edge."""
_SPECK = 1e-6
"""Area in square metres that counts as no floor."""


def body_radius(level: Level) -> float:
    """Return the radius of bodies where none is given: 0 on tile maps and ready-made navmeshes, else the usual one.

    Paths on tile maps are often drawn along walls, where a body with a radius cannot stand.
    """
    return 0.0 if isinstance(level.surface, Tiles | ConvexFaces) else Body().radius


def unlocked_mesh(level: Level, radius: float) -> NavMesh:
    """Return where a body walks: locked doors are walls; agents open all others on their way, as in worlds."""
    body, locked = Body(radius=radius), [door for door in level.doors if door.locked]
    if locked and isinstance(level.surface, ConvexFaces):
        return _without(build_navmesh(level, body), locked)
    walls = [Obstacle(door.outline_xy, door.z, door.height, door.name) for door in locked]
    return build_navmesh(replace(level, obstacles=(*level.obstacles, *walls)), body)


def _without(mesh: NavMesh, doors: list[Door]) -> NavMesh:
    """Return a mesh with doors cut out for good: a ready-made one takes no obstacles."""
    cut = CutMesh(mesh)
    for door in doors:
        cut.cut(door.outline_xy, door.z, door.z + door.height)
    arrays, base = cut.arrays, slice(mesh.face_count)
    pieces = ranges(arrays.child_start[base].astype(np.int64), arrays.child_count[base].astype(np.int64))
    faces = np.r_[np.flatnonzero(arrays.face_cut[base] == 0), pieces]
    start, count = arrays.face_start[faces].astype(np.int64), arrays.face_count[faces].astype(np.int64)
    storey = mesh.face_storey[arrays.face_parent[faces]]
    corners = arrays.face_vertex[ranges(start, count)]
    return assemble(
        arrays.vertex_xyz, np.r_[0, np.cumsum(count)], corners, body=mesh.body, face_storey=storey, name=mesh.name
    )


def on_floor(mesh: NavMesh, points: Floats) -> tuple[Floats, Ids]:
    """Return places (n, 3) with the height of the floor, and their faces (n,), -1 where there is none.

    Places drawn flat, all at height 0, may have their floor at any height.
    """
    face, height = faces_at(mesh, points), heights_at(mesh, points)
    if not points[:, 2].any() and (face < 0).any():
        face = faces_at(mesh, points, below=_ANYWHERE, above=_ANYWHERE)
        height = heights_at(mesh, points, below=_ANYWHERE, above=_ANYWHERE)
    return np.column_stack([points[:, :2], np.where(face < 0, points[:, 2], height)]), face


def several_paths(path: Any) -> tuple[Any, ...]:
    """Return the intended paths of a list of them, or the only one."""
    first = path[0] if isinstance(path, list | tuple) and path else None
    nested = isinstance(first, list | tuple | np.ndarray) and len(first) > 0 and np.ndim(first[0]) == 1
    return tuple(path) if nested or isinstance(first, IntendedPath) else (path,)


def settled_line(mesh: NavMesh, path: Any) -> tuple[Floats, int]:
    """Return an intended path on the floor, (n, 3), without repeated points, and the piece of the level it is on.

    Parameters
    ----------
    mesh : the mesh of a body without radius: a path may run along a wall, never through it or a locked door.

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
            "pieces, unlock a door between them, or keep to one"
        )
    for number, wall in _walls(mesh, points[:-1], points[1:])[:1]:
        raise InputError(
            f"the intended path crosses a wall or locked door at {xyz_text(wall)}, between its points {number + 1}, "
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
            f"{label} walks through a wall or locked door at {xyz_text(wall)}, between points {row + 1}, "
            f"{xyz_text(points[row])}, and {following + 1}, {xyz_text(points[following])}, of its route; lead it "
            "around with more points, or give guards placed for this level"
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


@dataclass(frozen=True, eq=False)
class StoreyPlan:
    """The walkable floor of one storey seen from above: its number and its shape, one polygon or more."""

    storey: int
    shape: Any


class GuardGround:
    """A level prepared for placing guards any number of times.

    Attributes
    ----------
    mesh : where a body of the guards' radius walks; locked doors are walls.
    bare : the same for a body without radius: the extent of the plans and of the intended path.
    paths : the intended paths on the floor, (n, 3) each; `path` is the first.
    storeys : plans of the pieces of the level that hold the paths.
    area : walkable square metres of these pieces; `left_out`: of the others.
    """

    def __init__(self, level: Level, path: Any, *, body: float = 0.3) -> None:
        """Take a level and an intended path, (n, 2 or 3) positions or an `IntendedPath`, or a list of several.

        Raises
        ------
        InputError
            The path leaves the floor, crosses a wall, or leads from one piece of the level to another.
        """
        self.level = expect(level, Level, "level")
        body = finite_number(body, "body", unit="m", low=0.0, high=10.0)
        self.bare = unlocked_mesh(level, 0.0)
        ready = isinstance(level.surface, ConvexFaces)
        self.mesh = self.bare if body == 0.0 or ready else unlocked_mesh(level, body)
        self.sight = Sight.from_level(level)
        settled = [settled_line(self.bare, one) for one in several_paths(path)]
        self.paths = tuple(read_only(line) for line, _ in settled)
        self.path = self.paths[0]
        mine = np.isin(self.bare.face_component, [piece for _, piece in settled])
        self.area = float(self.bare.face_area[mine].sum())
        self.left_out = float(self.bare.face_area[~mine].sum())
        self._faces = np.flatnonzero(mine)

    @cached_property
    def storeys(self) -> tuple[StoreyPlan, ...]:
        """The plans, lowest storey first; stairs belong to the storey they start on."""
        shapes, of = self._shapes
        plans = []
        for storey in np.unique(of).tolist():
            # The order must not depend on the faces of the mesh, because random draws depend on it.
            shape = shapely.normalize(shapely.simplify(shapely.union_all(shapes[of == storey]), 0.0))
            parts = [part for part in shapely.get_parts(shape) if part.geom_type == "Polygon" and part.area > _SPECK]
            plans.append(StoreyPlan(storey, parts[0] if len(parts) == 1 else shapely.MultiPolygon(parts)))
        return tuple(plan for plan in plans if not plan.shape.is_empty)

    @cached_property
    def _shapes(self) -> tuple[Array, Array]:
        """Return the faces seen from above, and the storey of each."""
        arrays = self.bare.arrays
        count = arrays.face_count[self._faces].astype(np.int64)
        start = arrays.face_start[self._faces].astype(np.int64)
        which = np.repeat(np.arange(len(count)), count)
        corner = np.repeat(start - (np.cumsum(count) - count), count) + np.arange(int(count.sum()))
        plan = arrays.vertex_xyz[arrays.face_vertex[corner]][:, :2]
        return shapely.polygons(shapely.linearrings(plan, indices=which)), self.bare.face_storey[self._faces]

    def lifted(self, xy: Floats, storey: int) -> Floats:
        """Return places (n, 2) of a storey's plan with the height of its floor, (n, 3)."""
        shapes, of = self._shapes
        mine = np.flatnonzero(of == storey)
        near = shapely.STRtree(shapes[mine]).nearest(shapely.points(xy)) if len(xy) else np.zeros(0, np.int64)
        z = np.empty(len(xy))
        for number, (place, face) in enumerate(zip(xy.tolist(), self._faces[mine[near]].tolist())):
            z[number] = _height(self.bare.face_xyz(face), place)
        return np.column_stack([xy, z])

    def walkable(self, starts: Floats, ends: Floats) -> Array:
        """Return whether a guard can walk each line straight, (n,) bool."""
        return raycasts(self.mesh, starts, ends).reached

    def on_mesh(self, xyz: Floats) -> Array:
        """Return which places a guard's body can stand at, (n,) bool."""
        return faces_at(self.mesh, xyz) >= 0


def _height(corners: Floats, place: list[float]) -> float:
    """Return the height of a flat face at a place."""
    around = corners - corners[0]
    normal = np.cross(around[1:-1], around[2:]).sum(axis=0)
    if abs(normal[2]) < _SPECK:
        return float(corners[:, 2].mean())
    return float(corners[0, 2] - ((place - corners[0, :2]) * normal[:2]).sum() / normal[2])
