"""What blocks sight, as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["SightArrays"]


class SightArrays(NamedTuple):
    """Upright walls and triangles in a grid of square columns. W walls, T triangles, C columns.

    Beyond a wall, to the right of someone going from its first end to its second, is matter. Walls of an open door
    have their top at their bottom, its triangles have no z that is theirs: so kernels need not ask about doors.
    Few arrays: each costs 8 ns per line where a kernel calls another.
    """

    wall: Array  # float64 (W, 8)  x0, y0, x1, y1; bottom and top at the first end, at the second, metres
    triangle: Array  # float64 (T, 16)  lowest and highest z; slack in metres; unit normal, offset; three corners
    grid: Array  # float64 (5,)  low corner x, y; columns per metre; columns along x, along y
    column: Array  # uint32  of column c: at 2 c where its walls begin here, at 2 c + 1 its triangles; then all numbers
