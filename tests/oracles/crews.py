"""Slow, obvious answers about crews."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

import numpy as np

from lastseen.agents.crews.grouping import LARGEST, SMALLEST
from lastseen.agents.requests import Request

__all__ = ["best_assignment", "check_groups", "check_nobody_passed_over"]


def best_assignment(
    scores: np.ndarray, role: Sequence[int], room: Sequence[int], least: Sequence[int], most: Sequence[int]
) -> tuple[int, float]:
    """Return by how many the roles must at least fall short, and the highest sum of scores then: all ways are tried."""
    members, places = scores.shape
    best = (10**9, 0.0)
    for chosen in product(range(-1, places), repeat=members):
        taken = [place for place in chosen if place >= 0]
        if any(taken.count(place) > room[place] for place in set(taken)):
            continue
        if any(scores[member, place] == -np.inf for member, place in enumerate(chosen) if place >= 0):
            continue
        count = [sum(role[place] == one for place in taken) for one in range(len(least))]
        if any(count[one] > most[one] for one in range(len(least))):
            continue
        short = sum(max(0, least[one] - count[one]) for one in range(len(least)))
        total = sum(float(scores[member, place]) for member, place in enumerate(chosen) if place >= 0)
        if (short, -total) < (best[0], -best[1]):
            best = short, total
    return best


def check_groups(groups: dict, requests: Iterable[Request], team: Sequence[int]) -> None:
    """Require what the words say of any grouping: sizes, one crew each, only those who asked."""
    asked = {(team[one.by], *one.key, one.by) for one in requests}
    met: list[int] = []
    for key, members in groups.items():
        assert SMALLEST <= len(members) <= LARGEST
        assert list(members) == sorted(set(members))
        assert all((*key, member) in asked for member in members)
        met += members
    assert len(met) == len(set(met)), "somebody is in two crews"


def check_nobody_passed_over(groups: dict, requests: Sequence[Request], team: Sequence[int]) -> None:
    """Require that nobody asks more urgently for a crew that has room than for the one it is in."""
    at = {member: key for key, members in groups.items() for member in members}
    wants = {((team[one.by], *one.key), one.by): one.priority for one in requests}
    for (key, agent), priority in wants.items():
        if key in groups and len(groups[key]) < LARGEST and agent not in groups[key]:
            assert agent in at, "in no crew, though there is one it asks for"
            assert wants[at[agent], agent] >= priority, "passed over"
