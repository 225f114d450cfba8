"""The chronicle: what has happened to everybody so far, as far as lines speak of it."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable

from ..events import Event

__all__ = ["Chronicle"]


class Chronicle:
    """Counts and times taken from events, step by step.

    Attributes
    ----------
    since, before : seconds when each agent took up what it is up to now, and what it was up to before; 0 at the start.
    searches, losses : searches an agent has begun, and times it has lost a target, by agent and target.
    alarm : seconds when somebody last raised the alarm; -inf: never. `alarmed` are those who have.
    catches, bodies : how many were caught so far, and found lying.
    """

    def __init__(self) -> None:
        self.since: dict[int, float] = {}
        self.before: dict[int, float] = {}
        self.searches: Counter[int] = Counter()
        self.losses: Counter[tuple[int, int]] = Counter()
        self.alarm = -math.inf
        self.alarmed: set[int] = set()
        self.catches = self.bodies = 0

    def note(self, events: Iterable[Event], now: float) -> None:
        """Take in the events of a step."""
        for event in events:
            if event.kind == "state":
                self.before[event.agent] = self.since.get(event.agent, 0.0)
                self.since[event.agent] = now
                if event.data.get("to") == "search":
                    self.searches[event.agent] += 1
            elif event.kind == "lost":
                self.losses[event.agent, event.other] += 1
            elif event.kind == "alarm" or (event.kind == "script" and event.text.startswith("alarm")):
                self.alarm = now
                self.alarmed.add(event.agent)
            elif event.kind == "caught":
                self.catches += 1
            elif event.kind == "found" and event.data.get("kind") == "body":
                self.bodies += 1
