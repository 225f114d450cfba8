"""Race placements for the smallest miss of their targets; those that fall behind get no more runs."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...conventions import Array, Floats
from ...rng import generator
from .judging import Entry, Judge
from .targets import Targets

__all__ = ["aim", "hope", "race", "resamples", "rungs", "surely_met"]

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
