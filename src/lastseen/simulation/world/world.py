"""The world: the surroundings of all minds, and what only the simulation knows."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...agents.behaviour.tree import Tree
from ...agents.brains.mind import Mind
from ...agents.brains.surroundings import Surroundings
from ...vocabulary.events import Ended
from ..scenario.scenario import Scenario
from .parts import CrewWork, DoorWork, Episode, Motion, Noticing, Script, Sensing, Talk, Trace


@dataclass(kw_only=True)
class World(Surroundings):
    """Everything that changes in time, in parts. Each part is written by one system; see `WRITERS`.

    Attributes
    ----------
    minds, trees : one each per agent; None for those moved from outside.
    motion : what movement keeps between steps.
    script : incidents to come, lighting and smoke.
    talk : speech and voices; None where the scenario has no rules.
    episode : how the episode stands.
    trace : what the loop keeps of its steps.
    """

    scenario: Scenario
    trees: list[Tree | None]
    minds: list[Mind] = field(default_factory=list)
    senses: Sensing
    attention: Noticing
    teamwork: CrewWork
    doors: DoorWork
    motion: Motion
    script: Script
    episode: Episode
    talk: Talk | None = None
    trace: Trace = field(default_factory=Trace)

    @property
    def ending(self) -> Ended | None:
        """Why the episode ended; None while it goes on."""
        return self.episode.ending

    def end(self, reason: str, agent: int = -1, **more: Any) -> None:
        """End the episode for a named reason, with further fields of `Ended`; the first reason holds."""
        if self.episode.ending is None:
            self.episode.ending = Ended(self.tick, agent, reason=reason, **more)
            self.happened(self.episode.ending)
