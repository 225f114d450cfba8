"""Which episodes show best what a predictor does well, and what it does not?"""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from .evaluation import Evaluation
from .predictors import FAITHFUL

__all__ = ["Pick", "best_and_worst"]


@dataclass(frozen=True)
class Pick:
    """One episode worth looking at: its level, its row in the level's outcome, the predictor, and why."""

    level: str
    row: int
    predictor: str
    why: str


def best_and_worst(evaluation: Evaluation, predictor: str, count: int = 3) -> list[Pick]:
    """Return episodes a predictor won and the article's flood lost, then those the other way round.

    Of each kind those where the two name places furthest apart, at most one per level; where there are none to tell
    the two apart, plain successes and failures with the greatest miss.
    """
    own, base = evaluation.names.index(predictor), evaluation.names.index(FAITHFUL)
    picks = []
    for why, wins in (("best", True), ("worst", False)):
        found = []
        for level, outcome in evaluation.outcomes.items():
            seen, other = outcome.reacquired[:, own], outcome.reacquired[:, base]
            apart = np.linalg.norm(outcome.destination[:, own] - outcome.destination[:, base], axis=1)
            unlike = (seen == wins) & (other != wins)
            alike = seen == wins
            for rank, rows, worth in ((1, unlike, apart), (0, alike, outcome.miss[:, own])):
                if rows.any():
                    row = int(np.where(rows, worth, -1.0).argmax())
                    found.append((rank, float(worth[row]), level, row))
                    break
        found.sort(key=lambda one: (-one[0], -one[1], one[2]))
        picks += [Pick(level, row, predictor, why) for _, _, level, row in found[:count]]
    return picks
