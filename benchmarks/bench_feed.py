"""Does a game that shows itself in the studio keep its frame rate?"""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from tempfile import TemporaryDirectory

import lastseen as ls

from .harness import Comparison

FRAMES = 60
MOST = 1e-4
"""Seconds that a frame of one guard may take the game."""


@contextmanager
def studio() -> Iterator[str]:
    """A studio in a process of its own, as a game has it; yields the address of its page."""
    with TemporaryDirectory() as folder:
        command = [sys.executable, "-m", "lastseen", "play", "--feed", "--no-open", "--port", "0"]
        settings = {**os.environ, "XDG_CACHE_HOME": folder, "PYTHONUNBUFFERED": "1"}
        process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True, env=settings, cwd=folder)
        assert process.stdout is not None
        try:
            yield process.stdout.readline().split()[-1]
        finally:
            process.terminate()
            process.wait()


def report(feed: ls.studio.Feed, number: int) -> None:
    """Send a frame of one guard with a reason, a view, a point, a path and a number."""
    place = (10.0 + math.cos(number / 60.0), 10.0 + math.sin(number / 60.0))
    feed.agent("Ames", place, heading=number / 60.0, state="chase", why=f"step {number}", view=(8.0, 1.2))
    feed.point("last seen", (10.0, 12.0))
    feed.line("path", [place, (11.0, 12.0), (10.0, 12.0)])
    feed.number("alarm", math.sin(number / 60.0))
    feed.frame(number / 60.0)


def comparisons() -> Iterable[Comparison]:
    with studio() as address, ls.studio.connect("bench", address=address) as feed:

        def second(number: int) -> None:
            for frame in range(FRAMES):
                report(feed, number * FRAMES + frame)

        yield Comparison(
            f"feed: a frame of one guard, of {1e3 / 60.0:.1f} ms that a game has", second, None, MOST, items=FRAMES
        )
