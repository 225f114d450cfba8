"""The panel Costs: milliseconds of a step and on average, by system and by agent, against the budget."""

from __future__ import annotations

import numpy as np

from ....conventions import Array
from ....errors import InputError
from ....simulation.costs import costs_of
from ....simulation.recording.recording import Recording
from ..protocol.base import Part
from ..protocol.messages import Message
from ..protocol.news import Sent, Spent
from ..session.game import Game

MOST_TOTALS = 20_000
"""Maximum number of values sent for the timeline; of longer runs, several steps share one."""


class AskCosts(Message, frozen=True, tag="costs"):
    """Ask what the step shown cost."""


class CostRow(Part, frozen=True):
    """A system or the thinking of an agent: milliseconds in the step shown, and per step on average."""

    name: str
    now: float
    mean: float


class StepCosts(Sent, frozen=True, tag="costs"):
    """What the step shown cost: in total, by system and by agent; and how many steps were over budget."""

    tick: int
    budget: float
    total: float
    mean: float
    worst: float
    worst_tick: int
    over: int
    over_ticks: list[int]
    systems: list[CostRow]
    agents: list[CostRow]


def has_costs(recording: Recording) -> bool:
    """Return whether a recording holds the costs of its steps."""
    return isinstance(recording.about.notes.get("costs"), dict)


def costs_answer(game: Game) -> StepCosts:
    """Return what the step shown cost on the machine that computed it."""
    if game.is_feed or not has_costs(game.recording):
        raise InputError("the costs of steps are not known here; open a level, a scenario or a recording of one")
    costs, columns = costs_of(game.recording), game.now()[0]
    return StepCosts(
        tick=game.shown,
        budget=costs.budget,
        total=_milliseconds(columns["cost"].sum(dtype=np.float64)),
        mean=_milliseconds(costs.mean),
        worst=_milliseconds(costs.worst),
        worst_tick=costs.worst_tick,
        over=costs.over,
        over_ticks=costs.over_ticks,
        systems=_rows(costs.by_system(), columns["cost"]),
        agents=_rows(costs.by_agent(), columns["agent_cost"]),
    )


def _rows(means: dict[str, float], now: Array) -> list[CostRow]:
    return [CostRow(name, _milliseconds(spent), _milliseconds(means[name])) for name, spent in zip(means, now.tolist())]


def _milliseconds(value: float) -> float:
    return round(float(value), 4)


class CostFeed:
    """Sends the totals of steps for the timeline as a run grows."""

    def __init__(self, game: Game):
        self._recording = game.recording if not game.is_feed and has_costs(game.recording) else None
        self._sent, self._every = 0, 1

    def whole(self) -> Spent | None:
        """Return the totals of all steps, or None if they are not known."""
        self._sent = 0
        return self.news()

    def news(self) -> Spent | None:
        """Return the totals of steps not sent yet, or None if there are none."""
        recording = self._recording
        if recording is None or self._sent >= len(recording):
            return None
        every = -(-len(recording) // MOST_TOTALS)
        # A run that has grown too long for its values is sent again, more coarsely.
        first = self._sent // every * every if every == self._every else 0
        totals = recording.column("cost")[first:].sum(axis=1, dtype=np.float64)
        starts = np.arange(0, len(totals), every)
        self._sent, self._every = len(recording), every
        worst = np.maximum.reduceat(totals, starts)
        budget = float(recording.about.notes["costs"]["budget"])
        return Spent(first, every, budget, [_milliseconds(value) for value in worst.tolist()])
