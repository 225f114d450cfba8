"""Compute the area each watcher sees at a moment."""

from __future__ import annotations

import numpy as np

from ...agents.bodies.bodies import STANCES
from ...agents.senses.vision.vision import VISIONS
from ...conventions import Array, Floats
from ...kernels.arrays.agent_arrays import ACTIVE
from ...level.sight.query import visible_areas
from ...level.sight.sight import Sight
from ...simulation.replay.view_shapes import view_shape
from .stage import Stage

__all__ = ["Sights"]

_EYES = np.array([stance.eye for stance in STANCES])


class Sights:
    """The areas that walls and doors leave visible to watchers; has its own sight, since doors differ in the past."""

    def __init__(self, stage: Stage):
        self._sight = Sight.from_level(stage.setting.level)
        usual = stage.setting.scenario.vision
        self._far = np.array([view_shape(VISIONS[spec.vision or usual]).far for spec in stage.setting.agents])

    def areas(self, columns: dict[str, Array], watchers: Array | list[int]) -> dict[int, Floats]:
        """Return the outlines (k, 2) in metres, by number of the watcher, up to the range of each."""
        who = [number for number in watchers if columns["mode"][number] == ACTIVE and self._far[number] > 0.0]
        if not who:
            return {}
        self._sight.set_doors(columns["doors"])
        eyes = np.asarray(columns["xyz"][who], np.float64).copy()
        eyes[:, 2] += _EYES[np.minimum(columns["stance"][who], len(_EYES) - 1)]
        gaze = np.asarray(columns["gaze"][who], np.float64)
        areas = visible_areas(self._sight, eyes, gaze, 2.0 * np.pi, self._far[who])
        return {number: area for number, area in zip(who, areas) if len(area) >= 3}
