"""Convert user input to contiguous arrays and plain numbers, or raise an error that says what is allowed."""

from __future__ import annotations

import math
import operator
import os
from collections.abc import Mapping
from math import isfinite
from typing import Any, Self, TypeVar

import numpy as np

from .conventions import Array, Floats
from .errors import InputError

Kind = TypeVar("Kind")

_FEW = 128

_UNREAL = (TypeError, ValueError, OverflowError, np.exceptions.ComplexWarning)
"""Exceptions NumPy and `float` raise for values that are not real numbers."""


def shown(value: Any) -> str:
    """Return any value as short text for a message."""
    try:
        text = " ".join(repr(value).split())
    except Exception:  # an integer of thousands of digits, an object whose repr fails
        return f"a value of type {type(value).__name__}"
    return text if len(text) <= 60 else _kind_shown(value) or text[:57] + "..."


def _kind_shown(value: Any) -> str:
    """Return what an array or an object of lastseen is, without its content; empty for other values."""
    if isinstance(value, np.ndarray):
        return f"an array of shape {value.shape}"
    kind = type(value)
    if kind.__module__.partition(".")[0] != __package__:
        return ""
    return f"{'an' if kind.__name__[0] in 'AEIOU' else 'a'} {kind.__name__}"


def frozen(values: Any, dtype: Any = None) -> Array:
    """Return `values` as a contiguous read-only array (a copy unless it already is one)."""
    array = np.ascontiguousarray(values, dtype=dtype)
    if array.flags.writeable:
        array = array.copy() if array is values or array.base is not None else array
        array.setflags(write=False)
    return array


def frozen_numbers(values: Any, name: str, dtype: Any = np.float64) -> Array:
    """Return numbers as `frozen` does, infinity and NaN included, or raise an error that says what was given."""
    if dtype is np.float64:
        return frozen(real_array(values, name, "an array of numbers"), dtype)
    try:
        array = np.asarray(values)
        if array.size and array.dtype.kind not in "iub":
            raise TypeError
        return frozen(array, dtype)
    except (TypeError, ValueError, OverflowError):
        raise InputError(f"{name} must be an array of whole numbers, got {shown(values)}") from None


def read_only(array: Array) -> Array:
    """Mark a new array read-only in place, without a copy, and return it."""
    array.setflags(write=False)
    return array


def read_only_view(array: Array) -> Array:
    """Return a view of an array that cannot be written through."""
    return read_only(array.view())


def real_number(value: Any, name: str, allowed: str = "a real number") -> float:
    """Return `value` as a float, infinity and NaN included, or raise an error that names what is `allowed`."""
    try:
        # Text that looks like a number is not one: float("1_0") is 10.
        if isinstance(value, str | bytes | bytearray | memoryview):
            raise TypeError
        if isinstance(value, np.ndarray | np.generic) and (value.ndim or value.dtype.kind not in "biuf"):
            raise TypeError
        return float(value)
    except _UNREAL:
        raise InputError(f"{name} must be a number, got {shown(value)}; allowed: {allowed}") from None


def finite_number(
    value: Any,
    name: str,
    *,
    unit: str = "",
    low: float = -np.inf,
    high: float = np.inf,
    open_low: bool = False,
) -> float:
    """Return `value` as a float within `[low, high]` (or `(low, high]`), or raise an error that names the limits."""
    # The usual case takes a tenth of the time: the limits are put into words only for an error.
    if type(value) is float and isfinite(value) and low <= value <= high and not (open_low and value == low):
        return value
    unit = f" {unit}" if unit else ""
    limits = (low, f"{'more than' if open_low else 'at least'} {low:g}"), (high, f"at most {high:g}")
    bound = " and ".join(words for limit, words in limits if isfinite(limit)) + unit
    if math.isinf(low) and math.isinf(high):
        bound = "finite"
    number = real_number(value, name, bound)
    if not isfinite(number) or number > high or number < low or (open_low and number == low):
        raise InputError(f"{name} is {number:g}{unit}; it must be {bound}")
    return number


def whole_number(value: Any, name: str, *, low: int = 0) -> int:
    """Return `value` as an int of at least `low`; bools and floats are rejected."""
    if type(value) is int and value >= low:
        return value
    try:
        number = None if isinstance(value, bool) else operator.index(value)
    except TypeError:
        number = None
    if number is None or number < low:
        raise InputError(f"{name} is {shown(value)}; give a whole number, at least {low}")
    return number


