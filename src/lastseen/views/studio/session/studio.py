"""The game's thread: gets ready, handles messages of pages one after another, and advances time in between."""

from __future__ import annotations

import contextlib
import queue
import threading
import traceback
from collections import deque
from collections.abc import Callable, Iterable
from concurrent.futures import Future
from functools import partial
from time import perf_counter
from typing import Literal, TypeVar

from ....compilation.compile_monitor import CompileCounter
from ....compilation.progress import CompileProgress
from ....errors import LastSeenError
from ....kernels.jit import when_compiling
from ....level.level import Level
from ...scene.signs import looks
from ..protocol.greeting import Preview
from ..protocol.level_outline import drawing_of
from ..protocol.messages import Message
from ..protocol.news import Busy, Compiling, Sent
from ..server.clients import Hub
from .director import Director
from .feed_run import FeedRun
from .folder import Folder
from .stage import Stage

MOST_WAITING = 2_000
"""Maximum number of waiting messages of all pages; connecting and disconnecting always gets through."""
NO_PAGE = 0
"""A number that no page has."""
_COMPILING = "compiling, first time only"
_PACE = 0.1
"""Minimum seconds between two messages about the compiler."""
Result = TypeVar("Result")
Say = Callable[[Sent, Iterable[int] | None], None]
"""Sends a message to some pages; None: to all connected ones."""


class Preparation:
    """Sends pages what they wait for, and repeats the latest messages to pages that connect later.

    Everything but `join` belongs to the threads that prepare the game.

    Attributes
    ----------
    busy : the latest message about what pages wait for; None: nothing.
    takes_long : set when the game waits for kernels to compile.
    """

    def __init__(self, say: Say):
        self._say = say
        self._lock = threading.Lock()
        self.busy: Sent | None = None
        self._preview: Sent | None = None
        self._compiling: Sent | None = None
        self.takes_long = threading.Event()
        self._later: list[Callable[[], None]] = []
        self._told_at = 0.0

    def announce(self, words: str) -> None:
        """Announce what is going on; no text: nothing any more."""
        self.busy = Busy(words) if words else None
        self._say(Busy(words), None)

    def show(self, title: str, level: Level) -> None:
        """Show a level as designed, which needs no kernels."""
        self._preview = Preview(title=title, level=drawing_of(level), looks=looks())
        self._say(self._preview, None)

    def compile_first(self, compilation: CompileProgress) -> None:
        """Announce the progress of compiling that a game waits for."""
        self._tell_compiling("first step", compilation)
        self.takes_long.set()

    def compile_rest(self, compilation: CompileProgress | None) -> None:
        """Announce the progress of compiling during the game; None: it is done."""
        self._tell_compiling("rest", compilation)

    def later(self, act: Callable[[], None]) -> None:
        """Run something in a separate thread once there is a game."""
        self._later.append(act)

    def finish(self) -> None:
        """Finish: there is a game, so pages that connect from now on are greeted at once."""
        self.busy = self._preview = self._compiling = None
        for act in self._later:
            threading.Thread(target=act, name="lastseen preparation", daemon=True).start()

    def join(self, client: int) -> None:
        """Send a new page the latest messages."""
        for message in (self._preview, self.busy, self._compiling):
            if message is not None:
                self._say(message, (client,))

    def _tell_compiling(self, stage: Literal["first step", "rest"], compilation: CompileProgress | None) -> None:
        words = "" if compilation is None else compilation.words()
        about = {} if compilation is None else compilation.as_object() | {"share": compilation.share}
        message = Compiling(stage=stage, text=words, **about)
        with self._lock:
            self._compiling = message if words else None
            is_soon = perf_counter() - self._told_at < _PACE
            if is_soon and words:
                return
            self._told_at = perf_counter()
        self._say(message, None)


Prepare = Callable[[Preparation], Stage | FeedRun]
"""Returns the stage or the feed to open first, and reports progress meanwhile."""


