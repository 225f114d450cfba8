"""The director: one game, its clock, and what pages are told of it."""

from __future__ import annotations

from collections.abc import Callable
from time import perf_counter
from typing import Any, ClassVar

import msgspec

from ...agents.events import Event
from ...errors import InputError, LastSeenError
from ...simulation.puppet import PlayerInput
from . import messages as say
from .clients import Hub
from .folder import Folder
from .frames import packed_moment
from .game import LAYERS, Game
from .greeting import greeting_of
from .opening import opened
from .questions import account_answer, cell_answer, flood_answer
from .sights import Sights
from .stage import Stage
from .telling import Telling

__all__ = ["Director"]

_FASTEST = 1.0 / 60.0
"""Seconds between two frames at least, however fast time passes."""
_BATCH = 200
"""Events in one message."""
_TELL_BUSY = 0.25
Pages = tuple[int, ...] | None
"""Numbers of pages; None: all."""


class Director:
    """Lives in the game's thread. Every method named for a message obeys it, or raises and has changed nothing.

    Attributes
    ----------
    game : what is played or watched.
    due : when the next step is due, as `perf_counter` counts.
    """

    def __init__(self, hub: Hub, folder: Folder, stage: Stage, is_stopping: Callable[[], bool]):
        self._hub, self._folder, self._is_stopping = hub, folder, is_stopping
        self._views: set[int] = set()
        self._age = 0
        self._speed = 1.0
        self._running = False
        self._wanted = say.Input()
        self.due = self._shown_at = 0.0
        self._open(stage)

    @property
    def is_running(self) -> bool:
        """Does time pass?"""
        return self._running

    def halt(self) -> None:
        """Let no time pass, whatever the reason."""
        self._running = False

    def forget(self, client: int) -> None:
        """A page went."""
        self._views.discard(client)

    def complain(self, client: int | None, code: str, message: str, about: str = "") -> None:
        """Tell a page, or all, what is wrong."""
        self._say(
            {"type": "error", "code": code, "message": message, "about": about}, None if client is None else (client,)
        )

    def obey(self, client: int, message: say.Message) -> None:
        """Do what a page asks for, or say why not."""
        try:
            self._handlers[type(message)](self, client, message)
        except LastSeenError as error:
            self.complain(client, "refused", str(error), str(message.__struct_config__.tag))

    # What passes by itself

    def tick(self) -> None:
        """Let one step pass and show it."""
        now = perf_counter()
        interval = self.game.recording.about.step / self._speed
        # Whoever is late by more than a few steps does not catch up: that time was lost.
        self.due = max(self.due + interval, now - 4.0 * interval)
        self._advance()
        if now - self._shown_at >= _FASTEST or not self._running:
            self._show()

    def _advance(self) -> None:
        """Let one step pass: the next recorded one, or a new one at the end."""
        game = self.game
        if not game.is_at_end():
            game.seek(game.shown + 1)
            if game.is_at_end() and (game.mode == "play" or game.has_ended()):
                self._pause()
            return
        if game.has_ended():
            self._pause()
            return
        if game.is_full:
            self._pause()
            raise InputError("the recording in memory is full; save it and begin again")
        first, wanted = game.ticks, self._wanted
        self._wanted = msgspec.structs.replace(wanted, use=False, throw=None)
        self._tell(game.advance(PlayerInput(wanted.move, wanted.gait, wanted.use, wanted.throw)), first)
        if game.has_ended():
            self._pause()
        else:
            self._telling.go_on(self._hub)

    def _pause(self) -> None:
        self._running = False
        self._telling.finish(self._hub)
        self._status()

    # What pages are told

    def greet(self, to: Pages = None) -> None:
        """Tell pages everything from the beginning."""
        hello = self._greeting | self._folder.menus() | self._state() | {"type": "hello"}
        self._hub.greet(_text(hello), self._age, to)
        self._tell(self.game.events(), 0, to)
        self._telling.whole(self._hub, to)
        self._status(to)
        self._show(whole=True, to=to)

    def _say(self, values: dict[str, Any], to: Pages = None) -> None:
        self._hub.say(_text(values), to)

    def _show(self, *, whole: bool = False, to: Pages = None) -> None:
        game = self.game
        columns, layers = game.now()
        self._shown_at = perf_counter()
        now = game.shown * game.recording.about.step
        views = self._sights.areas(columns, game.recording.about.notes["watchers"]) if self._views else None
        moment = packed_moment(columns, layers, tick=game.shown, now=now, age=self._age, whole=whole, views=views)
        self._hub.show(moment, to)

    def _status(self, to: Pages = None) -> None:
        self._say(self._state() | {"type": "status"}, to)

    def _state(self) -> dict[str, Any]:
        game = self.game
        end = game.recording.end if game.is_at_end() else None
        return {
            "running": self._running,
            "speed": self._speed,
            "tick": game.shown,
            "ticks": game.ticks,
            "mode": game.mode,
            "live": game.is_at_end() and not game.has_ended(),
            "digest": game.digest(),
            "ended": None if end is None else {"reason": end.reason, "text": end.text},
        }

    def _tell(self, events: list[Event], first: int, to: Pages = None) -> None:
        for start in range(0, len(events), _BATCH):
            batch = events[start : start + _BATCH]
            # Those of this message follow those of the last: only the first may drop anything.
            since = first if start == 0 else batch[-1].tick + 1
            self._say({"type": "events", "from": since, "events": [_plain(event) for event in batch]}, to)

    def _open(self, stage: Stage) -> None:
        game = Game(stage)
        greeting, sights = greeting_of(game), Sights(stage)
        game.now()  # what cannot be shown is not opened
        self.game, self._greeting, self._sights, self._telling = game, greeting, sights, Telling(game)
        self._age += 1
        self._running = False
        self._wanted = say.Input()
        self.greet()

    # What pages ask for

    def _input(self, client: int, message: say.Input) -> None:  # noqa: ARG002
        # Once means once, even where the next direction comes before the next step.
        use, throw = message.use or self._wanted.use, message.throw or self._wanted.throw
        self._wanted = msgspec.structs.replace(message, use=use, throw=throw)

    def _run(self, client: int, message: say.Run) -> None:  # noqa: ARG002
        self._speed = message.speed or self._speed
        if self._running and not message.running:
            self._pause()
            return
        if message.running and not self._running:
            self.due = perf_counter()
            self._running = not (self.game.is_at_end() and self.game.has_ended())
        self._status()

    def _step(self, client: int, message: say.Step) -> None:  # noqa: ARG002
        self._running = False
        for _ in range(message.ticks):
            if self.game.is_at_end() and self.game.has_ended():
                break
            self._advance()
        self._pause()
        self._show()

    def _seek(self, client: int, message: say.Seek) -> None:  # noqa: ARG002
        self._running = False
        self.game.seek(message.tick)
        self._status()
        self._show(whole=True)

    def _resume(self, client: int, message: say.Resume) -> None:  # noqa: ARG002
        self._running = False
        if self.game.is_at_end() and self.game.world is not None:
            self._status()
            return
        told = perf_counter()

        def progress(tick: int) -> bool:
            nonlocal told
            if perf_counter() - told > _TELL_BUSY:
                told = perf_counter()
                self._say({"type": "busy", "text": "repeating the run", "tick": tick})
            return not self._is_stopping()

        try:
            self.game.resume(progress)
            self._say({"type": "events", "from": self.game.shown + 1, "events": []})
        finally:
            self._wanted = say.Input()
            self._telling.whole(self._hub)
            self._status()
            self._show(whole=True)

    def _restart(self, client: int, message: say.Restart) -> None:  # noqa: ARG002
        self._open(self.game.stage)

    def _open_other(self, client: int, message: say.Open) -> None:  # noqa: ARG002
        self._say({"type": "busy", "text": "opening and baking", "tick": 0})
        try:
            self._open(opened(self._folder, message, self.game.stage))
        except LastSeenError:
            self._status()  # busy no longer
            raise

    def _overlays(self, client: int, message: say.Overlays) -> None:
        numbers = None
        if message.layers is not None:
            unknown = [name for name in message.layers if name not in LAYERS]
            if unknown:
                raise InputError(f"no layer {unknown[0]!r}; there are {', '.join(LAYERS)}")
            numbers = tuple(sorted({LAYERS.index(name) for name in message.layers}))
        (self._views.add if message.views else self._views.discard)(client)
        self._hub.choose(client, numbers, message.views)
        self._show(to=(client,))

    def _ask(self, client: int, message: say.Ask) -> None:
        self._say(account_answer(self.game, message.agent, message.tick), (client,))

    def _cell(self, client: int, message: say.Cell) -> None:
        self._say(cell_answer(self.game, message.cell), (client,))

    def _what_if(self, client: int, message: say.WhatIf) -> None:
        self._say(flood_answer(self.game, message), (client,))

    def _place(self, client: int, message: say.Place) -> None:
        if self._running:
            raise InputError("pause before you move somebody")
        self.game.require_place(message.agent, message.at)
        self._resume(client, say.Resume())
        self.game.place(message.agent, message.at)
        self._show(whole=True)

    def _save(self, client: int, message: say.Save) -> None:
        name = self._folder.save(message.name, self.game.file())
        self._say({"type": "saved", "name": name, "ticks": self.game.ticks}, (client,))

    def _export(self, client: int, message: say.Export) -> None:  # noqa: ARG002
        raise InputError(f"{message.kind} cannot be made here; save the run, then use lastseen replay")

    _handlers: ClassVar[dict[type, Callable[..., None]]] = {
        say.Input: _input,
        say.Run: _run,
        say.Step: _step,
        say.Seek: _seek,
        say.Resume: _resume,
        say.Restart: _restart,
        say.Open: _open_other,
        say.Overlays: _overlays,
        say.Ask: _ask,
        say.Cell: _cell,
        say.WhatIf: _what_if,
        say.Place: _place,
        say.Save: _save,
        say.Export: _export,
    }


def _plain(event: Event) -> dict[str, Any]:
    """Return an event with all its fields, those left at their defaults too."""
    return {name: getattr(event, name) for name in event.__struct_fields__}


def _text(values: dict[str, Any]) -> str:
    return msgspec.json.encode(values).decode()
