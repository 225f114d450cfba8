"""Greedy matching: try rules one after another in a changing order, within a budget of tests or time.

Chapter 9 of Game AI Pro 2 (Schiel), variants A, C and D. Without a budget and without shuffling, the engine gives the
same answer in one step (except for random variables, which each draws separately) and should be preferred. A budget of
tests has no meaning for the engine, as it never tests rules one by one.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from time import perf_counter
from typing import Any, Literal

from ....checks import instance_of, real_number, seed_of, shown
from ....errors import InputError, RuleError, did_you_mean
from ....rng import generator
from ..language.resolution import Resolver, Resolving, resolver_of
from ..language.rule import Rule, RuleCondition, holds
from .compile import CompiledHandler, encode


@dataclass(frozen=True)
class Search:
    """Result of one update: the rule that matched (or None), the number of rules tested, and why the update ended.

    `stopped` is "match", "end" (all rules tested), "rules" or "seconds" (budget exhausted).
    """

    rule: Rule | None
    tests: int
    stopped: Literal["match", "end", "rules", "seconds"]


class Greedy:
    """Try the rules of a handler in an order that is shuffled before each update.

    Parameters
    ----------
    most_rules, most_seconds : budget of an update in rules tested and in seconds; the test that exceeds the time is
        completed. Infinite means no limit.
    shuffle : shuffle the order before each update; otherwise the same state always selects the same rule.
    clock : returns the time in seconds.

    Attributes
    ----------
    order : rule indices in the order they are tried.
    executions, successes : how often each rule was executed and reported successful, by name.
    unmatched : number of updates in which no rule matched.
    complaints : errors while reading variables, by path, once each; rules that use these variables do not match.
    """

    def __init__(
        self,
        handler: CompiledHandler,
        *,
        most_rules: float = math.inf,
        most_seconds: float = math.inf,
        shuffle: bool = True,
        seed: int = 0,
        clock: Callable[[], float] = perf_counter,
    ):
        self.handler = instance_of(handler, CompiledHandler, "handler", "give the result of compile_handler")
        self.most_rules = real_number(most_rules, "most_rules")
        self.most_seconds = real_number(most_seconds, "most_seconds")
        if not (self.most_rules >= 1 and self.most_seconds > 0.0):
            raise InputError("the budget is empty; give at least one rule and more than 0 s")
        if not callable(clock):
            raise InputError(f"clock is {shown(clock)}; give a function that returns seconds")
        self._shuffle, self._clock = shuffle, clock
        self._random = generator(seed_of(seed), f"greedy {handler.name}")
        self._resolving = Resolving(self._random)
        self.complaints = self._resolving.complaints
        self._specs = handler.spec_of
        self.order = list(range(len(handler)))
        self.executions: Counter[str] = Counter()
        self.successes: Counter[str] = Counter()
        self.unmatched = 0
        self._updates = 0

    def update(self, facts: Mapping[str, Any] | Resolver) -> Search:
        """Return the first matching rule in this update's order, and count it as executed.

        Each variable is read at most once, when a rule first needs it.
        """
        look_up = resolver_of(facts)
        if self._shuffle and self._updates:
            self._random.shuffle(self.order)
        self._updates += 1
        found = self._search(look_up, {})
        if found.rule is None:
            self.unmatched += 1
        else:
            self.executions[found.rule.name] += 1
        return found

    def _search(self, look_up: Resolver, known: dict[str, Any]) -> Search:
        begun = self._clock()
        for tests, number in enumerate(self.order):
            if tests >= self.most_rules:
                return Search(None, tests, "rules")
            if tests and self._clock() - begun >= self.most_seconds:
                return Search(None, tests, "seconds")
            rule = self.handler.rules[number]
            if all(self._holds(one, look_up, known) for one in rule.conditions):
                return Search(rule, tests + 1, "match")
        return Search(None, len(self.order), "end")

    def _holds(self, condition: RuleCondition, look_up: Resolver, known: dict[str, Any]) -> bool:
        name = condition.variable
        spec = self._specs[name]
        if name not in known:
            known[name] = self._resolving.value(look_up, name)
            try:
                encode(known[name], spec, self.handler.texts)
            except RuleError as error:
                self.complaints.setdefault(name, str(error))
        return holds(condition, known[name], spec)

    def report(self, rule: Rule | str, success: bool) -> None:
        """Record the outcome of a rule's execution.

        Raises
        ------
        RuleError
            There is no such rule, or it was not executed.
        """
        name = rule.name if isinstance(rule, Rule) else rule
        if not isinstance(name, str) or name not in self.executions:
            hint = did_you_mean(name, self.executions)
            raise RuleError(f"no rule {shown(name)}{hint} was executed; report on a rule that update returned")
        self.successes[name] += bool(success)

    def statistics(self) -> dict[str, Any]:
        """Return executions and success rates by rule, the rules never executed, and the updates without a match."""
        rates = {name: self.successes[name] / count for name, count in self.executions.items()}
        never = [rule.name for rule in self.handler.rules if rule.name not in self.executions]
        return {"executions": dict(self.executions), "success": rates, "never": never, "unmatched": self.unmatched}
