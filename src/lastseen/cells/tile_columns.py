"""Cells of a tile map, cut without clipping and connected without raycasts.

If every corner of the mesh lies on a grid line, most columns are covered by one face or by none. Whether two such
columns are connected follows from the portals on their borders.
"""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Bools, Ids
from ..kernels.arrays.level_arrays import CellArrays, MeshArrays

_NOTHING, _UNKNOWN = -1, -2
_ON_LINE = 1e-7
"""Metres, or share of a cell below one metre, by which corners may miss a line: far below any contact or sliver."""
_MOST_SLOTS = 64
"""Most grid columns per cell for which a table of all columns is built."""
_EAST, _NORTH_EAST, _NORTH, _NORTH_WEST = 1, 4, 7, 10


def _lines(points_xy: Array, origin_xyz: Array, size_xyz: Array) -> Ids | None:
    """Return the grid lines points (…, 2) lie on, from 0 at the origin, or None if a point lies between lines."""
    size = size_xyz[:2]
    steps = (points_xy - origin_xyz[:2]) / size
    lines = np.rint(steps)
    if not (np.abs(steps - lines) * size <= _ON_LINE * np.minimum(size, 1.0)).all():
        return None
    return lines.astype(np.int64)


def rectangles_on_lines(mesh: MeshArrays, origin_xyz: Array, size_xyz: Array) -> tuple[Ids, Ids] | None:
    """Return the low and high lines (F, 2) that bound each face, or None if a face is not a rectangle on lines."""
    if (mesh.face_count != 4).any():
        return None
    lines = _lines(mesh.vertex_xyz[mesh.face_vertex, :2], origin_xyz, size_xyz)
    if lines is None:
        return None
    corner = lines.reshape(-1, 4, 2)
    low, high = corner.min(axis=1), corner.max(axis=1)
    if not ((corner == low[:, None]) | (corner == high[:, None])).all():
        return None
    return low, high


class WholeColumns:
    """Columns of a flat grid that are each covered by one face, and which of their borders are open."""

    def __init__(self, mesh: MeshArrays, cells: CellArrays, column: Array, face: Array, area: Array):
        """Take `column`, `face` and `area` of all pieces of floor, see `cut_faces`."""
        columns, rows, levels = cells.shape.tolist()
        self._origin, self._size = cells.origin_xyz[:2], cells.size_xyz[:2]
        self._xyz, self._grid = cells.cell_xyz, cells.cell_grid
        few = levels == 1 and rows * columns <= _MOST_SLOTS * len(cells.cell_grid)
        self._applies = few and _lines(mesh.vertex_xyz[:, :2], cells.origin_xyz, cells.size_xyz) is not None
        if not self._applies:
            return
        floor = np.full(rows * columns, _NOTHING, np.int32)
        floor[column] = _UNKNOWN
        alone = np.bincount(column, minlength=len(floor))[column] == 1
        whole = alone & (area == np.float32(self._size[0] * self._size[1]))
        floor[column[whole]] = face[whole]
        # A rim of empty columns allows looking up the neighbours of the outermost ones.
        self._floor = np.pad(floor.reshape(rows, columns), 1, constant_values=_NOTHING)
        self._east, self._north = self._borders(mesh, 0), self._borders(mesh, 1)

    def _borders(self, mesh: MeshArrays, axis: int) -> Bools:
        """Return which whole columns are open along their entire border with the next one along an axis."""
        floor = self._floor if axis == 0 else self._floor.T
        opened = np.zeros(floor.shape, np.bool_)
        opened[:, :-1] = (floor[:, :-1] == floor[:, 1:]) & (floor[:, :-1] >= 0)
        ends = np.rint((mesh.link_portal[:, :, :2] - self._origin) / self._size).astype(np.int64)
        # Leaving east, the right end lies south; leaving north, it lies east.
        right, left = ends[:, axis, 1 - axis], ends[:, 1 - axis, 1 - axis]
        at = ends[:, 0, axis]
        leaving = np.repeat(np.arange(len(mesh.link_start)), mesh.link_count)
        onward = np.flatnonzero((at == ends[:, 1, axis]) & (right < left))
        count = (left - right)[onward]
        link = np.repeat(onward, count)
        along = np.arange(len(link)) - np.repeat(np.cumsum(count) - count, count) + right[link] + 1
        joined = (floor[along, at[link]] == leaving[link]) & (floor[along, at[link] + 1] == mesh.link_face[link])
        opened[along[joined], at[link][joined]] = True
        return opened if axis == 0 else opened.T

    def walks(self, cell: Array, other: Array, direction: Array) -> tuple[Bools, Bools]:
        """Return for pairs of neighbours (ids and directions, (n,) each) whether the answer is known, and the answer.

        A straight walk to the next column crosses their border, a diagonal one the corner where four columns meet: it
        passes if all four are open to one another, and is blocked by the wall of an empty one.
        """
        holds = np.zeros(len(cell), np.bool_)
        if not self._applies:
            return np.zeros(len(cell), np.bool_), holds
        x, y = self._grid[cell, 0].astype(np.int64) + 1, self._grid[cell, 1].astype(np.int64) + 1
        is_whole = (self._floor[y, x] >= 0) & (self._floor[self._grid[other, 1] + 1, self._grid[other, 0] + 1] >= 0)
        holds |= (direction == _EAST) & self._east[y, x]
        holds |= (direction == _NORTH) & self._north[y, x]
        slanted = (direction == _NORTH_EAST) | (direction == _NORTH_WEST)
        # The western column at the corner of four: a walk to the north-west leaves from an eastern one.
        west = x - (direction == _NORTH_WEST)
        holds |= slanted & (
            self._east[y, west] & self._east[y + 1, west] & self._north[y, west] & self._north[y, west + 1]
        )
        side = np.where(direction == _NORTH_WEST, -1, 1)
        empty = (self._floor[y, x + side] == _NOTHING) | (self._floor[y + 1, x] == _NOTHING)
        barred = slanted & empty & self._meets_corner(cell, other, west, y)
        return is_whole & (holds | barred), holds & is_whole

    def _meets_corner(self, cell: Array, other: Array, west: Array, south: Array) -> Bools:
        """Return whether the line between two cells runs practically through the corner of four columns."""
        start, end = (self._xyz[ids, :2].astype(np.float64) for ids in (cell, other))
        line = end - start
        corner = self._origin + np.column_stack([west, south]) * self._size - start
        off = line[:, 0] * corner[:, 1] - line[:, 1] * corner[:, 0]
        return np.asarray(np.abs(off) <= 1e-6 * np.hypot(line[:, 0], line[:, 1]))
