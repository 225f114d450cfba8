"""Evaluation of crews on several levels and scenarios, off and on; one seed, one result."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from ....checks import finite_number, whole_number
from ....conventions import Progress
from ....errors import BehaviourError, InputError
from ..harness.processes import run_all
from .beginnings import Drawn, Field, Source
from .settings import CrewTrialSettings
from .trial import CrewTrial, run_trial

__all__ = ["CrewEvaluation", "CrewFailure", "Pair", "evaluate_crews"]

CHUNK = 2
"""Episodes per chunk; independent of the number of jobs, so that the result is too."""

Task = tuple[str, int]
"""Source and first episode of a chunk."""


@dataclass(frozen=True, eq=False)
class Pair:
    """One beginning, run twice.

    Attributes
    ----------
    kind : "fight", "hunt", "sweep" or "scenario"; `guards` is their number.
    off, on : the trials without and with crews.
    """

    source: str
    episode: int
    kind: str
    guards: int
    off: CrewTrial
    on: CrewTrial


@dataclass(frozen=True)
class CrewFailure:
    """A trial in which a brain raised an exception: its source, episode, whether it had crews, and the message."""

    source: str
    episode: int
    crews: bool
    text: str


@dataclass(frozen=True, eq=False)
class CrewEvaluation:
    """Parameters and results of an evaluation.

    Attributes
    ----------
    pairs : by source, then by episode.
    failures : trials in which a brain raised; their episodes are left out.
    """

    sources: tuple[str, ...]
    pairs: tuple[Pair, ...]
    settings: CrewTrialSettings
    seed: int
    episodes: int
    failures: tuple[CrewFailure, ...] = ()

    def of(self, *, source: str | None = None, kind: str | None = None) -> tuple[Pair, ...]:
        """Return the pairs of a source, or of a kind, or all."""
        return tuple(pair for pair in self.pairs if source in (None, pair.source) and kind in (None, pair.kind))


@dataclass(frozen=True, eq=False)
class _Plan:
    """Everything a process needs to run any chunk."""

    sources: dict[str, Source]
    episodes: int
    seed: int
    settings: CrewTrialSettings


_Part = tuple[tuple[Pair, ...], tuple[CrewFailure, ...]]


class _Runner:
    """Run chunks of a plan in this process; a field is created when its source first occurs."""

    def __init__(self, plan: _Plan):
        self._plan = plan
        self._fields: dict[str, Field] = {}

    def __call__(self, task: Task) -> _Part:
        (name, first), plan = task, self._plan
        if name not in self._fields:
            self._fields[name] = Field(name, plan.sources[name], plan.settings, plan.seed)
        field = self._fields[name]
        pairs, failures = [], []
        for number in range(first, min(first + CHUNK, plan.episodes)):
            off, on = (run_trial(field, number, crews=crews) for crews in (False, True))
            failed = [
                CrewFailure(name, number, crews, trial.failure)
                for crews, trial in ((False, off), (True, on))
                if trial.failure
            ]
            failures += failed
            if not failed:
                pairs.append(Pair(name, number, field.kind(number), off.guards, off, on))
        return tuple(pairs), tuple(failures)


def evaluate_crews(
    sources: Mapping[str, Source],
    *,
    episodes: int = 40,
    seed: int = 0,
    jobs: int = 1,
    settings: CrewTrialSettings = CrewTrialSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> CrewEvaluation:
    """Measure what crews change: every beginning is run without crews, then with them.

    Parameters
    ----------
    sources : levels, on which fights, hunts and sweeps are drawn in turn, and scenarios, by name; names enter the
        seed.
    episodes : beginnings per source.
    jobs : number of processes; the result does not depend on it. Processes are spawned, so a script that uses more
        than one must guard its entry point by `if __name__ == "__main__":`.

    Raises
    ------
    BehaviourError
        Every trial of a source failed.
    """
    if not sources:
        raise InputError("no level or scenario given; give at least one")
    for name, value, low, high in (("episodes", episodes, 1, 1e6), ("jobs", jobs, 1, 1024), ("seed", seed, 0, 2**63)):
        finite_number(whole_number(value, name, low=low), name, high=high)
    for name, source in sources.items():
        if isinstance(source, Drawn) and len(source.layout) < max(settings.sizes) + 1:
            raise InputError(f"level {name!r} has {len(source.layout)} cells; {max(settings.sizes)} guards need more")
    plan = _Plan(dict(sources), episodes, seed, settings)
    tasks: list[Task] = [(name, first) for name in sources for first in range(0, episodes, CHUNK)]
    parts: dict[Task, _Part] = {}
    for task, part in run_all(_Runner, plan, tasks, jobs):
        parts[task] = part
        if progress is not None:
            progress(task[0], len(parts) / len(tasks))
    pairs = tuple(pair for task in tasks for pair in parts[task][0])
    failures = tuple(failure for task in tasks for failure in parts[task][1])
    for name in sources:
        if not any(pair.source == name for pair in pairs):
            text = next(failure.text for failure in failures if failure.source == name)
            raise BehaviourError(f"{name!r}: every trial failed, first with: {text}")
    return CrewEvaluation(tuple(sources), pairs, settings, seed, episodes, failures)
