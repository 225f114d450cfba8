"""Distances between paths (Fréchet, Hausdorff), and between lines and a path."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import inner, jit


@jit
def _apart(first: np.ndarray, i: np.uint64, second: np.ndarray, j: np.uint64) -> float:
    """Return the squared distance of two corners."""
    total = 0.0
    for axis in range(first.shape[1]):
        total += (first[i, axis] - second[j, axis]) ** 2
    return total


@inner
def discrete_frechet(first: np.ndarray, second: np.ndarray) -> float:
    """Return the discrete Fréchet distance (Eiter and Mannila), over corners only, with one row of the table."""
    n, m = np.uint64(len(first)), np.uint64(len(second))
    one, none = np.uint64(1), np.uint64(0)
    row = np.empty(m)
    row[none] = _apart(first, none, second, none)
    for j in range(one, m):
        row[j] = max(row[j - one], _apart(first, none, second, j))
    for i in range(one, n):
        diagonal = row[none]
        left = max(diagonal, _apart(first, i, second, none))
        row[none] = left
        for j in range(one, m):
            above = row[j]
            # Kept in a variable, as reading back what was just written takes half the time of this loop.
            left = max(min(diagonal, above, left), _apart(first, i, second, j))
            diagonal, row[j] = above, left
    return float(np.sqrt(row[m - one]))


@jit
def _free(
    corner: np.ndarray, i: np.uint64, path: np.ndarray, j: np.uint64, reach: float, straight: float
) -> tuple[float, float]:
    """Return the part (from, to in 0 … 1) of piece j of a path within `reach` of a corner; empty: from > to.

    `straight` is the squared length of the piece.
    """
    one = np.uint64(1)
    along, away = 0.0, 0.0
    for axis in range(path.shape[1]):
        to = corner[i, axis] - path[j, axis]
        along += to * (path[j + one, axis] - path[j, axis])
        away += to * to
    if straight == 0.0:
        return (0.0, 1.0) if away <= reach * reach else (1.0, 0.0)
    middle = along / straight
    # from the foot of the perpendicular rather than the discriminant, to lose less to rounding
    aside = 0.0
    for axis in range(path.shape[1]):
        foot = path[j, axis] + middle * (path[j + one, axis] - path[j, axis])
        aside += (corner[i, axis] - foot) ** 2
    if aside > reach * reach:
        return 1.0, 0.0
    half = np.sqrt((reach * reach - aside) / straight)
    return max(middle - half, 0.0), min(middle + half, 1.0)


@jit
def _lengths(path: np.ndarray) -> np.ndarray:
    """Return the squared lengths of the pieces."""
    out = np.empty(len(path) - 1)
    for k in range(np.uint64(len(out))):
        out[k] = _apart(path, k, path, k + np.uint64(1))
    return out


@inner
def stays_within(first: np.ndarray, second: np.ndarray, reach: float) -> bool:
    """Return whether two walkers that never turn back can stay within `reach` along paths of two or more corners.

    Alt and Godau's method: the reachable part of each edge of the free-space diagram, one row of cells at a time.
    """
    one, none = np.uint64(1), np.uint64(0)
    n, m = np.uint64(len(first)) - one, np.uint64(len(second)) - one
    if _apart(first, none, second, none) > reach * reach or _apart(first, n, second, m) > reach * reach:
        return False
    across, along = _lengths(first), _lengths(second)
    low, high = np.empty(m), np.empty(m)  # of the left edges: corner i of the first path against pieces of the second
    open_so_far = True
    for j in range(m):
        low[j], high[j] = _free(first, none, second, j, reach, along[j])
        if not open_so_far or low[j] > 0.0:
            low[j], high[j] = 1.0, 0.0
        open_so_far = low[j] <= high[j] and high[j] >= 1.0
    edge_open = True
    for i in range(n):
        floor_low, floor_high = _free(second, none, first, i, reach, across[i])
        if not edge_open or floor_low > 0.0:
            floor_low, floor_high = 1.0, 0.0
        edge_open = floor_low <= floor_high and floor_high >= 1.0
        some = False
        for j in range(m):
            from_left, from_floor = low[j] <= high[j], floor_low <= floor_high
            if not from_left and not from_floor:
                floor_low, floor_high = 1.0, 0.0
                continue
            right_low, right_high = _free(first, i + one, second, j, reach, along[j])
            roof_low, roof_high = _free(second, j + one, first, i, reach, across[i])
            if not from_floor:
                right_low = max(right_low, low[j])
            if not from_left:
                roof_low = max(roof_low, floor_low)
            low[j], high[j] = right_low, right_high
            floor_low, floor_high = roof_low, roof_high
            some = some or right_low <= right_high or roof_low <= roof_high
        if not some and not edge_open:
            return False
    return bool(low[m - one] <= high[m - one] and high[m - one] >= 1.0)


@jit
def frechet(first: np.ndarray, second: np.ndarray) -> float:
    """Return the continuous Fréchet distance, by bisection until no number lies between the bounds."""
    one, none = np.uint64(1), np.uint64(0)
    last = np.uint64(len(first)) - one
    ends = max(_apart(first, none, second, none), _apart(first, last, second, np.uint64(len(second)) - one))
    low, high = np.sqrt(ends), discrete_frechet(first, second)
    if low >= high or stays_within(first, second, low):
        return float(low)
    while True:
        middle = 0.5 * (low + high)
        if middle <= low or middle >= high:
            return float(high)
        if stays_within(first, second, middle):
            high = middle
        else:
            low = middle


@jit
def frechet_pairs(corners: np.ndarray, start: np.ndarray, continuous: bool, out: np.ndarray) -> None:
    """Fill `out` with the distances of all pairs of paths; path k is `corners[start[k] : start[k + 1]]`."""
    count = np.uint64(len(start)) - np.uint64(1)
    one = np.uint64(1)
    for i in range(count):
        out[i, i] = 0.0
        first = corners[start[i] : start[i + one]]
        for j in range(i + one, count):
            second = corners[start[j] : start[j + one]]
            out[i, j] = frechet(first, second) if continuous else discrete_frechet(first, second)
            out[j, i] = out[i, j]


@jit
def _away(x: np.ndarray, path: np.ndarray, j: np.uint64, straight: float) -> float:
    """Return the squared distance of a point from piece j of a path, whose squared length is `straight`."""
    one, along = np.uint64(1), 0.0
    for axis in range(path.shape[1]):
        along += (x[axis] - path[j, axis]) * (path[j + one, axis] - path[j, axis])
    share = 0.0 if straight == 0.0 else min(max(along / straight, 0.0), 1.0)
    away = 0.0
    for axis in range(path.shape[1]):
        away += (x[axis] - path[j, axis] - share * (path[j + one, axis] - path[j, axis])) ** 2
    return away


@jit
def _bounds(a: np.ndarray, b: np.ndarray, path: np.ndarray, lengths: np.ndarray) -> tuple[float, float]:
    """Return the distance of the farther end of a stretch from a path, and an upper bound for the whole stretch.

    The distance from one piece is convex along a stretch, so an end is farthest from the piece.
    """
    first, second, ceiling = np.inf, np.inf, np.inf
    for j in range(np.uint64(len(lengths))):
        here, there = _away(a, path, j, lengths[j]), _away(b, path, j, lengths[j])
        first, second = min(first, here), min(second, there)
        ceiling = min(ceiling, max(here, there))
    return np.sqrt(max(first, second)), np.sqrt(ceiling)


@jit
def farthest_from(first: np.ndarray, second: np.ndarray, within: float) -> float:
    """Return the distance of the first path's farthest point from the second path, at most `within` too small.

    Stretches are halved unless they cannot contain a point farther than the farthest found.
    """
    lengths, one = _lengths(second), np.uint64(1)
    most = 0.0
    ends = np.empty((2, first.shape[1]))
    stack = np.empty((64, 2))  # from, to as shares of the piece; halving keeps the stack shallow
    for i in range(np.uint64(len(first)) - one):
        stack[0] = (0.0, 1.0)
        depth = 1
        while depth > 0:
            depth -= 1
            low, high = stack[depth]
            for axis in range(first.shape[1]):
                along = first[i + one, axis] - first[i, axis]
                ends[0, axis] = first[i, axis] + low * along
                ends[1, axis] = first[i, axis] + high * along
            found, ceiling = _bounds(ends[0], ends[1], second, lengths)
            most = max(most, found)
            if ceiling > most + within and depth + 2 <= len(stack):
                middle = 0.5 * (low + high)
                stack[depth] = (low, middle)
                stack[depth + 1] = (middle, high)
                depth += 2
    return most


@jit
def nearest_gaps(line: Array, path: Array, out: Array) -> None:
    """Fill `out` with the least 3D distance from each line (n, 6: both ends) to a path (k, 3) of one point or more."""
    pieces = np.uint64(max(len(path) - 1, 1))
    for n in range(np.uint64(len(line))):
        least = math.inf
        for k in range(pieces):
            end = min(k + np.uint64(1), np.uint64(len(path) - 1))
            least = min(least, _gap(line, n, path, k, end))
            if least == 0.0:
                break
        out[n] = math.sqrt(least)


@jit
def _gap(line: Array, n: int, path: Array, begin: int, end: int) -> float:
    """Return the squared distance of two straight pieces, either of which may be a point.

    If the nearest points of their infinite lines lie on both pieces, these decide; else an end of one piece does.
    """
    ux, uy, uz = line[n, 3] - line[n, 0], line[n, 4] - line[n, 1], line[n, 5] - line[n, 2]
    vx, vy, vz = path[end, 0] - path[begin, 0], path[end, 1] - path[begin, 1], path[end, 2] - path[begin, 2]
    wx, wy, wz = line[n, 0] - path[begin, 0], line[n, 1] - path[begin, 1], line[n, 2] - path[begin, 2]
    uu, uv, vv = ux * ux + uy * uy + uz * uz, ux * vx + uy * vy + uz * vz, vx * vx + vy * vy + vz * vz
    uw, vw = ux * wx + uy * wy + uz * wz, vx * wx + vy * wy + vz * wz
    across = uu * vv - uv * uv
    least = math.inf
    if across > 1e-12 * uu * vv:
        s, t = (uv * vw - vv * uw) / across, (uu * vw - uv * uw) / across
        if 0.0 <= s <= 1.0 and 0.0 <= t <= 1.0:
            x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
            least = x * x + y * y + z * z
            # Crossing lines leave a rounding error; their distance is to be exactly 0.
            if least < 1e-24 * (uu + vv):
                return 0.0
    for corner in range(2):
        s = float(corner)
        t = min(max((vw + s * uv) / vv, 0.0), 1.0) if vv > 0.0 else 0.0
        x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
        least = min(least, x * x + y * y + z * z)
        t = float(corner)
        s = min(max((t * uv - uw) / uu, 0.0), 1.0) if uu > 0.0 else 0.0
        x, y, z = wx + s * ux - t * vx, wy + s * uy - t * vy, wz + s * uz - t * vz
        least = min(least, x * x + y * y + z * z)
    return least
