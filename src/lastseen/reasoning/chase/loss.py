"""Losses: what a guard knows at the moment it loses its target, one at a time or many as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from numbers import Real
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, point_xyz, points_xyz, read_only, real_array, shown
from ...conventions import Bools, Floats, Ids
from ...errors import InputError

_MOST_ID = 2**31 - 1
_WIDEST = 2.0 * math.pi + 1e-9
_UNKNOWN = (math.nan, math.nan, math.nan)
_AROUND = (0.0, 0.0, 0.0)


def direction_xyz(value: Any, name: str) -> Floats:
    """Return a direction as a unit vector (3,) float64; zeros for zero or None (unknown)."""
    if value is None:
        return np.zeros(3)
    if isinstance(value, Real):
        what = f"{name} must be a direction (x, y), such as (cos(angle), sin(angle))"
        raise InputError(f"{what}, got {shown(value)}")
    vector = point_xyz(value, name)
    largest = max(map(abs, vector.tolist()))
    if largest == 0.0:
        return vector
    # Scale first: the square of a very long or very short vector would be infinite or zero.
    vector /= largest
    vector /= math.sqrt(float(vector @ vector))
    return vector


@dataclass(frozen=True, eq=False)
class View:
    """The part of the floor that a guard sees.

    Attributes
    ----------
    heading : (x, y[, z]) direction the guard looks in; None: all around.
    angle : full opening angle in plan, radians, 0 … 2π.
    distance : metres.
    cells : ids of the cells known to be visible, if the caller has a better test of sight; replaces the others.
    """

    heading: Any = None
    angle: float = math.radians(120.0)
    distance: float = 20.0
    cells: Ids | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", read_only(direction_xyz(self.heading, "heading of the view")))
        angle = finite_number(self.angle, "angle of the view", unit="rad", low=0.0, high=_WIDEST)
        object.__setattr__(self, "angle", angle)
        distance = finite_number(self.distance, "distance of the view", unit="m", low=0.0, high=1e4)
        object.__setattr__(self, "distance", distance)
        if self.cells is not None:
            object.__setattr__(self, "cells", _cell_ids(self.cells))


def _cell_ids(given: Any) -> Ids:
    try:
        cells = np.asarray(given)
    except ValueError:
        raise InputError(f"cells of the view must be ids of shape (n,), got {shown(given)}") from None
    if cells.ndim != 1 or (cells.size and cells.dtype.kind not in "iu"):
        raise InputError(f"cells of the view must be ids of shape (n,), got {cells.dtype} {cells.shape}")
    if cells.size and (cells.min() < 0 or cells.max() > _MOST_ID):
        worst = cells.min() if cells.min() < 0 else cells.max()
        raise InputError(f"cells of the view contain {worst}; ids run from 0 to the number of cells less one")
    return frozen(cells, np.int32)


@dataclass(frozen=True, eq=False)
class Trail:
    """Where the target really went after it was lost, which only omniscient predictors may use.

    `points_xyz` (n, 3) metres at `seconds` (n,) after it was last seen, rising.
    """

    points_xyz: Floats
    seconds: Floats

    def __post_init__(self) -> None:
        object.__setattr__(self, "points_xyz", frozen(points_xyz(self.points_xyz, "points of a trail")))
        object.__setattr__(self, "seconds", frozen(real_array(self.seconds, "seconds of a trail", "numbers (n,)")))
        if self.seconds.ndim != 1 or len(self.seconds) == 0 or self.points_xyz.shape != (len(self.seconds), 3):
            raise InputError(
                f"a trail needs as many points as seconds, at least one, got {self.points_xyz.shape} points "
                f"and {self.seconds.shape} seconds"
            )
        if not np.isfinite(self.seconds).all() or not (np.diff(self.seconds) > 0.0).all():
            raise InputError("a trail needs finite seconds that rise from one to the next")

    def at(self, seconds: float) -> Floats:
        """Return the position (3,) this many seconds after the target was last seen, clamped to both ends."""
        return np.array([np.interp(seconds, self.seconds, self.points_xyz[:, axis]) for axis in range(3)])


@dataclass(frozen=True, eq=False)
class Loss:
    """Everything a fair predictor may use; unknown values are None.

    Attributes
    ----------
    seen_at : (x, y[, z]) metres, last known position of the target.
    heading : direction of its movement then; None or zero: unknown, or it stood still.
    speed : running speed of the target, m/s.
    seconds : time between the last sight of the target and the guard's decision.
    guard_at : (x, y[, z]) metres, position of the guard when it lost the target.
    guard_view : what the guard saw at that moment.
    trail : where the target really went, for omniscient predictors.
    """

    seen_at: Any
    heading: Any = None
    speed: float = 4.0
    seconds: float = 0.0
    guard_at: Any = None
    guard_view: View | None = None
    trail: Trail | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "seen_at", read_only(point_xyz(self.seen_at, "seen_at")))
        object.__setattr__(self, "heading", read_only(direction_xyz(self.heading, "heading")))
        if self.guard_at is not None:
            object.__setattr__(self, "guard_at", read_only(point_xyz(self.guard_at, "guard_at")))
        object.__setattr__(self, "speed", finite_number(self.speed, "speed", unit="m/s", low=0.0, high=1e3))
        object.__setattr__(self, "seconds", finite_number(self.seconds, "seconds", unit="s", low=0.0, high=1e5))
        if not isinstance(self.guard_view, View | None):
            raise InputError(f"guard_view is {shown(self.guard_view)}; give a View, or None if it is unknown")
        if not isinstance(self.trail, Trail | None):
            raise InputError(f"trail is {shown(self.trail)}; give a Trail, or None if it is unknown")
        if self.guard_view is not None and self.guard_at is None:
            raise InputError("guard_view says what the guard sees, but not from where; give guard_at too")

    @property
    def has_heading(self) -> bool:
        """Whether the direction of the target is known."""
        return bool(np.asarray(self.heading).any())


@dataclass(frozen=True, eq=False, kw_only=True)
class Losses:
    """Many losses as arrays, one row each; attributes that are not given are unknown.

    Attributes
    ----------
    seen_at : (n, 3) metres.
    heading : (n, 3) unit vectors, zero: unknown.
    speed, seconds : (n,) m/s, and seconds since the target was last seen.
    guard_at : (n, 3) metres, NaN: unknown.
    view_heading : (n, 3) unit vectors, zero: all around.
    view_angle, view_distance : (n,) radians and metres; an angle of NaN: the view is unknown.
    view_cells : for each loss the cells known to be visible, or None.
    trails : for each loss where the target really went, for omniscient predictors only.
    """

    seen_at: Any
    heading: Any = None
    speed: Any = 4.0
    seconds: Any = 0.0
    guard_at: Any = None
    view_heading: Any = None
    view_angle: Any = None
    view_distance: Any = 20.0
    view_cells: tuple[Ids | None, ...] | None = None
    trails: tuple[Trail | None, ...] | None = None

    def __post_init__(self) -> None:
        seen_at = points_xyz(self.seen_at, "seen_at")
        count = len(seen_at)
        angle = math.nan if self.view_angle is None else self.view_angle
        self._store(
            seen_at=seen_at,
            heading=_directions(self.heading, count, "heading"),
            speed=_column(self.speed, count, "speed", 1e3),
            seconds=_column(self.seconds, count, "seconds", 1e5),
            guard_at=_known_points(self.guard_at, count, "guard_at"),
            view_heading=_directions(self.view_heading, count, "view_heading"),
            view_angle=_column(angle, count, "view_angle", _WIDEST, unknown=True),
            view_distance=_column(self.view_distance, count, "view_distance", 1e4),
        )
        for name in ("view_cells", "trails"):
            given = getattr(self, name)
            if given is None:
                continue
            if not isinstance(given, Sequence) or isinstance(given, str):
                raise InputError(f"{name} is {shown(given)}; give a list, one entry for each loss, None: unknown")
            if len(given) != count:
                raise InputError(f"{name} has {len(given)} entries for {count} losses; give one each, None: unknown")
        if self.view_cells is not None:
            cells = (None if one is None else _cell_ids(one) for one in self.view_cells)
            object.__setattr__(self, "view_cells", tuple(cells))
        for number, trail in enumerate(self.trails or ()):
            if trail is not None and not isinstance(trail, Trail):
                raise InputError(f"trails[{number}] is {shown(trail)}; give a Trail, or None if it is unknown")
        lists_cells = np.array([one is not None for one in self.view_cells or (None,) * count], np.bool_)
        nowhere = (self.has_view | lists_cells) & np.isnan(self.guard_at[:, 0])
        if nowhere.any():
            row = int(np.flatnonzero(nowhere)[0])
            raise InputError(f"loss {row} says what the guard sees, but not from where; give guard_at too")

    def _store(self, **columns: Any) -> None:
        for name, values in columns.items():
            object.__setattr__(self, name, frozen(values))

    @classmethod
    def of(cls, losses: Sequence[Loss] | Losses) -> Losses:
        """Return losses as arrays."""
        if isinstance(losses, Losses):
            return losses
        if not isinstance(losses, Sequence):
            raise InputError(f"losses is {shown(losses)}; give a list of Loss(seen_at, heading, …) objects, or Losses")
        for number, loss in enumerate(losses):
            if not isinstance(loss, Loss):
                raise InputError(f"loss {number} is {shown(loss)}; give Loss(seen_at, heading, …) objects, or Losses")
        views = [loss.guard_view for loss in losses]
        made = object.__new__(cls)  # skips the checks: each loss was checked when it was made
        made._store(
            seen_at=_stacked([loss.seen_at for loss in losses]),
            heading=_stacked([loss.heading for loss in losses]),
            speed=np.array([loss.speed for loss in losses], np.float64),
            seconds=np.array([loss.seconds for loss in losses], np.float64),
            guard_at=_stacked([_UNKNOWN if loss.guard_at is None else loss.guard_at for loss in losses]),
            view_heading=_stacked([_AROUND if view is None else view.heading for view in views]),
            view_angle=np.array([math.nan if view is None else view.angle for view in views], np.float64),
            view_distance=np.array([0.0 if view is None else view.distance for view in views], np.float64),
        )
        cells = tuple(None if view is None else view.cells for view in views)
        trails = tuple(loss.trail for loss in losses)
        object.__setattr__(made, "view_cells", None if all(one is None for one in cells) else cells)
        object.__setattr__(made, "trails", None if all(one is None for one in trails) else trails)
        return made

    def __getitem__(self, number: int) -> Loss:
        number = range(len(self))[number]
        cells = None if self.view_cells is None else self.view_cells[number]
        view = None
        if self.has_view[number] or cells is not None:
            angle = float(np.nan_to_num(self.view_angle[number], nan=_WIDEST))
            view = View(self.view_heading[number], angle, float(self.view_distance[number]), cells)
        return Loss(
            self.seen_at[number],
            self.heading[number],
            float(self.speed[number]),
            float(self.seconds[number]),
            None if np.isnan(self.guard_at[number, 0]) else self.guard_at[number],
            view,
            None if self.trails is None else self.trails[number],
        )

    def part(self, first: int, last: int) -> Losses:
        """Return the rows from `first` to before `last`, without copying or checking them again."""
        made = object.__new__(type(self))
        for field in fields(self):
            values = getattr(self, field.name)
            object.__setattr__(made, field.name, None if values is None else values[first:last])
        return made

    def __len__(self) -> int:
        return len(self.seen_at)

    @property
    def has_view(self) -> Bools:
        """(n,) bool: whether the guard's view is known."""
        known: Bools = ~np.isnan(self.view_angle)
        return known


