"""Horizontal traversal: find cells of one layer by value."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import read_only, real_number, whole_number
from ..conventions import NOWHERE, Array, Bools, Ids
from ..errors import InputError
from ..kernels.layer_scan import next_fitting
from .layer import ENDS, Layer, enabled_cells, require_layer

__all__ = ["Limit", "cells_where", "next_cell"]


@dataclass(frozen=True)
class Limit:
    """A condition on one layer: its value is at least, at most (both inclusive) or equal to a number.

    Comparisons use the layer's own precision: 0.1 stored as float32 equals 0.1.
    """

    layer: Layer
    at_least: float | None = None
    at_most: float | None = None
    equal: float | None = None

    def __post_init__(self) -> None:
        require_layer(self.layer)
        given = []
        for name in ("at_least", "at_most", "equal"):
            if getattr(self, name) is not None:
                number = real_number(getattr(self, name), f"layer {self.layer.name!r}: {name}")
                object.__setattr__(self, name, number)
                given.append(number)
        if not given or (self.equal is not None and len(given) > 1):
            raise InputError(f"layer {self.layer.name!r}: give at_least, at_most or both, or equal alone")
        if any(math.isnan(value) for value in given):
            raise InputError(f"layer {self.layer.name!r}: a limit is not a number (NaN); give a number")

    def bounds(self) -> tuple[Any, Any] | None:
        """Return the lowest and highest matching value in the layer's dtype, or None if nothing can match."""
        low = self.at_least if self.equal is None else self.equal
        high = self.at_most if self.equal is None else self.equal
        bottom, top = ENDS[self.layer.dtype]
        low, high = max(bottom, bottom if low is None else low), min(top, top if high is None else high)
        if low > high:
            return None
        kind = np.uint8 if self.layer.dtype.kind == "b" else self.layer.dtype.type
        if self.layer.dtype.kind == "f":
            with np.errstate(over="ignore"):  # values beyond float32 become infinite
                return kind(low), kind(high)
        low, high = math.ceil(low), math.floor(high)
        return (kind(low), kind(high)) if low <= high else None

    def fits(self, cells: Ids | slice = slice(None)) -> Bools:
        """Return for each of `cells` whether its value matches; NaN never does."""
        values = _numbers(self.layer)[cells]
        bounds = self.bounds()
        if bounds is None:
            return np.zeros(values.shape, np.bool_)
        return (values >= bounds[0]) & (values <= bounds[1])


def next_cell(
    layer: Layer,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    equal: float | None = None,
    start: int = 0,
    include_disabled: bool = False,
) -> int:
    """Return the first cell from `start` on whose value matches, or -1.

    Disabled cells are skipped unless `include_disabled`. Continue with `start=cell + 1`.
    """
    start = whole_number(start, "start")
    bounds = Limit(layer, at_least, at_most, equal).bounds()
    if bounds is None or start >= len(layer):
        return NOWHERE
    values, disabled = _numbers(layer), layer.layout.arrays.disabled
    return int(next_fitting(values, bounds[0], bounds[1], disabled, start, not include_disabled))


def cells_where(
    layer: Layer,
    *,
    at_least: float | None = None,
    at_most: float | None = None,
    equal: float | None = None,
    include_disabled: bool = False,
) -> Ids:
    """Return the ids of cells whose value matches, ascending, int32, read-only."""
    fitting = Limit(layer, at_least, at_most, equal).fits()
    if not include_disabled:
        fitting &= enabled_cells(layer.layout)
    return read_only(np.flatnonzero(fitting).astype(np.int32))


def _numbers(layer: Layer) -> Array:
    return layer.values.view(np.uint8) if layer.dtype.kind == "b" else layer.values
