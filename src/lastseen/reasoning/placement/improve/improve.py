"""Search for guards that best meet targets for success rate, closeness to the path and coverage."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from ....checks import finite_number, instance_of, seed_of, whole_number
from ....conventions import Floats, Progress
from ....errors import InputError
from ....level.level import Level
from ....rng import generator
from ..guard_routes import GuardKind, Placement
from ..place.place import GuardPlanner
from ..placement_settings import PlacementSettings, VerifySettings
from ..verify.path_check import PathCheck
from ..verify.verify import Verification, verify
from .moves import Moves
from .targets import Entry, Judge, Misses, Targets, aim, in_threads, race, surely_met

CHALLENGERS = 8
"""Changed placements tried in each round."""
_TRIES = 4
"""Attempts per challenger to draw a change that keeps the path passable."""
MOST_JOBS = 1024


def improve_guards(
    level: Level,
    path: Any,
    guards: int | Placement,
    targets: Targets,
    *,
    kinds: str | GuardKind | Iterable[str | GuardKind] = "walking",
    placing: PlacementSettings | None = None,
    settings: VerifySettings | None = None,
    width: float = 1.0,
    rounds: int = 20,
    seed: int = 0,
    jobs: int = 1,
    progress: Progress = None,
) -> Improvement:
    """Search for guards that meet targets and keep the intended path passable.

    Each round changes the best guards so far in several ways, discards changes that make the path impossible, and races
    the rest against the best: run by run with the same random numbers, and no more runs for those that fall behind. The
    search ends when the targets are safely met in all runs, after the last round, or at an interrupt (Ctrl-C), which
    keeps the best so far. Finally, runs that the search never used measure how good the result is.

    Parameters
    ----------
    path : the intended path, (n, 2 or 3) metres or an `IntendedPath`.
    guards : how many, or the guards to start from.
    placing, kinds : see `place_guards`.
    settings : solver settings; `runs` runs judge a placement, and as many again one that seems better.
    width : metres a player may leave the path and still count as on it.
    jobs : threads; the result is the same for any number.

    Raises
    ------
    InputError
        The path is impossible with the initial guards, or an error of `place_guards`.
    """
    instance_of(targets, Targets, "targets", "give Targets")
    rounds, jobs, seed = whole_number(rounds, "rounds", low=1), whole_number(jobs, "jobs", low=1), seed_of(seed)
    finite_number(jobs, "jobs", high=MOST_JOBS)
    given = VerifySettings() if settings is None else instance_of(settings, VerifySettings, "settings", "give them")
    solving = replace(given, seed=seed, solver="rrt")
    planner = GuardPlanner(level, path, kinds=kinds, settings=placing, seed=seed, progress=progress)
    check = PathCheck(level, path, width=width, settings=solving)
    judge = Judge(check, path, planner.watch, solving, jobs)
    return _Search(targets, rounds, planner, judge, progress).run(guards)


class _Search:
    """The state of a search: the best so far and the rounds that led to it."""

    def __init__(self, targets: Targets, rounds: int, planner: GuardPlanner, judge: Judge, progress: Progress) -> None:
        self.targets, self.rounds, self.planner, self.judge = targets, rounds, planner, judge
        self.check, self.settings, self.seed = judge.check, judge.settings, judge.settings.seed
        self.report = progress or (lambda _words, _share: None)
        self.begun: ImproveRound | None = None
        self.done: list[ImproveRound] = []

    def run(self, guards: int | Placement) -> Improvement:
        before = self._first(guards)
        moves = Moves(self.planner)
        first = self.best = self.judge.open_entry(before.routes)
        self.report("the initial guards", 0.0)
        stopped = False
        try:
            self.judge.run([first], 2 * self.settings.runs)
            self.begun = self._state(first, "", 0, 0)
            for number in range(self.rounds):
                if surely_met(self.targets, self.best, self.seed):
                    break
                self._round(number, moves)
        except KeyboardInterrupt:
            stopped = True
        after = replace(before, routes=self.best.routes, coverage=self.best.coverage, passed=True)
        checked = misses = None
        try:
            checked = None if stopped else self._fresh(before, after)
        except KeyboardInterrupt:
            stopped = True
        if checked is not None:
            pairs = zip(checked, (first, self.best))
            one, other = (self.targets.misses(apart_of_runs(found), entry.coverage.ever) for found, entry in pairs)
            misses = one, other
        return Improvement(
            self.targets,
            replace(before, coverage=first.coverage),
            after,
            self._misses(self.best),
            self.begun,
            tuple(self.done),
            checked,
            misses,
            stopped,
        )

    def _first(self, guards: int | Placement) -> Placement:
        if not isinstance(guards, Placement):
            drawn = self.planner.place(guards, seed=self.seed, check=self.check, progress=self.report)
            if drawn.passed:
                return drawn
            why = f"in any of {self.planner.draws(guards)} placements; in the last, {self.check.ask(drawn).why}"
            raise InputError(f"the intended path is not passable {why}; use fewer guards or a shorter view")
        if not guards.routes:
            raise InputError("there are no guards to start from; give at least one")
        asked = self.check.ask(guards)
        if not asked:
            raise InputError(
                f"the intended path is not passable with the initial guards: {asked.why}; "
                "start from others, or give a number of guards to place"
            )
        return replace(guards, notes=tuple(self.planner.notes()), passed=True)

    def _misses(self, entry: Entry) -> Misses:
        if not len(entry.apart):
            return Misses(*(float("nan"),) * 3)
        return self.targets.misses(entry.apart, entry.coverage.ever)

    def _round(self, number: int, moves: Moves) -> None:
        missing = self._misses(self.best).total
        self.report(f"round {number + 1} of {self.rounds}, missing {missing:.3f}", number / self.rounds)
        randoms = [generator(self.seed, f"improve {number} {one}") for one in range(CHALLENGERS)]
        found: list[Entry | None] = [None] * CHALLENGERS
        for _ in range(_TRIES):
            proposals = [
                moves.draw(self.best.routes, random) if entry is None else None for random, entry in zip(randoms, found)
            ]
            found = [entry or made for entry, made in zip(found, self.judge.entries(proposals))]
        challengers = [entry for entry in found if entry is not None]
        winner = race(self.judge, self.targets, self.best, challengers, self.seed)
        spent = int(sum(len(entry.apart) for entry in challengers))
        words = winner.words if winner is not self.best else ""
        self.best = winner
        self.done.append(self._state(winner, words, len(challengers), spent))

    def _state(self, best: Entry, words: str, tried: int, runs: int) -> ImproveRound:
        return ImproveRound(self._misses(best), aim(self.targets, best, self.seed), words, tried, runs)

    def _fresh(self, before: Placement, after: Placement) -> Pair:
        self.report("independent runs", 0.98)
        seed = int(generator(self.seed, "improve fresh").integers(2**62))
        fresh = replace(self.settings, seed=seed, runs=2 * self.settings.runs)
        ground, path = self.check.ground, self.judge.path
        one, other = in_threads(
            lambda guards: verify(ground, guards, path=path, settings=fresh), (before, after), self.judge.jobs
        )
        return one, other


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
