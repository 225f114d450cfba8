"""Compile handlers: order rules, share action lists, and tabulate the rules that survive each value of a variable.

The constants compared with a variable divide its range into points and the intervals between them. Within each cell,
every condition on the variable has a constant answer, so one row of bits holds the rules that survive. Evaluating a
handler then takes one look-up and one "and" per variable, however many rules there are.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import msgspec
import numpy as np

from ....checks import instance_of, read_only, shown
from ....conventions import Array
from ....errors import RuleError, did_you_mean
from ..language.rule import (
    OPERATORS,
    Database,
    Handler,
    LineSettings,
    Policy,
    Rule,
    VariableSpec,
    checked_condition,
    number_of,
)

_PLAIN = LineSettings()
_LAST_TIER = 3
"""Lines of this tier repeat; lines of earlier tiers are memorable and said once."""

_MOST_SINGLE = 1 << 22
"""Upper bound on rows times rules processed at once."""


@dataclass(frozen=True)
class ActionList:
    """A list of actions shared by one or more rules; the shared position avoids repetition.

    `weights` and `cooldowns` are those of its lines, one per action (None: that of the rule); empty if no line has any.
    """

    actions: tuple[Any, ...]
    policy: str
    weights: tuple[int, ...] = ()
    cooldowns: tuple[float | None, ...] = ()


@dataclass(frozen=True, eq=False)
class CompiledHandler:
    """A handler ready for evaluation, with R rules in evaluation order, V variables and W = (R + 63) // 64 words.

    Attributes
    ----------
    rules : (R,) the rules; `rules[r].conditions` as written.
    list_of : (R,) int32, index of each rule's action list in `lists`.
    variables : (V,) names; `specs` holds their specifications.
    texts : text → number, for variables that hold text.
    cut_start, cuts : constants of variable v, ascending: `cuts[cut_start[v]:cut_start[v + 1]]`.
    row_start, rows : (…, W) uint64: row `row_start[v] + cell` holds the rules that variable v leaves in that cell; cell
        2k + 1 is the k-th constant itself, cell 2k the interval below it; a variable's last row is for "unknown".
    asks : per rule, the indices of its variables in the order of its conditions.
    """

    name: str
    rules: Sequence[Rule]
    list_of: Array
    lists: Sequence[ActionList]
    variables: tuple[str, ...]
    specs: tuple[VariableSpec, ...]
    texts: dict[str, int]
    cut_start: Array
    cuts: Array
    row_start: Array
    rows: Array
    asks: tuple[tuple[int, ...], ...]

    @cached_property
    def spec_of(self) -> Mapping[str, VariableSpec]:
        """Variable specifications by path."""
        return dict(zip(self.variables, self.specs))

    def __len__(self) -> int:
        return len(self.rules)


def ordered_rules(handlers: Iterable[Handler]) -> list[tuple[Rule, Handler]]:
    """Return the rules of several handlers, combined in evaluation order; ties keep the written order.

    The first handler's order policy applies to all. Unless it is "original", rules of tier 1 precede those of tier 2,
    and these precede all others, among rules of equal priority.
    """
    given = list(handlers)
    found = [(rule, handler) for handler in given for rule in handler.rules]
    order = given[0].order if given else "original"
    if order == "conditions":
        found.sort(key=lambda each: (each[0].tier or _LAST_TIER, -len(each[0].conditions)))
    elif order == "priority":
        found.sort(key=lambda each: (-each[0].priority, each[0].tier or _LAST_TIER, -len(each[0].conditions)))
    return found


def compile_handler(database: Database, *names: str) -> CompiledHandler:
    """Combine handlers of a database into one and compile it.

    Raises
    ------
    RuleError
        There is no such handler, or a condition does not fit its variable.
    """
    database = instance_of(database, Database, "database", "give the result of read_rules")
    for name in names:
        if not isinstance(name, str) or name not in database.handlers:
            known = ", ".join(database.handlers) or "none"
            raise RuleError(f"no handler {name!r}{did_you_mean(name, database.handlers)}; there are {known}")
    ordered = ordered_rules(database.handlers[name] for name in names)
    rules = tuple(
        msgspec.structs.replace(rule, cooldown=handler.cooldown) if rule.cooldown is None and handler.cooldown else rule
        for rule, handler in ordered
    )
    for rule in rules:
        for condition in rule.conditions:
            try:
                checked_condition(condition, database.variables)
            except RuleError as error:
                raise RuleError(f"{_place(rule)}{error}") from None
    lists, list_of = _shared_lists(ordered, database.line_settings)
    variables = tuple(dict.fromkeys(condition.variable for rule in rules for condition in rule.conditions))
    specs = tuple(database.variables[name] for name in variables)
    texts = _texts(rules, database.variables)
    cut_start, cuts, row_start, rows = _tables(rules, variables, specs, texts)
    number = {name: place for place, name in enumerate(variables)}
    asks = tuple(tuple(dict.fromkeys(number[one.variable] for one in rule.conditions)) for rule in rules)
    return CompiledHandler(
        " + ".join(names), rules, list_of, lists, variables, specs, texts, cut_start, cuts, row_start, rows, asks
    )


def policy_of(rule: Rule, handler: Handler) -> Policy:
    """Return a rule's action policy: its own, else its handler's; tiers 1 and 2 default to "once"."""
    if rule.policy is None and 0 < rule.tier < _LAST_TIER:
        return "shuffle once" if handler.policy.startswith("shuffle") else "sequence once"
    return rule.policy or handler.policy


def _place(rule: Rule) -> str:
    where = f"{rule.source}:{rule.line}: " if rule.source and rule.line else f"{rule.source}: " if rule.source else ""
    return f"{where}rule {rule.name!r}: "


def _shared_lists(
    ordered: list[tuple[Rule, Handler]], settings: Mapping[str, LineSettings]
) -> tuple[tuple[ActionList, ...], Array]:
    """Share one list among rules with the same actions and policy."""
    numbers: dict[bytes, int] = {}
    lists: list[ActionList] = []
    list_of = np.zeros(len(ordered), np.int32)
    for place, (rule, handler) in enumerate(ordered):
        policy = policy_of(rule, handler)
        key = msgspec.json.encode([rule.actions, policy])
        if key not in numbers:
            numbers[key] = len(lists)
            own = [settings.get(one, _PLAIN) if isinstance(one, str) else _PLAIN for one in rule.actions]
            weights = tuple(one.weight for one in own) if any(one.weight > 1 for one in own) else ()
            has_own = any(one.cooldown is not None for one in own)
            cooldowns = tuple(one.cooldown for one in own) if has_own else ()
            lists.append(ActionList(rule.actions, policy, weights, cooldowns))
        list_of[place] = numbers[key]
    return tuple(lists), read_only(list_of)


def _texts(rules: tuple[Rule, ...], variables: Mapping[str, VariableSpec]) -> dict[str, int]:
    """Number every text that a condition compares with; all other texts are equivalent."""
    texts: dict[str, int] = {}
    for rule in rules:
        for one in rule.conditions:
            if variables[one.variable].type == "str":
                texts.setdefault(str(one.constant), len(texts))
    return texts


def encode(value: Any, spec: VariableSpec, texts: Mapping[str, int]) -> float:
    """Return a value as the number that compiled conditions compare; NaN means unknown.

    Raise a RuleError if the value does not have the variable's type.
    """
    if spec.type != "str" or value is None:
        return number_of(value, spec)
    if not isinstance(value, str):
        raise RuleError(f"{spec.path} is {shown(value)}; it is text")
    return float(texts.get(value, -1))


def _tables(
    rules: tuple[Rule, ...], variables: tuple[str, ...], specs: tuple[VariableSpec, ...], texts: Mapping[str, int]
) -> tuple[Array, Array, Array, Array]:
    number_of = {name: number for number, name in enumerate(variables)}
    code_of = {operator: code for code, operator in enumerate(OPERATORS)}
    asked = [
        (place, number, code_of[one.operator], encode(one.constant, specs[number], texts))
        for place, rule in enumerate(rules)
        for one in rule.conditions
        for number in (number_of[one.variable],)
    ]
    table = np.array(asked, np.float64).reshape(-1, 4)
    place, variable, operator = table[:, :3].T.astype(np.int64)
    constant = table[:, 3]
    order = np.lexsort((constant, variable))
    is_new = np.ones(len(order), np.bool_)
    is_new[1:] = np.diff(variable[order]).astype(np.bool_) | (np.diff(constant[order]) != 0.0)
    number = np.empty(len(order), np.int64)
    number[order] = np.cumsum(is_new) - 1
    firsts = order[is_new]
    counts = np.bincount(variable[firsts], minlength=len(variables))
    cut_start = np.concatenate([[0], np.cumsum(counts)])
    row_start = np.concatenate([[0], np.cumsum(2 * counts + 2)])
    at = row_start[variable] + 2 * (number - cut_start[variable]) + 1
    dead = _dead_rows(operator, at, row_start[variable], row_start[variable + 1])
    return (
        read_only(cut_start.astype(np.uint32)),
        read_only(constant[firsts]),
        read_only(row_start.astype(np.uint32)),
        read_only(_rows(place, dead, int(row_start[-1]), len(rules))),
    )


def _dead_rows(operator: Array, at: Array, first: Array, after: Array) -> list[Array]:
    """Return the rows in which each condition fails, as two intervals [low, high), (n,) each.

    `at` is the row of the condition's constant, `first` the first row of its variable and `after` one past its last
    row. The last row means "unknown"; every condition fails there.
    """
    unknown = after - 1
    #       ==     !=      <       <=       >      >=
    low = [first, at, at, at + 1, first, first]
    high = [at, at + 1, unknown, unknown, at + 1, at]
    above = np.where(operator == OPERATORS.index("=="), at + 1, unknown)
    return [np.choose(operator, low), np.choose(operator, high), above, after]


def _rows(place: Array, dead: list[Array], count_rows: int, count: int) -> Array:
    """Return the rules alive in each row, packed as bits."""
    words = max(1, (count + 63) // 64)
    rows = np.empty((count_rows, words), np.uint64)
    # Process only as many words at a time as keep the unpacked table small.
    step = max(1, _MOST_SINGLE // (64 * max(1, count_rows)))
    for first in range(0, words, step):
        last = min(words, first + step)
        low, high = 64 * first, 64 * last
        mine = (place >= low) & (place < high)
        column = place[mine] - low
        change = np.zeros((count_rows + 1, high - low), np.int32)
        for start, end in (dead[:2], dead[2:]):
            np.add.at(change, (start[mine], column), 1)
            np.add.at(change, (end[mine], column), -1)
        alive = np.cumsum(change[:-1], axis=0, dtype=np.int32) == 0
        alive[:, max(0, count - low) :] = False
        rows[:, first:last] = np.packbits(alive, axis=1, bitorder="little").view("<u8")
    return rows
