"""Evaluation of contenders on several levels; one seed, one result."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from ....cells.layout import CellLayout
from ....checks import finite_number, whole_number
from ....conventions import Progress
from ....errors import BehaviourError, InputError, did_you_mean
from ....level.level import Level
from ..harness.processes import run_all
from .arena import Arena
from .beginnings import MODELS, draw_beginning
from .contenders import DEFAULT, Contender
from .contenders import contenders as contenders_of
from .gauge import MOST_SEARCHERS
from .outcome import SearchOutcome
from .settings import TrialSettings
from .trial import run_trial

__all__ = ["SEARCHERS", "SearchEvaluation", "SearchFailure", "evader_numbers", "evaluate_search", "searcher_counts"]

SEARCHERS = (1, 2, 4)
"""Numbers of searchers, in turn, by default."""

CHUNK = 3
"""Episodes per chunk; independent of the number of jobs, so that the result is too."""

Task = tuple[str, int]
"""Level and first episode of a chunk."""
_Part = tuple[SearchOutcome | None, tuple["SearchFailure", ...]]
"""Result of a chunk: its outcome (None if there is none) and the failed searches."""


@dataclass(frozen=True)
class SearchFailure:
    """A search in which a brain raised an exception: its level, episode, contender and message."""

    level: str
    episode: int
    contender: str
    text: str


@dataclass(frozen=True, eq=False)
class SearchEvaluation:
    """Parameters and outcomes of an evaluation, level by level.

    Attributes
    ----------
    contenders : in the order of the columns of each outcome.
    outcomes : by level.
    own_places : by level, whether its hiding places are its own.
    failures : searches in which a brain raised. Their episodes are left out for all contenders, so that all are
        measured on the same beginnings.
    """

    contenders: tuple[Contender, ...]
    outcomes: dict[str, SearchOutcome]
    own_places: dict[str, bool]
    settings: TrialSettings
    seed: int
    episodes: int
    failures: tuple[SearchFailure, ...] = ()

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the contenders."""
        return tuple(one.name for one in self.contenders)


@dataclass(frozen=True, eq=False)
class _Plan:
    """Everything a process needs to run any chunk."""

    levels: dict[str, tuple[Level, CellLayout]]
    contenders: tuple[Contender, ...]
    models: tuple[int, ...]
    searchers: tuple[int, ...]
    episodes: int
    seed: int
    settings: TrialSettings


class _Runner:
    """Run chunks of a plan in this process; an arena is created when its level first occurs."""

    def __init__(self, plan: _Plan):
        self._plan = plan
        self._arenas: dict[str, Arena] = {}

    def __call__(self, task: Task) -> _Part:
        (name, first), plan = task, self._plan
        if name not in self._arenas:
            self._arenas[name] = Arena(name, *plan.levels[name])
        arena = self._arenas[name]
        numbers = range(first, min(first + CHUNK, plan.episodes))
        drawn = [draw_beginning(arena, one, plan.models, plan.searchers, plan.settings, plan.seed) for one in numbers]
        begun, trials, failures = [], [], []
        for one in drawn:
            if one is None:
                continue
            row = [run_trial(arena, one, contender, plan.settings, plan.seed) for contender in plan.contenders]
            failed = [
                SearchFailure(name, one.number, contender.name, trial.failure)
                for contender, trial in zip(plan.contenders, row)
                if trial.failure
            ]
            failures += failed
            if not failed:
                begun.append(one)
                trials.append(row)
        return (SearchOutcome.of(begun, trials) if begun else None), tuple(failures)


def evaluate_search(
    levels: Mapping[str, tuple[Level, CellLayout]],
    *,
    contenders: Sequence[str] = DEFAULT,
    evaders: Sequence[str] = MODELS,
    searchers: Sequence[int] = SEARCHERS,
    episodes: int = 60,
    seed: int = 0,
    jobs: int = 1,
    settings: TrialSettings = TrialSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> SearchEvaluation:
    """Measure how well search methods perform; every contender gets the same beginnings.

    Parameters
    ----------
    levels : level and cells by name; names enter the seed. Cells are for bodies, baked with a radius.
    contenders : names; see `contenders`.
    evaders, searchers : models of evaders, and numbers of searchers; all pairs of them alternate.
    episodes : searches per level and contender.
    jobs : number of processes; the result does not depend on it. Processes are spawned, so a script that uses more
        than one must guard its entry point by `if __name__ == "__main__":`.
    """
    if not levels:
        raise InputError("no level given; give at least one")
    for name, value, low, high in (("episodes", episodes, 1, 1e6), ("jobs", jobs, 1, 1024), ("seed", seed, 0, 2**63)):
        finite_number(whole_number(value, name, low=low), name, high=high)
    chosen = contenders_of(contenders)
    plan = _Plan(dict(levels), chosen, evader_numbers(evaders), searcher_counts(searchers), episodes, seed, settings)
    tasks: list[Task] = [(name, first) for name in levels for first in range(0, episodes, CHUNK)]
    parts: dict[Task, _Part] = {}
    for task, part in run_all(_Runner, plan, tasks, jobs):
        parts[task] = part
        if progress is not None:
            progress(task[0], len(parts) / len(tasks))
    failures = tuple(failure for task in tasks for failure in parts[task][1])
    outcomes = {}
    for name in levels:
        found = [outcome for task in tasks if task[0] == name and (outcome := parts[task][0]) is not None]
        failed = [failure for failure in failures if failure.level == name]
        if not found and failed:
            raise BehaviourError(
                f"level {name!r}: every search failed, first with {failed[0].contender}: {failed[0].text}"
            )
        if not found:
            raise InputError(f"level {name!r}: an evader cannot get out of sight; the level is too open or too small")
        outcomes[name] = SearchOutcome.joined(found)
    own = {name: bool(level.hiding_places) for name, (level, _) in levels.items()}
    return SearchEvaluation(chosen, outcomes, own, settings, seed, episodes, failures)


def evader_numbers(names: Sequence[str]) -> tuple[int, ...]:
    """Return the indices of the models with these names."""
    for name in names:
        if name not in MODELS:
            raise InputError(f"no evader {name!r}{did_you_mean(name, MODELS)}; evaders: {', '.join(MODELS)}")
    if not names:
        raise InputError(f"no evader given; evaders: {', '.join(MODELS)}")
    return tuple(MODELS.index(name) for name in dict.fromkeys(names))


def searcher_counts(counts: Sequence[int]) -> tuple[int, ...]:
    """Return the checked numbers of searchers."""
    if not counts:
        raise InputError(f"no number of searchers given; give some from 1 to {MOST_SEARCHERS}")
    for count in counts:
        finite_number(whole_number(count, "searchers", low=1), "searchers", high=MOST_SEARCHERS)
    return tuple(dict.fromkeys(counts))
