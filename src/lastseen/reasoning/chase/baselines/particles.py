"""A particle filter: a crowd of runners that keep their momentum; go to the middle of where they would be by now."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ....cells.meshed_layout import MeshedLayout, start_cells
from ....checks import finite_number, job_count, whole_number
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.flood.particles import run_particles
from ....rng import generator
from ..losses import Losses
from .positions import NEAREST, PlacePredictor

_MOST_LINKS = 128
_MOST_PARTICLES = 100_000


class ParticleFilter(PlacePredictor):
    """Particles run from where the target was seen for the time the guard needs to get there, and `ahead` more.

    A particle runs along 128 links at most, however much time it has.

    Parameters
    ----------
    particles : 1 … 100,000, how many; a thousand of them take 1 MB.
    ahead : seconds beyond the guard's arrival where the target was seen.
    momentum : how much a straight way is preferred: a link straight on is exp(2 · momentum) times as likely as back.
    seed : same seed, same answer; every loss meets the same crowd, so an answer does not depend on the others.
    threads : None: all cores.
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
        starts = start_cells(self.layout, losses.seen_at, np.full(count, NEAREST), "seen_at")
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