def job_count(value: Any, name: str) -> int:
    """Return the number of threads or processes to use: `value`, or one per core available to this process if None."""
    if value is not None:
        return whole_number(value, name, low=1)
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def whole_numbers(values: Any, name: str, *, low: int = 0) -> list[int]:
    """Return several values as `whole_number` does, such as agent or cell ids."""
    try:
        return [whole_number(value, name, low=low) for value in values]
    except TypeError:
        raise InputError(f"{name} is {shown(values)}; give whole numbers, at least {low}") from None


def seed_of(value: Any) -> int:
    """Return a seed that fits a signed 64-bit integer, so that files can store it."""
    seed = whole_number(value, "seed")
    if seed >= 2**63:
        raise InputError(f"seed is {shown(value)}; give a whole number below {2**63}")
    return seed


def real_array(values: Any, name: str, allowed: str) -> Floats:
    """Return `values` as a float64 array of any shape, infinity and NaN included, or raise naming what is `allowed`."""
    try:
        array = np.asarray(values)
        if array.dtype.kind in "cmMUS" or (
            array.dtype.kind == "O" and any(isinstance(one, str | bytes | bytearray) for one in array.flat)
        ):
            raise TypeError
        return array.astype(np.float64, copy=False)
    except _UNREAL:
        raise InputError(f"{name} must be {allowed}, got {shown(values)}") from None


def extremes(numbers: Array) -> tuple[int, int]:
    """Return the least and the greatest of integers (n,); 0 and 0 if there are none."""
    if numbers.size > _FEW:
        return int(numbers.min()), int(numbers.max())
    few = numbers.tolist()  # for few values, Python is faster than the call overhead of NumPy
    return (min(few), max(few)) if few else (0, 0)


def file_path(path: Any, name: str = "path") -> str:
    """Return a path as text; reject numbers, which `open` would take for file descriptors."""
    try:
        return os.fsdecode(path)
    except TypeError:
        raise InputError(f"{name} is {shown(path)}; give a file name") from None


def text_of(value: Any, name: str) -> str:
    """Return `value` if it is a string."""
    return instance_of(value, str, name, "give text")


def table_of(values: Any, name: str, wanted: str = "{name: value}") -> dict[Any, Any]:
    """Return a mapping as a dict of its own; None gives an empty one."""
    if values is not None and not isinstance(values, Mapping):
        raise InputError(f"{name} is {shown(values)}; give {wanted}")
    return dict(values or {})


def instance_of(value: Any, kind: type[Kind], name: str, advice: str) -> Kind:
    """Return `value` if it is an instance of `kind`, or raise an error that ends with `advice`."""
    if not isinstance(value, kind):
        raise InputError(f"{name} is {shown(value)}; {advice}")
    return value


_MAKERS = {
    "Surface": "call Level.read(path), Level.from_text(text), Level.from_array(…) or Level.from_polygons(floors)",
    "Level": "make one with Level.read(path), Level.from_text(text), Level.from_array(passable) or Level.sample(name)",
    "NavMesh": "make one with NavMesh.from_level(level)",
    "CellLayout": "make one with CellLayout.from_level(level)",
    "Sight": "make one with Sight.from_level(level)",
    "Body": "give a Body, such as Body(radius=0.3)",
    "BodyArrays": "make the table with lastseen.senses.bodies(xyz)",
    "Setting": "make one with read_scenario(path) or parse_scenario(text)",
    "World": "make one with make_world(scenario)",
    "Recording": "read one with Recording.read(path), after record(world, path) or `lastseen run -o`",
}
"""How to make an object of each kind that calls ask for."""

_INSTEAD = {
    ("Surface", "ndarray"): "call Level.from_array(passable), Level.from_polygons(floors) or Level.from_mesh(…)",
    ("Surface", "list"): "call Level.from_array(passable) or Level.from_polygons(floors)",
    ("Surface", "str"): "call Level.read(path), Level.from_text(text) or Level.sample(name)",
    ("Level", "str"): "call Level.read(path), Level.from_text(text) or Level.sample(name)",
    ("Level", "ndarray"): "call Level.from_array(passable)",
    ("Level", "list"): "call Level.from_array(passable) or Level.from_polygons(floors)",
    ("NavMesh", "Level"): "call NavMesh.from_level(level)",
    ("NavMesh", "CellLayout"): "give its `.mesh`",
    ("NavMesh", "LiveLayout"): "give its `.mesh`",
    ("NavMesh", "CutMesh"): "give its `.base`",
    ("CellLayout", "Level"): "call CellLayout.from_level(level)",
    ("CellLayout", "NavMesh"): "call CellLayout.from_navmesh(mesh)",
    ("CellLayout", "LiveLayout"): "give its `.layout`",
    ("Sight", "Level"): "call Sight.from_level(level)",
    ("Sight", "LiveLayout"): "give its `.sight`",
    ("BodyArrays", "Body"): "a Body is a size; make the table with lastseen.senses.bodies(xyz)",
    ("Body", "float"): "give Body(radius=…)",
    ("Setting", "Scenario"): "call lastseen.simulation.setting_of(scenario)",
    ("Setting", "str"): "read it with read_scenario(path) or parse_scenario(text)",
    ("World", "Setting"): "call make_world(scenario)",
    ("Recording", "str"): "call Recording.read(path)",
    ("Recording", "World"): "call record(world, path), then Recording.read(path)",
    ("Recording", "Outcome"): "read the file with Recording.read(path)",
}
"""What to do if an object of the second kind was given where one of the first is needed."""


