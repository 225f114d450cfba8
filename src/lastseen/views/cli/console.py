"""What a person sees while a command works: a bar on stderr for anything that takes long, on a terminal only."""

from __future__ import annotations

import sys
import threading
import time
from collections.abc import Callable
from contextlib import AbstractContextManager
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Stages"]

_COMPILING = "compiling kernels (first use only; `lastseen warmup` does it ahead)"

_PATIENCE = 0.6


class Stages:
    """Times the stages of a command and shows the one at work.

    The bar appears after a moment only, on a terminal only, and goes away at the end. Compiling kernels takes minutes
    where the rest takes a second: without a bar to say so, one line on stderr does, whatever `quiet` says.

    >>> with Stages(quiet=False) as stages:
    ...     level = stages.run("read", read_level, path)

    Attributes
    ----------
    quiet : show no bar, not even on a terminal.
    seconds : wall-clock seconds by stage, in order.
    """

    def __init__(self, *, quiet: bool):
        self.quiet = quiet
        self.seconds: dict[str, float] = {}
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._stage, self._detail, self._fraction = "", "", 0.0
        self._over = self._compiling = self._said = False
        self._watch: AbstractContextManager[None] | None = None
        self._tell: Callable[[], None] = lambda: None
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

    def watch_compiler(self, tell: Callable[[], None] = lambda: None) -> None:
        """Say from now on when kernels are being compiled; to be called once the kernels are wanted anyway.

        `tell` is called when that is said without a bar.
        """
        from ...kernels.jit import when_compiling

        if self._watch is None:
            self._tell = tell
            self._watch = when_compiling(self._tell_compiling)
            self._watch.__enter__()

    def _tell_compiling(self, busy: bool) -> None:
        self._compiling = busy
        if self._timer is None and not self._said:
            click.echo(_COMPILING, err=True)
            self._tell()
            self._said = True
        self._show()

    def run(self, stage: str, function: Any, *args: Any, **kwargs: Any) -> Any:
        """Call `function` as the stage of this name and return its result."""
        self._stage, self._detail, self._fraction = stage, "", 0.0
        self._show()
        start = time.perf_counter()
        result = function(*args, **kwargs)
        self.seconds[stage] = self.seconds.get(stage, 0.0) + time.perf_counter() - start
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
            self._bar.update(self._task, description=self._words(), completed=self._fraction)

    def _words(self) -> str:
        words = f"{self._stage}: {self._detail}" if self._detail and self._detail != self._stage else self._stage
        return f"{words} · {_COMPILING}" if self._compiling else words
