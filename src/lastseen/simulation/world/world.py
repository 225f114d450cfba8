"""The world: the surroundings of all minds, and the state that only the simulation reads."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...agents.behaviour.tree import Tree
from ...agents.brains.mind import Mind
from ...agents.brains.surroundings import Surroundings
from ...vocabulary.events import AnyEvent, Ended, Place
from ..scenario.scenario import Scenario
from .parts import (
    CrewWork,
    DoorWork,
    Episode,
    LayerWork,
    Motion,
    Noticing,
    Script,
    Sensing,
    Talk,
    Trace,
    TrapWork,
    TreeEdit,
)


@dataclass(kw_only=True)
class World(Surroundings):
    """Everything that changes in time, in parts. Each part is written by one system; see `WRITERS`.

    Attributes
    ----------
    minds, trees : one of each per agent; None for agents that are moved from outside.
    traps : places that fell or snare agents.
    motion : state of movement between steps.
    script : rows that are due or wait for a trigger, global facts, lighting and smoke.
    edits : trees that replace those of agents in the next step, by brain.
    talk : speech and voices; None without rules of speech.
    episode : status of the episode.
    trace : digest, timings and texts of steps.
    earlier : events of the previous step.
    """

    scenario: Scenario
    trees: list[Tree | None]
    minds: list[Mind] = field(default_factory=list)
    senses: Sensing
    attention: Noticing
    teamwork: CrewWork
    layers: LayerWork
    traps: TrapWork
    doors: DoorWork
    motion: Motion
    script: Script
    episode: Episode
    edits: dict[str, TreeEdit] = field(default_factory=dict)
    talk: Talk | None = None
    trace: Trace = field(default_factory=Trace)
    earlier: list[AnyEvent] = field(default_factory=list)

    @property
    def ending(self) -> Ended | None:
        """The event that ended the episode; None while it continues."""
        return self.episode.ending

    def place_of(self, agent: int) -> Place:
        """Return the position of an agent in metres."""
        x, y, z = self.bodies.xyz[agent].tolist()
        return x, y, z

    def end(self, reason: str, agent: int = -1, **more: Any) -> None:
        """End the episode for a named reason, with further fields of `Ended`; only the first call counts."""
        if self.episode.ending is None:
            self.episode.ending = Ended(self.tick, agent, reason=reason, **more)
            self.happened(self.episode.ending)
