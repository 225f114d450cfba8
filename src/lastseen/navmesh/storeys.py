"""Storeys: into which flat sheets can stacked faces be sorted, so that none overlaps another?"""

from __future__ import annotations

import numpy as np

from ..conventions import Array, Floats
from ..kernels.adjacency import lay_storeys, overlapping_pairs
from .agent import Agent
from .locator import LocatorGrid

__all__ = ["derive_storeys"]

OVERLAP = 1e-4
"""Metres faces may reach into one another and still lie side by side."""


def derive_storeys(
    corner_xyz: Floats, start: Array, link_start: Array, link_face: Array, grid: LocatorGrid, agent: Agent
) -> Array:
    """Return a storey per face, (F,) int32 from 0 at the bottom; linked faces share one where they can.

    Greedy: a storey floods from the lowest face left over, lowest first, around faces that would overlap it.
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
    storey = lay_storeys(by_height, height, link_start, link_face, clash_start, other[order], agent.height)
    return _bottom_up(storey, height)


def _bottom_up(storey: Array, height: Floats) -> Array:
    """Number storeys by their mean height."""
    mean = np.bincount(storey, height) / np.bincount(storey)
    rank = np.empty(len(mean), dtype=np.int32)
    rank[np.argsort(mean, kind="stable")] = np.arange(len(mean))
    return rank[storey]
