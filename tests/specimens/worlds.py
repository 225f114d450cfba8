"""Small worlds for tests: a scenario in a few lines, run with a puppet or a script."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

from lastseen.agents.brains.surroundings import STATES
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
