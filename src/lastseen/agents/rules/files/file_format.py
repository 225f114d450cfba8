"""Format of rule files: keys, types and ranges, and the JSON Schema for editors."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from ..language.rule import ORDERS, POLICIES, Database, FollowUp, Order, Policy, Value

PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
"""A variable's path: names separated by dots."""

Seconds = Annotated[float, msgspec.Meta(ge=0.0, le=1e9)]
PlainType = Literal["bool", "int", "float", "str"]


class VariableText(msgspec.Struct, forbid_unknown_fields=True):
    """A variable described by more than its type: `{enum: [NOTICE, LOSE], about: what happened}`."""

    type: PlainType | None = None
    enum: list[str] | None = None
    about: str = ""


class MemoryText(msgspec.Struct, forbid_unknown_fields=True):
    """A fact to remember: its value and for how many seconds (0: permanently)."""

    value: Value = True
    seconds: Seconds = 0.0


class RuleText(msgspec.Struct, forbid_unknown_fields=True):
    """One rule; `say` and `do` are two names for its list of actions, for lines and for anything else."""

    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    when: str | list[str] = []
    say: Any = msgspec.UNSET
    do: Any = msgspec.UNSET
    policy: Policy | None = None
    priority: Annotated[int, msgspec.Meta(ge=-(10**6), le=10**6)] = 0
    cooldown: Seconds | None = None
    tier: Annotated[int, msgspec.Meta(ge=0, le=3)] = 0
    remember: dict[str, MemoryText | bool | int | float | str] = {}
    then: FollowUp | None = None
    about: str = ""


class HandlerText(msgspec.Struct, forbid_unknown_fields=True):
    """One handler; its policy and cooldown apply to rules without their own."""

    rules: list[Any] = []
    order: Order = "original"
    policy: Policy = "sequence repeat"
    cooldown: Seconds = 0.0
    about: str = ""


class FileText(msgspec.Struct, forbid_unknown_fields=True):
    """One file; a database consists of one or more."""

    variables: dict[str, Any] = {}
    handlers: dict[str, Any] = {}
    lines: dict[str, Any] = {}


def conditions_of(when: str | list[str]) -> list[str]:
    """Return the separate conditions; text without quotes may join them with `and`."""
    if isinstance(when, list):
        return when
    if '"' in when or "'" in when:
        return [when]
    return re.split(r"\s+and\s+", when.strip())


def actions_of(rule: RuleText) -> tuple[Any, ...]:
    """Return the actions of a rule; a single action needs no list."""
    given = rule.do if rule.say is msgspec.UNSET else rule.say
    if given is msgspec.UNSET or given is None:
        return ()
    return tuple(given) if isinstance(given, list) else (given,)


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
