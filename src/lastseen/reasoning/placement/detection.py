"""Who is seen by guards on their rounds, when, and how much of the floor is dangerous?"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, points_xyz, read_only, real_array, shown, thing_of, whole_number
from ...conventions import Floats, Ids
from ...errors import InputError
from ...kernels.space_time_views import AROUND, ViewArrays, look_counts, looks_at
from ...level.sight.sight import Sight
from .routes import GuardRoute, Placement

__all__ = ["Danger", "GuardViews", "Sighting", "guard_words", "routes_of_guards", "timed_path", "view_arrays"]

MOST_MOMENTS = 1_000_000
"""Moments looked at, times guards: a day at ten a second, seen by one."""

MOST_SUBSTEPS = 1000


@dataclass(frozen=True)
class Sighting:
    """When, where and by which guard (its number) somebody is first seen; `xyz` are the feet."""

    seconds: float
    xyz: tuple[float, float, float]
    guard: int


@dataclass(frozen=True, eq=False)
class Danger:
    """How dangerous is the floor?

    Attributes
    ----------
    seconds : (M,) moments.
    share : (M,) 0 … 1, how much of the places asked is in a view then.
    places : (n,) 0 … 1, at how many of the moments each place is.
    """

    seconds: Floats
    share: Floats
    places: Floats


class GuardViews:
    """Fields of view over a stretch of time, sampled at even moments.

    Time is discrete, as in the source: every `step` seconds guards look, `substeps` times in between. What lies in a
    view at a moment is exact: a circle sector in plan, cut off by walls, doors, cover and floors. Nobody looks between
    moments; a body is looked for at one height.

    Attributes
    ----------
    arrays : what kernels need: `substeps` moments a step and one more.
    seconds : (M,) the moments.
    """

    def __init__(
        self,
        sight: Sight,
        guards: Placement | Sequence[GuardRoute],
        *,
        seconds: float = 60.0,
        step: float = 0.1,
        substeps: int = 1,
        seen_at: float = 1.0,
    ) -> None:
        """Let guards go their rounds.

        Parameters
        ----------
        seconds : how long, 0 … 86,400, in whole steps: the last may be longer.
        step : seconds between two decisions of a player, 0.01 … 10.
        substeps : looks a step, 1 … 1000: how finely ways are checked.
        seen_at : metres above the floor at which somebody is looked for, 0 … 10.
        """
        self.sight = thing_of(sight, Sight, "sight", "make one with `Sight.from_level(level)`")
        self.routes = routes_of_guards(guards)
        self.step = finite_number(step, "step", unit="s", low=0.01, high=10.0)
        period = finite_number(seconds, "seconds", unit="s", low=0.0, high=86_400.0)
        self.substeps = _substeps(substeps)
        self.seen_at = finite_number(seen_at, "seen_at", unit="m", low=0.0, high=10.0)
        self.steps = max(1, math.ceil(period / self.step - 1e-9))
        moments = self.steps * self.substeps + 1
        self._bounded(moments)
        self.seconds = read_only(np.arange(moments) * (self.step / self.substeps))
        self.arrays = view_arrays(self.routes, self.seconds)

    def _bounded(self, moments: int) -> None:
        if moments * max(1, len(self.routes)) > MOST_MOMENTS:
            raise InputError(
                f"{moments:,} moments of {len(self.routes)} guards are too many, at most {MOST_MOMENTS:,}; "
                "look at a shorter time, or in longer steps"
            )

    def seen(self, xyz: Any, seconds: Any) -> Ids:
        """Which guard sees somebody whose feet are at each place then? (n,) int32, -1: none; of several the first.

        Parameters
        ----------
        xyz : (n, 3) metres, on the floor.
        seconds : one moment, or (n,); any, not only those sampled.
        """
        points = points_xyz(xyz, "xyz") + np.array([0.0, 0.0, self.seen_at])
        when = real_array(seconds, "seconds", "numbers: moments in seconds")
        if when.shape not in ((), (len(points),)) or not np.isfinite(when).all():
            raise InputError(f"seconds has shape {when.shape}; give one finite moment, or one for each place")
        views = view_arrays(self.routes, np.broadcast_to(when, (len(points),)))
        found = np.empty(len(points), np.int32)
        looks_at(self.sight.arrays, views, points, found)
        return read_only(found)

    def first_seen(self, path: Any, *, substeps: int | None = None) -> Sighting | None:
        """When is somebody on this way first seen? None: never.

        Parameters
        ----------
        path : (n, 4) x, y, z and seconds, which do not fall; between its points one goes evenly.
        substeps : looks a step; None: as many as here. More look closer.
        """
        way = timed_path(path)
        each = self.step / (self.substeps if substeps is None else _substeps(substeps))
        first, last = math.ceil(way[0, 3] / each - 1e-9), math.floor(way[-1, 3] / each + 1e-9)
        self._bounded(last - first + 1)
        when = np.clip(np.arange(first, last + 1) * each, way[0, 3], way[-1, 3])
        places = np.stack([np.interp(when, way[:, 3], way[:, axis]) for axis in range(3)], axis=1)
        who = self.seen(places, when)
        for row in np.flatnonzero(who >= 0).tolist()[:1]:
            x, y, z = places[row].tolist()
            return Sighting(float(when[row]), (x, y, z), int(who[row]))
        return None

    def danger(self, xyz: Any) -> Danger:
        """How much of these places, (n, 3) on the floor, is in a view at each step, and how often is each?"""
        points = points_xyz(xyz, "xyz") + np.array([0.0, 0.0, self.seen_at])
        views = ViewArrays(np.ascontiguousarray(self.arrays.look[:: self.substeps]), self.arrays.reach)
        by_moment, by_point = np.zeros(self.steps + 1, np.int64), np.zeros(len(points), np.int64)
        look_counts(self.sight.arrays, views, points, by_moment, by_point)
        return Danger(
            read_only(self.seconds[:: self.substeps].copy()),
            read_only(by_moment / max(1, len(points))),
            read_only(by_point / (self.steps + 1)),
        )


def _substeps(given: Any) -> int:
    number = whole_number(given, "substeps", low=1)
    if number > MOST_SUBSTEPS:
        raise InputError(f"substeps is {shown(given)}; give 1 to {MOST_SUBSTEPS}")
    return number


def view_arrays(routes: Sequence[GuardRoute], seconds: Floats) -> ViewArrays:
    """Return the views of guards at some moments (M,)."""
    look, reach = np.empty((len(seconds), len(routes), 5)), np.empty((len(routes), 2))
    for number, route in enumerate(routes):
        pose, kind = route.pose_at(seconds), route.kind
        look[:, number, :3] = pose[:, :3] + np.array([0.0, 0.0, kind.eye_height])
        look[:, number, 3], look[:, number, 4] = np.cos(pose[:, 3]), np.sin(pose[:, 3])
        around = kind.view_angle >= 2.0 * math.pi
        reach[number] = kind.view_distance, AROUND if around else math.cos(0.5 * kind.view_angle)
    return ViewArrays(look, reach)


def routes_of_guards(guards: Any) -> tuple[GuardRoute, ...]:
    """Return the routes of a placement, or the routes given."""
    advice = "give a Placement, or GuardRoutes"
    given = guards.routes if isinstance(guards, Placement) else guards
    if not isinstance(given, list | tuple):
        thing_of(given, Placement, "guards", advice)
    return tuple(thing_of(route, GuardRoute, f"guards[{number}]", advice) for number, route in enumerate(given))


def guard_words(routes: Sequence[GuardRoute], number: int) -> str:
    """Return what to call a guard: its number from 1, its kind, and its name where it has one."""
    name = f" {routes[number].name!r}" if routes[number].name else ""
    return f"guard {number + 1}{name} ({routes[number].kind.name})"


def timed_path(path: Any) -> Floats:
    """Return a way through space and time, (n, 4) float64, or say what is wrong with it."""
    way = real_array(path, "path", "numbers of shape (n, 4): x, y, z, seconds")
    if way.ndim != 2 or way.shape[1] != 4 or len(way) == 0 or not np.isfinite(way).all():
        raise InputError(f"path has shape {way.shape}; give finite numbers of shape (n, 4): x, y, z, seconds")
    if (np.diff(way[:, 3]) < 0.0).any():
        row = int(np.flatnonzero(np.diff(way[:, 3]) < 0.0)[0]) + 1
        raise InputError(f"path[{row}] is before path[{row - 1}] in time; let seconds rise")
    return way
