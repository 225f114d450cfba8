"""Crews: what changes when guards act as crews? Every beginning is run without crews, then with them."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ....agents.crews.combat.attack_turns import TURNS
from ....agents.crews.combat.tokens import TokenSettings
from ....agents.crews.crews import THINKS_EVERY
from ....checks import expect, finite_number, table_of
from ....conventions import Array, Floats, Ids, Progress
from ....errors import InputError
from ....reasoning.input_checks import require_choice
from ..harness.parameters import Measure, Parameter, Tuning
from ..harness.trials import Evaluation, Outcome, Part, Plan, Trials, Variant, evaluate, play_each
from ..harness.trials_experiment import trials_experiment
from .beginnings import CrewTrialSettings, Drawn, Field, Given, Source
from .trial import ALL, FLANK_APART, FLANK_NEAR, METRICS, run_trial

_VARIANTS = (Variant("off"), Variant("on"))


@dataclass(frozen=True, eq=False)
class CrewOutcome(Outcome):
    """n beginnings, run without crews and with them.

    Attributes
    ----------
    kind : (n,) "fight", "hunt", "sweep" or "scenario".
    guards : (n,) their number.
    trials : (n, 2) `CrewTrial`, off and on.
    contacts … apart : (n, 2) see `CrewTrial`.
    """

    kind: Array
    guards: Ids
    trials: Array
    contacts: Floats
    lines: Floats
    at_once: Floats
    over: Floats
    flank: Floats
    searched: Floats
    resighted: Floats
    apart: Floats


def _prepare(plan: Plan, name: str) -> Field:
    source: Source = plan.cases[name]
    most = max(plan.settings.sizes)
    if isinstance(source, Drawn) and len(source.layout) < most + 1:
        raise InputError(f"level {name!r} has {len(source.layout)} cells; {most} guards need more")
    return Field(name, source, plan.settings, plan.seed, every=plan.options["every"], turns=_turns(plan.options))


def _play(field: Field, plan: Plan, numbers: Sequence[int]) -> Part:  # noqa: ARG001 - as trials are played
    kept, pairs, failures = play_each(
        field.name,
        numbers,
        [one.name for one in _VARIANTS],
        lambda number: number,
        lambda number, name: run_trial(field, number, crews=name == "on"),
    )
    if not kept:
        return None, failures
    trials = np.empty((len(pairs), 2), object)
    trials[:] = pairs
    outcome = CrewOutcome(
        episode=np.array(kept, np.int32),
        kind=np.array([field.kind(number) for number in kept], "U8"),
        guards=np.array([pair[0].guards for pair in pairs], np.int32),
        trials=trials,
        **{name: np.array([[getattr(one, name) for one in pair] for pair in pairs]) for name in METRICS},
    )
    return outcome, failures


def _variants(_names: Sequence[str]) -> tuple[Variant, ...]:
    return _VARIANTS


_TUNINGS = {
    arms: Tuning(f"{arms}_tokens", TokenSettings, "that of crews") for arms in TURNS
}  # fmt: skip


def _turns(options: Mapping[str, Any]) -> dict[str, TokenSettings]:
    return {arms: replace(usual, **options[_TUNINGS[arms].prefix]) for arms, usual in TURNS.items()}


def _options(values: Mapping[str, Any]) -> dict[str, Any]:
    return {"every": finite_number(values["crew_every"], "crew_every", unit="s", low=0.0, high=60.0)}


def _tuned(asked: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    turns = {_TUNINGS[arms].prefix: one for arms, one in _turns(asked["options"]).items()}
    return dict.fromkeys((one.name for one in _VARIANTS), turns)


def _several(outcome: CrewOutcome) -> Array:
    return outcome.guards > 1


def _kinds(outcome: CrewOutcome) -> Mapping[str, Array]:
    found = {f"{kind}s": outcome.kind == kind for kind in ("fight", "hunt", "sweep")}
    return {name: rows for name, rows in found.items() if rows.any()}


def _facts(outcome: CrewOutcome) -> dict[str, Any]:
    """Return how many beginnings have one guard, and how many of those are bit-identical with crews."""
    alone = outcome.trials[outcome.guards == 1]
    return {"alone": len(alone), "same": sum(off.digest == on.digest for off, on in alone)}


def _worth(outcome: CrewOutcome, own: int, base: int) -> Floats:
    """Rank by the drop in contacts and crossed lines."""
    off, on = (np.nansum([outcome.contacts[:, column], outcome.lines[:, column]], axis=0) for column in (base, own))
    return off - on


CREW_TRIALS = Trials(
    name="crews",
    title="Crews off and on",
    about="Each beginning ran without crews, then with them; with one guard there is no crew. Rows cover the "
    "beginnings with several guards in which both runs gave something to measure.",
    case="source",
    unit="trial",
    units="starting positions",
    count="trials",
    variant="crews",
    variants=_variants,
    base="off",
    chunk=2,
    prepare=_prepare,
    play=_play,
    measures=(
        Measure(
            "contacts", "", "how often guards bumped into each other, per minute",
            interval=True, title="guards running into each other, per minute", less_is_better=True,
        ),
        Measure(
            "lines", "", "how often a guard had a colleague in its line of fire, per minute",
            interval=True, title="colleague in the line of fire, per minute", less_is_better=True,
        ),
        Measure(
            "at_once", "", "mean number of simultaneous attackers, over the time with any",
            interval=True, title="attackers at once", less_is_better=True,
        ),
        Measure(
            "over", "share", "of the time with more attackers than tokens allow",
            interval=True, title="time with more attackers than tokens", less_is_better=True,
        ),
        Measure(
            "flank", "s", f"from the first sighting until two guards were within {FLANK_NEAR:g} m of the target, "
            f"{np.degrees(FLANK_APART):.0f}° apart around it, or else until the end",
            interval=True, title="seconds until flanked", less_is_better=True,
        ),
        Measure(
            "searched", "", "m² per minute that came into a guard's inner view or within its reach while no guard saw "
            f"the target, until {ALL:.0%} of the floor had",
            interval=True, title="m² looked at per minute while lost", less_is_better=False,
        ),
        Measure(
            "resighted", "s", "mean time from a loss until the target was seen again, or until the end; a hunt begins "
            "with a loss; not for sweeps, whose target has escaped",
            interval=True, title="seconds until seen again", less_is_better=True,
        ),
        Measure(
            "apart", "m", "mean distance to the nearest colleague, over guards that fight, chase or search",
            interval=True, title="metres to the nearest colleague", less_is_better=False,
        ),
    ),
    headline="contacts",
    nothing="there is nothing to measure",
    worth=_worth,
    case_of=Drawn,
    scenario_of=Given,
    settings=CrewTrialSettings,
    options_of=_options,
    tunings=tuple(_TUNINGS.values()),
    tuned=_tuned,
    pooled="all",
    counted=_several,
    parts=_kinds,
    facts=_facts,
    facts_about="{same} of {alone} with one guard identical to the bit",
    reports_changes=True,
)  # fmt: skip

CREWS = trials_experiment(
    CREW_TRIALS,
    "crews: what changes when guards act as crews",
    episodes=Parameter("whole", 40, "starting positions per task"),
    options={"crew_every": Parameter("number", THINKS_EVERY, "seconds between two ticks of a crew")},
)


def evaluate_crews(
    sources: Mapping[str, Source],
    *,
    episodes: int = 40,
    seed: int = 0,
    jobs: int = 1,
    every: float = THINKS_EVERY,
    turns: Mapping[str, TokenSettings] = TURNS,
    settings: CrewTrialSettings = CrewTrialSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """Measure what crews change; see `evaluate` for the other parameters.

    Parameters
    ----------
    sources : levels, on which fights, hunts and sweeps are drawn in turn, and scenarios, by name.
    episodes : beginnings per source.
    every : seconds between two ticks of a crew.
    turns : settings of attack tokens by weapon, "melee" and "ranged"; a weapon left out has the usual ones.
    """
    for arms, one in table_of(turns, "turns").items():
        require_choice(arms, "weapon", tuple(TURNS))
        expect(one, TokenSettings, f"turns[{arms!r}]")
    given = {tuning.prefix: asdict(turns.get(arms, TURNS[arms])) for arms, tuning in _TUNINGS.items()}
    return evaluate(
        CREW_TRIALS,
        sources,
        variants=(),
        episodes=episodes,
        seed=seed,
        jobs=jobs,
        settings=settings,
        options=_options({"crew_every": every}) | given,
        progress=progress,
    )
