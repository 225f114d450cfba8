"""JSON Schema of rule files, for completion and validation in editors."""

from __future__ import annotations

from typing import Any

from .file_form import PATH
from .rule import ORDERS, POLICIES, Database

__all__ = ["rule_schema"]

_VALUE: dict[str, Any] = {"anyOf": [{"type": "boolean"}, {"type": "number"}, {"type": "string"}]}
_SECONDS = {"type": "number", "description": "seconds, 0 or more"}
_ANY: dict[str, Any] = {}


def rule_schema(database: Database | None = None) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of rule files.

    With a database, facts and follow-ups may name only its variables and handlers.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Rules of lastseen",
        "type": "object",
        "properties": {
            "variables": {"type": "object", "additionalProperties": _variable()},
            "handlers": {"type": "object", "additionalProperties": _handler()},
            "lines": {
                "type": "object",
                "additionalProperties": {
                    "anyOf": [{"type": "string"}, {"type": "object", "additionalProperties": {"type": "string"}}]
                },
            },
        },
        "additionalProperties": False,
        "$defs": {"rule": _rule(database)},
    }


def _variable() -> dict[str, Any]:
    plain = {"enum": ["bool", "int", "float", "str"]}
    names = {"type": "array", "items": {"type": "string"}, "minItems": 1}
    full = {
        "type": "object",
        "properties": {"type": plain, "enum": names, "about": {"type": "string"}},
        "additionalProperties": False,
    }
    return {"anyOf": [plain, full], "description": "type of the variable, or its possible names in order"}


def _handler() -> dict[str, Any]:
    return {
        "type": "object",
        "properties": {
            "order": {"enum": list(ORDERS), "description": "order in which rules are tried"},
            "policy": {
                "enum": list(POLICIES),
                "description": "how actions are selected, unless a rule overrides it",
            },
            "cooldown": {**_SECONDS, "description": "seconds, unless a rule overrides it"},
            "about": {"type": "string"},
            "rules": {"type": "array", "items": {"$ref": "#/$defs/rule"}},
        },
        "additionalProperties": False,
    }


def _rule(database: Database | None) -> dict[str, Any]:
    condition = {
        "type": "string",
        "pattern": rf"^\s*(?:not\s+)?{PATH.pattern}\s*(?:(?:==|!=|<=|>=|<|>)\s*.+)?$",
        "description": "variable operator constant, such as npc.health < 0.5; a variable alone for booleans",
    }
    return {
        "type": "object",
        "properties": {
            "name": {"type": "string", "pattern": "."},
            "when": {"anyOf": [condition, {"type": "array", "items": condition}], "description": "all must hold"},
            "say": {**_ANY, "description": "texts or ids of lines, one of which is said"},
            "do": {**_ANY, "description": "actions of any kind, one of which is executed"},
            "policy": {"enum": list(POLICIES)},
            "priority": {"type": "integer", "description": "higher is tried first if the order is priority"},
            "cooldown": {**_SECONDS, "description": "seconds for which no speaker may execute the same action"},
            "tier": {"enum": [0, 1, 2, 3], "description": "1 very specific … 3 generic"},
            "remember": _facts(database, _memory()),
            "then": _follow_up(database),
            "about": {"type": "string"},
        },
        "required": ["name"],
        "additionalProperties": False,
    }


def _memory() -> dict[str, Any]:
    full = {"type": "object", "properties": {"value": _VALUE, "seconds": _SECONDS}, "additionalProperties": False}
    return {"anyOf": [_VALUE, full]}


def _facts(database: Database | None, value: dict[str, Any]) -> dict[str, Any]:
    if database is None:
        return {"type": "object", "additionalProperties": value}
    return {"type": "object", "properties": dict.fromkeys(database.variables, value), "additionalProperties": False}


def _follow_up(database: Database | None) -> dict[str, Any]:
    handler: dict[str, Any] = {"type": "string"} if database is None else {"enum": list(database.handlers)}
    return {
        "type": "object",
        "properties": {
            "handler": handler,
            "who": {"type": "string", "description": "role of the speaker that answers, such as nearest"},
            "after": {"type": "number", "description": "seconds, 0 … 600"},
            "facts": _facts(database, _VALUE),
        },
        "required": ["handler"],
        "additionalProperties": False,
    }
