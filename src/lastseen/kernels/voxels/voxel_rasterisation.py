"""Rasterise triangles into solid spans: the height ranges that are filled in each column of voxels."""

from __future__ import annotations

import math

import numpy as np

from ...conventions import Array
from ..jit import jit

NONE = np.uint32(0xFFFFFFFF)


@jit
def _outline(points: Array, corner: Array, row: int, pieces: Array) -> int:
    """Collect the outline of a triangle within a row as unordered segments (x, z, x, z); return their number."""
    count = np.uint32(0)
    for k in range(3):
        p, q = corner[k], corner[(k + 1) % 3]
        xp, yp, zp = points[p, 0], points[p, 1], points[p, 2]
        xq, yq, zq = points[q, 0], points[q, 1], points[q, 2]
        if min(yp, yq) > row + 1 or max(yp, yq) < row:
            continue
        begin, end = 0.0, 1.0
        if yp != yq:
            one, other = (row - yp) / (yq - yp), (row + 1 - yp) / (yq - yp)
            begin, end = max(0.0, min(one, other)), min(1.0, max(one, other))
        pieces[count, 0], pieces[count, 1] = xp + begin * (xq - xp), zp + begin * (zq - zp)
        pieces[count, 2], pieces[count, 3] = xp + end * (xq - xp), zp + end * (zq - zp)
        count += np.uint32(1)
    for cut in range(2):
        y = row + cut
        found = np.uint32(0)
        for k in range(3):
            p, q = corner[k], corner[(k + 1) % 3]
            yp, yq = points[p, 1], points[q, 1]
            if (yp < y) != (yq < y):
                t = (y - yp) / (yq - yp)
                pieces[count, found] = points[p, 0] + t * (points[q, 0] - points[p, 0])
                pieces[count, found + np.uint32(1)] = points[p, 2] + t * (points[q, 2] - points[p, 2])
                found += np.uint32(2)
        if found == 4:
            count += np.uint32(1)
    return count


@jit
def _stretch(pieces: Array, piece: int, first: int, last: int, low: Array, high: Array) -> None:
    """Widen the height range of every column that a segment of the outline crosses."""
    x0, z0, x1, z1 = pieces[piece, 0], pieces[piece, 1], pieces[piece, 2], pieces[piece, 3]
    if x0 > x1:
        x0, z0, x1, z1 = x1, z1, x0, z0
    begin = min(max(math.floor(x0), first), last)
    end = min(max(math.ceil(x1) - 1, begin), last)
    slope = (z1 - z0) / (x1 - x0) if x1 > x0 else 0.0
    floor, roof = min(z0, z1), max(z0, z1)
    z_from = z0
    for column in range(begin, end + 1):
        z_to = z1 if column == end else min(max(z0 + (column + 1 - x0) * slope, floor), roof)
        i = np.uint32(column - first)
        low[i] = min(low[i], z_from, z_to)
        high[i] = max(high[i], z_from, z_to)
        z_from = z_to


@jit
def _insert(head: Array, following: Array, spans: Array, place: int, used: int, given: Array, gap: float) -> int:
    """Insert a span into a column's list, merging spans nearer than `gap`; return the number of entries in use."""
    before, current = NONE, head[place]
    while current != NONE and spans[current, 1] + gap < given[0]:
        before, current = current, following[current]
    if current == NONE or spans[current, 0] > given[1] + gap:
        for k in range(4):
            spans[used, k] = given[k]
        following[used] = current
        if before == NONE:
            head[place] = used
        else:
            following[before] = used
        return used + np.uint64(1)
    spans[current, 0] = min(spans[current, 0], given[0])
    for k in range(1, 4):
        spans[current, k] = max(spans[current, k], given[k])
    above = following[current]
    while above != NONE and spans[above, 0] <= spans[current, 1] + gap:
        for k in range(1, 4):
            spans[current, k] = max(spans[current, k], spans[above, k])
        above = following[above]
    following[current] = above
    return used


@jit
def by_column(head: Array, following: Array, spans: Array, start: Array, ordered: Array) -> int:
    """Lay out the lists of the columns one after another, bottom up; return the number of spans."""
    count = np.uint32(0)
    for place in range(len(head)):
        start[np.uint32(place)] = count
        current = head[np.uint32(place)]
        while current != NONE:
            for k in range(4):
                ordered[count, k] = spans[current, k]
            count += np.uint32(1)
            current = following[current]
    start[len(head)] = count
    return count


