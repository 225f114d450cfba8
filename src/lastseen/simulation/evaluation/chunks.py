"""Chunks of episodes, run here or spread over processes; the result is the same.

Pursuits are many short steps of Python between kernels, so threads would wait for one another.
"""

from __future__ import annotations

import signal
from collections.abc import Iterator, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from dataclasses import dataclass
from multiprocessing import get_context

import numpy as np

from ...cells.layout import CellLayout
from ...errors import InputError
from .episodes import Episodes, Ground, draw_episodes
from .judge import judge
from .outcome import Outcome
from .predictors import Contender, PredictsMany, contenders
from .pursuits import chase_on, losses_of
from .settings import PursuitSettings

__all__ = ["CHUNK", "Plan", "Task", "run_tasks"]

CHUNK = 48
"""Episodes drawn and run together; it never depends on the number of jobs, so neither does the result."""

_FEWEST_TO_SHARE = 3
_TRAIL_STEPS = 31

Task = tuple[str, int]
"""Level and first episode of a chunk."""


@dataclass(frozen=True, eq=False)
class Plan:
    """What is to be evaluated: all a process needs to run any chunk of it."""

    layouts: dict[str, CellLayout]
    predictors: tuple[str, ...]
    episodes: int
    seed: int
    settings: PursuitSettings


class _Runner:
    """Runs chunks of a plan in this process; what a level needs is made when it is first met."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._arenas: dict[str, _Arena] = {}

    def run(self, task: Task) -> Outcome | None:
        """Run one chunk; None where no runner was lost."""
        (name, first), plan = task, self._plan
        if name not in self._arenas:
            self._arenas[name] = _Arena(plan.layouts[name], plan.predictors)
        numbers = np.arange(first, min(first + CHUNK, plan.episodes))
        return self._arenas[name].run(numbers, plan.settings, plan.seed, name)


def run_tasks(plan: Plan, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Outcome | None]]:
    """Run chunks in up to so many processes; yield each as it ends."""
    here = _Runner(plan)
    if jobs == 1 or len(tasks) < _FEWEST_TO_SHARE:
        for task in tasks:
            yield task, here.run(task)
        return
    workers = min(jobs, len(tasks) - 1)
    context = get_context("spawn")
    pool = ProcessPoolExecutor(workers, mp_context=context, initializer=_receive, initargs=(plan,))
    try:
        for _ in range(workers):
            pool.submit(_begin)
        # While they start, the first chunk runs here: what it compiles the others find ready.
        yield tasks[0], here.run(tasks[0])
        futures = {pool.submit(_run, task): task for task in tasks[1:]}
        for future in as_completed(futures):
            yield futures[future], future.result()
    except BrokenProcessPool:
        raise InputError(
            "processes of the evaluation ended at once; a script that asks for jobs > 1 must begin its work under "
            "if __name__ == '__main__': - do so, or give jobs=1"
        ) from None
    finally:
        pool.shutdown(wait=True, cancel_futures=True)


_received: list[_Runner] = []


def _receive(plan: Plan) -> None:
    # An interrupt goes to all processes of a terminal; the first one ends the others.
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    _received[:] = [_Runner(plan)]


def _begin() -> None:
    """Make a process start."""


def _run(task: Task) -> Outcome | None:
    return _received[0].run(task)


class _Arena:
    """One level with its predictors, made once in each process."""

    def __init__(self, layout: CellLayout, names: Sequence[str]):
        self._ground = Ground(layout)
        self._predictors: list[tuple[Contender, PredictsMany]] = [(one, one.make(layout)) for one in contenders(names)]

    def run(self, numbers: np.ndarray, settings: PursuitSettings, seed: int, name: str) -> Outcome | None:
        """Run some episodes of a level with all predictors; None where no runner was lost."""
        episodes = draw_episodes(self._ground, numbers, settings, seed, name)
        if len(episodes) == 0:
            return None
        known = losses_of(episodes, episodes.guards, settings)
        runs = [chase_on(self._ground, episodes, one, predictor, settings) for one, predictor in self._predictors]
        judged = [judge(self._ground, episodes, chased, known, settings) for chased in runs]
        return Outcome(
            episode=episodes.number,
            model=episodes.model,
            speed=episodes.speed,
            seen_at=known.seen_at,
            heading=known.heading,
            guard_at=known.guard_at,
            guard_facing=known.view_heading,
            trail=_trails(episodes, settings),
            destination=np.stack([one.destination for one in runs], axis=1),
            reason=np.stack([np.array(one.reasons, dtype="U16")[one.reason] for one in runs], axis=1),
            reacquired=np.stack([one.reacquired for one in runs], axis=1),
            alive=np.stack([one.alive for one in runs], axis=1),
            turned=np.stack([one.turned for one in judged], axis=1),
            corner_missed=np.stack([one.corner_missed for one in judged], axis=1),
            metres=np.stack([one.metres for one in runs], axis=1),
            miss=np.stack([one.miss for one in judged], axis=1),
            losses=np.stack([one.losses for one in runs], axis=1),
        )


def _trails(episodes: Episodes, settings: PursuitSettings) -> np.ndarray:
    every = max(settings.in_steps(0.5), 1)
    steps = episodes.guards.seen_step[:, None] + every * np.arange(_TRAIL_STEPS)[None, :]
    steps = np.minimum(steps, episodes.tracks.shape[1] - 1)
    return episodes.tracks[np.arange(len(episodes))[:, None], steps]
