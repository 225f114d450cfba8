"""Guards: kinds with their abilities, and routes that say where each guard is and looks at any moment."""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

import numpy as np

from ...checks import instance_of, points_xyz, read_only, real_array, seed_of, shown, text_of
from ...conventions import Array, Floats
from ...errors import InputError, did_you_mean
from ..input_checks import store_numbers
from .placement_settings import PlacementSettings

_TURN = 2.0 * math.pi
_RANGES = {
    "speed": ("m/s", 0.0, 50.0),
    "view_distance": ("m", 0.0, 10_000.0),
    "view_angle": ("rad", 0.0, _TURN),
    "turn_speed": ("rad/s", 0.0, 1000.0),
    "sweep": ("rad", 0.0, _TURN),
    "pause": ("s", 0.0, 3600.0),
    "passive": ("m", 0.0, 10_000.0),
    "eye_height": ("m", 0.0, 100.0),
}
_SAME = 1e-9


@dataclass(frozen=True)
class GuardKind:
    """The abilities of a kind of guard, in metres, seconds and radians.

    Attributes
    ----------
    speed : 0 … 50 m/s along its route; 0: it stays in place.
    view_distance, view_angle : radius and full opening of its field of view, up to 2 pi.
    turn_speed : of its head, at corners or when looking around, up to 1000 rad/s.
    sweep : total angle a stationary guard sweeps around its heading; 2 pi: it turns continuously.
    pause : seconds it looks each way before turning back.
    passive : distance at which it notices anyone in any direction: the smallest radius of a packing for it. Not part of
        the field of view.
    eye_height : metres above the floor.
    """

    name: str = "walking"
    speed: float = 1.5
    view_distance: float = 8.0
    view_angle: float = math.pi / 2.0
    turn_speed: float = math.pi
    sweep: float = 0.0
    pause: float = 0.0
    passive: float = 1.0
    eye_height: float = 1.6

    def __post_init__(self) -> None:
        text_of(self.name, "name")
        store_numbers(self, _RANGES, "view_distance", "view_angle", "turn_speed", "passive")

    @property
    def walks(self) -> bool:
        """Whether it moves."""
        return self.speed > 0.0

    @property
    def opening(self) -> float:
        """Everything it can see from one place: its view plus its sweep, at most 2 pi."""
        return min(self.view_angle + (0.0 if self.walks else self.sweep), _TURN)


KINDS = {
    "walking": GuardKind(),
    "standing": GuardKind("standing", speed=0.0, view_angle=math.radians(120.0)),
    "turning": GuardKind("turning", speed=0.0, turn_speed=math.radians(60.0), sweep=_TURN),
    "camera": GuardKind(
        "camera",
        speed=0.0,
        view_distance=12.0,
        view_angle=math.radians(60.0),
        turn_speed=math.radians(30.0),
        sweep=math.radians(90.0),
        pause=1.0,
        eye_height=2.5,
    ),
}
"""The archetypes: walking a route, standing and looking one way, turning continuously, and a camera."""


def guard_kind(name: str) -> GuardKind:
    """Return an archetype; use `dataclasses.replace` to change its view or speed."""
    if not isinstance(name, str) or name not in KINDS:
        raise InputError(
            f"there is no kind of guard {shown(name)}{did_you_mean(name, KINDS)}; there are {', '.join(KINDS)}"
        )
    return KINDS[name]