@jit
def rasterise(
    points: Array, triangles: Array, walkable: Array, begin: int, width: int, depth: int, gap: float,
    head: Array, following: Array, spans: Array, used: int,
) -> tuple[int, int]:  # fmt: skip
    """Fill columns with solid spans; spans nearer than `gap` metres are merged.

    Parameters
    ----------
    points : (V, 3) float64, x and y in voxels from the grid's corner, within the grid; z in metres.
    triangles : (T, 3) int32, processed from number `begin` on; walkable : (T,) bool, flat enough to stand on.
    head : (columns,) uint32, first span of each column, initially `NONE`. The column of (x, y) is `y * width + x`.
    following : (room,) uint32, the span above.
    spans : (room, 4) float32: bottom, top, floor (highest surface, at the column's centre where it is walkable) and
        the top of the highest walkable part (-inf if there is none).
    used : rows of `spans` in use.

    Returns
    -------
    The triangle at which the rows ran out (continue with it; T when all are done), and the rows in use.

    Notes
    -----
    Neither the order of triangles nor repetition matters: every field of a span is a minimum or a maximum.
    """
    given = np.empty(4, np.float32)
    low, high = np.empty(width, np.float64), np.empty(width, np.float64)
    pieces = np.empty((5, 4), np.float64)
    taken = np.uint64(used)
    for t in range(begin, len(triangles)):
        corner = triangles[t]
        a, b, c = corner[0], corner[1], corner[2]
        y_low, y_high = min(points[a, 1], points[b, 1], points[c, 1]), max(points[a, 1], points[b, 1], points[c, 1])
        ux, uy, uz = points[b, 0] - points[a, 0], points[b, 1] - points[a, 1], points[b, 2] - points[a, 2]
        vx, vy, vz = points[c, 0] - points[a, 0], points[c, 1] - points[a, 1], points[c, 2] - points[a, 2]
        normal_x, normal_y, area = uy * vz - uz * vy, uz * vx - ux * vz, ux * vy - uy * vx
        slope_x = slope_y = 0.0
        if walkable[t]:
            slope_x, slope_y = -normal_x / area, -normal_y / area
        # A triangle that only touches the next row or column does not count there. A wall exactly between two
        # rows or columns belongs to the one behind it.
        row_first = math.floor(y_low)
        row_last = max(math.ceil(y_high) - 1, row_first)
        if y_low == y_high and row_first == y_low and normal_y > 0.0:
            row_first = row_last = row_first - 1
        row_first, row_last = min(max(row_first, 0), depth - 1), min(max(row_last, 0), depth - 1)
        for row in range(row_first, row_last + 1):
            count = _outline(points, corner, row, pieces)
            x_low, x_high = np.inf, -np.inf
            for k in range(count):
                x_low = min(x_low, pieces[k, 0], pieces[k, 2])
                x_high = max(x_high, pieces[k, 0], pieces[k, 2])
            if count == 0:
                continue
            first = math.floor(x_low)
            last = max(math.ceil(x_high) - 1, first)
            if x_low == x_high and first == x_low and normal_x > 0.0:
                first = last = first - 1
            first, last = min(max(first, 0), width - 1), min(max(last, 0), width - 1)
            if int(taken) + last - first + 1 > len(following):
                return t, int(taken)
            for i in range(last - first + 1):
                low[np.uint32(i)], high[np.uint32(i)] = np.inf, -np.inf
            for k in range(count):
                _stretch(pieces, np.uint32(k), first, last, low, high)
            for column in range(first, last + 1):
                given[0], given[1] = low[np.uint32(column - first)], high[np.uint32(column - first)]
                if given[0] > given[1]:
                    continue
                given[2], given[3] = given[1], -np.inf
                if walkable[t]:
                    centre = points[a, 2] + (column + 0.5 - points[a, 0]) * slope_x
                    centre += (row + 0.5 - points[a, 1]) * slope_y
                    given[2], given[3] = min(max(np.float32(centre), given[0]), given[1]), given[1]
                taken = _insert(head, following, spans, np.uint32(row * width + column), taken, given, gap)
    return len(triangles), int(taken)