class Studio:
    """Runs the game. Pages reach it through `submit`; it reaches them through its hub.

    Pages may connect before there is a game: they see the level and the progress, and are greeted when it is ready.
    Pages are notified whenever they wait for the compiler.

    Attributes
    ----------
    director : handles messages; belongs to the game's thread, and has a game once the studio is `ready`.
    folder : the folder in which files are opened and saved.
    ready : set once there is a game, or it is clear that there will be none.
    failure : why there is no game; `when_failed` is called then.
    late : seconds by which each of the last steps was late.
    """

    def __init__(self, prepare: Prepare, folder: Folder, *, keep_running: bool = False):
        self.hub = Hub()
        self.folder = folder
        self.late: deque[float] = deque(maxlen=3_000)
        self.ready = threading.Event()
        self.failure: Exception | None = None
        self.when_failed: Callable[[], None] = lambda: None
        self._prepare = prepare
        self._stopping = threading.Event()
        self._waiting: queue.Queue[tuple[int, Callable[[], None]]] = queue.Queue()
        self.director = Director(self.hub, folder, later=partial(self._put, NO_PAGE), keep_running=keep_running)
        self._thread = threading.Thread(target=self._run, name="lastseen game", daemon=True)
        self.preparation = Preparation(self._say)
        self._is_acting = self._has_compiled = False

    def start(self) -> None:
        """Start getting ready and listening, unless already started."""
        if self._thread.ident is None:
            self._thread.start()

    def stop(self) -> None:
        """End the game's thread; one that is still getting ready ends with the process."""
        self._stopping.set()
        self._put(NO_PAGE, lambda: None)
        self.director.stop()
        if self._thread.is_alive() and self.ready.is_set():
            self._thread.join(timeout=5.0)

    def join(self, client: int) -> None:
        """Greet a new page, or report first why that takes a while."""
        if self._is_acting and not self.preparation.busy:
            self.hub.say(Busy("one moment"), (client,))
        self.preparation.join(client)
        self._put(client, partial(self._welcome, client))

    def _welcome(self, client: int) -> None:
        self.director.welcome(client)
        self.preparation.join(client)  # a greeting discards earlier messages

    def leave(self, client: int) -> None:
        """Remove a page."""
        self._put(client, partial(self.director.forget, client))

    def submit(self, client: int, message: Message) -> bool:
        """Queue a message of a page; False: too many wait, or there is no game yet."""
        if not self.ready.is_set() or self._waiting.qsize() >= MOST_WAITING:
            return False
        self._put(client, partial(self.director.handle, client, message))
        return True

    def perform(self, act: Callable[[], Result]) -> Future[Result]:
        """Call a function in the game's thread, once there is a game; return what it returns or raises."""
        future = Future[Result]()

        def run() -> None:
            if future.set_running_or_notify_cancel():
                try:
                    future.set_result(act())
                except BaseException as error:
                    future.set_exception(error)

        self._put(NO_PAGE, run)
        return future

    def _put(self, client: int, act: Callable[[], None]) -> None:
        self._waiting.put((client, act))

    def _run(self) -> None:
        with when_compiling(self._tell_compiling):
            if not self._get_ready():
                return
            while not self._stopping.is_set():
                with contextlib.suppress(queue.Empty):
                    self._guarded(*self._next())
                if self.director.is_running and (late := perf_counter() - self.director.due) >= 0.0:
                    self.late.append(late)
                    self._guarded(NO_PAGE, self.director.tick)

    def _get_ready(self) -> bool:
        """Open the first stage; False: that failed."""
        self.preparation.announce("getting ready")
        try:
            with CompileCounter(self.preparation.compile_first).counting():
                self.director.begin(self._prepare(self.preparation))
        except Exception as error:
            self.failure = error
            self.ready.set()
            self.when_failed()
            return False
        self.ready.set()
        self.preparation.finish()
        return True

    def _say(self, message: Sent, to: Iterable[int] | None) -> None:
        """Send a message to pages, including those that were not greeted yet."""
        self.hub.say(message, tuple(self.hub.clients) if to is None else to)

    def _tell_compiling(self, begins: bool) -> None:
        """Notify pages when the compiler runs in the game's thread, for which they wait."""
        if begins and self.ready.is_set() and threading.current_thread() is self._thread and not self._has_compiled:
            self._has_compiled = True
            self.preparation.announce(_COMPILING)

    def _next(self) -> tuple[int, Callable[[], None]]:
        """Return the next message, waiting no longer than the next step is due."""
        if not self.director.is_running:
            return self._waiting.get()
        wait = self.director.due - perf_counter()
        return self._waiting.get(timeout=wait) if wait > 0.0 else self._waiting.get_nowait()

    def _guarded(self, client: int, act: Callable[[], None]) -> None:
        """Run a function; errors are sent to the page and never end the thread."""
        self._is_acting = True
        try:
            act()
        except LastSeenError as error:
            self.director.complain(client or None, "refused", str(error))
        except Exception as error:
            traceback.print_exc()
            self.director.halt()
            words = f"internal error in the studio: {type(error).__name__}: {error}"
            self.director.complain(client or None, "failed", words)
        self._is_acting = False
        if self._has_compiled:
            self._has_compiled = False
            self.preparation.announce("")
