"""Repeat the source's experiments on the cost of the path and the number of guards.

Guards are placed repeatedly, as in the source, and the solver runs in each placement; only one variable changes.
"""

from __future__ import annotations

import math
import threading
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....checks import finite_number, instance_of, seed_of, shown, whole_number
from ....conventions import Floats, Progress
from ....errors import InputError
from ....level.level import Level
from ....reasoning.placement.guard_routes import GuardKind, GuardRoute
from ....reasoning.placement.improve.targets import Judge, in_threads, middle
from ....reasoning.placement.place.place import GuardPlanner
from ....reasoning.placement.place.sight_graph import closeness
from ....reasoning.placement.placement_settings import PlacementSettings, VerifySettings
from ....reasoning.placement.verify.path_check import PathCheck
from ....rng import generator

MEASURES = ("success", "close", "apart", "ever", "mean", "path", "passable", "touched", "pacing")
"""Of one placement: share of runs that got through, and of those close to the path; their median distance from it;
share of the floor seen at some time and at any moment, and of the path at any moment; and as 0 or 1 whether the path is
passable, a route touches it, and a guard paces a single edge on it."""

PATH_COSTS = (0.0, 0.1, 0.25, 0.5, 1.0, 2.0, 5.0)
GUARD_COUNTS = (1, 2, 3, 4, 6, 8)
_TOUCH = 0.1
"""Metres from the path within which a route counts as on it."""


@dataclass(frozen=True)
class Condition:
    """One value of the variable: its label, its series and how guards are placed.

    `checked`: guards that make the path impossible are replaced by others of the same draw that do not.
    """

    label: str
    series: str
    guards: int
    settings: PlacementSettings
    checked: bool = False


@dataclass(frozen=True, eq=False)
class ExperimentTable:
    """The measurements of an experiment.

    Attributes
    ----------
    values : (conditions, placements, measures), see `MEASURES`; NaN where nothing can be measured, such as distances of
        solutions if none was found, or everything if guards could not be placed.
    stopped : whether it was interrupted; unfinished placements are left out.
    unplaced : by condition, why guards could not be placed on some or all packings; empty if they could.
    """

    variable: str
    conditions: tuple[Condition, ...]
    values: Floats
    settings: VerifySettings
    seed: int
    stopped: bool = False
    unplaced: tuple[str, ...] = ()

    def of(self, series: str, measure: str) -> tuple[list[str], Floats]:
        """Return the labels of a series and one measure, (conditions, placements)."""
        rows = [row for row, one in enumerate(self.conditions) if one.series == series]
        return [self.conditions[row].label for row in rows], self.values[rows, :, MEASURES.index(measure)]

    @property
    def series(self) -> tuple[str, ...]:
        """The names of the series, in order."""
        return tuple(dict.fromkeys(one.series for one in self.conditions))


def path_costs(
    costs: Iterable[float] = PATH_COSTS, *, guards: int = 3, settings: PlacementSettings | None = None
) -> tuple[Condition, ...]:
    """Return the conditions of figure 4: guards placed one by one as in the source, at rising path costs."""
    base = _as_source(settings)
    chosen = tuple(costs)
    if len(chosen) < 2:
        raise InputError(f"{len(chosen)} path costs are too few to compare; give at least two, such as 0, 0.5 and 2")
    return tuple(Condition(f"{cost:g}", "one by one", guards, replace(base, path_cost=cost)) for cost in chosen)


def guard_counts(
    counts: Iterable[int] = GUARD_COUNTS, *, settings: PlacementSettings | None = None
) -> tuple[Condition, ...]:
    """Return the conditions of figure 5: rising numbers of guards, placed one by one as in the source, and together.

    Guards placed together are checked: if they block the path, the same draw's guards one by one are used if they do
    not.
    """
    base, chosen = _as_source(settings), tuple(whole_number(count, "guards", low=1) for count in counts)
    if len(chosen) < 2:
        raise InputError(
            f"{len(chosen)} numbers of guards are too few to compare; give two or more, such as 1, 2 and 4"
        )
    ways = (("one by one", base), ("together", replace(base, together=True, redraws=1)))
    return tuple(Condition(str(count), name, count, one, one.together) for name, one in ways for count in chosen)


def _as_source(settings: PlacementSettings | None) -> PlacementSettings:
    """Return settings as in the source: one by one, and an earlier guard adds costs only on its own edges."""
    base = (
        PlacementSettings() if settings is None else instance_of(settings, PlacementSettings, "settings", "give them")
    )
    return replace(base, together=False, guard_term="flat")


