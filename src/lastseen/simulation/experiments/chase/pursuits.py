"""From the first loss to the end: guards ask their predictor, run, look round, see the runner again or give up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Protocol

import numpy as np

from ....cells.layout import CellLayout
from ....cells.query import cells_within_many
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError
from ....kernels.flood.pursuit import ALIVE, LOST, RUN, UNDER_WAY, Guards, pursue_all
from ....navmesh.query import find_paths, raycasts
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import ChaseSettings
from ....reasoning.chase.loss import Losses, Trail
from ....reasoning.chase.prediction import Predictions
from ....reasoning.chase.predictors import PredictorKind, predictor_kind
from ..harness.parameters import changes_of
from ..harness.trials import Outcome
from .episodes import Episodes, Ground, PursuitSettings, new_ray, rules_of


class PredictsMany(Protocol):
    """What an evaluation asks of a predictor."""

    def predict_many(self, losses: Losses, /) -> Predictions:
        """Return where to run now, for each of many losses at once."""


class _OneThread:
    """A chase that leaves the other cores to other episodes."""

    def __init__(self, cells: CellLayout, settings: ChaseSettings):
        self._chase = Chase(cells, settings=settings)

    def predict_many(self, losses: Losses, /) -> Predictions:
        return self._chase.predict_many(losses, threads=1)


FAITHFUL = "article"
"""The predictor all others are compared with: the article's flood."""

DEFAULT = (
    "breadcrumbs",
    "true place",
    "belief",
    "particle filter",
    "article",
    "no barrier",
    "dead reckoning",
    "last position",
    "stand still",
)
"""Predictors measured if none are named."""


def contenders(names: Sequence[str]) -> tuple[PredictorKind, ...]:
    """Return predictors by name; the settings of a chase may be changed, as in `belief:lead=1:weights=front`.

    The article's flood is added where it is missing, since all are compared with it.
    """
    return tuple(_contender(name) for name in dict.fromkeys([*names, FAITHFUL]))


def _contender(name: str) -> PredictorKind:
    kind = predictor_kind(name.partition(":")[0])
    if kind.settings is None:
        if ":" in name:
            raise InputError(f"predictor {name!r}: only presets of the chase have settings; leave out the colon")
        return kind
    changes = changes_of(name, "predictor", "belief:lead=1:weights=front")
    settings = kind.settings.but(**changes)
    for setting, why in settings.idle():
        if setting in changes:
            raise InputError(f"predictor {name!r}: {setting} makes no difference {why}; leave it out")
    return replace(kind, name=name, settings=settings, make=lambda cells: _OneThread(cells, settings))


_TRAIL_SECONDS = 40.0


@dataclass(frozen=True, eq=False)
class Chased:
    """What became of n first losses with one predictor.

    Attributes
    ----------
    destination : (n, 3) the place named after the first loss.
    reason : (n,) index into `reasons`.
    way_metres : (n,) metres of the way there.
    start : (n, 2) direction in which that way begins, unit vectors; zeros: no way.
    arrival : (n,) step at which a guard that runs all of it arrives.
    found : (n,) step at which the runner was seen again after the first loss; -1: it was not.
    alive : (n,) bool, not given up after the whole time; a chase under way then must still end in sight.
    metres : (n,) run after the first loss until the runner was seen or the guard arrived.
    losses : (n,) how often the runner was lost in the whole chase.
    """

    destination: Floats
    reason: Array
    reasons: tuple[str, ...]
    way_metres: Floats
    start: Floats
    arrival: Ids
    found: Ids
    alive: Bools
    metres: Floats
    losses: Ids

    @property
    def reacquired(self) -> Bools:
        """(n,) bool, whether the runner was seen again before the guard gave up."""
        return np.asarray(self.found >= 0)


