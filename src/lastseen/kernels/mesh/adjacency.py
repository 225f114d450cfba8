"""Kernels for mesh assembly: welding, components, stacked faces, storeys."""

from __future__ import annotations

from typing import Any

import numpy as np

from ...conventions import Array
from ..jit import jit


@jit
def weld_points(points_xy: Array, tolerance: float) -> Array:
    """Return for each point the index of the first earlier point within `tolerance` (itself when there is none).

    Uses a hash of square buckets four tolerances wide, centred on multiples of their width, so that points on round
    coordinates look into one bucket and not four.
    """
    count = len(points_xy)
    size = 1
    while size < 2 * count:
        size *= 2
    mask = np.uint64(size - 1)
    first = np.empty(size, np.int64)
    for slot in range(size):
        first[slot] = -1
    following = np.empty(count, np.int64)
    result = np.empty(count, np.int64)
    width = 4.0 * tolerance
    for i in range(count):
        x, y = points_xy[i, 0], points_xy[i, 1]
        found = np.int64(-1)
        left, right = np.floor((x - tolerance) / width + 0.5), np.floor((x + tolerance) / width + 0.5)
        low, high = np.floor((y - tolerance) / width + 0.5), np.floor((y + tolerance) / width + 0.5)
        for bx in range(np.int64(left), np.int64(right) + 1):
            for by in range(np.int64(low), np.int64(high) + 1):
                j = first[_mix(bx, by) & mask]
                while j >= 0:
                    near = (abs(points_xy[j, 0] - x) <= tolerance) & (abs(points_xy[j, 1] - y) <= tolerance)
                    if near & ((found < 0) | (j < found)):
                        found = j
                    j = following[j]
        if found >= 0:
            result[i] = found
            continue
        result[i] = i
        slot = _mix(np.int64(np.floor(x / width + 0.5)), np.int64(np.floor(y / width + 0.5))) & mask
        following[i] = first[slot]
        first[slot] = i
    return result


@jit
def _mix(bx: Any, by: Any) -> Any:
    x, y = np.uint64(np.int64(bx)), np.uint64(np.int64(by))
    h = x * np.uint64(0x9E3779B97F4A7C15) ^ y * np.uint64(0xC2B2AE3D27D4EB4F)
    h ^= h >> np.uint64(29)
    h *= np.uint64(0xBF58476D1CE4E5B9)
    return h ^ (h >> np.uint64(32))


@jit
def connected_components(start: Array, other: Array) -> Array:
    """Return the component of each node, numbered by lowest member; links of node `i` are `start[i] … start[i + 1]`.

    `other` holds the node each link leads to. Links exist in both directions, so those to lower nodes suffice.
    """
    count = len(start) - 1
    root = np.empty(count, np.int64)
    for i in range(count):
        root[i] = i
        for link in range(start[i], start[i + 1]):
            a, b = i, other[link]
            if b >= a:
                continue
            while root[a] != a:
                root[a] = root[root[a]]
                a = root[a]
            while root[b] != b:
                root[b] = root[root[b]]
                b = root[b]
            if a < b:
                root[b] = a
            else:
                root[a] = b
    # A root is the lowest of its component, so its label is known before the other members need it.
    label = np.empty(count, np.int64)
    found = 0
    for i in range(count):
        if root[i] == i:
            label[i] = found
            found += 1
        else:
            label[i] = label[root[i]]
    return label


