"""How many cells come into view from each of several cells near one another, a row of cells at a time.

The cells around are read once into a window of bits. From a cell, sight goes on ring by ring within four quadrants: a
row (or column) of a quadrant is one word, and the next follows from it by shifts. The rules are those of `look_from`.
"""

from __future__ import annotations

import numpy as np

from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..cells.cell_access import slot_cell
from ..jit import inner, jit
from .cell_sight import Sight, is_marked, mark
from .heat_flood import CLOSED, FloodWork

_MIDDLE, _RINGS, _STEPS = 31, 22, 9
"""Bit of the middle; most cells seen ahead, and most cells from the middle to a cell that is looked from."""
_SLACK = 0.01
"""Share of a cell by which rounding may move positions."""
_FLOOR, _FRESH, _SHUT = 0, 1, 2
"""Planes of a window: enabled cells, those that count, and from here on those without an open link in direction 0 …"""
_COMPASS = np.array([[5, 6, 7], [4, 8, 0], [3, 2, 1]])
"""Number of the direction (E, NE, N …, the order of a cell's links) by row and column of a step; 8: none."""
_AHEAD = np.array([[[2, 1, 3], [6, 7, 5]], [[0, 1, 7], [4, 3, 5]]])
"""By rows and by columns, forwards and backwards: the directions straight on, to the next bit and to the last."""
_RING, _PLACE = np.mgrid[0:_RINGS, -_RINGS : _RINGS + 1]
_ONWARD = np.stack(
    [
        np.where((abs(_PLACE) <= _RING) & (2 * abs(off) <= _RING + 1), 1 << (_PLACE + _RINGS), 0).sum(axis=1)
        for off in (_PLACE, _PLACE - _RING, _PLACE + _RING)
    ]
).astype(np.uint64)
"""Places (3, rings) in each ring from which sight goes straight on, to the next bit and to the last.

A place is seen from the point one ring before it on the line from the source, rounded (both ways at half).
"""
_KNOWN, _IRREGULAR = 256, 512
"""Flags of `Sight.missing`: the entry is filled; the links do not lead to neighbours in the order of directions."""


@jit
def _learn(cells: CellArrays, sight: Sight, cell: np.uint64) -> None:
    missing, last = _KNOWN + 255, np.int64(-1)
    for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + np.uint64(1)])):
        other = np.uint64(cells.link_cell[link])
        right = np.int64(cells.cell_grid[other, 0]) - np.int64(cells.cell_grid[cell, 0])
        up = np.int64(cells.cell_grid[other, 1]) - np.int64(cells.cell_grid[cell, 1])
        way = np.int64(_COMPASS[up + 1, right + 1]) if abs(right) <= 1 and abs(up) <= 1 else np.int64(8)
        if way <= last or way == 8:
            missing = _KNOWN + _IRREGULAR
            break
        missing -= 1 << way
        last = way
    sight.missing[cell] = missing


@inner
def open_window(
    cells: CellArrays, work: FloodWork, sight: Sight, here: np.uint64, reach: float, distance: float, least: int
) -> bool:
    """Read the cells within `reach` plus `distance` metres of `here`; return whether they fit in a window.

    They fit if they lie at the centres of squares on one level that are not too small. Cells count if they are not
    marked in row 1 of `sight`, not closed, and heated in step `least` or later (below 0: in any).
    """
    size, one = cells.size_xyz[0], np.uint64(1)
    rings, steps = np.int64(distance / size + _SLACK), np.int64(reach / size + _SLACK)
    if cells.shape[2] != 1 or rings > _RINGS or steps > _STEPS:
        return False
    half, cells_ahead = rings + steps, distance / size
    for side in range(2):
        for plane in range(10):
            for line in range(_MIDDLE - half - 1, _MIDDLE + half + 2):
                sight.planes[side, plane, line] = 0
    for ring in range(rings + 1):
        farther, nearer = ring + _SLACK, max(ring - _SLACK, 0.0)
        inside, outside = cells_ahead * cells_ahead - farther * farther, cells_ahead * cells_ahead - nearer * nearer
        sight.span[0, ring] = np.int64(np.floor(np.sqrt(inside) - _SLACK)) if inside > 0.0 else -1
        sight.span[1, ring] = np.int64(np.sqrt(outside) + _SLACK) if outside >= 0.0 else -1
    left, bottom = np.int64(cells.cell_grid[here, 0]) - _MIDDLE, np.int64(cells.cell_grid[here, 1]) - _MIDDLE
    sight.place[0], sight.place[1], sight.place[2] = left, bottom, rings
    columns, rows = np.int64(cells.shape[0]), np.int64(cells.shape[1])
    for y in range(max(_MIDDLE - half, -bottom), min(_MIDDLE + half + 1, rows - bottom)):
        wide = np.int64(np.sqrt(np.float64((half + 1) * (half + 1) - (y - _MIDDLE) * (y - _MIDDLE))))
        wide = min(wide, half)
        for x in range(max(_MIDDLE - wide, -left), min(_MIDDLE + wide + 1, columns - left)):
            slot = slot_cell(cells, left + x, bottom + y, 0)
            if slot < 0:
                continue
            cell = np.uint64(slot)
            if bit(cells.disabled, cell):
                continue
            if sight.missing[cell] == 0:
                _learn(cells, sight, cell)
            shut = np.int64(sight.missing[cell])
            if shut & _IRREGULAR:
                return False
            sight.window[y, x] = cell
            across, along = one << np.uint64(x), one << np.uint64(y)
            sight.planes[0, _FLOOR, y] |= across
            sight.planes[1, _FLOOR, x] |= along
            state = np.int64(work.state[cell])
            if not is_marked(sight, 1, cell) and state != CLOSED and (least < 0 or state >= max(least, 1)):
                sight.planes[0, _FRESH, y] |= across
                sight.planes[1, _FRESH, x] |= along
            shut = _with_blocked(cells, cell, shut & 255)
            way = 0
            while shut:
                if shut & 1:
                    sight.planes[0, _SHUT + way, y] |= across
                    sight.planes[1, _SHUT + way, x] |= along
                shut >>= 1
                way += 1
    return True


