"""The result of a search for better guards."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...conventions import Floats
from .routes import Placement
from .targets import Misses, Targets
from .verification import Verification

__all__ = ["ImproveRound", "Improvement", "Pair", "apart_of_runs"]

Pair = tuple[Verification, Verification]
"""Of the guards before and after."""


@dataclass(frozen=True)
class ImproveRound:
    """One round of the search.

    Attributes
    ----------
    misses : by how much the best so far misses the targets after this round.
    aim : the objective: the mean miss over resamples of its runs, which reduces the effect of luck.
    words : what was changed; empty if nothing better was found.
    tried : changed placements that left the path passable; `runs` of the solver were spent on them.
    """

    misses: Misses
    aim: float
    words: str
    tried: int
    runs: int


@dataclass(frozen=True, eq=False)
class Improvement:
    """The result of a search for better guards.

    Attributes
    ----------
    before, after : the initial guards and the best.
    searched : by how much the best misses the targets in the runs of the search.
    begun : the initial state, as a round that tried nothing; None if stopped before.
    rounds : the rounds.
    checked : verifications of both, on runs the search never used; None if it was stopped early.
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
        """Whether all targets are met in runs the search never used; None if that was not measured."""
        return None if self.misses is None else self.misses[1].total == 0.0


def apart_of_runs(found: Verification) -> Floats:
    """Return the distance of each run's solution from the path, (runs,); infinite if it found none."""
    apart = np.full(found.success.of, np.inf)
    for each in found.solutions:
        apart[each.run] = each.apart
    return apart
