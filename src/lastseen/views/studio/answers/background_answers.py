"""Make answers of panels that take a while in a separate thread; a newer question replaces an older one."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass
from time import monotonic
from typing import Any

from ....errors import LastSeenError
from ..protocol.news import Problem, Sent, Working

Tell = Callable[[str, float], None]
Work = Callable[[Tell], Any]
"""Makes an answer; calls its argument with what it does and the fraction done, which ends it if it is out of date."""
_TELL = 0.15
"""Seconds between two messages about progress."""


@dataclass(eq=False)
class _Job:
    client: int
    panel: str
    work: Work
    is_stale: bool = False


class _StaleError(Exception):
    """Nobody waits for the answer any more."""


class BackgroundAnswers:
    """Makes answers. All methods may be called from any thread; `say` sends a message to some pages."""

    def __init__(self, say: Callable[[Sent, tuple[int, ...]], None]):
        self._say = say
        self._changed = threading.Condition()
        self._waiting: dict[tuple[int, str], _Job] = {}
        self._running: _Job | None = None
        self._is_stopping = False
        self._thread: threading.Thread | None = None

    def ask(self, client: int, panel: str, work: Work) -> None:
        """Make an answer for a page soon, instead of an earlier one for the same panel."""
        with self._changed:
            self._drop(client, panel)
            self._waiting[client, panel] = _Job(client, panel, work)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lastseen answers", daemon=True)
                self._thread.start()
            self._changed.notify()

    def forget(self, client: int) -> None:
        """Drop all answers for a page."""
        with self._changed:
            for asked, panel in list(self._waiting):
                if asked == client:
                    del self._waiting[asked, panel]
            self._drop(client, None)

    def stop(self) -> None:
        """Abandon all work."""
        with self._changed:
            self._is_stopping = True
            self._waiting.clear()
            if self._running is not None:
                self._running.is_stale = True
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def _drop(self, client: int, panel: str | None) -> None:
        running = self._running
        if running is not None and running.client == client and panel in (None, running.panel):
            running.is_stale = True

    def _next(self) -> _Job | None:
        with self._changed:
            self._running = None
            self._changed.wait_for(lambda: self._waiting or self._is_stopping)
            if self._is_stopping:
                return None
            self._running = self._waiting.pop(next(iter(self._waiting)))
            return self._running

    def _run(self) -> None:
        while (job := self._next()) is not None:
            reply = self._made(job)
            if reply is not None and not job.is_stale:
                self._say(reply, (job.client,))

    def _made(self, job: _Job) -> Any:
        told = monotonic()

        def tell(text: str, fraction: float) -> None:
            nonlocal told
            if job.is_stale:
                raise _StaleError
            if monotonic() - told >= _TELL:
                told = monotonic()
                self._say(Working(job.panel, text, round(min(1.0, max(0.0, fraction)), 3)), (job.client,))

        try:
            return job.work(tell)
        except _StaleError:
            return None
        except LastSeenError as error:
            return Problem("refused", str(error), job.panel)
        except Exception as error:
            traceback.print_exc()
            return Problem("failed", f"panel {job.panel!r} failed: {type(error).__name__}: {error}", job.panel)
