"""Connectivity: between which neighbouring cells can one walk, and how far is it?"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..checks import frozen
from ..conventions import Array, Bools, Floats
from ..kernels.cell_arrays import CellArrays
from ..kernels.cell_connect import DIRECTIONS, count_links, fill_links, find_pairs, mark_links, set_lengths
from ..kernels.mesh_arrays import MeshArrays
from ..navmesh.navmesh import NavMesh
from .layout import Progress
from .walk import bent_lengths, straight_walks

__all__ = ["connect"]

_BATCH = 1 << 16  # cells whose neighbours are tried together


class _Pairs(NamedTuple):
    cell: Array  # uint32
    other: Array  # uint32
    direction: Array  # uint8


def connect(mesh: NavMesh, cells: CellArrays, cell_face: Array, progress: Progress = None) -> CellArrays:
    """Return the cells with their links: symmetric, by direction, `link_length` in metres walked.

    Notes
    -----
    A link is a straight line on the mesh that touches no corner of a wall. Where the line between two cells side by
    side is barred, a bent line that stays within their two columns will do, so that narrow bends and off-centre
    doorways stay connected; diagonal neighbours get no second try, or corners would be cut.
    """
    count = len(cells.cell_grid)
    mask = np.zeros(count, np.uint32)
    bent: list[tuple[_Pairs, Floats]] = []
    room = min(count, _BATCH) * DIRECTIONS // 2
    buffer = _Pairs(np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint8))
    for first in range(0, count, _BATCH):
        last = min(first + _BATCH, count)
        found = find_pairs(cells, cell_face, mesh.face_component, first, last, mask, *buffer)
        pairs = _Pairs(*(column[:found] for column in buffer))
        bent.append(_link_pairs(mesh.arrays, cells, cell_face, pairs, mask))
        if progress is not None:
            progress("connectivity", last / count)
    return _with_links(cells, mask, bent)


def _link_pairs(
    mesh: MeshArrays, cells: CellArrays, cell_face: Array, pairs: _Pairs, mask: Array
) -> tuple[_Pairs, Floats]:
    """Mark the pairs one can walk between; return those that need a bend, and their lengths."""
    holds = straight_walks(mesh, cells, cell_face, pairs.cell, pairs.other)
    mark_links(*pairs, holds, mask)
    retry = np.flatnonzero(~holds & _side_by_side(pairs.direction))
    failed = _Pairs(*(column[retry] for column in pairs))
    length = bent_lengths(mesh, cells, cell_face, failed.cell, failed.other)
    found = np.isfinite(length)
    bent = _Pairs(*(column[found] for column in failed))
    mark_links(*bent, np.ones(len(bent.cell), np.bool_), mask)
    return bent, length[found]


def _side_by_side(direction: Array) -> Bools:
    """Return which directions lead across a common border: the straight compass points, up and down."""
    return (direction // 3) % 2 == 0


def _with_links(cells: CellArrays, mask: Array, bent: list[tuple[_Pairs, Floats]]) -> CellArrays:
    link_start = np.zeros(len(mask) + 1, np.uint32)
    count_links(mask, link_start)
    total = int(link_start[-1])
    link_cell = np.empty(total, cells.link_cell.dtype)
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
