"""Links between neighbouring cells, and the lengths of the walks along them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..checks import frozen
from ..conventions import Array, Bools, Floats, Progress
from ..kernels.arrays.level_arrays import CellArrays, MeshArrays
from ..kernels.cells.cell_links import count_steep_pairs, find_steep_pairs
from ..kernels.cells.cell_walk import CLEAR, MOST_FACES, UNCERTAIN, clear_walks, walks_in_columns
from ..kernels.mesh.adjacency import connected_components
from ..kernels.walk.raycast import REACHED, cast_rays
from ..navmesh.navmesh import NavMesh
from .neighbour_table import OPPOSITE, Neighbours
from .tile_columns import WholeColumns

_BATCH = 1 << 16  # cells whose neighbours are tested together


class _Pairs(NamedTuple):
    cell: Array  # uint32
    other: Array  # uint32
    direction: Array  # uint8; for steep pairs the compass point, see `find_steep_pairs`


class _Measured(NamedTuple):
    pairs: _Pairs
    length: Floats


def connect(
    mesh: NavMesh, cells: CellArrays, cell_face: Array, whole: WholeColumns, progress: Progress = None
) -> CellArrays:
    """Return the cells with their links: symmetric, ordered by direction, `link_length` in metres walked.

    Notes
    -----
    A link is a straight line on the mesh that touches no corner of a wall. If the line between two adjacent cells is
    blocked, a bent line that stays within their two columns will do, so that narrow bends and off-centre doorways stay
    connected. Diagonal neighbours get no second try, or corners would be cut, unless nothing else connects the two at
    all because the floor between them is too small for a cell. All of this holds across grid levels: a slope may rise
    by several from one column to the next.
    """
    count = len(cells.cell_grid)
    mask = np.zeros(count, np.uint32)
    bent: list[_Measured] = []
    barred: list[_Pairs] = []
    steep: list[_Measured] = []
    steep_barred: list[_Pairs] = []
    heights = _component_heights(mesh)
    neighbours = Neighbours(cells)
    for first in range(0, count, _BATCH):
        last = min(first + _BATCH, count)
        pairs = _Pairs(*neighbours.pairs(cell_face, mesh.face_component, first, last, mask))
        known, holds = whole.walks(*pairs)
        unknown = np.flatnonzero(~known)
        if len(unknown):  # on most tile maps there are none, and no kernel is compiled
            holds[unknown] = _straight_walks(mesh, cells, cell_face, _some(pairs, unknown))
        _mark(mask, _some(pairs, holds))
        # The straight compass points, up and down: pairs that share a border.
        beside = (pairs.direction // 3) % 2 == 0
        bent.append(_bend(mesh, cells, cell_face, _some(pairs, ~holds & beside), mask))
        barred.append(_some(pairs, ~holds & ~beside))
        pairs = _steep_pairs(mesh, cells, cell_face, heights, first, last)
        if len(pairs.cell):
            walked, rest = _walk_steep(mesh, cells, cell_face, pairs)
            steep += walked
            steep_barred.append(rest)
        if progress is not None:
            progress("connectivity", last / count)
    connected = _with_links(cells, neighbours, mask, bent, steep)
    diagonal = _joined(barred)
    near = neighbours.are_joined_by_one(mask, diagonal.cell, diagonal.direction)
    corners = _across_gaps(connected, _some(diagonal, ~near))
    steep_corners = _across_gaps(connected, _joined(steep_barred))
    if not len(corners.cell) and not len(steep_corners.cell):
        return connected
    bent.append(_bend(mesh, cells, cell_face, corners, mask))
    steep.append(_bend(mesh, cells, cell_face, steep_corners))
    return _with_links(cells, neighbours, mask, bent, steep)


def _component_heights(mesh: NavMesh) -> Floats:
    """Return the lowest and the highest floor of each component of the mesh, (components, 2) metres."""
    arrays = mesh.arrays
    component = np.repeat(mesh.face_component, arrays.face_count)
    z = arrays.vertex_xyz[arrays.face_vertex, 2]
    heights = np.empty((int(mesh.face_component.max()) + 1, 2))
    heights[:, 0], heights[:, 1] = np.inf, -np.inf
    np.minimum.at(heights[:, 0], component, z)
    np.maximum.at(heights[:, 1], component, z)
    return heights


def _steep_pairs(mesh: NavMesh, cells: CellArrays, cell_face: Array, heights: Floats, first: int, last: int) -> _Pairs:
    """Return the pairs of cells `first … last - 1` that may be linked although two or more levels apart."""
    known = cells, cell_face, mesh.face_component, heights, first, last
    room = count_steep_pairs(*known) if cells.shape[2] > 2 else 0
    buffer = _Pairs(np.empty(room, np.uint32), np.empty(room, np.uint32), np.empty(room, np.uint8))
    found = find_steep_pairs(mesh.arrays, *known, *buffer) if room else 0
    return _Pairs(*(column[:found].copy() for column in buffer))


def _walk_steep(mesh: NavMesh, cells: CellArrays, cell_face: Array, pairs: _Pairs) -> tuple[list[_Measured], _Pairs]:
    """Return the steep pairs with a link between them, and the blocked diagonal ones."""
    holds = cell_face[pairs.cell] == cell_face[pairs.other]
    other = np.flatnonzero(~holds)
    holds[other] = _straight_walks(mesh, cells, cell_face, _some(pairs, other))
    beside = pairs.direction % 2 == 0
    straight = _some(pairs, holds)
    way = cells.cell_xyz[straight.other].astype(np.float64) - cells.cell_xyz[straight.cell]
    walked = _Measured(straight, np.sqrt((way * way).sum(axis=1)))
    return [walked, _bend(mesh, cells, cell_face, _some(pairs, ~holds & beside))], _some(pairs, ~holds & ~beside)


def _straight_walks(mesh: NavMesh, cells: CellArrays, cell_face: Array, pairs: _Pairs) -> Bools:
    """Return what `straight_walks` does, and cast rays only for lines that touch the corner of a portal."""
    outcome = np.empty(len(pairs.cell), np.uint8)
    clear_walks(mesh.arrays, cells.cell_xyz, cell_face, pairs.cell, pairs.other, FLOOR_TOLERANCE, outcome)
    holds: Bools = outcome == CLEAR
    rest = np.flatnonzero(outcome == UNCERTAIN)
    if len(rest):
        holds[rest] = straight_walks(mesh.arrays, cells, cell_face, pairs.cell[rest], pairs.other[rest])
    return holds


def _some(pairs: _Pairs, which: Array) -> _Pairs:
    return _Pairs(*(column[which] for column in pairs))


def _bend(mesh: NavMesh, cells: CellArrays, cell_face: Array, pairs: _Pairs, mask: Array | None = None) -> _Measured:
    """Return the pairs joined by a bent line, with their lengths; mark them in `mask` if given."""
    length = bent_lengths(mesh.arrays, cells, cell_face, pairs.cell, pairs.other)
    found = np.isfinite(length)
    walked = _Measured(_some(pairs, found), length[found])
    if mask is not None:
        _mark(mask, walked.pairs)
    return walked


def _mark(mask: Array, pairs: _Pairs) -> None:
    """Set the bits of pairs, both ways. Each pair is marked once, so adding works and is five times as fast as `|`."""
    for cell, direction in ((pairs.cell, pairs.direction), (pairs.other, OPPOSITE[pairs.direction])):
        np.add.at(mask, cell, np.uint32(1) << direction.astype(np.uint32))


def _joined(parts: list[_Pairs]) -> _Pairs:
    if not parts:
        return _Pairs(np.empty(0, np.uint32), np.empty(0, np.uint32), np.empty(0, np.uint8))
    return _Pairs(*(np.concatenate(column) for column in zip(*parts)))


def _across_gaps(cells: CellArrays, diagonal: _Pairs) -> _Pairs:
    """Return the blocked pairs that are not connected at all: the floor between them is too small for a cell."""
    if not len(diagonal.cell):
        return diagonal
    component = connected_components(cells.link_start.astype(np.int64), cells.link_cell.astype(np.int64))
    return _some(diagonal, component[diagonal.cell] != component[diagonal.other])


def _with_links(
    cells: CellArrays, neighbours: Neighbours, mask: Array, bent: list[_Measured], steep: list[_Measured]
) -> CellArrays:
    up = _joined([pairs for pairs, _ in steep])
    leaving, leading = np.concatenate([up.cell, up.other]), np.concatenate([up.other, up.cell])
    metres = np.concatenate([length for _, length in steep] * 2 or [np.empty(0)])
    order = np.lexsort([leading, leaving])
    leaving, leading, metres = leaving[order], leading[order], metres[order]
    link_start = np.zeros(len(mask) + 1, np.uint32)
    link_start[1:] = np.bitwise_count(mask)
    np.add.at(link_start, leaving + np.uint32(1), np.uint32(1))
    np.cumsum(link_start, out=link_start)
    total = int(link_start[-1])
    link_cell = np.empty(total, cells.dense.dtype)
    link_length = np.empty(total, np.float32)
    neighbours.fill_links(mask, link_start, link_cell, link_length)
    for pairs, length in bent:
        for cell, direction in ((pairs.cell, pairs.direction), (pairs.other, OPPOSITE[pairs.direction])):
            before = mask[cell] & ((np.uint32(1) << direction.astype(np.uint32)) - np.uint32(1))
            link_length[link_start[cell] + np.bitwise_count(before)] = length
    # Links that rise by more than one level follow the other links of their cell.
    before = np.arange(len(leaving)) - np.searchsorted(leaving, leaving)
    behind = link_start[leaving] + np.bitwise_count(mask[leaving]) + before
    link_cell[behind], link_length[behind] = leading, metres
    return cells._replace(
        link_start=frozen(link_start),
        link_cell=frozen(link_cell),
        link_length=frozen(link_length),
        blocked=frozen(np.zeros((total + 7) // 8, np.uint8)),
    )


FLOOR_TOLERANCE = 0.05
"""Metres by which the floor under a line's end may differ from the height it was aimed at."""


