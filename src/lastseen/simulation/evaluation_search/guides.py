"""Guides: who tells searchers where to look next, beside the searches of the world itself."""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from ...agents.behaviour.leaf import Leaf
from ...agents.behaviour.status import FAILURE, SUCCESS, Status
from ...agents.brains.mind import Mind, Place
from ...agents.brains.search_order import SearchOrder
from ...conventions import Floats
from ..world import World

__all__ = ["CheatingGuide", "Guide", "NextPlace", "RandomGuide", "SamePace"]

_RANDOM_REACH = 25.0


class Guide:
    """Nobody says anything: searchers stand and look round."""

    def choose(self, mind: Mind) -> Place | None:  # noqa: ARG002
        """Where should this one look next? None: stay and look round."""
        return None

    def update(self, world: World) -> None:
        """Let time pass, before each step."""


class RandomGuide(Guide):
    """Any place within 25 m, drawn."""

    def __init__(self, floor_xyz: Floats, draw: np.random.Generator):
        self._floor, self._draw = floor_xyz, draw

    def choose(self, mind: Mind) -> Place | None:
        """Draw."""
        near = self._floor[np.linalg.norm(self._floor - mind.xyz, axis=1) <= _RANDOM_REACH]
        x, y, z = near[self._draw.integers(len(near))].tolist()
        return x, y, z


class CheatingGuide(Guide):
    """Where the evader really is, at every moment."""

    def __init__(self, target: int):
        self._target = target

    def choose(self, mind: Mind) -> Place | None:
        """Tell."""
        x, y, z = mind.world.bodies.xyz[self._target].tolist()
        return x, y, z

    def update(self, world: World) -> None:
        """Let everybody's goal follow."""
        for mind in world.minds[: self._target]:
            mind.blackboard["goal"] = self.choose(mind)


class NextPlace(Leaf):
    """Asks the guide and writes the place to "goal"; FAILURE where it knows none."""

    kind = "next_place"
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, guide: Guide, *, name: str = ""):
        self.guide, self.name = guide, name

    def tick(self, mind: Mind) -> Status:
        """Ask once."""
        found = self.guide.choose(mind)
        if found is None:
            self.reason = "told nothing"
            return FAILURE
        mind.blackboard["goal"] = found
        return SUCCESS


class SamePace(Leaf):
    """Goes at one pace whatever was ordered, so that contenders differ in where they look only. Always SUCCESS."""

    kind = "same_pace"
    reads = {"order": SearchOrder}  # noqa: RUF012

    def __init__(self, pace: float, *, name: str = ""):
        self.pace, self.name = pace, name

    def tick(self, mind: Mind) -> Status:
        """Change the order."""
        mind.blackboard["order"] = replace(mind.blackboard["order"], gait="walk", pace=self.pace)
        return SUCCESS
