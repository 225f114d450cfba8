"""Curves that rate a measurement from 0 to 1."""

from __future__ import annotations

from typing import Any

import msgspec
import numpy as np
from msgspec.structs import force_setattr

from ...checks import finite_number, real_array, shown
from ...conventions import Floats
from ...errors import InputError
from ...kernels.search.location_rating import AT_LEAST, AT_MOST, INVERSE, POINTS, SMOOTH, CurveArrays

_SHAPES = ("linear", "smoothstep", "inverse", "at_least", "at_most", "points")
_FARTHEST = 1e12


class Curve(msgspec.Struct, frozen=True, kw_only=True, forbid_unknown_fields=True, omit_defaults=True):
    """A curve that rates a measurement; give one shape.

    Attributes
    ----------
    linear : (none, full): 0 at the first number, 1 at the second, linear between; falling if the first is greater.
    smoothstep : (none, full): the same, with slow ends.
    inverse : 1 at 0 and below, 1/2 at this number, 1/3 at twice this number.
    at_least : 1 from this number on, else 0.
    at_most : 1 up to this number, else 0.
    points : [(number, rating), …] in rising order, linear between, constant beyond the ends.
    low, high : what 0 and 1 of the shape become, 0 … 1; with low=0.5 the worst still rates half.

    Notes
    -----
    `Curve(linear=(3, 5))` is the distance curve of the post selector "panic" of *The Last of Us* (chapter 34).
    """

    linear: tuple[float, float] | None = None
    smoothstep: tuple[float, float] | None = None
    inverse: float | None = None
    at_least: float | None = None
    at_most: float | None = None
    points: tuple[tuple[float, float], ...] | None = None
    low: float = 0.0
    high: float = 1.0

    def __post_init__(self) -> None:
        given = [name for name in _SHAPES if getattr(self, name) is not None]
        if len(given) != 1:
            names = ", ".join(_SHAPES)
            raise InputError(f"a curve has one shape, got {' and '.join(given) or 'none'}; give one of {names}")
        name = given[0]
        if name in ("linear", "smoothstep"):
            force_setattr(self, name, _ends(getattr(self, name), name))
        elif name == "points":
            force_setattr(self, name, _knots(self.points))
        else:
            least = 0.0 if name == "inverse" else -_FARTHEST
            number = finite_number(getattr(self, name), name, low=least, high=_FARTHEST, open_low=name == "inverse")
            force_setattr(self, name, number)
        for end in ("low", "high"):
            force_setattr(self, end, finite_number(getattr(self, end), end, low=0.0, high=1.0))

    def arrays(self) -> CurveArrays:
        """Return the curve as kernels take it."""
        if self.points is not None:
            return self._of(POINTS, [x for x, _ in self.points], [y for _, y in self.points])
        ends = self.linear or self.smoothstep
        if ends is not None:
            none, full = ends
            y = [0.0, 1.0] if none < full else [1.0, 0.0]
            return self._of(POINTS if self.linear else SMOOTH, [min(ends), max(ends)], y)
        for shape, x in ((INVERSE, self.inverse), (AT_LEAST, self.at_least), (AT_MOST, self.at_most)):
            if x is not None:
                return self._of(shape, [x], [0.0])
        raise AssertionError  # one shape is given

    def _of(self, shape: int, x: list[float], y: list[float]) -> CurveArrays:
        return CurveArrays(shape, np.array(x, np.float64), np.array(y, np.float64), float(self.low), float(self.high))

    def rate(self, values: Any) -> Floats:
        """Rate numbers: (n,) float64, 0 … 1; NaN rates 0."""
        from ...kernels.search.location_rating import rate_rows

        numbers = np.array(real_array(values, "values", "numbers"), ndmin=1).ravel()
        rated, score = np.empty(len(numbers)), np.ones(len(numbers))
        rate_rows(numbers, self.arrays(), 1.0, True, rated, score)
        return rated


def _ends(given: Any, name: str) -> tuple[float, float]:
    if not isinstance(given, tuple | list) or len(given) != 2:
        raise InputError(f"{name} is {shown(given)}; give two numbers: where it is 0 and where it is 1")
    none, full = (finite_number(one, name, low=-_FARTHEST, high=_FARTHEST) for one in given)
    if none == full:
        raise InputError(f"{name} is both 0 and 1 at {none:g}; give two different numbers, or at_least")
    return none, full


def _knots(given: Any) -> tuple[tuple[float, float], ...]:
    if not isinstance(given, tuple | list) or len(given) < 2 or len(given) > 1000:
        raise InputError(f"points are {shown(given)}; give 2 to 1000 pairs (number, rating)")
    knots: list[tuple[float, float]] = []
    for pair in given:
        if not isinstance(pair, tuple | list) or len(pair) != 2:
            raise InputError(f"points contain {shown(pair)}; give pairs (number, rating)")
        x = finite_number(pair[0], "the number of a point", low=-_FARTHEST, high=_FARTHEST)
        if knots and x <= knots[-1][0]:
            raise InputError(f"points go from {knots[-1][0]:g} to {x:g}; give them in rising order")
        knots.append((x, finite_number(pair[1], "the rating of a point", low=0.0, high=1.0)))
    return tuple(knots)
