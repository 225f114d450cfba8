"""From the first loss to the end: guards ask their predictor, run, look round, see the runner again or give up."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....conventions import Array, Bools, Floats, Ids
from ....kernels.flood.pursuit import ALIVE, LOST, RUN, UNDER_WAY, Guards, pursue_all
from ....navmesh.query import find_paths
from ....reasoning.chase.loss import Losses, Trail
from ....reasoning.chase.predictors import PredictorKind
from .episodes import Episodes, Ground, new_ray, rules_of
from .predictors import PredictsMany
from .settings import PursuitSettings

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
