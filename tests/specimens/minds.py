"""Minds in a world of a few numbers, to tick single leaves."""

from __future__ import annotations

import math
from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.orders import Orders
from lastseen.agents.brains.mind import Mind
from lastseen.agents.brains.relations import ATTITUDES, Relations
from lastseen.agents.brains.surroundings import Acts, Attention, Senses, Snapshot, Teamwork
from lastseen.kernels.arrays.agent_arrays import STANDING

TEAMS = ("guards", "intruders")


def mind_in(
    places: Sequence[Sequence[float]],
    number: int,
    *,
    team: Sequence[int] = (0, 0, 1, 1),
    time: float = 0.0,
    **more: Any,
) -> Any:
    """Return the mind of one of several agents; guards (team 0) watch intruders (team 1), and `more` parts are added.

    What happens in its world is listed in `events`.
    """
    count, sides = len(places), np.array(team[: len(places)], np.uint8)
    watchers, targets = np.flatnonzero(sides == 0), np.flatnonzero(sides == 1)
    row = np.full(count, -1)
    row[watchers] = np.arange(len(watchers))
    events: list[Any] = []
    shape = len(watchers), len(targets)
    hostile = np.full((2, 2), ATTITUDES.index("hostile"), np.uint8)
    world = SimpleNamespace(
        time=time, tick=50, events=events, happened=events.append,
        names=tuple("ABCDEFGH"[:count]), state=np.zeros(count, np.uint8),
        bodies=bodies(places, team=sides), orders=Orders.none(count),
        snapshot=Snapshot(places=[tuple(map(float, place)) for place in places], ways=[STANDING] * count),
        cast=SimpleNamespace(
            watchers=watchers, targets=targets, watcher_row=row, pace=(), seed=3, summoned={},
            home=np.array(places, np.float64),
        ),
        relations=Relations(TEAMS, sides, watchers, targets, hostile),
        senses=Senses(spotted=np.zeros(shape[::-1], np.bool_)), teamwork=Teamwork(),
        attention=Attention(
            acted_on=np.full(shape, -math.inf), seen=[-1] * shape[0], noticed=[-1] * shape[0], known=[-1] * shape[0]
        ),
        knowledge=SimpleNamespace(
            arrays=SimpleNamespace(
                xyz=np.zeros((*shape, 3)), time=np.full(shape, -math.inf), source=np.zeros(shape, int)
            )
        ),
        acts=Acts(hidden_in=np.full(count, -1, np.int32)), objects=None, territory=None,
        target_name=lambda column: "ABCDEFGH"[targets[column]],
    )  # fmt: skip
    for name, part in more.items():
        setattr(world, name, part)
    return Mind(world, number, {"goal": None, "target": -1, "hunted": -math.inf, "hunted_at": None, "to": ""})


def acts_of(mind: Any) -> list[tuple[Any, ...]]:
    """Return the acts that a mind ordered in this step: kind, number, place and seconds."""
    own = [act for agent, act in mind.world.orders.acts if agent == mind.number]
    return [(act.kind, act.number, act.xyz, act.seconds) for act in own]
