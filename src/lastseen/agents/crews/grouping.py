"""Grouping of agents into crews by their requests, and calls by radio to colleagues within reach."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...conventions import Floats
from ..requests import Request

SMALLEST, LARGEST = 2, 10
"""Minimum and maximum number of members of a crew."""

Key = tuple[int, str, int, int]
"""Identity of a crew: its team, its objective, and the numbers of its target and its matter."""
_Wishes = dict[int, list[tuple[Key, float]]]
"""By agent, its requests with their urgency, most urgent first."""


def group(requests: Iterable[Request], team: Sequence[int], current: Mapping[int, Key]) -> dict[Key, tuple[int, ...]]:
    """Return the crews that result from requests: members by key, ascending, each agent in at most one.

    Parameters
    ----------
    requests : valid requests of agents that can act.
    team : by agent; only agents of one team form a crew.
    current : the crews agents are in now. A member leaves only for something more urgent, and keeps its place if more
        than `LARGEST` ask.

    Notes
    -----
    Each agent joins its most urgent request for which there are enough members; it is never left out of a crew that it
    prefers and that has room. If several agents each prefer something nobody else wants, they meet at the most urgent
    request they share. Grouping is idempotent.
    """
    wishes, urgency = _wishes(requests, team)
    standing: dict[Key, list[int]] = {}
    for agent, key in sorted(current.items()):
        if key in dict(wishes.get(agent, ())):
            standing.setdefault(key, []).append(agent)
    formed = {key: members[:LARGEST] for key, members in standing.items() if len(members) >= SMALLEST}
    settling = _Settling(wishes, urgency, formed)
    if formed and not settling.settle():
        # The agents would keep changing crews, so start again as if there were none.
        settling = _Settling(wishes, urgency, {})
        settling.settle()
    elif not formed:
        settling.settle()
    return {key: tuple(sorted(members)) for key, members in sorted(settling.formed.items())}


class _Settling:
    """Let agents move to more urgent requests until none can.

    The next move depends only on the present grouping, so that a stable grouping stays as it is.
    """

    def __init__(self, wishes: _Wishes, urgency: Mapping[Key, float], formed: dict[Key, list[int]]):
        self.wishes, self.urgency, self.formed = wishes, urgency, formed
        self.own = {agent: dict(wanted) for agent, wanted in wishes.items()}
        self.at = {agent: key for key, members in formed.items() for agent in members}

    def settle(self) -> bool:
        """Return whether a stable grouping was found; False if a grouping recurred."""
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
        """Return the requests an agent prefers to its present crew, most urgent first."""
        wishes = self.wishes[agent]
        now = self.own[agent][self.at[agent]] if agent in self.at else -math.inf
        return [key for key, priority in wishes if priority > now]

    def _join(self) -> None:
        """Let agents join crews that have room, one at a time, the most urgent first."""
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
        """Form one more crew of agents that prefer it to their present one; return whether there was one."""
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
        """Move an agent; dissolve the crew it leaves if too few members remain."""
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
    """Return the leader: the previous one, else the highest-ranking member, else the lowest number."""
    if before in members:
        return before
    return min(members, key=lambda member: (-(rank or {}).get(member, 0.0), member))


def _wishes(requests: Iterable[Request], team: Sequence[int]) -> tuple[_Wishes, dict[Key, float]]:
    """Return each agent's requests, most urgent first, and the highest urgency of each key."""
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


REDRAWS_EVERY = 0.5
"""Seconds between two checks of the agents within reach while a call stands."""


def drawn(
    requests: Sequence[Request], team: Sequence[int], xyz: Floats, can_act: Sequence[bool], current: Mapping[int, Key]
) -> list[Request]:
    """Return the requests, extended by those of colleagues that were called.

    For a request with a `draws` radius in metres, the nearest members of the team join until there are as many as it
    `wants`, counting those that made the request themselves. Agents that joined stay, however far they go.

    Notes
    -----
    This idea comes from the source, whose authors did not implement it: gathering members by radio.
    """
    found = list(requests)
    asking = {(team[one.by], *one.key, one.by) for one in requests}
    for call in requests:
        if not call.draws:
            continue
        key = (team[call.by], *call.key)
        there = sum(entry[:4] == key for entry in asking)
        away = np.linalg.norm(xyz - xyz[call.by], axis=1)
        come = [
            agent
            for agent in range(len(team))
            if team[agent] == team[call.by]
            and can_act[agent]
            and (*key, agent) not in asking
            and (away[agent] <= call.draws or current.get(agent) == key)
        ]
        come.sort(key=lambda agent: (current.get(agent) != key, float(away[agent]), agent))
        for agent in come[: max(0, call.wants - there)]:
            asking.add((*key, agent))
            found.append(replace(call, by=agent, draws=0.0))
    return sorted(found, key=lambda one: (-one.priority, one.objective, one.target, one.matter, one.by))
