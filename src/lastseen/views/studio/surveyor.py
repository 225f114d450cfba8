"""Make surveys in a background thread: one after another, with a pause as long as the work."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Hashable
from dataclasses import dataclass
from time import perf_counter

from ...conventions import Floats
from .survey import Instant, Survey

__all__ = ["Surveyor", "Values"]

_REST = 0.1
"""Minimum seconds between two surveys, which use at most half of a core."""
Values = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class _Request:
    survey: Survey
    instant: Instant
    names: tuple[str, ...]
    done: Callable[[Values], None]


class Surveyor:
    """Makes surveys. All methods may be called from any thread; `done` is called in the surveyor's own.

    Parameters
    ----------
    complain : called with an error message.
    """

    def __init__(self, complain: Callable[[str], None]):
        self._complain = complain
        self._waiting: dict[Hashable, _Request] = {}
        self._changed = threading.Condition()
        self._is_stopping = False
        self._thread: threading.Thread | None = None
        self._known: tuple[Survey, Instant, Values] | None = None

    def ask(
        self,
        key: Hashable,
        survey: Survey,
        instant: Instant,
        names: tuple[str, ...],
        done: Callable[[Values], None],
    ) -> None:
        """Survey layers soon; replaces a request waiting under the same key."""
        with self._changed:
            self._waiting.pop(key, None)
            self._waiting[key] = _Request(survey, instant, names, done)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lastseen surveys", daemon=True)
                self._thread.start()
            self._changed.notify()

    def forget(self, key: Hashable) -> None:
        """Drop the request under this key."""
        with self._changed:
            self._waiting.pop(key, None)

    def stop(self) -> None:
        """Start nothing more, and wait for the current survey."""
        with self._changed:
            self._is_stopping = True
            self._waiting.clear()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while (request := self._next()) is not None:
            begun = perf_counter()
            try:
                request.done(self._made(request))
            except Exception as error:
                traceback.print_exc()
                self._complain(f"a layer could not be surveyed: {type(error).__name__}: {error}")
            with self._changed:
                self._changed.wait_for(lambda: self._is_stopping, max(_REST, perf_counter() - begun))

    def _next(self) -> _Request | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_stopping)
            return None if self._is_stopping else self._waiting.pop(next(iter(self._waiting)))

    def _made(self, request: _Request) -> Values:
        """Survey, reusing what is known of the same moment."""
        survey, instant = request.survey, request.instant
        if self._known is None or self._known[0] is not survey or self._known[1] is not instant:
            self._known = survey, instant, {}
        known = self._known[2]
        for name in request.names:
            if name not in known:
                known[name] = survey.values(name, instant)
        return {name: known[name] for name in request.names}
