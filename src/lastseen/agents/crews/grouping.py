"""Grouping: who is in which crew?"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..requests import Request

__all__ = ["LARGEST", "SMALLEST", "Key", "group", "leader_of"]

SMALLEST, LARGEST = 2, 10
"""Members a crew has, least and most."""

Key = tuple[int, str, int, int]
"""What makes a crew: the team, the objective, the numbers of the target and of the matter."""
_Wishes = dict[int, list[tuple[Key, float]]]
"""By agent, what it asks for and how urgently, most urgent first."""


def group(requests: Iterable[Request], team: Sequence[int], current: Mapping[int, Key]) -> dict[Key, tuple[int, ...]]:
    """Return the crews that requests make: members by key, ascending; nobody is in two.

    Parameters
    ----------
    requests : those that stand, of agents that can act.
    team : by agent; only those of one team join.
    current : the crews agents are in now: who is in one leaves it for something more urgent only, and where more than
        `LARGEST` ask, those who are in it stay.

    Notes
    -----
    Everybody goes with the most urgent of its own for which there are enough: nobody is passed over by a crew it asks
    for more urgently and that has room. Where all of several agents want to be elsewhere, which nobody else does, they
    meet at the most urgent they share. To group again what was grouped changes nothing.
    """
    wishes, urgency = _wishes(requests, team)
    standing: dict[Key, list[int]] = {}
    for agent, key in sorted(current.items()):
        if key in dict(wishes.get(agent, ())):
            standing.setdefault(key, []).append(agent)
    formed = {key: members[:LARGEST] for key, members in standing.items() if len(members) >= SMALLEST}
    settling = _Settling(wishes, urgency, formed)
    if formed and not settling.settle():
        # They would change for ever, one after another: as it would be had nobody been in a crew.
        settling = _Settling(wishes, urgency, {})
        settling.settle()
    elif not formed:
        settling.settle()
    return {key: tuple(sorted(members)) for key, members in sorted(settling.formed.items())}


class _Settling:
    """Lets agents change to what is more urgent to them until nobody can.

    What happens next follows from who is where alone, so that a grouping nobody wants to leave stays as it is.
    """

    def __init__(self, wishes: _Wishes, urgency: Mapping[Key, float], formed: dict[Key, list[int]]):
        self.wishes, self.urgency, self.formed = wishes, urgency, formed
        self.own = {agent: dict(wanted) for agent, wanted in wishes.items()}
        self.at = {agent: key for key, members in formed.items() for agent in members}

    def settle(self) -> bool:
        """Return whether an end was found; False: the same crews came about twice."""
        met = set()
        while True:
            self._join()
            state = tuple(sorted(self.at.items()))
            if state in met:
                return False
            met.add(state)
            if not self._form():
                return True

    def _better(self, agent: int) -> list[Key]:
        """Return what an agent wants more than where it is, most urgent first."""
        wishes = self.wishes[agent]
        now = self.own[agent][self.at[agent]] if agent in self.at else -math.inf
        return [key for key, priority in wishes if priority > now]

    def _join(self) -> None:
        """Let everybody into crews that have room, one after another, who wants it most first."""
        while True:
            able = [
                (-self.own[agent][key], agent, key)
                for agent in self.wishes
                for key in self._better(agent)
                if key in self.formed and len(self.formed[key]) < LARGEST
            ]
            if not able:
                return
            _, agent, key = min(able)
            self._move(agent, key)

    def _form(self) -> bool:
        """Form one more crew of those to whom it is more urgent than where they are; return whether there is one."""
        better = {agent: [key for key in self._better(agent) if key not in self.formed] for agent in self.wishes}
        asked = Counter(key for keys in better.values() for key in keys)
        picks: dict[Key, list[int]] = {}
        for agent, keys in better.items():
            pick = next((key for key in keys if asked[key] >= SMALLEST), None)
            if pick is not None:
                picks.setdefault(pick, []).append(agent)
        if not picks:
            return False
        ready = [key for key in picks if len(picks[key]) >= SMALLEST]
        key = min(ready or picks, key=lambda one: (-self.urgency[one], one))
        coming = picks[key] if ready else [agent for agent, keys in better.items() if key in keys]
        coming.sort(key=lambda agent: (-self.own[agent][key], agent))
        self.formed[key] = []
        for agent in coming[:LARGEST]:
            self._move(agent, key)
        return True

    def _move(self, agent: int, key: Key) -> None:
        """Let an agent change; where it leaves one alone, that one is in no crew any more."""
        before = self.at.get(agent)
        self.at[agent] = key
        self.formed[key].append(agent)
        if before is None:
            return
        self.formed[before].remove(agent)
        if len(self.formed[before]) < SMALLEST:
            for other in self.formed.pop(before):
                del self.at[other]


def leader_of(members: Sequence[int], before: int, rank: Mapping[int, float] | None = None) -> int:
    """Return who leads: who did so far, else who ranks highest, else the lowest number."""
    if before in members:
        return before
    return min(members, key=lambda member: (-(rank or {}).get(member, 0.0), member))


def _wishes(requests: Iterable[Request], team: Sequence[int]) -> tuple[_Wishes, dict[Key, float]]:
    """Return what each agent wants, most urgent first, and how urgent each is to whom it is most."""
    found: dict[int, list[tuple[Key, float, float]]] = {}
    urgency: dict[Key, float] = {}
    for request in requests:
        key = (team[request.by], *request.key)
        found.setdefault(request.by, []).append((key, request.priority, request.since))
        urgency[key] = max(request.priority, urgency.get(key, request.priority))
    wishes = {}
    for agent, own in sorted(found.items()):
        own.sort(key=lambda wish: (-wish[1], wish[2], wish[0]))
        wishes[agent] = [(key, priority) for key, priority, _ in own]
    return wishes, urgency
