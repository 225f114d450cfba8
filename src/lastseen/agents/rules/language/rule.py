"""Rules, handlers and databases as written by authors, and their conditions such as `npc.health < 0.5`."""

from __future__ import annotations

import math
import operator as operators
import re
from collections.abc import Callable, Mapping
from typing import Annotated, Any, Literal, cast, get_args

import msgspec
import numpy as np

from ....checks import shown
from ....errors import RuleError, did_you_mean
from .resolution import CHANCE, chance_fault

Value = bool | int | float | str
Operator = Literal["==", "!=", "<", "<=", ">", ">="]
OPERATORS: tuple[Operator, ...] = get_args(Operator)

Policy = Literal["sequence repeat", "sequence once", "shuffle repeat", "shuffle once"]
"""Selection of actions from a rule; after "once" a rule is depleted and never selected again."""
POLICIES: tuple[Policy, ...] = get_args(Policy)

Order = Literal["original", "conditions", "priority"]
"""Order in which rules are tried: as written; most conditions first; highest priority, then most conditions."""


class RuleCondition(msgspec.Struct, frozen=True):
    """A variable compared with a constant."""

    variable: str
    operator: Operator
    constant: Value

    def __str__(self) -> str:
        constant = str(self.constant).lower() if isinstance(self.constant, bool) else self.constant
        return f"{self.variable} {self.operator} {constant}"


