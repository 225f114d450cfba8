"""Preview of speech: what a speaker would say and why other rules do not fire, without side effects."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import dataclass
from typing import Any

from ..engine.engine import ActionFilter, Engine, RuleFilter
from ..engine.explanation import Explanation, Verdict, explain
from ..language.resolution import CHANCE, Resolver


@dataclass(frozen=True)
class Consideration:
    """State of every rule, had a speaker been asked to speak now.

    Attributes
    ----------
    handler : name, or name prefix, of the handlers evaluated.
    refused : why the speaker may not speak, whatever the rules say; empty if it may.
    facts : all variables of the handlers with their values, None if unknown; random variables are not drawn.
    told : the outcome of each rule; None if there are no such handlers.
    """

    speaker: Hashable
    handler: str
    refused: str
    facts: Mapping[str, Any]
    told: Explanation | None

    def state(self, verdict: Verdict) -> str:
        """Return the state of a rule: "fires", "chance" (decided at random), "holds", "blocked" or "fails"."""
        assert self.told is not None
        fired = self.told.fired
        if verdict.failures:
            by_chance = all(one.condition.variable.startswith(CHANCE) for one in verdict.failures)
            return "chance" if by_chance and (fired is None or verdict.number < fired.number) else "fails"
        if verdict.blocked:
            return "blocked"
        return "fires" if verdict is fired else "holds"

    def reason(self, verdict: Verdict) -> str:
        """Explain the state of a rule in words."""
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
    """Return what an engine would do with these facts; `asked` is the speaker, the handler and any refusal."""
    handler = engine.handler
    facts = {name: look_up(name) for name in handler.variables if not name.startswith(CHANCE)}
    blocked = engine.blocked(now)
    for verdict in explain(handler, facts).verdicts:
        if not verdict.failures and verdict.number not in blocked:
            why = refuses(verdict.rule) or engine.refusal(verdict.number, now, refuses_action)
            if why:
                blocked[verdict.number] = why
    return Consideration(*asked, facts, explain(handler, facts, blocked=blocked))
