"""What a layout costs: bytes by part."""

from __future__ import annotations

from dataclasses import dataclass

from ..conventions import Array
from .layout import CellLayout

__all__ = ["LayoutMemory", "layout_memory"]


@dataclass(frozen=True)
class LayoutMemory:
    """Bytes a layout's arrays take, by part. The navmesh is listed but not counted in `total`: it is there anyway.

    Attributes
    ----------
    cells : grid coordinates and positions.
    faces : the face of each cell and the cells of each face.
    connectivity : links and their lengths.
    access : the access table.
    disabled : the bits of disabled cells and blocked links.
    navmesh : the mesh the cells stand on.
    """

    cells: int
    faces: int
    connectivity: int
    access: int
    disabled: int
    navmesh: int

    @property
    def total(self) -> int:
        """Bytes of the layout itself."""
        return self.cells + self.faces + self.connectivity + self.access + self.disabled


def layout_memory(layout: CellLayout) -> LayoutMemory:
    """How many bytes do the parts of a layout take?"""
    arrays = layout.arrays
    return LayoutMemory(
        cells=_bytes(arrays.origin_xyz, arrays.size_xyz, arrays.shape, arrays.cell_grid, arrays.cell_xyz),
        faces=_bytes(layout.cell_face, layout.face_cells),
        connectivity=_bytes(arrays.link_start, arrays.link_cell, arrays.link_length),
        access=_bytes(arrays.dense, arrays.hash_cell),
        disabled=_bytes(arrays.disabled, arrays.blocked),
        navmesh=_bytes(*layout.mesh.arrays, layout.mesh.face_storey, layout.mesh.face_component),
    )


def _bytes(*arrays: Array) -> int:
    return sum(array.nbytes for array in arrays)
