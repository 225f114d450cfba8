"""The pool of search spots: places to look at, who looks at them, and which were seen empty."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import points_xyz, read_only
from ....conventions import NOWHERE, Array, Bools, Floats, Ids
from ....vocabulary.words import SpotState

UNSEARCHED, IN_PROGRESS, SEARCHED = (word.number for word in SpotState)
SPOT_STATES = SpotState.texts()
SOURCES = ("given", "cover", "hidden", "graph", "influence")
"""Where a spot came from."""


@dataclass(frozen=True, kw_only=True)
class SpotWeights:
    """What metres count: score = -(estimate · d + searcher · d + actual · d) + influence · value.

    `actual` is fake intuition: small against the other two, or all flock to the target and the illusion breaks.
    `influence` is in metres for a full value of the search map at the spot, where one is used.
    """

    estimate: float = 1.0
    searcher: float = 1.0
    actual: float = 0.1
    influence: float = 10.0


@dataclass(frozen=True, eq=False)
class SpotChoice:
    """The spot given to a searcher, and why.

    Attributes
    ----------
    spot : number of the spot.
    xyz : (3,) metres.
    score : higher is better.
    terms : (4,) float64: what estimate, searcher, actual position and influence contributed.
    candidates : how many spots were free.
    """

    spot: int
    xyz: Floats
    score: float
    terms: Floats
    candidates: int


class SpotPool:
    """All spots of one search, in arrays; the search's coordinator is its writer.

    Attributes
    ----------
    xyz : (n, 3) float64 metres.
    state : (n,) uint8, number in `SPOT_STATES`.
    changed : (n,) float64 seconds of the last change of state.
    owner : (n,) int32 searcher on the way, -1: none.
    source : (n,) uint8, number in `SOURCES`.
    """

    def __init__(self) -> None:
        self.clear()

    def clear(self) -> None:
        """Forget all spots."""
        self.xyz: Floats = np.zeros((0, 3))
        self.state: Array = np.zeros(0, np.uint8)
        self.changed: Floats = np.zeros(0)
        self.owner: Ids = np.zeros(0, np.int32)
        self.source: Array = np.zeros(0, np.uint8)

    def __len__(self) -> int:
        return len(self.xyz)

    def add(self, points: Any, source: str, time: float, *, spacing: float = 0.0) -> int:
        """Add places that keep `spacing` metres from every spot there is and from one another; return how many."""
        kept: list[Floats] = []
        have = [*self.xyz]
        for point in points_xyz(points, "points"):
            if all(float(np.sum((point - other) ** 2)) >= spacing * spacing for other in have):
                kept.append(point)
                have.append(point)
        count = len(kept)
        if count:
            self.xyz = np.concatenate([self.xyz, np.array(kept)])
            self.state = np.concatenate([self.state, np.full(count, UNSEARCHED, np.uint8)])
            self.changed = np.concatenate([self.changed, np.full(count, time)])
            self.owner = np.concatenate([self.owner, np.full(count, NOWHERE, np.int32)])
            self.source = np.concatenate([self.source, np.full(count, SOURCES.index(source), np.uint8)])
        return count

    def mark(self, spots: Any, state: int, time: float, owner: int = NOWHERE) -> None:
        """Give spots (numbers or a mask) another state and owner."""
        self.state[spots] = state
        self.changed[spots] = time
        self.owner[spots] = owner

    def release(self, searcher: int, time: float) -> None:
        """Give back what a searcher was on its way to."""
        self.mark((self.owner == searcher) & (self.state == IN_PROGRESS), UNSEARCHED, time)

    def of(self, searcher: int) -> int:
        """Which spot is a searcher on its way to? -1: none."""
        own = np.flatnonzero((self.owner == searcher) & (self.state == IN_PROGRESS))
        return int(own[0]) if len(own) else NOWHERE

    def oldest(self) -> int:
        """Which searched spot has been so for longest? -1: none; the lowest number of equals."""
        searched = np.flatnonzero(self.state == SEARCHED)
        return int(searched[np.argmin(self.changed[searched])]) if len(searched) else NOWHERE

    def best(
        self, searcher_xyz: Floats, estimate_xyz: Floats, actual_xyz: Floats | None, weights: SpotWeights, value: Array
    ) -> SpotChoice | None:
        """Which free spot is best for a searcher? None: none is free. `value` (n,) 0 … 1, or empty without a map."""
        free: Bools = self.state == UNSEARCHED
        spots = np.flatnonzero(free)
        if not len(spots):
            return None
        place = self.xyz[spots]
        terms = np.zeros((len(spots), 4))
        terms[:, 0] = -weights.estimate * np.linalg.norm(place - estimate_xyz, axis=1)
        terms[:, 1] = -weights.searcher * np.linalg.norm(place - searcher_xyz, axis=1)
        if actual_xyz is not None:
            terms[:, 2] = -weights.actual * np.linalg.norm(place - actual_xyz, axis=1)
        if len(value):
            terms[:, 3] = weights.influence * value[spots]
        score = terms.sum(axis=1)
        best = int(np.argmax(score))
        return SpotChoice(
            spot=int(spots[best]),
            xyz=read_only(place[best].copy()),
            score=float(score[best]),
            terms=read_only(terms[best].copy()),
            candidates=len(spots),
        )
