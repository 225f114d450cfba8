"""A feed as pages get it: the greeting, its steps as bytes, and its numbers."""

from __future__ import annotations

import math
from array import array
from collections.abc import Sequence

import msgspec
import numpy as np

from .... import __version__
from ....conventions import Array, Floats
from ....level.sight.query import visible_areas
from ....level.sight.sight import Sight
from ...scene.signs import looks
from ...scene.timings import TIMINGS
from ..session.feed_run import FeedRun
from .feeds import FedAgent, MarkedLine, MarkedPoint, Marks
from .frames import PackedFrame, pack_frame
from .greeting import AgentLooks, Cells, Hello, LevelDrawing, Shape, Storey
from .greeting_builder import VOCABULARY
from .level_outline import drawing_of
from .news import NumbersShown

_EYES = 1.6
"""Height of the eyes of agents in metres."""
_RIM = 24
_MOST_VALUES = 20_000
"""Maximum number of values of one number in a greeting; longer ones are thinned out."""
_NO_CELLS = Cells(
    count=0, size=[1.0, 1.0, 1.0], origin=[0.0, 0.0, 0.0], shape=[1, 1, 1],
    column="", row="", level="", storey="", xyz="",
)  # fmt: skip


def feed_greeting(run: FeedRun) -> Hello:
    """Return the greeting for a feed, without its state and menus."""
    return Hello(
        version=__version__,
        title=run.title,
        kind="feed",
        source=run.source,
        difficulty="",
        opponent="",
        step=run.step,
        player=None,
        vocabulary=msgspec.structs.replace(VOCABULARY, states=tuple(run.states), guard_states=tuple(run.used)),
        agents=[AgentLooks(name, "", False, False, 0.3, [], "", None) for name in run.agents],
        watchers=[],
        targets=[],
        layers=(),
        level=drawing_of(run.level) if run.level is not None else _empty(run),
        cells=_NO_CELLS,
        crews=None,
        fights=None,
        difficulties=[],
        opponents=[],
        presets=[],
        timings=TIMINGS,
        looks=looks(),
    )


def _empty(run: FeedRun) -> LevelDrawing:
    """Return a map without a level, as large as the agents need so far."""
    west, south, east, north = run.bounds()
    outline = [(west, south), (east, south), (east, north), (west, north)]
    floor = Shape(kind="floor", storey=0, outline=outline, holes=[], name="")
    return LevelDrawing([west, south, east, north], False, [Storey("", 0.0)], [floor], [], [])


class FeedPacker:
    """Packs the steps of one feed."""

    def __init__(self, run: FeedRun):
        self._run = run
        self._sight: Sight | None = None

    def frame(
        self, *, views: bool, ways: bool = False, age: int = 0, whole: bool = False, more: Sequence[Array] = ()
    ) -> PackedFrame:
        """Return the step shown; `views`: with the areas agents see. A feed has neither paths nor layers."""
        del ways, more
        run = self._run
        columns, layers = run.now()
        marks = msgspec.json.encode(_marks(run))
        areas = self._areas(columns["doors"]) if views else None
        now = run.shown * run.step
        return pack_frame(columns, layers, tick=run.shown, now=now, age=age, whole=whole, views=areas, marks=marks)

    def _areas(self, shut: Array) -> dict[int, Floats]:
        """Return what agents see, (k, 2) metres by number: their fields of view, cut off by walls and shut doors."""
        agents = [agent for agent in self._run.moment().agents if agent.view is not None]
        numbers = [self._run.agents[agent.name] for agent in agents]
        if self._run.level is None or not agents:
            return {number: _sector(agent) for number, agent in zip(numbers, agents)}
        if self._sight is None:
            self._sight = Sight.from_level(self._run.level)
        self._sight.set_doors(shut)
        eyes = np.array([agent.at for agent in agents]) + np.array([0.0, 0.0, _EYES])
        gaze, shape = np.array([agent.heading for agent in agents]), np.array([agent.view for agent in agents])
        areas = visible_areas(self._sight, eyes, gaze, shape[:, 1], shape[:, 0])
        return {number: area for number, area in zip(numbers, areas) if len(area) >= 3}


def _sector(agent: FedAgent) -> Floats:
    far, angle = agent.view or (0.0, 0.0)
    turns = agent.heading + np.linspace(-angle / 2.0, angle / 2.0, _RIM)
    rim = np.column_stack([np.cos(turns), np.sin(turns)]) * far
    return np.vstack([[[0.0, 0.0]], rim]) + np.array(agent.at[:2])


def _marks(run: FeedRun) -> Marks:
    now = run.moment()
    return Marks(
        [MarkedPoint(point.name, point.at, point.text) for point in now.points],
        [MarkedLine(line.name, line.points) for line in now.lines],
    )


def numbers_since(run: FeedRun, first: int) -> NumbersShown:
    """Return the values of all numbers from a step on."""
    return NumbersShown(first, {name: _values(*given, first) for name, given in run.numbers.items()})


def _values(ticks: array[int], values: array[float], first: int) -> list[tuple[int, float]]:
    start = int(np.searchsorted(np.frombuffer(ticks, np.uint32), first)) if ticks else 0
    every = max(1, math.ceil((len(ticks) - start) / _MOST_VALUES))
    kept = list(zip(ticks[start::every], values[start::every]))
    if every > 1:
        kept.append((ticks[-1], values[-1]))
    return kept
