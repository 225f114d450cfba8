"""The grid that locates faces by position, and the storeys of faces above one another."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..conventions import Array, Floats
from ..kernels.mesh.adjacency import lay_storeys, overlapping_pairs
from .body import Body

BUCKETS_PER_FACE = 16
MARGIN = 1e-6


@dataclass(frozen=True)
class LocatorGrid:
    """Square buckets over the plane; `box` (F, 4) holds the bounds of each face: left, low, right, high."""

    origin: Floats
    size: float
    shape: tuple[int, int]
    bucket_start: Array
    bucket_face: Array
    box: Floats


def locator_grid(corner_xy: Floats, start: Array) -> LocatorGrid:
    """Sort faces into buckets half as wide as a typical face, so that a bucket holds about two of them."""
    low = np.minimum.reduceat(corner_xy, start[:-1])
    high = np.maximum.reduceat(corner_xy, start[:-1])
    origin = low.min(axis=0) - MARGIN
    extent = high.max(axis=0) + MARGIN - origin
    faces = len(low)
    typical = float(np.median(np.sqrt((high - low).prod(axis=1)))) / 2.0
    # A few small faces in a wide plane must not make millions of buckets, nor large ones millions of entries.
    mean = float(np.sqrt((high - low + MARGIN).prod(axis=1).sum() / faces)) / 3.0
    size = max(
        typical, mean, float(np.sqrt(extent.prod() / (BUCKETS_PER_FACE * faces + 64))), float(extent.max()) / 30000
    )
    columns, rows = (int(value) for value in np.floor(extent / size).astype(np.int64) + 1)
    first = np.floor((low - MARGIN - origin) / size).astype(np.int64).clip(0)
    last = np.floor((high + MARGIN - origin) / size).astype(np.int64)
    last = np.minimum(last, [columns - 1, rows - 1])
    width, height = (last - first + 1).T
    entries = width * height
    face = np.repeat(np.arange(faces), entries)
    running = np.arange(entries.sum()) - np.repeat(np.cumsum(entries) - entries, entries)
    bucket = (first[face, 1] + running // width[face]) * columns + first[face, 0] + running % width[face]
    order = np.argsort(bucket, kind="stable")
    bucket_start = np.searchsorted(bucket[order], np.arange(columns * rows + 1))
    return LocatorGrid(origin, size, (columns, rows), bucket_start, face[order], np.column_stack([low, high]))


OVERLAP = 1e-4
"""Metres by which faces may overlap and still count as side by side."""


def derive_storeys(
    corner_xyz: Floats, start: Array, link_start: Array, link_face: Array, grid: LocatorGrid, body: Body
) -> Array:
    """Return a storey per face, (F,) int32 from 0 at the bottom; linked faces share one if possible.

    Greedy: each storey floods from the lowest remaining face, lowest first, and avoids faces that would overlap it.
    """
    locator = np.array([*grid.origin, grid.size, grid.shape[0]])
    flat = np.ascontiguousarray(corner_xyz[:, :2])
    faces = len(start) - 1
    pairs = np.empty((4 * faces, 2), dtype=np.int64)
    scene = (flat, start, grid.box, grid.bucket_start, grid.bucket_face, locator, OVERLAP)
    count = overlapping_pairs(*scene, pairs)
    if count > len(pairs):
        pairs = np.empty((count, 2), dtype=np.int64)
        overlapping_pairs(*scene, pairs)
    pairs = pairs[:count]
    if not len(pairs):
        return np.zeros(faces, dtype=np.int32)
    clash, other = np.r_[pairs[:, 0], pairs[:, 1]], np.r_[pairs[:, 1], pairs[:, 0]]
    order = np.lexsort((other, clash))
    clash_start = np.searchsorted(clash[order], np.arange(faces + 1))
    height = np.add.reduceat(corner_xyz[:, 2], start[:-1]) / np.diff(start)
    by_height = np.argsort(height, kind="stable")
    storey = lay_storeys(by_height, height, link_start, link_face, clash_start, other[order], body.height)
    return _bottom_up(storey, height)


def _bottom_up(storey: Array, height: Floats) -> Array:
    """Number storeys by their mean height."""
    mean = np.bincount(storey, height) / np.bincount(storey)
    rank = np.empty(len(mean), dtype=np.int32)
    rank[np.argsort(mean, kind="stable")] = np.arange(len(mean))
    return rank[storey]
