"""Combat for levels that cannot be sneaked through: which guards a player has to take out to reach the goal.

A guard is taken out by a player within reach, nothing in between, that no guard has noticed; it is then gone. Guards do
not react to it.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....conventions import Floats
from ....level.sight.query import sees
from .solver import Question, path_of, reached_stays, search_exactly

REACH = 0.5
"""Metres beyond the distance at which a guard notices anyone from which a player takes it out."""
_CHEST = np.array([0.0, 0.0, 1.0])


@dataclass(frozen=True)
class Takedown:
    """A guard, by its number, that a player takes out: when, and where the player stands."""

    guard: int
    seconds: float
    xyz: tuple[float, float, float]


@dataclass(frozen=True, eq=False)
class TakedownPlan:
    """Guards to take out, in order, and the path (n, 4) of x, y, z, seconds that does so."""

    takedowns: tuple[Takedown, ...]
    path: Floats

    def as_object(self) -> dict[str, Any]:
        """Return it for JSON."""
        return {
            "guards": [
                {"guard": one.guard, "seconds": round(one.seconds, 6), "xyz": list(one.xyz)} for one in self.takedowns
            ],
            "seconds": round(float(self.path[-1, 3]), 6),
            "path": self.path.round(6).tolist(),
        }


def plan_takedowns(question: Question, most: int) -> TakedownPlan | None:
    """Return how a player gets through by taking out at most some guards, as few as possible; None: no way was found.

    Each guard is taken out as early as possible, so that a way which needs a later moment can be missed; one that is
    found is exact over cells and time.
    """
    plans = [(question, tuple(range(len(question.views.routes))), tuple[Takedown, ...](), np.zeros((0, 4)))]
    for _ in range(most):
        longer = []
        for now, numbers, done, walked in plans:
            stays, xyz = reached_stays(now)
            begin = done[-1].seconds if done else 0.0
            for guard in range(len(now.views.routes)):
                taken = _earliest(now, stays, xyz, guard)
                if taken is None:
                    continue
                seconds, stay = taken
                path = _until(path_of(stays[: stay + 1], xyz, _moment(now)), seconds) + np.array([0, 0, 0, begin])
                place = (float(path[-1, 0]), float(path[-1, 1]), float(path[-1, 2]))
                takedowns = (*done, Takedown(numbers[guard], begin + seconds, place))
                rest = now.later(path[-1, :3], seconds, now.goal, without=guard)
                if rest is None:
                    continue
                whole = np.concatenate([walked, path])
                answer = search_exactly(rest)
                if answer.found:
                    end = answer.path + np.array([0.0, 0.0, 0.0, begin + seconds])
                    return TakedownPlan(takedowns, np.concatenate([whole, end[1:]]))
                longer.append((rest, numbers[:guard] + numbers[guard + 1 :], takedowns, whole))
        plans = longer
    return None


def _moment(question: Question) -> float:
    return question.settings.step / question.views.substeps


def _earliest(question: Question, stays: Floats, xyz: Floats, guard: int) -> tuple[float, int] | None:
    """Return when a guard can first be taken out, and the stay from which; None: never."""
    views, moment = question.views, _moment(question)
    feet = views.routes[guard].pose_at(views.seconds)[:, :3]
    near = max(float(views.arrays.reach[guard, 2]), 2.0 * question.ground.radius) + REACH
    places = xyz[stays[:, 0].astype(np.int64)]
    height = question.ground.mesh.body.height
    for at in range(0, len(feet), views.substeps):
        offset = places - feet[at]
        close = (np.hypot(offset[:, 0], offset[:, 1]) <= near) & (np.abs(offset[:, 2]) < height)
        for stay in np.flatnonzero(close & (stays[:, 1] <= at)).tolist():
            looks = np.arange(int(np.ceil(stays[stay, 1])), at + 1)
            if not sees(views.sight, places[stay : stay + 1] + _CHEST, feet[at : at + 1] + _CHEST)[0]:
                continue
            if (views.seen(np.repeat(places[stay : stay + 1], len(looks), axis=0), looks * moment) < 0).all():
                return at * moment, int(stay)
    return None


def _until(path: Floats, seconds: float) -> Floats:
    """Return a path with a wait at its end until a moment."""
    return path if path[-1, 3] >= seconds else np.concatenate([path, [[*path[-1, :3], seconds]]])
