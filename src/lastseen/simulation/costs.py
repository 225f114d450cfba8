"""Costs: milliseconds that steps took, by system and by agent, against the budget of a step."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..checks import expect
from ..conventions import Array, Floats
from ..errors import RecordingError
from .recording.recording import Recording

MOST_LISTED = 1000
"""Maximum number of steps over budget that are kept; all are counted."""


@dataclass
class Costs:
    """What steps cost, in milliseconds; times are not part of the digest, as they differ from run to run.

    Attributes
    ----------
    budget : of a step.
    systems, agents : names of systems and agents.
    system_total, agent_total : sum over all steps; agents: the time in which their trees ran.
    steps, over : number of steps, and of those over budget; `over_ticks` are the first of these.
    worst, worst_tick : the most expensive step; -1: none yet.
    """

    budget: float
    systems: tuple[str, ...]
    agents: tuple[str, ...]
    system_total: Floats = field(init=False)
    agent_total: Floats = field(init=False)
    steps: int = 0
    over: int = 0
    over_ticks: list[int] = field(default_factory=list)
    worst: float = 0.0
    worst_tick: int = -1

    def __post_init__(self) -> None:
        self.system_total, self.agent_total = np.zeros(len(self.systems)), np.zeros(len(self.agents))

    def add(self, first: int, systems: Array, agents: Array) -> None:
        """Add steps from number `first` on: (steps, systems) and (steps, agents)."""
        if not len(systems):
            return
        self.steps += len(systems)
        self.system_total += systems.sum(axis=0, dtype=np.float64)
        self.agent_total += agents.sum(axis=0, dtype=np.float64)
        totals = systems.sum(axis=1, dtype=np.float64)
        over = np.flatnonzero(totals > self.budget)
        self.over += len(over)
        self.over_ticks += (first + over[: MOST_LISTED - len(self.over_ticks)]).tolist()
        if totals.max() > self.worst:
            self.worst, self.worst_tick = float(totals.max()), first + int(totals.argmax())

    @property
    def mean(self) -> float:
        """Milliseconds of a step on average."""
        return float(self.system_total.sum()) / max(self.steps, 1)

    def by_system(self) -> dict[str, float]:
        """Return milliseconds per step by system."""
        return dict(zip(self.systems, (self.system_total / max(self.steps, 1)).tolist()))

    def by_agent(self) -> dict[str, float]:
        """Return milliseconds per step in which the tree of each agent ran, by name."""
        return dict(zip(self.agents, (self.agent_total / max(self.steps, 1)).tolist()))


def costs_of(recording: Recording) -> Costs:
    """Return what the steps of a recording cost on the machine that recorded them.

    Raises
    ------
    RecordingError
        The recording holds no costs: it comes from another program.
    """
    notes = expect(recording, Recording, "recording").about.notes.get("costs")
    if not isinstance(notes, dict):
        raise RecordingError(f"{recording.source} holds no costs; run the scenario again")
    found = Costs(notes["budget"], tuple(notes["systems"]), recording.about.agents)
    found.add(0, recording.column("cost"), recording.column("agent_cost"))
    return found
