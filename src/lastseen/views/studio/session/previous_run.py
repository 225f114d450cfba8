"""Keep the previous run if it was not saved."""

from __future__ import annotations

from ....simulation.recording.live_recording import GrowingRecording
from ..protocol.news import Previous
from .game import Game

_SHORTEST = 5.0
"""Minimum seconds of a run worth keeping: one started by mistake does not replace a long one."""


class PreviousRun:
    """The last run that was left unsaved; it can be saved until another replaces it.

    Attributes
    ----------
    game : the run; None: there is none.
    """

    def __init__(self) -> None:
        self.game: Game | None = None
        self._saved: tuple[Game, str] | None = None

    def note_saved(self, game: Game) -> None:
        """Note that a run was saved in its current state."""
        if game is self.game:
            self.game = None
        else:
            self._saved = (game, _state_of(game))

    def leave(self, game: Game) -> None:
        """Keep a run that is being replaced, unless it is a file, saved, or hardly started."""
        is_made = isinstance(game.recording, GrowingRecording) and game.world is not None
        is_saved = self._saved == (game, _state_of(game)) if is_made else True
        if not is_saved and game.ticks * game.recording.about.step >= _SHORTEST:
            self.game = game
        self._saved = None

    @property
    def told(self) -> Previous | None:
        """Its description for pages."""
        if self.game is None:
            return None
        return Previous(self.game.stage.name, self.game.ticks * self.game.recording.about.step)


def _state_of(game: Game) -> str:
    return "" if game.world is None else f"{game.ticks} {game.world.trace.digest.hexdigest()}"
