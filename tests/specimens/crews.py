"""A hall with guards and somebody they know of, for tests of crews: no step is made, nobody is looked at."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

import numpy as np

from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.bodies.combat import Combat, CombatRules
from lastseen.agents.crews.crew_mind import CrewMind
from lastseen.agents.crews.crews import Crews
from lastseen.agents.requests import RequestBoard
from lastseen.errors import ScenarioError
from lastseen.kernels.arrays.agent_arrays import SIGHT
from lastseen.level.level import Floor, Floors, Level
from lastseen.rng import generator
from lastseen.simulation.scenario.reader import read_scenario, setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.simulation.world.setup import make_world
from lastseen.simulation.world.world import World
from lastseen.views.prose.sentences import Sentences
from lastseen.vocabulary.events import AnyEvent

__all__ = ["Hall", "crew_of", "hall_world", "said_of", "told"]


def hall_world(
    guards: Sequence[tuple[float, float]],
    target: tuple[float, float] = (10.0, 6.0),
    size: tuple[float, float] = (20.0, 12.0),
) -> World:
    """Return a hall with guards g0, g1 … at places, and `you`, the last, somewhere."""
    long, wide = size
    floor = Floor(np.array([[0.0, 0.0, 0.0], [long, 0.0, 0.0], [long, wide, 0.0], [0.0, wide, 0.0]]))
    agents = [AgentSpec(f"g{number}", at=place) for number, place in enumerate(guards)]
    agents.append(AgentSpec("you", "puppet", target))
    scenario = Scenario("hall", tuple(agents), rules="none")
    return make_world(setting_of(scenario, level=Level(Floors((floor,)))))


class Hall:
    """Crews of one tree over guards who know where `you` are."""

    def __init__(
        self,
        tree: str,
        guards: Sequence[tuple[float, float]],
        *,
        every: float = 0.0,
        knows: bool = True,
        target: tuple[float, float] = (10.0, 6.0),
        size: tuple[float, float] = (20.0, 12.0),
    ):
        self.world = hall_world(guards, target, size)
        self.world.teamwork.requests = RequestBoard()
        self.count = len(guards)
        self.target = self.count
        self.crews = Crews({"fight": parse_trees(tree), "chase": parse_trees(tree)}, every=every)
        self.world.teamwork.crews = self.crews
        self.events: list[AnyEvent] = []
        if knows:
            self.see()

    def see(self, agents: Sequence[int] | None = None) -> None:
        """Let guards know where `you` are now, and see you."""
        world, know = self.world, self.world.knowledge.arrays
        world.attention.known = [-1] * self.count
        world.attention.seen = [-1] * self.count
        for agent in range(self.count) if agents is None else agents:
            know.xyz[agent, 0] = world.bodies.xyz[self.target]
            know.time[agent, 0] = world.time
            know.source[agent, 0] = SIGHT
            world.attention.known[agent] = world.attention.seen[agent] = 0

    def ask(self, agents: Sequence[int], objective: str = "fight", **more: float) -> None:
        """Let guards ask for something about `you`, for a long time."""
        for agent in agents:
            options = {"priority": 1.0, "seconds": 1000.0} | more
            self.world.teamwork.requests.post(agent, objective, self.target, now=self.world.time, **options)

    def update(self, steps: int = 1) -> list[AnyEvent]:
        """Let the collective phase run, once a step; return what happened in the last."""
        for _ in range(steps):
            self.world.events.clear()
            self.crews.update(self.world)
            self.events += self.world.events
            self.world.tick += 1
            self.world.time = self.world.tick * self.world.step
        return list(self.world.events)

    def roles(self) -> dict[str, str]:
        """Return who has which role."""
        given = self.world.teamwork.directions
        return {self.world.names[at]: one.role for at, one in enumerate(given) if one is not None}


def told(hall: Hall, events: Sequence[AnyEvent], kind: str) -> list[str]:
    """Return the sentences of events of a kind, which have just happened in a hall."""
    return [Sentences.of_world(hall.world)(event) for event in events if event.kind == kind]


def crew_of(guards: Sequence[tuple[float, float]], arms: Sequence[str] = ()) -> tuple[Hall, CrewMind]:
    """Return guards in one crew that knows of `you` at (10, 6), and its mind."""
    hall = Hall("root: {roles: [{role: {name: all, least: 0}}]}", guards)
    count = len(guards) + 1
    kinds = tuple(arms) or ("melee",) * len(guards)
    hall.world.combat = Combat(
        CombatRules(),
        (*kinds, "none"),  # type: ignore[arg-type]
        np.full(count, 100.0),
        np.full(count, 100.0),
        np.zeros(count),
        generator(0, "test"),
    )
    hall.ask(range(len(guards)))
    hall.update()
    (mind,) = hall.crews._minds.values()
    return hall, mind


def said_of(folder: Path, text: str, **trees: str) -> str:
    """Return what is wrong with a scenario beside which these trees lie; empty: nothing."""
    for name, tree in trees.items():
        (folder / f"{name}.yaml").write_text(tree)
    (folder / "mine.yaml").write_text(text)
    try:
        read_scenario(folder / "mine.yaml")
    except ScenarioError as error:
        return str(error)
    return ""
