"""Pack the shown step of a game with the areas seen and paths, ready to be sent or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ....conventions import Array
from ...scene.sights import Sights
from ..session.game import Game
from .frames import PackedFrame, pack_frame

Key = TypeVar("Key", str, int)


class Lens:
    """Views one game; keeps what it needs besides the game's own recording.

    `grain` is the precision, in metres, radians and seconds, to which numbers are rounded; outlines of views and paths
    use eight times that; 0: no rounding.
    """

    def __init__(self, game: Game, *, grain: float = 0.0):
        self._game, self._grain = game, grain
        self._sights = Sights(game.stage.setting, game.recording.about.notes["watchers"])

    def frame(
        self, *, views: bool, ways: bool = False, age: int = 0, whole: bool = False, more: Sequence[Array] = ()
    ) -> PackedFrame:
        """Return the step shown; `views`: with the areas guards see, `ways`: with the paths of agents.

        `more` are surveyed layers, (cells,) int8 each.
        """
        game = self._game
        about = game.recording.about
        columns, layers = game.now()
        areas = self._sights.areas(columns) if views else None
        routes = game.ways(columns) if ways else None
        now = game.shown * about.step
        if self._grain:
            columns, areas, routes = self._rounded(columns, 1.0), self._rounded(areas, 8.0), self._rounded(routes, 8.0)
        layers = [*layers, *more]
        return pack_frame(columns, layers, tick=game.shown, now=now, age=age, whole=whole, views=areas, ways=routes)

    def _rounded(self, given: dict[Key, Array] | None, times: float) -> dict[Key, Array]:
        grain = times * self._grain
        return {
            name: np.round(values / grain) * grain if values.dtype.kind == "f" else values
            for name, values in (given or {}).items()
        }
