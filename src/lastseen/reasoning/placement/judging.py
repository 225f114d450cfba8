"""Judge guards: whether the path is passable, what they see, and how solver runs fare against them."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from typing import Any, TypeVar

import numpy as np

from ...conventions import Floats
from .coverage import Watch
from .passable import PathCheck
from .routes import Coverage, GuardRoute
from .similarity import frechet
from .solving import Question, search_with_trees
from .verify import settled_path
from .verify_settings import VerifySettings

__all__ = ["Entry", "Judge", "in_threads"]

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