@inner
def _with_blocked(cells: CellArrays, cell: np.uint64, missing: int) -> int:
    """Return the directions of links that are missing or blocked."""
    one, three = np.uint64(1), np.uint64(3)
    first, end = np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])
    # At most eight links: their bits are in one byte or two.
    if first == end or cells.blocked[first >> three] | cells.blocked[(end - one) >> three] == 0:
        return missing
    shut, way = missing, 0
    for link in range(first, end):
        while missing >> way & 1:
            way += 1
        if bit(cells.blocked, link):
            shut |= 1 << way
        way += 1
    return shut


@inner
def look_in_window(cells: CellArrays, sight: Sight, source: np.uint64, distance: float, marks: bool) -> int:
    """Return how many of the cells that count are seen from a cell of the window within `distance` metres.

    `marks`: mark the cells seen in row 1 of `sight`, and let them count no longer.
    """
    one, rings, square = np.uint64(1), sight.place[2], distance * distance
    x = np.int64(cells.cell_grid[source, 0]) - sight.place[0]
    y = np.int64(cells.cell_grid[source, 1]) - sight.place[1]
    start_x, start_y = np.float64(cells.cell_xyz[source, 0]), np.float64(cells.cell_xyz[source, 1])
    shown = np.int64(sight.planes[0, _FRESH, y] >> np.uint64(x) & one)
    if marks:
        _mark_run(sight, 0, y, x, 0, one << np.uint64(x))
    for side in range(2):
        line, place = (y, x) if side == 0 else (x, y)
        shift = np.uint64(place - _RINGS)
        for back in range(2):
            at, step, seen = line, 1 - 2 * back, one << np.uint64(place)
            straight, up, down = (
                _SHUT + _AHEAD[side, back, 0],
                _SHUT + _AHEAD[side, back, 1],
                _SHUT + _AHEAD[side, back, 2],
            )
            for ring in range(rings):
                ahead = seen & _ONWARD[0, ring] << shift & ~sight.planes[side, straight, at]
                ahead |= (seen & _ONWARD[1, ring] << shift & ~sight.planes[side, up, at]) << one
                ahead |= (seen & _ONWARD[2, ring] << shift & ~sight.planes[side, down, at]) >> one
                at += step
                inside, outside = sight.span[0, ring + 1], min(sight.span[1, ring + 1], ring + 1)
                if outside < 0:
                    break
                ahead &= sight.planes[side, _FLOOR, at] & _run(place, outside)
                # Rounding decides between these: as by `look_from`, from the positions.
                for far in range(inside + 1, outside + 1):
                    for k in range(place - far, place + far + 1, max(2 * far, 1)):
                        if ahead >> np.uint64(k) & one:
                            cell = np.uint64(sight.window[at, k] if side == 0 else sight.window[k, at])
                            dx = np.float64(cells.cell_xyz[cell, 0]) - start_x
                            dy = np.float64(cells.cell_xyz[cell, 1]) - start_y
                            if dx * dx + dy * dy > square:
                                ahead &= ~(one << np.uint64(k))
                if ahead == 0:
                    break
                seen = ahead
                # Diagonals belong to two quadrants: count them by rows.
                counted = ahead & sight.planes[side, _FRESH, at]
                shown += _ones(counted if side == 0 else counted & _run(place, ring))
                if marks:
                    _mark_run(sight, side, at, place, outside, ahead)
    return shown


@jit
def _mark_run(sight: Sight, side: int, at: int, place: int, many: int, seen: np.uint64) -> None:
    """Mark the cells of a row or column that are seen, at most `many` off a place, and let them count no longer."""
    one = np.uint64(1)
    sight.planes[side, _FRESH, at] &= ~seen
    for k in range(place - many, place + many + 1):
        if seen >> np.uint64(k) & one:
            sight.planes[1 - side, _FRESH, k] &= ~(one << np.uint64(at))
            mark(sight, 1, np.uint64(sight.window[at, k] if side == 0 else sight.window[k, at]))


@jit
def _run(middle: int, many: int) -> np.uint64:
    """Return a word with `many` bits set on both sides of the one in the middle."""
    one = np.uint64(1)
    return ((one << np.uint64(2 * many + 1)) - one) << np.uint64(middle - many)


@jit
def _ones(word: np.uint64) -> int:
    """Return the number of bits set."""
    for shift, mask in (
        (1, 0x5555555555555555),
        (2, 0x3333333333333333),
        (4, 0x0F0F0F0F0F0F0F0F),
        (8, 0x00FF00FF00FF00FF),
        (16, 0x0000FFFF0000FFFF),
        (32, 0x00000000FFFFFFFF),
    ):
        word = (word & np.uint64(mask)) + (word >> np.uint64(shift) & np.uint64(mask))
    return np.int64(word)
