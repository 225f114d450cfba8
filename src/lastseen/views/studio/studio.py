"""The game's thread: takes what pages say, lets time pass, shows every step to all pages."""

from __future__ import annotations

import queue
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial
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

__all__ = ["Studio"]

MOST_COMMANDS = 2_000
_FASTEST = 1.0 / 60.0
"""Seconds between two frames at least, however fast time passes."""
_BATCH = 200
"""Events in one message."""


@dataclass(frozen=True)
class _Command:
    client: int
    message: say.Message | None
    act: Callable[[], None] | None = None


class Studio:
    """Owns the game. Pages speak to it through `submit`; it speaks to them through its hub."""

    def __init__(self, stage: Stage, folder: Folder):
        self.hub = Hub()
        self.folder = folder
        self.late: list[float] = []
        self._commands: queue.Queue[_Command] = queue.Queue(MOST_COMMANDS)
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="lastseen game", daemon=True)
        self._views: set[int] = set()
        self._age = 0
        self._wanted = say.Input()
        self._running = False
        self._speed = 1.0
        self._due = self._shown_at = 0.0
        self._open(stage)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End the game's thread."""
        self._stopping.set()
        self._submit(_Command(0, None))
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def join(self, client: int) -> None:
        """A page came: greet it."""
        self._submit(_Command(client, None, lambda: self._greet((client,))))

    def leave(self, client: int) -> None:
        """A page went."""
        self._submit(_Command(client, None, lambda: self._views.discard(client)))

    def submit(self, client: int, message: say.Message) -> bool:
        """Hand over a message of a page; False: too many wait."""
        return self._submit(_Command(client, message))

    def _submit(self, command: _Command) -> bool:
        try:
            self._commands.put_nowait(command)
        except queue.Full:
            return False
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            wait = max(0.0, self._due - perf_counter()) if self._running else None
            try:
                command = (
                    self._commands.get(timeout=wait) if wait is None or wait > 0.0 else self._commands.get_nowait()
                )
            except queue.Empty:
                self._guarded(0, self._tick)
                continue
            self._guarded(command.client, partial(self._obey, command))
            if self._running and perf_counter() >= self._due:
                self._guarded(0, self._tick)

    def _guarded(self, client: int, act: Callable[[], None]) -> None:
        """Do something; what goes wrong is told to the page, and never ends the thread."""
        try:
            act()
        except LastSeenError as error:
            self._complain(client, "refused", str(error))
        except Exception as error:
            traceback.print_exc()
            self._running = False
            self._complain(client, "failed", f"something is wrong in the studio: {type(error).__name__}: {error}")

    def _complain(self, client: int, code: str, message: str, about: str = "") -> None:
        text = _text({"type": "error", "code": code, "message": message, "about": about})
        self.hub.say(text, None if client == 0 else (client,))

    def _obey(self, command: _Command) -> None:
        if command.act is not None:
            command.act()
        if command.message is None:
            return
        try:
            self._handlers[type(command.message)](self, command.client, command.message)
        except LastSeenError as error:
            self._complain(command.client, "refused", str(error), str(type(command.message).__struct_config__.tag))

    # What passes by itself

    def _tick(self) -> None:
        now = perf_counter()
        self.late = [*self.late[-599:], now - self._due]
        interval = self.game.recording.about.step / self._speed
        # Whoever is late by more than a few steps does not catch up: time was lost.
        self._due = max(self._due + interval, now - 4.0 * interval)
        self._advance()
        if now - self._shown_at >= _FASTEST or not self._running:
            self._show()

    def _advance(self) -> None:
        """Let one step pass: the next recorded one, or a new one at the end."""
        game = self.game
        if not game.is_at_end():
            game.seek(game.shown + 1)
            if game.is_at_end() and (game.stage.mode == "play" or game.has_ended()):
                self._pause()
            return
        if game.has_ended() or game.is_full:
            self._pause()
            if game.is_full:
                raise InputError("the recording in memory is full; save it and begin again")
            return
        tick = game.ticks
        wanted = self._wanted
        self._wanted = msgspec.structs.replace(wanted, use=False, throw=None)
        events = game.advance(PlayerInput(wanted.move, wanted.gait, wanted.use, wanted.throw))
        self._tell(events, tick)
        if game.has_ended():
            self._pause()
        else:
            self._telling.go_on(self.hub)

    def _pause(self) -> None:
        self._running = False
        self._telling.finish(self.hub)
        self._status()

    # What pages are told

    def _show(self, *, whole: bool = False, to: tuple[int, ...] | None = None) -> None:
        columns, layers = self.game.now()
        self._shown_at = perf_counter()
        now = self.game.shown * self.game.recording.about.step
        views = self._sights.areas(columns, self.game.recording.about.notes["watchers"]) if self._views else None
        moment = packed_moment(columns, layers, tick=self.game.shown, now=now, age=self._age, whole=whole, views=views)
        self.hub.show(moment, to)

    def _status(self, to: tuple[int, ...] | None = None) -> None:
        self.hub.say(_text(self._state() | {"type": "status"}), to)

    def _state(self) -> dict[str, Any]:
        game = self.game
        end = game.recording.end if game.is_at_end() else None
        return {
            "running": self._running,
            "speed": self._speed,
            "tick": game.shown,
            "ticks": game.ticks,
            "mode": game.stage.mode,
            "live": game.is_at_end() and not game.has_ended(),
            "digest": game.digest(),
            "ended": None if end is None else {"reason": end.reason, "text": end.text},
        }

    def _tell(self, events: list[Event], first: int, to: tuple[int, ...] | None = None) -> None:
        for start in range(0, len(events), _BATCH):
            batch = [_plain(event) for event in events[start : start + _BATCH]]
            self.hub.say(_text({"type": "events", "from": first, "events": batch}), to)

    def _greet(self, to: tuple[int, ...] | None = None) -> None:
        self._greeting |= self.folder.menus()
        self.hub.greet(_text(self._greeting | self._state() | {"type": "hello"}), self._age, to)
        self._tell(self.game.events(), 0, to)
        self._telling.whole(self.hub, to)
        self._status(to)
        self._show(whole=True, to=to)

    def _open(self, stage: Stage) -> None:
        game = Game(stage)
        self.game = game
        self._age += 1
        self._running = False
        self._wanted = say.Input()
        self._sights = Sights(stage)
        self._telling = Telling(game)
        self._greeting = greeting_of(game, {})
        self._greet()

    # What pages ask for

    def _on_input(self, client: int, message: say.Input) -> None:  # noqa: ARG002
        before = self._wanted
        # Once means once, even where the next direction comes before the next step.
        use, throw = message.use or before.use, message.throw or before.throw
        self._wanted = msgspec.structs.replace(message, use=use, throw=throw)

    def _on_run(self, client: int, message: say.Run) -> None:  # noqa: ARG002
        if message.speed is not None:
            self._speed = message.speed
        if message.running and not self._running:
            self._due = perf_counter()
            self._running = not (self.game.is_at_end() and self.game.has_ended())
            self._status()
        elif not message.running and self._running:
            self._pause()
        else:
            self._status()

    def _on_step(self, client: int, message: say.Step) -> None:  # noqa: ARG002
        self._running = False
        for _ in range(message.ticks):
            self._advance()
            if self.game.is_at_end() and self.game.has_ended():
                break
        self._pause()
        self._show()

    def _on_seek(self, client: int, message: say.Seek) -> None:  # noqa: ARG002
        self._running = False
        self.game.seek(message.tick)
        self._status()
        self._show(whole=True)

    def _on_resume(self, client: int, message: say.Resume) -> None:  # noqa: ARG002
        self._running = False
        told = perf_counter()

        def progress(tick: int) -> bool:
            nonlocal told
            if perf_counter() - told > 0.25:
                told = perf_counter()
                self.hub.say(_text({"type": "busy", "text": "repeating the run", "tick": tick}))
            return not self._stopping.is_set()

        if self.game.is_at_end() and self.game.world is not None:
            self._status()
            return
        try:
            self.game.resume(progress)
        finally:
            self._wanted = say.Input()
            self._telling = Telling(self.game)
            self.hub.say(_text({"type": "events", "from": self.game.shown + 1, "events": []}))
            self._telling.whole(self.hub)
            self._status()
            self._show(whole=True)

    def _on_restart(self, client: int, message: say.Restart) -> None:  # noqa: ARG002
        self._open(self.game.stage)

    def _on_open(self, client: int, message: say.Open) -> None:  # noqa: ARG002
        self._open(opened(self.folder, message, self.game.stage))

    def _on_overlays(self, client: int, message: say.Overlays) -> None:
        (self._views.add if message.views else self._views.discard)(client)
        numbers = None
        if message.layers is not None:
            unknown = [name for name in message.layers if name not in LAYERS]
            if unknown:
                raise InputError(f"no layer {unknown[0]!r}; there are {', '.join(LAYERS)}")
            numbers = tuple(sorted({LAYERS.index(name) for name in message.layers}))

        def act() -> None:
            if client in self.hub.clients:
                self.hub.clients[client].choose(numbers, message.views)

        self.hub.call(act)
        self._show(to=(client,))

    def _on_ask(self, client: int, message: say.Ask) -> None:
        self.hub.say(_text(account_answer(self.game, message.agent, message.tick)), (client,))

    def _on_cell(self, client: int, message: say.Cell) -> None:
        self.hub.say(_text(cell_answer(self.game, message.cell)), (client,))

    def _on_what_if(self, client: int, message: say.WhatIf) -> None:
        self.hub.say(_text(flood_answer(self.game, message)), (client,))

    def _on_place(self, client: int, message: say.Place) -> None:
        if self._running:
            raise InputError("pause before you move somebody")
        if not self.game.is_at_end() or self.game.world is None:
            self._on_resume(client, say.Resume())
        self.game.place(message.agent, message.at)
        self._show(whole=True)

    def _on_save(self, client: int, message: say.Save) -> None:
        name = self.folder.save(message.name, self.game.file())
        self.hub.say(_text({"type": "saved", "name": name, "ticks": self.game.ticks}), (client,))

    def _on_export(self, client: int, message: say.Export) -> None:  # noqa: ARG002
        raise InputError(f"{message.kind} cannot be exported here; use lastseen replay on a saved recording")

    _handlers: ClassVar[dict[type, Callable[..., None]]] = {
        say.Input: _on_input,
        say.Run: _on_run,
        say.Step: _on_step,
        say.Seek: _on_seek,
        say.Resume: _on_resume,
        say.Restart: _on_restart,
        say.Open: _on_open,
        say.Overlays: _on_overlays,
        say.Ask: _on_ask,
        say.Cell: _on_cell,
        say.WhatIf: _on_what_if,
        say.Place: _on_place,
        say.Save: _on_save,
        say.Export: _on_export,
    }


def _plain(event: Event) -> dict[str, Any]:
    return {
        "tick": event.tick,
        "kind": event.kind,
        "agent": event.agent,
        "other": event.other,
        "at": event.at,
        "text": event.text,
        "data": event.data,
    }


def _text(values: dict[str, Any]) -> str:
    return msgspec.json.encode(values).decode()
