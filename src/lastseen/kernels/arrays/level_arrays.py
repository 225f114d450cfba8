"""Arrays of the navmesh, the cells and the walls that block sight."""

from __future__ import annotations

from typing import NamedTuple

from ...conventions import Array


class MeshArrays(NamedTuple):
    """All arrays a mesh query touches. F faces, L links, V vertices, B buckets.

    A face is a convex polygon, counter-clockwise from above; its edge `k` runs from corner `k` to `k + 1`.
    A link leaves a face through a *portal*, a stretch of one of its edges (edges need not match completely).
    Seen when leaving the face, `link_portal[l, 0]` is the right end (nearer corner `k`), `[l, 1]` the left end.
    Stretches without a portal are walls. Faces touched by a cut are replaced by children appended at the end.
    """

    vertex_xyz: Array  # float64 (V, 3)
    face_start: Array  # uint32 (F,)  first corner in face_vertex
    face_count: Array  # uint32 (F,)  number of corners
    face_vertex: Array  # uint32       vertex ids
    face_plane: Array  # float64 (F, 3)  z = a x + b y + c
    face_parent: Array  # int32 (F,)  base face a child was cut from; itself for base faces
    face_cut: Array  # uint8 (F,)  1: replaced by its children (possibly none), 0: whole
    child_start: Array  # uint32 (F,)  first child of a cut face; children are consecutive faces
    child_count: Array  # uint32 (F,)
    link_start: Array  # uint32 (F,)  first link of a face
    link_count: Array  # uint32 (F,)
    link_face: Array  # uint32 (L,)  face on the other side
    link_edge: Array  # uint32 (L,)  which edge of the face the portal lies on; links are sorted by edge
    link_portal: Array  # float64 (L, 2, 3)  right end, left end; z on this face's side
    link_wall: Array  # uint8 (L,)  bit 0: the right end touches a wall, bit 1: the left end does
    grid_origin: Array  # float64 (2,)  locator grid: minimum corner
    grid_size: Array  # float64 (1,)  bucket edge in metres
    grid_shape: Array  # uint32 (2,)  buckets along x, along y
    bucket_start: Array  # uint32 (B + 1,)  bucket of (ix, iy) is iy * grid_shape[0] + ix
    bucket_face: Array  # uint32       base faces whose bounding box meets the bucket


class CellArrays(NamedTuple):
    """All arrays a cell query touches. N cells, K links; ids are uint16 up to 65,535 cells, uint32 beyond.

    `disabled` and `blocked` are bit fields (bit `i & 7` of byte `i >> 3`) that follow the navmesh's cuts.
    Exactly one of the two access tables is used: `dense` if it is not empty, else `hash_cell`, which holds only
    ids: the key of a cell is its `cell_grid`, so the table takes two bytes per slot instead of ten.
    """

    origin_xyz: Array  # float64 (3,)  minimum corner of the navmesh's bounding box
    size_xyz: Array  # float64 (3,)  cell edges: x, y and level height
    shape: Array  # uint32 (3,)  grid extent: columns, rows, levels
    cell_grid: Array  # uint16 (N, 3)  column, row, level
    cell_xyz: Array  # float32 (N, 3)  position on the floor
    link_start: Array  # uint32 (N + 1,)
    link_cell: Array  # uint16 | uint32 (K,)
    link_length: Array  # float32 (K,)  metres walked along the link
    dense: Array  # uint16 | uint32 (levels * rows * columns or 0,)  cell id, top value: none; column runs fastest
    hash_cell: Array  # uint16 | uint32 (power of two or 0,)  cell id, top value: free slot
    disabled: Array  # uint8 ((N + 7) // 8,)
    blocked: Array  # uint8 ((K + 7) // 8,)


class SightArrays(NamedTuple):
    """Upright walls and triangles in a grid of square columns. W walls, T triangles, C columns.

    The solid side of a wall is on the right, seen from its first end to its second. Walls of an open door have their
    top at their bottom, and its triangles an empty range of z, so kernels need not test for doors. There are few
    arrays, as each costs 8 ns per line if a kernel calls another.
    """

    wall: Array  # float64 (W, 8)  x0, y0, x1, y1; bottom and top at the first end, at the second, metres
    triangle: Array  # float64 (T, 16)  lowest and highest z; slack in metres; unit normal, offset; three corners
    grid: Array  # float64 (5,)  low corner x, y; columns per metre; columns along x, along y
    column: Array  # uint32  at 2 c where in here the walls of column c begin, at 2 c + 1 its triangles; then numbers
