"""Show the progress of a command on a terminal: a bar on stderr for long work, and the time left."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import AbstractContextManager, contextmanager
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import click

from ....compilation.compile_monitor import CompileCounter, compile_ahead, expected_kernels
from ....compilation.progress import CompileProgress

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

_ONCE = "(first use only; `lastseen warmup` does it ahead)"
_PATIENCE = 0.6
_FEW = 12.0
"""Seconds of compiling that are not worth processes of their own, each of which starts for a second of CPU time."""
_PACE = 5.0
"""Seconds between two lines about the compiler at least, where there is no bar."""


class Stages:
    """Times the stages of a command and shows the one at work.

    The bar appears after a moment only, on a terminal only, and goes away at the end. Compiling kernels takes minutes
    where the rest takes a second: without a bar to say so, a line on stderr does every few seconds, whatever `quiet`
    says; and it does not count as time of the stage that needs them.

    >>> with Stages(quiet=False) as stages:
    ...     level = stages.run("read", read_level, path)

    Attributes
    ----------
    quiet : show no bar, not even on a terminal.
    seconds : wall-clock seconds by stage, in order, without those of the compiler.
    compilation : how far the compiler is, once it is watched.
    """

    def __init__(self, *, quiet: bool, clock: Callable[[], float] = time.perf_counter):
        self.quiet = quiet
        self._clock = clock
        self.seconds: dict[str, float] = {}
        self._interpreted: set[str] = set()
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._stage, self._detail, self._fraction = "", "", 0.0
        self._over = False
        self._said_at: float | None = None
        self._ahead = CompileProgress()
        self._counter: CompileCounter | None = None
        self._watch: AbstractContextManager[CompileCounter] | None = None
        self._tell: Callable[[CompileProgress], None] = lambda _: None
        self._timer: threading.Timer | None = None
        if not quiet and sys.stderr.isatty():
            self._timer = threading.Timer(_PATIENCE, self._appear)
            self._timer.daemon = True

    def __enter__(self) -> Stages:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._watch is not None:
            self._watch.__exit__(None, None, None)
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()

    @property
    def compilation(self) -> CompileProgress:
        """The progress of the compiler."""
        now = CompileProgress() if self._counter is None else self._counter.now()
        if self._ahead.is_busy:
            return self._ahead
        return replace(now, done=now.done + self._ahead.done, seconds=now.seconds + self._ahead.seconds)

    def timing(self) -> dict[str, Any]:
        """Return for JSON what took how long: the stages, and apart from them the compiler."""
        return {
            "took_seconds": {stage: round(seconds, 6) for stage, seconds in self.seconds.items()},
            "compile_seconds": round(self.compilation.seconds, 6),
            "compiled_kernels": self.compilation.done,
            "interpreted_kernels": len(self._interpreted),
        }

    @contextmanager
    def interpreted(self, *purposes: str) -> Iterator[None]:
        """Interpret kernels that are not compiled within the block, as long as that is quicker than compiling them.

        When the first one has to be compiled, so is all that these purposes need, as `prepare` does it.
        """
        from ....compilation.interpretation import kernels_interpreted

        self.watch_compiler()
        with kernels_interpreted(lambda: self.prepare(*purposes)) as interpreter:
            yield
        self._interpreted |= interpreter.kernels

    def prepare(self, *purposes: str) -> None:
        """Compile what some purposes need on all cores, unless it is compiled; show which kernel of how many.

        A few kernels are left to be compiled where they are first called: to start processes costs as much.
        """

        def tell(now: CompileProgress) -> None:
            self._ahead = now
            self.say_compiling(now)
            self._show()

        self.watch_compiler()
        coming = expected_kernels(purposes)
        if coming and sum(seconds for _, seconds in coming) < _FEW:
            assert self._counter is not None
            self._counter.expect(coming)
            return
        before = self._ahead
        last = compile_ahead(purposes, tell)
        self._ahead = replace(last, done=before.done + last.done, seconds=before.seconds + last.seconds, is_busy=False)

    def watch_compiler(
        self, tell: Callable[[CompileProgress], None] = lambda _: None, expected: Iterable[tuple[str, float]] = ()
    ) -> None:
        """Say from now on when kernels are being compiled; to be called once the kernels are wanted anyway.

        `tell` is called with each kernel; for `expected` see `CompileCounter`.
        """
        if self._watch is None:
            self._tell = tell
            self._counter = CompileCounter(self._tell_compiling, expected, self._clock)
            self._watch = self._counter.counting()
            self._watch.__enter__()

    def _tell_compiling(self, compilation: CompileProgress) -> None:
        self._tell(compilation)
        self.say_compiling(compilation)
        self._show()

    def say_compiling(self, compilation: CompileProgress) -> None:
        """Say now and then how far the compiler is, where no bar does."""
        now = self._clock()
        if self._timer is None and (self._said_at is None or now - self._said_at >= _PACE):
            words = f"compiling kernels {_ONCE}" if self._said_at is None else compilation.words()
            click.echo(words, err=True)
            self._said_at = now

    def run(self, stage: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `function` as the stage of this name and return its result."""
        self._stage, self._detail, self._fraction = stage, "", 0.0
        self._show()
        start, compiled = self._clock(), self.compilation.seconds
        result = function(*args, **kwargs)
        spent = self._clock() - start - (self.compilation.seconds - compiled)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + spent
        return result

    def progress(self, detail: str, fraction: float) -> None:
        """Take word from a long computation: what it does, and how far it is (0 … 1)."""
        self._detail, self._fraction = detail, fraction
        self._show()

    def _appear(self) -> None:
        from rich.console import Console
        from rich.progress import BarColumn, Progress, SpinnerColumn, TextColumn, TimeElapsedColumn

        with self._lock:
            if self._over:
                return
            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task(self._words(), total=1.0)
            self._show()
            self._bar.start()

    def _show(self) -> None:
        if self._bar is not None and self._task is not None:
            compilation = self.compilation
            share = compilation.share if compilation.is_busy else None
            self._bar.update(
                self._task, description=self._words(), completed=self._fraction if share is None else share
            )

    def _words(self) -> str:
        words = f"{self._stage}: {self._detail}" if self._detail and self._detail != self._stage else self._stage
        compilation = self.compilation
        return f"{words} · {compilation.words()} {_ONCE}" if compilation.is_busy else words


_ESTIMATE_AFTER = 2.0
"""Seconds before an estimate is meaningful."""


class TimeLeft:
    """Passes progress on with an estimate of the time left, from the first share on; restarts when the share falls."""

    def __init__(self, tell: Callable[[str, float], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._tell, self._clock = tell, clock
        self._begun, self._from, self._last = clock(), 0.0, math.inf

    def __call__(self, words: str, share: float) -> None:
        """Report what is being done and the share that is done (0 … 1)."""
        now = self._clock()
        if share < self._last:
            self._begun, self._from = now, share
        self._last = share
        spent, done = now - self._begun, share - self._from
        if spent >= _ESTIMATE_AFTER and done > 0.0 and share < 1.0:
            words = f"{words} · about {duration_words(spent * (1.0 - share) / done)} left"
        self._tell(words, share)


def duration_words(seconds: float) -> str:
    """Return a duration in a readable unit: 40 s, 5 min, 2.5 h."""
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60.0)} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
