"""Defaults and figures of agents and reasoning are those of one table, tests/specimens/defaults.toml.

A game that does not set a number relies on its default: a change of one changes behaviour. Change the table with it,
and tell users in the changelog. New ones are pinned once they are entered there.
"""

from __future__ import annotations

import ast
import dataclasses
import importlib
import inspect
import math
import pkgutil
import tomllib
from functools import cache
from itertools import pairwise
from pathlib import Path
from typing import Any

import msgspec
import numpy as np
import pytest

import lastseen

TABLE = tomllib.loads((Path(__file__).parent / "specimens" / "defaults.toml").read_text(encoding="utf-8"))


@cache
def modules() -> dict[str, Any]:
    """Return the modules of agents and reasoning by name."""
    found = {}
    for stage in ("agents", "reasoning"):
        path = [str(Path(lastseen.__file__).parent / stage)]
        for each in pkgutil.walk_packages(path, f"lastseen.{stage}."):
            found[each.name.removeprefix("lastseen.")] = importlib.import_module(each.name)
    return found


def numbers(value: Any) -> Any:
    """Return the numbers of a value in lists and tables, of settings only those that are no defaults; None for none."""
    if isinstance(value, np.ndarray):
        value = value.tolist()
    if isinstance(value, msgspec.Struct) or (dataclasses.is_dataclass(value) and not isinstance(value, type)):
        usual = defaults(type(value))
        found = {name: numbers(getattr(value, name)) for name in _fields(type(value))}
        return {name: one for name, one in found.items() if one is not None and not same(one, usual.get(name))}
    if isinstance(value, dict):
        found = {str(name): numbers(one) for name, one in value.items()}
        return {name: one for name, one in found.items() if one is not None} or None
    if isinstance(value, tuple | list):
        return [one for one in map(numbers, value) if one is not None] or None
    return value if type(value) in (bool, int, float) else None


def _fields(kind: type) -> dict[str, Any]:
    if issubclass(kind, msgspec.Struct):
        return {each.name: each.default for each in msgspec.structs.fields(kind)}
    return {each.name: each.default for each in dataclasses.fields(kind) if each.init}


def defaults(kind: type) -> dict[str, Any]:
    """Return the default numbers of a class by field."""
    found = {name: numbers(value) for name, value in _fields(kind).items()}
    return {name: value for name, value in found.items() if value is not None}


def classes() -> dict[str, type]:
    """Return the public classes that have default numbers."""
    return {
        f"{name}.{each}": kind
        for name, module in modules().items()
        for each, kind in vars(module).items()
        if isinstance(kind, type) and kind.__module__ == module.__name__ and not each.startswith("_")
        if (issubclass(kind, msgspec.Struct) or dataclasses.is_dataclass(kind)) and defaults(kind)
    }


def arguments() -> dict[str, Any]:
    """Return the default numbers of the arguments of public functions, methods and constructors."""
    found = {}
    for name, module in modules().items():
        mine = [each for each in vars(module).items() if getattr(each[1], "__module__", "") == module.__name__]
        calls = {each: call for each, call in mine if inspect.isfunction(call)}
        for each, kind in mine:
            if isinstance(kind, type) and not dataclasses.is_dataclass(kind):
                calls |= {f"{each}.{word}": call for word, call in vars(kind).items() if inspect.isfunction(call)}
        for each, call in calls.items():
            if not any(word.startswith("_") and word != "__init__" for word in each.split(".")):
                given = {word.name: numbers(word.default) for word in inspect.signature(call).parameters.values()}
                found[f"{name}.{each}"] = {word: value for word, value in given.items() if value is not None}
    return {name: given for name, given in found.items() if given}


def figures() -> dict[str, Any]:
    """Return the numbers of public constants, where they are defined."""
    return {
        f"{name}.{each}": found
        for name, module in modules().items()
        for each, value in vars(module).items()
        if each.isupper() and not each.startswith("_") and f"\n{each}" in _text(module)
        if (found := numbers(value)) is not None
    }


@cache
def _text(module: Any) -> str:
    return Path(module.__file__).read_text(encoding="utf-8")


def same(one: Any, other: Any) -> bool:
    """Return whether values are equal, with a nan equal to itself and True unlike 1."""
    if isinstance(one, dict) and isinstance(other, dict):
        return one.keys() == other.keys() and all(same(one[name], other[name]) for name in one)
    if isinstance(one, list) and isinstance(other, list):
        return len(one) == len(other) and all(map(same, one, other))
    if isinstance(one, float) and isinstance(other, float):
        return math.isclose(one, other, rel_tol=1e-6) or (math.isnan(one) and math.isnan(other))
    return type(one) is type(other) and one == other


def holds(found: Any, table: Any) -> bool:
    """Return whether what was found holds everything of the table, with the same values."""
    if isinstance(found, dict) and isinstance(table, dict):
        return all(name in found and holds(found[name], table[name]) for name in table)
    return same(found, table)


def _differences(found: dict[str, Any], table: dict[str, Any]) -> list[str]:
    return [
        f"{name}: {found.get(name)}, in the table {given}"
        for name, given in sorted(table.items())
        if not holds(found.get(name), given)
    ]


def enumerations() -> dict[str, list[int]]:
    """Return the whole numbers that one line of a kernel module gives to several constants, by the first of them."""
    found = {}
    path = [str(Path(lastseen.__file__).parent / "kernels")]
    for each in pkgutil.walk_packages(path, "lastseen.kernels."):
        module = importlib.import_module(each.name)
        for line in ast.parse(_text(module)).body:
            if isinstance(line, ast.Assign) and isinstance(line.targets[0], ast.Tuple):
                names = [getattr(one, "id", "") for one in line.targets[0].elts]
                values = [getattr(module, name) for name in names]
                if all(isinstance(value, int | np.integer) for value in values):
                    found[f"{each.name.removeprefix('lastseen.')}.{names[0]}"] = [int(value) for value in values]
    return found


APART = ("kernels.flood.look_window._MIDDLE", "kernels.flood.heat_flood.TOUCHED", "kernels.search.search_wave.FLAG")
"""Lines with several numbers that do not count on from one another."""


def test_what_a_line_of_a_kernel_enumerates_is_numbered_without_gaps_or_twins() -> None:
    """Columns of tables, states and reasons count on by one, up or down; flags double."""
    found = {name: values for name, values in enumerations().items() if name not in APART}
    assert len(found) > 40
    for name, values in found.items():
        steps = {(later - earlier) * (1 if later >= 0 else -1) for earlier, later in pairwise(values)}
        doubled = all(later == 2 * earlier > 0 for earlier, later in pairwise(values))
        assert steps == {1} or doubled, name


def test_every_default_is_the_one_of_the_table() -> None:
    assert _differences({name: defaults(kind) for name, kind in classes().items()}, TABLE["defaults"]) == []


def test_every_default_of_an_argument_is_the_one_of_the_table() -> None:
    assert _differences(arguments(), TABLE["arguments"]) == []


def test_every_public_figure_is_the_one_of_the_table() -> None:
    assert _differences(figures(), TABLE["figures"]) == []


@pytest.mark.parametrize(("one", "other"), [(1, True), (1.0, 2.0), ([1], [1, 2]), ({"a": 1}, {"b": 1}), (None, 0)])
def test_different_values_differ(one: Any, other: Any) -> None:
    assert not same(one, other)
    assert same(one, one)
    assert same(math.nan, math.nan)
    assert holds({"a": 1, "b": 2}, {"a": 1})
    assert not holds({"a": 1}, {"a": 1, "b": 2})
