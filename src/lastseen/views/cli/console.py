"""What a person sees while a command works: a bar on stderr for anything that takes long, nothing in a pipe."""

from __future__ import annotations

import sys
import threading
import time
from typing import TYPE_CHECKING, Any

import click

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["Stages", "say_if_compiling"]

_PATIENCE = 0.6


class Stages:
    """Times the stages of a command and shows the one at work.

    The bar appears after a moment only, on a terminal only, and goes away at the end.

    >>> with Stages(quiet=False) as stages:
    ...     level = stages.run("read", read_level, path)

    Attributes
    ----------
    quiet : say nothing at all, not even on a terminal.
    seconds : wall-clock seconds by stage, in order.
    """

    def __init__(self, *, quiet: bool):
        self.quiet = quiet
        self.seconds: dict[str, float] = {}
        self._lock = threading.Lock()
        self._bar: Progress | None = None
        self._task: TaskID | None = None
        self._stage, self._detail, self._fraction = "", "", 0.0
        self._over = False
        self._timer: threading.Timer | None = None
        if not quiet and sys.stderr.isatty():
            self._timer = threading.Timer(_PATIENCE, self._appear)
            self._timer.daemon = True

    def __enter__(self) -> Stages:
        if self._timer is not None:
            self._timer.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._timer is not None:
            self._timer.cancel()
        with self._lock:
            self._over = True
            if self._bar is not None:
                self._bar.stop()

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
        return f"{self._stage}: {self._detail}" if self._detail and self._detail != self._stage else self._stage


def say_if_compiling(kernels: str = "", *, quiet: bool) -> None:
    """Say that kernels are being compiled, if none of this name (or none at all) are kept on disk yet."""
    from ...kernels.jit import cache_folder

    if not quiet and not any(cache_folder().rglob(f"{kernels}*.nbc")):
        click.echo("compiling kernels (first use only; `lastseen warmup` does it ahead)", err=True)
