"""Baselines: simple predictors to compare the chase with, and two omniscient ones as upper bounds."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections import deque
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any

import numpy as np

from ...cells.meshed_layout import MeshedLayout, start_cells
from ...cells.query import cells_at, nearest_cells
from ...checks import finite_number, job_count, point_xyz, read_only, whole_number
from ...conventions import Array, Floats
from ...errors import InputError, QueryError
from ...kernels.flood.particles import run_particles
from ...layers.layer import require_cells
from ...navmesh.query import nearest_many, raycasts
from ...rng import generator
from .flood.cases import guard_cells
from .loss import Loss, Losses, Trail
from .prediction import Prediction, Predictions

_NEAREST = 2.0
"""Metres within which a place off the cells is moved to the nearest one, as for floods."""
_MOST_LINKS = 128
_MOST_PARTICLES = 100_000


class PlacePredictor(ABC):
    """Base of predictors that name a place for each loss, which is then moved onto the floor."""

    reasons: tuple[str, ...] = ()

    def __init__(self, cells: MeshedLayout):
        require_cells(cells, "cells")
        self.layout = cells

    def predict(self, loss: Loss, /) -> Prediction:
        """Predict where to run."""
        return self.predict_many([loss])[0]

    def predict_many(self, losses: Sequence[Loss] | Losses, /) -> Predictions:
        """Predict where to run for each loss."""
        losses = Losses.of(losses)
        start_cells(self.layout, losses.seen_at, np.full(len(losses), _NEAREST), "seen_at")
        places, reason = self._places(losses)
        placed = nearest_many(self.layout.mesh, places).xyz.copy()
        cell = cells_at(self.layout, placed).copy()
        cell[cell < 0] = nearest_cells(self.layout, placed[cell < 0])
        return Predictions(read_only(placed), read_only(cell), read_only(reason), self.reasons)

    @abstractmethod
    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        """Return the place (n, 3) for each loss and the reason (n,) as an index into `reasons`."""


class StandStill(PlacePredictor):
    """Stay at the guard's place, or at the last seen place where that is unknown; the lower bound."""

    reasons = ("stayed",)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        known = ~np.isnan(losses.guard_at)
        guard_cells(self.layout, losses.guard_at)
        return np.where(known, losses.guard_at, losses.seen_at), np.zeros(len(losses), np.uint8)


class LastPosition(PlacePredictor):
    """Go to where the target was last seen, and no further."""

    reasons = ("last_seen",)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        return losses.seen_at.copy(), np.zeros(len(losses), np.uint8)


class DeadReckoning(PlacePredictor):
    """Extrapolate the last direction until the straight walk ends, at most `distance` metres.

    Notes
    -----
    The first version of the article's game. It stops at the first wall even where an obvious path continues (figure 1).
    """

    reasons = ("reached", "wall", "off_mesh", "other_floor", "no_heading")

    def __init__(self, cells: MeshedLayout, *, distance: float = 30.0):
        super().__init__(cells)
        self.distance = finite_number(distance, "distance", unit="m", low=0.0, high=1e5)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        start = nearest_many(self.layout.mesh, losses.seen_at).xyz
        # Rays are cast in plan: only the level part of a direction counts, at full length.
        flat = losses.heading[:, :2]
        length = np.hypot(flat[:, 0], flat[:, 1])
        unit = flat / np.where(length == 0.0, 1.0, length)[:, None]
        end = start.copy()
        end[:, :2] += self.distance * unit
        hits = raycasts(self.layout.mesh, start, end)
        # Ending above or below the start counts as reached: the line followed a slope.
        reason = np.where(hits.outcome == self.reasons.index("other_floor"), 0, hits.outcome)
        reason = np.where(length == 0.0, self.reasons.index("no_heading"), reason)
        return hits.xyz.copy(), reason.astype(np.uint8)