class Memory(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A fact a rule writes when it fires: `variable` holds `value` for this many seconds (0: permanently)."""

    variable: str
    value: Value = True
    seconds: Annotated[float, msgspec.Meta(ge=0.0, le=1e9)] = 0.0


class FollowUp(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A question to another speaker after a line: call and response.

    `who` is a role: "nearest" of the same side, "caller", "subject", "self", or the name of a side for its nearest
    speaker; `facts` are passed to the answering rules, `after` is the minimum delay in seconds.
    """

    handler: str
    who: str = "nearest"
    after: Annotated[float, msgspec.Meta(ge=0.0, le=600.0)] = 1.0
    facts: dict[str, Value] = {}


class Rule(msgspec.Struct, frozen=True, omit_defaults=True):
    """Conditions that must all hold, and actions of which one is executed per match.

    Attributes
    ----------
    name : unique within its handler; used by errors and the debugger.
    conditions : joined by "and" only, so there is no precedence; write "or" as two rules with the same actions.
    actions : anything the game executes: lines, names of animations. Rules with the same list share it.
    policy : how actions are selected from the list; None: as in the handler.
    priority : used by the order "priority"; higher is tried first.
    cooldown : seconds for which no speaker may execute the same action.
    tier : from 1 (very specific) to 3 (generic), for barks in three tiers; 0: none.
    says : whether its actions are lines (`say`) rather than anything else (`do`).
    source, line : where it is written.
    """

    name: str
    conditions: tuple[RuleCondition, ...] = ()
    actions: tuple[Any, ...] = ()
    policy: Policy | None = None
    priority: int = 0
    cooldown: float | None = None
    tier: int = 0
    remember: tuple[Memory, ...] = ()
    then: FollowUp | None = None
    source: str = ""
    line: int = 0
    says: bool = True


class Handler(msgspec.Struct, frozen=True, omit_defaults=True):
    """An ordered set of rules, edited as one resource."""

    name: str
    rules: tuple[Rule, ...] = ()
    order: Order = "original"
    policy: Policy = "sequence repeat"
    cooldown: float = 0.0


class VariableSpec(msgspec.Struct, frozen=True, omit_defaults=True):
    """Specification of a variable: its type, the ordered names of an enumeration, and a description."""

    path: str
    type: Literal["bool", "int", "float", "str", "enum"]
    names: tuple[str, ...] = ()
    about: str = ""


class LineSettings(msgspec.Struct, frozen=True, omit_defaults=True):
    """What a line has besides its texts.

    Attributes
    ----------
    tags : for those who play the line, by name: `voice` (a recording), `mood`, anything else.
    weight : how many times it is in each round of a shuffle.
    cooldown : seconds for which no speaker may say it again; None: as in the rule.
    about : a note for translators and actors.
    """

    tags: dict[str, str] = {}
    weight: int = 1
    cooldown: float | None = None
    about: str = ""


class Database(msgspec.Struct, frozen=True):
    """All variables, handlers and lines (id → language → text), from any number of files.

    `line_places` holds the known file and line number (from 1) of each line, by id, `line_settings` the settings of
    those that have any.
    """

    variables: dict[str, VariableSpec]
    handlers: dict[str, Handler]
    source: str = ""
    lines: dict[str, dict[str, str]] = {}
    line_places: dict[str, tuple[str, int]] = {}
    line_settings: dict[str, LineSettings] = {}


_COMPARE: dict[str, Callable[[Any, Any], bool]] = {
    "==": operators.eq,
    "!=": operators.ne,
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
}

_PATTERN = re.compile(r"\s*([A-Za-z_][\w.]*)\s*(==|!=|<=|>=|<|>)\s*(.+?)\s*")
_NUMBER = re.compile(r"[-+]?(?:\d+\.?\d*|\.\d+)(?:[eE][-+]?\d+)?")
_MOST = 1e18
_SIGNS = re.compile(r"[=<>!&|~]+")
_JOINED = re.compile(r"[=!]=|[<>]|&&|\|\||\s(?:or|OR|and|AND)\s")
_FLAG = re.compile(r"\s*(not\s+)?([A-Za-z_][\w.]*)\s*")


def parse_condition(text: str) -> RuleCondition:
    """Parse `path operator constant`, or `path` or `not path` for booleans; raise a RuleError if it is none of them."""
    found = _PATTERN.fullmatch(text)
    if found is not None:
        path, operator, constant = found.groups()
        _check_constant(text, operator, constant)
        return RuleCondition(path, cast(Operator, operator), _constant(constant))
    flag = _FLAG.fullmatch(text)
    if flag is not None:
        return RuleCondition(flag[2], "==", flag[1] is None)
    raise RuleError(f"{text[:60]!r} is not a condition; write `variable operator constant` with {' '.join(OPERATORS)}")


def _check_constant(text: str, operator: str, constant: str) -> None:
    """Reject constants that look like another operator or a second condition."""
    signs = _SIGNS.match(constant)
    if signs:
        raise RuleError(f"{text[:60]!r}: {operator + signs[0]!r} is not an operator; use one of {' '.join(OPERATORS)}")
    inside, quote = constant, constant[:1]
    if len(constant) > 1 and quote in "'\"" and constant.endswith(quote):
        inside = constant[1:-1] if quote in constant[1:-1] else ""
    elif quote in "'\"" and quote in constant[1:]:
        raise RuleError(f"{text[:60]!r} continues after the quoted text; write the conditions as a list")
    joined = _JOINED.search(inside)
    if joined:
        raise RuleError(
            f"{text[:60]!r} has {joined[0].strip()!r} after its operator; write the conditions as a list, a second rule"
            " for `or`, and text with operators in quotes"
        )


def _constant(text: str) -> Value:
    if text in ("true", "false"):
        return text == "true"
    if _NUMBER.fullmatch(text):
        if len(text) > 300 or not math.isfinite(float(text)):
            raise RuleError(f"the number {text[:20]}… is out of range; write a finite one")
        return float(text) if any(sign in text for sign in ".eE") else int(text)
    return text[1:-1] if len(text) > 1 and text[0] == text[-1] and text[0] in "'\"" else text


def checked_condition(condition: RuleCondition, variables: Mapping[str, VariableSpec]) -> None:
    """Raise a RuleError if a condition names an unknown variable or compares it with an impossible value."""
    spec = variables.get(condition.variable)
    wrong = chance_fault(condition.variable) if condition.variable.startswith(CHANCE) else ""
    if wrong:
        raise RuleError(wrong)
    if spec is None:
        hint = did_you_mean(condition.variable, variables)
        raise RuleError(f"no variable {condition.variable!r}{hint}; declare it under `variables`")
    constant = condition.constant
    if spec.type == "enum":
        if not isinstance(constant, str) or constant not in spec.names:
            hint = did_you_mean(constant, spec.names)
            raise RuleError(f"{condition.variable} is never {constant!r}{hint}; it is one of {', '.join(spec.names)}")
    elif spec.type == "bool":
        if not isinstance(constant, bool) or condition.operator not in ("==", "!="):
            raise RuleError(f"{condition.variable} is a boolean; compare it with == or != to true or false")
    elif spec.type == "str":
        if not isinstance(constant, str) or condition.operator not in ("==", "!="):
            raise RuleError(f"{condition.variable} is text; compare it with == or != to text")
    elif isinstance(constant, bool) or not isinstance(constant, int | float):
        raise RuleError(f"{condition.variable} is a number; compare it with one, not {constant!r}")
    elif not abs(constant) <= _MOST:
        raise RuleError(f"{condition.variable} is compared with {str(constant)[:20]}; write a number up to {_MOST:.0e}")
    elif spec.type == "int" and condition.operator in ("==", "!=") and constant != int(constant):
        raise RuleError(f"{condition.variable} is an integer and never {constant}")


def holds(condition: RuleCondition, value: Any, spec: VariableSpec) -> bool:
    """Return whether a condition holds for a value; False for None and for values of the wrong type."""
    constant: Any = condition.constant
    if spec.type == "str":
        return isinstance(value, str) and _COMPARE[condition.operator](value, constant)
    try:
        number, constant = number_of(value, spec), number_of(constant, spec)
    except RuleError:
        return False
    return number == number and _COMPARE[condition.operator](number, constant)


def number_of(value: Any, spec: VariableSpec) -> float:
    """Return a value of any non-text variable as the number that conditions compare; NaN means unknown.

    Raise a RuleError if the value does not have the variable's type.
    """
    if value is None:
        return math.nan
    try:
        return _number(value, spec)
    except Exception:  # Objects of the game may raise anything when compared.
        kinds = {"enum": f"one of {', '.join(spec.names)}", "bool": "true or false"}
        raise RuleError(f"{spec.path} is {shown(value)}; it is {kinds.get(spec.type, 'a number')}") from None


def _number(value: Any, spec: VariableSpec) -> float:
    if spec.type == "enum" and isinstance(value, str):
        return float(spec.names.index(value))
    if spec.type == "enum" or isinstance(value, str | bytes | bytearray) or bool(getattr(value, "ndim", 0)):
        raise TypeError
    if spec.type == "bool":
        return float((False, True).index(value))
    if isinstance(value, bool | np.bool_):
        raise TypeError
    return float(value)
