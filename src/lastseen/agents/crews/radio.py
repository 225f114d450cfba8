"""Radio: let one agent call colleagues within reach, as if they had made the same request."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...conventions import Floats
from ..requests import Request
from .grouping import Key

__all__ = ["REDRAWS_EVERY", "drawn"]

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
