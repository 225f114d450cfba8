"""Evaluation of predictors: how often each re-acquires a lost target, with the same first losses for all."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....checks import expect, shown, table_of
from ....conventions import Array, Floats, Progress
from ....errors import InputError
from ....level.level import Level
from ....reasoning.chase.flood.chase_settings import FAITHFUL, PREFERRED, ChaseSettings
from ....reasoning.chase.predictors import MEASURED, PredictorKind, predictors_registered
from ..harness.parameters import Measure, Parameter, Tuning
from ..harness.trials import Breakdown, Evaluation, Part, Plan, Trials, Variant, evaluate
from ..harness.trials_experiment import trials_experiment
from .episodes import POWERS, Episodes, PursuitGround, PursuitSettings, draw_episodes
from .pursuits import PredictsMany, PursuitOutcome, chase_on, contenders, judge, losses_of
from .runners import MODELS

_TRAIL_STEPS = 31


class _Arena:
    """One level with its predictors, created once in each process."""

    def __init__(self, plan: Plan, name: str):
        layout: CellLayout = plan.cases[name]
        self.name, self.ground = name, PursuitGround(layout)
        self.predictors: list[tuple[PredictorKind, PredictsMany]] = [
            (one, one.made(layout)) for one in contenders(plan.variants, plan.options.get("chase"))
        ]


def _play(arena: _Arena, plan: Plan, numbers: Sequence[int]) -> Part:
    """Run some episodes with all predictors; without any loss there is no outcome."""
    settings: PursuitSettings = plan.settings
    episodes = draw_episodes(arena.ground, np.array(numbers), settings, plan.seed, arena.name)
    if len(episodes) == 0:
        return None, ()
    known = losses_of(episodes, episodes.guards, settings)
    runs = [chase_on(arena.ground, episodes, one, predictor, settings) for one, predictor in arena.predictors]
    judged = [judge(arena.ground, episodes, chased, known, settings) for chased in runs]
    outcome = PursuitOutcome(
        episode=episodes.number,
        model=episodes.model,
        speed=episodes.speed,
        power=episodes.power,
        seen_at=known.seen_at,
        heading=known.heading,
        guard_at=known.guard_at,
        guard_facing=known.view_heading,
        trail=_trails(episodes, settings),
        reason=np.stack([np.array(one.reasons, dtype="U16")[one.reason] for one in runs], axis=1),
        **{name: _columns(runs, name) for name in ("destination", "reacquired", "alive", "metres", "losses")},
        **{name: _columns(judged, name) for name in ("turned", "corner_missed", "miss")},
    )
    return outcome, ()


def _columns(runs: Sequence[object], name: str) -> Array:
    return np.stack([getattr(one, name) for one in runs], axis=1)


def _trails(episodes: Episodes, settings: PursuitSettings) -> Floats:
    every = max(settings.in_steps(0.5), 1)
    steps = episodes.guards.seen_step[:, None] + every * np.arange(_TRAIL_STEPS)[None, :]
    steps = np.minimum(steps, episodes.tracks.shape[1] - 1)
    return episodes.tracks[np.arange(len(episodes))[:, None], steps]


def _variants(names: Sequence[str]) -> tuple[Variant, ...]:
    return tuple(Variant(one.name, one.is_omniscient, one) for one in contenders(names))


def _tuned(asked: Mapping[str, Any]) -> dict[str, dict[str, Any]]:
    return {one.name: {"chase": one.settings} for one in contenders(asked["variants"], asked["options"]["chase"])}


def _reasons(outcome: PursuitOutcome, column: int) -> Mapping[str, int]:
    return dict(sorted(Counter(outcome.reason[:, column].tolist()).items()))


def _by_runner(outcome: PursuitOutcome) -> Mapping[str, Array]:
    return {name: outcome.model == number for number, name in enumerate(MODELS)}


def _by_speed(outcome: PursuitOutcome) -> Mapping[str, Array]:
    return {f"{speed:g}": outcome.speed == speed for speed in np.unique(outcome.speed).tolist()}


def _by_power(outcome: PursuitOutcome) -> Mapping[str, Array]:
    """Return the episodes by power; nothing if no runner has one."""
    found = {name: outcome.power == number for number, name in enumerate(POWERS)}
    return found if outcome.power.any() else {}


def _notes(evaluation: Evaluation) -> list[str]:
    """Return which powers no lost runner had, and how to measure their effect."""
    powers: tuple[str, ...] = evaluation.settings.powers
    used = {POWERS[number] for one in evaluation.outcomes.values() for number in np.unique(one.power).tolist()}
    if used <= {"none"} and powers == ("none",):
        return []
    if "none" not in powers:
        return ["Powers have no effect to show without runners that have none: add none to the powers."]
    unused = [power for power in powers if power not in used]
    if not unused:
        return []
    turns = len(MODELS) * len(evaluation.settings.runner_speeds)
    least = f"give at least {turns * len(powers)} episodes"
    return [f"No runner with {' or '.join(unused)} was lost. Powers change every {turns} episodes: {least}."]


def _worth(outcome: PursuitOutcome, own: int, base: int) -> Floats:
    """Rank episodes that only one re-acquired first, by the distance between the places; then the others, by miss."""
    seen, other = outcome.reacquired[:, own], outcome.reacquired[:, base]
    apart = np.linalg.norm(outcome.destination[:, own] - outcome.destination[:, base], axis=1)
    return np.where(seen, 1.0, -1.0) * np.where(seen != other, 1e6 + apart, 1e-9 + outcome.miss[:, own])


def _case(_level: Level | None, layout: CellLayout) -> CellLayout:
    return layout


PURSUITS = Trials(
    name="chase",
    title="Chase: predictors compared",
    about="A guard sees a runner, pursues it and loses it; the predictor names one place; the guard runs there and "
    "looks around. All predictors faced the same losses. Those with * are told where the target went.",
    case="level",
    unit="pursuit",
    units="first losses",
    count="losses",
    variant="predictor",
    variants=_variants,
    base=FAITHFUL,
    chunk=48,
    prepare=_Arena,
    play=_play,
    measures=(
        Measure(
            "reacquired", "share", "the guard saw the runner again after its first loss, on its way or looking around",
            interval=True, title="re-acquired", short="re-acquired",
        ),
        Measure(
            "still_alive", "share", "the chase was not given up, counting all its losses; a run under way when time is "
            "up must still end with the runner in sight",
            interval=True, title="alive after 40 s", short="alive 40 s", metric="alive",
        ),
        Measure(
            "turned", "share", "about-turns by more than 120° to places that the guard was nearer to than the runner",
            interval=True, title="about-turns", short="turns",
        ),
        Measure(
            "corner_missed", "share", "given up although the runner was around the next corner",
            interval=True, title="corners missed", short="corners",
        ),
        Measure(
            "metres", "m", "run until the runner was seen or the guard arrived",
            interval=True, title="metres run", short="metres",
        ),
        Measure(
            "miss", "m", "from the predicted place to the runner on arrival; not a goal, standing still scores well",
            interval=True, title="miss on arrival", short="miss",
        ),
        Measure(
            "losses", "", "how often the runner was lost in the whole chase", interval=True, title="total losses"
        ),
    ),
    headline="reacquired",
    nothing="no guard ever lost its runner; it is too open or too small for pursuits",
    worth=_worth,
    notes=_notes,
    case_of=_case,
    settings=PursuitSettings,
    degrees=("view_angle",),
    tunings=(Tuning("chase", ChaseSettings, "that of the preset", degrees=("cone",)),),
    tuned=_tuned,
    told="omniscient",
    counts_name="reasons",
    counts=_reasons,
    breakdowns=(
        Breakdown("reacquired_by_runner", ("reacquired",), _by_runner),
        Breakdown("reacquired_by_speed", ("reacquired",), _by_speed),
        Breakdown("by_power", ("reacquired", "alive"), _by_power, is_effect=True),
    ),
    needs_level=False,
    can_fail=False,
)  # fmt: skip

CHASE = trials_experiment(
    PURSUITS,
    "pursuits: how often each predictor re-acquires a lost target",
    episodes=Parameter("whole", 200, "first losses per task"),
    variants=Parameter("texts", MEASURED, f"predictors to measure; presets can be modified: {PREFERRED}:lead=1"),
)


def evaluate_chase(
    layouts: Mapping[str, CellLayout],
    *,
    predictors: Sequence[Any] = MEASURED,
    episodes: int = 200,
    seed: int = 0,
    jobs: int = 1,
    settings: PursuitSettings = PursuitSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """Measure how often predictors re-acquire a lost target; see `evaluate` for the other parameters.

    Parameters
    ----------
    layouts : cells by the name of the level.
    predictors : names, "my_module:Mine", or objects with `predict(loss)`; see `register_predictor`. Objects run in
        this process only.
    episodes : first losses per level; models and speeds of runners take turns.
    """
    for name, layout in table_of(layouts, "layouts", "{name of the level: CellLayout}").items():
        expect(layout, CellLayout, f"layouts[{name!r}]")
    if isinstance(predictors, str) or not isinstance(predictors, Sequence):
        raise InputError(f"predictors is {shown(predictors)}; give several, such as ['article', Mine()]")
    if jobs != 1 and not all(isinstance(one, str) for one in predictors):
        raise InputError("predictors given as objects run in this process; use jobs=1, or name them 'my_module:Mine'")
    with predictors_registered(predictors) as names:
        return evaluate(
            PURSUITS,
            layouts,
            variants=names,
            episodes=episodes,
            seed=seed,
            jobs=jobs,
            settings=settings,
            progress=progress,
        )
