"""The navmesh: convex faces a body can walk on, and the portals between them."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import numpy as np

from ..checks import read_only, shown
from ..conventions import Floats, Ids, Progress
from ..errors import QueryError
from ..kernels.arrays.level_arrays import MeshArrays
from ..level.level import Level
from .body import Body
from .voxels.voxel_settings import VoxelSettings


class AnyMesh(Protocol):
    """What a query needs: a frozen `NavMesh`, or a `CutMesh` whose arrays change as cuts come and go."""

    @property
    def arrays(self) -> MeshArrays:
        """Every array a mesh query touches."""

    @property
    def body(self) -> Body:
        """The body the mesh was made for."""

    @property
    def face_component(self) -> Ids:
        """(F,) int32 by base face: faces with different numbers never reach one another."""


@dataclass(frozen=True, eq=False)
class NavMesh:
    """Where a body can walk; made by `lastseen.navmesh.build`, asked through `lastseen.navmesh.query`.

    Attributes
    ----------
    arrays : every array queries touch, read-only (see `MeshArrays`).
    face_storey : (F,) int32, storey of each face, from 0 at the bottom; no two faces of a storey overlap.
    face_component : (F,) int32, faces with the same number reach one another.
    body : the body it was made for.
    """

    arrays: MeshArrays
    face_storey: Ids
    face_component: Ids
    body: Body
    name: str = ""

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
        """Make the navmesh of a level for a body; `lastseen.navmesh.build` tells about the builders."""
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
        # Relative to the first corner: far from the origin the products would swallow small faces.
        corner = corner - np.repeat(corner[first], self.arrays.face_count, axis=0)
        following = np.arange(1, len(corner) + 1)
        following[first + self.arrays.face_count - 1] = first
        twice = corner[:, 0] * corner[following, 1] - corner[following, 0] * corner[:, 1]
        return read_only(np.add.reduceat(twice, first) / 2.0)
