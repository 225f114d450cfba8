"""The engine: select the rule that fires for given facts and the action to execute."""

from __future__ import annotations

import math
from bisect import bisect_left
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate, pairwise
from operator import and_
from typing import Any

import numpy as np

from ....checks import finite_number, instance_of, real_array, seed_of, shown
from ....conventions import Array, Floats, Ids
from ....errors import InputError, RuleError
from ....kernels.rules.rule_match import RuleArrays, first_rules
from ....rng import generator
from ..language.resolution import CHANCE, Resolver, Resolving, resolver_of
from ..language.rule import Rule
from .action_lists import ActionQueue, Cooldowns
from .compile import CompiledHandler, encode
from .explanation import Verdict, verdict_of

RuleFilter = Callable[[Rule], str]
ActionFilter = Callable[[Rule, Any], str]
"""Run-time filters: return why a rule, or one of its actions, may not be used now; empty if it may."""


@dataclass(frozen=True)
class Fired:
    """A rule that fired.

    Attributes
    ----------
    rule, number : the rule and its index in evaluation order.
    action : the action to execute; None if the rule has none.
    facts : the variables read, with their values.
    passed : earlier rules that held but could not fire, by index, with the reason.
    masks : the rules that survived each of these variables in turn, as bits.
    """

    rule: Rule
    number: int
    action: Any
    facts: Mapping[str, Any]
    passed: Mapping[int, str] = field(default_factory=dict)
    masks: Sequence[int] = field(default=(), repr=False)


