"""Build a layout from a navmesh: lay the grid, cut the faces, choose the cells, connect them."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..checks import expect, finite_number, frozen
from ..conventions import Array, Ids, Progress, index_dtype
from ..errors import BakeError
from ..kernels.arrays.level_arrays import CellArrays
from ..kernels.cells.cell_access import LEVEL_SLACK, RIM
from ..kernels.cells.cell_choice import choose_cells
from ..kernels.cells.cell_cut import cut_faces
from ..navmesh.navmesh import NavMesh
from .access import access_table
from .connectivity import connect
from .layout import CellLayout
from .tile_columns import WholeColumns, rectangles_on_lines

MOST_PIECES = 50_000_000
"""Most pieces the faces may be cut into: about five times the ten million cells a layout is designed for."""

_BATCH = 2_000_000  # pieces between two progress reports


class Grid(NamedTuple):
    """The layered grid: minimum corner and slot edges in metres, extent in slots (columns, rows, levels)."""

    origin_xyz: Array
    size_xyz: Array
    shape: Array


class Pieces(NamedTuple):
    """Pieces the grid columns cut the faces into; see `cut_faces`."""

    column: Array  # uint32, row * columns + column
    face: Array  # uint32, ascending
    area: Array  # float32, m² seen from above
    xyz: Array  # float32 (n, 3), on the floor
    centre: Array  # uint8, holds the column's centre


def build_layout(
    mesh: NavMesh,
    *,
    cell: float = 1.0,
    height: float = 2.0,
    min_cover: float = 0.1,
    progress: Progress = None,
) -> CellLayout:
    """Cut a navmesh into cells and connect them.

    Parameters
    ----------
    cell : 0.05 … 100 m, edge of a cell seen from above.
    height : 0.1 … 100 m, height of a level.
    min_cover : 0 … 1, share of a column that connected floor must cover to become a cell if it misses the centre.
    progress : called with the name of the stage and the fraction done.

    Raises
    ------
    BakeError
        The grid would have too many slots, or the mesh lies too far from the origin for cells this small.

    Notes
    -----
    There is one cell per (column, row, level). Within a column, faces linked to one another form one stretch of floor,
    which gives one cell: on the face that contains the column's centre, else on the one with the largest piece. If two
    stretches compete for a slot (a crate's top one metre above the floor) the larger wins; `CellLayout.shadowed`
    counts the others. Faces left without a cell then get their largest piece whose slot is free.
    """
    cell = finite_number(cell, "cell", unit="m", low=0.05, high=100.0)
    height = finite_number(height, "height", unit="m", low=0.1, high=100.0)
    min_cover = finite_number(min_cover, "min_cover", low=0.0, high=1.0)
    grid = lay_grid(expect(mesh, NavMesh, "mesh"), cell, height)
    pieces = _cut(mesh, grid, progress)
    level = _levels(grid, pieces.xyz[:, 2])
    own, shadowed = _choose(mesh, pieces, level, min_cover * cell * cell)
    if not len(own):
        raise BakeError("no cell fits on this navmesh: every face is thinner than rounding errors; draw wider floors")
    row, column = np.divmod(pieces.column[own], grid.shape[0])
    cell_grid = frozen(np.column_stack([column, row, level[own]]), np.uint16)
    cell_face = pieces.face[own]
    dense, hash_cell = access_table(grid.shape, cell_grid)
    unconnected = CellArrays(
        origin_xyz=grid.origin_xyz,
        size_xyz=grid.size_xyz,
        shape=grid.shape,
        cell_grid=cell_grid,
        cell_xyz=frozen(pieces.xyz[own]),
        link_start=frozen(np.zeros(len(own) + 1, np.uint32)),
        link_cell=frozen(np.empty(0, dense.dtype)),
        link_length=frozen(np.empty(0, np.float32)),
        dense=dense,
        hash_cell=hash_cell,
        disabled=frozen(np.zeros((len(own) + 7) // 8, np.uint8)),
        blocked=frozen(np.empty(0, np.uint8)),
    )
    whole = WholeColumns(mesh.arrays, unconnected, pieces.column, pieces.face, pieces.area)
    arrays = connect(mesh, unconnected, frozen(cell_face), whole, progress)
    return CellLayout(
        mesh=mesh,
        arrays=arrays,
        cell_face=frozen(cell_face, index_dtype(mesh.face_count)),
        face_cells=frozen(np.searchsorted(cell_face, np.arange(mesh.face_count + 1)), np.uint32),
        shadowed=shadowed,
    )


def lay_grid(mesh: NavMesh, cell: float, height: float) -> Grid:
    """Lay the grid over the mesh's bounding box, its origin at the minimum corner."""
    low, high = mesh.bounds_xyz
    size = np.array([cell, cell, height])
    across = np.maximum(np.ceil((high - low)[:2] / cell - RIM), 1.0)
    levels = np.floor((high[2] - low[2]) / height + LEVEL_SLACK) + 1.0
    shape = np.array([*across, levels])
    if shape.max() > 0xFFFF:
        raise BakeError(
            f"the grid would be {shape[0]:.0f} x {shape[1]:.0f} x {shape[2]:.0f} cells; at most 65535 along each axis: "
            "use larger cells, or split the level"
        )
    furthest = float(np.abs([low, high]).max())
    if np.spacing(np.float32(furthest)) * 64.0 > min(cell, height):
        raise BakeError(
            f"the mesh reaches {furthest:g} m from the origin, where positions are too coarse for cells of "
            f"{min(cell, height):g} m; move the level closer to the origin or use larger cells"
        )
    return Grid(frozen(low), frozen(size), frozen(shape, np.uint32))


def _cut(mesh: NavMesh, grid: Grid, progress: Progress) -> Pieces:
    """Cut every face along the grid's columns, in batches."""
    rough = int(mesh.face_area.sum() / (grid.size_xyz[0] * grid.size_xyz[1]))
    _require_few(rough, grid)
    bounds = rectangles_on_lines(mesh.arrays, grid.origin_xyz, grid.size_xyz) if rough <= _BATCH else None
    if bounds is not None:
        if progress is not None:
            progress("cells", 1.0)
        return _cut_rectangles(mesh, grid, *bounds)
    room = min(_BATCH, 2 * rough + 16 * mesh.face_count)
    parts: list[Pieces] = []
    written = first = 0
    while first < mesh.face_count:
        pieces, reached = _cut_batch(mesh, grid, first, room)
        if reached == first:
            room *= 2
        parts.append(pieces)
        first = reached
        written += len(pieces.column)
        _require_few(written, grid)
        if progress is not None:
            progress("cells", first / mesh.face_count)
    return parts[0] if len(parts) == 1 else Pieces(*(np.concatenate(column) for column in zip(*parts)))


def _cut_rectangles(mesh: NavMesh, grid: Grid, low: Ids, high: Ids) -> Pieces:
    """Return the pieces of rectangles between grid lines, face by face and row by row, as `cut_faces` would."""
    columns, rows = grid.shape[:2].tolist()
    # Expand every face into its rows, then every row into its columns.
    height = high[:, 1] - low[:, 1]
    face = np.repeat(np.arange(mesh.face_count), height)
    row = np.arange(len(face)) + np.repeat(low[:, 1] - np.cumsum(height) + height, height)
    width, first = (high[:, 0] - low[:, 0])[face], low[face, 0]
    column = np.arange(int(width.sum())) + np.repeat(first - np.cumsum(width) + width, width)
    centres = [
        (0.5 * ((low + step * size) + (low + (step + 1) * size))).astype(np.float32)
        for low, size, step in zip(grid.origin_xyz[:2], grid.size_xyz[:2], (np.arange(columns), np.arange(rows)))
    ]
    xyz = np.empty((len(column), 3), np.float32)
    xyz[:, 0], xyz[:, 1] = centres[0][column], np.repeat(centres[1][row], width)
    slope_x, slope_y, base = (np.repeat(part[face], width) for part in mesh.arrays.face_plane.T)
    xyz[:, 2] = slope_x * xyz[:, 0].astype(np.float64) + slope_y * xyz[:, 1].astype(np.float64) + base
    return Pieces(
        column=(column + np.repeat(row * columns, width)).astype(np.uint32),
        face=np.repeat(face, width).astype(np.uint32),
        area=np.full(len(column), grid.size_xyz[0] * grid.size_xyz[1], np.float32),
        xyz=xyz,
        centre=np.ones(len(column), np.uint8),
    )


def _require_few(pieces: int, grid: Grid) -> None:
    if pieces > MOST_PIECES:
        raise BakeError(
            f"this mesh would give about {pieces:,} cells, more than the {MOST_PIECES:,} allowed; "
            f"use a cell larger than {grid.size_xyz[0]:g} m"
        )


def _cut_batch(mesh: NavMesh, grid: Grid, first: int, room: int) -> tuple[Pieces, int]:
    """Return the pieces of as many faces as fit, starting with face `first`, and the first face left over."""
    pieces = Pieces(
        column=np.empty(room, np.uint32),
        face=np.empty(room, np.uint32),
        area=np.empty(room, np.float32),
        xyz=np.empty((room, 3), np.float32),
        centre=np.empty(room, np.uint8),
    )
    arrays = mesh.arrays
    faces = arrays.vertex_xyz, arrays.face_start, arrays.face_count, arrays.face_vertex, arrays.face_plane
    polygon, strip, piece, spare = np.empty((4, int(arrays.face_count.max()) + 8, 2))
    reached = np.empty(1, np.int64)
    written = cut_faces(*faces, *grid, first, polygon, strip, piece, spare, *pieces, reached)
    return Pieces(*(column[:written] for column in pieces)), int(reached[0])


def _choose(mesh: NavMesh, pieces: Pieces, level: Array, least_cover: float) -> tuple[Array, int]:
    """Return the pieces that become cells, in order, and the number of stretches of floor without a free slot."""
    order = np.argsort(pieces.column, kind="stable").astype(np.uint32)
    column = pieces.column[order]
    ends = np.flatnonzero(np.r_[column[1:] != column[:-1], True]) + 1
    starts = np.r_[0, ends[:-1]]
    size = ends - starts
    alone = order[starts[size == 1]]
    owns = np.zeros(len(order), np.uint8)
    owns[alone] = (pieces.centre[alone] > 0) | (pieces.area[alone] >= np.float64(least_cover))
    shadowed = 0
    if len(alone) < len(starts):  # else every column has one piece, as on most tile maps
        arrays, most = mesh.arrays, int(size.max())
        shadowed = choose_cells(
            *(arrays.link_start, arrays.link_count, arrays.link_face, least_cover, order),
            *(starts[size > 1], ends[size > 1], pieces.face, pieces.area, pieces.centre, level, owns),
            *(np.empty(most, np.int64), np.empty(most, np.int64), np.empty(most)),
        )
    _give_cells_to_faces(pieces, level, owns)
    return np.flatnonzero(owns), int(shadowed)


def _give_cells_to_faces(pieces: Pieces, level: Array, owns: Array) -> None:
    """Give each face without a cell the largest of its pieces whose slot is still free, in the order of faces."""
    has_cell = np.zeros(int(pieces.face[-1]) + 1, np.bool_)
    has_cell[pieces.face[owns > 0]] = True
    piece = np.flatnonzero(~has_cell[pieces.face])
    slot = pieces.column.astype(np.int64) * (int(level.max()) + 1) + level
    piece = piece[~np.isin(slot[piece], slot[owns > 0])]
    piece = piece[np.lexsort((piece, -pieces.area[piece], pieces.face[piece]))]
    served, taken = -1, set[int]()
    for each, face, place in zip(piece.tolist(), pieces.face[piece].tolist(), slot[piece].tolist()):
        if face != served and place not in taken:
            owns[each] = True
            taken.add(place)
            served = face


def _levels(grid: Grid, z: Array) -> Array:
    """Return the level of floors at heights `z`, uint16."""
    level = np.floor((z.astype(np.float64) - grid.origin_xyz[2]) / grid.size_xyz[2] + LEVEL_SLACK)
    # The mean plane of a warped face may extend slightly beyond the bounding box of its corners.
    return np.clip(level, 0, int(grid.shape[2]) - 1).astype(np.uint16)
