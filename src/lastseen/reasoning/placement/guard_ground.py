"""The floor guards are placed on: its plan by storey, the intended path and lines of sight."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import shapely

from ...checks import finite_number, thing_of
from ...conventions import Array, Floats
from ...level.level import ConvexFaces, Level
from ...level.sight.sight import Sight
from ...navmesh.body import Body
from ...navmesh.build import build_navmesh
from ...navmesh.query import faces_at, raycasts
from .floor_checks import settled_line

_SPECK = 1e-6
"""Area in square metres that counts as no floor."""


@dataclass(frozen=True, eq=False)
class StoreyPlan:
    """The walkable floor of one storey seen from above: its number and its shape, one polygon or more."""

    storey: int
    shape: Any


class GuardGround:
    """A level prepared for placing guards any number of times.

    Attributes
    ----------
    mesh : where a body of the guards' radius walks.
    bare : the same for a body without radius: the extent of the plans and of the intended path.
    path : (n, 3) the intended path on the floor.
    storeys : plans of the piece of the level that holds the path.
    area : walkable square metres of that piece; `left_out`: of the other pieces.
    """

    def __init__(self, level: Level, path: Any, *, body: float = 0.3) -> None:
        """Take a level and an intended path, (n, 2 or 3) positions or an `IntendedPath`.

        Raises
        ------
        InputError
            The path leaves the floor, crosses a wall, or leads from one piece of the level to another.
        """
        self.level = thing_of(level, Level, "level", "give a Level: Level.read(path) or Level.sample(name)")
        body = finite_number(body, "body", unit="m", low=0.0, high=10.0)
        self.bare = build_navmesh(level, Body(radius=0.0))
        ready = isinstance(level.surface, ConvexFaces)
        self.mesh = self.bare if body == 0.0 or ready else build_navmesh(level, Body(radius=body))
        self.sight = Sight.from_level(level)
        self.path, piece = settled_line(self.bare, path)
        self.path.setflags(write=False)
        mine = self.bare.face_component == piece
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