class Engine:
    """Evaluate one compiled handler for any number of speakers.

    Parameters
    ----------
    handler : from `compile_handler`.
    seed : of shuffles and of `random.*` variables.
    cooldowns : shared by the engines of a game; the engine creates its own by default.

    Notes
    -----
    Variables are resolved on demand, only while a rule that could still fire needs them, and once per evaluation.
    """

    def __init__(self, handler: CompiledHandler, *, seed: int = 0, cooldowns: Cooldowns | None = None):
        self.handler = instance_of(handler, CompiledHandler, "handler", "give the result of compile_handler")
        if cooldowns is not None:
            cooldowns = instance_of(cooldowns, Cooldowns, "cooldowns", "give Cooldowns(), or None")
        self.cooldowns = Cooldowns() if cooldowns is None else cooldowns
        self._random = generator(seed_of(seed), f"rules {handler.name}")
        self._resolving = Resolving(self._random)
        self.complaints = self._resolving.complaints
        self._queues = [ActionQueue(one, self._draw) for one in handler.lists]
        self._masks = Masks(handler)
        self._alive = self._masks.all_rules
        asked = [
            (name, number, None if name.startswith(CHANCE) else find)
            for number, (name, find) in enumerate(zip(handler.variables, self._masks.finders, strict=True))
        ]
        self._asks = [[asked[number] for number in numbers] for numbers in handler.asks]
        self._arrays = RuleArrays(handler.cut_start, handler.cuts, handler.row_start, handler.rows)

    def _draw(self, count: int) -> int:
        return int(self._random.integers(count))

    def evaluate(
        self,
        facts: Mapping[str, Any] | Resolver,
        *,
        now: float = 0.0,
        allows: RuleFilter | None = None,
        allows_action: ActionFilter | None = None,
    ) -> Fired | None:
        """Return the first rule whose conditions all hold, with its next action, or None.

        Parameters
        ----------
        facts : values by path, or a function that returns the value of a path; each variable is read at most once.
        now : seconds, for cooldowns.
        allows, allows_action : run-time filters; what they refuse is skipped and keeps its turn.
        """
        resolve = resolver_of(facts)
        if now.__class__ is not float or now - now != 0.0:
            now = finite_number(now, "now", unit="s")
        if not (allows is None or callable(allows)) or not (allows_action is None or callable(allows_action)):
            raise InputError("a filter is not callable; give a function that returns the reason for a refusal, or None")
        known: dict[str, Any] = {}
        masks: list[int] = []
        passed: dict[int, str] = {}
        number, possible = self._first(resolve, known, masks, self._alive)
        while number >= 0:
            rule = self.handler.rules[number]
            refused = allows(rule) if allows is not None else ""
            if not refused:
                action, refused = self._take(number, now, allows_action)
                if not refused:
                    return Fired(rule, number, action, known, passed, masks)
            passed[number] = refused
            number, possible = self._first(resolve, known, masks, possible & ~(1 << number))
        return None

    def failed_last(self, fired: Fired, most: int = 5) -> tuple[Verdict, ...]:
        """Return the rules that stayed in play longest without firing, the last to fail first.

        Rules ruled out by the first variable were never in play.
        """
        facts, masks = fired.facts, dict(zip(fired.facts, fired.masks))
        in_play = list(accumulate(fired.masks, and_, initial=self._alive))
        found: list[Verdict] = []
        for at in range(len(in_play) - 1, 1, -1):
            dead = in_play[at - 1] ^ in_play[at]
            while dead and len(found) < most:
                number = (dead & -dead).bit_length() - 1
                dead &= dead - 1
                asked = [one.variable for one in self.handler.rules[number].conditions if one.variable in masks]
                fatal = {name: facts[name] for name in asked if not masks[name] >> number & 1}
                found.append(verdict_of(self.handler, number, fatal))
        return tuple(found)

    def _left(self, variable: int, value: Any) -> int:
        """Return the rules that survive a value, as bits."""
        mask = self._masks.finders[variable](value)
        return self._masks.left(variable, self._number(variable, value)) if mask is None else mask

    def _first(self, resolve: Resolver, known: dict[str, Any], masks: list[int], possible: int) -> tuple[int, int]:
        """Return the first rule that holds (-1 if none) and the rules that may still hold."""
        asks = self._asks
        while possible:
            lowest = possible & -possible
            number = lowest.bit_length() - 1
            for name, variable, find in asks[number]:
                if name in known:
                    continue
                try:
                    value = resolve(name) if find is not None else self._resolving.value(resolve, name)
                except Exception as error:  # Resolvers belong to the game: if one raises, the rule does not match.
                    self._resolving.complain(name, error)
                    value = None
                known[name] = value
                mask = find(value) if find is not None else None
                if mask is None:
                    mask = self._left(variable, value)
                masks.append(mask)
                possible &= mask
                if not possible & lowest:
                    break
            else:
                return number, possible
        return -1, 0

    def _number(self, variable: int, value: Any) -> float:
        try:
            return encode(value, self.handler.specs[variable], self.handler.texts)
        except RuleError as error:
            self.complaints.setdefault(self.handler.variables[variable], str(error))
            return math.nan

    def _take(self, number: int, now: float, allows: ActionFilter | None) -> tuple[Any, str]:
        """Execute the rule's next allowed action, else return why none is allowed; the others keep their turn."""
        queue = self._queues[self.handler.list_of[number]]
        if not queue.list.actions:
            return None, ""
        rule = self.handler.rules[number]
        place, why = self._fresh(queue, rule, queue.upcoming(), now, allows)
        if why and self._again(queue, rule, why, now, allows):
            place, why = self._fresh(queue, rule, queue.restart(), now, allows)
        if why:
            return None, why
        action = queue.list.actions[place]
        queue.take(place)
        own = queue.list.cooldowns[place] if queue.list.cooldowns else None
        if seconds := rule.cooldown if own is None else own:
            self.cooldowns.start(action, now + seconds)
        if queue.depleted:
            self._deplete(queue)
        return action, ""

    def _fresh(
        self, queue: ActionQueue, rule: Rule, places: Sequence[int], now: float, allows: ActionFilter | None
    ) -> tuple[int, str]:
        """Return the first index whose action is allowed, as `_next`, but repeat the last action of a shuffle only if
        all others are refused for a reason that may never end.
        """
        is_usual = allows is None and bool(places) and places[0] != queue.last
        if is_usual and not self.cooldowns.blocks(queue.list.actions[places[0]], now):
            return places[0], ""
        others = queue.without_last(places)
        place, why = self._next(queue, rule, others, now, allows)
        if why and why != _ON_COOLDOWN and len(others) < len(places):
            return self._next(queue, rule, [queue.last], now, allows)
        return place, why

    def _next(
        self, queue: ActionQueue, rule: Rule, places: Sequence[int], now: float, allows: ActionFilter | None
    ) -> tuple[int, str]:
        """Return the first index whose action is allowed, else the reason; a running cooldown takes precedence."""
        why = ""
        for place in places:
            action = queue.list.actions[place]
            refused = _ON_COOLDOWN if self.cooldowns.blocks(action, now) else allows(rule, action) if allows else ""
            if not refused:
                return place, ""
            why = refused if not why or refused == _ON_COOLDOWN else why
        return -1, why

    def refusal(self, number: int, now: float, allows: ActionFilter | None = None) -> str:
        """Return why no action of a rule may be executed now; empty if one may, or if it has none."""
        queue = self._queues[self.handler.list_of[number]]
        if not queue.list.actions:
            return ""
        rule = self.handler.rules[number]
        why = self._fresh(queue, rule, queue.upcoming(), now, allows)[1]
        return "" if why and self._again(queue, rule, why, now, allows) else why

    def _again(self, queue: ActionQueue, rule: Rule, why: str, now: float, allows: ActionFilter | None) -> bool:
        """Return whether executed actions may repeat because everything left in this pass is refused.

        A filter may refuse an action for ever, but a cooldown ends, so actions on cooldown are waited for.
        """
        done = queue.executed
        return why != _ON_COOLDOWN and bool(done) and not self._fresh(queue, rule, done, now, allows)[1]

    def _deplete(self, queue: ActionQueue) -> None:
        """Never select the rules of an exhausted list again."""
        for number, place in enumerate(self.handler.list_of.tolist()):
            if self._queues[place] is queue:
                self._alive &= ~(1 << number)

    def blocked(self, now: float) -> dict[int, str]:
        """Return the rules that may not fire now even if they hold, with the reason."""
        found: dict[int, str] = {}
        for number in range(len(self.handler)):
            if not self._alive >> number & 1:
                found[number] = "its actions are used up"
            elif why := self.refusal(number, now):
                found[number] = why
        return found

    def match_many(self, facts: Floats) -> Ids:
        """Return the first rule that each row of encoded facts (n, V) satisfies, (n,) int32, -1 if none."""
        facts = real_array(facts, "facts", "numbers (n, V), as encode_many returns them")
        if facts.ndim != 2 or facts.shape[1] != len(self.handler.variables):
            raise InputError(f"facts have shape {facts.shape}; give (n, {len(self.handler.variables)})")
        found = np.empty(len(facts), np.int32)
        first_rules(self._arrays, facts, self._words(), found)
        return found

    def _words(self) -> Array:
        count = self.handler.rows.shape[1]
        return np.frombuffer(self._alive.to_bytes(8 * count, "little"), np.uint64)

    def encode_many(self, facts: Sequence[Mapping[str, Any]]) -> Floats:
        """Encode the facts of many speakers as rows for `match_many`: (n, V) float64, NaN where unknown."""
        if not isinstance(facts, Sequence) or not all(isinstance(one, Mapping) for one in facts):
            raise InputError(f"facts are {shown(facts)}; give a list of mappings by path")
        table = np.full((len(facts), len(self.handler.variables)), np.nan)
        for row, one in enumerate(facts):
            for column, name in enumerate(self.handler.variables):
                table[row, column] = self._number(column, one.get(name))
        return table


