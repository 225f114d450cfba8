"""The game's thread: takes what pages say one after another, and lets time pass in between."""

from __future__ import annotations

import contextlib
import queue
import threading
import traceback
from collections import deque
from collections.abc import Callable
from functools import partial
from time import perf_counter

from ...errors import LastSeenError
from .clients import Hub
from .director import Director
from .folder import Folder
from .messages import Message
from .stage import Stage

__all__ = ["Studio"]

MOST_WAITING = 2_000
"""Messages of all pages that may wait for the game."""
EVERYBODY = 0
"""No page has this number."""


class Studio:
    """Runs the game. Pages speak to it through `submit`; it speaks to them through its hub.

    Attributes
    ----------
    director : who obeys; belongs to the game's thread.
    folder : where files are opened and saved.
    late : seconds by which each of the last steps began later than it was due.
    """

    def __init__(self, stage: Stage, folder: Folder, *, keep_running: bool = False):
        self.hub = Hub()
        self.folder = folder
        self.late: deque[float] = deque(maxlen=3_000)
        self._stopping = threading.Event()
        self.director = Director(self.hub, folder, stage, self._stopping.is_set, keep_running=keep_running)
        self._waiting: queue.Queue[tuple[int, Callable[[], None]]] = queue.Queue(MOST_WAITING)
        self._thread = threading.Thread(target=self._run, name="lastseen game", daemon=True)

    def start(self) -> None:
        """Begin to listen."""
        self._thread.start()

    def stop(self) -> None:
        """End the game's thread."""
        self._stopping.set()
        self._put(EVERYBODY, lambda: None)
        self.director.stop()
        if self._thread.is_alive():
            self._thread.join(timeout=5.0)

    def join(self, client: int) -> bool:
        """A page came: greet it; False: too many wait."""
        return self._put(client, partial(self.director.welcome, client))

    def leave(self, client: int) -> None:
        """A page went."""
        self._put(client, partial(self.director.forget, client))

    def submit(self, client: int, message: Message) -> bool:
        """Hand over a message of a page; False: too many wait."""
        return self._put(client, partial(self.director.obey, client, message))

    def _put(self, client: int, act: Callable[[], None]) -> bool:
        try:
            self._waiting.put_nowait((client, act))
        except queue.Full:
            return False
        return True

    def _run(self) -> None:
        while not self._stopping.is_set():
            with contextlib.suppress(queue.Empty):
                self._guarded(*self._next())
            if self.director.is_running and (late := perf_counter() - self.director.due) >= 0.0:
                self.late.append(late)
                self._guarded(EVERYBODY, self.director.tick)

    def _next(self) -> tuple[int, Callable[[], None]]:
        """Return what a page said, waiting no longer than the next step is due."""
        if not self.director.is_running:
            return self._waiting.get()
        wait = self.director.due - perf_counter()
        return self._waiting.get(timeout=wait) if wait > 0.0 else self._waiting.get_nowait()

    def _guarded(self, client: int, act: Callable[[], None]) -> None:
        """Do something; what goes wrong is told to the page, and never ends the thread."""
        try:
            act()
        except LastSeenError as error:
            self.director.complain(client or None, "refused", str(error))
        except Exception as error:
            traceback.print_exc()
            self.director.halt()
            words = f"something is wrong in the studio: {type(error).__name__}: {error}"
            self.director.complain(client or None, "failed", words)
