"""What is there to see at the step shown? One moment of a game, ready to be sent or kept."""

from __future__ import annotations

from .frames import Moment, packed_moment
from .game import Game
from .sights import Sights

__all__ = ["Lens"]


class Lens:
    """Looks at one game; what it needs for that beside the game's own record is kept here."""

    def __init__(self, game: Game):
        self._game = game
        self._sights = Sights(game.stage)

    def moment(self, *, views: bool, age: int = 0, whole: bool = False) -> Moment:
        """Return the step shown; `views`: with the areas guards see."""
        game = self._game
        about = game.recording.about
        columns, layers = game.now()
        areas = self._sights.areas(columns, about.notes["watchers"]) if views else None
        return packed_moment(
            columns, layers, tick=game.shown, now=game.shown * about.step, age=age, whole=whole, views=areas
        )
