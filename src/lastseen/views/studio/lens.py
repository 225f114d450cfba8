"""Turn the shown step of a game into a moment, ready to be sent or kept."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeVar

import numpy as np

from ...conventions import Array
from .frames import Moment, packed_moment
from .game import Game
from .sights import Sights

__all__ = ["Lens"]

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
