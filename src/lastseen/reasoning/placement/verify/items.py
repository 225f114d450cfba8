"""Items on a level: whether players can take them unseen, and how many solutions pass them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Floats
from ....level.level import Level
from ....vocabulary.words import MarkerKind
from ..coverage import path_samples
from .rates import Rate, rate
from .solver import Question, search_exactly

TAKEN_WITHIN = 1.0
"""Metres within which a player takes an item in passing."""
_MOST_SEARCHED = 20
"""Maximum number of items that are searched for exactly."""


@dataclass(frozen=True, eq=False)
class ItemFinding:
    """Whether an item is found.

    Attributes
    ----------
    taken : solutions that pass it within a metre.
    seconds : the earliest a player can be there unseen; infinite if never within the time limit, NaN if not searched.
    """

    name: str
    xyz: tuple[float, float, float]
    taken: Rate
    seconds: float

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON; unknown and infinite times are null."""
        seconds = round(self.seconds, 6) if math.isfinite(self.seconds) else None
        reachable = None if math.isnan(self.seconds) else math.isfinite(self.seconds)
        about = {"name": self.name, "xyz": list(self.xyz), "reachable": reachable, "seconds": seconds}
        return {**about, "taken": self.taken.as_object()}


def find_items(
    level: Level, question: Question, guards: Any, paths: Sequence[Floats], *, exactly: bool
) -> tuple[ItemFinding, ...]:
    """Return how the items of a level (markers of kind "item") are found by some solutions (n, 4).

    `exactly`: also search for the earliest unseen arrival at each of the first 20.
    """
    items = [mark for mark in level.markers if mark.kind == MarkerKind.ITEM]
    found = []
    for number, mark in enumerate(items):
        passing = sum(_nearest(path, np.array(mark.xyz)) <= TAKEN_WITHIN for path in paths)
        seconds = math.nan
        if exactly and number < _MOST_SEARCHED:
            there = Question.make(question.ground, guards, question.start, mark.xyz, question.settings)
            seconds = search_exactly(there).seconds
        name = mark.name or f"item {number + 1}"
        found.append(ItemFinding(name, mark.xyz, rate(passing, len(paths)), seconds))
    return tuple(found)


def _nearest(path: Floats, xyz: Floats) -> float:
    """Return how close a path comes to a place."""
    return float(np.linalg.norm(path_samples(path[:, :3], TAKEN_WITHIN / 10.0) - xyz, axis=1).min())
