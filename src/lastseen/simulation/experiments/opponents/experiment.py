"""Opponents: how long do intruders keep away from guards that see them? Every beginning is run with every brain."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import msgspec
import numpy as np

from ....agents.brains.shipped_brains import BRAINS, STYLES
from ....cells.layout import CellLayout
from ....checks import table_of
from ....conventions import Array, Floats, Ids, Progress
from ....errors import InputError, did_you_mean
from ....level.level import Level
from ....textfile import FORMS
from ....vocabulary.events import Caught
from ....vocabulary.words import EndReason
from ...game_loop import failure_of, step
from ...scenario.reader import Setting, setting_of
from ...world.world import World
from ..crews.beginnings import CrewTrialSettings, Drawn, Field
from ..harness.parameters import Measure, Parameter
from ..harness.trials import Evaluation, Outcome, Part, Plan, Trials, Variant, evaluate, play_each
from ..harness.trials_experiment import trials_experiment

LAST = 3.0
"""Seconds before a capture that are judged."""
TOWARDS = 1.0
"""Metres of its own movement towards its catcher in that time by which an intruder ran into the catcher's arms."""
BASE = "roamer"
_SAMPLE = 1.0
METRICS = ("caught", "towards", "free", "lasted", "escaped", "seen")


@dataclass(frozen=True, kw_only=True)
class OpponentSettings(CrewTrialSettings):
    """Settings of chases, in metres and seconds.

    Attributes
    ----------
    seconds : maximum duration of a chase.
    step : of the simulation.
    sizes : numbers of guards, in turn.
    ranged, jitter, evaders : not used: nobody shoots, there is no scenario, and all brains are compared.
    away : minimum and maximum path length from the first guard to the intruder at the beginning.
    spread : distance from the first guard within which the others start.
    """

    seconds: float = 60.0
    sizes: tuple[int, ...] = (1, 2, 4)
    away: tuple[float, float] = (6.0, 14.0)
    spread: float = 8.0


@dataclass(frozen=True, eq=False)
class ChaseTrial:
    """One chase: `values` are its metrics; `tracks` one sample per second."""

    values: dict[str, float]
    names: tuple[str, ...]
    tracks: Array
    failure: str = ""


@dataclass(frozen=True, eq=False)
class OpponentOutcome(Outcome):
    """n beginnings run with every brain: `guards` (n,), `trials` (n, p) `ChaseTrial`, and the metrics, (n, p)."""

    guards: Ids
    trials: Array
    caught: Floats
    towards: Floats
    free: Floats
    lasted: Floats
    escaped: Floats
    seen: Floats


class _Chases(Field):
    """Create the worlds of one level: the same beginning for a number, with any brain."""

    def __init__(self, name: str, source: Drawn, settings: OpponentSettings, seed: int):
        super().__init__(name, source, settings, seed)
        self._brain = BASE

    def kind(self, number: int) -> str:  # noqa: ARG002 - as other fields have several
        """Return "chase": the guards see the intruder, and nobody fights."""
        return "chase"

    def begun(self, number: int, brain: str) -> World:
        """Return the initial world of a chase."""
        self._brain = brain
        return self.world(number, crews=True)

    def _size(self, number: int) -> int:
        return self.settings.sizes[number % len(self.settings.sizes)]

    def _drawn(self, source: Drawn, number: int, draw: np.random.Generator, crews: bool) -> tuple[Setting, Floats]:
        setting, seen = super()._drawn(source, number, draw, crews)
        *guards, intruder = setting.scenario.agents
        intruder = msgspec.structs.replace(intruder, brain=self._brain, at=tuple(seen.tolist()), team="intruders")
        scenario = msgspec.structs.replace(
            setting.scenario, agents=(*guards, intruder), ends=("caught", "escaped"), search_seconds=20.0
        )
        return setting_of(scenario, level=source.level), seen

    def _begin(self, world: World, number: int, lost: Floats) -> None:
        """Begin with the guards calm, and the intruder in view."""


def run_chase(chases: _Chases, number: int, brain: str) -> ChaseTrial:
    """Run one chase with one brain; the same seed gives the same chase."""
    world = chases.begun(number, brain)
    count, every = len(world.names) - 1, max(1, round(_SAMPLE / world.step))
    lately: deque[Floats] = deque(maxlen=round(LAST / world.step) + 1)
    tracks, seen, catcher = [], 0.0, -1
    while world.ending is None:
        if world.tick % every == 0:
            tracks.append(world.bodies.xyz.astype(np.float32))
        lately.append(world.bodies.xyz.copy())
        step(world)
        seen += world.step * (max(world.attention.seen) >= 0)
        catcher = next((event.agent for event in world.events if isinstance(event, Caught)), catcher)
    lately.append(world.bodies.xyz.copy())
    reason = world.ending.reason
    is_caught = reason == EndReason.CAUGHT and catcher >= 0
    values = {
        "caught": float(is_caught),
        "towards": float(is_caught and metres_towards(np.stack(lately), count, catcher) >= TOWARDS),
        "free": world.time if is_caught else chases.settings.seconds,
        "lasted": world.time,
        "escaped": float(reason == EndReason.ESCAPED),
        "seen": seen / world.time,
    }
    return ChaseTrial(values, world.names, np.stack(tracks), failure_of(world))


