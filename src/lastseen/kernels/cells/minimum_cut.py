"""Minimum vertex cuts: the fewest cells that must be held to separate two sets of cells.

Paths that share no cell are found one after another; when no more exist, the cells that stop the search are a minimum
cut between the two sides (Menger's theorem). Cells are numbered within the queried area.
"""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

TOUCHING, TOO_MANY = -1, -2


@jit
def _lay_one(
    start: Array, other: Array, source: Array, sink: Array, used: Array, before: Array, came: Array, queue: Array
) -> int:
    """Find an augmenting path over nodes `2 v` (into a cell) and `2 v + 1` (out of it); return its last node.

    Returns -1 if there is none, -2 if a source touches a sink. `came` (2 n) receives the previous node; -1: not
    reached, -2: start.
    """
    head, tail = 0, 0
    for node in range(len(came)):
        came[node] = -1
    for cell in range(len(source)):
        if source[cell]:
            came[2 * cell + 1] = -2
            queue[tail] = 2 * cell + 1
            tail += 1
    while head < tail:
        node = queue[head]
        head += 1
        cell = node >> 1
        if node & 1:
            for link in range(start[cell], start[cell + 1]):
                to = other[link]
                if sink[to]:
                    return np.int64(-2) if source[cell] else np.int64(node)
                if not source[to] and came[2 * to] == -1:
                    came[2 * to] = node
                    queue[tail] = 2 * to
                    tail += 1
            if used[cell] and came[2 * cell] == -1:
                # Out of a cell on an existing path: that path may give up the cell.
                came[2 * cell] = node
                queue[tail] = 2 * cell
                tail += 1
        else:
            onward = 2 * np.int64(before[cell]) + 1 if used[cell] else np.int64(node + 1)
            if came[onward] == -1:
                came[onward] = node
                queue[tail] = onward
                tail += 1
    return np.int64(-1)


@jit
def fewest_cells(start: Array, other: Array, source: Array, sink: Array, most: int, cut: Array) -> int:
    """Mark in `cut` (n,) bool the fewest cells that separate sources from sinks, as near to the sources as possible.

    `start` (n + 1,) and `other` are the links; `source` and `sink` (n,) bool must not overlap. Returns the number of
    cells, `TOUCHING` if a source is linked to a sink, or `TOO_MANY` if more than `most` cells are needed.
    """
    count = len(source)
    used = np.zeros(count, np.bool_)
    before = np.full(count, -1, np.int32)
    came, queue = np.empty(2 * count, np.int64), np.empty(2 * count, np.int64)
    laid = 0
    while True:
        last = _lay_one(start, other, source, sink, used, before, came, queue)
        if last == -2:
            return TOUCHING
        if last == -1:
            break
        laid += 1
        if laid > most:
            return TOO_MANY
        node = last
        while came[node] >= 0:
            previous = came[node]
            cell, from_cell = node >> 1, previous >> 1
            if node & 1:
                if cell == from_cell:
                    used[cell] = True
            elif cell == from_cell:
                used[cell] = False
            else:
                before[cell] = from_cell
            node = previous
    for cell in range(count):
        cut[cell] = used[cell] and came[2 * cell] != -1 and came[2 * cell + 1] == -1
    return laid


@jit
def label_parts(start: Array, other: Array, label: Array) -> int:
    """Fill `label` (n,) with the connected component of each cell, ignoring link direction; return how many."""
    for cell in range(len(label)):
        label[cell] = cell
    for cell in range(len(label)):
        for link in range(start[cell], start[cell + 1]):
            _join(label, cell, np.int64(other[link]))
    return _renumber(label)


@jit
def _root(label: Array, one: int) -> int:
    while label[one] != one:
        label[one] = label[label[one]]
        one = np.int64(label[one])
    return np.int64(one)


@jit
def _join(label: Array, one: int, other: int) -> None:
    first, second = _root(label, one), _root(label, other)
    if first < second:
        label[second] = first
    else:
        label[first] = second


@jit
def _renumber(label: Array) -> int:
    """Number components 0, 1, 2 … by their lowest member; return how many there are."""
    for one in range(len(label)):
        label[one] = _root(label, one)
    count = 0
    for one in range(len(label)):
        if label[one] == one:
            label[one] = -1 - count
            count += 1
        else:
            label[one] = label[label[one]]
    for one in range(len(label)):
        label[one] = -1 - label[one]
    return count


@jit
def cluster_links(
    pair: Array, grid: Array, start: Array, other: Array, inner: Array, outer: Array, label: Array
) -> int:
    """Fill `label` (b,) with the opening through which each link leaves an area; return the number of openings.

    Two links share an opening if both their inner and their outer cells are the same or linked. `inner`, `outer` (b,)
    are numbers of cells whose links are `start`, `other`; `grid` (n, 3) holds their grid slots, `pair` (b,) the links
    in order of column.
    """
    for k in range(len(label)):
        label[k] = k
    for p in range(len(pair)):
        k = pair[p]
        for q in range(p + 1, len(pair)):
            m = pair[q]
            if np.int64(grid[inner[m], 0]) - np.int64(grid[inner[k], 0]) > 1:
                break
            if abs(np.int64(grid[inner[m], 1]) - np.int64(grid[inner[k], 1])) > 1:
                continue
            if _meet(start, other, inner[k], inner[m]) and _meet(start, other, outer[k], outer[m]):
                _join(label, k, m)
    return _renumber(label)


@jit
def _meet(start: Array, other: Array, one: int, two: int) -> bool:
    found = one == two
    for link in range(start[one], start[one + 1]):
        found = found or other[link] == two
    for link in range(start[two], start[two + 1]):
        found = found or other[link] == one
    return found
