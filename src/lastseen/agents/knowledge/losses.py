"""Losses: what members of a team know of comrades that were hit or went down, and where it happened (chapter 2)."""

from __future__ import annotations

import math
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Literal, NamedTuple

Place = tuple[float, float, float]
Blow = Literal["hit", "fell"]


class Danger(NamedTuple):
    """A region in which an agent saw a comrade come under fire, or go down; it does not enter it until then.

    Attributes
    ----------
    xyz, radius : its centre, where the comrade was, and its size in metres.
    since, until : seconds.
    comrade, blow : the agent that was hit, and how that ended.
    """

    xyz: Place
    radius: float
    since: float
    until: float
    comrade: int
    blow: Blow


class Plight(NamedTuple):
    """Something about `agent` that one of its comrades may say, from the time `at` on.

    Attributes
    ----------
    trigger : that of the line a comrade opens with.
    witnesses : comrades that know of it.
    """

    at: float
    trigger: str
    agent: int
    witnesses: tuple[int, ...]


@dataclass(eq=False)
class Squad:
    """Agents that fought together: all members it ever had, and those that went down, in their order."""

    members: set[int]
    fallen: list[int] = field(default_factory=list)


@dataclass(kw_only=True)
class Losses:
    """Casualties of squads, what their members know of them, and the regions they shun. Written by `remember`.

    Attributes
    ----------
    squads : by agent, its squad; agents that have seen no losses have none.
    known : by agent, the comrades it knows to have gone down.
    dangers : by agent, the regions it does not enter for now.
    waiting, due : plights that comrades have not reacted to yet, and those they may speak about in this step.
    spoken : by trigger and agent, the time in seconds of its last plight, so that comrades do not ask all the time.
    """

    squads: dict[int, Squad] = field(default_factory=dict)
    known: dict[int, set[int]] = field(default_factory=dict)
    dangers: dict[int, list[Danger]] = field(default_factory=dict)
    waiting: list[Plight] = field(default_factory=list)
    due: list[Plight] = field(default_factory=list)
    spoken: dict[tuple[str, int], float] = field(default_factory=dict)

    def advance(self, now: float) -> None:
        """Forget regions that have expired, and find the plights that are due."""
        for agent in list(self.dangers):
            self.dangers[agent] = [one for one in self.dangers[agent] if one.until > now]
            if not self.dangers[agent]:
                del self.dangers[agent]
        self.due = [one for one in self.waiting if one.at <= now + 1e-9]
        if self.due:
            self.waiting = [one for one in self.waiting if one.at > now + 1e-9]

    def join(self, agents: Iterable[int]) -> Squad:
        """Return the squad of agents that fight together; squads that meet become one."""
        members = set(agents)
        squads = {id(squad): squad for one in sorted(members) if (squad := self.squads.get(one)) is not None}
        joined = Squad(members)
        for squad in squads.values():
            joined.members |= squad.members
            joined.fallen += squad.fallen
        if len(squads) == 1 and joined.members == next(iter(squads.values())).members:
            return next(iter(squads.values()))
        for member in joined.members:
            self.squads[member] = joined
        return joined

    def shun(self, agent: int, danger: Danger) -> None:
        """Let an agent remember a region; it replaces what the agent knew of the same place, if that was no worse."""
        kept = []
        for one in self.dangers.get(agent, []):
            if sum((a - b) ** 2 for a, b in zip(one.xyz, danger.xyz)) > danger.radius**2:
                kept.append(one)
            elif one.blow == "fell" and danger.blow == "hit":
                kept.append(one._replace(until=max(one.until, danger.until)))
                danger = kept[-1]
        self.dangers[agent] = [one for one in kept if one is not danger] + [danger]

    def learn(self, agent: int, fallen: Iterable[int]) -> None:
        """Let an agent know that others went down."""
        self.known.setdefault(agent, set()).update(fallen)

    def announce(self, plight: Plight, pause: float) -> None:
        """Let comrades say something when it is due, unless they said it about that agent less than `pause` s ago."""
        key = plight.trigger, plight.agent
        if plight.at - self.spoken.get(key, -math.inf) >= pause:
            self.spoken[key] = plight.at
            self.waiting.append(plight)

    def knows(self, agent: int, fallen: int) -> bool:
        """Return whether an agent knows that another went down."""
        return fallen in self.known.get(agent, ())

    def size(self, agent: int) -> int:
        """Return how many members the squad of an agent ever had; 0 without one."""
        squad = self.squads.get(agent)
        return 0 if squad is None else len(squad.members)

    def count(self, agent: int) -> int:
        """Return how many of its squad an agent knows to have gone down."""
        squad = self.squads.get(agent)
        return 0 if squad is None else len(self.known.get(agent, set()).intersection(squad.fallen))

    def is_last(self, agent: int) -> bool:
        """Return whether an agent knows that all others of its squad went down."""
        return self.size(agent) - self.count(agent) == 1 and self.count(agent) > 0
