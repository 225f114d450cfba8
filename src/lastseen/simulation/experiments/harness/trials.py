"""Trials: episodes drawn on cases, each played by every variant, so that variants are compared in pairs.

Chunks of episodes are the tasks; they never depend on the number of jobs, so neither does the result.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, fields
from typing import Any, TypeVar

import numpy as np

from ....cells.layout import CellLayout
from ....checks import finite_number, shown, whole_number
from ....conventions import Array, Progress
from ....errors import BehaviourError, InputError
from ....extensions.notebooks import Columns, Tabular
from .parameters import Measure, Tuning, Values, named, parameters_of
from .processes import run_tasks

Joined = TypeVar("Joined", bound="Outcome")


@dataclass(frozen=True)
class Variant:
    """Something to measure; `told`: it knows more than it could, so it is a bound and not a rival."""

    name: str
    told: bool = False
    content: Any = None


@dataclass(frozen=True)
class Failure:
    """An episode in which a brain raised an exception, with the variant that played it, and the message."""

    case: str
    episode: int
    variant: str
    text: str


@dataclass(frozen=True, eq=False)
class Outcome:
    """n episodes of one case played by p variants: arrays with n rows; measures have p columns."""

    episode: Array

    def __len__(self) -> int:
        return len(self.episode)

    def only(self: Joined, rows: Array) -> Joined:
        """Return some rows."""
        return type(self)(**{field.name: getattr(self, field.name)[rows] for field in fields(self)})

    @classmethod
    def joined(cls: type[Joined], parts: Sequence[Joined]) -> Joined:
        """Return several as one, in order."""
        return cls(**{
            field.name: np.concatenate([getattr(part, field.name) for part in parts]) for field in fields(cls)
        })  # fmt: skip


Part = tuple[Outcome | None, Sequence[Failure]]
"""Outcome of some episodes (None if there is none) and failures; a failed episode is left out for all variants."""


@dataclass(frozen=True)
class Breakdown:
    """Means of some metrics in parts of the episodes; `parts` returns which rows belong to each label.

    With `is_effect`, all parts are compared with the first one; metrics are shares then. With `is_paired`, each part
    has the paired differences from the base, with their intervals.
    """

    name: str
    metrics: tuple[str, ...]
    parts: Callable[[Any], Mapping[str, Array]]
    is_effect: bool = False
    is_paired: bool = False


@dataclass(frozen=True, eq=False)
class Trials:
    """An experiment of episodes; `trials_experiment` adds its parameters. Functions must be those of modules.

    Attributes
    ----------
    name, title : of the experiment, and of its report; `about` is one sentence for the report.
    case, unit, units : words for a case ("level"), an episode ("search") and episodes ("searches"); `count` is the key
        of their number in JSON.
    variant, variants : word for a variant ("predictor"), and what returns variants by name, the base among them.
    base : the variant that all others are compared with.
    chunk : episodes that are drawn and played together.
    prepare : returns what the episodes of a case need, once in each process, from a plan and the name of the case.
    play : plays some episodes on that.
    measures : metrics of an outcome; `headline` is the one that ranks variants.
    nothing : message for a case without any outcome.
    told : key in JSON of variants that are told more.
    counts_name, counts : name of reasons or endings, and how often each occurred with a variant.
    counted : rows on which metrics rest; None: all.
    breakdowns, parts : of every table, and parts of the episodes that get tables of their own.
    facts, facts_about : numbers about an outcome besides metrics, and a sentence about them with their names in braces.
    notes : sentences about what an evaluation cannot tell, and why.
    reports_changes : reports list metrics, with the base and the only other variant in columns, and verdicts.
    worth : (n,) how much better (above 0) or worse a variant did than the base; ranks episodes to look at.
    case_of : a case from a level and its cells.
    scenario_of : a case from a scenario, its folder and its cells; None: only levels are cases.
    case_facts : numbers about the cases, for JSON.
    settings, degrees : class of the settings; those of its fields that are given in degrees in files.
    options_of : checked options of a plan from the values of parameters that are not settings.
    tunings : parameters that change settings of variants; what is given is in the options of a plan, by prefix.
    tuned : from the arguments of `evaluate`, the settings of each variant by prefix; raises for values that do not fit.
    needs_level : whether cells without their level are no case.
    can_fail : whether brains may raise.
    lists_runs : JSON holds the metrics of every episode, so that later evaluations can be compared with it.
    """

    name: str
    title: str
    about: str
    case: str
    unit: str
    units: str
    count: str
    variant: str
    variants: Callable[[Sequence[str]], tuple[Variant, ...]]
    base: str
    chunk: int
    prepare: Callable[[Plan, str], Any]
    play: Callable[[Any, Plan, Sequence[int]], Part]
    measures: tuple[Measure, ...]
    headline: str
    nothing: str
    worth: Callable[[Any, int, int], Array]
    case_of: Callable[[Any, CellLayout], Any]
    settings: type
    pooled: str = "all levels"
    told: str = "told"
    counts_name: str = ""
    counts: Callable[[Any, int], Mapping[str, int]] | None = None
    counted: Callable[[Any], Array] | None = None
    breakdowns: tuple[Breakdown, ...] = ()
    parts: Callable[[Any], Mapping[str, Array]] | None = None
    facts: Callable[[Any], dict[str, Any]] | None = None
    facts_about: str = ""
    notes: Callable[[Evaluation], list[str]] | None = None
    reports_changes: bool = False
    scenario_of: Callable[[Any, str, CellLayout], Any] | None = None
    case_facts: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    degrees: tuple[str, ...] = ()
    options_of: Callable[[Mapping[str, Any]], dict[str, Any]] | None = None
    tunings: tuple[Tuning, ...] = ()
    tuned: Callable[[Mapping[str, Any]], Mapping[str, Mapping[str, Any]]] | None = None
    needs_level: bool = True
    can_fail: bool = True
    lists_runs: bool = False

    def asked(self, values: Values) -> dict[str, Any]:
        """Return the checked arguments of `evaluate` from the values of all parameters."""
        chosen: Any = values.get(f"{self.variant}s") or ()
        return {
            "variants": tuple(one.name for one in self.variants(chosen)),
            "episodes": values["episodes"],
            "settings": self.settings(**named(values, parameters_of(self.settings), degrees=self.degrees)),
            "options": {one.prefix: one.changes(values) for one in self.tunings}
            | (self.options_of(values) if self.options_of is not None else {}),
        }


@dataclass(frozen=True, eq=False)
class Plan:
    """Everything a process needs to play any chunk; `options` are those of the experiment besides its settings."""

    trials: Trials
    cases: Mapping[str, Any]
    variants: tuple[str, ...]
    episodes: int
    seed: int
    settings: Any
    options: Mapping[str, Any]


@dataclass(frozen=True, eq=False, repr=False)
class Evaluation(Tabular):
    """What was asked, and the outcome of each case; as a table, one row per episode and variant.

    Attributes
    ----------
    variants : in the order of the columns of each outcome.
    outcomes : by case.
    failures : episodes left out because a brain raised, for all variants.
    facts : about the cases.
    """

    trials: Trials
    variants: tuple[Variant, ...]
    outcomes: dict[str, Any]
    settings: Any
    seed: int
    episodes: int
    failures: tuple[Failure, ...] = ()
    facts: dict[str, Any] = field(default_factory=dict)

    def __repr__(self) -> str:
        return f"<Evaluation of {self.trials.name}: {', '.join(self.names)}; {self.episodes} episodes>"

    @property
    def names(self) -> tuple[str, ...]:
        """Names of the variants."""
        return tuple(one.name for one in self.variants)

    def to_columns(self) -> Columns:
        """Return the case, the number of the episode, the variant and every metric, a row per episode and variant."""
        sizes = {case: len(outcome) for case, outcome in self.outcomes.items()}
        count = len(self.variants)
        found: dict[str, Any] = {
            self.trials.case: [case for case, size in sizes.items() for _ in range(size * count)],
            "episode": np.repeat(np.concatenate([one.episode for one in self.outcomes.values()]), count),
            self.trials.variant: list(self.names) * sum(sizes.values()),
        }
        for measure in self.trials.measures:
            values = [getattr(outcome, measure.metric) for outcome in self.outcomes.values()]
            found[measure.metric] = np.concatenate(values).ravel()
        return found


def play_each(
    case: str,
    numbers: Sequence[int],
    variants: Sequence[str],
    begin: Callable[[int], Any],
    run: Callable[[Any, str], Any],
) -> tuple[list[Any], list[list[Any]], list[Failure]]:
    """Play episodes one by one with all variants; return beginnings, trials (a row per beginning) and failures.

    An episode without a beginning, or in which a variant failed, is left out for all.
    """
    begun, rows, failures = list[Any](), list[list[Any]](), list[Failure]()
    for number in numbers:
        if (beginning := begin(number)) is None:
            continue
        row = [run(beginning, variant) for variant in variants]
        failed = [Failure(case, number, name, trial.failure) for name, trial in zip(variants, row) if trial.failure]
        failures += failed
        if not failed:
            begun.append(beginning)
            rows.append(row)
    return begun, rows, failures


class _Runner:
    """Play chunks of a plan in this process; what a case needs is made when it first occurs."""

    def __init__(self, plan: Plan):
        self._plan = plan
        self._prepared: dict[str, Any] = {}

    def __call__(self, task: tuple[str, int]) -> Part:
        (name, first), trials = task, self._plan.trials
        if name not in self._prepared:
            self._prepared[name] = trials.prepare(self._plan, name)
        numbers = range(first, min(first + trials.chunk, self._plan.episodes))
        return trials.play(self._prepared[name], self._plan, numbers)


def evaluate(
    trials: Trials,
    cases: Mapping[str, Any],
    *,
    variants: Sequence[str],
    episodes: int,
    seed: int,
    settings: Any,
    options: Mapping[str, Any] | None = None,
    jobs: int = 1,
    cluster: str = "",
    progress: Progress = None,
) -> Evaluation:
    """Play episodes of every case with all variants.

    Parameters
    ----------
    cases : by name; names enter the seed.
    episodes : per case.
    jobs, cluster : see `run_tasks`; the result does not depend on them. Processes are spawned, so a script that uses
        more than one must guard its entry point by `if __name__ == "__main__":`.

    Raises
    ------
    InputError
        A value is out of range, or a case has no outcome.
    BehaviourError
        Every episode of a case failed.
    """
    if not isinstance(cases, Mapping):
        raise InputError(f"the {trials.case}s are {shown(cases)}; give {{name: {trials.case}}}")
    if not cases:
        raise InputError(f"no {trials.case} given; give at least one")
    for name, value, low, high in (("episodes", episodes, 1, 1e6), ("jobs", jobs, 1, 1024), ("seed", seed, 0, 2**63)):
        finite_number(whole_number(value, name, low=low), name, high=high)
    chosen = trials.variants(variants)
    names = tuple(one.name for one in chosen)
    plan = Plan(trials, dict(cases), names, episodes, seed, settings, options or {})
    tasks = [(name, first) for name in cases for first in range(0, episodes, trials.chunk)]
    parts: dict[tuple[str, int], Part] = {}
    for answers in run_tasks(_Runner, plan, tasks, jobs=jobs, cluster=cluster):
        for task, part in answers:
            parts[task] = part
            if progress is not None:
                progress(task[0], len(parts) / len(tasks))
    failures = tuple(failure for task in tasks for failure in parts[task][1])
    outcomes = {name: _outcome(trials, name, [parts[task] for task in tasks if task[0] == name]) for name in cases}
    facts = trials.case_facts(cases) if trials.case_facts is not None else {}
    return Evaluation(trials, chosen, outcomes, settings, seed, episodes, failures, facts)


def _outcome(trials: Trials, name: str, parts: list[Part]) -> Outcome:
    found = [outcome for outcome, _ in parts if outcome is not None]
    failed = [failure for _, failures in parts for failure in failures]
    if found:
        return type(found[0]).joined(found)
    if failed:
        first = f"{failed[0].variant}: {failed[0].text}"
        raise BehaviourError(f"{trials.case} {name!r}: every {trials.unit} failed, first with {first}")
    raise InputError(f"{trials.case} {name!r}: {trials.nothing}")