@dataclass(frozen=True, eq=False)
class GuardRoute:
    """The route of one guard: where it is and looks at any moment.

    It walks the closed line through `points` at its speed, and turns on the spot at corners, through the smaller angle
    (counter-clockwise if it turns back). A stationary guard looks around from `heading`.

    Attributes
    ----------
    points : (n, 3) metres on the floor, the first not repeated; a single point is where it stays.
    phase : seconds of its period that have passed at time 0.
    heading : radians counter-clockwise from +x, of a stationary guard: the middle of its sweep.
    waits : (n,) seconds it stops at each point before it turns to the next, 0 … 3600; empty: it never stops.
    """

    kind: GuardKind
    points: Floats
    phase: float = 0.0
    heading: float = 0.0
    name: str = ""
    waits: Floats = ()  # type: ignore[assignment]

    def __post_init__(self) -> None:
        instance_of(self.kind, GuardKind, "kind", "give a GuardKind, such as guard_kind('walking')")
        text_of(self.name, "name")
        store_numbers(self, {"phase": ("s", -1e9, 1e9), "heading": ("rad", -1e9, 1e9)})
        given = points_xyz(self.points)
        if len(given) == 0:
            raise InputError("points is empty; give one place to stay at, or the corners of a route")
        apart = np.linalg.norm(np.roll(given, -1, axis=0) - given, axis=1) > _SAME
        corners = given[apart] if apart.any() else given[:1]
        if len(corners) > 1 and not self.kind.walks:
            raise InputError(
                f"a {self.kind.name} guard has speed 0 but {len(corners)} points to walk to; give one point or a speed"
            )
        object.__setattr__(self, "points", read_only(np.ascontiguousarray(corners)))
        object.__setattr__(self, "waits", read_only(_checked_waits(self.waits, given, apart)))

    @property
    def stays(self) -> bool:
        """Whether it never leaves its place."""
        return len(self.points) == 1

    @cached_property
    def timeline(self) -> tuple[Floats, Floats]:
        """Moments (k,) from 0 to the end of a period, and the poses (k, 4) then: x, y, z, heading.

        Between two moments all four change linearly; headings are not wrapped, so a full turn is 2 pi.
        """
        seconds, poses = self._staying() if self.stays else self._walking()
        return read_only(seconds), read_only(poses)

    @property
    def period(self) -> float:
        """Seconds of one period; 0 if its pose never changes."""
        return float(self.timeline[0][-1])

    @property
    def length(self) -> float:
        """Metres of one circuit."""
        return float(np.linalg.norm(np.roll(self.points, -1, axis=0) - self.points, axis=1).sum())

    def pose_at(self, seconds: Any) -> Floats:
        """Return position and heading at these moments.

        Parameters
        ----------
        seconds : one moment or an array of them, any shape, finite.

        Returns
        -------
        (..., 4) float64: x, y, z of its feet in metres, heading in radians from -pi to pi.
        """
        knots, poses = self.timeline
        moments, period = finite_moments(seconds), self.period
        along = np.mod(moments + self.phase, period) if period > 0.0 else np.zeros(moments.shape)
        return interpolated_poses(along, knots, poses)

    def with_phase(self, phase: float) -> GuardRoute:
        """Return the same route with another phase."""
        return replace(self, phase=phase)

    def _staying(self) -> tuple[Floats, Floats]:
        kind = self.kind
        if kind.sweep == 0.0 or kind.walks:
            seconds, headings = [0.0], [self.heading]
        elif kind.sweep >= _TURN:
            seconds, headings = [0.0, _TURN / kind.turn_speed], [self.heading, self.heading + _TURN]
        else:
            right, left = self.heading - kind.sweep / 2.0, self.heading + kind.sweep / 2.0
            turn = kind.sweep / kind.turn_speed
            headings = [right, left, left, right, right]
            seconds = np.cumsum([0.0, turn, kind.pause, turn, kind.pause]).tolist()
        place = np.broadcast_to(self.points[0], (len(seconds), 3))
        return np.array(seconds), np.column_stack([place, headings])

    def _walking(self) -> tuple[Floats, Floats]:
        """Return each corner on arrival and after turning, and if the guard waits, before turning."""
        legs = np.roll(self.points, -1, axis=0) - self.points
        walk = np.linalg.norm(legs, axis=1) / self.kind.speed
        along = _headings(legs)
        turn = np.mod(np.roll(along, -1) - along, _TURN)
        turn[turn > math.pi + _SAME] -= _TURN
        turn[np.abs(turn) < _SAME] = 0.0
        facing = along[0] + np.r_[0.0, np.cumsum(turn)]
        # Each corner has a row on arrival, one after waiting if it waits anywhere, and one after turning.
        parts = [walk, np.abs(turn) / self.kind.turn_speed]
        if len(self.waits):
            parts.insert(1, np.roll(self.waits, -1))
        rows = len(parts)
        corner = np.concatenate([self.points, self.points[:1]])
        poses = np.empty((rows * len(legs) + 1, 4))
        poses[0::rows] = np.column_stack([corner, facing])
        for row in range(1, rows):
            poses[row::rows] = np.column_stack([corner[1:], facing[:-1]])
        return np.r_[0.0, np.cumsum(np.column_stack(parts).reshape(-1))], poses


