"""Cell queries: the cell at a position, cells near it, its neighbours, and faces without a cell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import expect, point_xyz, points_xyz, read_only, real_array, shown
from ..conventions import Array, Floats, Ids
from ..errors import InputError, QueryError
from ..kernels.arrays.bits import bit
from ..kernels.cells.cell_access import cells_of_points
from ..kernels.cells.nearby_cells import cells_in_one_box, cells_within_radius, nearest_cells_of_points
from .layout import AnyLayout, CellLayout, cell_arrays

_ROOM = 1024


@dataclass(frozen=True, eq=False)
class CellSets:
    """Several sets of cells in one array: set `i` is `cell[start[i]:start[i + 1]]`.

    Attributes
    ----------
    start : (n + 1,) int64.
    cell : int32 cell ids.
    """

    start: Array
    cell: Ids

    def __len__(self) -> int:
        return len(self.start) - 1

    def __getitem__(self, number: int) -> Ids:
        if not -len(self) <= number < len(self):
            raise IndexError(f"set {number} of {len(self)}")
        number %= len(self)
        return self.cell[self.start[number] : self.start[number + 1]]


def cell_at(layout: AnyLayout, xyz: Any, *, include_disabled: bool = False) -> int:
    """Return the cell at a position, or -1.

    Parameters
    ----------
    xyz : (x, y, z) or (x, y) in metres.

    Notes
    -----
    Candidates are the cells of the position's column: the one of its own level, and those of the levels below and above
    whose floor is within half a level; the floor nearest in height wins. So feet slightly above or below the floor,
    and heads, find the cell they belong to.
    """
    found = np.empty(1, np.int32)
    cells_of_points(cell_arrays(layout), point_xyz(xyz, "xyz")[None], include_disabled, found)
    return int(found[0])


def cells_at(layout: AnyLayout, points: Any, *, include_disabled: bool = False) -> Ids:
    """Return the cell at each position (n, 3): (n,) int32, -1 for none; see `cell_at`."""
    points = points_xyz(points)
    found = np.empty(len(points), np.int32)
    cells_of_points(cell_arrays(layout), points, include_disabled, found)
    return read_only(found)


def nearest_cell(layout: AnyLayout, xyz: Any, max_radius: float = np.inf, *, include_disabled: bool = False) -> int:
    """Return the cell nearest in space, at most `max_radius` metres away, or -1; ties go to the lowest id."""
    return int(_nearest(layout, point_xyz(xyz, "xyz")[None], max_radius, include_disabled)[0])


def nearest_cells(layout: AnyLayout, points: Any, max_radius: Any = np.inf, *, include_disabled: bool = False) -> Ids:
    """Return the cell nearest to each position (n, 3): (n,) int32, -1 for none in range; see `nearest_cell`."""
    return read_only(_nearest(layout, points_xyz(points), max_radius, include_disabled))


def cells_within(layout: AnyLayout, xyz: Any, radius: float, *, include_disabled: bool = False) -> Ids:
    """Return the cells within `radius` metres of a position, measured in space, as int32 ids.

    The order is unspecified, but deterministic.
    """
    return _within(layout, point_xyz(xyz, "xyz")[None], _radii(radius, 1), include_disabled)[1]


def cells_within_many(layout: AnyLayout, points: Any, radius: Any, *, include_disabled: bool = False) -> CellSets:
    """Return the cells within `radius` (one, or (n,)) of each position (n, 3). See `cells_within`.

    Notes
    -----
    The original design keeps a k-d tree for this. Here the rows of the access table that the sphere meets are scanned:
    the cells already form a grid, and that is an order of magnitude faster (`benchmarks/bench_cells.py`).
    """
    points = points_xyz(points)
    return CellSets(*_within(layout, points, _radii(radius, len(points)), include_disabled))


def cells_in_box(layout: AnyLayout, low_xyz: Any, high_xyz: Any, *, include_disabled: bool = False) -> Ids:
    """Return the cells in the closed box between two corners, as int32 ids in unspecified order."""
    low, high = point_xyz(low_xyz, "low_xyz"), point_xyz(high_xyz, "high_xyz")
    if (low > high).any():
        raise InputError(f"low_xyz {low.tolist()} must not exceed high_xyz {high.tolist()}; swap the coordinates")
    arrays = cell_arrays(layout)
    found = np.empty(len(arrays.cell_grid), np.int32)
    return read_only(found[: cells_in_one_box(arrays, low, high, include_disabled, found)].copy())


def neighbours(layout: AnyLayout, cell: int, *, include_blocked: bool = False) -> tuple[Ids, Floats]:
    """Return the cells linked to a cell and the metres to each, (k,) int32 and (k,) float32, ordered by direction.

    Links blocked by a cut and disabled cells are omitted unless `include_blocked`.
    """
    arrays = cell_arrays(layout)
    cell = _cell(layout, cell)
    first, last = int(arrays.link_start[cell]), int(arrays.link_start[cell + 1])
    other, length = arrays.link_cell[first:last].astype(np.int32), arrays.link_length[first:last]
    if include_blocked:
        return read_only(other), length
    if bit(arrays.disabled, cell):
        return read_only(other[:0]), length[:0]
    link = np.arange(first, last)
    barred = arrays.blocked[link >> 3] >> (link & 7) | arrays.disabled[other >> 3] >> (other & 7)
    return read_only(other[barred & 1 == 0]), read_only(length[barred & 1 == 0])


def cells_of_face(layout: CellLayout, face: int) -> range:
    """Return the cells on a face, as a range: cells are grouped by face."""
    expect(layout, CellLayout, "layout")
    count = len(layout.face_cells) - 1
    if not _is_id(face) or not 0 <= face < count:
        raise QueryError(f"no face {shown(face)}; faces are numbered 0 … {count - 1}")
    return range(int(layout.face_cells[face]), int(layout.face_cells[face + 1]))


def position(layout: AnyLayout, cell: int) -> Floats:
    """Return the standing position of a cell: (3,) float64, metres, on the floor."""
    return read_only(cell_arrays(layout).cell_xyz[_cell(layout, cell)].astype(np.float64))


def positions(layout: AnyLayout, cells: Any) -> Floats:
    """Return the standing position of each cell: (n, 3) float64, metres, on the floor."""
    standing = cell_arrays(layout).cell_xyz
    try:
        ids = np.asarray(cells)
    except (TypeError, ValueError):
        raise QueryError(f"cells must be ids of shape (n,), got {shown(cells)}") from None
    if ids.size == 0:
        return read_only(np.zeros((0, 3)))
    if ids.ndim != 1 or ids.dtype.kind not in "iu":
        raise QueryError(f"cells must be ids of shape (n,), got {ids.dtype} of shape {ids.shape}")
    _cell(layout, ids.min())
    _cell(layout, ids.max())
    return read_only(standing[ids].astype(np.float64))


def _nearest(layout: AnyLayout, points: Floats, max_radius: Any, include_disabled: bool) -> Ids:
    found = np.empty(len(points), np.int32)
    nearest_cells_of_points(cell_arrays(layout), points, _radii(max_radius, len(points)), include_disabled, found)
    return found


def _within(layout: AnyLayout, points: Floats, radii: Floats, include_disabled: bool) -> tuple[Array, Ids]:
    """Return the start of each point's cells, and the cells; enlarge the buffer until all fit."""
    start = np.zeros(len(points) + 1, np.int64)
    cell = np.empty(_ROOM, np.int32)
    arrays, done = cell_arrays(layout), 0
    while True:
        done = cells_within_radius(arrays, points, radii, include_disabled, done, start, cell)
        if done == len(points):
            return read_only(start), read_only(cell[: start[-1]])
        # Expect as many cells per remaining point as for those done so far, plus half as much again.
        expected = int(start[done]) * len(points) // max(done, 1) * 3 // 2
        cell = np.resize(cell, max(2 * len(cell), expected))


