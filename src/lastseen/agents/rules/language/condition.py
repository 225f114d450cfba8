"""Conditions in the form authors write them: `npc.health < 0.5`."""

from __future__ import annotations

import math
import operator as operators
import re
from collections.abc import Callable, Mapping
from typing import Any, cast

import numpy as np

from ....checks import shown
from ....errors import RuleError, did_you_mean
from .resolution import CHANCE, chance_fault
from .rule import OPERATORS, Condition, Operator, Value, VariableSpec

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


def parse_condition(text: str) -> Condition:
    """Parse a condition: `path operator constant`, or `path` or `not path` for booleans.

    Raises
    ------
    RuleError
        The text is not a condition.
    """
    found = _PATTERN.fullmatch(text)
    if found is not None:
        path, operator, constant = found.groups()
        _check_constant(text, operator, constant)
        return Condition(path, cast(Operator, operator), _constant(constant))
    flag = _FLAG.fullmatch(text)
    if flag is not None:
        return Condition(flag[2], "==", flag[1] is None)
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


def checked_condition(condition: Condition, variables: Mapping[str, VariableSpec]) -> None:
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


def holds(condition: Condition, value: Any, spec: VariableSpec) -> bool:
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

    Raises
    ------
    RuleError
        The value does not have the variable's type.
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