class ParticleFilter(PlacePredictor):
    """Simulate runners that keep their momentum, and go to the middle of where they end up.

    They run from where the target was seen for as long as the guard needs to get there, and `ahead` seconds more, over
    at most 128 links.

    Parameters
    ----------
    particles : number of runners, 1 … 100,000; a thousand take 1 MB.
    ahead : seconds beyond the guard's arrival at the last seen place.
    momentum : preference for straight paths: a link straight ahead is exp(2 · momentum) times as likely as one back.
    seed : seed of the random numbers; every loss uses the same ones, so that results do not depend on each other.
    threads : number of threads; None: all cores.
    """

    reasons = ("expected",)

    def __init__(
        self,
        cells: MeshedLayout,
        *,
        particles: int = 256,
        ahead: float = 1.0,
        momentum: float = 3.0,
        seed: int = 0,
        threads: int | None = None,
    ):
        super().__init__(cells)
        self.ahead = finite_number(ahead, "ahead", unit="s", low=0.0, high=1e3)
        self.momentum = finite_number(momentum, "momentum", low=0.0, high=50.0)
        count = whole_number(particles, "particles", low=1)
        if count > _MOST_PARTICLES:
            raise InputError(f"particles is {count}; give at most {_MOST_PARTICLES}")
        self._threads = job_count(threads, "threads")
        self._draws = generator(whole_number(seed, "seed"), "chase particles").random((count, _MOST_LINKS))

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        count = len(losses)
        starts = start_cells(self.layout, losses.seen_at, np.full(count, _NEAREST), "seen_at")
        away = np.linalg.norm(losses.guard_at - losses.seen_at, axis=1)
        metres = losses.speed * (losses.seconds + self.ahead) + np.where(np.isnan(away), 0.0, away)
        mean, found = np.empty((count, 3)), np.zeros(count, np.int32)

        def run(first: int, last: int) -> None:
            arrays, heading = self.layout.arrays, losses.heading
            run_particles(arrays, first, last, starts, heading, metres, self.momentum, self._draws, mean, found)

        pieces = min(max(count // 4, 1), 8 * self._threads)
        bounds = np.linspace(0, count, pieces + 1).astype(int).tolist()
        if pieces == 1 or self._threads == 1:
            run(0, count)
        else:
            with ThreadPoolExecutor(self._threads) as pool:
                list(pool.map(run, bounds[:-1], bounds[1:]))
        return self.layout.arrays.cell_xyz[found].astype(np.float64), np.zeros(count, np.uint8)


class OmniscientTrail(PlacePredictor):
    """Go to where the target really is in `ahead` seconds: unfair, an upper bound for other predictors."""

    reasons = ("omniscient",)

    def __init__(self, cells: MeshedLayout, *, ahead: float = 3.0):
        super().__init__(cells)
        self.ahead = finite_number(ahead, "ahead", unit="s", low=0.0, high=1e4)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        trails = _require_trails(losses)
        places = [trail.at(seconds + self.ahead) for trail, seconds in zip(trails, losses.seconds.tolist())]
        return np.array(places).reshape(-1, 3), np.zeros(len(losses), np.uint8)


class CrumbTrail:
    """Breadcrumbs that a target drops and a guard follows, oldest first.

    Parameters
    ----------
    spacing : metres between two crumbs.
    most : maximum number of crumbs; the oldest are removed.
    """

    def __init__(self, *, spacing: float = 2.0, most: int = 256):
        self.spacing = finite_number(spacing, "spacing", unit="m", low=0.0, high=1e3, open_low=True)
        self._crumbs: deque[Floats] = deque(maxlen=whole_number(most, "most", low=1))
        self._last: Floats | None = None

    def __len__(self) -> int:
        return len(self._crumbs)

    @property
    def crumbs_xyz(self) -> Floats:
        """(n, 3) float64: the remaining crumbs, oldest first."""
        return np.array(self._crumbs).reshape(-1, 3)

    def drop(self, xyz: Any) -> bool:
        """Drop a crumb at the target's position if the last one is `spacing` away; return whether it was dropped."""
        here = point_xyz(xyz, "xyz")
        if self._last is not None and float(np.linalg.norm(here - self._last)) < self.spacing:
            return False
        self._crumbs.append(here)
        self._last = here
        return True

    def follow(self, xyz: Any, *, reach: float = 1.0) -> Floats | None:
        """Return the crumb a guard at this position goes to next; None: no crumb is left.

        The guard first removes the newest crumb within `reach` metres and all older ones.
        """
        here = point_xyz(xyz, "xyz")
        finite_number(reach, "reach", unit="m", low=0.0, high=1e3)
        near = [number for number, crumb in enumerate(self._crumbs) if float(np.linalg.norm(crumb - here)) <= reach]
        for _ in range(near[-1] + 1 if near else 0):
            self._crumbs.popleft()
        return self._crumbs[0] if self._crumbs else None


class Breadcrumbs(PlacePredictor):
    """Follow crumbs to the newest one: convincing but omniscient; needs `Loss.trail`.

    Parameters
    ----------
    spacing : metres between two crumbs.
    ahead : seconds for which the target keeps dropping crumbs while the guard follows.
    """

    reasons = ("newest_crumb",)

    def __init__(self, cells: MeshedLayout, *, spacing: float = 2.0, ahead: float = 0.0):
        super().__init__(cells)
        self.spacing = finite_number(spacing, "spacing", unit="m", low=0.0, high=1e3, open_low=True)
        self.ahead = finite_number(ahead, "ahead", unit="s", low=0.0, high=1e4)

    def _places(self, losses: Losses) -> tuple[Floats, Array]:
        places = []
        for trail, seconds in zip(_require_trails(losses), losses.seconds.tolist()):
            crumbs = CrumbTrail(spacing=self.spacing)
            until = seconds + self.ahead
            for point in trail.points_xyz[trail.seconds <= until]:
                crumbs.drop(point)
            places.append(crumbs.crumbs_xyz[-1] if len(crumbs) else trail.at(until))
        return np.array(places).reshape(-1, 3), np.zeros(len(losses), np.uint8)


def _require_trails(losses: Losses) -> list[Trail]:
    """Return the trail of every loss, or raise an error that names a loss without one."""
    trails = losses.trails or (None,) * len(losses)
    for number, trail in enumerate(trails):
        if trail is None:
            raise QueryError(f"loss {number} has no trail; omniscient predictors need where the target really went")
    return [trail for trail in trails if trail is not None]
