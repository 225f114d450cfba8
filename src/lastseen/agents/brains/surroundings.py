"""The surroundings: everything a mind may look at or ask during one step of a world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal

from ...cells.live import LiveLayout
from ...conventions import Array
from ...kernels.arrays.agent_arrays import BodyArrays
from ...level.level import Level
from ...level.sight.sight import Sight
from ...vocabulary.events import AnyEvent
from ...vocabulary.words import AgentState
from ..bodies.combat import Combat
from ..bodies.crowd import Crowd
from ..bodies.orders import Orders
from ..knowledge.knowledge import Knowledge
from .hunt import Hunt
from .parts import Acts, Attention, Cast, Doors, Reasoning, Senses, Snapshot, Teamwork

TEAMS = ("guards", "intruders", "civilians")
"""Sides; guards and civilians watch intruders, intruders watch guards."""

STATES = AgentState.texts()
"""What an agent is up to, in a word: set by its tree, shown in pictures."""

if TYPE_CHECKING:
    State = str
else:
    State = Literal[STATES]


@dataclass
class Surroundings:
    """One step of a world as minds see it. Written by the systems of a simulation, read by minds.

    Attributes
    ----------
    level, cells, sight : the place; doors change `cells` and `sight`.
    names : of all agents, in the order of their numbers.
    cast : the agents as they entered the world.
    bodies : the present generation of all bodies.
    crowd : the paths agents follow.
    orders : what minds want; each writes its own row only.
    state : (n,) uint8, numbers in STATES; each mind writes its own.
    snapshot : bodies and paths as plain values.
    senses, attention : what reaches eyes and ears, and what comes to mind.
    knowledge : what watchers know of targets.
    teamwork : what agents do together.
    hunt : the search all guards share.
    reasoning : queries minds may ask.
    doors, acts : which doors are shut, and who hides where.
    combat : how agents are armed and how hurt; None: nobody fights.
    step : length of a step in seconds.
    time, tick : seconds since the start, number of the step.
    events : what happened in this step.
    """

    level: Level
    cells: LiveLayout
    sight: Sight
    names: tuple[str, ...]
    cast: Cast
    bodies: BodyArrays
    crowd: Crowd
    orders: Orders
    state: Array
    senses: Senses
    attention: Attention
    knowledge: Knowledge
    teamwork: Teamwork
    hunt: Hunt
    reasoning: Reasoning
    doors: Doors
    acts: Acts
    step: float
    snapshot: Snapshot = field(default_factory=Snapshot)
    combat: Combat | None = None
    time: float = 0.0
    tick: int = 0
    events: list[AnyEvent] = field(default_factory=list)

    def happened(self, event: AnyEvent) -> None:
        """Report an event of this step."""
        self.events.append(event)

    def state_of(self, agent: int) -> str:
        """What is an agent up to, in a word?"""
        return STATES[self.state[agent]]

    def target_name(self, column: int) -> str:
        """What is the target in this column called?"""
        return self.names[int(self.cast.targets[column])]
