"""The surroundings: everything a mind may look at or ask during one step of a world."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

import numpy as np

from ...cells.live import LiveLayout
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.arrays.agent_arrays import BodyArrays
from ...level.level import Level
from ...level.sight.sight import Sight
from ...reasoning.chase.prediction import Predictor
from ...reasoning.locations.picker import Picker
from ...vocabulary.words import AgentState
from ..bodies.combat import Combat
from ..bodies.crowd import Crowd
from ..bodies.orders import Orders
from ..directions import Direction, Notices
from ..events import Event
from ..held_roles import AskedRoles
from ..knowledge.knowledge import Knowledge
from ..requests import RequestBoard
from ..senses.attention.stimuli import StimulusBoard
from ..senses.hearing.sounds import Sound
from ..senses.vision.sightings import Sightings
from .hunt import Hunt

__all__ = ["STATES", "TEAMS", "State", "Surroundings"]

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
    bodies : the present generation of everybody.
    orders : what minds want; each writes its own row only.
    crowd : the ways everybody follows.
    watchers, targets : numbers of those who watch, and whom; `watcher_row[number]` is a watcher's row, -1: none.
    knowledge, sightings : what watchers know of targets, and see now.
    seen, noticed, known, lost : per watcher the column of the target it may act on, notices, knows of, has lost; -1.
    acted_on : (watchers, targets) float64, seconds when each watcher last could act on what it saw; -inf: never.
    places, ways : everybody's place, and how they fare on their way, as plain values: trees ask often.
    calls : per watcher the number of the stimulus it should look into; -1: none.
    spotted : (targets, watchers) bool, which watchers each target sees now, whichever way it faces.
    stimuli : what calls for a look.
    hunt : the search all guards share.
    predictors, chase : ways to guess where somebody ran, by name, and the usual one.
    picker : answers where one could go, hide or appear.
    view_angle, view_distance : per watcher, radians and metres, for predictors.
    pace : by agent, how fast it goes against `SPEEDS`; empty: everybody as there.
    seed : of whatever agents draw.
    time, tick, step : seconds since the start, number of the step, its length in seconds.
    state : (n,) uint8, numbers in STATES.
    events, sounds : what happened in this step, and what can be heard in the next.
    home, home_heading : (n, 3) and (n,), where everybody started.
    requests : what agents want done together; read by crews only.
    directions : by agent, what its crew suggests; None: nothing. Empty without crews.
    crew_numbers : by member, the number of its crew, whether it has a direction or not.
    notices : what members and crews let each other know, by crew and key.
    desks : by team, the roles its members ask for by themselves.
    combat : who is armed how and how hurt; None: nobody fights.
    door_shut : (d,) bool; hidden_in : (n,) int32, number of the hiding place one is in, -1: none.
    """

    level: Level
    cells: LiveLayout
    sight: Sight
    names: tuple[str, ...]
    bodies: BodyArrays
    orders: Orders
    crowd: Crowd
    watchers: Ids
    targets: Ids
    watcher_row: Ids
    knowledge: Knowledge
    stimuli: StimulusBoard
    hunt: Hunt
    predictors: dict[str, Predictor]
    picker: Picker
    chase: str
    home: Floats
    home_heading: Floats
    view_angle: Floats
    view_distance: Floats
    step: float
    state: Array
    pace: tuple[float, ...] = ()
    seed: int = 0
    time: float = 0.0
    tick: int = 0
    sightings: Sightings | None = None
    spotted: Bools = field(default_factory=lambda: np.zeros((0, 0), np.bool_))
    seen: list[int] = field(default_factory=list)
    noticed: list[int] = field(default_factory=list)
    known: list[int] = field(default_factory=list)
    lost: list[int] = field(default_factory=list)
    calls: list[int] = field(default_factory=list)
    acted_on: Floats = field(default_factory=lambda: np.zeros((0, 0)))
    places: list[tuple[float, float, float]] = field(default_factory=list)
    ways: list[int] = field(default_factory=list)
    events: list[Event] = field(default_factory=list)
    sounds: list[Sound] = field(default_factory=list)
    requests: RequestBoard = field(default_factory=lambda: RequestBoard(is_read=False))
    directions: list[Direction | None] = field(default_factory=list)
    crew_numbers: dict[int, int] = field(default_factory=dict)
    desks: dict[int, AskedRoles] = field(default_factory=dict)
    notices: Notices = field(default_factory=dict)
    combat: Combat | None = None
    door_shut: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))
    hidden_in: Ids = field(default_factory=lambda: np.zeros(0, np.int32))

    def happened(self, kind: str, agent: int = -1, text: str = "", **more: Any) -> None:
        """Write down that something happened in this step."""
        self.events.append(Event(self.tick, kind, agent, text=text, **more))

    def state_of(self, agent: int) -> str:
        """What is an agent up to, in a word?"""
        return STATES[self.state[agent]]

    def target_name(self, column: int) -> str:
        """What is the target in this column called?"""
        return self.names[int(self.targets[column])]