def losses_of(episodes: Episodes, guards: Guards, settings: PursuitSettings, *, omniscient: bool = False) -> Losses:
    """What do guards that just lost their runner know?"""
    seen = guards.seen_step.astype(np.int64)
    track = episodes.tracks[guards.episode]
    rows = np.arange(len(seen))
    # Movement is seen from one look to the next; at the very first look only what follows shows it.
    heading = track[rows, np.maximum(seen, 1)] - track[rows, np.maximum(seen, 1) - 1]
    trails = None
    if omniscient:
        span = settings.in_steps(_TRAIL_SECONDS)
        seconds: Floats = settings.step * np.arange(span + 1, dtype=np.float64)
        trails = tuple(
            Trail(track[row, first : first + span + 1], seconds[: track.shape[1] - first])
            for row, first in enumerate(seen.tolist())
        )
    return Losses(
        seen_at=guards.seen_xyz.copy(),
        heading=heading,
        speed=episodes.speed[guards.episode],
        seconds=(guards.step - guards.seen_step) * settings.step,
        guard_at=guards.xyz.copy(),
        view_heading=np.column_stack([guards.facing, np.zeros(len(seen))]),
        view_angle=settings.view_angle,
        view_distance=settings.view_distance,
        trails=trails,
    )


def chase_on(
    ground: Ground, episodes: Episodes, contender: PredictorKind, predictor: PredictsMany, settings: PursuitSettings
) -> Chased:
    """Let the guards of all episodes go on with one predictor until every episode has ended."""
    guards = Guards(*(array.copy() for array in episodes.guards))
    first: tuple[Floats, Array, tuple[str, ...], Floats, Floats] | None = None
    rules, ray = rules_of(settings), new_ray()
    while True:
        rows = np.flatnonzero(guards.status == LOST)
        if len(rows) == 0 and first is not None:
            break
        lost = Guards(*(array[rows] for array in guards))
        asked = losses_of(episodes, lost, settings, omniscient=contender.is_omniscient)
        said = predictor.predict_many(asked)
        point_start, points, length = _ways(ground, contender, asked, said.destination)
        if first is None:
            first = (said.destination, said.reason, said.reasons, length, _beginnings(point_start, points))
        guards.way_at[rows], guards.way_end[rows] = point_start[:-1], point_start[1:]
        guards.mode[rows], guards.status[rows] = RUN, UNDER_WAY
        pursue_all(ground.layout.mesh.arrays, episodes.tracks, points, rules, guards, ray)
    destination, reason, reasons, length, start = first
    steps = np.ceil(length / (settings.guard_speed * settings.step)).astype(np.int32)
    return Chased(
        destination=destination,
        reason=reason,
        reasons=reasons,
        way_metres=length,
        start=start,
        arrival=guards.first_loss + steps,
        found=guards.found,
        alive=guards.status == ALIVE,
        metres=guards.metres,
        losses=guards.losses,
    )


def _ways(ground: Ground, contender: PredictorKind, asked: Losses, goals: Floats) -> tuple[Array, Floats, Floats]:
    """Return the ways to the places named, as points in groups, and their lengths."""
    if not contender.follows_trail:
        paths = find_paths(ground.layout.mesh, asked.guard_at, goals, on_floor=True, below=1.5, above=1.5)
        return paths.point_start.astype(np.int64), np.ascontiguousarray(paths.points_xyz), paths.length
    lines = [
        np.vstack([at, seen, trail.points_xyz[1:]])
        for at, seen, trail in zip(asked.guard_at, asked.seen_at, asked.trails or ())
        if trail is not None
    ]
    counts = [len(line) for line in lines]
    length = np.array([float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines])
    points = np.concatenate(lines) if lines else np.zeros((0, 3))
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), points, length


def _beginnings(point_start: Array, points: Floats) -> Floats:
    """(n, 2): direction in which each way begins, judged by its first 1.5 m."""
    found = np.zeros((len(point_start) - 1, 2))
    for row, (low, high) in enumerate(zip(point_start[:-1].tolist(), point_start[1:].tolist())):
        line = points[low:high, :2]
        if len(line) < 2:
            continue
        along = np.concatenate([[0.0], np.cumsum(np.hypot(*np.diff(line, axis=0).T))])
        spot = np.array([np.interp(1.5, along, line[:, axis]) for axis in range(2)])
        away = float(np.hypot(*(spot - line[0])))
        if away > 1e-6:
            found[row] = (spot - line[0]) / away
    return found


