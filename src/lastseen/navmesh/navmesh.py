"""The navmesh: convex faces a body can walk on, and the portals between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..checks import MadeByMethods, arrays_of, read_only, shown
from ..conventions import Floats, Ids, Progress
from ..errors import QueryError
from ..kernels.arrays.level_arrays import MeshArrays
from ..level.level import Level
from .body import Body
from .voxels.voxel_settings import VoxelSettings

LIMIT = 1e7
"""Largest coordinate in metres: beyond it, float64 cannot distinguish welded vertices from their neighbours."""


class AnyMesh(Protocol):
    """A mesh for queries: a frozen `NavMesh`, or a `CutMesh` whose arrays change as cuts come and go."""

    @property
    def arrays(self) -> MeshArrays:
        """All arrays mesh queries use."""

    @property
    def body(self) -> Body:
        """The body the mesh was built for."""

    @property
    def face_component(self) -> Ids:
        """(F,) int32 by base face: faces with different numbers never reach one another."""


def mesh_arrays(mesh: AnyMesh) -> MeshArrays:
    """Return the arrays of a mesh, or raise an error that says how to make one."""
    return arrays_of(mesh, MeshArrays, "NavMesh", "mesh")


@dataclass(frozen=True, eq=False, repr=False)
class NavMesh(MadeByMethods):
    """The convex faces a body can walk on; built by `build_navmesh`, read by the functions of `navmesh.query`.

    Attributes
    ----------
    arrays : all arrays queries use, read-only (see `MeshArrays`).
    face_storey : (F,) int32, storey of each face, from 0 at the bottom; no two faces of a storey overlap.
    face_component : (F,) int32, faces with the same number reach one another.
    body : the body it was built for.
    """

    arrays: MeshArrays
    face_storey: Ids
    face_component: Ids
    body: Body
    name: str = ""

    def __repr__(self) -> str:
        return f"<NavMesh {self.name!r}: {len(self.face_storey):,} faces>"

    @classmethod
    def from_level(
        cls,
        level: Level,
        body: Body = Body(),
        *,
        builder: str = "auto",
        voxels: VoxelSettings | None = None,
        progress: Progress = None,
    ) -> NavMesh:
        """Build the navmesh of a level for a body; `build_navmesh` describes the parameters."""
        from .build import build_navmesh

        return build_navmesh(level, body, builder=builder, voxels=voxels, progress=progress)

    @property
    def face_count(self) -> int:
        """Number of faces."""
        return len(self.arrays.face_start)

    @property
    def bounds_xyz(self) -> Floats:
        """(2, 3) float64: minimum and maximum corner in metres."""
        corners = self.arrays.vertex_xyz
        return np.stack([corners.min(axis=0), corners.max(axis=0)])

    def face_xyz(self, face: int) -> Floats:
        """Return the corners of one face, (n, 3) float64, counter-clockwise."""
        if not isinstance(face, int | np.integer) or not 0 <= face < self.face_count:
            raise QueryError(f"no face {shown(face)}; faces are numbered 0 … {self.face_count - 1}")
        start, count = int(self.arrays.face_start[face]), int(self.arrays.face_count[face])
        return self.arrays.vertex_xyz[self.arrays.face_vertex[start : start + count]]

    @cached_property
    def face_area(self) -> Floats:
        """(F,) float64: area of each face seen from above, in m²."""
        first = self.arrays.face_start.astype(np.int64)
        corner = self.arrays.vertex_xyz[self.arrays.face_vertex][:, :2]
        # Relative to the first corner: far from the origin, rounding of the products would hide small faces.
        corner = corner - np.repeat(corner[first], self.arrays.face_count, axis=0)
        following = np.arange(1, len(corner) + 1)
        following[first + self.arrays.face_count - 1] = first
        twice = corner[:, 0] * corner[following, 1] - corner[following, 0] * corner[:, 1]
        return read_only(np.add.reduceat(twice, first) / 2.0)
