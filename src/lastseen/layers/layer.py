"""The layer: one value per cell, with a declared type and a stated meaning."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from ..cells.layout import AnyLayout, cell_arrays
from ..checks import instance_of, real_array, real_number, shown
from ..conventions import Array, Bools, Floats, Ids
from ..errors import InputError, QueryError, did_you_mean
from ..extensions.notebooks import as_png

DTYPES = ("bool", "int8", "uint8", "int16", "uint16", "int32", "uint32", "float32", "float64")
"""Types a layer may have, narrowest first: use the smallest that suffices."""

ENDS = {
    np.dtype("bool"): (0.0, 1.0),
    np.dtype("float32"): (-np.inf, np.inf),
    np.dtype("float64"): (-np.inf, np.inf),
    **{np.dtype(name): (float(np.iinfo(name).min), float(np.iinfo(name).max)) for name in DTYPES if "int" in name},
}
"""Lowest and highest value of each type."""

_EACH = "one number for each cell"

_DECLARED = ("dtype", "fill", "high", "low", "unit")
"""Declarations of a layer in addition to its name and meaning."""


class Layer:
    """A value for every cell in one contiguous array: danger, influence, distance, seen or not.

    Parameters
    ----------
    layout : the cells; a frozen layout, or a live one whose disabled cells change.
    name : its name in a stack, in pictures and in messages.
    dtype : one of `DTYPES`.
    meaning : what a value means, in words.
    unit : unit of a value: "m", "s", or "" for a plain number.
    low, high : allowed values; the whole range of the dtype by default.
    fill : the value `clear` restores, and the value of cells without a result.

    Attributes
    ----------
    values : (N,) of `dtype`. The only mutable part, with a single writer: the owner of the layer.
    """

    __slots__ = ("dtype", "fill", "high", "layout", "low", "meaning", "name", "unit", "values")

    _repr_png_ = as_png

    def __init__(
        self,
        layout: AnyLayout,
        name: str,
        dtype: npt.DTypeLike = "int8",
        meaning: str = "",
        *,
        fill: float = 0,
        unit: str = "",
        low: float | None = None,
        high: float | None = None,
        values: Array | None = None,
    ):
        count = require_cells(layout)
        self.layout = layout
        self.name = _named(name)
        self.dtype = _declared(name, dtype)
        self.meaning = meaning
        self.unit = unit
        self.low, self.high = _declared_range(name, self.dtype, low, high)
        self.fill = self._allowed(real_number(fill, f"layer {name!r}: fill"), "fill").item()
        self.values = np.full(count, self.fill, self.dtype) if values is None else self._own(values, count)

    @classmethod
    def of(cls, layout: AnyLayout, name: str, values: Any, meaning: str = "", **declared: Any) -> Layer:
        """Return a layer holding a copy of `values`, one per cell, with the given dtype or else that of the values."""
        require_declarations(declared)
        array = values if isinstance(values, np.ndarray) else real_array(values, f"layer {shown(name)}: values", _EACH)
        kind = np.asarray(values).dtype
        layer = cls(layout, name, declared.pop("dtype", kind), meaning, **declared)
        layer.set(slice(None), array)
        return layer

    def __len__(self) -> int:
        return len(self.values)

    def __repr__(self) -> str:
        unit = f" {self.unit}" if self.unit else ""
        return f"<Layer {self.name!r}: {len(self)} {self.dtype}, {self.low:g} … {self.high:g}{unit}>"

    def set(self, cells: Any, values: Any, *, saturate: bool = False) -> None:
        """Write `values` (one, or one for each of `cells`).

        A value outside the layer's range is an error; with `saturate` it is clipped to the range and rounded.
        """
        index = cells if isinstance(cells, slice) else cell_ids(self.layout, cells)
        given = saturated(self._numbers(values, "a value"), self) if saturate else self._allowed(values, "a value")
        if given.ndim and given.shape != self.values[index].shape:
            raise InputError(
                f"layer {self.name!r}: {given.shape} values for {len(self.values[index])} cells; "
                "give one value, or one for each cell"
            )
        self.values[index] = given

    def add(self, cells: Any, amounts: Any) -> None:
        """Add `amounts`, clipping to the declared range; a cell listed twice gets both amounts."""
        index = cell_ids(self.layout, cells)
        amount = self._numbers(amounts, "an amount")
        if amount.shape not in ((), index.shape):
            raise InputError(
                f"layer {self.name!r}: {amount.shape} amounts for {len(index)} cells; "
                "give one amount, or one for each cell"
            )
        touched, place = np.unique(index, return_inverse=True)
        total = self.values[touched].astype(np.float64)
        np.add.at(total, place, amount)
        self.values[touched] = saturated(total, self)

    def clear(self, cells: Any = None) -> None:
        """Reset all cells to `fill`, or only `cells`."""
        self.values[slice(None) if cells is None else cell_ids(self.layout, cells)] = self.fill

    def _numbers(self, values: Any, what: str) -> Floats:
        return real_array(values, f"layer {self.name!r}: {what}", "a number")

    def _own(self, values: Any, count: int) -> Array:
        """Return the given array if the layer can own it, or raise an error that says what is needed."""
        if not isinstance(values, np.ndarray):
            got = shown(values)
        elif values.shape != (count,) or values.dtype != self.dtype or not values.flags.c_contiguous:
            got = f"shape {values.shape} of {values.dtype}"
        else:
            return values
        raise InputError(
            f"layer {self.name!r}: values must be a contiguous array of {count} {self.dtype}, "
            f"got {got}; use Layer.of to copy other values in"
        )

    def _allowed(self, values: Any, what: str) -> Array:
        """Return values in this layer's dtype, or raise an error that names the first that does not fit."""
        given = self._numbers(values, what)
        wrong = ~((given >= self.low) & (given <= self.high))
        if self.dtype.kind != "f":
            wrong |= given != np.rint(given)
        if wrong.any():
            whole = "" if self.dtype.kind == "f" else "whole "
            raise InputError(
                f"layer {self.name!r}: {what} is {given[wrong].flat[0]:g}; "
                f"allowed: {whole}numbers from {self.low:g} to {self.high:g}"
            )
        with np.errstate(over="ignore"):  # values beyond float32 become infinite
            return given.astype(self.dtype)