def straight_walks(mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array) -> Bools:
    """Return whether a straight walk joins each pair of cells (ids, (n,) each) without touching a wall corner."""
    count = len(start_cell)
    outcome = np.empty(count, np.uint8)
    cast_rays(
        mesh,
        cells.cell_xyz[start_cell].astype(np.float64),
        cells.cell_xyz[end_cell].astype(np.float64),
        cell_face[start_cell].astype(np.int32),
        FLOOR_TOLERANCE,
        FLOOR_TOLERANCE,
        True,
        outcome,
        np.empty((count, 3)),
        np.empty(count),
        np.empty((count, 2)),
        np.empty(count, np.int32),
    )
    return outcome == REACHED


def bent_lengths(mesh: MeshArrays, cells: CellArrays, cell_face: Array, start_cell: Array, end_cell: Array) -> Floats:
    """Return the metres from cell to cell within their two columns, (n,); infinite if there is no path."""
    length = np.empty(len(start_cell))
    if len(length):  # on most tile maps there are none, and no kernel is compiled
        scratch = np.empty(MOST_FACES, np.int64), np.empty((MOST_FACES, 5)), np.empty(4)
        faces = cell_face[start_cell].astype(np.int32), cell_face[end_cell].astype(np.int32)
        walks_in_columns(mesh, cells, *faces, start_cell, end_cell, *scratch, length)
    return length
