"""User input to contiguous arrays of the right dtype, or a message that teaches."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from .conventions import Array, Floats
from .errors import InputError

__all__ = ["finite_number", "frozen", "outline_xy", "point_xyz", "points_xyz"]


def frozen(values: Any, dtype: Any = None) -> Array:
    """Return `values` as a contiguous read-only array (a copy unless it already is one)."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy() if array is values or array.base is not None else array
        array.setflags(write=False)
    return array


def finite_number(
    value: Any,
    name: str,
    *,
    unit: str = "",
    low: float = -np.inf,
    high: float = np.inf,
    open_low: bool = False,
) -> float:
    """Return `value` as a float within `[low, high]` (or `(low, high]`), else say what is allowed."""
    unit = f" {unit}" if unit else ""
    bound = f"{'more than' if open_low else 'at least'} {low:g} and at most {high:g}{unit}"
    try:
        number = float(value)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} must be a number, got {value!r}; give {bound}") from None
    if not np.isfinite(number) or number > high or number < low or (open_low and number == low):
        raise InputError(f"{name} is {number:g}{unit}; it must be {bound}")
    return number


def points_xyz(values: Any, name: str = "points") -> Floats:
    """Return positions as a contiguous `(n, 3)` float64 array; `(n, 2)` is lifted to z = 0."""
    try:
        array = np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be numbers of shape (n, 3) or (n, 2), got {type(values).__name__}") from None
    if array.size == 0:
        return np.zeros((0, 3))
    if array.ndim != 2 or array.shape[1] not in (2, 3):
        raise InputError(f"{name} must have shape (n, 3) or (n, 2) in metres, got {array.shape}")
    if not np.isfinite(array).all():
        row = int(np.flatnonzero(~np.isfinite(array).all(axis=1))[0])
        raise InputError(f"{name}[{row}] is {array[row].tolist()}; every coordinate must be finite")
    if array.shape[1] == 2:
        array = np.column_stack([array, np.zeros(len(array))])
    return np.ascontiguousarray(array)


def point_xyz(value: Any, name: str = "point") -> Floats:
    """Return one position as a `(3,)` float64 array; `(x, y)` is lifted to z = 0."""
    # The usual case in a tenth of the time: scalar queries are asked in loops.
    numbers = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(numbers, tuple | list) and all(isinstance(number, float | int) for number in numbers):
        if len(numbers) == 3 and all(map(math.isfinite, numbers)):
            return np.array(numbers, np.float64)
        if len(numbers) == 2 and all(map(math.isfinite, numbers)):
            return np.array([*numbers, 0.0], np.float64)
    array = np.asarray(value, dtype=object)
    if array.ndim != 1 or array.shape[0] not in (2, 3):
        raise InputError(f"{name} must be (x, y) or (x, y, z) in metres, got {value!r}")
    return points_xyz(array[None, :], name)[0]


def outline_xy(values: Any, name: str = "outline") -> Floats:
    """Return a polygon outline as `(n, 2)` float64, n >= 3, not repeating its first point."""
    array = points_xyz(values, name)[:, :2]
    if len(array) > 1 and np.array_equal(array[0], array[-1]):
        array = array[:-1]
    if len(array) < 3:
        raise InputError(f"{name} has {len(array)} points; a polygon needs at least 3")
    return np.ascontiguousarray(array)
