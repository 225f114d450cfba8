"""Simplify chains of voxel corners into straight stretches."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import jit


@jit
def _worst(xy: Array, z: Array, begin: int, end: int, error: float, out: float, rise: float) -> tuple[int, float]:
    """Return the corner farthest from the straight line between two others, and how far (1: the limit).

    The limit is `out` for corners left of the line, where it would leave the region, and `error` for the others.
    """
    x0, y0, z0 = float(xy[begin, 0]), float(xy[begin, 1]), z[begin]
    dx, dy, dz = xy[end, 0] - x0, xy[end, 1] - y0, z[end] - z0
    square = dx * dx + dy * dy
    at, farthest = begin, 0.0
    for k in range(begin + 1, end):
        px, py = xy[np.uint32(k), 0] - x0, xy[np.uint32(k), 1] - y0
        t = min(max((px * dx + py * dy) / square, 0.0), 1.0) if square > 0.0 else 0.0
        away = math.hypot(px - t * dx, py - t * dy) / (out if dx * py > dy * px else error)
        off = max(away, abs(z[np.uint32(k)] - z0 - t * dz) / rise)
        if off > farthest:
            at, farthest = k, off
    return at, farthest


@jit
def simplify(
    xy: Array, z: Array, chain_start: Array, at_wall: Array, pinned: Array, error: float, out: float, rise: float,
    longest: float,
) -> Array:  # fmt: skip
    """Return which corners of each chain are kept, (K,) bool.

    Dropped corners are within `error` voxels of the kept line and within `rise` metres of its height; at walls, the
    line runs at most `out` voxels outside of them and is at most `longest` voxels long (Douglas and Peucker).
    Corners in `pinned`, (K,) bool, are always kept.
    """
    keep = pinned.copy()
    stack = np.empty((len(xy) + 2, 2), np.int64)
    for c in range(len(chain_start) - 1):
        begin = int(chain_start[np.uint32(c)]) + c
        end = int(chain_start[np.uint32(c + 1)]) + c
        keep[begin] = keep[end] = True
        outside = min(out, error) if at_wall[np.uint32(c)] else error
        if xy[begin, 0] == xy[end, 0] and xy[begin, 1] == xy[end, 1]:
            at, _ = _worst(xy, z, begin, end, error, outside, rise)
            keep[at] = True
        depth = 0
        one = begin
        for k in range(begin + 1, end + 1):
            if keep[np.uint32(k)]:
                stack[depth, 0], stack[depth, 1] = one, k
                depth += 1
                one = k
        while depth:
            depth -= 1
            one, other = stack[depth, 0], stack[depth, 1]
            if other - one < 2:
                continue
            at, off = _worst(xy, z, one, other, error, outside, rise)
            if off <= 1.0:
                length = math.hypot(xy[one, 0] - xy[other, 0], xy[one, 1] - xy[other, 1])
                if not at_wall[np.uint32(c)] or length <= longest:
                    continue
                at = (one + other) // 2
            keep[at] = True
            stack[depth, 0], stack[depth, 1] = one, at
            stack[depth + 1, 0], stack[depth + 1, 1] = at, other
            depth += 2
    return keep


@jit
def pin_farthest(xy: Array, z: Array, begin: Array, end: Array, error: float, rise: float, pinned: Array) -> int:
    """Pin the dropped corner farthest from each stretch `begin` to `end` (rows, any order); return how many."""
    count = 0
    for k in range(len(begin)):
        one, other = int(min(begin[k], end[k])), int(max(begin[k], end[k]))
        if other - one < 2:
            continue
        at, _ = _worst(xy, z, one, other, error, error, rise)
        at = max(at, one + 1)
        if not pinned[at]:
            pinned[at] = True
            count += 1
    return count