def _cell(layout: AnyLayout, cell: Any) -> int:
    count = len(cell_arrays(layout).cell_grid)
    if not _is_id(cell) or not 0 <= cell < count:
        raise QueryError(f"no cell {shown(cell)}; cells are numbered 0 … {count - 1}")
    return int(cell)


def _is_id(value: Any) -> bool:
    return isinstance(value, int | np.integer) and not isinstance(value, bool)


def _radii(radius: Any, count: int) -> Floats:
    """Return one radius per point, at least 0; infinity is allowed."""
    if type(radius) is float and radius >= 0.0:
        return np.full(count, radius)
    allowed = f"one number of metres, 0 or more, or one per point ({count})"
    radii = real_array(radius, "radius", allowed)
    if radii.shape not in ((), (count,)) or not (radii >= 0.0).all():
        raise InputError(f"radius is {shown(radius)}; give {allowed}")
    return np.full(count, radii)


def faces_without_cell(layout: CellLayout) -> Ids:
    """Return the faces that own no cell, as int32 face ids.

    Every slot such a face reaches into belongs to a neighbour (or, if `CellLayout.shadowed` is not 0, to a
    larger floor at nearly the same height), or the face is thinner than the rounding error.
    """
    expect(layout, CellLayout, "layout")
    return np.flatnonzero(np.diff(layout.face_cells.astype(np.int64)) == 0).astype(np.int32)