@dataclass(frozen=True, eq=False)
class PursuitOutcome(Outcome):
    """n first losses of one level, met by p predictors.

    Attributes
    ----------
    episode, model : (n,) number of the episode; index into `MODELS`.
    speed : (n,) metres a second, of the runner.
    seen_at, heading, guard_at, guard_facing : (n, 3) what the guard knew.
    trail : (n, k, 3) where the runner went after it was last seen, every half second.
    destination : (n, p, 3) places named.
    reason : (n, p) words.
    reacquired, alive, turned, corner_missed : (n, p) bool.
    metres : (n, p) run until seen again or arrived.
    miss : (n, p) metres from the place named to the runner on arrival.
    losses : (n, p) how often the runner was lost in the whole chase.
    """

    model: Ids
    speed: Floats
    seen_at: Floats
    heading: Floats
    guard_at: Floats
    guard_facing: Floats
    trail: Floats
    destination: Floats
    reason: Array
    reacquired: Bools
    alive: Bools
    turned: Bools
    corner_missed: Bools
    metres: Floats
    miss: Floats
    losses: Ids


_TURN = np.cos(np.radians(120.0))
_SHORT = 2.0
_CLEARLY = 1.0


@dataclass(frozen=True, eq=False)
class Judgement:
    """n first losses with one predictor, judged.

    Attributes
    ----------
    turned : (n,) bool, the guard turned round (see `about_turns`) without a reason it could have had.
    corner_missed : (n,) bool, it gave up a few steps before a place that shows the runner.
    miss : (n,) metres between the place named and where the runner is when the guard arrives.
    """

    turned: Bools
    corner_missed: Bools
    miss: Floats


def judge(ground: Ground, episodes: Episodes, chased: Chased, known: Losses, settings: PursuitSettings) -> Judgement:
    """Judge what became of first losses; `known` is what the guards knew then."""
    arrival = np.minimum(chased.arrival, episodes.tracks.shape[1] - 1)
    runner = episodes.tracks[np.arange(len(episodes)), arrival]
    return Judgement(
        turned=about_turns(ground, chased, known),
        corner_missed=corners_missed(ground, episodes, chased, settings),
        miss=np.linalg.norm(runner - chased.destination, axis=1),
    )


def about_turns(ground: Ground, chased: Chased, known: Losses) -> Bools:
    """Which guards turned round without a reason? (n,) bool.

    The way begins more than 120° off where the guard looks, it is no mere step (2 m), and the guard is clearly nearer
    to its end than the place where the runner was last seen: the runner would have had to pass the guard.
    """
    off = np.einsum("ij,ij->i", chased.start, known.view_heading[:, :2]) < _TURN
    turned: Bools = off & (chased.way_metres >= _SHORT)
    rows = np.flatnonzero(turned)
    if len(rows):
        ways = find_paths(ground.layout.mesh, known.seen_at[rows], chased.destination[rows], below=1.5, above=1.5)
        turned[rows] = ways.reached & (chased.way_metres[rows] + _CLEARLY < ways.length)
    return turned


def corners_missed(ground: Ground, episodes: Episodes, chased: Chased, settings: PursuitSettings) -> Bools:
    """Which guards gave up right before a corner? (n,) bool.

    Not seen again, though some cell within `settings.corner` metres straight from the end of the way shows the runner
    at some moment of looking round.
    """
    missed = np.zeros(len(episodes), np.bool_)
    rows = np.flatnonzero(~chased.reacquired)
    if len(rows) == 0:
        return missed
    mesh = ground.layout.mesh
    near = cells_within_many(ground.layout, chased.destination[rows], settings.corner)
    owner = np.repeat(rows, np.diff(near.start))
    spots = ground.layout.arrays.cell_xyz[near.cell].astype(np.float64)
    at_hand = raycasts(mesh, chased.destination[owner], spots, below=1.5, above=1.5).reached
    owner, spots = owner[at_hand], spots[at_hand]
    last = episodes.tracks.shape[1] - 1
    look = settings.in_steps(settings.look_seconds)
    for later in sorted({0, look // 2, look}):
        runner = episodes.tracks[owner, np.minimum(chased.arrival[owner] + later, last)]
        close = np.linalg.norm(runner - spots, axis=1) <= settings.look_distance
        shown = raycasts(mesh, spots[close], runner[close], below=1.5, above=1.5).reached
        missed[owner[close][shown]] = True
    return missed
