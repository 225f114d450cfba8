"""What a placement is to come to, and by how much it misses that."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, shown
from ...conventions import Floats
from ...errors import InputError

__all__ = ["Misses", "Targets", "middle"]

_PULL = 0.1
"""How much the effort of runs counts against their rate."""


@dataclass(frozen=True)
class Misses:
    """By how much targets are missed, each 0 … 1: 0 where it is met, or not asked."""

    success: float
    closeness: float
    coverage: float

    @property
    def total(self) -> float:
        """All together: what a search makes small."""
        return self.success + self.closeness + self.coverage


@dataclass(frozen=True)
class Targets:
    """What is wanted of guards; None: whatever.

    Attributes
    ----------
    success : least and most share of the solver's runs that come through, 0 … 1.
    closeness : metres; the median way found is no further from the intended path (Fréchet distance).
    coverage : least share of the floor seen at some time, 0 … 1.
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
        """By how much are they missed?

        Parameters
        ----------
        apart : (n,) of each run of the solver, the Fréchet distance of its way from the path; infinite: it found none.
        seen : share of the floor seen at some time.
        """
        success, closeness = self._parts(apart[None])
        return Misses(float(success[0]), float(closeness[0]), self._unseen(seen))

    def totals(self, apart: Floats, effort: Floats, seen: float) -> Floats:
        """By how much do many samples of runs miss them, (samples, n) → (samples,)? What a search goes by.

        Where all runs come through, or none, small changes of guards make no difference to the rate. What a run took
        (`effort`, 0 … 1) then tells which way it goes: it counts a little while the rate is beside its range.
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
            # Twice as far counts one half, and no way at all one: bounded, so that no target drowns the others.
            far = np.maximum(0.0, 1.0 - self.closeness / np.maximum(middle(apart), self.closeness))
        return missed, far

    def _unseen(self, seen: float) -> float:
        return 0.0 if self.coverage is None else max(0.0, self.coverage - seen)

    def as_object(self) -> dict[str, Any]:
        """Return them by name, for JSON."""
        success = None if self.success is None else list(self.success)
        return {"success": success, "closeness": self.closeness, "coverage": self.coverage}


def middle(apart: Floats) -> Floats:
    """Return the median of what is finite in each row, (rows, n) → (rows,); infinite where nothing is."""
    ordered = np.sort(apart, axis=1)
    count = np.isfinite(apart).sum(axis=1)
    row = np.arange(len(apart))
    low, high = ordered[row, np.maximum(count - 1, 0) // 2], ordered[row, np.minimum(count // 2, apart.shape[1] - 1)]
    return np.asarray(np.where(count > 0, 0.5 * (low + high), np.inf))


def _span(given: Any) -> tuple[float, float]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InputError(f"success is {shown(given)}; give the least and the most share of runs, such as (0.2, 0.6)")
    low, high = (finite_number(value, "success", low=0.0, high=1.0) for value in given)
    if low > high:
        raise InputError(f"success is {low:g} to {high:g}; give the least share first")
    return low, high
