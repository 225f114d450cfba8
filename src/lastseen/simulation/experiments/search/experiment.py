"""Searches: how soon does each search method find a lost target? Every contender gets the same beginnings."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....checks import expect, finite_number, table_of, whole_number
from ....conventions import Array, Bools, Floats, Ids, Progress
from ....errors import InputError, did_you_mean
from ....level.level import Level
from ....reasoning.search.search_settings import CoordinatorSettings, SearchSettings, SpotWeights
from ..harness.parameters import Measure, Parameter, Tuning
from ..harness.trials import Breakdown, Evaluation, Outcome, Part, Plan, Trials, Variant, evaluate, play_each
from ..harness.trials_experiment import trials_experiment
from .beginnings import MODELS, USUAL_MODELS, Arena, Beginning, TrialSettings, draw_beginning
from .contenders import BASE, DEFAULT
from .contenders import contenders as contenders_of
from .trial import ENDINGS, MOST_SEARCHERS, Trial, run_trial, settings_of


@dataclass(frozen=True, eq=False)
class SearchOutcome(Outcome):
    """n searches on one level, by p contenders.

    Attributes
    ----------
    episode, model, searchers : (n,) number of the episode; index into `MODELS`; number of searchers.
    lost_at : (n, 3) where the evader was last seen; `since` (n,) seconds before the search began.
    ending : (n, p) index into `ENDINGS`.
    found : (n, p) bool.
    seconds, off, truth, searched, metres : (n, p) see `Trial`.
    opened : (n, p) hiding places.
    tracks : (n, p, samples, 9, 3) float32, evader, then searchers; NaN for missing ones.
    """

    model: Ids
    searchers: Ids
    lost_at: Floats
    since: Floats
    ending: Array
    found: Bools
    seconds: Floats
    off: Floats
    truth: Floats
    searched: Floats
    opened: Ids
    metres: Floats
    tracks: Array

    @classmethod
    def of(cls, beginnings: Sequence[Beginning], trials: Sequence[Sequence[Trial]]) -> SearchOutcome:
        """Return trials (n rows of p) as arrays."""

        kinds = {"ending": np.uint8, "found": np.bool_, "opened": np.int32, "tracks": np.float32}
        names = ("ending", "found", "seconds", "off", "truth", "searched", "opened", "metres", "tracks")
        return cls(
            episode=np.array([one.number for one in beginnings], np.int32),
            model=np.array([one.model for one in beginnings], np.int32),
            searchers=np.array([len(one.searchers_xyz) for one in beginnings], np.int32),
            lost_at=np.array([one.lost_xyz for one in beginnings]),
            since=np.array([one.since for one in beginnings]),
            **{
                name: np.array([[getattr(one, name) for one in row] for row in trials], kinds.get(name, np.float64))
                for name in names
            },
        )


SEARCHERS = (1, 2, 4)
"""Numbers of searchers, in turn, by default."""


def _prepare(plan: Plan, name: str) -> Arena:
    return Arena(name, *plan.cases[name])


def _play(arena: Arena, plan: Plan, numbers: Sequence[int]) -> Part:
    settings, seed = plan.settings, plan.seed
    models, searchers = plan.options["models"], plan.options["searchers"]
    by_name = {one.name: one for one in contenders_of(plan.variants, plan.options)}
    begun, trials, failures = play_each(
        arena.name,
        numbers,
        tuple(by_name),
        lambda number: draw_beginning(arena, number, models, searchers, settings, seed),
        lambda beginning, name: run_trial(arena, beginning, by_name[name], settings, seed),
    )
    return (SearchOutcome.of(begun, trials) if begun else None), failures


def _variants(names: Sequence[str]) -> tuple[Variant, ...]:
    return tuple(Variant(one.name, one.told, one) for one in contenders_of(names))


def _tuned(asked: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {one.name: settings_of(one, asked["settings"]) for one in contenders_of(asked["variants"], asked["options"])}


_TUNINGS = (
    Tuning("search", SearchSettings, "that of the preset; influence for both", degrees=("angle",)),
    Tuning("coordinator", CoordinatorSettings, "that of searches", leave_out=("grace",), degrees=("view_angle",)),
    Tuning("spot", SpotWeights, "that of coordinators"),
)


def _endings(outcome: SearchOutcome, column: int) -> Mapping[str, int]:
    counted = Counter(outcome.ending[:, column].tolist())
    return {name: counted.get(number, 0) for number, name in enumerate(ENDINGS)}


def _by_evader(outcome: SearchOutcome) -> Mapping[str, Array]:
    return {name: outcome.model == number for number, name in enumerate(MODELS)}


def _by_searchers(outcome: SearchOutcome) -> Mapping[str, Array]:
    return {str(count): outcome.searchers == count for count in np.unique(outcome.searchers).tolist()}


def _worth(outcome: SearchOutcome, own: int, base: int) -> Floats:
    return outcome.seconds[:, base] - outcome.seconds[:, own]


def _case(level: Level, layout: CellLayout) -> tuple[Level, CellLayout]:
    return level, layout


def search_options(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return the checked options of a plan: models of evaders, and numbers of searchers."""
    return {"models": evader_numbers(values["evaders"]), "searchers": searcher_counts(values["searchers"])}


