"""Straight walks: how near they keep to a line, and where the floor bends below them."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from .space_time_floor import AskArrays, Point, bend_share, cast, floor_at, metres_straight, ray_room

_SLACK = 0.02  # metres; points nearer to the end of a leash count as beyond it


class LeashArrays(NamedTuple):
    """A line to stay near to; without points there is no limit."""

    line: Array  # float64 (n, 3)
    hold: Array  # float64 (2,)  largest distance in plan (< 0: only the given straight walks) and in height, metres


@inner
def off_line(leash: LeashArrays, x: float, y: float, z: float) -> float:
    """Return the distance in plan from a point to the part of the line on its storey, infinite if there is none."""
    line, best = leash.line, math.inf
    for i in range(len(line) - 1):
        ax, ay, az = line[i, 0], line[i, 1], line[i, 2]
        ex, ey = line[i + 1, 0] - ax, line[i + 1, 1] - ay
        long2 = ex * ex + ey * ey
        share = min(1.0, max(0.0, ((x - ax) * ex + (y - ay) * ey) / long2)) if long2 > 0.0 else 0.0
        if abs(az + share * (line[i + 1, 2] - az) - z) <= leash.hold[1]:
            best = min(best, math.hypot(ax + share * ex - x, ay + share * ey - y))
    return best


@jit
def off_lines(leash: LeashArrays, points: Array, out: Array) -> None:
    """Write `off_line` of points (n, 3) to `out` (n,)."""
    for i in range(len(points)):
        out[i] = off_line(leash, points[i, 0], points[i, 1], points[i, 2])


@inner
def keeps_near(leash: LeashArrays, start: Point, end: Point) -> bool:
    """Return whether a straight walk stays within the leash.

    The distance to the line changes by no more than the distance walked, which sets the distance between samples.
    """
    if len(leash.line) == 0:
        return True
    length = math.hypot(end[0] - start[0], end[1] - start[1])
    gone = 0.0
    while gone < length:
        share = gone / length
        x, y = start[0] + share * (end[0] - start[0]), start[1] + share * (end[1] - start[1])
        slack = leash.hold[0] - off_line(leash, x, y, start[2] + share * (end[2] - start[2]))
        if slack < _SLACK:
            return False
        gone += slack
    return True


_PART = 0.25  # metres between two samples of the floor
_SLOPE = 0.05  # change of slope that counts as a bend, metres per metre


@jit
def floor_bends(mesh: MeshArrays, ask: AskArrays, points: Array, out: Array) -> int:
    """Write to `out` (k, 3) where the floor bends below a path (n, 3), as at both ends of stairs; return the number.

    At most one bend is found between two samples.
    """
    ray, count = ray_room(), 0
    for leg in range(len(points) - 1):
        x, y, z = points[leg, 0], points[leg, 1], points[leg, 2]
        dx, dy = points[leg + 1, 0] - x, points[leg + 1, 1] - y
        far = np.sqrt(dx * dx + dy * dy)
        parts, on = np.int64(np.ceil(far / _PART)), np.int64(-1)
        for part in range(1, parts + 1):
            here: Point = (x + dx * (part - 1) / parts, y + dy * (part - 1) / parts, z)
            there: Point = (x + dx * part / parts, y + dy * part / parts, z)
            cast(mesh, ask, ray, here, on, there)
            before, on, z = on, np.int64(ray.stop[0]), ray.point[0, 2]
            if before < 0 or on < 0 or before == on:
                continue
            rise = mesh.face_plane[on] - mesh.face_plane[before]
            share = bend_share(mesh, before, on, here, there)
            if abs(rise[0] * dx + rise[1] * dy) <= _SLOPE * far or share < 0.0 or count == len(out):
                continue
            out[count, 0] = here[0] + share * (there[0] - here[0])
            out[count, 1] = here[1] + share * (there[1] - here[1])
            out[count, 2] = floor_at(mesh, on, out[count, 0], out[count, 1])
            count += 1
    return count


@jit
def straight_pairs(mesh: MeshArrays, ask: AskArrays, points: Array, out: Array) -> None:
    """Write to `out` (n, n) uint8 whether a straight walk connects two of the points (n, 3): see `metres_straight`."""
    ray = ray_room()
    for i in range(len(points)):
        out[i, i] = 0
        here = (points[i, 0], points[i, 1], points[i, 2])
        for j in range(i):
            there = (points[j, 0], points[j, 1], points[j, 2])
            out[i, j] = 1 if metres_straight(mesh, ask, ray, here, -1, there) >= 0.0 else 0
            out[j, i] = out[i, j]
