"""Continue from a past step: repeat the run up to it, and hold messages about it meanwhile."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from typing import TYPE_CHECKING

from ...errors import LastSeenError
from .game import Game
from .messages import Input, Message
from .obeying import WAITING
from .repeating import Repeating

if TYPE_CHECKING:
    from .director import Director

__all__ = ["Resuming"]

_MOST_HELD = 500
"""Maximum number of messages that wait for a repeated run."""


class Resuming:
    """Belongs to the game's thread; the run is repeated in another.

    Parameters
    ----------
    director : the director whose game continues, and which handles the held messages.
    later : runs a function in the game's thread soon.
    """

    def __init__(self, director: Director, later: Callable[[Callable[[], None]], None]):
        self._director, self._later = director, later
        self._repeating: Repeating | None = None
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
        self._repeating = Repeating(game, later=self._later, tell=self._tell, done=done)
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
            self._repeating.cancel()
        return self._repeating is not None

    def forget(self) -> None:
        """Cancel it and drop held messages, because something else is opened."""
        self.call_off()
        self._repeating = self._director.repeats_to = None
        self._held = []

    def stop(self) -> None:
        """Cancel it, and wait for that."""
        if self._repeating is not None:
            self._repeating.stop()

    def _tell(self, tick: int) -> None:
        until = self._director.repeats_to
        self._director.say({"type": "busy", "text": "repeating the run", "tick": tick, "until": until})

    def _repeated(
        self, client: int, then: Callable[[], None], which: Repeating, found: Game | LastSeenError | None
    ) -> None:
        """Take over the repeated run and handle held messages; if cancelled, nothing changes."""
        if which is not self._repeating:
            return  # something else was opened meanwhile
        director = self._director
        self._repeating = None
        held, self._held = self._held, []
        if isinstance(found, Game):
            self._take_over(found)
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
            director.obey(page, message)
        if self._repeating is None:
            director.repeats_to = None
            director.status()

    def _take_over(self, found: Game) -> None:
        director = self._director
        director.game.adopt(found)
        director.say({"type": "events", "from": director.game.shown + 1, "events": []})
        director.wanted = Input()
        director.telling.whole(director.hub)
