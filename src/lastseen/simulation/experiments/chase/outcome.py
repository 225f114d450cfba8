"""The outcome of an evaluation, one row per first loss, and how the guard's reaction to it is judged."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ....cells.query import cells_within_many
from ....conventions import Array, Bools, Floats, Ids
from ....navmesh.query import find_paths, raycasts
from ....reasoning.chase.loss import Losses
from ..harness.trials import Outcome
from .episodes import Episodes, Ground
from .pursuits import Chased
from .settings import PursuitSettings


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
