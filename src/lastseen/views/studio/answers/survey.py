"""Survey all cells at a moment: distances, light, and what guards see and hear, from the recorded state."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable
from functools import cached_property

import numpy as np

from ....cells.live import LiveLayout
from ....cells.query import nearest_cells
from ....conventions import Floats, Ids
from ....kernels.arrays.agent_arrays import ACTIVE
from ....layers.spread import Spread
from ....level.sight.sight import Sight
from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import ready_query
from ....simulation.recording.recording import Frame, Recording
from ....vocabulary.events import Predicted
from ..session.game import Game
from ..session.stage import Stage
from .survey_senses import Senses

_NEAR = 2.0
"""Metres from an agent within which a cell stands for its position."""
_WAYS = 8
"""Number of links of a cell without a wall next to it."""
_COLUMNS = ("xyz", "gaze", "mode", "stance", "state", "doors")


class Floods:
    """Finds the floods of a run; reads every event only once, since a long recording takes a while to read."""

    def __init__(self) -> None:
        self._recording: Recording | None = None
        self._events: list[Predicted] = []
        self._until = 0

    def last(self, game: Game) -> Predicted | None:
        """Return the last flood up to the step shown."""
        if self._recording is not game.recording:
            self._recording, self._events, self._until = game.recording, [], 0
        if self._until < game.ticks:
            self._events += [event for event in game.recording.events(self._until) if isinstance(event, Predicted)]
            self._until = game.ticks
        at = bisect_right(self._events, game.shown, key=lambda event: event.tick)
        return self._events[at - 1] if at else None


def frame_to_survey(game: Game, floods: Floods | None = None) -> Frame:
    """Return the columns that a survey needs of the step a game shows, and the layer "heat" of its last flood.

    It is never modified, so that the game may continue meanwhile; `floods` are those already known.
    """
    columns, _ = game.now()
    flood = (floods or Floods()).last(game)
    warm, left = ((), ()) if flood is None else (flood.warm, flood.values)
    cells, values = np.array(warm, np.int64), np.array(left, np.float64)
    heat = np.full(len(game.stage.layout), np.nan)
    there = (cells < len(heat)) & (values > 0)
    heat[cells[there]] = values[there]
    return Frame(game.shown, {name: np.array(columns[name]) for name in _COLUMNS}, {"heat": heat}, {})


class Survey:
    """Surveys one stage; has its own state of doors, so that the game may continue meanwhile. Use one per thread."""

    def __init__(self, stage: Stage, watchers: Ids, targets: Ids):
        self._stage, self._watchers, self._targets = stage, watchers, targets
        self._xyz: Floats = stage.layout.arrays.cell_xyz.astype(np.float64)
        self._makers: dict[str, Callable[[Frame], Floats]] = {
            "heat": lambda frame: frame.layers["heat"],
            "exposure": lambda frame: self._senses.seen(frame.columns, self._seconds(frame))[0],
            "danger": lambda frame: self._senses.seen(frame.columns, self._seconds(frame))[1],
            "noise": lambda frame: self._senses.heard(frame.columns),
            "hiding": self._hiding,
            "walk": lambda frame: self._walked(self._hunted(frame)),
            "guards": lambda frame: self._walked(self._guards(frame)),
            "light": lambda frame: self._senses.light(self._seconds(frame)),
            "clearance": lambda _: self._clearance,
            "way out": lambda _: self._way_out,
            "height": lambda _: self._xyz[:, 2].copy(),
        }

    def values(self, name: str, frame: Frame) -> Floats:
        """Return the values of a layer for all cells, (cells,) float64; NaN: nothing."""
        return self._makers[name](frame)

    @cached_property
    def _senses(self) -> Senses:
        return Senses(self._stage, self._watchers, self._sight)

    @cached_property
    def _sight(self) -> Sight:
        return Sight.from_level(self._stage.setting.level)

    @cached_property
    def _floor(self) -> LiveLayout:
        """The cells with locked doors closed; agents open the others on their way."""
        level, live = self._stage.setting.level, LiveLayout(self._stage.layout)
        for number, door in enumerate(level.doors):
            if door.locked:
                live.close_door(level, number)
        return live

    @cached_property
    def _spread(self) -> Spread:
        return Spread(self._floor)

    def _nothing(self) -> Floats:
        return np.full(len(self._xyz), np.nan)

    def _seconds(self, frame: Frame) -> float:
        return frame.tick * self._stage.setting.scenario.step

    def _hunted(self, frame: Frame) -> Floats:
        """Return the position of the player, or else of all targets."""
        player = self._stage.player
        return self._places(frame, self._targets if player is None else np.array([player], np.int32), hidden=True)

    def _guards(self, frame: Frame) -> Floats:
        return self._places(frame, self._watchers)

    @staticmethod
    def _places(frame: Frame, who: Ids, *, hidden: bool = False) -> Floats:
        mode = frame.columns["mode"][who]
        there = who[mode <= 1 if hidden else mode == ACTIVE]
        places: Floats = np.asarray(frame.columns["xyz"], np.float64)[there]
        return places

    def _walked(self, places: Floats) -> Floats:
        found = self._nothing()
        if len(places):
            cells = nearest_cells(self._floor, places, _NEAR)
            reached = self._spread.distances(cells[cells >= 0])
            found[reached.cells] = reached.metres
        return found

    @cached_property
    def _way_out(self) -> Floats:
        exits = [marker.xyz for marker in self._stage.setting.level.markers if marker.kind == "exit"]
        return self._walked(np.array(exits, np.float64).reshape(-1, 3))

    @cached_property
    def _clearance(self) -> Floats:
        """Metres to the nearest wall: to the nearest cell next to one, plus from its middle to the wall."""
        arrays = self._stage.layout.arrays
        beside = np.flatnonzero(np.diff(arrays.link_start.astype(np.int64)) < _WAYS)
        found = self._nothing()
        reached = Spread(self._stage.layout).distances(beside.astype(np.int32))
        found[reached.cells] = reached.metres + float(arrays.size_xyz[0]) / 2.0
        return found

    @cached_property
    def _picker(self) -> Picker:
        return Picker(self._floor, level=self._stage.setting.level, sight=self._sight)

    def _hiding(self, frame: Frame) -> Floats:
        found, hunted = self._nothing(), self._hunted(frame)
        if len(hunted):
            self._sight.set_doors(frame.columns["doors"])
            choice = self._picker.pick(ready_query("hide"), hunted[0], places={"threats": self._guards(frame)})
            worth = choice.candidate_scores > 0.0
            found[choice.candidates[worth]] = choice.candidate_scores[worth]
        return found
