"""The layout: a finite set of places to stand, and the links between them."""

from __future__ import annotations

import os
from dataclasses import dataclass
from typing import Protocol

import numpy as np

from ..conventions import Array, Floats, Progress
from ..kernels.cell_arrays import CellArrays
from ..navmesh.navmesh import NavMesh

__all__ = ["AnyLayout", "CellLayout"]


class AnyLayout(Protocol):
    """A layout for cell queries: a frozen `CellLayout`, or a `LiveLayout` whose disabled bits change."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""


@dataclass(frozen=True, eq=False)
class CellLayout:
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

    @classmethod
    def from_navmesh(
        cls, mesh: NavMesh, *, cell: float = 1.0, height: float = 2.0, progress: Progress = None
    ) -> CellLayout:
        """Cut a navmesh into cells of `cell` x `cell` x `height` metres; see `lastseen.cells.build`."""
        from .build import build_layout

        return build_layout(mesh, cell=cell, height=height, progress=progress)

    @classmethod
    def load(cls, path: str | os.PathLike[str]) -> CellLayout:
        """Read a layout written by `save`; see `lastseen.cells.store`."""
        from .store import load_layout

        return load_layout(path)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Write the layout and its navmesh to one file, atomically; see `lastseen.cells.store`."""
        from .store import save_layout

        save_layout(self, path)

    def memory(self) -> dict[str, int]:
        """Return the bytes used by each part of this layout; see `lastseen.cells.memory`."""
        from .memory import layout_memory

        return layout_memory(self)

    def __len__(self) -> int:
        return len(self.arrays.cell_grid)

    @property
    def cell_offset(self) -> Floats:
        """(N,) float64: metres from the centre of each cell's box up to the floor (negative: the floor is below)."""
        level = self.arrays.cell_grid[:, 2].astype(np.float64)
        centre = self.arrays.origin_xyz[2] + (level + 0.5) * self.arrays.size_xyz[2]
        return self.arrays.cell_xyz[:, 2].astype(np.float64) - centre
