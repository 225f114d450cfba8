"""Evaluate predictors in pursuits on several levels, in chunks of episodes; one seed, one result."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

import numpy as np

from ....cells.layout import CellLayout
from ....checks import finite_number
from ....conventions import Progress
from ....errors import InputError
from ....reasoning.chase.predictors import PredictorKind
from ..harness.processes import run_all
from .episodes import Episodes, Ground, draw_episodes
from .outcome import Outcome, judge
from .predictors import DEFAULT, PredictsMany, contenders
from .pursuits import chase_on, losses_of
from .settings import PursuitSettings

__all__ = ["CHUNK", "Evaluation", "Plan", "Task", "evaluate_chase", "run_tasks"]


@dataclass(frozen=True, eq=False)
class Evaluation:
    """What was asked, and what came of it, level by level.

    Attributes
    ----------
    predictors : names, in the order of the columns of each outcome.
    outcomes : by level.
    """

    predictors: tuple[PredictorKind, ...]
    outcomes: dict[str, Outcome]
    settings: PursuitSettings
    seed: int
    episodes: int

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the predictors."""
        return tuple(one.name for one in self.predictors)


def evaluate_chase(
    layouts: Mapping[str, CellLayout],
    *,
    predictors: Sequence[str] = DEFAULT,
    episodes: int = 200,
    seed: int = 0,
    jobs: int = 1,
    settings: PursuitSettings = PursuitSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """How well do predictors do? Every predictor meets the same first losses.

    Parameters
    ----------
    layouts : cells by the name of the level; names are part of the seed.
    episodes : first losses per level; models and speeds of runners take turns.
    jobs : processes, this one among them; the result is the same for any number. The others are spawned, so a
        script that asks for more than one must guard its own start by `if __name__ == "__main__":`.
    """
    if not layouts:
        raise InputError("no level is given; give at least one")
    for name, value in (("episodes", episodes), ("jobs", jobs), ("seed", seed)):
        if isinstance(value, bool) or not isinstance(value, int):
            raise InputError(f"{name} is {value!r}; give a whole number")
    finite_number(episodes, "episodes", low=1, high=1e6)
    finite_number(jobs, "jobs", low=1, high=1024)
    finite_number(seed, "seed", low=0, high=2**63)
    chosen = contenders(predictors)
    tasks = [(name, first) for name in layouts for first in range(0, episodes, CHUNK)]
    plan = Plan(dict(layouts), tuple(one.name for one in chosen), episodes, seed, settings)
    parts: dict[Task, Outcome | None] = {}
    for task, part in run_tasks(plan, tasks, jobs):
        parts[task] = part
        if progress is not None:
            progress(task[0], len(parts) / len(tasks))
    outcomes = {}
    for name in layouts:
        found = [part for task in tasks if task[0] == name and (part := parts[task]) is not None]
        if not found:
            raise InputError(f"level {name!r}: no guard ever lost its runner; it is too open or too small for pursuits")
        outcomes[name] = Outcome.joined(found)
    return Evaluation(chosen, outcomes, settings, seed, episodes)


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
