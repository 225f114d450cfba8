"""Detect players in the views of guards on their routes, and measure how much of the floor is dangerous."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, instance_of, points_xyz, read_only, real_array, shown, whole_number
from ...conventions import Floats, Ids
from ...errors import InputError
from ...kernels.spacetime.space_time_views import AROUND, ViewArrays, look_counts, looks_at
from ...level.sight.sight import Sight
from .guard_routes import GuardRoute, Placement

MOST_MOMENTS = 5_000_000
"""Maximum of moments times guards, 200 MB: a minute of 800 guards at a hundred looks per second."""

MOST_SUBSTEPS = 1000


@dataclass(frozen=True)
class Sighting:
    """The first sighting of a player: when, where and by which guard (its number); `xyz` are the feet."""

    seconds: float
    xyz: tuple[float, float, float]
    guard: int


@dataclass(frozen=True, eq=False)
class Danger:
    """The share of the floor in view over time.

    Attributes
    ----------
    seconds : (M,) moments.
    share : (M,) 0 … 1, share of the places that is in view then.
    places : (n,) 0 … 1, share of the moments at which each place is in view.
    """

    seconds: Floats
    share: Floats
    places: Floats


class GuardViews:
    """What guards notice over a stretch of time, sampled at even moments.

    Time is discrete, as in the source, but fine: guards look `substeps` times in every `step` seconds. What lies in a
    view at a moment is exact: a circle sector in plan, cut off by walls, doors, cover and floors. Within its passive
    radius and at body contact, a guard notices anyone with nothing in between, too. A body is looked for at one height
    only.

    Attributes
    ----------
    arrays : kernel arrays: `substeps` moments per step and one more.
    seconds : (M,) the moments.
    """

    def __init__(
        self,
        sight: Sight,
        guards: Placement | Sequence[GuardRoute],
        *,
        seconds: float = 60.0,
        step: float = 0.1,
        substeps: int = 10,
        seen_at: float = 1.0,
        touch: float | None = 0.0,
    ) -> None:
        """Sample the views of guards on their routes.

        Parameters
        ----------
        seconds : duration, 0 … 86,400, rounded up to whole steps.
        step : seconds between two decisions of a player, 0.01 … 10.
        substeps : looks per step, 1 … 1000: how finely paths are checked.
        seen_at : metres above the floor at which guards look for a player, 0 … 10.
        touch : distance of the middles of two bodies that touch, 0 … 20 m; None: only views count, neither contact nor
            the passive radius.
        """
        self.sight = instance_of(sight, Sight, "sight", "create one with `Sight.from_level(level)`")
        self.routes = routes_of_guards(guards)
        self.step = finite_number(step, "step", unit="s", low=0.01, high=10.0)
        period = finite_number(seconds, "seconds", unit="s", low=0.0, high=86_400.0)
        self.substeps = _substeps(substeps)
        self.seen_at = finite_number(seen_at, "seen_at", unit="m", low=0.0, high=10.0)
        self.touch = None if touch is None else finite_number(touch, "touch", unit="m", low=0.0, high=20.0)
        self.steps = max(1, math.ceil(period / self.step - 1e-9))
        moments = self.steps * self.substeps + 1
        self._bounded(moments)
        self.seconds = read_only(np.arange(moments) * (self.step / self.substeps))
        self.arrays = view_arrays(self.routes, self.seconds, self.touch)

    def _bounded(self, moments: int) -> None:
        if moments * max(1, len(self.routes)) > MOST_MOMENTS:
            raise InputError(
                f"{moments:,} moments of {len(self.routes)} guards exceed {MOST_MOMENTS:,} in total; "
                "use a shorter time, longer steps or fewer substeps"
            )

    def seen(self, xyz: Any, seconds: Any) -> Ids:
        """Return the guard that sees a player with feet at each place then, (n,) int32; the first of several, -1: none.

        Parameters
        ----------
        xyz : (n, 3) metres, on the floor.
        seconds : one moment, or (n,); not limited to those sampled.
        """
        points = points_xyz(xyz, "xyz") + np.array([0.0, 0.0, self.seen_at])
        when = real_array(seconds, "seconds", "numbers: moments in seconds")
        if when.shape not in ((), (len(points),)) or not np.isfinite(when).all():
            raise InputError(f"seconds has shape {when.shape}; give one finite moment, or one for each place")
        views = view_arrays(self.routes, np.broadcast_to(when, (len(points),)), self.touch)
        found = np.empty(len(points), np.int32)
        looks_at(self.sight.arrays, views, points, found)
        return read_only(found)

    def first_seen(self, path: Any, *, substeps: int | None = None) -> Sighting | None:
        """Return when a player on this path is first seen; None: never.

        Parameters
        ----------
        path : (n, 4) x, y, z and seconds, seconds never fall; movement between points is uniform.
        substeps : looks per step; None: those of these views.
        """
        timed = timed_path(path)
        each = self.step / (self.substeps if substeps is None else _substeps(substeps))
        first, last = math.ceil(timed[0, 3] / each - 1e-9), math.floor(timed[-1, 3] / each + 1e-9)
        self._bounded(last - first + 1)
        when = np.clip(np.arange(first, last + 1) * each, timed[0, 3], timed[-1, 3])
        places = np.stack([np.interp(when, timed[:, 3], timed[:, axis]) for axis in range(3)], axis=1)
        guards = self.seen(places, when)
        for row in np.flatnonzero(guards >= 0).tolist()[:1]:
            x, y, z = places[row].tolist()
            return Sighting(float(when[row]), (x, y, z), int(guards[row]))
        return None

    def danger(self, xyz: Any) -> Danger:
        """Return how much of these places, (n, 3) on the floor, is in view at each step, and how often each is."""
        points = points_xyz(xyz, "xyz") + np.array([0.0, 0.0, self.seen_at])
        views = self.arrays._replace(look=np.ascontiguousarray(self.arrays.look[:: self.substeps]))
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


def view_arrays(routes: Sequence[GuardRoute], seconds: Floats, touch: float | None = None) -> ViewArrays:
    """Return what guards notice at some moments (M,).

    `touch` is the distance at which they notice anyone by contact; within their passive radius they do so, too. None:
    they only see.
    """
    count = len(routes)
    look, reach, pace = np.empty((len(seconds), count, 5)), np.empty((count, 3)), np.zeros((count, 3))
    for number, route in enumerate(routes):
        pose, kind = route.pose_at(seconds), route.kind
        look[:, number, :3] = pose[:, :3] + np.array([0.0, 0.0, kind.eye_height])
        look[:, number, 3], look[:, number, 4] = np.cos(pose[:, 3]), np.sin(pose[:, 3])
        around = kind.view_angle >= 2.0 * math.pi
        near = -1.0 if touch is None else max(kind.passive, touch)
        reach[number] = kind.view_distance, AROUND if around else math.cos(0.5 * kind.view_angle), near
        if len(seconds) > 1:
            moved = np.diff(pose, axis=0)
            turned = np.mod(moved[:, 3] + math.pi, 2.0 * math.pi) - math.pi
            # A little more, so that rounding does not matter.
            pace[number, 0] = 1.000001 * float(np.hypot(moved[:, 0], moved[:, 1]).max()) + 1e-9
            pace[number, 1] = 1.000001 * float(np.abs(turned).max()) + 1e-9
        pace[number, 2] = 0.5 * kind.view_angle
    return ViewArrays(look, reach, pace)


def routes_of_guards(guards: Any) -> tuple[GuardRoute, ...]:
    """Return the routes of a placement, or the given routes."""
    advice = "give a Placement, or GuardRoutes"
    given = guards.routes if isinstance(guards, Placement) else guards
    if not isinstance(given, list | tuple):
        instance_of(given, Placement, "guards", advice)
    return tuple(instance_of(route, GuardRoute, f"guards[{number}]", advice) for number, route in enumerate(given))


def guard_label(routes: Sequence[GuardRoute], number: int) -> str:
    """Return a label for a guard: its number from 1, its name if any, and its kind."""
    name = f" {routes[number].name!r}" if routes[number].name else ""
    return f"guard {number + 1}{name} ({routes[number].kind.name})"


def timed_path(path: Any) -> Floats:
    """Return a path through space and time, (n, 4) float64, or raise if it is malformed."""
    timed = real_array(path, "path", "numbers of shape (n, 4): x, y, z, seconds")
    if timed.ndim != 2 or timed.shape[1] != 4 or len(timed) == 0 or not np.isfinite(timed).all():
        raise InputError(f"path has shape {timed.shape}; give finite numbers of shape (n, 4): x, y, z, seconds")
    if (np.diff(timed[:, 3]) < 0.0).any():
        row = int(np.flatnonzero(np.diff(timed[:, 3]) < 0.0)[0]) + 1
        raise InputError(f"path[{row}] is earlier than path[{row - 1}]; seconds must not fall")
    return timed
