"""The navmesh as kernels see it."""

from __future__ import annotations

from typing import NamedTuple

from ..conventions import Array

__all__ = ["MeshArrays"]


class MeshArrays(NamedTuple):
    """All arrays a mesh query touches. F faces, L links, V vertices, B buckets.

    A face is a convex polygon, counter-clockwise from above; its edge `k` runs from corner `k` to `k + 1`.
    A link leaves a face through a *portal*, a stretch of one of its edges (edges need not match whole).
    Seen by someone leaving, `link_portal[l, 0]` is the right end (nearer corner `k`), `[l, 1]` the left end.
    What is not covered by portals is wall. Faces a cut touches are replaced by children appended at the end.
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