def _checked_waits(waits: Any, given: Floats, apart: Array) -> Floats:
    """Return the seconds spent at each corner; those of points without a leg of their own are added to the next."""
    seconds = real_array(waits, "waits", "seconds, one for each point").ravel()
    if not len(seconds) or not apart.any():
        return np.zeros(0)
    if len(seconds) != len(given) or not ((seconds >= 0.0) & (seconds <= 3600.0)).all():
        raise InputError(f"waits is {shown(waits)}; give 0 to 3600 seconds for each of {len(given)} points, or none")
    corner = np.cumsum(apart) - apart
    kept = np.zeros(int(apart.sum()))
    np.add.at(kept, corner % len(kept), seconds)
    return kept if kept.any() else np.zeros(0)


def finite_moments(seconds: Any) -> Floats:
    """Return moments as an array of any shape, or raise if one is not finite."""
    moments = real_array(seconds, "seconds", "numbers: moments in seconds")
    if not np.isfinite(moments).all():
        raise InputError("seconds has a moment that is not finite; give moments in seconds")
    return moments


def interpolated_poses(seconds: Floats, knots: Floats, poses: Floats) -> Floats:
    """Return poses (..., 4) at these moments, linear between poses (k, 4) at the knots (k,); headings are wrapped."""
    found = np.stack([np.interp(seconds, knots, column) for column in poses.T], axis=-1)
    found[..., 3] = np.mod(found[..., 3] + math.pi, _TURN) - math.pi
    return found


def _headings(legs: Floats) -> Floats:
    """Return the heading along each leg; straight up or down keeps the previous heading."""
    along = np.arctan2(legs[:, 1], legs[:, 0])
    level = np.hypot(legs[:, 0], legs[:, 1]) > _SAME
    if level.all():
        return along
    if not level.any():
        return np.zeros(len(legs))
    last = np.where(level, np.arange(len(legs)), -1)
    last = np.maximum.accumulate(last)
    last[last < 0] = last[-1]
    return np.asarray(along[last])


@dataclass(frozen=True)
class Coverage:
    """Coverage of a level by guards, as shares 0 … 1: `ever` of the floor at some moment, `mean` of floor and time
    (with their periods taken as independent), `path` of the intended path and time; measured at `samples` places.
    """

    ever: float
    mean: float
    path: float
    samples: int = 0


@dataclass(frozen=True, eq=False)
class Placement:
    """Guards for a level, and how they were made.

    Attributes
    ----------
    notes : remarks: parts without guards, redraws, why a check failed.
    passed : the result of the check; None if nothing was checked.
    """

    routes: tuple[GuardRoute, ...]
    seed: int = 0
    settings: PlacementSettings = field(default_factory=PlacementSettings)
    notes: tuple[str, ...] = ()
    coverage: Coverage | None = None
    passed: bool | None = None

    def __post_init__(self) -> None:
        for name in ("routes", "notes"):
            if not isinstance(getattr(self, name), tuple | list):
                raise InputError(f"{name} is {shown(getattr(self, name))}; give a tuple of them")
            object.__setattr__(self, name, tuple(getattr(self, name)))
        for number, route in enumerate(self.routes):
            instance_of(route, GuardRoute, f"routes[{number}]", "give GuardRoutes")
        for number, note in enumerate(self.notes):
            text_of(note, f"notes[{number}]")
        object.__setattr__(self, "seed", seed_of(self.seed))

    def poses_at(self, seconds: Any) -> Floats:
        """Return the poses of all guards at some moments, (guards, ..., 4); see `GuardRoute.pose_at`."""
        moments = real_array(seconds, "seconds", "numbers: moments in seconds")
        found = [route.pose_at(moments) for route in self.routes]
        return np.stack(found) if found else np.zeros((0, *moments.shape, 4))
