"""Cleaning on several threads: each looks for some searchers, then one removes what all have seen, in order."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import NamedTuple

import numpy as np

from ....conventions import Array, Floats, Ids
from ....kernels.arrays.level_arrays import CellArrays, MeshArrays
from ....kernels.search.search_inspection import LINES, Lines, clean_shapes
from ....kernels.search.search_wave import IS_REGROWING, REGROWING, TICK, Spreading, WaveArrays

ENDLESS = 2**62
"""More lines of sight than any search needs: no budget."""
MOST_THREADS = 64


def line_arrays() -> Lines:
    """Return buffers for straight lines on the mesh."""
    return Lines(
        cell=np.zeros(LINES, np.uint32),
        starts=np.zeros((LINES, 3)),
        ends=np.zeros((LINES, 3)),
        face=np.zeros(LINES, np.int32),
        outcome=np.zeros(LINES, np.uint8),
        point=np.zeros((LINES, 3)),
        fraction=np.zeros(LINES),
        normal=np.zeros((LINES, 2)),
        stopped=np.zeros(LINES, np.int32),
    )


class Views(NamedTuple):
    """What searchers look at; see the parameters of the kernel `clean_shapes`."""

    feet: Floats
    shapes: Floats
    reach_z: float
    needs_line: bool
    tolerance: Array


class Lookers:
    """Threads that find the cells which searchers see, on copies of the influence that they may change.

    The kernel that cleans is the one of a single thread; on a copy it lists what it wiped. The lists of all threads,
    one after another, are what a single thread wipes, in its order; cells that several searchers see come more than
    once, and only the first counts.
    """

    def __init__(self, wave: WaveArrays, threads: int):
        count = len(wave.byte)
        self._pool = ThreadPoolExecutor(threads - 1, thread_name_prefix="search")
        self._lines = [line_arrays() for _ in range(threads)]
        # Only what the kernel writes is copied; the rest is shared and read.
        self._copies = [
            wave._replace(
                byte=np.zeros(count, np.uint8),
                state=np.zeros(count, np.uint8),
                cleaned=np.zeros(count, np.uint32),
                regrowing=np.zeros(count, np.uint32),
                count=wave.count.copy(),
            )
            for _ in range(threads)
        ]

    def seen(self, mesh: MeshArrays, cells: CellArrays, wave: WaveArrays, views: Views, rule: Spreading) -> Ids:
        """Return the cells that searchers see, in the order in which one thread would clean them."""
        bounds = np.linspace(0, len(views.feet), min(len(self._lines), len(views.feet)) + 1).astype(int).tolist()

        def look(number: int) -> Ids:
            part = slice(bounds[number], bounds[number + 1])
            own = views._replace(feet=views.feet[part], shapes=views.shapes[part])
            return self._look(number, mesh, cells, wave, own, rule)

        others = [self._pool.submit(look, number) for number in range(1, len(bounds) - 1)]
        return np.concatenate([look(0), *(one.result() for one in others)])

    def _look(
        self, number: int, mesh: MeshArrays, cells: CellArrays, wave: WaveArrays, views: Views, rule: Spreading
    ) -> Ids:
        own = self._copies[number]
        own.byte[:] = wave.byte
        np.bitwise_and(wave.state, np.uint8(0xFF ^ IS_REGROWING), out=own.state)
        own.count[:] = wave.count
        own.count[REGROWING] = 0
        if rule.hold:
            own.cleaned[:] = 0
        # Without bleeding and with regrowth, every cell that is wiped is listed and nothing else changes.
        listing, cursor = rule._replace(bleed=False), np.zeros(2, np.int64)
        clean_shapes(mesh, cells, own, self._lines[number], *views, listing, True, 0.0, cursor, ENDLESS)
        wiped = own.regrowing[: own.count[REGROWING]]
        if not rule.hold:
            return wiped
        # Cells that hold nothing yet are only marked as looked at; the others are wiped already when they come again.
        return np.concatenate([wiped, np.flatnonzero(own.cleaned == own.count[TICK])])
