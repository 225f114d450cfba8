"""Merge triangles into convex faces by removing edges, without dents, creases or too many corners."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

NONE = np.int32(-1)


@jit
def _turns_right(xy: Array, a: int, b: int, c: int) -> bool:
    return (xy[b, 0] - xy[a, 0]) * (xy[c, 1] - xy[b, 1]) < (xy[b, 1] - xy[a, 1]) * (xy[c, 0] - xy[b, 0])


@jit
def _mean_plane(xy: Array, z: Array, corners: Array, count: int) -> tuple[float, float, float]:
    """Return the slopes and the height at corner 0 of a face's mean plane (Newell), as computed for the navmesh."""
    base = corners[0]
    nx = ny = nz = mean_x = mean_y = mean_z = 0.0
    for k in range(count):
        p, q = corners[k], corners[(k + 1) % count]
        px, py, pz = xy[p, 0] - xy[base, 0], xy[p, 1] - xy[base, 1], z[p] - z[base]
        qx, qy, qz = xy[q, 0] - xy[base, 0], xy[q, 1] - xy[base, 1], z[q] - z[base]
        nx += (py - qy) * (pz + qz)
        ny += (pz - qz) * (px + qx)
        nz += (px - qx) * (py + qy)
        mean_x, mean_y, mean_z = mean_x + px, mean_y + py, mean_z + pz
    slope_x, slope_y = -nx / nz, -ny / nz
    return slope_x, slope_y, z[base] + (mean_z - slope_x * mean_x - slope_y * mean_y) / count


@jit
def _strays(
    xy: Array, z: Array, triangles: Array, deviation: Array, member: Array, one: int, other: int, corners: Array,
    count: int,
) -> float:  # fmt: skip
    """Return an upper bound on how far a single plane over the triangles of two faces deviates from the floor.

    The gap between two planes over a triangle is widest at a corner, so testing corners suffices.
    """
    slope_x, slope_y, height = _mean_plane(xy, z, corners, count)
    base = corners[0]
    most = 0.0
    for first in (one, other):
        t = first
        while t >= 0:
            for k in range(3):
                v = triangles[t, k]
                plane = height + (xy[v, 0] - xy[base, 0]) * slope_x + (xy[v, 1] - xy[base, 1]) * slope_y
                most = max(most, abs(plane - z[v]) + deviation[t])
            t = member[t]
    return most


@jit
def merge_faces(
    xy: Array, z: Array, triangles: Array, deviation: Array, twin: Array, order: Array, error: float, most: int
) -> tuple[Array, Array]:
    """Remove edges in the given order while faces stay convex, within `error` of the floor and at `most` corners.

    Parameters
    ----------
    xy : (V, 2) float64; z : (V,) float64; triangles : (T, 3) int32; deviation : (T,) float64, metres.
    twin : (3 T,) int32, edge `3 t + k` seen from the other side; -1 means none. order : (M,) int32, edges to try.

    Returns
    -------
    face_start : (F + 1,) int32; edges : int32, the remaining edges; `3 t + k` begins at corner k of triangle t.
    """
    total = 3 * len(triangles)
    following, before, face = np.empty(total, np.int32), np.empty(total, np.int32), np.empty(total, np.int32)
    origin = np.empty(total, np.int32)
    for e in range(total):
        t, k = e // 3, e % 3
        following[e], before[e] = 3 * t + (k + 1) % 3, 3 * t + (k + 2) % 3
        face[e], origin[e] = t, triangles[t, k]
    count = np.full(len(triangles), 3, np.int32)
    member, last = np.full(len(triangles), NONE, np.int32), np.arange(len(triangles))
    gone = np.zeros(total, np.bool_)
    corners = np.empty(most, np.int32)
    changed = True
    # Repeat after a success: two faces may then share the rest of a straight row.
    while changed:
        changed = False
        for m in range(len(order)):
            e = order[m]
            mate = twin[e]
            if mate < 0 or gone[e] or face[e] == face[mate]:
                continue
            # Two faces may share several edges in a straight row: remove all of them or none.
            while twin[before[e]] == following[mate]:
                e, mate = before[e], following[mate]
            end, end_mate, shared = e, mate, 1
            while twin[following[end]] == before[end_mate]:
                end, end_mate, shared = following[end], before[end_mate], shared + 1
            one, other = face[e], face[mate]
            size = count[one] + count[other] - 2 * shared
            if size > most or size < 3:
                continue
            if _turns_right(xy, origin[before[e]], origin[e], origin[following[following[mate]]]):
                continue
            if _turns_right(xy, origin[before[end_mate]], origin[end_mate], origin[following[following[end]]]):
                continue
            walk, k = following[mate], 0
            while walk != end_mate:
                corners[k] = origin[walk]
                walk, k = following[walk], k + 1
            walk = following[end]
            while walk != e:
                corners[k] = origin[walk]
                walk, k = following[walk], k + 1
            if _strays(xy, z, triangles, deviation, member, one, other, corners, size) > error:
                continue
            step = e
            while True:
                gone[step] = gone[twin[step]] = True
                if step == end:
                    break
                step = following[step]
            after, after_mate = following[end], following[mate]
            before[after], following[before[end_mate]] = before[end_mate], after
            before[after_mate], following[before[e]] = before[e], after_mate
            walk = after
            while True:
                face[walk] = one
                walk = following[walk]
                if walk == after:
                    break
            count[one] = size
            member[last[one]] = other
            last[one] = last[other]
            changed = True
    face_start, listed = np.empty(len(triangles) + 1, np.int32), np.empty(total, np.int32)
    faces, used = 0, 0
    written = np.zeros(len(triangles), np.bool_)
    for e in range(total):
        if gone[e] or written[face[e]]:
            continue
        written[face[e]] = True
        face_start[faces] = used
        walk = e
        while True:
            listed[used] = walk
            used += 1
            walk = following[walk]
            if walk == e:
                break
        faces += 1
    face_start[faces] = used
    return face_start[: faces + 1], listed[:used]
