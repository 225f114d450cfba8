"""Roaming: places picked by chance, one after another, for those who have nowhere in particular to be."""

from __future__ import annotations

import math

import numpy as np

from ....cells.query import cells_within, positions
from ....layers.layer import enabled_cells
from ....navmesh.straight_lines import raycasts
from ....rng import generator
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ..mind import Mind

__all__ = ["ChooseAhead", "ChooseFar"]


class _Drawn(Leaf):
    """A choice by chance: every agent draws its own numbers, the same under the same seed."""

    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._random: np.random.Generator | None = None

    def draw(self, mind: Mind) -> np.random.Generator:
        """Return the agent's generator."""
        if self._random is None:
            self._random = generator(mind.world.seed, f"{self.kind} {mind.number}")
        return self._random


class ChooseFar(_Drawn):
    """Writes some place to "goal" that is at least `metres` away, or the furthest of those drawn. Always SUCCESS."""

    kind = "choose_far"

    def __init__(self, *, metres: float = 15.0, drawn: int = 8, name: str = ""):
        super().__init__(name=name)
        self.metres, self.drawn = metres, drawn

    def tick(self, mind: Mind) -> Status:
        """Draw some places; the first that is far enough will do."""
        cells = mind.world.cells
        ids = np.flatnonzero(enabled_cells(cells))
        places = positions(cells, self.draw(mind).choice(ids, self.drawn))
        away = np.linalg.norm(places - mind.xyz, axis=1)
        best = int(np.argmax(away >= self.metres)) if (away >= self.metres).any() else int(np.argmax(away))
        x, y, z = places[best].tolist()
        mind.blackboard["goal"] = (x, y, z)
        return SUCCESS


class ChooseAhead(_Drawn):
    """Writes a place to "goal" that lies straight ahead as a rule, rarely to the side, hardly ever behind.

    FAILURE where there is no floor to go to. `momentum`: how much more often straight on than back, as an exponent.
    """

    kind = "choose_ahead"

    def __init__(self, *, nearest: float = 3.0, furthest: float = 10.0, momentum: float = 3.0, name: str = ""):
        super().__init__(name=name)
        self.nearest, self.furthest, self.momentum = nearest, furthest, momentum

    def tick(self, mind: Mind) -> Status:
        """Draw among places it could walk to in a straight line."""
        here = np.array(mind.xyz)
        places = positions(mind.world.cells, np.sort(cells_within(mind.world.cells, here, self.furthest)))
        offset = places - here
        places = places[np.linalg.norm(offset, axis=1) >= self.nearest]
        if len(places):
            starts = np.broadcast_to(here, places.shape).copy()
            places = places[raycasts(mind.world.cells.mesh, starts, places).reached]
        if not len(places):
            self.reason = "there is no floor ahead"
            return FAILURE
        turn = np.arctan2(places[:, 1] - here[1], places[:, 0] - here[0]) - mind.heading
        weight = np.exp(self.momentum * np.cos(turn))
        number = int(self.draw(mind).choice(len(places), p=weight / weight.sum()))
        x, y, z = places[number].tolist()
        mind.blackboard["goal"] = (x, y, z)
        self.reason = f"turns by {math.degrees(abs(math.remainder(float(turn[number]), math.tau))):.0f}°"
        return SUCCESS
