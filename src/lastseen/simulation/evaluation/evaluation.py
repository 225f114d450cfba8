"""Pursuits on several levels with several predictors; one seed, one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ...cells.layout import CellLayout
from ...checks import finite_number
from ...conventions import Progress
from ...errors import InputError
from ...reasoning.chase.predictors import PredictorKind
from .chunks import CHUNK, Plan, Task, run_tasks
from .outcome import Outcome
from .predictors import DEFAULT, contenders
from .settings import PursuitSettings

__all__ = ["Evaluation", "evaluate_chase"]


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
