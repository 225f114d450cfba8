"""Turn the shown step of a game into a moment with the areas seen, ready to be sent or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ....agents.bodies.bodies import STANCES
from ....agents.senses.vision.vision import VISIONS
from ....conventions import Array, Floats
from ....kernels.arrays.agent_arrays import ACTIVE
from ....level.sight.query import visible_areas
from ....level.sight.sight import Sight
from ....simulation.replay.view_shapes import view_shape
from ..session.game import Game
from ..session.stage import Stage
from .frames import Moment, packed_moment

__all__ = ["Lens", "Sights"]

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


Key = TypeVar("Key", str, int)


class Lens:
    """Views one game; keeps what it needs besides the game's own recording.

    `grain` is the precision, in metres, radians and seconds, to which numbers are rounded; outlines of views and paths
    use eight times that; 0: no rounding.
    """

    def __init__(self, game: Game, *, grain: float = 0.0):
        self._game, self._grain = game, grain
        self._sights = Sights(game.stage)

    def moment(
        self, *, views: bool, ways: bool = False, age: int = 0, whole: bool = False, more: Sequence[Array] = ()
    ) -> Moment:
        """Return the step shown; `views`: with the areas guards see, `ways`: with the paths of agents.

        `more` are surveyed layers, (cells,) int8 each.
        """
        game = self._game
        about = game.recording.about
        columns, layers = game.now()
        areas = self._sights.areas(columns, about.notes["watchers"]) if views else None
        routes = game.ways(columns) if ways else None
        now = game.shown * about.step
        if self._grain:
            columns, areas, routes = self._rounded(columns, 1.0), self._rounded(areas, 8.0), self._rounded(routes, 8.0)
        layers = [*layers, *more]
        return packed_moment(columns, layers, tick=game.shown, now=now, age=age, whole=whole, views=areas, ways=routes)

    def _rounded(self, given: dict[Key, Array] | None, times: float) -> dict[Key, Array]:
        grain = times * self._grain
        return {
            name: np.round(values / grain) * grain if values.dtype.kind == "f" else values
            for name, values in (given or {}).items()
        }
