"""Survey all cells at the step that a page shows, from the recorded state."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ....conventions import Floats, Ids
from ....simulation.recording.recording import Frame, Recording
from ....simulation.scenario.reader import Setting
from ....simulation.world.lighting import Lighting
from ....simulation.world.survey import Columns, Moment, clouds_of
from ....simulation.world.survey import Survey as CellSurvey
from ....vocabulary.events import Predicted
from ..session.game import Game
from ..session.stage import Stage

_COLUMNS = ("xyz", "gaze", "mode", "stance", "state", "doors", "platforms", "weather", "lights", "smoke")


class PastEvents:
    """Finds floods of a run; reads every event only once, as a long recording takes a while."""

    def __init__(self) -> None:
        self._recording: Recording | None = None
        self._floods: list[Predicted] = []
        self._until = 0

    def last_flood(self, game: Game) -> Predicted | None:
        """Return the last flood up to the step shown."""
        self._read(game)
        at = bisect_right(self._floods, game.shown, key=lambda event: event.tick)
        return self._floods[at - 1] if at else None

    def _read(self, game: Game) -> None:
        if self._recording is not game.recording:
            self._recording, self._floods, self._until = game.recording, [], 0
        if self._until < game.ticks:
            self._floods += [event for event in game.recording.events(self._until) if isinstance(event, Predicted)]
            self._until = game.ticks


def frame_to_survey(game: Game, past: PastEvents | None = None) -> Frame:
    """Return the columns that a survey needs of the step a game shows, and the layer "heat" of its last flood.

    The frame is never modified, so that the game may continue meanwhile; `past` are the events already known.
    """
    columns, _ = game.now()
    past = past or PastEvents()
    flood = past.last_flood(game)
    warm, left = ((), ()) if flood is None else (flood.warm, flood.values)
    cells, values = np.array(warm, np.int64), np.array(left, np.float64)
    heat = np.full(len(game.stage.layout), np.nan)
    there = (cells < len(heat)) & (values > 0)
    heat[cells[there]] = values[there]
    needed = {name: np.array(columns[name]) for name in _COLUMNS if name in columns}
    return Frame(game.shown, needed, {"heat": heat}, {})


class Survey(CellSurvey):
    """Surveys one stage from recorded frames."""

    def __init__(self, stage: Stage, watchers: Ids, targets: Ids):
        super().__init__(stage.setting, stage.layout, watchers, targets, stage.player)
        self._moment: tuple[Frame, Moment] | None = None

    def values(self, name: str, frame: Frame) -> Floats:
        """Return the values of a layer for all cells, (cells,) float64; NaN: nothing."""
        if name == "heat":
            return frame.layers["heat"]
        if self._moment is None or self._moment[0] is not frame:
            now = Moment(frame.columns, _lighting(self.setting, frame.columns), clouds_of(frame.columns))
            self._moment = frame, now
        return self.all(name, self._moment[1])


def _lighting(setting: Setting, columns: Columns) -> Lighting:
    """Return the light of places, with zones that were switched on or off."""
    found = Lighting(setting.level.zones, setting.scenario.light, setting.scenario.lights)
    if "lights" in columns:
        found.light = [None if np.isnan(one) else float(one) for one in columns["lights"].tolist()]
    return found
