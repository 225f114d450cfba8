"""Keep pages informed before there is a game, and while the rest of it is compiled."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from time import perf_counter
from typing import Literal

from ....compilation.progress import CompileProgress
from ....level.level import Level
from ..protocol.greeting import Preview
from ..protocol.level_outline import drawing_of
from ..protocol.news import Busy, Compiling, Sent

_PACE = 0.1
"""Minimum seconds between two messages about the compiler."""
Say = Callable[[Sent, Iterable[int] | None], None]
"""Sends a message to some pages; None: to all connected ones."""


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
        self._busy: Sent | None = None
        self._preview: Sent | None = None
        self._compiling: Sent | None = None
        self.takes_long = threading.Event()
        self._later: list[Callable[[], None]] = []
        self._told_at = 0.0

    @property
    def is_told(self) -> bool:
        """Whether pages know what they wait for."""
        return self._busy is not None

    def tell(self, words: str) -> None:
        """Announce what is going on; no text: nothing any more."""
        self._busy = Busy(words) if words else None
        self._say(Busy(words), None)

    def show(self, title: str, level: Level) -> None:
        """Show a level as designed, which needs no kernels."""
        self._preview = Preview(title=title, level=drawing_of(level))
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
        self._busy = self._preview = self._compiling = None
        for act in self._later:
            threading.Thread(target=act, name="lastseen preparation", daemon=True).start()

    def join(self, client: int) -> None:
        """Send a new page the latest messages."""
        for message in (self._preview, self._busy, self._compiling):
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
