"""Believability: what breaks the illusion when guards hunt? Encounters are run as they are, and with changes."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, fields
from pathlib import Path
from typing import Any

import msgspec
import numpy as np

from ....cells.layout import CellLayout
from ....checks import shown, table_of
from ....conventions import Array, Floats, Ids, Progress
from ....errors import InputError, did_you_mean
from ....level.level import Level
from ...game_loop import failure_of, step
from ...scenario.scenario import Scenario
from ..crews.beginnings import Drawn, Given, Source
from ..harness.parameters import Measure, Parameter
from ..harness.trials import Evaluation, Outcome, Part, Plan, Trials, Variant, evaluate, play_each
from ..harness.trials_experiment import trials_experiment
from .encounters import KINDS, Encounters, EncounterSettings
from .gauge import EARSHOT, SHORT, STALE, TOGETHER, Gauge

NOW = "now"
_STORED = ".json"
_SAMPLE = 1.0


def _rate(name: str, about: str, title: str, short: str) -> Measure:
    return Measure(name, "", f"{about}, per guard-minute", True, title=title, short=short, less_is_better=True)


MEASURES = (
    Measure(
        "hunted", "s", "mean time for which a guard fought, chased or searched after the last target was out of the "
        "game", interval=True, title="seconds of hunting after the end", short="hunts on", less_is_better=True,
    ),
    _rate("short_losses", f"losses of sight that ended within {SHORT:g} s", "losses that were none", "short"),
    Measure(
        "floods", "", "predictions begun per loss of sight",
        interval=True, title="predictions per loss", short="floods", less_is_better=True,
    ),
    _rate("reassigned", "changes of the role or place a crew gave", "role and place changes", "roles"),
    Measure(
        "alarms", "", "alarms raised per cause: a target, or a call",
        interval=True, title="alarms per cause", short="alarms", less_is_better=True,
    ),
    _rate("too_fast", "news that arrived sooner than a shout or the radio takes", "news too fast", "too fast"),
    _rate(
        "at_once", f"pairs of barks within {TOGETHER:g} s and {EARSHOT:g} m of each other", "barks at once", "barks",
    ),
    _rate(
        "again", "investigations of a stimulus that the guard had searched for, or had heard during a hunt more than "
        f"{STALE:g} s ago", "investigated again", "again",
    ),
    _rate("twice", "reports of giving up that repeat one", "gave up twice", "twice"),
    Measure(
        "idle", "share", "of the time of guards whose crew attacks, that of walking or standing far from place and "
        "target", interval=True, title="slow in an attack", short="idle", less_is_better=True,
    ),
)  # fmt: skip
METRICS = tuple(one.metric for one in MEASURES)


@dataclass(frozen=True, eq=False)
class EncounterTrial:
    """One run: its metrics (NaN: nothing to measure), and what a picture of it shows.

    `tracks` has a sample per second, (samples, agents, 3) float32; a stored run has none.
    """

    values: dict[str, float]
    guards: int = 0
    seconds: float = 0.0
    names: tuple[str, ...] = ()
    tracks: Array | None = None
    failure: str = ""


@dataclass(frozen=True, eq=False)
class EncounterOutcome(Outcome):
    """n encounters, run by every variant: `kind` (n,) is an entry of `KINDS`, `trials` (n, p) `EncounterTrial`."""

    kind: Array
    guards: Ids
    trials: Array
    hunted: Floats
    short_losses: Floats
    floods: Floats
    reassigned: Floats
    alarms: Floats
    too_fast: Floats
    at_once: Floats
    again: Floats
    twice: Floats
    idle: Floats


def run_encounter(encounters: Encounters, number: int) -> EncounterTrial:
    """Run one encounter to its end; the same seed gives the same run."""
    world = encounters.begun(number)
    gauge, tracks, every = Gauge(world), [], max(1, round(_SAMPLE / world.step))
    while world.ending is None:
        if world.tick % every == 0:
            tracks.append(world.bodies.xyz.astype(np.float32))
        step(world)
        gauge.note(world)
    values = values_of(gauge)
    return EncounterTrial(values, len(gauge.guards), world.time, world.names, np.stack(tracks), failure_of(world))


def values_of(gauge: Gauge) -> dict[str, float]:
    """Return the metrics of a run; NaN where there was nothing to measure."""
    found = {
        "hunted": gauge.hunted / len(gauge.guards) if gauge.out < math.inf else math.nan,
        "floods": gauge.floods / gauge.losses if gauge.losses else math.nan,
        "alarms": gauge.alarms / len(gauge.causes) if gauge.causes else math.nan,
        "idle": gauge.idle / gauge.fighting if gauge.fighting else math.nan,
    }
    counts = {"short_losses": gauge.short, "reassigned": gauge.changes, "too_fast": gauge.fast}
    counts |= {"at_once": gauge.barks, "again": gauge.again, "twice": gauge.twice}
    return found | {name: count / gauge.minutes if gauge.minutes else math.nan for name, count in counts.items()}


def _variants(names: Sequence[str]) -> tuple[Variant, ...]:
    """Return the run as it is, and with each change: `key=value` of a scenario, or an earlier result in a file."""
    chosen = [name for name in dict.fromkeys(names) if name != NOW]
    others = [Variant(name, content=_stored(name) if name.endswith(_STORED) else _changes(name)) for name in chosen]
    return Variant(NOW, content={}), *others


def _changes(name: str) -> dict[str, Any]:
    """Return changed settings of a scenario, written as `key=value:key=value`."""
    found: dict[str, Any] = {}
    for part in name.split(":"):
        key, separator, text = part.partition("=")
        known = [one.name for one in msgspec.structs.fields(Scenario)]
        if not separator or key not in known:
            raise InputError(
                f"no variant {name!r}{did_you_mean(key, known)}; give settings of a scenario such as "
                "sighting_hold=0 or search=coordinator:crews=true, or a file written by --json"
            )
        try:
            found[key] = msgspec.json.decode(text)
        except msgspec.DecodeError:
            found[key] = text
    try:
        whole = msgspec.convert({"level": "hall"} | found, Scenario, strict=False)
    except msgspec.ValidationError as error:
        raise InputError(f"variant {name!r}: {error}") from None
    return {key: getattr(whole, key) for key in found}


def _stored(name: str) -> dict[str, Any]:
    """Return the results of an earlier evaluation, with the metrics of each run."""
    try:
        found = json.loads(Path(name).read_text(encoding="utf-8"))
        runs = found["runs"]
        rows = zip(runs["source"], runs["episode"], runs["variant"], *(runs[metric] for metric in METRICS))
        table = {
            (case, episode): {key: math.nan if value is None else float(value) for key, value in zip(METRICS, values)}
            for case, episode, variant, *values in rows
            if variant == NOW
        }
        return {"seed": found["seed"], "settings": found["settings"], "table": table}
    except OSError as error:
        raise InputError(f"cannot read {name!r}: {error.strerror or error}") from None
    except (ValueError, KeyError, TypeError) as error:
        raise InputError(f"{name!r} holds no runs ({error}); write it by evaluate believability --json") from None


class _Field:
    """What the encounters of one source need: their worlds by variant, and the stored runs."""

    def __init__(self, plan: Plan, name: str):
        self.name, self._by_variant = name, dict[str, Any]()
        for variant in _variants(plan.variants):
            stored = variant.content if variant.name.endswith(_STORED) else None
            if stored is not None:
                _check_stored(plan, name, variant.name, stored)
                self._by_variant[variant.name] = stored["table"]
            else:
                own = Encounters(name, plan.cases[name], plan.settings, plan.seed, variant.content)
                self._by_variant[variant.name] = own
        self.now: Encounters = self._by_variant[NOW]

    def run(self, number: int, variant: str) -> EncounterTrial:
        """Run an encounter with a variant, or return its stored result."""
        held = self._by_variant[variant]
        return run_encounter(held, number) if isinstance(held, Encounters) else EncounterTrial(held[self.name, number])


def _check_stored(plan: Plan, name: str, file: str, stored: Mapping[str, Any]) -> None:
    """Reject a stored result of other encounters."""
    asked = json.loads(json.dumps({one.name: getattr(plan.settings, one.name) for one in fields(plan.settings)}))
    if (stored["seed"], stored["settings"]) != (plan.seed, asked):
        raise InputError(
            f"{file!r} was measured with seed {stored['seed']} and {shown(stored['settings'])}; "
            f"run with the same, not with seed {plan.seed} and {shown(asked)}"
        )
    missing = [number for number in range(plan.episodes) if (name, number) not in stored["table"]]
    if missing:
        raise InputError(f"{file!r} has no run {missing[0]} of {name!r}; leave it out, or ask for fewer episodes")


def _play(field: _Field, plan: Plan, numbers: Sequence[int]) -> Part:
    kept, rows, failures = play_each(field.name, numbers, plan.variants, lambda number: number, field.run)
    if not kept:
        return None, failures
    trials = np.empty((len(rows), len(plan.variants)), object)
    trials[:] = rows
    outcome = EncounterOutcome(
        episode=np.array(kept, np.int32),
        kind=np.array([field.now.kind(number) for number in kept], "U8"),
        guards=np.array([row[0].guards for row in rows], np.int32),
        trials=trials,
        **{name: np.array([[one.values[name] for one in row] for row in rows]) for name in METRICS},
    )
    return outcome, failures


def _kinds(outcome: EncounterOutcome) -> Mapping[str, Array]:
    found = {f"{kind}s": outcome.kind == kind for kind in KINDS}
    return {name: rows for name, rows in found.items() if rows.any()}


def _worth(outcome: EncounterOutcome, own: int, base: int) -> Floats:
    """Rank by changes of roles and seconds of hunting in which a variant exceeds the run as it is."""
    columns = [[outcome.reassigned[:, column], outcome.hunted[:, column]] for column in (base, own)]
    base_sum, own_sum = (np.nansum(one, axis=0) for one in columns)
    return np.asarray(base_sum - own_sum)


BELIEVABILITY_TRIALS = Trials(
    name="believability",
    title="Believability",
    about="Each encounter ran as it is (now) and with every change; it goes on after the target is caught or beaten.",
    case="source",
    unit="run",
    units="encounters",
    count="encounters",
    variant="variant",
    variants=_variants,
    base=NOW,
    chunk=2,
    prepare=_Field,
    play=_play,
    measures=MEASURES,
    headline="reassigned",
    nothing="there is nothing to measure",
    worth=_worth,
    case_of=Drawn,
    scenario_of=Given,
    settings=EncounterSettings,
    pooled="all",
    parts=_kinds,
    lists_runs=True,
)

BELIEVABILITY = trials_experiment(
    BELIEVABILITY_TRIALS,
    "believability: what breaks the illusion when guards hunt",
    episodes=Parameter("whole", 12, "encounters per source"),
    variants=Parameter("texts", (), "changed settings such as sighting_hold=0, or files written by --json"),
)


def evaluate_believability(
    sources: Mapping[str, Source | tuple[Level, CellLayout]],
    *,
    variants: Sequence[str] = (),
    episodes: int = 12,
    seed: int = 0,
    jobs: int = 1,
    settings: EncounterSettings = EncounterSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """Count what breaks the illusion in encounters; see `evaluate` for the other parameters.

    Parameters
    ----------
    sources : levels with their cells, on which captures, fights, hunts and noises are drawn in turn, and scenarios, by
        name.
    variants : changes of the scenario to compare with, such as `sighting_hold=0`, or files of earlier results.
    episodes : encounters per source.
    """
    given = {name: Drawn(*one) if isinstance(one, tuple) else one for name, one in table_of(sources, "sources").items()}
    return evaluate(
        BELIEVABILITY_TRIALS,
        given,
        variants=variants,
        episodes=episodes,
        seed=seed,
        jobs=jobs,
        settings=settings,
        progress=progress,
    )
