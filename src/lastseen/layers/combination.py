"""Combination of several layers into one score per cell.

Every function returns a new layer, or writes into `out`. The dtype of the result is explicit: that of `out`, else
`dtype`. Sums are computed in float64; values the result cannot hold are clipped to its range (int8: -128 … 127), never
wrapped, and rounded to the nearest integer for integer dtypes (halves to even). Disabled cells are ignored and get the
result's fill, unless `include_disabled`.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import reduce
from typing import Any

import numpy as np
import numpy.typing as npt

from ..checks import finite_number, shown
from ..conventions import Array, Bools, Floats
from ..errors import InputError
from .layer import Layer, enabled_cells, require_layer, require_same_cells, saturated

_CHUNK = 1 << 14
"""Cells processed at a time: float64 scratch of this length stays in the processor's cache."""

Combine = Callable[[Sequence[Array]], Floats]
"""Turns the values of several layers in some cells into one float64 each."""


@dataclass(frozen=True)
class _Result:
    """Destination of a combination."""

    layer: Layer
    enabled: Bools | None  # None: every cell counts


def weighted_sum(
    parts: Iterable[tuple[Layer, float]],
    *,
    dtype: npt.DTypeLike = "float32",
    fill: float = 0,
    name: str = "weighted sum",
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Return the weighted sum of layers: the sum of `weight * layer` over `(layer, weight)` pairs."""
    pairs = [_pair(part) for part in _list_of(parts, "parts", "pairs (layer, weight)")]
    layers, weights = [layer for layer, _ in pairs], [weight for _, weight in pairs]
    result = _result(layers, out, dtype, fill, name, include_disabled)

    def total(values: Sequence[Array]) -> Floats:
        sums = np.multiply(values[0], weights[0], dtype=np.float64)
        for value, weight in zip(values[1:], weights[1:]):
            sums += np.multiply(value, weight, dtype=np.float64)
        return sums

    return _fill_in(result, layers, total)


def product(
    layers: Iterable[Layer],
    *,
    dtype: npt.DTypeLike = "float32",
    fill: float = 0,
    name: str = "product",
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Return the product of layers, high where all of them are high; a single zero gives zero."""
    return _combined(
        layers, lambda values: reduce(np.multiply, map(_wide, values)), out, dtype, fill, name, include_disabled
    )


def minimum(
    layers: Iterable[Layer],
    *,
    dtype: npt.DTypeLike = "float32",
    fill: float = 0,
    name: str = "minimum",
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Return for each cell the value of its lowest layer."""
    return _combined(layers, lambda values: _wide(reduce(np.minimum, values)), out, dtype, fill, name, include_disabled)


def maximum(
    layers: Iterable[Layer],
    *,
    dtype: npt.DTypeLike = "float32",
    fill: float = 0,
    name: str = "maximum",
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Return for each cell the value of its highest layer."""
    return _combined(layers, lambda values: _wide(reduce(np.maximum, values)), out, dtype, fill, name, include_disabled)


def normalise(
    layer: Layer,
    low: float = 0.0,
    high: float = 1.0,
    *,
    dtype: npt.DTypeLike = "float32",
    fill: float | None = None,
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Rescale a layer so that its lowest value becomes `low` and its highest `high`.

    If all values are equal, every cell becomes `low`. Disabled cells and values that are not finite do not affect the
    scale; the latter are clipped to it. `fill` defaults to `low`.
    """
    require_layer(layer)
    low, high = finite_number(low, "low"), finite_number(high, "high")
    if low >= high:
        raise InputError(f"low is {low:g} and high {high:g}; low must be less than high (use invert to reverse)")
    fill = low if fill is None else finite_number(fill, "fill")
    result = _result(
        [layer], out, dtype, fill, f"normalised {layer.name}", include_disabled, (min(low, fill), max(high, fill))
    )
    counted = np.isfinite(layer.values)
    if result.enabled is not None:
        counted &= result.enabled
    values = layer.values[counted]
    least, most = (float(values.min()), float(values.max())) if len(values) else (0.0, 0.0)
    span = (most - least) or 1.0

    def scaled(given: Sequence[Array]) -> Floats:
        share = (np.clip(_wide(given[0]), least, most) - least) / span
        return low * (1.0 - share) + high * share  # exact at both ends

    return _fill_in(result, [layer], scaled)


def invert(
    layer: Layer,
    *,
    dtype: npt.DTypeLike | None = None,
    fill: float | None = None,
    out: Layer | None = None,
    include_disabled: bool = False,
) -> Layer:
    """Reverse a layer, so that low values become high: `low + high - value`.

    `low` and `high` are those the layer declares, so a normalised layer gives `1 - value`. Use it instead of
    subtracting, so that "take the highest" still works. `dtype` and `fill` default to the layer's own.
    """
    require_layer(layer)
    if not np.isfinite(layer.low) or not np.isfinite(layer.high):
        raise InputError(
            f"layer {layer.name!r} has no finite range to invert ({layer.low:g} … {layer.high:g}); "
            "declare low and high, or normalise it first"
        )
    ends = layer.low + layer.high
    result = _result(
        [layer],
        out,
        layer.dtype if dtype is None else dtype,
        layer.fill if fill is None else fill,
        f"inverted {layer.name}",
        include_disabled,
        (layer.low, layer.high),
    )
    return _fill_in(result, [layer], lambda values: ends - _wide(values[0]))


def _combined(layers: Iterable[Layer], combine: Combine, *declared: Any) -> Layer:
    given = _list_of(layers, "layers", "layers")
    return _fill_in(_result(given, *declared), given, combine)


def _list_of(values: Any, name: str, what: str) -> list[Any]:
    if not isinstance(values, Iterable):
        raise InputError(f"{name} is {shown(values)}; give a list of {what}")
    return list(values)


def _pair(part: Any) -> tuple[Layer, float]:
    """Return a layer and its weight, or raise if this is not a pair."""
    if not isinstance(part, tuple | list) or len(part) != 2:
        raise InputError(f"parts hold {shown(part)}; give pairs (layer, weight)")
    layer = require_layer(part[0], "the first item of a pair")
    return layer, finite_number(part[1], f"weight of {layer.name!r}")


def _result(
    layers: Sequence[Layer],
    out: Layer | None,
    dtype: npt.DTypeLike,
    fill: float,
    name: str,
    include_disabled: bool,
    ends: tuple[float, float] | None = None,
) -> _Result:
    """Return the destination for the combination of `layers`, after checking that they share their cells."""
    if not layers:
        raise InputError(f"{name}: nothing to combine; give at least one layer")
    first = require_layer(layers[0], "a layer to combine")
    for layer in [*layers[1:], *([out] if out is not None else [])]:
        require_layer(layer, "out" if layer is out else "a layer to combine")
        require_same_cells(first.layout, layer.layout, layer.name)
    if out is None:
        low, high = ends if ends is not None else (None, None)
        out = Layer(first.layout, name, dtype, f"{name} of {_listed(layers)}", fill=fill, low=low, high=high)
    layouts = {id(layer.layout): layer.layout for layer in layers}.values()
    cut = [layout for layout in layouts if not include_disabled and layout.arrays.disabled.any()]
    return _Result(out, reduce(np.logical_and, map(enabled_cells, cut)) if cut else None)


def _wide(values: Array) -> Floats:
    return values.astype(np.float64)


def _listed(layers: Sequence[Layer]) -> str:
    return ", ".join(layer.name for layer in layers)


def _fill_in(result: _Result, layers: Sequence[Layer], combine: Combine) -> Layer:
    """Write `combine` of the layers' values, a chunk of cells at a time."""
    layer, enabled = result.layer, result.enabled
    for start in range(0, len(layer), _CHUNK):
        part = slice(start, start + _CHUNK)
        with np.errstate(over="ignore", invalid="ignore"):  # inf - inf is NaN, which becomes the fill
            values = combine([each.values[part] for each in layers])
        written = saturated(values, layer)
        layer.values[part] = written if enabled is None else np.where(enabled[part], written, layer.fill)
    return layer
