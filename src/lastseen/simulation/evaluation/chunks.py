"""Chunks of episodes: what a process needs to run them, and what each leaves."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from ...cells.layout import CellLayout
from ...reasoning.chase.predictors import PredictorKind
from .episodes import Episodes, Ground, draw_episodes
from .judge import judge
from .outcome import Outcome
from .predictors import PredictsMany, contenders
from .processes import run_all
from .pursuits import chase_on, losses_of
from .settings import PursuitSettings

__all__ = ["CHUNK", "Plan", "Task", "run_tasks"]

CHUNK = 48
"""Episodes drawn and run together; it never depends on the number of jobs, so neither does the result."""

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

    def __call__(self, task: Task) -> Outcome | None:
        """Run one chunk; None where no runner was lost."""
        (name, first), plan = task, self._plan
        if name not in self._arenas:
            self._arenas[name] = _Arena(plan.layouts[name], plan.predictors)
        numbers = np.arange(first, min(first + CHUNK, plan.episodes))
        return self._arenas[name].run(numbers, plan.settings, plan.seed, name)


def run_tasks(plan: Plan, tasks: Sequence[Task], jobs: int) -> Iterator[tuple[Task, Outcome | None]]:
    """Run chunks in up to so many processes; yield each as it ends."""
    return run_all(_Runner, plan, tasks, jobs)


class _Arena:
    """One level with its predictors, made once in each process."""

    def __init__(self, layout: CellLayout, names: Sequence[str]):
        self._ground = Ground(layout)
        self._predictors: list[tuple[PredictorKind, PredictsMany]] = [
            (one, one.make(layout)) for one in contenders(names)
        ]

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
