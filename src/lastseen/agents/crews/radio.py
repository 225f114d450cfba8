"""Radio: one asks, and those within reach come as if they had asked, too."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np

from ...conventions import Floats
from ..requests import Request
from .grouping import Key

__all__ = ["REDRAWS_EVERY", "drawn"]

REDRAWS_EVERY = 0.5
"""Seconds between two looks at who is within reach, for as long as anybody calls."""


def drawn(
    requests: Sequence[Request], team: Sequence[int], xyz: Floats, can_act: Sequence[bool], current: Mapping[int, Key]
) -> list[Request]:
    """Return the requests with those that colleagues make because they were called.

    Of the team of one who asks with `draws` metres the nearest come, until there are as many as it `wants`, those who
    ask by themselves counted. Who has come stays, however far it goes.

    Notes
    -----
    An idea of the source that its makers did not build: members gathered by radio attraction.
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
