"""Show the progress of a command: a bar on stderr for long work, and the time left."""

from __future__ import annotations

import math
import sys
import threading
import time
from collections.abc import Callable, Collection, Iterable, Iterator
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
"""Seconds before the bar appears."""
_FEW = 12.0
"""Seconds of compiling below which no processes are started for it; each costs a second of CPU time."""
_PACE = 5.0
"""Least number of seconds between two lines about the compiler, if there is no bar."""
_MINUTE = 60.0
"""Seconds between two lines about long work, if there is no bar."""


class Stages:
    """Times the stages of a command and shows the current one.

    The bar appears after a moment, on a terminal only, and disappears at the end. Compiling kernels can take minutes:
    without a bar, a line on stderr says so every few seconds, even if `quiet`, and the time does not count for the
    stage that needs them. Other long work is reported once a minute.

    >>> with Stages(quiet=False) as stages:
    ...     level = stages.run("read", read_level, path)

    Attributes
    ----------
    quiet : show no bar, not even on a terminal.
    seconds : wall-clock seconds by stage, in order, without those of the compiler.
    compilation : progress of the compiler, once it is watched.
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
        self._printed_at: float | None = None
        self._told_at = clock()
        self._ahead = CompileProgress()
        self._counter: CompileCounter | None = None
        self._watch: AbstractContextManager[CompileCounter] | None = None
        self._report: Callable[[CompileProgress], None] = lambda _: None
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
        """Return for JSON the seconds of each stage and, separately, of the compiler."""
        return {
            "took_seconds": {stage: round(seconds, 6) for stage, seconds in self.seconds.items()},
            "compile_seconds": round(self.compilation.seconds, 6),
            "compiled_kernels": self.compilation.done,
            "interpreted_kernels": len(self._interpreted),
        }

    @contextmanager
    def interpreted(self, *purposes: str) -> Iterator[None]:
        """Interpret kernels that are not compiled within the block, while that is quicker than compiling them.

        When the first one has to be compiled, `prepare` compiles what these purposes need, except kernels that are
        likely to be interpreted even on a large level.
        """
        from ....compilation.interpretation import LOCAL, PER_ROW, kernels_interpreted

        self.watch_compiler()
        with kernels_interpreted(lambda: self.prepare(*purposes, skipped={*LOCAL, *PER_ROW})) as interpreter:
            yield
        self._interpreted |= interpreter.kernels

    def prepare(self, *purposes: str, skipped: Collection[str] = ()) -> None:
        """Compile the kernels of some purposes on all cores unless they are compiled; show which one of how many.

        If they are few, they are compiled when first called: starting processes would take as long. Kernels named in
        `skipped` are left out.
        """

        def show(now: CompileProgress) -> None:
            self._ahead = now
            self.say_compiling(now)
            self._show()

        self.watch_compiler()
        coming = expected_kernels(purposes, skipped)
        if coming and sum(seconds for _, seconds in coming) < _FEW:
            assert self._counter is not None
            self._counter.expect(coming)
            return
        before = self._ahead
        last = compile_ahead(purposes, show, skipped=skipped)
        self._ahead = replace(last, done=before.done + last.done, seconds=before.seconds + last.seconds, is_busy=False)

    def watch_compiler(
        self, report: Callable[[CompileProgress], None] = lambda _: None, expected: Iterable[tuple[str, float]] = ()
    ) -> None:
        """Show from now on when kernels are being compiled; this loads the kernels.

        `report` is called with each kernel; for `expected` see `CompileCounter`.
        """
        if self._watch is None:
            self._report = report
            self._counter = CompileCounter(self._show_compiling, expected, self._clock)
            self._watch = self._counter.counting()
            self._watch.__enter__()

    def _show_compiling(self, compilation: CompileProgress) -> None:
        self._report(compilation)
        self.say_compiling(compilation)
        self._show()

    def say_compiling(self, compilation: CompileProgress) -> None:
        """Print the progress of the compiler now and then, if there is no bar."""
        now = self._clock()
        if self._timer is None and (self._printed_at is None or now - self._printed_at >= _PACE):
            text = f"compiling kernels {_ONCE}" if self._printed_at is None else compilation.words()
            click.echo(text, err=True)
            self._printed_at = now

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
        """Show what a long computation is doing, and the fraction that is done (0 … 1)."""
        self._detail, self._fraction = detail, fraction
        now = self._clock()
        if self._timer is None and now - self._told_at >= _MINUTE:
            click.echo(f"{self._description()} ({100.0 * fraction:.0f} %)", err=True)
            self._told_at = now
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
            self._task = self._bar.add_task(self._description(), total=1.0)
            self._show()
            self._bar.start()

    def _show(self) -> None:
        if self._bar is not None and self._task is not None:
            compilation = self.compilation
            share = compilation.share if compilation.is_busy else None
            self._bar.update(
                self._task, description=self._description(), completed=self._fraction if share is None else share
            )

    def _description(self) -> str:
        text = f"{self._stage}: {self._detail}" if self._detail and self._detail != self._stage else self._stage
        compilation = self.compilation
        return f"{text} · {compilation.words()} {_ONCE}" if compilation.is_busy else text


_ESTIMATE_AFTER = 2.0
"""Seconds before an estimate is meaningful."""


class TimeLeft:
    """Reports progress with an estimate of the time left; the estimate starts again when the share falls."""

    def __init__(self, report: Callable[[str, float], None], clock: Callable[[], float] = time.monotonic) -> None:
        self._report, self._clock = report, clock
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
        self._report(words, share)


def duration_words(seconds: float) -> str:
    """Return a duration in a readable unit: 40 s, 5 min, 2.5 h."""
    if seconds < 90.0:
        return f"{max(1, round(seconds))} s"
    return f"{round(seconds / 60.0)} min" if seconds < 5400.0 else f"{seconds / 3600.0:.1f} h"
