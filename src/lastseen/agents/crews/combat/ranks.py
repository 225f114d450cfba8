"""Ranks of agents by how interesting they are to the player; the best get the best tasks (chapter 36)."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Literal

import numpy as np

from ....checks import finite_number, instance_of, real_array, shown, table_of, text_of, whole_number, whole_numbers
from ....conventions import Floats
from ....errors import InputError
from ...senses.arguments import numbers_of

EVENTS: Mapping[str, tuple[float, float]] = {"gunfire": (0.5, 4.0), "damage": (1.0, 6.0)}
"""Score and duration in seconds of recent events. The values are our own; the chapter gives none."""


@dataclass(frozen=True)
class RankSettings:
    """Weights of what makes an agent interesting; each applies to a value 0 … 1.

    Attributes
    ----------
    near : weight of proximity: 1 at the target, 0 at `reach` metres.
    visible, aimed_at, on_screen : weights of being seen by the player, aimed at by it, and on its screen.
    events : by name, the score of an event and its duration in seconds.
    stays : bonus of the agent ranked best last time, so that ranks do not flicker between equals.
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
    """Rank agents repeatedly, remembering recent events."""

    def __init__(self, settings: RankSettings | None = None):
        given = RankSettings() if settings is None else settings
        self.settings = instance_of(given, RankSettings, "settings", "give RankSettings(…), or None")
        self._events: dict[int, dict[str, float]] = {}
        self._best = -1

    def note(self, agent: int, event: str, now: float) -> None:
        """Record an event that counts for a while; a repetition restarts its duration."""
        if text_of(event, "event") not in self.settings.events:
            raise InputError(f"no event {event!r}; there are {', '.join(self.settings.events) or 'none'}")
        self._events.setdefault(whole_number(agent, "agent"), {})[event] = finite_number(now, "now", unit="s")

    def scores(
        self, agents: Sequence[int], metres: Any, now: float, *, visible: Any = 0, aimed_at: Any = 0, on_screen: Any = 0
    ) -> Floats:
        """Return how interesting each agent is, (n,) float64; see `RankSettings`.

        Parameters
        ----------
        agents : their numbers.
        metres : (n,) distances to the player.
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
        """Return the score of an agent's recent events."""
        events = self.settings.events
        happened = self._events.get(agent, {})
        return sum(events[name][0] for name, when in happened.items() if 0.0 <= now - when < events[name][1])

    def ranks(
        self, agents: Sequence[int], metres: Any, now: float, *, visible: Any = 0, aimed_at: Any = 0, on_screen: Any = 0
    ) -> dict[int, int]:
        """Return the rank of each agent, a permutation of 1 … n; 1 is best. Ties go to the lower number."""
        found = self.scores(agents, metres, now, visible=visible, aimed_at=aimed_at, on_screen=on_screen)
        agents = whole_numbers(agents, "agents")
        order = sorted(range(len(agents)), key=lambda at: (-float(found[at]), agents[at]))
        self._best = agents[order[0]] if order else -1
        return {agents[at]: rank for rank, at in enumerate(order, start=1)}


def _for_each(values: Any, count: int, name: str) -> Floats:
    """Return an array of `count` numbers from one each, or one for all."""
    numbers = real_array(values, name, f"a number for each of {count} agents, or one for all")
    if numbers.shape not in ((), (count,)) or np.isnan(numbers).any():
        raise InputError(f"{name} is {shown(values)}; give a number for each of {count} agents, or one for all")
    return np.broadcast_to(numbers, (count,))


@dataclass(frozen=True)
class Opening:
    """The opening of a fight: the best-ranked members stand and shoot for some seconds while the others run to cover.

    Ranks up to `shooters` shoot; the opening lasts `seconds`.
    """

    shooters: int = 2
    seconds: float = 3.0

    def __post_init__(self) -> None:
        whole_number(self.shooters, "shooters", low=0)
        finite_number(self.seconds, "seconds of an opening", unit="s", low=0.0, high=3600.0)

    def part(self, rank: float, since: float, now: float) -> Literal["shoot", "cover", "free"]:
        """Return what a member of this rank should do, in a fight that began at `since` seconds."""
        if now - since >= self.seconds or math.isnan(rank):
            return "free"
        return "shoot" if rank <= self.shooters else "cover"
