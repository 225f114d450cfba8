"""Grouping: who is in which crew?"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from ..requests import Request

__all__ = ["LARGEST", "SMALLEST", "Key", "group", "leader_of"]

SMALLEST, LARGEST = 2, 10
"""Members a crew has, least and most."""

Key = tuple[int, str, int, int]
"""What makes a crew: the team, the objective, the numbers of the target and of the matter."""


def group(requests: Iterable[Request], team: Sequence[int], current: Mapping[int, Key]) -> dict[Key, tuple[int, ...]]:
    """Return the crews that requests make: members by key, ascending; nobody is in two.

    Parameters
    ----------
    requests : those that stand, of agents that can act.
    team : by agent; only those of one team join.
    current : the crews agents are in now: of requests that are as urgent the present one counts first, and where more
        than `LARGEST` ask, those who are in it stay.

    Notes
    -----
    Requests are sorted by priority; everybody goes with the most urgent of its own for which there are enough. Where
    all of several agents want to be elsewhere, which nobody else does, they meet at the most urgent they share.
    """
    wishes, urgency = _wishes(requests, team, current)
    formed: dict[Key, list[int]] = {}
    left = sorted(wishes)
    while left:
        asked = Counter(key for agent in left for key, _ in wishes[agent])
        picks: dict[Key, list[int]] = {}
        for agent in left:
            for key, _ in wishes[agent]:
                if len(formed[key]) < LARGEST if key in formed else asked[key] >= SMALLEST:
                    picks.setdefault(key, []).append(agent)
                    break
        if not picks:
            break
        ready = [key for key in picks if key in formed or len(picks[key]) >= SMALLEST]
        key = min(ready or picks, key=lambda one: _rank(one, urgency, current))
        coming = picks[key] if ready else [agent for agent in left if any(key == one for one, _ in wishes[agent])]
        own = {agent: dict(wishes[agent])[key] for agent in coming}
        coming.sort(key=lambda agent: (current.get(agent) != key, -own[agent], agent))
        members = formed.setdefault(key, [])
        members += coming[: LARGEST - len(members)]
        left = [agent for agent in left if agent not in members]
    return {key: tuple(sorted(members)) for key, members in formed.items()}


def leader_of(members: Sequence[int], before: int, rank: Mapping[int, float] | None = None) -> int:
    """Return who leads: who did so far, else who ranks highest, else the lowest number."""
    if before in members:
        return before
    return min(members, key=lambda member: (-(rank or {}).get(member, 0.0), member))


def _wishes(
    requests: Iterable[Request], team: Sequence[int], current: Mapping[int, Key]
) -> tuple[dict[int, list[tuple[Key, float]]], dict[Key, float]]:
    """Return what each agent wants, most urgent first, and how urgent each is to whom it is most."""
    found: dict[int, list[tuple[Key, float, float]]] = {}
    urgency: dict[Key, float] = {}
    for request in requests:
        key = (team[request.by], *request.key)
        found.setdefault(request.by, []).append((key, request.priority, request.since))
        urgency[key] = max(request.priority, urgency.get(key, request.priority))
    wishes = {}
    for agent, own in found.items():
        own.sort(key=lambda wish: (-wish[1], wish[0] != current.get(agent), wish[2], wish[0]))
        wishes[agent] = [(key, priority) for key, priority, _ in own]
    return wishes, urgency


def _rank(key: Key, urgency: Mapping[Key, float], current: Mapping[int, Key]) -> tuple[float, bool, Key]:
    return -urgency[key], key not in current.values(), key
