"""Continue from a past step: repeat the run up to it in the background, and hold messages about it meanwhile."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import TYPE_CHECKING

from ....errors import LastSeenError, RecordingError
from ..protocol.messages import Input, Message
from ..protocol.news import Busy, Events
from .game import Game
from .message_handlers import WAITING

if TYPE_CHECKING:
    from .director import Director

_PACE = 0.25
"""Seconds between two progress messages."""
Later = Callable[[Callable[[], None]], None]


class Repetition:
    """Repeats a game up to the step `until` in a separate thread; that game is not changed and can be viewed meanwhile.

    In the game's thread, `done` gets the repetition and the repeated game, an error, or None if it was cancelled.
    """

    def __init__(
        self,
        game: Game,
        later: Later,
        report: Callable[[int], None],
        done: Callable[[Repetition, Game | LastSeenError | None], None],
    ):
        self.until, self.cancelled = game.shown, threading.Event()
        self._make, self._later, self._report, self._done = game.repeater(), later, report, done
        self._reported = perf_counter()
        self.thread = threading.Thread(target=self._run, name="lastseen repeating", daemon=True)
        self.thread.start()

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
        if perf_counter() - self._reported > _PACE:
            self._reported = perf_counter()
            self._report(tick)
        return not self.cancelled.is_set()


_MOST_HELD = 500
"""Maximum number of messages that wait for a repeated run."""


class Resumption:
    """Continues the director's game from a past step, and holds messages meanwhile.

    `later` runs a function in the game's thread soon.
    """

    def __init__(self, director: Director, later: Later):
        self._director, self._later = director, later
        self._repeating: Repetition | None = None
        self._held: list[tuple[int, Message]] = []

    def begin(self, client: int, then: Callable[[], None] = lambda: None) -> None:
        """Continue from the step shown, then call `then`."""
        director, game = self._director, self._director.game
        director.halt()
        if game.is_at_end() and game.world is not None:
            director.status()
            then()
            return
        director.repeats_to = game.shown
        done = partial(self._repeated, client, then)
        self._repeating = Repetition(game, self._later, self._report, done)
        director.status()

    def holds(self, client: int, message: Message) -> bool:
        """Return whether a message is about a run being repeated, and hold it; over the limit it is dropped."""
        if self._repeating is None or not isinstance(message, WAITING):
            return False
        if len(self._held) < _MOST_HELD:
            self._held.append((client, message))
        return True

    def call_off(self) -> bool:
        """Cancel the repetition; False: there was none."""
        if self._repeating is not None:
            self._repeating.cancelled.set()
        return self._repeating is not None

    def forget(self) -> None:
        """Cancel it and drop held messages, because something else is opened."""
        self.call_off()
        self._repeating = self._director.repeats_to = None
        self._held = []

    def stop(self) -> None:
        """Cancel it, and wait for that."""
        if self._repeating is not None and self.call_off():
            self._repeating.thread.join(timeout=5.0)

    def _report(self, tick: int) -> None:
        self._director.say(Busy("repeating the run", tick, self._director.repeats_to))

    def _repeated(
        self, client: int, then: Callable[[], None], which: Repetition, found: Game | LastSeenError | None
    ) -> None:
        """Take over the repeated run and handle held messages; if cancelled, nothing changes."""
        if which is not self._repeating:
            return  # something else was opened meanwhile
        director = self._director
        self._repeating = None
        held, self._held = self._held, []
        if isinstance(found, Game):
            director.game.adopt(found)
            director.say(Events(director.game.shown + 1, []))
            director.wanted = Input()
            director.story.whole(director.hub)
            director.follow_trees()
        elif found is not None:
            director.game.give_up_world()
            director.game.seek(which.until)
            director.complain(client, "refused", str(found), "resume")
        else:
            held = []
        director.status()
        director.show(whole=True)
        try:
            if isinstance(found, Game):
                then()
        except LastSeenError as error:
            director.complain(client, "refused", str(error), "resume")
        for page, message in held:
            director.handle(page, message)
        if self._repeating is None:
            director.repeats_to = None
            director.status()
