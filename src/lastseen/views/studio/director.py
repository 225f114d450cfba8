"""The director: one game, its clock, and what pages are told of it."""

from __future__ import annotations

from collections.abc import Callable
from functools import partial
from time import perf_counter
from typing import Any

import msgspec

from ...agents.events import Event
from ...errors import InputError, LastSeenError
from ...simulation.puppet import PlayerInput
from .clients import Hub
from .crewing import CrewNews
from .exports import Exports
from .folder import Folder
from .game import Game
from .greeting import greeting_of
from .layers import LayerKind, layer_kinds
from .lens import Lens
from .messages import Input, Message
from .obeying import HANDLERS, WAITING
from .placing import Placing
from .previous_run import PreviousRun
from .repeating import Repeating
from .searching import Spots
from .stage import Stage
from .surveying import Surveying
from .telling import Telling

__all__ = ["Director"]

_FASTEST = 1.0 / 60.0
"""Seconds between two frames at least, however fast time passes."""
_BATCH = 200
"""Events in one message."""
_MOST_HELD = 500
"""Messages that may wait for a run that is repeated."""
Pages = tuple[int, ...] | None
"""Numbers of pages; None: all."""


class Director:
    """Lives in the game's thread; there is nothing to obey, show or tell before `begin`.

    Attributes
    ----------
    game : what is played or watched; `telling` its story.
    previous : the run before, which can still be saved.
    is_running : does time pass? `speed` times as fast as a clock.
    wanted : what the player wants from the next step on.
    due : when the next step is due, as `perf_counter` counts.
    exports : who makes files of the run, beside it; `placing` keeps guards placed for its level; `surveying` has layers
        of `kinds` made that are not part of it.
    views, ways, spots : pages that are shown what guards see, which way everybody goes, and where they search.
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
        self.hub, self.folder, self.is_stopping = hub, folder, is_stopping
        self._keep_running = keep_running
        self._pages: set[int] = set()
        self._left_at: float | None = None
        self.views: set[int] = set()
        self.ways: set[int] = set()
        self.spots: set[int] = set()
        self._told_spots: Spots | None = None
        self.exports, self.placing = Exports(self.say), Placing()
        self.surveying = Surveying(self.say, later, self._show_survey)
        self._later = later
        self._repeating: Repeating | None = None
        self._repeats_to: int | None = None
        self._held: list[tuple[int, Message]] = []
        self.kinds: tuple[LayerKind, ...] = ()
        self._age = 0
        self.speed = 1.0
        self.is_running = False
        self.wanted = Input()
        self.due = self._shown_at = 0.0
        self.game: Game
        self.previous = PreviousRun()
        self.telling: Telling

    def halt(self) -> None:
        """Let no time pass, whatever the reason."""
        self.is_running = False

    def welcome(self, client: int) -> None:
        """A page came: tell it everything, and that the game waited for it if it did."""
        self._pages.add(client)
        self.greet((client,))
        if self._left_at is not None:
            words = f"Paused at {self._left_at:.1f} s, when the last page was closed."
            self.say({"type": "note", "text": words}, (client,))
            self._left_at = None

    def stop(self) -> None:
        """Give up what is made beside the game."""
        self.exports.stop()
        self.surveying.stop()
        if self._repeating is not None:
            self._repeating.stop()

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

    def complain(self, client: int | None, code: str, message: str, about: str = "") -> None:
        """Tell a page, or all, what is wrong."""
        told = {"type": "error", "code": code, "message": self.folder.plain(message), "about": about}
        self.say(told, None if client is None else (client,))

    def obey(self, client: int, message: Message) -> None:
        """Do what a page asks for, or say why not; what is about a run that is repeated waits for it."""
        if self._repeating is not None and isinstance(message, WAITING):
            if len(self._held) < _MOST_HELD:
                self._held.append((client, message))
            return
        try:
            HANDLERS[type(message)](self, client, message)
        except LastSeenError as error:
            self.complain(client, "refused", str(error), str(message.__struct_config__.tag))

    # Going on from a step of the past

    def repeat(self, client: int, then: Callable[[], None] = lambda: None) -> None:
        """Go on from the step shown, then do something: the run is repeated up to there, beside the game."""
        self.is_running = False
        if self.game.is_at_end() and self.game.world is not None:
            self.status()
            then()
            return
        self._repeats_to = self.game.shown
        self._repeating = Repeating(
            self.game, later=self._later, tell=self._tell_repeating, done=partial(self._repeated, client, then)
        )
        self.status()

    def call_off(self) -> bool:
        """Repeat no longer; False: nothing was repeated."""
        if self._repeating is not None:
            self._repeating.cancel()
        return self._repeating is not None

    def _tell_repeating(self, tick: int) -> None:
        self.say({"type": "busy", "text": "repeating the run", "tick": tick, "until": self._repeats_to})

    def _repeated(
        self, client: int, then: Callable[[], None], which: Repeating, found: Game | LastSeenError | None
    ) -> None:
        """Take over what was repeated, and obey what waited for it; called off, all stays as it was."""
        if which is not self._repeating:
            return  # something else was opened meanwhile
        self._repeating = None
        held, self._held = self._held, []
        if isinstance(found, Game):
            self.game.adopt(found)
            self.say({"type": "events", "from": self.game.shown + 1, "events": []})
            self.wanted = Input()
            self.telling.whole(self.hub)
        elif found is not None:
            self.game.give_up_world()
            self.game.seek(which.until)
            self.complain(client, "refused", str(found), "resume")
        else:
            held = []
        self.status()
        self.show(whole=True)
        try:
            if isinstance(found, Game):
                then()
        except LastSeenError as error:
            self.complain(client, "refused", str(error), "resume")
        for page, message in held:
            self.obey(page, message)
        if self._repeating is None:
            self._repeats_to = None
            self.status()

    # What passes by itself

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

    # What pages are told

    def greet(self, to: Pages = None) -> None:
        """Tell pages everything from the beginning."""
        hello = (
            self._greeting
            | self.folder.menus()
            | self._state()
            | {"type": "hello", "previous": self.previous.as_object()}
        )
        self.hub.greet(_text(hello), self._age, to)
        self.tell(self.game.events(), 0, to)
        self.telling.whole(self.hub, to)
        self.status(to)
        self.show(whole=True, to=to)

    def say(self, values: dict[str, Any], to: Pages = None) -> None:
        """Send a message to some pages, or to all."""
        self.hub.say(_text(values), to)

    def show(self, *, whole: bool = False, to: Pages = None) -> None:
        """Send the step shown; `whole`: all of its layers."""
        self._shown_at = perf_counter()
        more = self.surveying.layers(is_running=self.is_running, whole=whole)
        moment = self._lens.moment(views=bool(self.views), ways=bool(self.ways), age=self._age, whole=whole, more=more)
        self.hub.show(moment, to)
        if self.spots:
            self.tell_spots()
        if news := self._crews.message(to_all=to is None):
            self.say(news, to)

    def _show_survey(self) -> None:
        """Show what was surveyed; while time passes the next step does."""
        if not self.is_running:
            self.show()

    def tell_spots(self, to: Pages = None) -> None:
        """Tell the pages that show them where guards look, or looked, if that has changed or to `to` in any case."""
        searching = self.game.searching
        spots = () if searching is None else searching.spots(self.game.shown)
        if to is not None or spots != self._told_spots:
            self._told_spots = spots
            self.say({"type": "spots", "spots": spots}, to or tuple(self.spots))

    def status(self, to: Pages = None) -> None:
        """Say how things stand."""
        self.say(self._state() | {"type": "status"}, to)

    def _state(self) -> dict[str, Any]:
        game = self.game
        end = game.recording.end if game.is_at_end() else None
        return {
            "running": self.is_running,
            "speed": self.speed,
            "tick": game.shown,
            "ticks": game.ticks,
            "mode": game.mode,
            "live": game.is_at_end() and not game.has_ended(),
            "digest": game.digest(),
            "repeating": self._repeats_to,
            "ended": None if end is None else {"reason": end.reason, "text": end.text},
        }

    def tell(self, events: list[Event], first: int, to: Pages = None) -> None:
        """Tell what happened from step `first` on."""
        for start in range(0, len(events), _BATCH):
            batch = events[start : start + _BATCH]
            # Those of this message follow those of the last: only the first may drop anything.
            since = first if start == 0 else batch[-1].tick + 1
            self.say({"type": "events", "from": since, "events": [_plain(event) for event in batch]}, to)

    def open(self, stage: Stage) -> None:
        """Begin something else, and greet everybody; what cannot be begun leaves all as it was."""
        left = self.game
        self.begin(stage)
        self.previous.leave(left)
        self.greet()

    def begin(self, stage: Stage) -> None:
        """Begin something, and tell nobody yet."""
        game = Game(stage)
        kinds = layer_kinds(stage)
        greeting, lens = greeting_of(game, kinds), Lens(game)
        game.now()  # what cannot be shown is not opened
        self.call_off()
        self._repeating = self._repeats_to = None
        self._held = []
        self.game, self._greeting, self._lens, self.telling = game, greeting, lens, Telling(game)
        self.kinds, self._crews = kinds, CrewNews(game)
        self.surveying.begin(game, kinds)
        self.placing.forget()
        self._age += 1
        self._told_spots = None
        self.is_running = False
        self.wanted = Input()


def _plain(event: Event) -> dict[str, Any]:
    """Return an event with all its fields, those left at their defaults too."""
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _text(values: dict[str, Any]) -> str:
    return msgspec.json.encode(values).decode()
