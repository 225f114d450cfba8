"""The locator grid: in which buckets of the plane does each face lie?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ..conventions import Array, Floats

__all__ = ["LocatorGrid", "locator_grid"]

BUCKETS_PER_FACE = 16
MARGIN = 1e-6


@dataclass(frozen=True)
class LocatorGrid:
    """Square buckets over the plane; `box` (F, 4) bounds of each face: left, low, right, high."""

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
