"""Targets for guards, how solver runs judge a placement by them, and races between placements."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ....checks import finite_number, shown
from ....conventions import Array, Floats
from ....errors import InputError
from ....rng import generator
from ..coverage import Watch
from ..guard_routes import Coverage, GuardRoute
from ..placement_settings import VerifySettings
from ..verify.path_check import PathCheck, settled_path
from ..verify.similarity import frechet
from ..verify.solver import Question, search_with_trees

_PULL = 0.1
"""Weight of the effort of runs relative to their success rate."""
_FEWEST = 8
"""Runs that every placement gets."""
_SAMPLES = 400
_SAME = 1e-12
_HOPE = 0.05
"""A challenger that beats the champion in fewer resamples than this share is given up."""
_SURE = 0.9


@dataclass(frozen=True)
class Misses:
    """By how much targets are missed, each 0 … 1; 0 if met or not requested."""

    success: float
    closeness: float
    coverage: float

    @property
    def total(self) -> float:
        """The sum, which a search minimises."""
        return self.success + self.closeness + self.coverage


@dataclass(frozen=True)
class Targets:
    """Targets for guards; None: no target.

    Attributes
    ----------
    success : minimum and maximum share of solver runs that get through, 0 … 1.
    closeness : maximum median distance of solutions from the intended path in metres (Fréchet distance).
    coverage : minimum share of the floor seen at some time, 0 … 1.
    """

    success: tuple[float, float] | None = None
    closeness: float | None = None
    coverage: float | None = None

    def __post_init__(self) -> None:
        if self.success is not None:
            object.__setattr__(self, "success", _span(self.success))
        if self.closeness is not None:
            metres = finite_number(self.closeness, "closeness", unit="m", low=0.0, high=1e6, open_low=True)
            object.__setattr__(self, "closeness", metres)
        if self.coverage is not None:
            object.__setattr__(self, "coverage", finite_number(self.coverage, "coverage", low=0.0, high=1.0))
        if self.success is None and self.closeness is None and self.coverage is None:
            raise InputError("no target is given; give a range of success, a closeness or a coverage")

    def misses(self, apart: Floats, seen: float) -> Misses:
        """Return by how much the targets are missed.

        Parameters
        ----------
        apart : (n,) Fréchet distance of each solver run's solution from the path; infinite: it found none.
        seen : share of the floor seen at some time.
        """
        success, closeness = self._parts(apart[None])
        return Misses(float(success[0]), float(closeness[0]), self._unseen(seen))

    def totals(self, apart: Floats, effort: Floats, seen: float) -> Floats:
        """Return by how much samples of runs miss the targets, (samples, n) → (samples,): the objective of a search.

        If all runs get through, or none, small changes of guards do not affect the rate. The effort of a run (0 … 1)
        then shows the trend: it counts a little while the rate is outside its range.
        """
        success, closeness = self._parts(apart)
        total = success + closeness + self._unseen(seen)
        if self.success is not None:
            share, spent = np.isfinite(apart).mean(axis=1), effort.mean(axis=1)
            total += _PULL * np.where(
                share > self.success[1], 1.0 - spent, np.where(share < self.success[0], spent, 0.0)
            )
        return np.asarray(total)

    def _parts(self, apart: Floats) -> tuple[Floats, Floats]:
        found = np.isfinite(apart).sum(axis=1)
        missed, far = np.zeros(len(apart)), np.zeros(len(apart))
        if self.success is not None:
            share = found / apart.shape[1]
            missed = np.maximum(0.0, np.maximum(self.success[0] - share, share - self.success[1]))
        if self.closeness is not None:
            # Twice the distance counts 1/2 and no solution 1: bounded, so that no target dominates the others.
            far = np.maximum(0.0, 1.0 - self.closeness / np.maximum(middle(apart), self.closeness))
        return missed, far

    def _unseen(self, seen: float) -> float:
        return 0.0 if self.coverage is None else max(0.0, self.coverage - seen)

    def as_object(self) -> dict[str, Any]:
        """Return the targets by name, for JSON."""
        success = None if self.success is None else list(self.success)
        return {"success": success, "closeness": self.closeness, "coverage": self.coverage}


def middle(apart: Floats) -> Floats:
    """Return the median of the finite values of each row, (rows, n) → (rows,); infinite if there are none."""
    ordered = np.sort(apart, axis=1)
    count = np.isfinite(apart).sum(axis=1)
    row = np.arange(len(apart))
    low, high = ordered[row, np.maximum(count - 1, 0) // 2], ordered[row, np.minimum(count // 2, apart.shape[1] - 1)]
    return np.asarray(np.where(count > 0, 0.5 * (low + high), np.inf))


def _span(given: Any) -> tuple[float, float]:
    if not isinstance(given, list | tuple) or len(given) != 2:
        raise InputError(f"success is {shown(given)}; give the minimum and maximum share of runs, such as (0.2, 0.6)")
    low, high = (finite_number(value, "success", low=0.0, high=1.0) for value in given)
    if low > high:
        raise InputError(f"success is {low:g} to {high:g}; give the minimum first")
    return low, high


One = TypeVar("One")
Other = TypeVar("Other")


def in_threads(function: Callable[[One], Other], items: Iterable[One], jobs: int) -> list[Other]:
    """Call a function on each item, on up to `jobs` threads; return the results in order."""
    waiting = list(items)
    if jobs == 1 or len(waiting) < 2:
        return [function(item) for item in waiting]
    pool = ThreadPoolExecutor(min(jobs, len(waiting)))
    try:
        return list(pool.map(function, waiting))
    finally:
        # After an interrupt, tasks that have not started never do.
        pool.shutdown(wait=True, cancel_futures=True)


@dataclass(eq=False)
class Entry:
    """Guards under evaluation: what they see, and the results of solver runs so far.

    Attributes
    ----------
    apart : (n,) Fréchet distance of each run's solution from the path; infinite: it found none.
    effort : (n,) share 0 … 1 of its trees that each run used; 1 if it found none.
    words : how they were made.
    """

    routes: tuple[GuardRoute, ...]
    coverage: Coverage
    question: Question
    words: str = ""
    apart: Floats = field(default_factory=lambda: np.zeros(0))
    effort: Floats = field(default_factory=lambda: np.zeros(0))


class Judge:
    """Asks the same of many placements: run n of the solver draws the same random numbers in all of them.

    So placements are compared run by run: chance that helps one helps the other.
    """

    def __init__(self, check: PathCheck, path: Any, watch: Watch, settings: VerifySettings, jobs: int = 1) -> None:
        self.check, self.watch, self.settings, self.jobs = check, watch, settings, jobs
        self.ground = check.ground
        self.path = settled_path(self.ground, path)
        # Build it now: threads must not build it concurrently.
        self.ground.scattered(np.zeros((1, 3)), 0)

    def entry(self, routes: tuple[GuardRoute, ...], words: str = "") -> Entry | None:
        """Return guards ready to be judged, or None if they make the path impossible."""
        return self.open_entry(routes, words) if self.check(routes) else None

    def open_entry(self, routes: tuple[GuardRoute, ...], words: str = "") -> Entry:
        """Return guards ready to be judged, whether or not the path is passable."""
        question = Question.make(self.ground, routes, self.path[0], self.path[-1], self.settings)
        return Entry(routes, self.watch.coverage(routes), question, words)

    def entries(self, proposals: Sequence[tuple[tuple[GuardRoute, ...], str] | None]) -> list[Entry | None]:
        """Return entries for many proposals, on threads."""
        return in_threads(lambda one: None if one is None else self.entry(*one), proposals, self.jobs)

    def run(self, entries: Sequence[Entry], runs: int) -> None:
        """Run the solver for each entry until it has `runs` runs; existing runs are kept."""
        tasks = [(entry, number) for entry in entries for number in range(len(entry.apart), runs)]
        found = in_threads(lambda task: self._one(*task), tasks, self.jobs)
        for entry in entries:
            mine = [row for (one, _), row in zip(tasks, found) if one is entry]
            apart, effort = np.array(mine, np.float64).reshape(-1, 2).T
            entry.apart, entry.effort = np.r_[entry.apart, apart], np.r_[entry.effort, effort]

    def _one(self, entry: Entry, number: int) -> tuple[float, float]:
        if entry.question.start_seen():
            return math.inf, 1.0
        run = search_with_trees(entry.question, number)
        if not run.found:
            return math.inf, 1.0
        return frechet(run.path[:, :3], self.path), (run.trees - 1) / self.settings.trees


def rungs(runs: int) -> tuple[int, ...]:
    """Return the numbers of runs after which laggards are given up: doubling each time, up to `runs`."""
    steps = [runs]
    while steps[0] >= 2 * _FEWEST:
        steps.insert(0, steps[0] // 2)
    return tuple(steps)


def race(judge: Judge, targets: Targets, champion: Entry, challengers: Sequence[Entry], seed: int) -> Entry:
    """Return the challenger that misses the targets by less than the champion, or the champion.

    The champion has twice as many runs as the race covers. Challengers are compared with it over the same runs,
    resampled with repetition (a paired bootstrap): one that is hardly ever better gets no more runs. The mean over all
    resamples decides, so that a placement well inside a range beats one that is at its edge by luck. The best of many
    is also the luckiest: it must also win with the other half of the runs, which only the best gets.
    """
    running, whole = list(challengers), len(champion.apart)
    for runs in rungs(whole // 2):
        judge.run(running, runs)
        picks = resamples(runs, seed)
        one = _totals(targets, champion, picks)
        running = [entry for entry in running if hope(_totals(targets, entry, picks), one) >= _HOPE]
    means = [float(_totals(targets, entry, picks).mean()) for entry in running]
    if not means or min(means) >= float(one.mean()) - _SAME:
        return champion
    best = running[int(np.argmin(means))]
    judge.run([best], whole)
    return best if aim(targets, best, seed) < aim(targets, champion, seed) - _SAME else champion


def resamples(runs: int, seed: int) -> Array:
    """Draw numbers of runs with repetition, (samples, runs)."""
    return generator(seed, f"race {runs}").integers(runs, size=(_SAMPLES, runs))


def aim(targets: Targets, entry: Entry, seed: int) -> float:
    """Return the objective of a search: the mean miss over resamples of the runs."""
    return float(_totals(targets, entry, resamples(len(entry.apart), seed)).mean())


def surely_met(targets: Targets, entry: Entry, seed: int) -> bool:
    """Return whether targets are met in nine of ten resamples of the runs."""
    return float((_totals(targets, entry, resamples(len(entry.apart), seed)) <= _SAME).mean()) >= _SURE


def hope(challenger: Floats, champion: Floats) -> float:
    """Return the share of resamples, (samples,) totals of both, in which a challenger misses less; ties count half."""
    less, same = challenger < champion - _SAME, np.abs(challenger - champion) <= _SAME
    return float(less.mean() + 0.5 * same.mean())


def _totals(targets: Targets, entry: Entry, picks: Array) -> Floats:
    return targets.totals(entry.apart[picks], entry.effort[picks], entry.coverage.ever)
