"""Repeat a run in the background, up to the step to continue from."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from time import perf_counter

from ...errors import LastSeenError, RecordingError
from .game import Game

__all__ = ["Repeating"]

_TELL = 0.25
"""Seconds between two progress messages."""
Later = Callable[[Callable[[], None]], None]


class Repeating:
    """Repeats a game in a separate thread; that game is not changed and can be viewed meanwhile.

    Attributes
    ----------
    until : the step it is repeated up to.
    """

    def __init__(
        self,
        game: Game,
        *,
        later: Later,
        tell: Callable[[int], None],
        done: Callable[[Repeating, Game | LastSeenError | None], None],
    ):
        """Begin. In the game's thread, `done` gets the repeated game, an error, or None if it was cancelled."""
        self.until = game.shown
        self._make, self._later, self._tell, self._done = game.repeater(), later, tell, done
        self._cancelled = threading.Event()
        self._told = perf_counter()
        self._thread = threading.Thread(target=self._run, name="lastseen repeating", daemon=True)
        self._thread.start()

    def cancel(self) -> None:
        """Cancel it."""
        self._cancelled.set()

    def stop(self) -> None:
        """Cancel it, and wait for that."""
        self.cancel()
        self._thread.join(timeout=5.0)

    def _run(self) -> None:
        found: Game | LastSeenError | None
        try:
            found = self._make(self._progress)
        except LastSeenError as error:
            found = error
        except Exception as error:
            traceback.print_exc()
            found = RecordingError(f"the run could not be repeated: {type(error).__name__}: {error}")
        self._later(lambda: self._done(self, found))

    def _progress(self, tick: int) -> bool:
        if perf_counter() - self._told > _TELL:
            self._told = perf_counter()
            self._tell(tick)
        return not self._cancelled.is_set()
