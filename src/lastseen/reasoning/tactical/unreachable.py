"""Unreachable areas: volumes that are given up for a while."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ...checks import finite_number, point_xyz, points_xyz, read_only, shown, text_of
from ...conventions import Bools, Floats, Ids
from ...errors import QueryError

_FARTHEST = 1e4


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
