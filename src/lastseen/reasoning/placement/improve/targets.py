"""Targets for a placement, and by how much it misses them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import finite_number, shown
from ....conventions import Floats
from ....errors import InputError

_PULL = 0.1
"""Weight of the effort of runs relative to their success rate."""


@dataclass(frozen=True)
class Misses:
    """By how much targets are missed, each 0 … 1; 0 if met or not requested."""

    success: float
    closeness: float
    coverage: float

    @property
    def total(self) -> float:
        """The sum, which a search minimises."""
        return self.success + self.closeness + self.coverage


@dataclass(frozen=True)
class Targets:
    """Targets for guards; None: no target.

    Attributes
    ----------
    success : minimum and maximum share of solver runs that get through, 0 … 1.
    closeness : maximum median distance of solutions from the intended path in metres (Fréchet distance).
    coverage : minimum share of the floor seen at some time, 0 … 1.
    """

    success: tuple[float, float] | None = None
    closeness: float | None = None
    coverage: float | None = None

    def __post_init__(self) -> None:
        if self.success is not None:
            object.__setattr__(self, "success", _span(self.success))
        if self.closeness is not None:
            metres = finite_number(self.closeness, "closeness", unit="m", low=0.0, high=1e6, open_low=True)
            object.__setattr__(self, "closeness", metres)
        if self.coverage is not None:
            object.__setattr__(self, "coverage", finite_number(self.coverage, "coverage", low=0.0, high=1.0))
        if self.success is None and self.closeness is None and self.coverage is None:
            raise InputError("no target is given; give a range of success, a closeness or a coverage")

    def misses(self, apart: Floats, seen: float) -> Misses:
        """Return by how much the targets are missed.

        Parameters
        ----------
        apart : (n,) Fréchet distance of each solver run's solution from the path; infinite: it found none.
        seen : share of the floor seen at some time.
        """
        success, closeness = self._parts(apart[None])
        return Misses(float(success[0]), float(closeness[0]), self._unseen(seen))

    def totals(self, apart: Floats, effort: Floats, seen: float) -> Floats:
        """Return by how much samples of runs miss the targets, (samples, n) → (samples,): the objective of a search.

        If all runs get through, or none, small changes of guards do not affect the rate. The effort of a run (0 … 1)
        then shows the trend: it counts a little while the rate is outside its range.
        """
        success, closeness = self._parts(apart)
        total = success + closeness + self._unseen(seen)
        if self.success is not None:
            share, spent = np.isfinite(apart).mean(axis=1), effort.mean(axis=1)
            total += _PULL * np.where(
                share > self.success[1], 1.0 - spent, np.where(share < self.success[0], spent, 0.0)
            )
        return np.asarray(total)

    def _parts(self, apart: Floats) -> tuple[Floats, Floats]:
        found = np.isfinite(apart).sum(axis=1)
        missed, far = np.zeros(len(apart)), np.zeros(len(apart))
        if self.success is not None:
            share = found / apart.shape[1]
            missed = np.maximum(0.0, np.maximum(self.success[0] - share, share - self.success[1]))
        if self.closeness is not None:
            # Twice the distance counts 1/2 and no solution 1: bounded, so that no target dominates the others.
            far = np.maximum(0.0, 1.0 - self.closeness / np.maximum(middle(apart), self.closeness))
        return missed, far

    def _unseen(self, seen: float) -> float:
        return 0.0 if self.coverage is None else max(0.0, self.coverage - seen)

    def as_object(self) -> dict[str, Any]:
        """Return the targets by name, for JSON."""
        success = None if self.success is None else list(self.success)
        return {"success": success, "closeness": self.closeness, "coverage": self.coverage}


def middle(apart: Floats) -> Floats:
    """Return the median of the finite values of each row, (rows, n) → (rows,); infinite if there are none."""
    ordered = np.sort(apart, axis=1)
    count = np.isfinite(apart).sum(axis=1)
    row = np.arange(len(apart))
    low, high = ordered[row, np.maximum(count - 1, 0) // 2], ordered[row, np.minimum(count // 2, apart.shape[1] - 1)]
    return np.asarray(np.where(count > 0, 0.5 * (low + high), np.inf))


def _span(given: Any) -> tuple[float, float]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InputError(f"success is {shown(given)}; give the minimum and maximum share of runs, such as (0.2, 0.6)")
    low, high = (finite_number(value, "success", low=0.0, high=1.0) for value in given)
    if low > high:
        raise InputError(f"success is {low:g} to {high:g}; give the minimum first")
    return low, high
