"""Compile handlers: order rules, share action lists, and find for every value of every variable the rules it leaves.

The constants a variable is compared with cut the line of its values into points and the stretches between them. On
each of these all conditions on the variable have one answer, so one row of bits says which rules survive. Evaluating a
handler is then one look-up and one "and" for each variable, however many rules there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import msgspec
import numpy as np

from ...checks import read_only
from ...conventions import Array
from ...errors import RuleError
from .condition import checked_condition
from .rule import Condition, Database, Handler, Rule, VariableSpec

__all__ = ["ActionList", "CompiledHandler", "compile_handler", "encode", "ordered_rules"]

_COMPARE = {
    "==": lambda value, constant: value == constant,
    "!=": lambda value, constant: value != constant,
    "<": lambda value, constant: value < constant,
    "<=": lambda value, constant: value <= constant,
    ">": lambda value, constant: value > constant,
    ">=": lambda value, constant: value >= constant,
}


@dataclass(frozen=True)
class ActionList:
    """A list of actions that one or more rules share: one counter, so that nothing is repeated."""

    actions: tuple[Any, ...]
    policy: str


@dataclass(frozen=True, eq=False)
class CompiledHandler:
    """A handler ready to be evaluated; R rules in the order they are tried, V variables, W = (R + 63) // 64 words.

    Attributes
    ----------
    rules : (R,) the rules; `rules[r].conditions` as written.
    list_of : (R,) int32, number of each rule's action list; `lists` themselves.
    variables : (V,) names; `specs` what they hold.
    texts : text → number, for variables that hold text.
    cut_start, cuts : constants of variable v, ascending: `cuts[cut_start[v]:cut_start[v + 1]]`.
    row_start, rows : (…, W) uint64: row `row_start[v] + cell` holds the rules variable v leaves in that cell; cell
        2k + 1 is the k-th constant itself, cell 2k the stretch before it; a variable's last row is for "unknown".
    asks : per rule the numbers of its variables, in the order of its conditions.
    """

    name: str
    rules: tuple[Rule, ...]
    list_of: Array
    lists: tuple[ActionList, ...]
    variables: tuple[str, ...]
    specs: tuple[VariableSpec, ...]
    texts: dict[str, int]
    cut_start: Array
    cuts: Array
    row_start: Array
    rows: Array
    asks: tuple[tuple[int, ...], ...]

    def __len__(self) -> int:
        return len(self.rules)


def ordered_rules(handlers: Iterable[Handler]) -> list[tuple[Rule, Handler]]:
    """Return the rules of some handlers, combined, in the order they are tried; equals stay as written.

    The first handler's order policy holds for all.
    """
    given = list(handlers)
    found = [(rule, handler) for handler in given for rule in handler.rules]
    order = given[0].order if given else "original"
    if order == "conditions":
        found.sort(key=lambda each: -len(each[0].conditions))
    elif order == "priority":
        found.sort(key=lambda each: (-each[0].priority, -len(each[0].conditions)))
    return found


def compile_handler(database: Database, *names: str) -> CompiledHandler:
    """Return handlers of a database, combined into one and compiled.

    Raises
    ------
    RuleError
        There is no such handler, or a condition does not fit its variable.
    """
    from ...errors import did_you_mean

    for name in names:
        if name not in database.handlers:
            known = ", ".join(database.handlers) or "none"
            raise RuleError(f"no handler {name!r}{did_you_mean(name, database.handlers)}; there are {known}")
    ordered = ordered_rules(database.handlers[name] for name in names)
    rules = tuple(rule for rule, _ in ordered)
    for rule in rules:
        for condition in rule.conditions:
            try:
                checked_condition(condition, database.variables)
            except RuleError as error:
                raise RuleError(f"{_place(rule)}{error}") from None
    lists, list_of = _shared_lists(ordered)
    variables = tuple(dict.fromkeys(condition.variable for rule in rules for condition in rule.conditions))
    specs = tuple(database.variables[name] for name in variables)
    texts = _texts(rules, database.variables)
    cut_start, cuts, row_start, rows = _tables(rules, variables, specs, texts)
    number = {name: place for place, name in enumerate(variables)}
    asks = tuple(tuple(dict.fromkeys(number[one.variable] for one in rule.conditions)) for rule in rules)
    return CompiledHandler(
        " + ".join(names), rules, list_of, lists, variables, specs, texts, cut_start, cuts, row_start, rows, asks
    )


def _place(rule: Rule) -> str:
    where = f"{rule.source}:{rule.line}: " if rule.source and rule.line else f"{rule.source}: " if rule.source else ""
    return f"{where}rule {rule.name!r}: "


def _shared_lists(ordered: list[tuple[Rule, Handler]]) -> tuple[tuple[ActionList, ...], Array]:
    """Give rules with the same actions and policy one list."""
    numbers: dict[bytes, int] = {}
    lists: list[ActionList] = []
    list_of = np.zeros(len(ordered), np.int32)
    for place, (rule, handler) in enumerate(ordered):
        policy = rule.policy or handler.policy
        key = msgspec.json.encode([rule.actions, policy])
        if key not in numbers:
            numbers[key] = len(lists)
            lists.append(ActionList(rule.actions, policy))
        list_of[place] = numbers[key]
    return tuple(lists), read_only(list_of)


def _texts(rules: tuple[Rule, ...], variables: Mapping[str, VariableSpec]) -> dict[str, int]:
    """Number every text that a condition compares with; all other texts are alike."""
    texts: dict[str, int] = {}
    for rule in rules:
        for one in rule.conditions:
            if variables[one.variable].type == "str":
                texts.setdefault(str(one.constant), len(texts))
    return texts


def encode(value: Any, spec: VariableSpec, texts: Mapping[str, int]) -> float:
    """Return a value as the number conditions on its variable are compiled to; NaN: not known.

    Raises
    ------
    RuleError
        It is of another type than the variable.
    """
    if value is None:
        return np.nan
    if spec.type == "enum":
        if value not in spec.names:
            raise RuleError(f"{spec.path} is {value!r}; it is one of {', '.join(spec.names)}")
        return float(spec.names.index(value))
    if spec.type == "str":
        if not isinstance(value, str):
            raise RuleError(f"{spec.path} is {value!r}; it is text")
        return float(texts.get(value, -1))
    if spec.type == "bool":
        if value not in (True, False):
            raise RuleError(f"{spec.path} is {value!r}; it is true or false")
        return float(value)
    try:
        return float(value)
    except (TypeError, ValueError):
        raise RuleError(f"{spec.path} is {value!r}; it is a number") from None


def _tables(
    rules: tuple[Rule, ...], variables: tuple[str, ...], specs: tuple[VariableSpec, ...], texts: Mapping[str, int]
) -> tuple[Array, Array, Array, Array]:
    words = max(1, (len(rules) + 63) // 64)
    by_variable: dict[str, list[tuple[int, Condition]]] = {name: [] for name in variables}
    for place, rule in enumerate(rules):
        for one in rule.conditions:
            by_variable[one.variable].append((place, one))
    everybody = np.zeros(words, np.uint64)
    for place in range(len(rules)):
        everybody[place >> 6] |= np.uint64(1) << np.uint64(place & 63)
    cut_start, row_start = [0], [0]
    cuts: list[float] = []
    rows: list[Array] = []
    for name, spec in zip(variables, specs):
        asked = [(place, one.operator, encode(one.constant, spec, texts)) for place, one in by_variable[name]]
        constants = sorted({constant for _, _, constant in asked})
        points = _points(constants)
        for point in [*points, None]:
            row = everybody.copy()
            for place, operator, constant in asked:
                if point is None or not _COMPARE[operator](point, constant):
                    row[place >> 6] &= ~(np.uint64(1) << np.uint64(place & 63))
            rows.append(row)
        cuts += constants
        cut_start.append(len(cuts))
        row_start.append(len(rows))
    return (
        read_only(np.array(cut_start, np.uint32)),
        read_only(np.array(cuts, np.float64)),
        read_only(np.array(row_start, np.uint32)),
        read_only(np.array(rows, np.uint64).reshape(-1, words)),
    )


def _points(constants: list[float]) -> list[float]:
    """Return one value in each cell: before the first constant, at it, between it and the next, …"""
    if not constants:
        return [0.0]
    points = [constants[0] - 1.0 - abs(constants[0])]
    for place, constant in enumerate(constants):
        points.append(constant)
        last = place + 1 == len(constants)
        points.append(constant + 1.0 + abs(constant) if last else np.nextafter(constant, np.inf))
    return points
