"""Memory used by a layout, by part."""

from __future__ import annotations

from ..conventions import Array
from .layout import CellLayout

__all__ = ["layout_memory"]


def layout_memory(layout: CellLayout) -> dict[str, int]:
    """Return the bytes used by each part of a layout; their sum is the whole layout.

    `cells` are grid coordinates and positions, `faces` the face of each cell and the cells of each face,
    `connectivity` the links and their lengths, `access` the access table, `disabled` the bits of disabled cells and
    blocked links. The navmesh is not counted: it exists anyway.
    """
    arrays = layout.arrays
    return {
        "cells": _bytes(arrays.origin_xyz, arrays.size_xyz, arrays.shape, arrays.cell_grid, arrays.cell_xyz),
        "faces": _bytes(layout.cell_face, layout.face_cells),
        "connectivity": _bytes(arrays.link_start, arrays.link_cell, arrays.link_length),
        "access": _bytes(arrays.dense, arrays.hash_cell),
        "disabled": _bytes(arrays.disabled, arrays.blocked),
    }


def _bytes(*arrays: Array) -> int:
    return sum(array.nbytes for array in arrays)
