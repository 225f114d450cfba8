"""The director: one game and its clock, and who obeys pages."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter

import msgspec

from ...errors import InputError, LastSeenError
from ...simulation.puppet import PlayerInput
from .announcer import Announcer
from .clients import Hub
from .exports import Exports
from .folder import Folder
from .game import Game
from .layers import layer_kinds
from .messages import Input, Message
from .obeying import HANDLERS
from .placing import Placing
from .resuming import Resuming
from .stage import Stage

__all__ = ["Director"]

_FASTEST = 1.0 / 60.0
"""Seconds between two frames at least, however fast time passes."""


class Director(Announcer):
    """Lives in the game's thread; there is nothing to obey, show or tell before `begin`.

    Attributes
    ----------
    wanted : what the player wants from the next step on.
    due : when the next step is due, as `perf_counter` counts.
    exports : who makes files of the run, beside it; `placing` keeps guards placed for its level.
    resuming : who goes on from steps of the past.
    """

    def __init__(
        self,
        hub: Hub,
        folder: Folder,
        is_stopping: Callable[[], bool],
        *,
        later: Callable[[Callable[[], None]], None],
        keep_running: bool = False,
    ):
        super().__init__(hub, folder, later)
        self.is_stopping = is_stopping
        self._keep_running = keep_running
        self._pages: set[int] = set()
        self._left_at: float | None = None
        self.exports, self.placing = Exports(self.say), Placing()
        self.resuming = Resuming(self, later)
        self.wanted = Input()
        self.due = 0.0

    def begin(self, stage: Stage) -> None:
        """Begin something, and tell nobody yet; what cannot be begun leaves all as it was."""
        self.present(Game(stage), layer_kinds(stage))
        self.resuming.forget()
        self.placing.forget()
        self.is_running = False
        self.wanted = Input()

    def open(self, stage: Stage) -> None:
        """Begin something else, and greet everybody; what cannot be begun leaves all as it was."""
        left = self.game
        self.begin(stage)
        self.previous.leave(left)
        self.greet()

    def stop(self) -> None:
        """Give up what is made beside the game."""
        self.exports.stop()
        self.surveying.stop()
        self.resuming.stop()

    # Pages come, ask, and go

    def welcome(self, client: int) -> None:
        """A page came: tell it everything, and that the game waited for it if it did."""
        self._pages.add(client)
        self.greet((client,))
        if self._left_at is not None:
            words = f"Paused at {self._left_at:.1f} s, when the last page was closed."
            self.say({"type": "note", "text": words}, (client,))
            self._left_at = None

    def obey(self, client: int, message: Message) -> None:
        """Do what a page asks for, or say why not; what is about a run that is repeated waits for it."""
        if self.resuming.holds(client, message):
            return
        try:
            HANDLERS[type(message)](self, client, message)
        except LastSeenError as error:
            self.complain(client, "refused", str(error), str(message.__struct_config__.tag))

    def forget(self, client: int) -> None:
        """A page went; with the last one time stops, unless it is to go on."""
        for pages in (self._pages, self.views, self.ways, self.spots):
            pages.discard(client)
        self.exports.cancel(client)
        self.surveying.forget(client)
        self.placing.forget(client)
        if not self._pages and self.is_running and not self._keep_running:
            self.pause()
            self._left_at = self.game.shown * self.game.recording.about.step

    # Time passes

    def tick(self) -> None:
        """Let one step pass and show it."""
        now = perf_counter()
        interval = self.game.recording.about.step / self.speed
        # Whoever is late by more than a few steps does not catch up: that time was lost.
        self.due = max(self.due + interval, now - 4.0 * interval)
        self.advance()
        if now - self._shown_at >= _FASTEST or not self.is_running:
            self.show()

    def advance(self) -> None:
        """Let one step pass: the next recorded one, or a new one at the end."""
        game = self.game
        if not game.is_at_end():
            game.seek(game.shown + 1)
            if game.is_at_end() and (game.mode == "play" or game.has_ended()):
                self.pause()
            return
        if game.has_ended():
            self.pause()
            return
        if game.is_full:
            self.pause()
            raise InputError("the recording in memory is full; save it and begin again")
        first, wanted = game.ticks, self.wanted
        self.wanted = msgspec.structs.replace(wanted, use=False, throw=None, strike=False)
        self.tell(game.advance(PlayerInput(**msgspec.structs.asdict(wanted))), first)
        if game.has_ended():
            self.pause()
        else:
            self.telling.go_on(self.hub)

    def pause(self) -> None:
        """Let no time pass, and say so."""
        self.is_running = False
        self.telling.finish(self.hub)
        self.status()

    def halt(self) -> None:
        """Let no time pass, whatever the reason."""
        self.is_running = False
