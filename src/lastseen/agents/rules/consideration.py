"""What would be said, and why not something else? Asked without a word being said."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from .engine import ActionFilter, Engine, Resolver, RuleFilter
from .resolving import CHANCE
from .why import Explanation, Verdict, explain

__all__ = ["Consideration", "considered"]


@dataclass(frozen=True)
class Consideration:
    """What became of every rule, had somebody spoken now.

    Attributes
    ----------
    handler : name, or beginning of the names, of the handlers asked.
    refused : why nothing is said whatever rules say: others speak, it cannot speak; empty: it may.
    facts : all variables of the handlers with their values, None: not known; dice are not cast.
    told : what became of each rule; None: there are no such handlers.
    """

    speaker: Hashable
    handler: str
    refused: str
    facts: Mapping[str, Any]
    told: Explanation | None

    def state(self, verdict: Verdict) -> str:
        """Return what became of a rule: "fires", "chance" (dice decide), "holds", "blocked" or "fails"."""
        assert self.told is not None
        fired = self.told.fired
        if verdict.failures:
            by_chance = all(one.condition.variable.startswith(CHANCE) for one in verdict.failures)
            return "chance" if by_chance and (fired is None or verdict.number < fired.number) else "fails"
        if verdict.blocked:
            return "blocked"
        return "fires" if verdict is fired else "holds"

    def reason(self, verdict: Verdict) -> str:
        """Return in words what became of a rule."""
        assert self.told is not None
        if self.state(verdict) == "chance":
            return "may fire first: " + " and ".join(str(one.condition) for one in verdict.failures)
        return self.told.reason(verdict)


def considered(
    engine: Engine,
    look_up: Resolver,
    asked: tuple[Hashable, str, str],
    *,
    now: float,
    refuses: RuleFilter,
    refuses_action: ActionFilter,
) -> Consideration:
    """Return what an engine would do with these facts; `asked` are speaker, handler and why it may not speak."""
    handler = engine.handler
    facts = {name: look_up(name) for name in handler.variables if not name.startswith(CHANCE)}
    blocked = engine.blocked(now)
    for verdict in explain(handler, facts).verdicts:
        if not verdict.failures and verdict.number not in blocked:
            why = refuses(verdict.rule) or engine.refusal(verdict.number, now, refuses_action)
            if why:
                blocked[verdict.number] = why
    return Consideration(*asked, facts, explain(handler, facts, blocked=blocked))