def saturated(values: Floats, layer: Layer) -> Array:
    """Return float values as the layer can hold them: clipped to its range, rounded, NaN replaced by its fill."""
    if layer.low > -np.inf or layer.high < np.inf:
        values = np.clip(values, layer.low, layer.high)
    unknown = np.isnan(values)
    if unknown.any():
        values = np.where(unknown, layer.fill, values)
    with np.errstate(over="ignore"):  # values beyond float32 become infinite
        return (values if layer.dtype.kind == "f" else np.rint(values)).astype(layer.dtype)


def cell_ids(layout: AnyLayout, cells: Any) -> Ids:
    """Return cell ids (one, many, or a mask as long as the cells) as an int32 array, checking that all exist."""
    count = len(layout.arrays.cell_grid)
    try:
        given = np.asarray(cells)
    except (TypeError, ValueError):
        raise InputError(f"cells must be ids (whole numbers) or a mask, got {shown(cells)}") from None
    if given.ndim == 0:
        given = given[None]
    if given.size == 0:
        return np.zeros(0, np.int32)
    if given.ndim != 1 or given.dtype.kind not in "iub":
        raise InputError(f"cells must be ids (whole numbers) or a mask, got {given.dtype} of shape {given.shape}")
    if given.dtype.kind == "b":
        if len(given) != count:
            raise InputError(f"a mask of {len(given)} does not fit a layout of {count} cells; give one bool per cell")
        return np.flatnonzero(given).astype(np.int32)
    if given.min() < 0 or given.max() >= count:
        wrong = given[(given < 0) | (given >= count)][0]
        advice = "; -1 means no cell: leave such entries out" if wrong == -1 else ""
        raise InputError(f"there is no cell {wrong}: ids run from 0 to {count - 1}{advice}")
    return given.astype(np.int32)


def is_enabled(layout: AnyLayout, cells: Ids) -> Bools:
    """Return for each of `cells` (existing ids) whether no cut currently disables it, in time linear in `cells`."""
    return layout.arrays.disabled[cells >> 3] >> (cells & 7).astype(np.uint8) & 1 == 0


def enabled_cells(layout: AnyLayout) -> Bools:
    """Return which cells no cut currently disables, (N,) bool."""
    bits = np.unpackbits(layout.arrays.disabled, count=len(layout.arrays.cell_grid), bitorder="little")
    return bits == 0


def require_cells(layout: Any, name: str = "layout") -> int:
    """Return the number of cells of a layout, or raise if it is not a layout."""
    return len(cell_arrays(layout, name).cell_grid)


def require_layer(layer: Any, what: str = "layer") -> Layer:
    """Return `layer` if it is a Layer."""
    return instance_of(layer, Layer, what, "give a Layer")


def require_declarations(declared: dict[str, Any]) -> None:
    """Reject unknown declarations of a layer."""
    for word in declared:
        if word not in _DECLARED:
            raise InputError(
                f"unknown declaration {word!r}{did_you_mean(word, _DECLARED)}; allowed: {', '.join(_DECLARED)}"
            )


def require_same_cells(layout: AnyLayout, other: AnyLayout, name: str) -> None:
    """Reject layers of different layouts; a live layout and its frozen base have the same cells."""
    ours, theirs = layout.arrays, other.arrays
    if ours.cell_grid is not theirs.cell_grid and not np.array_equal(ours.cell_grid, theirs.cell_grid):
        raise QueryError(
            f"layer {name!r} belongs to another layout ({len(theirs.cell_grid)} cells, here {len(ours.cell_grid)}); "
            "combine only layers of one layout"
        )


def _named(name: Any) -> str:
    if not isinstance(name, str) or not name:
        raise InputError(f"a layer needs a name, got {shown(name)}; give a non-empty string")
    return name


def _declared(name: str, dtype: npt.DTypeLike) -> np.dtype[Any]:
    try:
        given = np.dtype(dtype).name
    except Exception:  # NumPy may raise TypeError, ValueError, KeyError or others
        given = shown(dtype)
    if given not in DTYPES:
        raise InputError(
            f"layer {name!r}: dtype {given!r} is not one of {', '.join(DTYPES)}{did_you_mean(given, DTYPES)}"
        )
    return np.dtype(given)


def _declared_range(name: str, dtype: np.dtype[Any], low: float | None, high: float | None) -> tuple[float, float]:
    """Return the allowed range: within that of the dtype, and not empty."""
    bottom, top = ENDS[dtype]
    least = bottom if low is None else real_number(low, f"layer {name!r}: low")
    most = top if high is None else real_number(high, f"layer {name!r}: high")
    if not bottom <= least <= most <= top:
        raise InputError(
            f"layer {name!r}: the range {least:g} … {most:g} must be ascending and within "
            f"{bottom:g} … {top:g}, the range of {dtype}"
        )
    return least, most
