"""Ranks: who of several is most interesting to the player now? The best get the best things to do (chapter 36)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ...checks import finite_number, real_array, shown, table_of, text_of, thing_of, whole_number, whole_numbers
from ...conventions import Floats
from ...errors import InputError
from ..perception.arguments import numbers_of

__all__ = ["EVENTS", "Opening", "RankSettings", "Ranking"]

EVENTS: Mapping[str, tuple[float, float]] = {"gunfire": (0.5, 4.0), "damage": (1.0, 6.0)}
"""What happened to one counts so much, for so many seconds. Ours: the chapter gives no numbers."""


@dataclass(frozen=True)
class RankSettings:
    """What makes one interesting; each weight by 0 … 1 of what it weighs.

    Attributes
    ----------
    near : weight of being near: 1 at the target, 0 at `reach` metres.
    visible, aimed_at, on_screen : weights of being seen by the player, aimed at by it, and on its screen.
    events : by name, how much an event counts and for how many seconds.
    stays : added to who was ranked best last time, so that ranks do not flicker between equals.
    """

    near: float = 1.0
    reach: float = 30.0
    visible: float = 1.0
    aimed_at: float = 1.0
    on_screen: float = 2.0
    events: Mapping[str, tuple[float, float]] = field(default_factory=lambda: dict(EVENTS))
    stays: float = 0.0

    def __post_init__(self) -> None:
        for name in ("near", "visible", "aimed_at", "on_screen", "stays"):
            finite_number(getattr(self, name), name, low=-1e6, high=1e6)
        finite_number(self.reach, "reach", unit="m", low=0.0, high=1e6, open_low=True)
        for name, given in table_of(self.events, "events").items():
            numbers_of(given, 2, f"event {name}", low=-1e6, high=1e6)


class Ranking:
    """Ranks agents again and again; remembers what happened to them."""

    def __init__(self, settings: RankSettings | None = None):
        given = RankSettings() if settings is None else settings
        self.settings = thing_of(given, RankSettings, "settings", "give RankSettings(…), or None")
        self._events: dict[int, dict[str, float]] = {}
        self._best = -1

    def note(self, agent: int, event: str, now: float) -> None:
        """Something happened to an agent that counts for a while; again: the time begins anew."""
        if text_of(event, "event") not in self.settings.events:
            raise InputError(f"no event {event!r}; there are {', '.join(self.settings.events) or 'none'}")
        self._events.setdefault(whole_number(agent, "agent"), {})[event] = finite_number(now, "now", unit="s")

    def scores(
        self, agents: Sequence[int], metres: Any, now: float, *, visible: Any = 0, aimed_at: Any = 0, on_screen: Any = 0
    ) -> Floats:
        """How interesting is each? (n,) float64; see `RankSettings`.

        Parameters
        ----------
        agents : their numbers.
        metres : (n,) from the player.
        visible, aimed_at, on_screen : (n,) bool or 0 … 1, or one value for all.
        """
        weights, agents = self.settings, whole_numbers(agents, "agents")
        now, count = finite_number(now, "now", unit="s"), len(agents)
        away = _for_each(metres, count, "metres")
        if not np.isfinite(away).all() or (away < 0.0).any():
            raise InputError(f"metres is {shown(metres)}; give a finite distance for each agent")
        found = weights.near * np.clip(1.0 - away / weights.reach, 0.0, 1.0)
        for name, given in (("visible", visible), ("aimed_at", aimed_at), ("on_screen", on_screen)):
            found = found + getattr(weights, name) * _for_each(given, count, name)
        found += [self._recent(agent, now) for agent in agents]
        found += [weights.stays if agent == self._best else 0.0 for agent in agents]
        return np.asarray(found, np.float64)

    def _recent(self, agent: int, now: float) -> float:
        """How much does count what happened to an agent lately?"""
        events = self.settings.events
        happened = self._events.get(agent, {})
        return sum(events[name][0] for name, when in happened.items() if 0.0 <= now - when < events[name][1])

    def ranks(
        self, agents: Sequence[int], metres: Any, now: float, *, visible: Any = 0, aimed_at: Any = 0, on_screen: Any = 0
    ) -> dict[int, int]:
        """Return the rank of each, 1 … n, every one once; 1 is best. Of equals the lower number is before."""
        found = self.scores(agents, metres, now, visible=visible, aimed_at=aimed_at, on_screen=on_screen)
        agents = whole_numbers(agents, "agents")
        order = sorted(range(len(agents)), key=lambda at: (-float(found[at]), agents[at]))
        self._best = agents[order[0]] if order else -1
        return {agents[at]: rank for rank, at in enumerate(order, start=1)}


def _for_each(values: Any, count: int, name: str) -> Floats:
    """Return one number for each of `count`, or the same for all."""
    numbers = real_array(values, name, f"a number for each of {count} agents, or one for all")
    if numbers.shape not in ((), (count,)) or np.isnan(numbers).any():
        raise InputError(f"{name} is {shown(values)}; give a number for each of {count} agents, or one for all")
    return np.broadcast_to(numbers, (count,))


@dataclass(frozen=True)
class Opening:
    """How a fight begins: the best ranked stand and shoot for some seconds while the others run to cover.

    `shooters` : ranks 1 … this shoot; `seconds` for which that holds.
    """

    shooters: int = 2
    seconds: float = 3.0

    def __post_init__(self) -> None:
        whole_number(self.shooters, "shooters", low=0)
        finite_number(self.seconds, "seconds of an opening", unit="s", low=0.0, high=3600.0)

    def part(self, rank: float, since: float, now: float) -> Literal["shoot", "cover", "free"]:
        """What should one of that rank do, in a fight that began at a second?"""
        if now - since >= self.seconds or math.isnan(rank):
            return "free"
        return "shoot" if rank <= self.shooters else "cover"
