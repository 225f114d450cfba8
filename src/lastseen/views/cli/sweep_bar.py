"""Show a progress bar with the time left for a sweep, on a terminal only."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from rich.progress import Progress, TaskID

__all__ = ["SweepBar"]

_PERIOD = 600.0
"""Window in seconds for estimating the time left; tasks may take minutes each."""


_PARTS = 1_000_000


class SweepBar:
    """Shows the progress of a sweep and disappears at the end."""

    def __init__(self, *, quiet: bool):
        self._shown = not quiet and sys.stderr.isatty()
        self._bar: Progress | None = None
        self._task: TaskID | None = None

    def __enter__(self) -> SweepBar:
        if self._shown:
            from rich.console import Console
            from rich.progress import (
                BarColumn,
                Progress,
                SpinnerColumn,
                TextColumn,
                TimeElapsedColumn,
                TimeRemainingColumn,
            )

            self._bar = Progress(
                SpinnerColumn(),
                TextColumn("{task.description}"),
                BarColumn(),
                TimeElapsedColumn(),
                TextColumn("left:"),
                TimeRemainingColumn(),
                console=Console(stderr=True),
                transient=True,
                speed_estimate_period=_PERIOD,
            )
            self._bar.start()
        return self

    def __exit__(self, *error: object) -> None:
        if self._bar is not None:
            self._bar.stop()

    def progress(self, words: str, share: float) -> None:
        """Update the bar; work done before this run does not count towards its speed."""
        if self._bar is None:
            return
        if self._task is None:
            self._task = self._bar.add_task(words, total=_PARTS, completed=round(_PARTS * share))
        else:
            self._bar.update(self._task, description=words, completed=_PARTS * share)