def run_experiment(
    level: Level,
    path: Any,
    variable: str,
    conditions: Sequence[Condition],
    *,
    kinds: str | GuardKind | Iterable[str | GuardKind] = "walking",
    settings: VerifySettings | None = None,
    placements: int = 12,
    width: float = 1.0,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = None,
) -> ExperimentTable:
    """Measure conditions, all on the same packings and with the same random numbers.

    Parameters
    ----------
    variable : the variable whose values are the labels of the conditions.
    placements : how often the level is packed and guards are placed.
    settings : solver settings; `runs` solver runs for each placement.
    jobs : threads; the result is the same for any number.

    Raises
    ------
    InputError
        The path leaves the level, or no guards can be placed under any condition.
    """
    given = VerifySettings() if settings is None else instance_of(settings, VerifySettings, "settings", "give them")
    placements, seed = whole_number(placements, "placements", low=2), seed_of(seed)
    jobs = whole_number(jobs, "jobs", low=1)
    finite_number(jobs, "jobs", high=1024)
    if not conditions:
        raise InputError(f"conditions is {shown(conditions)}; give at least one, such as those of path_costs()")
    chosen = replace(given, seed=seed, solver="rrt")
    bench = _Bench(level, path, tuple(conditions), kinds, chosen, PathCheck(level, path, width=width, settings=chosen))
    stopped = False
    try:
        in_threads(lambda number: bench.run(number, seed, placements, progress), range(placements), jobs)
    except KeyboardInterrupt:
        stopped = True
    if not bench.done or (stopped and len(bench.done) < 2):
        raise KeyboardInterrupt
    values = np.stack([bench.done[number] for number in sorted(bench.done)], axis=1)
    # Of several reasons the first in the alphabet, whichever thread was first.
    unplaced = tuple(min(bench.why[one], default="") for one in range(len(conditions)))
    if np.isnan(values).all():
        raise InputError(f"no guards could be placed under any condition: {unplaced[-1]}")
    return ExperimentTable(variable, tuple(conditions), values, chosen, seed, stopped, unplaced)


class _Bench:
    """Measures all conditions on one packing after another."""

    def __init__(
        self,
        level: Level,
        path: Any,
        conditions: tuple[Condition, ...],
        kinds: Any,
        settings: VerifySettings,
        check: PathCheck,
    ) -> None:
        self._level, self._path, self._conditions, self._kinds = level, path, conditions, kinds
        self._settings, self._check = settings, check
        self._lock = threading.Lock()
        self.done: dict[int, Floats] = {}
        self.why: list[set[str]] = [set() for _ in conditions]

    def run(self, number: int, seed: int, count: int, progress: Progress) -> None:
        """Measure on one packing and report how many are done."""
        first = self._conditions[0].settings
        own = int(generator(seed, f"experiment {number}").integers(2**62))
        planner = GuardPlanner(self._level, self._path, kinds=self._kinds, settings=first, seed=own)
        judge = Judge(self._check, self._path, planner.watch, self._settings)
        rows = np.array([self._measure(planner, judge, one, own) for one in self._conditions])
        with self._lock:
            self.done[number] = rows
            if progress is not None:
                progress(f"placement {len(self.done)} of {count}", len(self.done) / count)

    def _measure(self, planner: GuardPlanner, judge: Judge, one: Condition, seed: int) -> tuple[float, ...]:
        try:
            check = self._check if one.checked else None
            routes = planner.with_settings(one.settings).place(one.guards, seed=seed, check=check).routes
        except InputError as error:
            self.why[self._conditions.index(one)].add(str(error))
            return (math.nan,) * len(MEASURES)
        entry = judge.open_entry(routes)
        judge.run([entry], self._settings.runs)
        found = np.isfinite(entry.apart)
        close = float((entry.apart[found] <= self._settings.close).mean()) if found.any() else math.nan
        apart = float(middle(entry.apart[None])[0])
        near = [on_path(route, planner.ground.path) for route in routes]
        pacing = any(on and len(route.points) == 2 for on, route in zip(near, routes))
        return (
            float(found.mean()),
            close,
            apart if math.isfinite(apart) else math.nan,
            entry.coverage.ever,
            entry.coverage.mean,
            entry.coverage.path,
            float(self._check(routes)),
            float(any(near)),
            float(pacing),
        )


def on_path(route: GuardRoute, path: Floats) -> bool:
    """Return whether a route crosses a path, or comes close enough to count."""
    lines = np.hstack([route.points, np.roll(route.points, -1, axis=0)])
    return bool(closeness(lines, path, _TOUCH).max() > 0.0)
