"""The layout: a finite set of places to stand and the links between them, and the memory it uses."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import TYPE_CHECKING, Protocol

import numpy as np

from ..checks import MadeByMethods, arrays_of
from ..conventions import Array, Floats, Progress
from ..errors import FrozenError
from ..extensions.notebooks import as_png
from ..kernels.arrays.level_arrays import CellArrays
from ..level.level import Level
from ..navmesh.body import Body
from ..navmesh.navmesh import NavMesh
from ..navmesh.voxels.voxel_settings import VoxelSettings

_OF_LIVE = ("close_door", "close_doors", "cut", "lift", "open_door", "set_door", "set_platform")
"""Methods of `LiveLayout` that change it."""


class AnyLayout(Protocol):
    """A layout for cell queries: a frozen `CellLayout`, or a `LiveLayout` whose disabled bits change."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""


def cell_arrays(layout: AnyLayout, name: str = "layout") -> CellArrays:
    """Return the arrays of a layout, or raise an error that says how to make one."""
    return arrays_of(layout, CellArrays, "CellLayout", name)


@dataclass(frozen=True, eq=False, repr=False)
class CellLayout(MadeByMethods):
    """Cells of a layered grid cut from a navmesh, grouped by face.

    Attributes
    ----------
    mesh : the navmesh the cells were cut from.
    arrays : all arrays queries use, read-only (see `CellArrays`).
    cell_face : (N,) uint16 or uint32, the face each cell stands on.
    face_cells : (F + 1,) uint32, cells of face `f` are `face_cells[f] … face_cells[f + 1] - 1`.
    shadowed : number of stretches of floor without a cell because a larger one took the slot.
    """

    mesh: NavMesh
    arrays: CellArrays
    cell_face: Array
    face_cells: Array
    shadowed: int = 0

    _repr_png_ = as_png

    def __repr__(self) -> str:
        return f"<CellLayout {self.mesh.name!r}: {len(self):,} cells>"

    if not TYPE_CHECKING:  # otherwise any misspelt attribute would pass

        def __getattr__(self, name):
            if name in _OF_LIVE:
                raise FrozenError(f"a CellLayout never changes; call {name}(…) of LiveLayout.from_level(level)")
            raise AttributeError(f"{type(self).__name__!r} object has no attribute {name!r}", name=name, obj=self)

    @classmethod
    def from_level(
        cls,
        level: Level,
        body: Body = Body(),
        *,
        cell: float | None = None,
        height: float = 2.0,
        builder: str = "auto",
        voxels: VoxelSettings | None = None,
        progress: Progress = None,
    ) -> CellLayout:
        """Return the cells of a level, as every command, scenario and the studio makes them.

        Parameters
        ----------
        body : the body that stands on the cells, kept its radius away from walls. With `Body(radius=0)`, the cells of
            a tile map are its passable tiles. The faces of a ready-made navmesh are taken as they are.
        cell, height : edge and height of a cell in metres; None: the tile of a tile map, else 1.
        builder, voxels : as in `NavMesh.from_level`.
        progress : called with the name of the stage and the fraction done.
        """
        from .from_level import layout_of_level

        return layout_of_level(level, body, cell=cell, height=height, builder=builder, voxels=voxels, progress=progress)

    @classmethod
    def from_navmesh(
        cls, mesh: NavMesh, *, cell: float = 1.0, height: float = 2.0, progress: Progress = None
    ) -> CellLayout:
        """Cut a navmesh into cells of `cell` x `cell` x `height` metres; see `lastseen.cells.build`."""
        from .build import build_layout

        return build_layout(mesh, cell=cell, height=height, progress=progress)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CellLayout:
        """Read a layout written by `save`; see `lastseen.cells.cell_file`."""
        from .cell_file import load_layout

        return load_layout(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the layout and its navmesh to one file, atomically; see `lastseen.cells.cell_file`."""
        from .cell_file import save_layout

        save_layout(self, path)

    def memory(self) -> dict[str, int]:
        """Return the bytes used by each part; their sum is the whole layout.

        `cells` are grid coordinates and positions, `faces` the face of each cell and the cells of each face,
        `connectivity` the links and their lengths, `access` the access table, `disabled` the bits of disabled cells and
        blocked links. The navmesh is not counted: it exists anyway.
        """
        arrays = self.arrays
        parts = {
            "cells": (arrays.origin_xyz, arrays.size_xyz, arrays.shape, arrays.cell_grid, arrays.cell_xyz),
            "faces": (self.cell_face, self.face_cells),
            "connectivity": (arrays.link_start, arrays.link_cell, arrays.link_length),
            "access": (arrays.dense, arrays.hash_cell),
            "disabled": (arrays.disabled, arrays.blocked),
        }
        return {name: sum(array.nbytes for array in part) for name, part in parts.items()}

    def __len__(self) -> int:
        return len(self.arrays.cell_grid)

    @property
    def cell_offset(self) -> Floats:
        """(N,) float64: metres from the centre of each cell's box up to the floor (negative: the floor is below)."""
        level = self.arrays.cell_grid[:, 2].astype(np.float64)
        centre = self.arrays.origin_xyz[2] + (level + 0.5) * self.arrays.size_xyz[2]
        return self.arrays.cell_xyz[:, 2].astype(np.float64) - centre
