"""Notice for programs that wait for the compiler: kernels are compiled on their first use on a machine.

It is logged as a warning of the logger `lastseen`: without any set-up Python prints it on stderr, and a program can
filter it like any other. Commands show progress of their own instead.
"""

from __future__ import annotations

import logging
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

_PATIENCE = 1.0
"""Seconds of compiling before the notice."""
_PACE = 5.0
"""Seconds of compiling between two lines of progress on a terminal."""
_SLOW_PACE = 60.0
"""The same where there is no terminal, as in a log."""


class FirstUse:
    """Says once per process that kernels are being compiled, and now and then how many have been."""

    def __init__(self, clock: Callable[[], float] = time.perf_counter):
        self._clock = clock
        self._depth = self._done = self._silent = 0
        self._seconds = self._begun = 0.0
        self._next = _PATIENCE

    @contextmanager
    def silenced(self) -> Iterator[None]:
        """Say nothing within the block, in all threads."""
        self._silent += 1
        try:
            yield
        finally:
            self._silent -= 1

    def begin(self) -> None:
        """Take note that compiling a kernel begins."""
        if not self._depth:
            self._begun = self._clock()
        self._depth += 1
        self._tell()

    def end(self, _: str) -> None:
        """Take note that a kernel has been compiled."""
        self._depth -= 1
        self._done += 1
        if not self._depth:
            self._seconds += self._clock() - self._begun
        self._tell()

    def _tell(self) -> None:
        seconds = self._seconds + (self._clock() - self._begun if self._depth else 0.0)
        if self._silent or seconds < self._next:
            return
        log = logging.getLogger("lastseen")
        if self._next == _PATIENCE:
            log.warning(
                "lastseen: compiling kernels, on first use only: minutes for a game; "
                "`lastseen warmup` does it ahead, on all cores"
            )
        elif sys.stderr is not None:
            log.warning("lastseen: %d kernels compiled in %.0f s", self._done, seconds)
        self._next = seconds + (_PACE if sys.stderr is not None and sys.stderr.isatty() else _SLOW_PACE)


first_use = FirstUse()
"""The notice of this process."""
