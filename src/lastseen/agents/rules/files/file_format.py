"""Format of rule files: keys, types and ranges, and the JSON Schema for editors that is generated from them."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec
from msgspec import Meta

from ..language.rule import Database, FollowUp, Order, Policy, Value

PATH = re.compile(r"[A-Za-z_]\w*(?:\.\w+)*")
"""A variable's path: names separated by dots."""

PlainType = Literal["bool", "int", "float", "str"]
Seconds = Annotated[float, Meta(ge=0.0, le=1e9)]
ConditionText = Annotated[
    str,
    Meta(
        description="variable operator constant, such as npc.health < 0.5; a variable alone for booleans",
        extra_json_schema={"pattern": rf"^\s*(?:not\s+)?{PATH.pattern}\s*(?:(?:==|!=|<=|>=|<|>)\s*.+)?$"},
    ),
]
_STRING = {"type": "string"}


def _part(*forms: dict[str, Any], about: str = "") -> Meta:
    """Return the JSON Schema of a part that is `Any` here because it is converted separately, to find all faults."""
    return Meta(extra_json_schema={"anyOf": list(forms)} if len(forms) > 1 else forms[0], description=about or None)


class VariableText(msgspec.Struct, forbid_unknown_fields=True):
    """A variable described by more than its type: `{enum: [NOTICE, LOSE], about: what happened}`."""

    type: PlainType | None = None
    enum: list[str] | None = None
    about: str = ""


class MemoryText(msgspec.Struct, forbid_unknown_fields=True):
    """A fact to remember: its value and for how many seconds (0: permanently)."""

    value: Value = True
    seconds: Seconds = 0.0


class LineText(msgspec.Struct):
    """Settings of a line; its other keys are languages."""

    tags: Annotated[dict[str, str], Meta(description="for those who play it: voice (a recording), mood …")] = {}
    weight: Annotated[int, Meta(ge=1, le=20, description="times it is in each round of a shuffle")] = 1
    cooldown: Annotated[Seconds | None, Meta(description="seconds for which no speaker may say it again")] = None
    about: Annotated[str, Meta(description="a note for translators and actors")] = ""


class RuleText(msgspec.Struct, forbid_unknown_fields=True):
    """One rule; `say` and `do` are two names for its list of actions, for lines and for anything else."""

    name: Annotated[str, Meta(min_length=1, max_length=200)]
    when: Annotated[ConditionText | list[ConditionText], Meta(description="all must hold")] = []
    say: Annotated[Any, Meta(description="texts or ids of lines, one of which is said")] = msgspec.UNSET
    do: Annotated[Any, Meta(description="actions of any kind, one of which is executed")] = msgspec.UNSET
    policy: Policy | None = None
    priority: Annotated[
        int, Meta(ge=-(10**6), le=10**6, description="higher is tried first if the order is priority")
    ] = 0
    cooldown: Annotated[
        Seconds | None, Meta(description="seconds for which no speaker may execute the same action")
    ] = None
    tier: Annotated[int, Meta(ge=0, le=3, description="1 very specific … 3 generic")] = 0
    remember: dict[str, MemoryText | bool | int | float | str] = {}
    then: FollowUp | None = None
    about: str = ""


class HandlerText(msgspec.Struct, forbid_unknown_fields=True):
    """One handler; its policy and cooldown apply to rules without their own."""

    rules: list[Annotated[Any, _part({"$ref": "#/$defs/RuleText"})]] = []
    order: Order = "original"
    policy: Policy = "sequence repeat"
    cooldown: Seconds = 0.0
    about: str = ""


class FileText(msgspec.Struct, forbid_unknown_fields=True):
    """One file; a database consists of one or more."""

    variables: dict[
        str,
        Annotated[
            Any,
            _part(
                {"enum": ["bool", "int", "float", "str"]},
                {"$ref": "#/$defs/VariableText"},
                about="type of the variable, or its possible names in order",
            ),
        ],
    ] = {}
    handlers: dict[str, Annotated[Any, _part({"$ref": "#/$defs/HandlerText"})]] = {}
    lines: dict[str, Annotated[Any, _part(_STRING, {"$ref": "#/$defs/LineText"})]] = {}


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


def rule_schema(database: Database | None = None) -> dict[str, Any]:
    """Return the JSON Schema (draft 2020-12) of rule files.

    With a database, facts and follow-ups may name only its variables and handlers.
    """
    texts = (FileText, VariableText, HandlerText, RuleText, LineText)
    _, parts = msgspec.json.schema_components(texts, ref_template="#/$defs/{name}")
    parts["LineText"]["additionalProperties"] = _STRING
    if database is not None:
        follow_up = parts["FollowUp"]["properties"]
        follow_up["handler"] = {"enum": list(database.handlers)}
        for facts in (follow_up["facts"], parts["RuleText"]["properties"]["remember"]):
            facts["properties"] = dict.fromkeys(database.variables, facts["additionalProperties"])
            facts["additionalProperties"] = False
    schema = {"$schema": "https://json-schema.org/draft/2020-12/schema", **parts.pop("FileText")}
    return schema | {"title": "Rules of lastseen", "$defs": parts}
