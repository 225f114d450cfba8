"""The results of verifying a level with guards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Floats
from ....estimates import wilson
from ..detection import Danger, Sighting
from ..placement_settings import VerifySettings
from .sneak_ground import SneakGround
from .solver import ExactAnswer


@dataclass(frozen=True)
class Rate:
    """Hits out of a total, with share and Wilson's 95 % interval, valid near 0 and 1 too; NaN if the total is 0."""

    hits: int
    of: int
    share: float
    low: float
    high: float

    def as_object(self) -> dict[str, float | int | None]:
        """Return it for JSON, with unknown values as null."""
        values = {"share": self.share, "low": self.low, "high": self.high}
        known = {name: round(value, 6) if math.isfinite(value) else None for name, value in values.items()}
        return {"hits": self.hits, "of": self.of, **known}


def rate(hits: int, of: int) -> Rate:
    """Return a share with its interval."""
    found = wilson(hits, of)
    return Rate(hits, of, found.value, found.low, found.high)


@dataclass(frozen=True, eq=False)
class Solution:
    """A path on which no guard sees the player.

    Attributes
    ----------
    run : the run of random trees that found it; -1: the exact search.
    path : (n, 4) x, y, z on the floor, seconds; between its points the player moves uniformly, or waits.
    apart : Fréchet distance from the intended path, metres; NaN if none was given.
    group : number of its group of similar paths; -1: not grouped.
    """

    run: int
    path: Floats
    apart: float = math.nan
    group: int = -1

    @property
    def seconds(self) -> float:
        """Time of arrival."""
        return float(self.path[-1, 3])

    @property
    def length(self) -> float:
        """Length in metres."""
        return float(np.linalg.norm(np.diff(self.path[:, :3], axis=0), axis=1).sum())

    def at(self, seconds: float) -> Floats:
        """Return the position at a moment, (3,); after its end, the goal."""
        return np.array([np.interp(seconds, self.path[:, 3], self.path[:, axis]) for axis in range(3)])


@dataclass(frozen=True, eq=False)
class Verification:
    """Whether and how a level with guards can be sneaked through.

    Attributes
    ----------
    solutions : paths found by random trees, at most one per run, in order of runs.
    success : runs that got through; empty if the solver is "exact".
    close : solutions close to the intended path; empty if no path was given.
    groups : number of solutions in each group of similar paths.
    exact : the earliest path over cells × time; None if not requested.
    caught : for every failed run, the first sighting among its discarded branches, None if never seen.
    danger : danger of the floor, over time and by cell.
    heat : (cells,) 0 … 1, share of the solutions that pass each cell.
    start, goal : (3,) as settled on the floor; `intended` (n, 3), None if none was given.
    notes : remarks.
    stopped : whether it was interrupted; the results then cover the finished runs.
    """

    ground: SneakGround
    settings: VerifySettings
    start: Floats
    goal: Floats
    intended: Floats | None
    solutions: tuple[Solution, ...]
    success: Rate
    close: Rate
    groups: tuple[int, ...]
    exact: ExactAnswer | None
    caught: tuple[Sighting | None, ...]
    danger: Danger
    heat: Floats
    notes: tuple[str, ...] = ()
    stopped: bool = False

    @property
    def solvable(self) -> bool | None:
        """Whether there is a path: True if one was found, False if the exact search found none, else None."""
        if self.solutions or (self.exact is not None and self.exact.found):
            return True
        return None if self.exact is None else False

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON, without the arrays of cells."""
        exact = self.exact
        return {
            "solvable": self.solvable,
            "stopped": self.stopped,
            "success": self.success.as_object(),
            "close": None if self.intended is None else self.close.as_object(),
            "groups": list(self.groups),
            "exact": None if exact is None else {"found": exact.found, "seconds": _number(exact.seconds)},
            "solutions": [
                {
                    "run": each.run,
                    "seconds": round(each.seconds, 6),
                    "length": round(each.length, 6),
                    "apart": _number(each.apart),
                    "group": each.group,
                    "path": each.path.round(6).tolist(),
                }
                for each in self.solutions
            ],
            "caught": [
                None if one is None else {"seconds": round(one.seconds, 6), "xyz": list(one.xyz), "guard": one.guard}
                for one in self.caught
            ],
            "danger": {
                "mean": round(float(self.danger.share.mean()), 6),
                "most": round(float(self.danger.share.max()), 6),
                "step": self.settings.step,
                "share": self.danger.share.round(6).tolist(),
            },
            "start": self.start.tolist(),
            "goal": self.goal.tolist(),
            "settings": self.settings.as_object(),
            "notes": list(self.notes),
        }


def _number(value: float) -> float | None:
    return round(value, 6) if math.isfinite(value) else None
