"""Select cells by value: the next that fits, all within limits, or the best by score."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..checks import finite_number, instance_of, point_xyz, read_only, real_number, shown, whole_number
from ..conventions import NOWHERE, Array, Bools, Floats, Ids
from ..errors import InputError
from ..kernels.cells.layer_selection import choose_spaced, next_fitting
from .layer import ENDS, Layer, cell_ids, enabled_cells, is_enabled, require_layer, require_same_cells


@dataclass(frozen=True)
class Near:
    """A condition on position: between `at_least` and `at_most` metres from `xyz` in a straight line."""

    xyz: Any
    at_most: float = np.inf
    at_least: float = 0.0

    def __post_init__(self) -> None:
        object.__setattr__(self, "xyz", tuple(point_xyz(self.xyz, "xyz").tolist()))
        for name in ("at_most", "at_least"):
            object.__setattr__(self, name, real_number(getattr(self, name), f"{name} of Near"))
        if not 0.0 <= self.at_least <= self.at_most:
            raise InputError(
                f"Near is from {self.at_least} to {self.at_most} m; give 0 <= at_least <= at_most, in metres"
            )

    def fits(self, cells_xyz: Array) -> Bools:
        """Return for each position (n, 3) whether it lies within the limits."""
        away = cells_xyz - np.array(self.xyz)
        square = np.einsum("ij,ij->i", away, away)
        return (square >= self.at_least**2) & (square <= self.at_most**2)


def best_cells(
    scores: Layer,
    count: int = 1,
    *,
    prefer: Literal["high", "low"] = "high",
    minimum: float | None = None,
    maximum: float | None = None,
    limits: Iterable[Limit] = (),
    where: Any = None,
    within: Near | None = None,
    spacing: float = 0.0,
    include_disabled: bool = False,
) -> Ids:
    """Return the cells that score best: at most `count` ids, best first, int32, read-only; fewer if fewer pass.

    Parameters
    ----------
    scores : the layer to choose by; cells whose score is NaN are never chosen.
    prefer : "high" or "low" scores.
    minimum, maximum : limits on the score itself, both inclusive.
    limits : limits on other layers.
    where : a mask as long as the cells, or the cells to choose from; the cost is proportional to their number.
    within : a ring around a point.
    spacing : minimum distance in metres between chosen cells. Chosen greedily, best first.
    include_disabled : also choose cells disabled by a cut.

    Notes
    -----
    Ties go to the lowest id, so that results are deterministic.
    """
    require_layer(scores, "scores")
    count = whole_number(count, "count", low=1)
    if not isinstance(prefer, str) or prefer not in ("high", "low"):
        raise InputError(f"prefer is {shown(prefer)}; give 'high' or 'low'")
    spacing = finite_number(spacing, "spacing", unit="m", low=0.0)
    every = _limits(limits)
    if minimum is not None or maximum is not None:
        every.insert(0, Limit(scores, minimum, maximum))
    if within is not None:
        instance_of(within, Near, "within", "give Near(xyz, at_most), or None for no limit")
    cells = _candidates(scores, every, where, within, include_disabled)
    score = scores.values[cells].astype(np.float64)
    if prefer == "low":
        score = -score
    chosen = _highest(score, count) if spacing == 0.0 else _spaced(scores, cells, score, count, spacing)
    return read_only(cells[chosen])


def _limits(limits: Any) -> list[Limit]:
    """Return the limits as a new list, or raise if they are not limits."""
    given = list(limits) if isinstance(limits, Iterable) else [limits]
    for limit in given:
        instance_of(limit, Limit, "an entry of limits", "give a list of Limit(layer, at_least, at_most)")
    return given


def _candidates(scores: Layer, limits: list[Limit], where: Any, within: Near | None, include_disabled: bool) -> Ids:
    """Return the ids that pass every filter, ascending; each filter tests only what the previous ones left."""
    layout = scores.layout
    if where is None:
        cells = np.arange(len(scores), dtype=np.int32)
        if not include_disabled and layout.arrays.disabled.any():
            cells = cells[enabled_cells(layout)]
    else:
        cells = np.unique(cell_ids(layout, where))
        if not include_disabled:
            cells = cells[is_enabled(layout, cells)]
    if scores.dtype.kind == "f":
        cells = cells[~np.isnan(scores.values[cells])]
    for limit in limits:
        require_same_cells(layout, limit.layer.layout, limit.layer.name)
        cells = cells[limit.fits(cells)]
    return cells if within is None else cells[within.fits(layout.arrays.cell_xyz[cells])]


def _highest(score: Floats, count: int) -> Array:
    """Return positions of the `count` highest scores, best first, ties by position."""
    if count < len(score):
        least = np.partition(score, len(score) - count)[len(score) - count]
        above = np.flatnonzero(score > least)
        equal = np.flatnonzero(score == least)[: count - len(above)]
        places = np.concatenate([above, equal])
    else:
        places = np.arange(len(score))
    return places[np.lexsort((places, -score[places]))]


def _spaced(scores: Layer, cells: Ids, score: Floats, count: int, spacing: float) -> Array:
    chosen = np.empty(min(count, len(cells)), np.int64)
    # -inf marks removed candidates; a score of -inf is chosen last, but may be chosen.
    found = choose_spaced(
        np.maximum(score, np.finfo(np.float64).min), scores.layout.arrays.cell_xyz[cells], spacing, chosen
    )
    return chosen[:found]


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
