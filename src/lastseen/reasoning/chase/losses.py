"""Many losses at once, as arrays."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Any

import numpy as np

from ...checks import frozen, points_xyz, real_array, shown
from ...conventions import Bools, Floats, Ids
from ...errors import InputError
from .loss import Loss, Trail, View

_UNKNOWN = (math.nan, math.nan, math.nan)
_AROUND = (0.0, 0.0, 0.0)


@dataclass(frozen=True, eq=False, kw_only=True)
class Losses:
    """What guards know, one row per loss; what is not given is unknown.

    Attributes
    ----------
    seen_at : (n, 3) metres.
    heading : (n, 3) unit vectors, zero: unknown.
    speed, seconds : (n,) metres a second; seconds since last seen.
    guard_at : (n, 3) metres, NaN: unknown.
    view_heading : (n, 3) unit vectors, zero: all round.
    view_angle, view_distance : (n,) radians, metres; an angle of NaN: the view is unknown.
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
        self._keep("seen_at", seen_at)
        self._keep("heading", _directions(self.heading, count, "heading"))
        self._keep("speed", _column(self.speed, count, "speed", 1e3))
        self._keep("seconds", _column(self.seconds, count, "seconds", 1e5))
        self._keep("guard_at", _known_points(self.guard_at, count, "guard_at"))
        self._keep("view_heading", _directions(self.view_heading, count, "view_heading"))
        angle = math.nan if self.view_angle is None else self.view_angle
        self._keep("view_angle", _column(angle, count, "view_angle", 2.0 * math.pi + 1e-9, unknown=True))
        self._keep("view_distance", _column(self.view_distance, count, "view_distance", 1e4))
        for name in ("view_cells", "trails"):
            given = getattr(self, name)
            if given is None:
                continue
            if not isinstance(given, Sequence) or isinstance(given, str):
                raise InputError(f"{name} is {shown(given)}; give a list, one entry for each loss, None: unknown")
            if len(given) != count:
                raise InputError(f"{name} has {len(given)} entries for {count} losses; give one each, None: unknown")
        if self.view_cells is not None:
            cells = (None if one is None else View(cells=one).cells for one in self.view_cells)
            object.__setattr__(self, "view_cells", tuple(cells))
        for number, trail in enumerate(self.trails or ()):
            if trail is not None and not isinstance(trail, Trail):
                raise InputError(f"trails[{number}] is {shown(trail)}; give a Trail, or None where it is unknown")
        told = np.array([one is not None for one in self.view_cells or (None,) * count], np.bool_)
        lost = (self.has_view | told) & np.isnan(self.guard_at[:, 0])
        if lost.any():
            row = int(np.flatnonzero(lost)[0])
            raise InputError(f"loss {row} says what the guard sees, but not from where; give guard_at too")

    def _keep(self, name: str, values: Any) -> None:
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
        made = object.__new__(cls)  # every loss has been checked when it was made
        made._keep("seen_at", _stacked([loss.seen_at for loss in losses]))
        made._keep("heading", _stacked([loss.heading for loss in losses]))
        made._keep("speed", np.array([loss.speed for loss in losses], np.float64))
        made._keep("seconds", np.array([loss.seconds for loss in losses], np.float64))
        made._keep("guard_at", _stacked([_UNKNOWN if loss.guard_at is None else loss.guard_at for loss in losses]))
        made._keep("view_heading", _stacked([_AROUND if view is None else view.heading for view in views]))
        made._keep("view_angle", np.array([math.nan if view is None else view.angle for view in views], np.float64))
        made._keep("view_distance", np.array([0.0 if view is None else view.distance for view in views], np.float64))
        cells = tuple(None if view is None else view.cells for view in views)
        trails = tuple(loss.trail for loss in losses)
        object.__setattr__(made, "view_cells", None if all(one is None for one in cells) else cells)
        object.__setattr__(made, "trails", None if all(one is None for one in trails) else trails)
        return made

    def part(self, first: int, last: int) -> Losses:
        """Return some of them in a row; nothing is copied nor checked again."""
        made = object.__new__(type(self))
        for field in fields(self):
            values = getattr(self, field.name)
            object.__setattr__(made, field.name, None if values is None else values[first:last])
        return made

    def __len__(self) -> int:
        return len(self.seen_at)

    @property
    def has_view(self) -> Bools:
        """(n,) bool: is it known what the guard saw?"""
        known: Bools = ~np.isnan(self.view_angle)
        return known


def _stacked(rows: list[Any]) -> Floats:
    return np.array(rows, np.float64).reshape(-1, 3)


def _column(values: Any, count: int, name: str, high: float, *, unknown: bool = False) -> Floats:
    allowed = f"one number or one for each of {count} losses"
    numbers = real_array(values, name, allowed)
    if numbers.shape not in ((), (count,)):
        raise InputError(f"{name} must be {allowed}, got {shown(values)}")
    column = np.ascontiguousarray(np.broadcast_to(numbers, (count,)))
    fine = (column >= 0.0) & (column <= high) | (np.isnan(column) & unknown)
    if not fine.all():
        row = int(np.flatnonzero(~fine)[0])
        raise InputError(f"{name}[{row}] is {column[row]:g}; it must be at least 0 and at most {high:g}")
    return column


def _directions(values: Any, count: int, name: str) -> Floats:
    if values is None:
        return np.zeros((count, 3))
    vectors = _rows(points_xyz(values, name), count, name)
    largest = np.abs(vectors).max(axis=1, initial=0.0)
    scaled = vectors / np.where(largest == 0.0, 1.0, largest)[:, None]
    length = np.sqrt(np.einsum("ij,ij->i", scaled, scaled))
    return scaled / np.where(length == 0.0, 1.0, length)[:, None]


def _known_points(values: Any, count: int, name: str) -> Floats:
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
