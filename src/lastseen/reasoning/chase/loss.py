"""What a guard knows at the moment it loses its target."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, point_xyz, points_xyz, read_only, real_array, shown
from ...conventions import Floats, Ids
from ...errors import InputError

_MOST_ID = 2**31 - 1


def direction_xyz(value: Any, name: str) -> Floats:
    """Return a direction as a unit vector (3,) float64; zeros where it is zero or None (unknown)."""
    if value is None:
        return np.zeros(3)
    vector = point_xyz(value, name)
    largest = max(map(abs, vector.tolist()))
    if largest == 0.0:
        return vector
    # Scaled first: the square of a very long or very short vector would be infinite or zero.
    vector /= largest
    vector /= math.sqrt(float(vector @ vector))
    return vector


@dataclass(frozen=True, eq=False)
class View:
    """Which part of the floor a guard sees.

    Attributes
    ----------
    heading : (x, y[, z]) where the guard looks; None: all round.
    angle : 0 … 2π, radians, the whole opening seen from above.
    distance : metres.
    cells : cell ids known to be visible, where the caller has a better test of sight; used instead of the others.
    """

    heading: Any = None
    angle: float = math.radians(120.0)
    distance: float = 20.0
    cells: Ids | None = None

    def __post_init__(self) -> None:
        object.__setattr__(self, "heading", read_only(direction_xyz(self.heading, "heading of the view")))
        angle = finite_number(self.angle, "angle of the view", unit="rad", low=0.0, high=2.0 * math.pi + 1e-9)
        object.__setattr__(self, "angle", angle)
        distance = finite_number(self.distance, "distance of the view", unit="m", low=0.0, high=1e4)
        object.__setattr__(self, "distance", distance)
        if self.cells is not None:
            try:
                cells = np.asarray(self.cells)
            except ValueError:
                raise InputError(f"cells of the view must be ids of shape (n,), got {shown(self.cells)}") from None
            if cells.ndim != 1 or (cells.size and cells.dtype.kind not in "iu"):
                raise InputError(f"cells of the view must be ids of shape (n,), got {cells.dtype} {cells.shape}")
            if cells.size and (cells.min() < 0 or cells.max() > _MOST_ID):
                worst = cells.min() if cells.min() < 0 else cells.max()
                raise InputError(f"cells of the view hold {worst}; ids run from 0 to the number of cells less one")
            object.__setattr__(self, "cells", frozen(cells, np.int32))


@dataclass(frozen=True, eq=False)
class Trail:
    """Where the target really went after it was lost: what no guard can know; only omniscient predictors look.

    `points_xyz` (n, 3) metres at `seconds` (n,) after the moment it was last seen, rising.
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
        """Where is the target so many seconds after it was last seen? (3,), held at both ends."""
        return np.array([np.interp(seconds, self.seconds, self.points_xyz[:, axis]) for axis in range(3)])


@dataclass(frozen=True, eq=False)
class Loss:
    """Everything a fair predictor may use; unknowns are None.

    Attributes
    ----------
    seen_at : (x, y[, z]) metres, where the target was last seen.
    heading : direction of its movement then; None or zero: unknown, or it stood still.
    speed : metres a second it runs at.
    seconds : since it was last seen, when the guard makes up its mind.
    guard_at : (x, y[, z]) metres, where the guard stood when it lost the target.
    guard_view : what it saw at that moment.
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
            raise InputError(f"guard_view is {shown(self.guard_view)}; give a View, or None where it is unknown")
        if not isinstance(self.trail, Trail | None):
            raise InputError(f"trail is {shown(self.trail)}; give a Trail, or None where it is unknown")
        if self.guard_view is not None and self.guard_at is None:
            raise InputError("guard_view says what the guard sees, but not from where; give guard_at too")

    @property
    def has_heading(self) -> bool:
        """Is it known which way the target went?"""
        return bool(np.asarray(self.heading).any())
