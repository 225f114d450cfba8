"""Thousands of floods in one call: shared out over threads, each with work arrays of its own."""

from __future__ import annotations

import os
from concurrent.futures import ThreadPoolExecutor

import numpy as np

from ...conventions import Array
from ...kernels.heat_flood import RUNNING
from ...kernels.heat_result import flood_many
from .cases import Cases, MeshedLayout, on_floor
from .prediction import REASONS, Floods
from .workspace import Workspaces

__all__ = ["available_threads", "flood_all"]

UNBOUNDED = 2**62
_CHUNK = 64
"""Fewest floods worth a thread of their own: about half a millisecond."""


def available_threads() -> int:
    """How many threads may this process run at once?"""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def flood_all(layout: MeshedLayout, workspaces: Workspaces, cases: Cases, worth: Array, threads: int) -> Floods:
    """Run all cases to their end."""
    count = len(cases)
    reason, mean = np.full(count, RUNNING, np.uint8), np.empty((count, 3))
    numbers = np.zeros((count, 8), np.int32)

    def run(first: int, last: int) -> None:
        work = workspaces.lend()
        flood_many(
            layout.arrays,
            work,
            cases.rules,
            first,
            last,
            UNBOUNDED,
            cases.starts,
            cases.headings,
            worth,
            reason,
            mean,
            numbers,
        )
        workspaces.take_back(work)

    # A few chunks per thread even out floods of unlike size.
    pieces = min(max(count // _CHUNK, 1), 8 * threads)
    bounds = np.linspace(0, count, pieces + 1).astype(int).tolist()
    if threads == 1 or pieces == 1:
        run(0, count)
    else:
        with ThreadPoolExecutor(threads) as pool:
            list(pool.map(run, bounds[:-1], bounds[1:]))
    return summary(layout, cases, reason, mean, numbers)


def summary(layout: MeshedLayout, cases: Cases, reason: Array, mean: Array, numbers: Array) -> Floods:
    """Put what kernels report of each flood into a result."""
    inside = numbers[:, 0] >= 0
    cell = np.where(inside, numbers[:, 0], -2 - numbers[:, 0]).astype(np.int32)
    floods = Floods(
        destination=on_floor(layout, mean, cell, inside),
        cell=cell,
        reason=reason,
        reasons=REASONS,
        start=cases.starts,
        steps=numbers[:, 1].copy(),
        heated=numbers[:, 2].copy(),
        last_heated=numbers[:, 3].copy(),
        warm=numbers[:, 4].copy(),
        barrier=numbers[:, 5].copy(),
        closed=numbers[:, 6].copy(),
        moved=numbers[:, 7].copy(),
        fell_back=np.zeros(len(cases), np.int32),
        mean=mean,
        in_warm=inside,
        has_barrier=cases.headings.any(axis=1),
    )
    for array in vars(floods).values():
        if isinstance(array, np.ndarray):
            array.setflags(write=False)
    return floods
