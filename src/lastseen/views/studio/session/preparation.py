"""Keep pages informed before there is a game, and while the rest of it is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from time import perf_counter

import msgspec

from ....compilation.progress import CompileProgress
from ....level.level import Level
from ..protocol.level_outline import drawing_of

__all__ = ["Preparation"]

_PACE = 0.1
"""Minimum seconds between two messages about the compiler."""
Say = Callable[[str, Iterable[int] | None], None]
"""Sends a text to some pages; None: to all connected ones."""


class Preparation:
    """Sends pages what they wait for, and repeats the latest messages to pages that connect later.

    Everything but `join` belongs to the threads that prepare the game.

    Attributes
    ----------
    takes_long : set when the game waits for kernels to compile.
    """

    def __init__(self, say: Say):
        self._say = say
        self._lock = threading.Lock()
        self._busy = self._preview = self._compiling = ""
        self.takes_long = threading.Event()
        self._later: list[Callable[[], None]] = []
        self._told_at = 0.0

    @property
    def is_told(self) -> bool:
        """Whether pages know what they wait for."""
        return bool(self._busy)

    def tell(self, words: str) -> None:
        """Announce what is going on; no text: nothing any more."""
        self._busy = _text({"type": "busy", "text": words, "tick": 0}) if words else ""
        self._say(_text({"type": "busy", "text": words, "tick": 0}), None)

    def show(self, title: str, level: Level) -> None:
        """Show a level as designed, which needs no kernels."""
        self._preview = _text({"type": "preview", "title": title, "level": drawing_of(level)})
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
        self._busy = self._preview = self._compiling = ""
        for act in self._later:
            threading.Thread(target=act, name="lastseen preparation", daemon=True).start()

    def join(self, client: int) -> None:
        """Send a new page the latest messages."""
        for text in (self._preview, self._busy, self._compiling):
            if text:
                self._say(text, (client,))

    def _tell_compiling(self, stage: str, compilation: CompileProgress | None) -> None:
        words = "" if compilation is None else compilation.words()
        about = {} if compilation is None else compilation.as_object() | {"share": compilation.share}
        text = _text({"type": "compiling", "stage": stage, "text": words, **about})
        with self._lock:
            self._compiling = text if words else ""
            is_soon = perf_counter() - self._told_at < _PACE
            if is_soon and words:
                return
            self._told_at = perf_counter()
        self._say(text, None)


def _text(values: dict[str, object]) -> str:
    return msgspec.json.encode(values).decode()
