"""Cells near a place, and the nearest one, found by scanning the access table outwards."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import jit
from .cell_access import LEVEL_SLACK, slot_cell

_PRUNE = 1.0 + 1e-9
"""Factor that widens the bound for skipping slots, so that rounding never loses a cell on the rim."""


@jit
def _slot(value: float, origin: float, size: float, slots: int, slack: float) -> int:
    """Return the slot along one axis that holds a coordinate, clamped to the grid."""
    # Clamped as a float: casting a far-off float to an integer is undefined.
    return np.int64(min(max(np.floor((value - origin) / size + slack), 0.0), np.float64(slots) - 1.0))


@jit
def _gap(value: float, origin: float, size: float, slot: int, slots: int) -> float:
    """Return the distance of a coordinate from a slot; the outermost slots extend indefinitely."""
    low = origin + slot * size
    if value < low and slot > 0:
        return low - value
    high = low + size
    if value > high and slot + 1 < slots:
        return value - high
    return 0.0


@jit
def _square_distance(cells: CellArrays, cell: int, x: float, y: float, z: float) -> float:
    dx = np.float64(cells.cell_xyz[cell, 0]) - x
    dy = np.float64(cells.cell_xyz[cell, 1]) - y
    dz = np.float64(cells.cell_xyz[cell, 2]) - z
    return dx * dx + dy * dy + dz * dz


@jit
def cells_within_radius(
    cells: CellArrays,
    points_xyz: Array,
    radius: Array,
    include_disabled: bool,
    first_point: int,
    start: Array,
    found: Array,
) -> int:
    """Find the cells within `radius` (n,) of each point (n, 3), from point `first_point` on.

    Those of point `i` go to `found[start[i]:start[i + 1]]`. Returns the first point that did not fit into `found`: the
    caller makes room and continues from there (growing an array here would take seconds to compile).
    """
    columns = np.int64(cells.shape[0])
    rows = np.int64(cells.shape[1])
    levels = np.int64(cells.shape[2])
    cell_count = np.uint64(len(cells.cell_grid))
    is_dense = len(cells.dense) > 0
    origin_x, origin_y, origin_z = cells.origin_xyz[0], cells.origin_xyz[1], cells.origin_xyz[2]
    size_x, size_y, size_z = cells.size_xyz[0], cells.size_xyz[1], cells.size_xyz[2]
    room = len(found)
    for number in range(first_point, len(points_xyz)):
        x = points_xyz[number, 0]
        y = points_xyz[number, 1]
        z = points_xyz[number, 2]
        reach = radius[number]
        square = reach * reach
        prune = square * _PRUNE
        count = start[number]
        first_level = _slot(z - reach, origin_z, size_z, levels, LEVEL_SLACK)
        last_level = _slot(z + reach, origin_z, size_z, levels, LEVEL_SLACK)
        first_row = _slot(y - reach, origin_y, size_y, rows, 0.0)
        last_row = _slot(y + reach, origin_y, size_y, rows, 0.0)
        across = min(2.0 * reach / size_x + 1.0, np.float64(columns))
        slots = (last_level - first_level + 1) * (last_row - first_row + 1) * across
        if not is_dense and slots > cell_count:
            # A wide query on a sparse grid: testing every cell is cheaper.
            if count + len(cells.cell_xyz) > room:
                return number
            for each in range(cell_count):
                near = _square_distance(cells, each, x, y, z) <= square
                if near and (include_disabled or bit(cells.disabled, np.int64(each)) == 0):
                    found[count] = each
                    count += 1
            start[number + 1] = count
            continue
        for level in range(first_level, last_level + 1):
            gap = _gap(z, origin_z - LEVEL_SLACK * size_z, size_z, level, levels)
            left_level = prune - gap * gap
            if left_level < 0.0:
                continue
            for row in range(first_row, last_row + 1):
                gap = _gap(y, origin_y, size_y, row, rows)
                left_row = left_level - gap * gap
                if left_row < 0.0:
                    continue
                half = math.sqrt(left_row)
                first = _slot(x - half, origin_x, size_x, columns, 0.0)
                last = _slot(x + half, origin_x, size_x, columns, 0.0)
                if count + last - first + 1 > room:
                    return number
                line = np.uint64((level * rows + row) * columns)
                for column in range(np.uint64(first), np.uint64(last + 1)):
                    if is_dense:
                        cell = np.uint64(cells.dense[line + column])
                        if cell >= cell_count:
                            continue
                    else:
                        known = slot_cell(cells, np.int64(column), row, level)
                        if known < 0:
                            continue
                        cell = np.uint64(known)
                    near = _square_distance(cells, cell, x, y, z) <= square
                    if near and (include_disabled or bit(cells.disabled, np.int64(cell)) == 0):
                        found[count] = cell
                        count += 1
        start[number + 1] = count
    return len(points_xyz)


@jit
def cells_in_one_box(cells: CellArrays, low: Array, high: Array, include_disabled: bool, found: Array) -> int:
    """List the cells in the closed box `low … high` (3,) in `found`, which has room for all; return how many."""
    first_column = _slot(low[0], cells.origin_xyz[0], cells.size_xyz[0], np.int64(cells.shape[0]), 0.0)
    last_column = _slot(high[0], cells.origin_xyz[0], cells.size_xyz[0], np.int64(cells.shape[0]), 0.0)
    first_row = _slot(low[1], cells.origin_xyz[1], cells.size_xyz[1], np.int64(cells.shape[1]), 0.0)
    last_row = _slot(high[1], cells.origin_xyz[1], cells.size_xyz[1], np.int64(cells.shape[1]), 0.0)
    first_level = _slot(low[2], cells.origin_xyz[2], cells.size_xyz[2], np.int64(cells.shape[2]), LEVEL_SLACK)
    last_level = _slot(high[2], cells.origin_xyz[2], cells.size_xyz[2], np.int64(cells.shape[2]), LEVEL_SLACK)
    slots = (last_level - first_level + 1) * (last_row - first_row + 1) * (last_column - first_column + 1)
    count = 0
    if slots > len(cells.cell_grid):
        for cell in range(len(cells.cell_grid)):
            if _in_box(cells, cell, low, high, include_disabled):
                found[count] = cell
                count += 1
        return count
    for level in range(first_level, last_level + 1):
        for row in range(first_row, last_row + 1):
            for column in range(first_column, last_column + 1):
                cell = slot_cell(cells, column, row, level)
                if cell >= 0 and _in_box(cells, cell, low, high, include_disabled):
                    found[count] = cell
                    count += 1
    return count


@jit
def _in_box(cells: CellArrays, cell: int, low: Array, high: Array, include_disabled: bool) -> bool:
    for axis in range(3):
        if not low[axis] <= cells.cell_xyz[cell, axis] <= high[axis]:
            return False
    return include_disabled or bit(cells.disabled, cell) == 0


@jit
def nearest_cells_of_points(
    cells: CellArrays, points_xyz: Array, radius: Array, include_disabled: bool, found: Array
) -> None:
    """Fill `found` (n,) int32 with the cell nearest to each point (n, 3) within `radius` (n,); -1: none."""
    for number in range(len(points_xyz)):
        found[number] = _nearest(
            cells,
            points_xyz[number, 0],
            points_xyz[number, 1],
            points_xyz[number, 2],
            radius[number] * radius[number],
            include_disabled,
        )


@jit
def _nearest(cells: CellArrays, x: float, y: float, z: float, square: float, include_disabled: bool) -> int:
    """Search rings of columns around the point until the next ring is farther away than the best cell."""
    columns = np.int64(cells.shape[0])
    rows = np.int64(cells.shape[1])
    levels = np.int64(cells.shape[2])
    origin_x, origin_y, origin_z = cells.origin_xyz[0], cells.origin_xyz[1], cells.origin_xyz[2]
    size_x, size_y, size_z = cells.size_xyz[0], cells.size_xyz[1], cells.size_xyz[2]
    middle_column = _slot(x, origin_x, size_x, columns, 0.0)
    middle_row = _slot(y, origin_y, size_y, rows, 0.0)
    best = np.int64(-1)
    visited = 0
    for ring in range(max(columns, rows)):
        gap = _ring_gap(cells, x, y, middle_column, middle_row, ring) if ring else 0.0
        if gap * gap > square * _PRUNE:
            break
        if visited > 4 * len(cells.cell_grid):
            return _nearest_of_all(cells, x, y, z, square, include_disabled, best)
        for row in range(max(middle_row - ring, 0), min(middle_row + ring, rows - 1) + 1):
            # Only the first and last row of a ring belong to it completely; of the others, only the two end columns.
            on_end = row == middle_row - ring or row == middle_row + ring
            step = 1 if on_end or ring == 0 else 2 * ring
            gap_y = _gap(y, origin_y, size_y, row, rows)
            for column in range(middle_column - ring, middle_column + ring + 1, step):
                if column < 0 or column >= columns:
                    continue
                gap_x = _gap(x, origin_x, size_x, column, columns)
                left = square * _PRUNE - gap_x * gap_x - gap_y * gap_y
                if left < 0.0:
                    continue
                reach = math.sqrt(left)
                first = _slot(z - reach, origin_z, size_z, levels, LEVEL_SLACK)
                last = _slot(z + reach, origin_z, size_z, levels, LEVEL_SLACK)
                visited += last - first + 1
                for level in range(first, last + 1):
                    cell = slot_cell(cells, column, row, level)
                    if cell >= 0 and (include_disabled or bit(cells.disabled, cell) == 0):
                        distance = _square_distance(cells, cell, x, y, z)
                        if distance < square or (distance == square and (best < 0 or cell < best)):
                            square = distance
                            best = cell
    return best


@jit
def _ring_gap(cells: CellArrays, x: float, y: float, middle_column: int, middle_row: int, ring: int) -> float:
    """Return a lower bound of the distance to any column of a ring; infinite if the ring lies outside the grid."""
    gap = np.inf
    if middle_column - ring >= 0:
        gap = min(gap, x - (cells.origin_xyz[0] + (middle_column - ring + 1) * cells.size_xyz[0]))
    if middle_column + ring < cells.shape[0]:
        gap = min(gap, cells.origin_xyz[0] + (middle_column + ring) * cells.size_xyz[0] - x)
    if middle_row - ring >= 0:
        gap = min(gap, y - (cells.origin_xyz[1] + (middle_row - ring + 1) * cells.size_xyz[1]))
    if middle_row + ring < cells.shape[1]:
        gap = min(gap, cells.origin_xyz[1] + (middle_row + ring) * cells.size_xyz[1] - y)
    return max(gap, 0.0)


@jit
def _nearest_of_all(
    cells: CellArrays, x: float, y: float, z: float, square: float, include_disabled: bool, best: int
) -> int:
    for cell in range(len(cells.cell_grid)):
        if include_disabled or bit(cells.disabled, cell) == 0:
            distance = _square_distance(cells, cell, x, y, z)
            if distance < square or (distance == square and (best < 0 or cell < best)):
                square = distance
                best = np.int64(cell)
    return best
