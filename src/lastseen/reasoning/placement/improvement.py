"""What a search for better guards came to."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...conventions import Floats
from .routes import Placement
from .targets import Misses, Targets
from .verification import Verification

__all__ = ["ImproveRound", "Improvement", "Pair", "apart_of_runs"]

Pair = tuple[Verification, Verification]
"""Of the guards before, and of those after."""


@dataclass(frozen=True)
class ImproveRound:
    """One round of the search.

    Attributes
    ----------
    misses : by how much the best so far misses the targets, after it.
    aim : what the search makes small: that on average over resamples of its runs, so that luck counts less.
    words : what was changed; empty where nothing better was found.
    tried : changed placements that left the path passable; `runs` of the solver were spent on them.
    """

    misses: Misses
    aim: float
    words: str
    tried: int
    runs: int


@dataclass(frozen=True, eq=False)
class Improvement:
    """What a search for better guards came to.

    Attributes
    ----------
    before, after : the guards it began with, and the best.
    searched : by how much the best misses the targets in the runs the search went by.
    begun : where the search began, as a round that tried nothing; None where it was stopped before.
    rounds : what each round did.
    checked : verifications of both, by runs the search never saw; None where it was stopped before its end.
    misses : by how much both miss the targets in those.
    stopped : whether it was interrupted.
    """

    targets: Targets
    before: Placement
    after: Placement
    searched: Misses
    begun: ImproveRound | None
    rounds: tuple[ImproveRound, ...]
    checked: Pair | None
    misses: tuple[Misses, Misses] | None
    stopped: bool

    @property
    def met(self) -> bool | None:
        """Whether all targets are met, in runs the search never saw; None where that was not asked."""
        return None if self.misses is None else self.misses[1].total == 0.0


def apart_of_runs(found: Verification) -> Floats:
    """Return how far the way of each run is from the path, (runs,); infinite where it found none."""
    apart = np.full(found.success.of, np.inf)
    for each in found.solutions:
        apart[each.run] = each.apart
    return apart
