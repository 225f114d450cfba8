"""Selection of the searches that best show a contender's strengths and weaknesses."""

from __future__ import annotations

from dataclasses import dataclass

from .contenders import BASE
from .evaluation import SearchEvaluation

__all__ = ["SearchPick", "best_and_worst_searches"]


@dataclass(frozen=True)
class SearchPick:
    """One search worth looking at: its level, its row in the level's outcome, the contender, and why."""

    level: str
    row: int
    contender: str
    why: str


def best_and_worst_searches(evaluation: SearchEvaluation, contender: str, count: int = 3) -> list[SearchPick]:
    """Return the searches that a contender ended soonest before the random searcher, then those latest after it.

    There is at most one of each kind per level.
    """
    own, base = evaluation.names.index(contender), evaluation.names.index(BASE)
    picks = []
    for why, sign in (("best", 1.0), ("worst", -1.0)):
        found = []
        for level, outcome in evaluation.outcomes.items():
            saved = sign * (outcome.seconds[:, base] - outcome.seconds[:, own])
            row = int(saved.argmax())
            if saved[row] > 0.0:
                found.append((-float(saved[row]), level, row))
        picks += [SearchPick(level, row, contender, why) for _, level, row in sorted(found)[:count]]
    return picks
