"""Judge guards by solver runs, and race placements: those that fall behind get no more runs."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ....conventions import Array, Floats
from ....rng import generator
from ..coverage import Watch
from ..guard_routes import Coverage, GuardRoute
from ..placement_settings import VerifySettings
from ..verify.path_check import PathCheck
from ..verify.similarity import frechet
from ..verify.solver import Question, search_with_trees
from ..verify.verify import settled_path
from .targets import Targets

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


_FEWEST = 8
"""Runs that every placement gets."""
_SAMPLES = 400
_SAME = 1e-12
_HOPE = 0.05
"""A challenger that beats the champion in fewer resamples than this share is given up."""
_SURE = 0.9


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
