"""Guards in a game's own loop: the time of one frame of `examples/13_your_own_game_loop.py`, set-up left out."""

from __future__ import annotations

import runpy
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any

from .harness import Comparison

FRAME = 1.0 / 60.0
EXAMPLE = Path(__file__).resolve().parents[1] / "examples" / "13_your_own_game_loop.py"
ROUNDS = 5
LIMITS = {1: 0.2e-3, 20: 2.0e-3}
"""Most seconds of each frame by the number of guards."""


def comparisons() -> Iterator[Comparison]:
    own = runpy.run_path(str(EXAMPLE))
    for guards, limit in LIMITS.items():
        play = _Play(own, guards)
        name = f"a frame of a game's own loop, {guards} {'guard' if guards == 1 else 'guards'}"
        yield Comparison(name, play.whole, None, limit, items=play.frames, rounds=ROUNDS, frame=FRAME)


class _Play:
    """The whole example, frame by frame: guards patrol, see, chase, lose, search and give up."""

    def __init__(self, own: dict[str, Any], guards: int):
        ends = [0.0, *(until for until, _, _ in own["KEYS"])]
        self._keys = [
            (x, y, round((end - start) / FRAME)) for (start, end), (_, x, y) in zip(pairwise(ends), own["KEYS"])
        ]
        self.frames = sum(frames for _, _, frames in self._keys)
        self._games = [own["Game"](guards) for _ in range(ROUNDS + 2)]  # set up before, so that only frames are timed

    def whole(self, number: int) -> None:
        """Play once."""
        game = self._games[number]
        for x, y, frames in self._keys:
            for _ in range(frames):
                game.step(x, y, FRAME)
