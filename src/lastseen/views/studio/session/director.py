"""The director: one game and its clock, controlled by pages."""

from __future__ import annotations

import traceback
from collections.abc import Callable
from time import perf_counter

import msgspec

from ....errors import InputError, LastSeenError
from ....simulation.world.puppet import PlayerInput
from ..answers.background_answers import BackgroundAnswers
from ..answers.export_jobs import Exports
from ..answers.guard_placement import GuardPlans
from ..panels.registry import asking_panels
from ..protocol.layers import layer_kinds
from ..protocol.messages import ONCE, Input, Message
from ..protocol.news import Menus, Note
from ..server.clients import Hub
from .announcer import Announcer
from .breakpoints import Breakpoints
from .feed_run import FeedRun
from .feeds import Feeds
from .folder import Folder
from .game import Game
from .message_handlers import FOR_FEEDS, HANDLERS
from .resumption import Resumption
from .stage import Stage

_FASTEST = 1.0 / 60.0
"""Minimum seconds between two frames, however fast time passes."""


class Director(Announcer):
    """Runs in the game's thread; needs `begin` first.

    Attributes
    ----------
    wanted : the player's input from the next step on.
    due : when the next step is due, as `perf_counter` counts.
    exports : makes files of the run in the background; `placing` keeps guards placed for its level.
    resuming : continues from past steps; `answering` makes answers of panels that take a while.
    feeds : games elsewhere that show themselves here.
    """

    def __init__(
        self,
        hub: Hub,
        folder: Folder,
        *,
        later: Callable[[Callable[[], None]], None],
        keep_running: bool = False,
    ):
        super().__init__(hub, folder, later)
        self._keep_running = keep_running
        self._pages: set[int] = set()
        self._left_at: float | None = None
        self.exports, self.placing = Exports(self.say), GuardPlans()
        self.answering = BackgroundAnswers(self.say)
        self.resuming = Resumption(self, later)
        self.breakpoints = Breakpoints()
        self.feeds = Feeds(self)
        self.wanted = Input()
        self.due = 0.0
        self._owes_step = False

    def begin(self, opened: Stage | FeedRun) -> None:
        """Begin a game, or show a feed, without notifying pages; a failure leaves everything unchanged."""
        if isinstance(opened, FeedRun):
            self.present(opened, ())
        else:
            self.present(Game(opened), layer_kinds(opened))
        self.resuming.forget()
        self.breakpoints.clear()
        self.placing.forget()
        self.is_running = opened.is_connected if isinstance(opened, FeedRun) else False
        self.due = perf_counter()
        self.wanted = Input()

    def open(self, opened: Stage | FeedRun) -> None:
        """Begin another game, or show a feed, and greet all pages; a failure leaves everything unchanged."""
        left = self.game
        self.begin(opened)
        self.previous.leave(left)
        self.greet()

    def watch(self, run: FeedRun, *, follows: bool) -> None:
        """Show a feed that is new or has changed: its latest step, or if pages do not follow it, the step they see."""
        left, was_running = self.game, self.is_running
        run.fresh = []
        if follows:
            run.seek(run.ticks - 1)
        self.begin(run)
        if left is run and not follows:
            self.is_running = was_running
        elif left is not run:
            self.previous.leave(left)
        self.greet()

    def menus(self) -> Menus:
        """Return what can be opened, feeds included, and the previous run."""
        return msgspec.structs.replace(super().menus(), feeds=self.feeds.menu())

    def stop(self) -> None:
        """Abandon background work."""
        self.exports.stop()
        self.surveying.stop()
        self.resuming.stop()
        self.answering.stop()

    # Pages connect, send messages and disconnect.

    def welcome(self, client: int) -> None:
        """Greet a new page, and report if the game was paused because no page was open."""
        self._pages.add(client)
        self.greet((client,))
        if self._left_at is not None:
            self.say(Note(f"Paused at {self._left_at:.1f} s, when the last page was closed."), (client,))
            self._left_at = None

    def handle(self, client: int, message: Message) -> None:
        """Handle a message, or answer with an error; messages about a run that is being repeated wait for it."""
        if self.resuming.holds(client, message):
            return
        about, handle = str(message.__struct_config__.tag), HANDLERS.get(type(message))
        try:
            if self.game.is_feed and about not in FOR_FEEDS:
                raise InputError("a live view can be watched and saved; open a level or a recording for anything else")
            if handle is not None:
                handle(self, client, message)
            else:
                self._answer(client, message)
        except LastSeenError as error:
            self.complain(client, "refused", str(error), about)

    def _answer(self, client: int, question: Message) -> None:
        """Answer the question of a panel; whatever a panel of another package raises is reported to the page."""
        panel = next(one for one in asking_panels() if one.question is type(question))
        assert panel.answer is not None
        try:
            reply = panel.answer(self.game, question)
            if callable(reply):
                self.answering.ask(client, panel.name, reply)
            else:
                self.say(reply, (client,))
        except LastSeenError:
            raise
        except Exception as error:
            traceback.print_exc()
            words = f"panel {panel.name!r} failed: {type(error).__name__}: {error}"
            self.complain(client, "failed", words, panel.name)

    def forget(self, client: int) -> None:
        """Remove a page; without any page time stops, unless it is to keep running."""
        for pages in (self._pages, self.views, self.ways, self.spots):
            pages.discard(client)
        self.exports.cancel(client)
        self.answering.forget(client)
        self.surveying.forget(client)
        self.placing.forget(client)
        if not self._pages and self.is_running and not self._keep_running and not self.game.is_feed:
            self.pause()
            self._left_at = self.game.shown * self.game.recording.about.step

    # Time passes.

    def tick(self) -> None:
        """Advance one step and show it."""
        now = perf_counter()
        interval = self.game.recording.about.step / self.speed
        # Do not catch up when late by more than a few steps.
        self.due = max(self.due + interval, now - 4.0 * interval)
        if not self.game.is_waiting():
            self.advance()
            self.show_soon()
        elif self._owes_step:
            self.show_soon()

    def show_soon(self) -> None:
        """Show the step, unless one was shown a moment ago and time passes: then the next tick shows one."""
        self._owes_step = self.is_running and perf_counter() - self._shown_at < _FASTEST
        if not self._owes_step:
            self.show()

    def advance(self) -> bool:
        """Advance one step, and pause if a breakpoint is hit; return whether one was."""
        before, shown = self.breakpoints.before(self.game), self.game.shown
        self._advance()
        hit = self.breakpoints.hit(self.game, before) if self.game.shown != shown else None
        if hit is not None:
            self.pause()
            self.say(hit)
        return hit is not None

    def follow_trees(self) -> None:
        """Move breakpoints to the nodes of trees that replaced others, and announce it."""
        for moved in self.breakpoints.follow(self.game):
            self.say(moved)

    def _advance(self) -> None:
        """Advance one step: the next recorded one, or a new one at the end."""
        game = self.game
        if game.is_waiting():
            return
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
            raise InputError("the recording in memory is full; save it and start again")
        first, wanted = game.ticks, self.wanted
        self.wanted = msgspec.structs.replace(wanted, **ONCE)
        self.send_events(self.told(game.advance(PlayerInput(**msgspec.structs.asdict(wanted)))), first)
        if game.has_ended():
            self.pause()
        else:
            self.tell_on()

    def pause(self) -> None:
        """Stop time and announce it."""
        self.is_running = False
        self.tell_all()
        self.status()

    def halt(self) -> None:
        """Stop time without announcing it."""
        self.is_running = False
