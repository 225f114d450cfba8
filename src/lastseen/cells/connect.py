"""Connectivity: between which neighbouring cells can one walk, and how far is it?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..checks import frozen
from ..conventions import Array, Floats
from ..kernels.cell_arrays import CellArrays
from ..kernels.cell_connect import (
    DIRECTIONS,
    cell_components,
    count_links,
    fill_links,
    find_pairs,
    mark_links,
    set_lengths,
)
from ..navmesh.navmesh import NavMesh
from .layout import Progress
from .walk import bent_lengths, straight_walks

__all__ = ["connect"]

_BATCH = 1 << 16  # cells whose neighbours are tried together


class _Pairs(NamedTuple):
    cell: Array  # uint32
    other: Array  # uint32
    direction: Array  # uint8


class _Bent(NamedTuple):
    pairs: _Pairs
    length: Floats


def connect(mesh: NavMesh, cells: CellArrays, cell_face: Array, progress: Progress = None) -> CellArrays:
    """Return the cells with their links: symmetric, by direction, `link_length` in metres walked.

    Notes
    -----
    A link is a straight line on the mesh that touches no corner of a wall. Where the line between two cells side by
    side is barred, a bent line that stays within their two columns will do, so that narrow bends and off-centre
    doorways stay connected. Diagonal neighbours get no second try, or corners would be cut; unless nothing else
    connects the two at all, because what lies between them is too small for a cell.
    """
    count = len(cells.cell_grid)
    mask = np.zeros(count, np.uint32)
    bent: list[_Bent] = []
    barred: list[_Pairs] = []
    room = min(count, _BATCH) * DIRECTIONS // 2
    buffer = _Pairs(np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint8))
    for first in range(0, count, _BATCH):
        last = min(first + _BATCH, count)
        found = find_pairs(cells, cell_face, mesh.face_component, first, last, mask, *buffer)
        pairs = _Pairs(*(column[:found] for column in buffer))
        holds = straight_walks(mesh.arrays, cells, cell_face, pairs.cell, pairs.other)
        mark_links(*pairs, holds, mask)
        # The straight compass points, up and down: pairs with a border in common.
        beside = (pairs.direction // 3) % 2 == 0
        bent.append(_bend(mesh, cells, cell_face, _some(pairs, ~holds & beside), mask))
        barred.append(_some(pairs, ~holds & ~beside))
        if progress is not None:
            progress("connectivity", last / count)
    connected = _with_links(cells, mask, bent)
    corners = _across_gaps(connected, _Pairs(*(np.concatenate(column) for column in zip(*barred))))
    if not len(corners.cell):
        return connected
    bent.append(_bend(mesh, cells, cell_face, corners, mask))
    return _with_links(cells, mask, bent)


def _some(pairs: _Pairs, which: Array) -> _Pairs:
    return _Pairs(*(column[which] for column in pairs))


def _bend(mesh: NavMesh, cells: CellArrays, cell_face: Array, pairs: _Pairs, mask: Array) -> _Bent:
    """Mark the pairs one can walk between along a bent line; return them with their lengths."""
    length = bent_lengths(mesh.arrays, cells, cell_face, pairs.cell, pairs.other)
    found = np.isfinite(length)
    mark_links(*pairs, found, mask)
    return _Bent(_some(pairs, found), length[found])


def _across_gaps(cells: CellArrays, diagonal: _Pairs) -> _Pairs:
    """Return the diagonal pairs that are not connected at all: what lies between them is too small for a cell."""
    if not len(diagonal.cell):
        return diagonal
    component = np.empty(len(cells.cell_grid), np.uint32)
    cell_components(cells.link_start, cells.link_cell, component)
    return _some(diagonal, component[diagonal.cell] != component[diagonal.other])


def _with_links(cells: CellArrays, mask: Array, bent: list[_Bent]) -> CellArrays:
    link_start = np.zeros(len(mask) + 1, np.uint32)
    count_links(mask, link_start)
    total = int(link_start[-1])
    link_cell = np.empty(total, cells.dense.dtype)
    link_length = np.empty(total, np.float32)
    fill_links(cells, mask, link_start, link_cell, link_length)
    for pairs, length in bent:
        set_lengths(mask, link_start, *pairs, length, link_length)
    return cells._replace(
        link_start=frozen(link_start),
        link_cell=frozen(link_cell),
        link_length=frozen(link_length),
        blocked=frozen(np.zeros((total + 7) // 8, np.uint8)),
    )
