"""Cheapest paths from cell to cell in a cost field.

An A* search for one goal, ordered by the cost so far plus the straight distance left. Work arrays have an entry per
cell, but only touched entries are written and reset: the cost of a call depends on the cells it touches.
"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import inner, jit
from .cost_field import FieldArrays, crosses_bar, shape_cost

REACHED, NO_WAY, TOO_DEAR = 0, 1, 2

_SURELY = 1.0 - 1e-6
"""Factor that keeps straight distances below walking distances, as lengths of links are rounded to 32 bits."""

_NOT_WAITING = -1


class CostWork(NamedTuple):
    """Work arrays for N cells."""

    cost: Array  # float64 (N,)  so far; resting: inf
    extra: Array  # float64 (N,)  additional cost per metre at a touched cell; any
    before: Array  # int32 (N,)  previous cell of the path; any
    place: Array  # int32 (N,)  index of a touched cell in the heap, -1: not in it; any
    heap: Array  # uint32 (N,)  any
    key: Array  # float64 (N,)  of the cells in the heap; any
    touched: Array  # uint32 (N,)  any


@jit
def _rise(work: CostWork, at: np.uint64) -> None:
    """Sift a cell of the heap up: least key first, then lowest id."""
    heap, key, place = work.heap, work.key, work.place
    one = np.uint64(1)
    cell, mine = heap[at], key[at]
    while at > np.uint64(0):
        above = (at - one) >> one
        if key[above] < mine or (key[above] == mine and heap[above] < cell):
            break
        heap[at], key[at] = heap[above], key[above]
        place[np.uint64(heap[at])] = np.int32(at)
        at = above
    heap[at], key[at] = cell, mine
    place[np.uint64(cell)] = np.int32(at)


@jit
def _take(work: CostWork, size: np.uint64) -> np.uint64:
    """Pop the first of `size` cells from the heap."""
    heap, key, place = work.heap, work.key, work.place
    one = np.uint64(1)
    first = np.uint64(heap[0])
    place[first] = _NOT_WAITING
    size -= one
    cell, mine = heap[size], key[size]
    at = np.uint64(0)
    while True:
        child = (at << one) + one
        if child >= size:
            break
        if child + one < size and (
            key[child + one] < key[child] or (key[child + one] == key[child] and heap[child + one] < heap[child])
        ):
            child += one
        if mine < key[child] or (mine == key[child] and cell < heap[child]):
            break
        heap[at], key[at] = heap[child], key[child]
        place[np.uint64(heap[at])] = np.int32(at)
        at = child
    if size > np.uint64(0):
        heap[at], key[at] = cell, mine
        place[np.uint64(cell)] = np.int32(at)
    return first


@jit
def _left(cells: CellArrays, cell: np.uint64, goal: np.uint64) -> float:
    """Return a lower bound of the cost of a path from a cell to the goal."""
    dx = np.float64(cells.cell_xyz[cell, 0]) - np.float64(cells.cell_xyz[goal, 0])
    dy = np.float64(cells.cell_xyz[cell, 1]) - np.float64(cells.cell_xyz[goal, 1])
    dz = np.float64(cells.cell_xyz[cell, 2]) - np.float64(cells.cell_xyz[goal, 2])
    return math.sqrt(dx * dx + dy * dy + dz * dz) * _SURELY


@jit
def _extra(cells: CellArrays, field: FieldArrays, cell: np.uint64) -> float:
    x, y, z = cells.cell_xyz[cell, 0], cells.cell_xyz[cell, 1], cells.cell_xyz[cell, 2]
    return field.base[cell] + shape_cost(field.shape, np.float64(x), np.float64(y), np.float64(z))


@inner
def cheapest_way(
    cells: CellArrays, field: FieldArrays, start: int, goal: int, most: float, work: CostWork, way: Array
) -> tuple[int, float, int, int]:
    """Return status, cost, number of cells of the path and number touched; fill `way` (N,) with the path, goal first.

    A link costs its metres times one plus the mean additional cost of its two cells. The search stops as soon as the
    cost is certain to exceed `most`. Disabled cells, blocked links and links across bars are not used.
    """
    one = np.uint64(1)
    source, target = np.uint64(start), np.uint64(goal)
    cost, extra, place = work.cost, work.extra, work.place
    size, touched = np.uint64(0), np.uint64(0)
    status, length = NO_WAY, np.int64(0)
    if not bit(cells.disabled, source) and not bit(cells.disabled, target):
        cost[source], extra[source] = 0.0, _extra(cells, field, source)
        work.touched[0], touched = source, one
        work.heap[0], work.key[0], size = source, _left(cells, source, target), one
        place[source] = 0
    while size > np.uint64(0):
        if work.key[0] > most:
            status = TOO_DEAR
            break
        cell = _take(work, size)
        size -= one
        if cell == target:
            status = REACHED
            break
        here, own_extra = cost[cell], extra[cell]
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            metres = np.float64(cells.link_length[link])
            known = cost[other]
            if here + metres >= known or bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            if len(field.bar) and crosses_bar(
                field.bar,
                np.float64(cells.cell_xyz[cell, 0]),
                np.float64(cells.cell_xyz[cell, 1]),
                np.float64(cells.cell_xyz[cell, 2]),
                np.float64(cells.cell_xyz[other, 0]),
                np.float64(cells.cell_xyz[other, 1]),
                np.float64(cells.cell_xyz[other, 2]),
            ):
                continue
            if known == np.inf:
                extra[other] = _extra(cells, field, other)
            price = here + metres * (1.0 + 0.5 * (own_extra + extra[other]))
            if not price < known:
                continue
            if known == np.inf:
                work.touched[touched] = other
                touched += one
                place[other] = _NOT_WAITING
            cost[other] = price
            work.before[other] = np.int32(cell)
            at = np.uint64(place[other]) if place[other] >= 0 else size
            if at == size:
                size += one
            work.heap[at], work.key[at] = other, price + _left(cells, other, target)
            _rise(work, at)
    price = np.inf
    if status == REACHED:
        price = cost[target]
        cell = target
        while True:
            way[length] = cell
            length += 1
            if cell == source:
                break
            cell = np.uint64(work.before[cell])
    for k in range(touched):
        cost[np.uint64(work.touched[k])] = np.inf
    return status, price, length, np.int64(touched)


@jit
def cheapest_ways(
    cells: CellArrays,
    field: FieldArrays,
    starts: Array,
    goals: Array,
    most: Array,
    work: CostWork,
    way: Array,
    status: Array,
    price: Array,
    touched: Array,
    way_start: Array,
) -> Array:
    """Find the cheapest path for each pair of cells (n,) up to a cost of `most` (n,); return the cells of all, int32.

    Fills `status`, `price`, `touched` (n,) and `way_start` (n + 1,). Pairs with a cell of -1 have no path.
    """
    found = np.empty(256, np.int32)
    way_start[0] = 0
    for i in range(len(starts)):
        status[i], price[i], touched[i], length = NO_WAY, np.inf, 0, 0
        if starts[i] >= 0 and goals[i] >= 0:
            status[i], price[i], length, touched[i] = cheapest_way(
                cells, field, starts[i], goals[i], most[i], work, way
            )
        end = way_start[i] + length
        if end > len(found):
            longer = np.empty(2 * end, np.int32)
            longer[: way_start[i]] = found[: way_start[i]]
            found = longer
        for k in range(length):
            found[end - 1 - k] = way[k]
        way_start[i + 1] = end
    return found[: way_start[len(starts)]]
