"""Survey all cells at the step that a page shows, from the recorded state."""

from __future__ import annotations

from bisect import bisect_right

import numpy as np

from ....conventions import Array, Floats, Ids
from ....simulation.recording.recording import Frame, Recording
from ....simulation.scenario.reader import Setting
from ....simulation.world.lighting import Lighting
from ....simulation.world.survey import Columns, Moment
from ....simulation.world.survey import Survey as CellSurvey
from ....vocabulary.events import Predicted, Scripted
from ..session.game import Game
from ..session.stage import Stage

_COLUMNS = ("xyz", "gaze", "mode", "stance", "state", "doors", "platforms")


class PastEvents:
    """Finds floods and scripted events of a run; reads every event only once, as a long recording takes a while."""

    def __init__(self) -> None:
        self._recording: Recording | None = None
        self._floods: list[Predicted] = []
        self._scripted: list[Scripted] = []
        self._until = 0

    def last_flood(self, game: Game) -> Predicted | None:
        """Return the last flood up to the step shown."""
        self._read(game)
        at = bisect_right(self._floods, game.shown, key=lambda event: event.tick)
        return self._floods[at - 1] if at else None

    def scripted(self, game: Game) -> Array:
        """Return the steps and rows of all that the script did up to the step shown, (k, 2)."""
        self._read(game)
        at = bisect_right(self._scripted, game.shown, key=lambda event: event.tick)
        return np.array([(event.tick, event.row) for event in self._scripted[:at]], np.int64).reshape(-1, 2)

    def _read(self, game: Game) -> None:
        if self._recording is not game.recording:
            self._recording, self._floods, self._scripted, self._until = game.recording, [], [], 0
        if self._until < game.ticks:
            new = list(game.recording.events(self._until))
            self._floods += [event for event in new if isinstance(event, Predicted)]
            self._scripted += [event for event in new if isinstance(event, Scripted) and event.row >= 0]
            self._until = game.ticks


def frame_to_survey(game: Game, past: PastEvents | None = None) -> Frame:
    """Return the columns that a survey needs of the step a game shows, and the layer "heat" of its last flood.

    The column "script" has the steps and rows of all that the script did. The frame is never modified, so that the game
    may continue meanwhile; `past` are the events already known.
    """
    columns, _ = game.now()
    past = past or PastEvents()
    flood = past.last_flood(game)
    warm, left = ((), ()) if flood is None else (flood.warm, flood.values)
    cells, values = np.array(warm, np.int64), np.array(left, np.float64)
    heat = np.full(len(game.stage.layout), np.nan)
    there = (cells < len(heat)) & (values > 0)
    heat[cells[there]] = values[there]
    needed = {name: np.array(columns[name]) for name in _COLUMNS if name in columns} | {"script": past.scripted(game)}
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
            seconds = frame.tick * self.setting.scenario.step
            lighting, clouds = _lighting(self.setting, frame.columns), _clouds(self.setting, frame.columns, seconds)
            now = Moment(frame.columns, lighting, clouds)
            self._moment = frame, now
        return self.all(name, self._moment[1])


_SMOKE = 1.0
"""Metres above the floor of the middle of a smoke cloud, as in the script."""


def _lighting(setting: Setting, columns: Columns) -> Lighting:
    """Return the light of places after the rows of the script that have been carried out."""
    scenario = setting.scenario
    lighting = Lighting(setting.level.zones, scenario.light, scenario.lights)
    for _, row in columns["script"].tolist():
        incident = scenario.script[row]
        if incident.do == "light" and isinstance(incident.value, int | float):
            lighting.switch(incident.zone, float(incident.value))
    return lighting


def _clouds(setting: Setting, columns: Columns, seconds: float) -> Floats | None:
    scenario = setting.scenario
    done = [(tick * scenario.step, scenario.script[row]) for tick, row in columns["script"].tolist()]
    found = [
        (*(*one.place, 0.0)[:2], (*one.place, 0.0)[2] + _SMOKE, one.radius)
        for at, one in done
        if one.do == "smoke" and one.place is not None and seconds < at + one.seconds
    ]
    return np.array(found, np.float64).reshape(-1, 4) if found else None
