"""Items on a level: whether players can take them unseen, and how many solutions pass them."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Floats
from ....level.features import Marker
from ....level.level import Level
from ....vocabulary.words import MarkerKind
from ..coverage import path_samples
from .rates import Rate, rate
from .solver import Question, search_exactly

TAKEN_WITHIN = 1.0
"""Metres within which a player takes an item in passing."""
_MOST_SEARCHED = 20
"""Maximum number of items that are searched for exactly."""
MOST_COLLECTED = 6
"""Maximum number of items for which a path past all of them is searched: each takes a search from every other."""


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


def items_of(level: Level) -> list[Marker]:
    """Return the items of a level."""
    return [mark for mark in level.markers if mark.kind == MarkerKind.ITEM]


def collect_items(question: Question, items: Sequence[Marker]) -> Floats:
    """Return an unseen path (n, 4) that takes all items on the way to the goal; empty if none was found.

    The item that can be reached first comes next, as early as possible. So a path that is found is exact over cells and
    time, but one that needs another order, or a later moment, can be missed.
    """
    left, now, begin, path = list(items), question, 0.0, np.zeros((0, 4))
    while True:
        goals: list[Any] = [mark.xyz for mark in left] or [question.goal]
        asked = [now.later(now.start, 0.0, goal) for goal in goals]
        answers = [None if one is None else search_exactly(one) for one in asked]
        first = min(range(len(goals)), key=lambda n: math.inf if (one := answers[n]) is None else one.seconds)
        best = answers[first]
        if best is None or not best.found:
            return np.zeros((0, 4))
        path = np.concatenate([path, best.path[min(1, len(path)) :] + np.array([0.0, 0.0, 0.0, begin])])
        begin += best.seconds
        if not left:
            return path
        left.pop(first)
        rest = now.later(best.path[-1, :3], best.seconds, question.goal)
        if rest is None:
            return np.zeros((0, 4))
        now = rest


def find_items(level: Level, question: Question, paths: Sequence[Floats], *, exactly: bool) -> tuple[ItemFinding, ...]:
    """Return how the items of a level (markers of kind "item") are found by some solutions (n, 4).

    `exactly`: also search for the earliest unseen arrival at each of the first 20.
    """
    items = items_of(level)
    found = []
    for number, mark in enumerate(items):
        passing = sum(_nearest(path, np.array(mark.xyz)) <= TAKEN_WITHIN for path in paths)
        seconds = math.nan
        if exactly and number < _MOST_SEARCHED:
            there = question.later(question.start, 0.0, mark.xyz)
            seconds = math.inf if there is None else search_exactly(there).seconds
        name = mark.name or f"item {number + 1}"
        found.append(ItemFinding(name, mark.xyz, rate(passing, len(paths)), seconds))
    return tuple(found)


def _nearest(path: Floats, xyz: Floats) -> float:
    """Return how close a path comes to a place."""
    return float(np.linalg.norm(path_samples(path[:, :3], TAKEN_WITHIN / 10.0) - xyz, axis=1).min())
