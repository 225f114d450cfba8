"""Compare the open run with another: where they diverge, and the data for the page to show both."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import asdict

from ...errors import InputError
from ...simulation.replay.comparison import compare
from ...simulation.replay.story import level_of
from .exporting import frozen
from .exports import Made
from .folder import Folder
from .game import Game
from .replay_data import Progress, replay_data
from .stage import stage_of_recording

__all__ = ["comparer_of"]


def comparer_of(game: Game, folder: Folder, name: str) -> Callable[[Progress], Made]:
    """Return a function that compares the run so far with a recording in a folder; the game may continue meanwhile."""
    stage = frozen(game)

    def make(progress: Progress) -> Made:
        progress("reading", 0.0)
        other = folder.recording(name)
        if not len(other):
            raise InputError(f"{name!r} has no steps; there is nothing to compare")
        assert stage.recording is not None
        found = compare(stage.recording, other)
        progress("baking", 0.05)
        data = replay_data(stage_of_recording(other, level_of(other), name, folder.root), progress=progress)
        return Made(name, "application/octet-stream", data, more={"comparison": asdict(found)})

    return make
