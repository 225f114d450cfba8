"""Small worlds for tests: a scenario in a few lines, run with a puppet or a script, or minds among a few numbers."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.bodies.orders import Orders
from lastseen.agents.brains.mind import Mind
from lastseen.agents.brains.relations import ATTITUDES, Relations
from lastseen.agents.brains.surroundings import STATES, Acts, Attention, Senses, Snapshot, Teamwork
from lastseen.kernels.arrays.agent_arrays import STANDING
from lastseen.simulation.game_loop import Outcome, outcome, step
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.prose.sentences import Sentences


class Play:
    """A run that remembers its events and the states every agent went through."""

    def __init__(self, text: str, folder: str | Path = "."):
        self.world: World = make_world(parse_scenario(text, folder=folder))
        self.events: list[Any] = []
        self.states: dict[str, list[str]] = {name: [] for name in self.world.names}

    def run(self, seconds: float, each: Callable[[World], None] | None = None) -> Play:
        """Let time pass."""
        until = self.world.time + seconds
        while self.world.ending is None and self.world.time < until - 1e-9:
            if each is not None:
                each(self.world)
            step(self.world)
            self.events += self.world.events
            for name, number in zip(self.world.names, self.world.state.tolist()):
                if not self.states[name] or self.states[name][-1] != STATES[number]:
                    self.states[name].append(STATES[number])
        return self

    @property
    def outcome(self) -> Outcome:
        return outcome(self.world)

    @property
    def ending(self) -> str:
        """How it ended, as a sentence."""
        return Sentences.of_world(self.world).ending(self.world.ending)

    def kinds(self, agent: str | None = None) -> list[str]:
        """Kinds of all events, or of one agent's."""
        number = -2 if agent is None else self.world.names.index(agent)
        return [event.kind for event in self.events if agent is None or event.agent == number]

    def of_kind(self, kind: str) -> list[Any]:
        return [event for event in self.events if event.kind == kind]


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
        relations=Relations(("guards", "intruders"), sides, watchers, targets, hostile),
        senses=Senses(spotted=np.zeros(shape[::-1], np.bool_)), teamwork=Teamwork(),
        attention=Attention(
            acted_on=np.full(shape, -math.inf),
            **{name: [-1] * shape[0] for name in ("seen", "noticed", "known", "lost", "calls", "fresh")},
        ),
        knowledge=SimpleNamespace(
            arrays=SimpleNamespace(
                xyz=np.zeros((*shape, 3)), time=np.full(shape, -math.inf), source=np.zeros(shape, int)
            )
        ),
        acts=Acts(hidden_in=np.full(count, -1, np.int32)), objects=None, territory=None,
        target_name=lambda column: "ABCDEFGH"[targets[column]],
        level=SimpleNamespace(doors=range(9), hiding_places=range(9)),
    )  # fmt: skip
    for name, part in more.items():
        setattr(world, name, part)
    return Mind(world, number, {"goal": None, "target": -1, "hunted": -math.inf, "hunted_at": None, "to": ""})


def acts_of(mind: Any) -> list[tuple[Any, ...]]:
    """Return the acts that a mind ordered in this step: kind, number, place and seconds."""
    own = [act for agent, act in mind.world.orders.acts if agent == mind.number]
    return [(act.kind, act.number, act.xyz, act.seconds) for act in own]