def wrong_kind(value: Any, wanted: str, name: str) -> InputError:
    """Return the error for an argument of the wrong kind; it names the call that makes the right one."""
    kind, given = type(value).__name__, _kind_shown(value) or shown(value)
    return InputError(f"{name} is {given}; {_INSTEAD.get((wanted, kind)) or _MAKERS.get(wanted, f'give a {wanted}')}")


class MadeByMethods:
    """Base of classes whose objects are made by class methods: calling one with a single object names that method."""

    def __new__(cls, *given: Any, **named: Any) -> Self:
        """Raise if called as `NavMesh(level)`."""
        if len(given) == 1 and not named:
            raise wrong_kind(given[0], cls.__name__, f"the argument of {cls.__name__}()")
        return super().__new__(cls)


def expect(value: Any, kind: type[Kind], name: str) -> Kind:
    """Return `value` if it is an instance of `kind`, or raise an error that names the call that makes one."""
    if not isinstance(value, kind):
        raise wrong_kind(value, kind.__name__, name)
    return value


def arrays_of(value: Any, kind: type[Kind], wanted: str, name: str) -> Kind:
    """Return the arrays of an object such as a mesh or layout, frozen or live, if they are of `kind`."""
    arrays = getattr(value, "arrays", None)
    if type(arrays) is not kind:
        raise wrong_kind(value, wanted, name)
    return arrays


def points_xyz(values: Any, name: str = "points") -> Floats:
    """Return positions as a contiguous `(n, 3)` float64 array; `(n, 2)` is lifted to z = 0."""
    array = real_array(values, name, "numbers of shape (n, 3) or (n, 2)")
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
    """Return one position as a new `(3,)` float64 array; `(x, y)` is lifted to z = 0."""
    if (usual := usual_point(value)) is not None:
        return usual
    numbers = value.tolist() if isinstance(value, np.ndarray) else value
    if isinstance(numbers, tuple | list) and all(isinstance(number, float | int) for number in numbers):
        try:
            if len(numbers) == 3 and all(map(isfinite, numbers)):
                return np.array(numbers, np.float64)
            if len(numbers) == 2 and all(map(isfinite, numbers)):
                return np.array([*numbers, 0.0], np.float64)
        except OverflowError:  # an integer too large for a float
            raise InputError(f"{name} is {shown(value)}; every coordinate must be finite") from None
    array = real_array(value, name, "(x, y) or (x, y, z) in metres")
    if array.ndim != 1 or array.shape[0] not in (2, 3):
        raise InputError(f"{name} must be (x, y) or (x, y, z) in metres, got {shown(value)}")
    return points_xyz(array[None, :], name)[0].copy()


def usual_point(value: Any) -> Floats | None:
    """Return a position as `point_xyz` does if it consists of two or three finite floats, else None.

    Takes a tenth of the time of a full check, for single queries made in loops.
    """
    if isinstance(value, np.ndarray):
        if value.ndim != 1:
            return None
        value = value.tolist()
    elif not isinstance(value, tuple | list):
        return None
    if len(value) == 3:
        x, y, z = value
    elif len(value) == 2:
        (x, y), z = value, 0.0
    else:
        return None
    if type(x) is float and type(y) is float and type(z) is float and isfinite(x) and isfinite(y) and isfinite(z):
        return np.array((x, y, z))
    return None


def outline_xy(values: Any, name: str = "outline") -> Floats:
    """Return a polygon outline as `(n, 2)` float64, n >= 3, without repeating its first point."""
    array = points_xyz(values, name)[:, :2]
    if len(array) > 1 and np.array_equal(array[0], array[-1]):
        array = array[:-1]
    if len(array) < 3:
        raise InputError(f"{name} has {len(array)} points; a polygon needs at least 3")
    return np.ascontiguousarray(array)
