"""Forgetting: nobody looks any more for one who was caught or beaten."""

from __future__ import annotations

import math

from ..agents.perception.sounds import SOUNDS
from .world import World

__all__ = ["forget_target"]


def forget_target(world: World, column: int) -> None:
    """Let all watchers know nothing of the target in a column."""
    know = world.knowledge.arrays
    know.source[:, column], know.identified[:, column] = 0, 0
    know.time[:, column] = know.perceived[:, column] = world.acted_on[:, column] = -math.inf
    world.seen = [-1 if seen == column else seen for seen in world.seen]
    for stimulus in list(world.stimuli):
        if stimulus.kind in SOUNDS and stimulus.about == int(world.targets[column]):
            world.stimuli.remove(stimulus.number)