def _facts(cases: Mapping[str, tuple[Level, CellLayout]]) -> dict[str, Any]:
    return {"own_hiding_places": {name: bool(level.hiding_places) for name, (level, _) in cases.items()}}


SEARCHES = Trials(
    name="search",
    title="Searches compared",
    about="A target was seen and is gone; searchers look for it until one sees it, opens its hiding place, or time "
    "runs out. All contenders faced the same starting positions. Those with * are told where the evader is, always "
    "or at first. Levels without hiding places get some.",
    case="level",
    unit="search",
    units="searches",
    count="searches",
    variant="contender",
    variants=_variants,
    base=BASE,
    chunk=3,
    prepare=_prepare,
    play=_play,
    measures=(
        Measure(
            "found", "share", "a searcher saw and recognised the evader, or opened its hiding place",
            interval=True, title="found", short="found",
        ),
        Measure(
            "seconds_needed", "s", "until then; the whole time if it was not found or escaped",
            interval=True, title="seconds", short="seconds", metric="seconds", less_is_better=True,
        ),
        Measure(
            "off", "m", "mean distance of all influence from the evader; for searchers without a map, of a map with "
            "preset influence that is cleared by what they look at",
            interval=True, title="belief off", short="belief off",
        ),
        Measure(
            "truth", "share", "influence where the evader is; 0: that cell is ruled out",
            interval=True, title="influence at truth",
        ),
        Measure(
            "searched", "share", "of the floor that a searcher looked at",
            interval=True, title="floor searched", short="searched",
        ),
        Measure("opened", "", "hiding places opened", interval=True, title="hiding places opened", short="opened"),
        Measure("metres", "m", "walked per searcher", interval=True, title="metres walked", short="walked"),
    ),
    headline="seconds",
    nothing="an evader cannot get out of sight; the level is too open or too small",
    worth=_worth,
    case_of=_case,
    settings=TrialSettings,
    options_of=search_options,
    tunings=_TUNINGS,
    tuned=_tuned,
    case_facts=_facts,
    counts_name="endings",
    counts=_endings,
    breakdowns=(
        Breakdown("by_evader", ("found", "seconds"), _by_evader),
        Breakdown("by_searchers", ("found", "seconds"), _by_searchers, is_paired=True),
    ),
)  # fmt: skip


SEARCH = trials_experiment(
    SEARCHES,
    "searches: how soon each search method finds a lost target",
    episodes=Parameter("whole", 60, "searches per task and contender"),
    variants=Parameter("texts", DEFAULT, "search methods; presets can be modified: influence:speed=2"),
    options={
        "evaders": Parameter("texts", USUAL_MODELS, "kinds of evaders, in turn"),
        "searchers": Parameter("wholes", SEARCHERS, "numbers of searchers, in turn"),
    },
)


def evaluate_search(
    levels: Mapping[str, tuple[Level, CellLayout]],
    *,
    contenders: Sequence[str] = DEFAULT,
    evaders: Sequence[str] = USUAL_MODELS,
    searchers: Sequence[int] = SEARCHERS,
    episodes: int = 60,
    seed: int = 0,
    jobs: int = 1,
    settings: TrialSettings = TrialSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """Measure how well search methods perform; see `evaluate` for the other parameters.

    Parameters
    ----------
    levels : level and cells by name. Cells are for bodies, baked with a radius.
    contenders : names; see `contenders`.
    evaders, searchers : models of evaders, and numbers of searchers; all pairs of them alternate.
    episodes : searches per level and contender.
    """
    for name, case in table_of(levels, "levels").items():
        level, cells = case if isinstance(case, tuple) and len(case) == 2 else (case, None)
        expect(level, Level, f"levels[{name!r}]")
        expect(cells, CellLayout, f"cells of levels[{name!r}]")
    return evaluate(
        SEARCHES,
        levels,
        variants=contenders,
        episodes=episodes,
        seed=seed,
        jobs=jobs,
        settings=settings,
        options=search_options({"evaders": evaders, "searchers": searchers}),
        progress=progress,
    )


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
