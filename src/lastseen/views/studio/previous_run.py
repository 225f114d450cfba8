"""Which run was made before the one that is open, and saved by nobody?"""

from __future__ import annotations

from typing import Any

from ...simulation.recording.growing import GrowingRecording
from .game import Game

__all__ = ["PreviousRun"]

_SHORTEST = 5.0
"""Seconds of a run that is worth keeping: one that was begun by mistake does not push out a long one."""


class PreviousRun:
    """The last run that was left unsaved; it can be saved until another takes its place.

    Attributes
    ----------
    game : that run; None: there is none.
    """

    def __init__(self) -> None:
        self.game: Game | None = None
        self._saved: tuple[Game, str] | None = None

    def note_saved(self, game: Game) -> None:
        """A run was saved as it is now."""
        if game is self.game:
            self.game = None
        else:
            self._saved = (game, _state_of(game))

    def leave(self, game: Game) -> None:
        """Another run takes the place of this one: keep it, unless it is a file, saved, or hardly begun."""
        is_made = isinstance(game.recording, GrowingRecording) and game.world is not None
        is_saved = self._saved == (game, _state_of(game)) if is_made else True
        if not is_saved and game.ticks * game.recording.about.step >= _SHORTEST:
            self.game = game
        self._saved = None

    def as_object(self) -> dict[str, Any] | None:
        """Return what pages are told of it."""
        if self.game is None:
            return None
        return {"title": self.game.stage.name, "seconds": self.game.ticks * self.game.recording.about.step}


def _state_of(game: Game) -> str:
    return "" if game.world is None else f"{game.ticks} {game.world.digest.hexdigest()}"
