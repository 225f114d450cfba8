"""Guides: alternatives to the world's own searches that direct searchers to the next place."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ....agents.behaviour.leaf import Leaf
from ....agents.behaviour.status import FAILURE, SUCCESS, Status
from ....agents.brains.hunt import SearchOrder
from ....agents.brains.mind import Mind, Place
from ....conventions import Floats
from ...world.world import World

_RANDOM_REACH = 25.0


class Guide:
    """Give no directions: searchers stand and look around."""

    def choose(self, mind: Mind) -> Place | None:  # noqa: ARG002
        """Return where this searcher should look next, or None to stay and look around."""
        return None

    def update(self, world: World) -> None:
        """Advance before each step."""


class RandomGuide(Guide):
    """Choose a random place within 25 m."""

    def __init__(self, floor_xyz: Floats, draw: np.random.Generator):
        self._floor, self._draw = floor_xyz, draw

    def choose(self, mind: Mind) -> Place | None:
        """Draw a place."""
        near = self._floor[np.linalg.norm(self._floor - mind.xyz, axis=1) <= _RANDOM_REACH]
        x, y, z = near[self._draw.integers(len(near))].tolist()
        return x, y, z


class CheatingGuide(Guide):
    """Direct searchers to the evader's true position at all times."""

    def __init__(self, target: int):
        self._target = target

    def choose(self, mind: Mind) -> Place | None:
        """Return the true position."""
        x, y, z = mind.world.bodies.xyz[self._target].tolist()
        return x, y, z

    def update(self, world: World) -> None:
        """Update all searchers' goals."""
        for mind in world.minds[: self._target]:
            mind.blackboard["goal"] = self.choose(mind)


class NextPlace(Leaf):
    """Ask the guide and write the place to "goal"; FAILURE if it has none."""

    kind = "next_place"
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, guide: Guide, *, name: str = ""):
        self.guide, self.name = guide, name

    def tick(self, mind: Mind) -> Status:
        """Ask the guide once."""
        found = self.guide.choose(mind)
        if found is None:
            self.reason = "told nothing"
            return FAILURE
        mind.blackboard["goal"] = found
        return SUCCESS


class SamePace(Leaf):
    """Set the same pace for any order, so that contenders differ only in where they look. Always SUCCESS."""

    kind = "same_pace"
    reads = {"order": SearchOrder}  # noqa: RUF012

    def __init__(self, pace: float, *, name: str = ""):
        self.pace, self.name = pace, name

    def tick(self, mind: Mind) -> Status:
        """Modify the order."""
        mind.blackboard["order"] = replace(mind.blackboard["order"], gait="walk", pace=self.pace)
        return SUCCESS
