"""Sweep files: their form and JSON Schema, and the values of parameters, on a grid, at random, or both."""

from __future__ import annotations

import math
from collections.abc import Iterator
from itertools import product
from typing import Annotated, Any

import msgspec

from ....errors import did_you_mean
from ....rng import generator
from ....textfile import Document, convert
from ..registry import EXPERIMENTS
from .experiment import Experiment
from .parameters import Parameter, Value, Values

MOST_TASKS = 1_000_000

_Count = Annotated[int, msgspec.Meta(ge=1, le=MOST_TASKS)]
_Seed = Annotated[int, msgspec.Meta(ge=0, le=2**63 - 1)]
_Text = Annotated[str, msgspec.Meta(min_length=1)]


class Span(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A range of numbers: `steps` of them in a grid, or drawn at random; `log`: evenly spaced in their logarithm."""

    low: float
    high: float
    steps: Annotated[int, msgspec.Meta(ge=1, le=MOST_TASKS)] | None = None
    log: bool = False


class SeedRange(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """A range of consecutive seeds."""

    count: _Count
    first: _Seed = 0


class Draws(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Points drawn at random, each with a value for every parameter in `over`."""

    count: _Count
    over: dict[str, Any]
    seed: _Seed = 0


class SweepForm(msgspec.Struct, forbid_unknown_fields=True, frozen=True):
    """Contents of a sweep file; see docs/sweeps.md."""

    evaluate: _Text
    levels: Annotated[list[_Text], msgspec.Meta(min_length=1)]
    about: str = ""
    seeds: Annotated[list[_Seed], msgspec.Meta(min_length=1)] | SeedRange = msgspec.field(default_factory=lambda: [0])
    fixed: dict[str, Any] = msgspec.field(default_factory=dict)
    grid: dict[str, Any] = msgspec.field(default_factory=dict)
    random: Draws | None = None


def seeds_of(form: SweepForm, document: Document) -> list[int]:
    """Return the seeds of a sweep."""
    if isinstance(form.seeds, SeedRange):
        return list(range(form.seeds.first, form.seeds.first + form.seeds.count))
    _require_different(form.seeds, document, ("seeds",))
    return list(form.seeds)


def fixed_values(form: SweepForm, document: Document, experiment: Experiment) -> Values:
    """Return every parameter with its default or the value fixed in the file."""
    values = {name: parameter.usual for name, parameter in experiment.parameters.items()}
    for name, given in form.fixed.items():
        parameter = _parameter(name, document, ("fixed", name), experiment)
        values[name] = _checked(parameter, given, name, document, ("fixed", name))
    return values


def combinations(form: SweepForm, document: Document, experiment: Experiment) -> list[Values]:
    """Return the values that vary between tasks: every point of the grid with every random point."""
    grid = {
        name: _grid_values(_parameter(name, document, ("grid", name), experiment), given, document, ("grid", name))
        for name, given in form.grid.items()
    }
    drawn: list[Values] = [{}]
    if form.random is not None:
        if not form.random.over:
            raise document.error(("random", "over"), "over is empty; name at least one parameter, or leave out random")
        drawn = list(_drawn(form.random, document, experiment))
    homes = [("fixed", form.fixed), ("grid", form.grid), ("random.over", form.random.over if form.random else {})]
    for number, (home, names) in enumerate(homes):
        for other, others in homes[number + 1 :]:
            for name in names:
                if name in others:
                    path = (*other.split("."), name)
                    raise document.error(path, f"{name} is in both {home} and {other}; keep it in one of them")
    points = [dict(zip(grid, point)) for point in product(*grid.values())]
    return [point | draw for point in points for draw in drawn]


def _parameter(name: str, document: Document, path: tuple[str, ...], experiment: Experiment) -> Parameter:
    known = experiment.parameters
    if name in known:
        return known[name]
    if name in ("seed", "level"):
        raise document.error(path, f"{name} is not a parameter; list {name}s = [...] at the top")
    what = f"{experiment.name} has no parameter {name[:40]!r}{did_you_mean(name, known)}"
    raise document.error(path, f"{what}; parameters: {', '.join(known)}")


def _checked(parameter: Parameter, given: Any, name: str, document: Document, path: tuple[str | int, ...]) -> Value:
    try:
        return parameter.value(given, name)
    except ValueError as error:
        raise document.error(path, str(error)) from None


def _grid_values(parameter: Parameter, given: Any, document: Document, path: tuple[str, ...]) -> list[Value]:
    name = path[-1]
    if isinstance(given, dict):
        span = _span(parameter, document, path)
        if span.steps is None:
            raise document.error(path, f"{name} has no number of values; add steps = 5, or list them")
        return _unique([_rounded(parameter, value) for value in _even(span, span.steps)])
    if not isinstance(given, list):
        what = f"{name} in a grid is a list of values, or {{low = 1, high = 5, steps = 5}}; to fix it, move it to fixed"
        raise document.error(path, what)
    if not given:
        raise document.error(path, f"{name} has no values, so the sweep has no tasks; give at least one")
    values = [_checked(parameter, one, f"{name}[{number + 1}]", document, path) for number, one in enumerate(given)]
    _require_different(values, document, path)
    return values


def _drawn(draws: Draws, document: Document, experiment: Experiment) -> Iterator[Values]:
    """Yield the random points; each parameter has its own stream, so that adding points keeps the first ones."""
    columns: dict[str, list[Value]] = {}
    for name, given in draws.over.items():
        path = ("random", "over", name)
        parameter = _parameter(name, document, path, experiment)
        shares = generator(draws.seed, f"sweep {name}").random(draws.count).tolist()
        if isinstance(given, dict):
            span = _span(parameter, document, path)
            if span.steps is not None:
                raise document.error(path, f"{name} has steps, which are for grids; remove them, count sets the number")
            columns[name] = [
                _rounded(parameter, _between(span, share, whole=parameter.kind == "whole")) for share in shares
            ]
        else:
            choices = _grid_values(parameter, given, document, path)
            columns[name] = [choices[int(share * len(choices))] for share in shares]
    yield from (dict(zip(columns, point)) for point in zip(*columns.values()))


def _span(parameter: Parameter, document: Document, path: tuple[str, ...]) -> Span:
    if not parameter.is_numeric:
        raise document.error(path, f"{path[-1]} is {parameter.allowed} and has no low and high; list its values")
    span = convert(document, Span, path)
    if not (math.isfinite(span.low) and math.isfinite(span.high)) or span.low >= span.high:
        raise document.error(
            path, f"{path[-1]}: low is {span.low:g} and high {span.high:g}; low must be less than high"
        )
    if span.log and span.low <= 0.0:
        raise document.error((*path, "low"), f"{path[-1]}: low is {span.low:g}; with log it must be more than 0")
    if parameter.kind == "whole" and (span.low % 1.0 or span.high % 1.0):
        raise document.error(path, f"{path[-1]} is a whole number; give whole numbers for low and high")
    return span


def _even(span: Span, steps: int) -> list[float]:
    if steps == 1:
        return [span.low]
    return [_between(span, step / (steps - 1)) for step in range(steps)]


def _between(span: Span, share: float, *, whole: bool = False) -> float:
    """Return the number at a fraction 0 … 1 of the span; for random integers, both ends are as likely as the others."""
    if span.log:
        found = math.exp(math.log(span.low) + share * (math.log(span.high) - math.log(span.low)))
        return min(max(found, span.low), span.high)
    if whole:
        return math.floor(span.low + share * (span.high - span.low + 1.0))
    return span.low + share * (span.high - span.low)


def _rounded(parameter: Parameter, value: float) -> Value:
    # Ten digits are more than any setting needs, and equal on every machine.
    return round(value) if parameter.kind == "whole" else float(f"{value:.10g}")


def _unique(values: list[Value]) -> list[Value]:
    return list(dict.fromkeys(values))


def _require_different(values: list[Any], document: Document, path: tuple[str, ...]) -> None:
    seen: set[Any] = set()
    for value in values:
        if value in seen:
            raise document.error(path, f"{path[-1]} lists {value!r} twice; keep one, or it would be counted twice")
        seen.add(value)


_NUMBER = {"type": "number"}
_PLACE = {"type": "array", "items": _NUMBER, "minItems": 2, "maxItems": 3}
_TYPES: dict[str, dict[str, Any]] = {
    "number": _NUMBER,
    "whole": {"type": "integer"},
    "yes": {"type": "boolean"},
    "text": {"type": "string"},
    "file": {"type": "string"},
    "numbers": {"type": "array", "items": _NUMBER, "minItems": 1},
    "wholes": {"type": "array", "items": {"type": "integer"}, "minItems": 1},
    "texts": {"type": "array", "items": {"type": "string"}, "minItems": 1},
    "place": _PLACE,
    "path": {"anyOf": [{"type": "string"}, {"type": "array", "items": _PLACE, "minItems": 2}]},
}
_SEED = {"type": "integer", "description": "0 or more"}
_COUNT = {"type": "integer", "description": "1 or more"}


def sweep_schema() -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of sweep files; the parameters depend on `evaluate`."""
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Sweep of lastseen",
        "anyOf": [_sweep(experiment) for experiment in EXPERIMENTS.values()],
    }


def _sweep(experiment: Experiment) -> dict[str, Any]:
    """Return the schema of sweeps of one experiment."""
    known = experiment.parameters.items()
    over = _object({name: _several(parameter, steps=False) for name, parameter in known}, minProperties=1)
    return _object(
        {
            "evaluate": {"enum": [experiment.name], "description": experiment.about},
            "about": {"type": "string"},
            "levels": {
                "type": "array",
                "items": {"type": "string", "pattern": "."},
                "minItems": 1,
                "description": "samples, level files, or patterns such as maps/*.map, relative to the sweep file",
            },
            "seeds": {
                "anyOf": [
                    {"type": "array", "items": _SEED, "minItems": 1},
                    _object({"first": _SEED, "count": _COUNT}, required=["count"]),
                ],
                "description": "every point is run with every seed",
            },
            "fixed": _object({name: _one(parameter) for name, parameter in known}),
            "grid": _object({name: _several(parameter, steps=True) for name, parameter in known}),
            "random": _object({"count": _COUNT, "seed": _SEED, "over": over}, required=["count", "over"]),
        },
        required=["evaluate", "levels"],
    )


def _object(properties: dict[str, Any], **more: Any) -> dict[str, Any]:
    return {"type": "object", "properties": properties, "additionalProperties": False, **more}


def _one(parameter: Parameter) -> dict[str, Any]:
    found = {"enum": list(parameter.choices)} if parameter.choices else dict(_TYPES[parameter.kind])
    usual = list(parameter.usual) if isinstance(parameter.usual, tuple) else parameter.usual
    told = {"description": parameter.about} if parameter.about else {}
    return found | told | ({} if usual is None else {"default": usual})


def _several(parameter: Parameter, *, steps: bool) -> dict[str, Any]:
    item = {"enum": list(parameter.choices)} if parameter.choices else _TYPES[parameter.kind]
    listed = {"type": "array", "items": item, "minItems": 1}
    told = {"description": parameter.about} if parameter.about else {}
    if not parameter.is_numeric:
        return listed | told
    ends = {"low": _NUMBER, "high": _NUMBER, "log": {"type": "boolean"}}
    if steps:
        span = _object(ends | {"steps": _COUNT}, required=["low", "high", "steps"])
    else:
        span = _object(ends, required=["low", "high"])
    return {"anyOf": [listed, span]} | told
