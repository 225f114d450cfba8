"""Rules as stored in files: keys, types and ranges, before they become a database."""

from __future__ import annotations

import re
from typing import Annotated, Any, Literal

import msgspec

from .rule import FollowUp, Order, Policy, Value

__all__ = [
    "PATH",
    "FileText",
    "HandlerText",
    "MemoryText",
    "PlainType",
    "RuleText",
    "VariableText",
    "actions_of",
    "conditions_of",
]

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
