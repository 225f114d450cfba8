"""What blocks sight, as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["ALWAYS", "SightArrays"]

ALWAYS = 0
"""Row of `shut` of everything that is no door."""


class SightArrays(NamedTuple):
    """Upright walls and triangles in a grid of square columns. W walls, T triangles, D doors, C columns.

    Beyond a wall, to the right of someone going from its first end to its second, is matter. Walls and triangles of a
    door count while `shut[door + 1]` is 1; `shut` is the only array that changes.
    """

    wall: Array  # float64 (W, 8)  x0, y0, x1, y1; bottom and top at the first end, at the second, metres
    wall_door: Array  # uint32 (W,)  row of `shut`
    triangle: Array  # float64 (T, 16)  three corners; unit normal and offset; lowest and highest z; slack in metres
    triangle_door: Array  # uint32 (T,)  row of `shut`
    shut: Array  # uint8 (1 + D,)  row 0 is 1; row d + 1 is 1 while door d is closed
    grid: Array  # float64 (5,)  low corner x, y; columns per metre; columns along x, along y
    cell_start: Array  # uint32 (2 C + 1,)  of column c: walls from 2 c, triangles from 2 c + 1
    cell_item: Array  # uint32  numbers of walls, of triangles