def _stacked(rows: list[Any]) -> Floats:
    return np.array(rows, np.float64).reshape(-1, 3)


def _column(values: Any, count: int, name: str, high: float, *, unknown: bool = False) -> Floats:
    """Return numbers from 0 to `high`, one for all losses or one each, as (n,); NaN is allowed if `unknown`."""
    allowed = f"one number or one for each of {count} losses"
    numbers = real_array(values, name, allowed)
    if numbers.shape not in ((), (count,)):
        raise InputError(f"{name} must be {allowed}, got {shown(values)}")
    column = np.ascontiguousarray(np.broadcast_to(numbers, (count,)))
    valid = (column >= 0.0) & (column <= high) | (np.isnan(column) & unknown)
    if not valid.all():
        row = int(np.flatnonzero(~valid)[0])
        raise InputError(f"{name}[{row}] is {column[row]:g}; it must be at least 0 and at most {high:g}")
    return column


def _directions(values: Any, count: int, name: str) -> Floats:
    """Return directions as unit vectors (n, 3), as `direction_xyz` does for one."""
    if values is None:
        return np.zeros((count, 3))
    vectors = _rows(points_xyz(values, name), count, name)
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scaled = vectors / np.where(largest == 0.0, 1.0, largest)[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return scaled / np.where(length == 0.0, 1.0, length)[:, None]


def _known_points(values: Any, count: int, name: str) -> Floats:
    """Return points (n, 3); rows of NaN, for unknown points, are kept."""
    if values is None:
        return np.full((count, 3), math.nan)
    given = real_array(values, name, "numbers of shape (n, 3) or (n, 2)")
    if given.ndim == 2 and given.shape[1] == 3:
        unknown = np.isnan(given).sum(axis=1) == 3
        points = points_xyz(np.where(unknown[:, None], 0.0, given), name)
        return _rows(np.where(unknown[:, None], math.nan, points), count, name)
    return _rows(points_xyz(values, name), count, name)


def _rows(points: Floats, count: int, name: str) -> Floats:
    if len(points) != count:
        raise InputError(f"{name} has {len(points)} rows for {count} losses; give one each")
    return points
