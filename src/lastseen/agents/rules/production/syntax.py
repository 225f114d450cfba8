"""Syntax of production rules: `unit workers > 0`, `map 5 gold`, `_ a-spawn-worker action ranch days 7`."""

from __future__ import annotations

import math
import re
from typing import Annotated, Any

import msgspec

from ....errors import RuleError
from ....textfile import Document, TextFileError, convert, parse
from ..language.rule import OPERATORS, Operator, RuleCondition

BINS = ("unit", "map", "player")
"""Bin names in a rule: the unit that runs it, the tiles under that unit, and the player's single inventory."""

_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d{1,3})?")


class Check(msgspec.Struct, frozen=True):
    """An amount compared with a number; `most` uses the largest amount on one tile of the map instead of the sum."""

    bin: str
    condition: RuleCondition
    most: bool = False


class Change(msgspec.Struct, frozen=True):
    """An amount of a resource to take from or put into a bin."""

    bin: str
    amount: float
    resource: str


class Call(msgspec.Struct, frozen=True):
    """A call to a function of the game by type, with keyword values; in checks it returns a boolean."""

    type: str
    values: dict[str, Any] = {}


class ProductionRule(msgspec.Struct, frozen=True):
    """A rule that a unit runs at regular intervals, in days.

    If all checks hold and all inputs are available, the inputs are consumed, the outputs produced and the `success`
    actions executed. Otherwise nothing is consumed, and the `failed_checks` or `failed_inputs` actions are executed.
    """

    name: str
    every: float = 1.0
    checks: tuple[Check | Call, ...] = ()
    inputs: tuple[Change, ...] = ()
    outputs: tuple[Change, ...] = ()
    success: tuple[Change | Call, ...] = ()
    failed_inputs: tuple[Change | Call, ...] = ()
    failed_checks: tuple[Change | Call, ...] = ()


class _RuleText(msgspec.Struct, forbid_unknown_fields=True, rename="camel"):
    name: Annotated[str, msgspec.Meta(min_length=1, max_length=200)]
    every: Annotated[float, msgspec.Meta(gt=0.0, le=1e6)] = 1.0
    checks: list[str | dict[str, Any]] = []
    inputs: list[str] = []
    outputs: list[str] = []
    success: list[str | dict[str, Any]] = []
    failed_inputs: list[str | dict[str, Any]] = []
    failed_checks: list[str | dict[str, Any]] = []


class _FileText(msgspec.Struct, forbid_unknown_fields=True):
    resources: list[str]
    units: dict[str, list[Any]]


def parse_production(
    text: str, form: str = "yaml", *, source: str = "rules"
) -> tuple[tuple[str, ...], dict[str, tuple[ProductionRule, ...]]]:
    """Return the resources, and the rules of each kind of unit.

    Raises
    ------
    RuleError
        The text is invalid; the message names file, line and rule, and what is allowed.
    """
    try:
        document = parse(text, form, source=source)
        given: _FileText = convert(document, _FileText)
        found = {
            kind: tuple(_placed(document, kind, number, given.resources) for number in range(len(rules)))
            for kind, rules in given.units.items()
        }
    except TextFileError as error:
        raise RuleError(str(error)) from None
    return tuple(given.resources), found


def _placed(document: Document, kind: str, number: int, resources: list[str]) -> ProductionRule:
    """Return a rule, or raise an error that names its position."""
    try:
        text: _RuleText = convert(document, _RuleText, ("units", kind, number))
    except TextFileError as error:
        raise RuleError(f"{error.source}:{error.line}: rule {number + 1} of {kind}: {error.what}") from None
    try:
        return _rule(text, resources)
    except RuleError as error:
        line = document.line(("units", kind, number))
        raise RuleError(f"{document.source}:{line}: rule {text.name!r} of {kind}: {error}") from None


def _rule(text: _RuleText, resources: list[str]) -> ProductionRule:
    rule = ProductionRule(
        text.name,
        text.every,
        tuple(parse_check(one) for one in text.checks),
        tuple(_change(one) for one in text.inputs),
        tuple(_change(one) for one in text.outputs),
        *(tuple(map(parse_action, part)) for part in (text.success, text.failed_inputs, text.failed_checks)),
    )
    if any(one.amount < 0.0 for one in (*rule.inputs, *rule.outputs)):
        raise RuleError("inputs and outputs cannot be negative; list what is consumed under inputs")
    for part in (*rule.checks, *rule.inputs, *rule.outputs, *rule.success, *rule.failed_inputs, *rule.failed_checks):
        name = part.resource if isinstance(part, Change) else part.condition.variable if isinstance(part, Check) else ""
        if name and name not in resources:
            raise RuleError(f"no resource {name!r}; there are {', '.join(resources)}")
    return rule


def parse_check(text: str | dict[str, Any]) -> Check | Call:
    """Parse a check: `bin resource operator number`, followed by `max` for the largest amount on one tile."""
    if isinstance(text, dict) or text.startswith("_"):
        return _call(text)
    words = text.split()
    most = len(words) == 5 and words[4] == "max"
    if len(words) != 4 + most or words[0] not in BINS or words[2] not in OPERATORS or not _NUMBER.fullmatch(words[3]):
        raise RuleError(f"{text[:60]!r} is not a check; write `unit workers > 0`, with a bin of {', '.join(BINS)}")
    if most and words[0] != "map":
        raise RuleError(f"{text[:60]!r} uses `max`; only the map has tiles")
    operator: Operator = words[2]
    return Check(words[0], RuleCondition(words[1], operator, _number(words[3])), most)


def parse_action(text: str | dict[str, Any]) -> Change | Call:
    """Parse an action: `bin amount resource`, or `_ type key value key value`."""
    return _call(text) if isinstance(text, dict) or text.startswith("_") else _change(text)


def _change(text: str) -> Change:
    words = text.split()
    if len(words) != 3 or words[0] not in BINS or not _NUMBER.fullmatch(words[1]):
        raise RuleError(f"{text[:60]!r} is not an amount; write `unit 5 gold`, with a bin of {', '.join(BINS)}")
    return Change(words[0], _number(words[1]), words[2])


def _call(given: str | dict[str, Any]) -> Call:
    if isinstance(given, dict):
        values = dict(given)
        kind = values.pop("type", None)
        if not isinstance(kind, str) or not kind:
            raise RuleError(f"{str(given)[:60]} has no type; write {{type: a-spawn-worker, …}}")
        return Call(kind, values)
    words = given.split()
    if len(words) < 2 or words[0] != "_" or len(words) % 2:
        raise RuleError(f"{given[:60]!r} is not an action; write `_ type key value key value`")
    return Call(words[1], {key: _value(value) for key, value in zip(words[2::2], words[3::2])})


def _value(word: str) -> Any:
    if word in ("true", "false"):
        return word == "true"
    if not _NUMBER.fullmatch(word):
        return word
    number = _number(word)
    return int(number) if number.is_integer() and not any(sign in word for sign in ".eE") else number


def _number(word: str) -> float:
    number = float(word)
    if not math.isfinite(number):
        raise RuleError(f"{word[:20]} is out of range; write a finite number")
    return number


def class_name(type_name: str) -> str:
    """Return the class name of a type: `a-spawn-worker` is ASpawnWorker."""
    return "".join(part[:1].upper() + part[1:] for part in type_name.split("-"))