_ON_COOLDOWN = "all its actions are on cooldown"


_EXACT = 1 << 53
"""Integers up to this magnitude are exact as floats."""

Finder = Callable[[Any], int | None]
"""Returns the rules that survive a value of the expected Python type; None if the value needs a closer look."""


class Masks:
    """Rows of a compiled handler as integers, so that one Python operation intersects a thousand rules.

    Attributes
    ----------
    all_rules : all rules, as bits.
    finders : one per variable; every query calls them.
    """

    def __init__(self, handler: CompiledHandler):
        data = [int.from_bytes(row.tobytes(), "little") for row in handler.rows]
        starts, cuts = handler.row_start.tolist(), handler.cut_start.tolist()
        self._rows = [data[low:high] for low, high in pairwise(starts)]
        self._cuts = [handler.cuts[low:high].tolist() for low, high in pairwise(cuts)]
        self.all_rules = (1 << len(handler)) - 1
        self.finders: list[Finder] = [self._finder(number, handler) for number in range(len(handler.variables))]

    def _finder(self, variable: int, handler: CompiledHandler) -> Finder:
        spec = handler.specs[variable]
        if spec.type == "enum":
            return _by_text({name: self.left(variable, float(place)) for place, name in enumerate(spec.names)}, None)
        if spec.type == "str":
            known = {text: self.left(variable, float(number)) for text, number in handler.texts.items()}
            return _by_text(known, self.left(variable, -1.0))
        if spec.type == "bool":
            return _by_truth(self.left(variable, 0.0), self.left(variable, 1.0))
        return _by_number(self._cuts[variable], self._rows[variable])

    def left(self, variable: int, value: float) -> int:
        """Return the rules that survive a value of a variable; NaN means unknown."""
        rows = self._rows[variable]
        return rows[-1] if value != value else rows[_cell(self._cuts[variable], value)]


def _cell(cuts: list[float], value: float) -> int:
    place = bisect_left(cuts, value)
    return 2 * place + (place < len(cuts) and cuts[place] == value)


def _by_text(known: Mapping[str, int], other: int | None) -> Finder:
    def find(value: Any) -> int | None:
        return known.get(value, other) if type(value) is str else None

    return find


def _by_truth(no: int, yes: int) -> Finder:
    def find(value: Any) -> int | None:
        return yes if value is True else no if value is False else None

    return find


def _by_number(cuts: list[float], rows: list[int]) -> Finder:
    ends = [*cuts, None]  # No value equals the sentinel after the last cut.

    def find(value: Any) -> int | None:
        kind = type(value)
        if kind is float:
            if value != value:
                return None
        elif kind is not int or not -_EXACT <= value <= _EXACT:
            return None
        place = bisect_left(cuts, value)
        return rows[2 * place + (ends[place] == value)]

    return find
