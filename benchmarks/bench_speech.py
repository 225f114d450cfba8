"""Speech in a world: a step in which all of 100 guards have reason to speak at once."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import count

from .bench_world import world_of
from .harness import Comparison

GUARDS = 100
LIMIT = 3.5e-3
"""Seconds, of a frame of 16.7 ms at 60 Hz."""


def comparisons() -> Iterator[Comparison | str]:
    world = world_of(GUARDS)
    speech, voices = world.talk.speech, world.talk.voices
    assert speech is not None
    assert voices is not None
    minutes = count(1)

    def ours(_: int) -> object:
        now = world.time + 60.0 * next(minutes)  # everybody has long spoken out
        return speech.bark_many([voices.bark(agent, "LOSE") for agent in world.cast.watchers.tolist()], now=now)

    yield Comparison(f"speech: {GUARDS} guards have reason to speak at once", ours, None, LIMIT)
