"""Pursuits after the first loss: guards run to predicted places, look around, and see the runner again or give up."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any, NamedTuple, Protocol

import numpy as np

from ....cells.layout import CellLayout
from ....cells.query import cells_within_many
from ....conventions import Array, Bools, Floats, Ids
from ....kernels.flood.pursuit import ALIVE, LOST, RUN, UNDER_WAY, Guards, pursue_all
from ....navmesh.query import find_paths, raycasts
from ....reasoning.chase.chase_spec import changed_predictor
from ....reasoning.chase.flood.chase import Chase
from ....reasoning.chase.flood.chase_settings import FAITHFUL, ChaseSettings
from ....reasoning.chase.loss import Losses, Trail
from ....reasoning.chase.prediction import Predictions
from ....reasoning.chase.predictors import PredictorKind
from ..harness.trials import Outcome
from .episodes import Episodes, PursuitGround, PursuitSettings, new_ray, rules_of


class PredictsMany(Protocol):
    """A predictor of many losses at once."""

    def predict_many(self, losses: Losses, /) -> Predictions:
        """Return where to run, for each loss."""


class _OneThread:
    """A chase on one thread, since other episodes use the other cores."""

    def __init__(self, cells: CellLayout, settings: ChaseSettings):
        self._chase = Chase(cells, settings=settings)

    def predict_many(self, losses: Losses, /) -> Predictions:
        return self._chase.predict_many(losses, threads=1)


def contenders(names: Sequence[str], changes: Mapping[str, Any] | None = None) -> tuple[PredictorKind, ...]:
    """Return predictors by name, the base included; `belief:lead=1:weights=front` changes settings of a preset.

    `my_module:Mine` is imported. `changes` are settings of all presets.
    """
    kinds = [changed_predictor(name, changes) for name in dict.fromkeys([*names, FAITHFUL])]
    return tuple(
        kind if kind.settings is None else replace(kind, make=partial(_OneThread, settings=kind.settings))
        for kind in kinds
    )


_TRAIL_SECONDS = 40.0


@dataclass(frozen=True, eq=False)
class Chased:
    """Results of n first losses with one predictor.

    Attributes
    ----------
    destination : (n, 3) predicted place after the first loss.
    reason : (n,) index into `reasons`.
    path_metres : (n,) length of the path there.
    start : (n, 2) unit vector of the direction in which that path begins; zeros if there is no path.
    arrival : (n,) step at which a guard that runs the whole path arrives.
    found : (n,) step at which the runner was seen again after the first loss; -1 if it was not.
    alive : (n,) bool, whether the chase was not given up after the whole time; one still under way must end in sight.
    metres : (n,) metres run after the first loss until the runner was seen or the guard arrived.
    losses : (n,) number of losses in the whole chase.
    """

    destination: Floats
    reason: Array
    reasons: tuple[str, ...]
    path_metres: Floats
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
    """Return what guards know that have just lost their runner."""
    seen = guards.seen_step.astype(np.int64)
    track = episodes.tracks[guards.episode]
    rows = np.arange(len(seen))
    # The heading is seen from one look to the next; at the very first look, only the next step shows it.
    heading = track[rows, np.maximum(seen, 1)] - track[rows, np.maximum(seen, 1) - 1]
    trails = None
    if omniscient:
        span = settings.in_steps(_TRAIL_SECONDS)
        seconds: Floats = settings.step * np.arange(span + 1, dtype=np.float64)
        runner, left = episodes.runners[guards.episode], episodes.left[guards.episode]
        # Of one whose decoy was seen last, the trail begins where the decoy was left.
        behind = (track[rows, seen] != runner[rows, seen]).any(axis=1)
        before = np.where(behind, seen - left, 0).tolist()
        trails = tuple(
            Trail(
                runner[row, first - early : first + span + 1],
                np.concatenate([-seconds[early:0:-1], seconds[: track.shape[1] - first]]),
            )
            for row, (first, early) in enumerate(zip(seen.tolist(), before))
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
    ground: PursuitGround,
    episodes: Episodes,
    contender: PredictorKind,
    predictor: PredictsMany,
    settings: PursuitSettings,
) -> Chased:
    """Continue all episodes with one predictor until they end."""
    guards = Guards(*(array.copy() for array in episodes.guards))
    first: tuple[Floats, Array, tuple[str, ...], Floats, Floats] | None = None
    rules, ray = rules_of(settings), new_ray()
    while True:
        rows = np.flatnonzero(guards.status == LOST)
        if len(rows) == 0 and first is not None:
            break
        lost = Guards(*(array[rows] for array in guards))
        known = losses_of(episodes, lost, settings, omniscient=contender.is_omniscient)
        answer = predictor.predict_many(known)
        point_start, points, length = _paths_to(ground, contender, known, answer.destination)
        if first is None:
            first = (answer.destination, answer.reason, answer.reasons, length, _first_directions(point_start, points))
        guards.way_at[rows], guards.way_end[rows] = point_start[:-1], point_start[1:]
        guards.mode[rows], guards.status[rows] = RUN, UNDER_WAY
        pursue_all(ground.layout.mesh.arrays, episodes.tracks, points, rules, guards, ray)
    destination, reason, reasons, length, start = first
    steps = np.ceil(length / (settings.guard_speed * settings.step)).astype(np.int32)
    return Chased(
        destination=destination,
        reason=reason,
        reasons=reasons,
        path_metres=length,
        start=start,
        arrival=guards.first_loss + steps,
        found=guards.found,
        alive=guards.status == ALIVE,
        metres=guards.metres,
        losses=guards.losses,
    )


def _paths_to(
    ground: PursuitGround, contender: PredictorKind, known: Losses, goals: Floats
) -> tuple[Array, Floats, Floats]:
    """Return the paths to predicted places: offsets into points, points, and lengths."""
    if not contender.follows_trail:
        paths = find_paths(ground.layout.mesh, known.guard_at, goals, on_floor=True, below=1.5, above=1.5)
        return paths.point_start.astype(np.int64), np.ascontiguousarray(paths.points_xyz), paths.length
    lines = [
        np.vstack([at, seen, trail.points_xyz[1:]])
        for at, seen, trail in zip(known.guard_at, known.seen_at, known.trails or ())
        if trail is not None
    ]
    counts = [len(line) for line in lines]
    length = np.array([float(np.linalg.norm(np.diff(line, axis=0), axis=1).sum()) for line in lines])
    points = np.concatenate(lines) if lines else np.zeros((0, 3))
    return np.concatenate([[0], np.cumsum(counts)]).astype(np.int64), points, length


def _first_directions(point_start: Array, points: Floats) -> Floats:
    """Return the direction of the first 1.5 m of each path, (n, 2)."""
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
    """n first losses on one level, with p predictors; see also `Chased`.

    Attributes
    ----------
    episode, model : (n,) number of the episode; index into `MODELS`.
    speed : (n,) speed of the runner, m/s.
    power : (n,) index into `POWERS`.
    seen_at, heading, guard_at, guard_facing : (n, 3) knowledge of the guard.
    trail : (n, k, 3) positions of the runner after it was last seen, every half second.
    destination : (n, p, 3) predicted places.
    reason : (n, p) text.
    reacquired, alive, turned, corner_missed : (n, p) bool.
    metres, losses : (n, p).
    miss : (n, p) metres from the predicted place to the runner on arrival.
    """

    model: Ids
    speed: Floats
    power: Ids
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


class Judgement(NamedTuple):
    """Quality of predictions for n first losses: `miss` is the distance in metres to the runner on arrival."""

    turned: Bools
    corner_missed: Bools
    miss: Floats


def judge(
    ground: PursuitGround, episodes: Episodes, chased: Chased, known: Losses, settings: PursuitSettings
) -> Judgement:
    """Judge the reactions to first losses; `known` is what the guards knew then."""
    arrival = np.minimum(chased.arrival, episodes.tracks.shape[1] - 1)
    runner = episodes.tracks[np.arange(len(episodes)), arrival]
    return Judgement(
        turned=about_turns(ground, chased, known),
        corner_missed=corners_missed(ground, episodes, chased, settings),
        miss=np.linalg.norm(runner - chased.destination, axis=1),
    )


def about_turns(ground: PursuitGround, chased: Chased, known: Losses) -> Bools:
    """Return which guards turned around without a good reason, (n,) bool.

    Their path begins more than 120° off their view, is at least 2 m long, and ends clearly nearer to them than to the
    runner's last known position: the runner would have had to pass the guard.
    """
    off = np.einsum("ij,ij->i", chased.start, known.view_heading[:, :2]) < _TURN
    turned: Bools = off & (chased.path_metres >= _SHORT)
    rows = np.flatnonzero(turned)
    if len(rows):
        paths = find_paths(ground.layout.mesh, known.seen_at[rows], chased.destination[rows], below=1.5, above=1.5)
        turned[rows] = paths.reached & (chased.path_metres[rows] + _CLEARLY < paths.length)
    return turned


def corners_missed(ground: PursuitGround, episodes: Episodes, chased: Chased, settings: PursuitSettings) -> Bools:
    """Return which guards gave up right before a corner, (n,) bool.

    They did not see the runner again, although it was visible, while they looked around, from a cell that is within
    `settings.corner` metres of the end of their path in a straight line.
    """
    missed = np.zeros(len(episodes), np.bool_)
    rows = np.flatnonzero(~chased.reacquired)
    if len(rows) == 0:
        return missed
    mesh = ground.layout.mesh
    near = cells_within_many(ground.layout, chased.destination[rows], settings.corner)
    owner = np.repeat(rows, np.diff(near.start))
    spots = ground.layout.arrays.cell_xyz[near.cell].astype(np.float64)
    near_end = raycasts(mesh, chased.destination[owner], spots, below=1.5, above=1.5).reached
    owner, spots = owner[near_end], spots[near_end]
    last = episodes.tracks.shape[1] - 1
    look = settings.in_steps(settings.look_seconds)
    for later in sorted({0, look // 2, look}):
        runner = episodes.tracks[owner, np.minimum(chased.arrival[owner] + later, last)]
        close = np.linalg.norm(runner - spots, axis=1) <= settings.look_distance
        shown = raycasts(mesh, spots[close], runner[close], below=1.5, above=1.5).reached
        missed[owner[close][shown]] = True
    return missed
