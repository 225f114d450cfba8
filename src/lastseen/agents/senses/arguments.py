"""Checks of the arguments of senses, with messages that say what is allowed."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, TypeVar

import numpy as np

from ...checks import arrays_of, finite_number, frozen, read_only, real_array, shown, whole_number
from ...conventions import Array, Bools, Floats
from ...errors import InputError, did_you_mean
from ...kernels.arrays.level_arrays import SightArrays
from ...level.sight.sight import Sight

Thing = TypeVar("Thing")


def count_of(value: Any, name: str) -> int:
    """Return a count, a whole number up to ten million."""
    count = whole_number(value, name)
    if count > 10_000_000:
        raise InputError(f"{name} is {shown(value)}; give at most 10,000,000")
    return count


def one_of(value: Any, allowed: Iterable[str], name: str) -> str:
    """Return a name if it is allowed, or raise an error that lists the allowed ones."""
    names = tuple(allowed)
    if not isinstance(value, str) or value not in names:
        raise InputError(f"{name} is {shown(value)}{did_you_mean(value, names)}; give one of {', '.join(names)}")
    return value


def named(name: Any, table: Mapping[str, Thing], what: str) -> Thing:
    """Return the entry with a name, or raise an error that lists the known ones."""
    if not isinstance(name, str) or name not in table:
        raise InputError(f"no {what} is named {shown(name)}{did_you_mean(name, table)}; give one of {', '.join(table)}")
    return table[name]


def things_of(values: Any, kind: type[Thing], name: str) -> tuple[Thing, ...]:
    """Return objects of one type as a tuple."""
    try:
        things = tuple(values)
    except TypeError:
        things = (values,)
    if not all(isinstance(thing, kind) for thing in things):
        raise InputError(f"{name} must be objects of type {kind.__name__}, got {shown(values)}")
    return things


def numbers_of(values: Any, count: int, name: str, *, low: float, high: float) -> tuple[float, ...]:
    """Return exactly `count` numbers within bounds."""
    given = real_array(values, name, f"{count} numbers")
    if given.shape != (count,):
        raise InputError(f"{name} is {shown(values)}; give {count} numbers")
    return tuple(finite_number(value, name, low=low, high=high) for value in given)


def truths_of(values: Any, name: str) -> Bools:
    """Return booleans or whole numbers of any shape as a read-only bool array."""
    try:
        given: Array = np.array(values)
    except ValueError:
        given = np.array(None)
    if given.dtype.kind not in "biu" and given.size:
        raise InputError(f"{name} must be booleans, got {shown(values)}")
    return read_only(given.astype(np.bool_, copy=False))


def cloud_rows(clouds: Any) -> Floats:
    """Return clouds (k, 4): x, y, z, radius in metres, as a read-only array."""
    given = real_array(clouds, "clouds", "(k, 4) x, y, z, radius")
    if given.size and (given.ndim != 2 or given.shape[1] != 4):
        raise InputError(f"clouds must have shape (k, 4): x, y, z, radius in metres, got {given.shape}")
    if not np.isfinite(given).all():
        raise InputError("clouds must be finite: x, y, z, radius in metres")
    return frozen(given.reshape(-1, 4))


def sight_of(sight: Sight | SightArrays) -> SightArrays:
    """Return the arrays of what blocks sight, given as a `Sight` or as its arrays."""
    return sight if type(sight) is SightArrays else arrays_of(sight, SightArrays, "Sight", "sight")


def time_of(now: Any) -> float:
    """Return a time in seconds."""
    return finite_number(now, "now", unit="s")