def metres_towards(xyz: Floats, intruder: int, catcher: int) -> float:
    """Return how far an intruder moved towards its catcher, by its own movement, in positions (steps, agents, 3)."""
    moved = np.diff(xyz[:, intruder, :2], axis=0)
    to = xyz[:-1, catcher, :2] - xyz[:-1, intruder, :2]
    return float((moved * to / np.maximum(np.hypot(to[:, 0], to[:, 1]), 1e-9)[:, None]).sum())


def _prepare(plan: Plan, name: str) -> _Chases:
    source, most = plan.cases[name], max(plan.settings.sizes)
    if len(source.layout) < most + 1:
        raise InputError(f"level {name!r} has {len(source.layout)} cells; {most} guards need more")
    return _Chases(name, source, plan.settings, plan.seed)


def _play(chases: _Chases, plan: Plan, numbers: Sequence[int]) -> Part:
    kept, rows, failures = play_each(
        chases.name,
        numbers,
        plan.variants,
        lambda number: number,
        lambda number, brain: run_chase(chases, number, brain),
    )
    if not kept:
        return None, failures
    trials = np.empty((len(rows), len(plan.variants)), object)
    trials[:] = rows
    outcome = OpponentOutcome(
        episode=np.array(kept, np.int32),
        guards=np.array([len(row[0].names) - 1 for row in rows], np.int32),
        trials=trials,
        **{name: np.array([[one.values[name] for one in row] for row in rows]) for name in METRICS},
    )
    return outcome, failures


def _variants(names: Sequence[str]) -> tuple[Variant, ...]:
    known = [name for name, team in BRAINS.items() if team == "intruders"]
    for name in names:
        if name not in known and not name.endswith(tuple(FORMS)):
            raise InputError(
                f"no brain of an intruder {name!r}{did_you_mean(name, known)}; give {', '.join(known)}, or a tree file"
            )
    return tuple(Variant(name) for name in dict.fromkeys([BASE, *names]))


def _sizes(outcome: OpponentOutcome) -> Mapping[str, Array]:
    return {f"{size} guards" if size > 1 else "1 guard": outcome.guards == size for size in np.unique(outcome.guards)}


def _worth(outcome: OpponentOutcome, own: int, base: int) -> Floats:
    """Rank by how much longer an intruder stayed free."""
    return np.asarray(outcome.free[:, own] - outcome.free[:, base])


OPPONENT_TRIALS = Trials(
    name="opponents",
    title="Opponents",
    about=f"Each chase ran with every brain; it begins with guards that see the intruder. {BASE} flees without memory.",
    case="level",
    unit="chase",
    units="chases",
    count="chases",
    variant="brain",
    variants=_variants,
    base=BASE,
    chunk=2,
    prepare=_prepare,
    play=_play,
    measures=(
        Measure(
            "caught", "share", "of the chases, those that ended with the intruder caught",
            interval=True, title="caught", short="caught", less_is_better=True,
        ),
        Measure(
            "towards", "share", "of the chases, those in which it was caught after its own steps in the last "
            f"{LAST:g} s had taken it {TOWARDS:g} m or more towards its catcher",
            interval=True, title="ran towards its catcher", short="towards", less_is_better=True,
        ),
        Measure(
            "free", "s", "until it was caught; the whole time if it was not",
            interval=True, title="seconds until caught", short="free", less_is_better=False,
        ),
        Measure(
            "lasted", "s", "until it was caught or escaped, or the whole time",
            interval=True, title="seconds until the end", less_is_better=False,
        ),
        Measure(
            "escaped", "share", "of the chases, those in which it reached an exit",
            interval=True, title="escaped", short="escaped", less_is_better=False,
        ),
        Measure(
            "seen", "share", "of the time, that in which a guard saw it",
            interval=True, title="time in view", short="in view", less_is_better=True,
        ),
    ),
    headline="free",
    nothing="there is nothing to measure",
    worth=_worth,
    case_of=Drawn,
    settings=OpponentSettings,
    pooled="all",
    parts=_sizes,
    lists_runs=True,
)  # fmt: skip

OPPONENTS = trials_experiment(
    OPPONENT_TRIALS,
    "opponents: how long intruders keep away from guards that see them",
    episodes=Parameter("whole", 24, "chases per level"),
    variants=Parameter("texts", STYLES, "brains of intruders, or tree files"),
)


def evaluate_opponents(
    levels: Mapping[str, Drawn | tuple[Level, CellLayout]],
    *,
    brains: Sequence[str] = STYLES,
    episodes: int = 24,
    seed: int = 0,
    jobs: int = 1,
    settings: OpponentSettings = OpponentSettings(),  # noqa: B008 - frozen
    progress: Progress = None,
) -> Evaluation:
    """Measure how well intruders evade guards that see them; see `evaluate` for the other parameters.

    Parameters
    ----------
    levels : levels with their cells, by name.
    brains : shipped brains of intruders, or tree files; all are compared with "roamer".
    episodes : chases per level.
    """
    given = {name: Drawn(*one) if isinstance(one, tuple) else one for name, one in table_of(levels, "levels").items()}
    return evaluate(
        OPPONENT_TRIALS,
        given,
        variants=brains,
        episodes=episodes,
        seed=seed,
        jobs=jobs,
        settings=settings,
        progress=progress,
    )
