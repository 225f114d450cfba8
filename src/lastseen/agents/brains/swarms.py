"""Swarms of small creatures: where they are and what they are after. They are no agents, so that many cost little."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ...conventions import Floats, Ids

Point = tuple[float, float, float]


@dataclass(eq=False)
class Swarm:
    """Creatures around a nest, which together go after one agent at a time.

    Attributes
    ----------
    team : number of the team that it leaves alone; -1: none.
    nest, cell : place of the nest in metres, and its cell.
    reach, speed, fells : metres to walk from the nest within which it attacks, metres per second of its creatures, and
        seconds in their midst after which an agent goes down.
    xyz : (creatures, 3) metres.
    heads_for : (creatures,) int32, the cell each flies to.
    offset : (creatures, 2) metres from the middle of a cell at which each arrives.
    prey : the agent it is after; -1: none.
    metres : (cells,) float64, to walk from each cell to the prey, or else to the nest; infinite: no way.
    due : time in seconds at which it chooses its prey and measures the ways again.
    stung : by agent, its seconds in the midst of the creatures.
    """

    name: str
    team: int
    nest: Point
    cell: int
    reach: float
    speed: float
    fells: float
    xyz: Floats
    heads_for: Ids
    offset: Floats
    metres: Floats
    prey: int = -1
    due: float = 0.0
    stung: dict[int, float] = field(default_factory=dict)

    def spares(self, team: int) -> bool:
        """Return whether it leaves agents of a team alone."""
        return team == self.team


@dataclass(frozen=True, eq=False)
class Swarms:
    """All swarms. Written by `act`.

    Attributes
    ----------
    each : the swarms, in the order of the scenario.
    links, lengths : (cells, k) int32 and float64, the neighbours of each cell, padded with itself, and their distances.
    random : draws the ways of creatures.
    """

    each: tuple[Swarm, ...]
    links: Ids
    lengths: Floats
    random: np.random.Generator

    @property
    def attack(self) -> bool:
        """Whether any swarm is after an agent."""
        return any(swarm.prey >= 0 for swarm in self.each)

    def feared_by(self, team: int) -> list[Swarm]:
        """Return the swarms that are after an agent and would attack one of this team."""
        return [swarm for swarm in self.each if swarm.prey >= 0 and not swarm.spares(team)]
