"""Far targets: paths much longer than the straight line, and areas given up as unreachable for a while."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...checks import finite_number, instance_of, point_xyz, points_xyz, read_only, shown, text_of
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError, QueryError
from ...navmesh.query import find_paths, raycasts, reachable_many
from .cheapest_paths import CheapestPaths

DETOUR_REASONS = ("straight", "near", "far", "no_path", "off_mesh")
"""Results of a comparison; `Detours.reason` holds indices into this.

straight: the straight line can be walked. near: slightly longer. far: longer than allowed. no_path: there is none.
off_mesh: one of the ends is not on the mesh.
"""

_STRAIGHT, _NEAR, _FAR, _NO_WAY, _OFF = range(5)
_STRETCH = 1.2
"""A walk from cell to cell is at most this factor longer than the shortest; in between, the mesh decides."""
_ENDS = 2.0
"""Cell sizes by which a walk may be longer because of where its ends are within their cells."""
_OFF_MESH = 3
"""Number in `COST_PATH_REASONS`; reasons from this value on mean that an end is off the mesh."""
_FARTHEST = 1e4


@dataclass(frozen=True, eq=False)
class Detours:
    """Walks compared with straight lines, for n pairs.

    Attributes
    ----------
    straight : (n,) float64 metres in space.
    length : (n,) float64 metres of the walk; at most `limit` if near, infinite if given up.
    limit : (n,) float64 maximum metres of a walk.
    far : (n,) bool: the walk is longer than that, or there is none.
    reason : (n,) uint8, index into `DETOUR_REASONS`.
    touched : (n,) int64, cells that were visited.
    """

    straight: Floats
    length: Floats
    limit: Floats
    far: Bools
    reason: Array
    touched: Array

    def __len__(self) -> int:
        return len(self.reason)

    def why(self, index: int) -> str:
        """Return how this walk compares, one of `DETOUR_REASONS`."""
        return DETOUR_REASONS[int(self.reason[index])]


def detours(paths: CheapestPaths, start_xyz: Any, goal_xyz: Any, *, ratio: float = 2.0, extra: float = 5.0) -> Detours:
    """Check whether the walk of each pair (n, 3) exceeds `ratio` times the straight line plus `extra` metres.

    Pairs with a straight walk need no search; a search ends when every path must be too long. A walk about as long as
    allowed is measured on the mesh, so that cells do not decide.
    """
    instance_of(paths, CheapestPaths, "paths", "create it once with CheapestPaths(layout)")
    starts, goals = points_xyz(start_xyz, "start_xyz"), points_xyz(goal_xyz, "goal_xyz")
    if len(starts) != len(goals):
        raise InputError(f"there are {len(starts)} starts and {len(goals)} goals; give one goal per start")
    ratio = finite_number(ratio, "ratio", low=1.0, high=1e6)
    extra = finite_number(extra, "extra", unit="m", low=0.0, high=1e9)
    straight = np.linalg.norm(goals - starts, axis=1)
    limit = ratio * straight + extra
    mesh = paths.layout.mesh
    reason = np.full(len(starts), _STRAIGHT, np.uint8)
    length, touched = straight.copy(), np.zeros(len(starts), np.int64)
    rows = np.flatnonzero(~raycasts(mesh, starts, goals).reached)
    joined = reachable_many(mesh, starts[rows], goals[rows])
    apart = rows[~joined]
    if len(apart):
        off = raycasts(mesh, starts[apart], starts[apart]).outcome + raycasts(mesh, goals[apart], goals[apart]).outcome
        reason[apart], length[apart] = np.where(off > 0, _OFF, _NO_WAY), np.inf
    rows = rows[joined]
    if len(rows):
        _search(paths, starts, goals, rows, limit, reason, length, touched)
    far = reason >= _FAR
    return Detours(*map(read_only, (straight, length, limit, far, reason, touched)))


def _search(
    paths: CheapestPaths,
    starts: Floats,
    goals: Floats,
    rows: Array,
    limit: Floats,
    reason: Array,
    length: Floats,
    touched: Array,
) -> None:
    """Fill in how walks over cells compare; those about as long as the limit are measured on the mesh."""
    slack = _ENDS * float(paths.layout.arrays.size_xyz[0])
    found = paths.find(starts[rows], goals[rows], most=limit[rows] * _STRETCH + slack, straight=False)
    touched[rows] = found.touched
    fine = found.reached & (found.length <= limit[rows])
    reason[rows], length[rows] = np.where(fine, _NEAR, _FAR), np.where(fine, found.length, np.inf)
    # The mesh also decides where no cell stands for an end.
    doubtful = rows[(found.reached & ~fine) | (found.reason >= _OFF_MESH)]
    if len(doubtful):
        exact = find_paths(paths.layout.mesh, starts[doubtful], goals[doubtful])
        near = exact.reached & (exact.length <= limit[doubtful])
        reason[doubtful] = np.where(near, _NEAR, _FAR)
        length[doubtful] = np.where(near, exact.length, np.inf)


@dataclass(frozen=True, eq=False)
class MarkedArea:
    """An upright cylinder that counts as unreachable until it expires.

    Attributes
    ----------
    number : counts the marks of one `UnreachableAreas`, from 0.
    xyz : (3,) float64 metres, the middle of its floor.
    radius, height : metres; from `below` metres under the floor up to `height` over it.
    since, until : seconds.
    reason : why it was given up, as text.
    """

    number: int
    xyz: Floats
    radius: float
    height: float
    below: float
    since: float
    until: float
    reason: str


class UnreachableAreas:
    """Marked volumes, each with a lifetime; the caller passes the time.

    Notes
    -----
    A crew whose flankers did not get through marks the area around the target and fights from afar; after a while it is
    worth another try.
    """

    def __init__(self) -> None:
        self._areas: dict[int, MarkedArea] = {}
        self._next = 0

    def __len__(self) -> int:
        return len(self._areas)

    def mark(
        self,
        xyz: Any,
        now: float,
        *,
        radius: float = 4.0,
        seconds: float = 30.0,
        height: float = 2.0,
        below: float = 0.5,
        reason: str = "",
    ) -> MarkedArea:
        """Give up the volume around a place for this many seconds from `now` on; return the mark.

        If the place is nearer than half a radius to the middle of a mark of at least that radius, that mark is kept,
        with the later end and the new reason.
        """
        place = point_xyz(xyz, "xyz")
        at = finite_number(now, "now", unit="s")
        wide = finite_number(radius, "radius", unit="m", low=0.0, high=_FARTHEST, open_low=True)
        lasts = finite_number(seconds, "seconds", unit="s", low=0.0, high=1e9, open_low=True)
        up = finite_number(height, "height", unit="m", low=0.0, high=_FARTHEST)
        down = finite_number(below, "below", unit="m", low=0.0, high=_FARTHEST)
        words = text_of(reason, "reason")
        self.expire(at)
        old = self.area_at(place, at)
        if old is not None and old.radius >= wide and math.dist(old.xyz, place) <= old.radius / 2.0:
            area = replace(old, until=max(old.until, at + lasts), reason=words)
        else:
            area = MarkedArea(self._next, read_only(place), wide, up, down, at, at + lasts, words)
            self._next += 1
        self._areas[area.number] = area
        return area

    def lift(self, area: MarkedArea) -> None:
        """End a mark early, because an agent got there."""
        if not isinstance(area, MarkedArea) or area.number not in self._areas:
            raise QueryError(f"{shown(area)} is not a current mark; see `active(now)`")
        del self._areas[area.number]

    def expire(self, now: float) -> int:
        """Remove expired marks; return how many there were."""
        at = finite_number(now, "now", unit="s")
        over = [number for number, area in self._areas.items() if area.until <= at]
        for number in over:
            del self._areas[number]
        return len(over)

    def clear(self) -> None:
        """Remove all marks."""
        self._areas.clear()

    def active(self, now: float) -> tuple[MarkedArea, ...]:
        """Return the marks in force, oldest first."""
        at = finite_number(now, "now", unit="s")
        return tuple(area for _, area in sorted(self._areas.items()) if area.since <= at < area.until)

    def numbers_at(self, points: Any, now: float) -> Ids:
        """Return the mark that holds each of `points` (n, 3), (n,) int32, the oldest of several; -1: none."""
        places = points_xyz(points)
        found = np.full(len(places), -1, np.int32)
        for area in reversed(self.active(now)):
            away = places - area.xyz
            level = (away[:, 2] >= -area.below) & (away[:, 2] <= area.height)
            found[level & ((away[:, :2] ** 2).sum(axis=1) <= area.radius**2)] = area.number
        return read_only(found)

    def holds(self, points: Any, now: float) -> Bools:
        """Return which of `points` (n, 3) count as unreachable now, (n,) bool."""
        return read_only(self.numbers_at(points, now) >= 0)

    def area_at(self, xyz: Any, now: float) -> MarkedArea | None:
        """Return the mark that holds a place now, the oldest of several; None: it is not given up."""
        number = int(self.numbers_at(point_xyz(xyz, "xyz")[None], now)[0])
        return self._areas[number] if number >= 0 else None