@jit
def overlapping_pairs(
    corner_xy: Array,
    face_start: Array,
    box: Array,
    bucket_start: Array,
    bucket_face: Array,
    grid: Array,
    margin: float,
    pairs: Array,
) -> int:
    """Find pairs of faces whose interiors overlap by more than `margin`, seen from above; return how many there are.

    `corner_xy` (C, 2) holds the corners of all faces, `box` (F, 4) their bounds, `grid` (4,) the locator's
    origin x, y, bucket size and number of columns. The first pairs go to `pairs` (n, 2), as many as fit.
    """
    count = 0
    columns = np.int64(grid[3])
    for b in range(len(bucket_start) - 1):
        end = bucket_start[b + 1]
        for m in range(bucket_start[b], end):
            f = bucket_face[m]
            for n in range(m + 1, end):
                g = bucket_face[n]
                left, low = max(box[f, 0], box[g, 0]), max(box[f, 1], box[g, 1])
                if min(box[f, 2], box[g, 2]) - left <= margin or min(box[f, 3], box[g, 3]) - low <= margin:
                    continue
                # The same two faces may meet in several buckets: only the one with the low corner of their overlap
                # counts.
                column, row = np.int64((left - grid[0]) / grid[2]), np.int64((low - grid[1]) / grid[2])
                if row * columns + column != b:
                    continue
                if _apart(corner_xy, face_start, f, g, margin) or _apart(corner_xy, face_start, g, f, margin):
                    continue
                if count < len(pairs):
                    pairs[count, 0] = f
                    pairs[count, 1] = g
                count += 1
    return count


@jit
def _apart(corner_xy: Array, face_start: Array, f: Any, g: Any, margin: float) -> bool:
    """Return whether an edge of face `f` has all of face `g` on its outer side."""
    begin, end = face_start[f], face_start[f + 1]
    for k in range(begin, end):
        following = k + 1 if k + 1 < end else begin
        ax, ay = corner_xy[k, 0], corner_xy[k, 1]
        dx, dy = corner_xy[following, 0] - ax, corner_xy[following, 1] - ay
        bound = margin * np.sqrt(dx * dx + dy * dy)
        inside = False
        for m in range(face_start[g], face_start[g + 1]):
            if dx * (corner_xy[m, 1] - ay) - dy * (corner_xy[m, 0] - ax) > bound:
                inside = True
                break
        if not inside:
            return True
    return False


@jit
def lay_storeys(
    order: Array,
    height: Array,
    link_start: Array,
    link_face: Array,
    clash_start: Array,
    clash_face: Array,
    thickness: float,
) -> Array:
    """Return a storey for each face such that no two clashing faces share one.

    A storey floods over links from its lowest face, lowest faces first, around faces that would clash; then it is
    extended from further seeds that lie at most `thickness` above its first face. `order` lists faces by height.
    """
    count = len(order)
    rank = np.empty(count, np.int64)
    for r in range(count):
        rank[order[r]] = r
    storey = np.full(count, -1, np.int32)
    seen = np.full(count, -1, np.int32)
    heap = np.empty(count, np.int64)
    current = np.int32(0)
    begin = 0
    while begin < count:
        if storey[order[begin]] >= 0:
            begin += 1
            continue
        floor = height[order[begin]]
        for s in range(begin, count):
            seed = order[s]
            if height[seed] > floor + thickness:
                break
            if storey[seed] >= 0 or seen[seed] == current:
                continue
            heap[0] = s
            size = 1
            seen[seed] = current
            while size > 0:
                f = order[heap[0]]
                size -= 1
                heap[0] = heap[size]
                _sink(heap, size)
                free = True
                for c in range(clash_start[f], clash_start[f + 1]):
                    if storey[clash_face[c]] == current:
                        free = False
                        break
                if not free:
                    continue
                storey[f] = current
                for k in range(link_start[f], link_start[f + 1]):
                    g = link_face[k]
                    if storey[g] < 0 and seen[g] != current:
                        seen[g] = current
                        heap[size] = rank[g]
                        _rise(heap, size)
                        size += 1
        current += np.int32(1)
    return storey


@jit
def _sink(heap: Array, size: int) -> None:
    i = 0
    while True:
        child = 2 * i + 1
        if child >= size:
            return
        if child + 1 < size and heap[child + 1] < heap[child]:
            child += 1
        if heap[i] <= heap[child]:
            return
        heap[i], heap[child] = heap[child], heap[i]
        i = child


@jit
def _rise(heap: Array, i: int) -> None:
    while i > 0 and heap[i] < heap[(i - 1) // 2]:
        heap[i], heap[(i - 1) // 2] = heap[(i - 1) // 2], heap[i]
        i = (i - 1) // 2
