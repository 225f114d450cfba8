"""JSON Schema of sweep files, for completion and validation in editors."""

from __future__ import annotations

from typing import Any

from ..registry import EXPERIMENTS
from .experiment import Experiment
from .parameters import Parameter

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
