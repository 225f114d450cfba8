"""Explanation of an evaluation: why a rule fired, and why the others did not."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ....checks import instance_of, shown, table_of
from ..language.resolution import CHANCE
from ..language.rule import Rule, RuleCondition, holds
from .compile import CompiledHandler


@dataclass(frozen=True)
class Failure:
    """A condition that did not hold, and the value of its variable (None: unknown)."""

    condition: RuleCondition
    value: Any

    def __str__(self) -> str:
        return f"{self.condition}: {self.condition.variable} is {_word(self.value)}"


def _word(value: Any) -> str:
    """Return a value as written in rules."""
    if value is None or isinstance(value, bool):
        return {None: "not known", True: "true", False: "false"}[value]
    return value if isinstance(value, str) else shown(round(value, 3) if isinstance(value, float) else value)


@dataclass(frozen=True)
class Verdict:
    """Outcome of one rule.

    Attributes
    ----------
    rule, number : the rule and its index in evaluation order.
    failures : conditions that did not hold, in written order; if empty, the rule would fire.
    blocked : why it may not fire although it holds, such as exhausted actions or a cooldown; empty if it may.
    """

    rule: Rule
    number: int
    failures: tuple[Failure, ...]
    blocked: str = ""

    @property
    def holds(self) -> bool:
        """Whether all conditions hold and nothing blocks the rule."""
        return not self.failures and not self.blocked


@dataclass(frozen=True)
class Explanation:
    """Outcome of every rule of a handler, in evaluation order."""

    handler: str
    verdicts: tuple[Verdict, ...]

    @property
    def fired(self) -> Verdict | None:
        """The rule that fires, or None."""
        return next((verdict for verdict in self.verdicts if verdict.holds), None)

    def reason(self, verdict: Verdict) -> str:
        """Explain the outcome of a rule in words."""
        fired = self.fired
        if verdict.failures:
            return str(verdict.failures[0])
        if verdict.blocked:
            return verdict.blocked
        return "fires" if verdict is fired or fired is None else f"holds, but {fired.rule.name!r} comes first"

    def near_misses(self, most: int = 5) -> tuple[Verdict, ...]:
        """Return the rules closest to firing: fewest failed conditions, then most conditions, then evaluation order.

        Rules without any condition that held do not count.
        """
        missed = [one for one in self.verdicts if one.failures and len(one.failures) < len(one.rule.conditions)]
        missed += [one for one in self.verdicts if one.blocked and not one.failures]
        missed.sort(key=lambda one: (len(one.failures), -len(one.rule.conditions), one.number))
        return tuple(missed[:most])


def verdict_of(handler: CompiledHandler, number: int, facts: Mapping[str, Any], blocked: str = "") -> Verdict:
    """Return which conditions of a rule failed, among those whose variables are in `facts`."""
    rule, spec_of = handler.rules[number], handler.spec_of
    failures = [
        Failure(one, facts[one.variable])
        for one in rule.conditions
        if one.variable in facts and not holds(one, facts[one.variable], spec_of[one.variable])
    ]
    return Verdict(rule, number, tuple(failures), blocked)


def explain(
    handler: CompiledHandler, facts: Mapping[str, Any], *, blocked: Mapping[int, str] | None = None
) -> Explanation:
    """Explain which rule fires for these facts, and which conditions of every other rule failed.

    Conditions are evaluated one by one as written, independent of the engine's tables.

    Parameters
    ----------
    facts : values by path, as in `Fired.facts` or given by a game; missing ones are unknown.
    blocked : rules that may not fire although they hold, by index, with the reason.
    """
    handler = instance_of(handler, CompiledHandler, "handler", "give the result of compile_handler")
    known, blocked = dict.fromkeys(handler.variables) | table_of(facts, "facts"), table_of(blocked, "blocked")
    verdicts = (verdict_of(handler, number, known, blocked.get(number, "")) for number in range(len(handler)))
    return Explanation(handler.name, tuple(verdicts))


@dataclass(frozen=True)
class Consideration:
    """State of every rule, had a speaker been asked to speak now.

    Attributes
    ----------
    handler : name, or name prefix, of the handlers evaluated.
    refused : why the speaker may not speak, whatever the rules say; empty if it may.
    facts : all variables of the handlers with their values, None if unknown; random variables are not drawn.
    explanation : outcome of each rule; None if there are no such handlers.
    """

    speaker: Hashable
    handler: str
    refused: str
    facts: Mapping[str, Any]
    explanation: Explanation | None

    def state(self, verdict: Verdict) -> str:
        """Return the state of a rule: "fires", "chance" (decided at random), "holds", "blocked" or "fails"."""
        assert self.explanation is not None
        fired = self.explanation.fired
        if verdict.failures:
            by_chance = all(one.condition.variable.startswith(CHANCE) for one in verdict.failures)
            return "chance" if by_chance and (fired is None or verdict.number < fired.number) else "fails"
        if verdict.blocked:
            return "blocked"
        return "fires" if verdict is fired else "holds"

    def reason(self, verdict: Verdict) -> str:
        """Explain the state of a rule in words."""
        assert self.explanation is not None
        if self.state(verdict) == "chance":
            return "may fire first: " + " and ".join(str(one.condition) for one in verdict.failures)
        return self.explanation.reason(verdict)
