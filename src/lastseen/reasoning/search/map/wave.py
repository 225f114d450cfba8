"""The wave of a search map: its work arrays, timing and pace, and how it passes doors that open."""

from __future__ import annotations

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import read_only
from ....conventions import Array, Floats, Ids
from ....kernels.arrays.level_arrays import CellArrays
from ....kernels.search.search_inspection import clean_cells, clean_shapes
from ....kernels.search.search_wave import (
    BEHIND,
    BUCKET,
    FLAG,
    TICK,
    TOUCHED,
    VALUE,
    Spreading,
    WaveArrays,
    forget_wave,
    regrow,
    run_wave,
    start_wave,
)
from ....layers.layer import enabled_cells
from ....layers.spread import Spread
from ....navmesh.query import find_paths
from ..search_settings import SearchSettings
from .threads import ENDLESS, Lookers, Views, line_arrays

_TOUCH = 1e-6
"""Metres of tolerance, so that rounding of summed steps does not delay a cell."""
_STARTS, _GOALS = 8, 32
_NEAREST = 3.0
"""Metres; nearer goals depend more on the position within a cell than on the path."""


class Wave:
    """A wave over the bytes of a layer; its input is already checked.

    Attributes
    ----------
    work : arrays for kernels.
    seconds, metres : time since the search began, and how far along links a wave of that age should have gone.
    """

    def __init__(self, cells: MeshedLayout, settings: SearchSettings, values: Array, threads: int = 1):
        self.layout = cells
        self.settings = settings
        self.work = wave_arrays(cells, values)
        self._lines = line_arrays()
        self._lookers = Lookers(self.work, threads) if threads > 1 else None
        self._stretch = mean_stretch(cells) if settings.pace == "shortest" else 1.0
        self._comes_back = settings.returns == "regenerate"
        # Rounded down, so that it never exceeds the threshold; the tolerance keeps 13/127 of 127 at 13.
        self._top = int(settings.threshold * VALUE + 1e-9)
        self._rule = Spreading(
            fade=settings.fade * VALUE,
            diagonals=settings.diagonals,
            hold=settings.watched == "hold" or settings.returns == "bleed",
            bleed=settings.returns == "bleed",
        )
        self._cuts = getattr(cells, "cuts", ())
        self._barred = cells.arrays.blocked.copy(), cells.arrays.disabled.copy()
        self._pending: list[tuple[float, int, Ids, Array]] = []
        self.begin()

    def begin(self) -> None:
        """Begin a search without influence, at time 0."""
        self.forget()
        self.seconds = self.metres = self._units = 0.0
        self._number = 0

    def forget(self) -> None:
        """Remove all influence; time continues."""
        forget_wave(self.work)
        self._pending.clear()
        self._born, self._strength = -np.inf, 0.0

    @property
    def behind(self) -> float:
        """Metres by which the wave is behind schedule."""
        if not self._pending and not self.work.count[BEHIND]:
            return 0.0
        return max(self.metres - float(self.work.count[BUCKET]) * float(self.work.width[0]), 0.0)

    def cells_with(self, bits: int) -> Ids:
        """Return the cells whose byte has any of these bits, ascending."""
        touched = self.work.touched[: self.work.count[TOUCHED]]
        return read_only(np.sort(touched[self.work.byte[touched] & bits != 0]).astype(np.int32))

    def weaken(self, share: float) -> None:
        """Multiply all influence, and the strength of what still spreads, by a share; none falls to 0."""
        cells = self.work.touched[: self.work.count[TOUCHED]]
        byte = self.work.byte[cells]
        value = np.maximum(np.rint((byte & VALUE) * share), byte & VALUE > 0)
        self.work.byte[cells] = (byte & FLAG) | value.astype(np.uint8)
        self.work.strength[cells] = np.maximum(self.work.strength[cells] * share, self.work.strength[cells] > 0)
        self._pending = [
            (metres, number, ids, np.maximum(strength * share, 1.0)) for metres, number, ids, strength in self._pending
        ]
        self._born = -np.inf  # later seeds belong to a new wave

    def seed(self, cells: Ids, strength: Array) -> None:
        """Start a wave at cells (n,) with strengths (n,), 0 … 127; those below a half are ignored."""
        for one in sorted({one for one in strength.tolist() if one >= 0.5}):
            alike = strength == one
            self._pend(cells[alike], strength[alike])
        # Seeds show at once unless the wave is behind; they spread with time.
        self._run(0 if self.work.count[BEHIND] else len(cells) + 1)

    def advance(self, seconds: float, metres: float, budget: int) -> None:
        """Advance by `metres` over at most `budget` cells, and regenerate cleaned cells."""
        self._follow_doors()
        self.seconds += seconds
        self.metres += metres * self._stretch
        self.work.count[TICK] += 1
        self._run(budget)
        if self._comes_back:
            before = int(self._units)
            self._units += seconds * self.settings.regeneration * VALUE
            if int(self._units) > before:
                regrow(self.work, int(self._units) - before, self._top)

    def clean(self, ids: Ids, *, spots: bool) -> int:
        """Clean cells, those of search spots only with `spots`; return how many had influence."""
        front = self._front()
        return int(clean_cells(self.layout.arrays, self.work, ids, self._rule, self._comes_back, front, spots))

    def clean_shapes(
        self, feet: Floats, shapes: Floats, reach_z: float, needs_line: bool, cursor: Array, budget: int
    ) -> int:
        """Clean the cells in a convex shape of each searcher; see the kernel."""
        if cursor[0] >= len(feet):
            cursor[:] = 0
        cells, mesh = self.layout.arrays, self.layout.mesh
        body = np.array([mesh.body.height, mesh.body.climb])
        views = Views(feet, shapes, reach_z, needs_line, body)
        if self._lookers is not None and len(feet) > 1 and budget == ENDLESS and not cursor.any():
            return self.clean(self._lookers.seen(mesh.arrays, cells, self.work, views, self._rule), spots=False)
        rest = (*views, self._rule, self._comes_back, self._front(), cursor, budget)
        return int(clean_shapes(mesh.arrays, cells, self.work, self._lines, *rest))

    def _pend(self, cells: Ids, strength: Array) -> None:
        """Queue cells of one strength for the current wave if it has that strength, else for a new one."""
        if self.seconds - self._born > self.settings.gather or self._strength != float(strength[0]):
            self._number += 1
            self._born, self._strength = self.seconds, float(strength[0])
        self._pending.append((self.metres, self._number, cells, strength))

    def _run(self, budget: int) -> None:
        """Advance the wave to where it should be, with seeds joining when they are due."""
        cells = self.layout.arrays
        while True:
            goal = self._pending[0][0] if self._pending else self.metres
            budget -= run_wave(cells, self.work, goal + _TOUCH, budget, self._rule)
            if self.work.count[BEHIND] or not self._pending:
                return
            metres, number, ids, strength = self._pending.pop(0)
            start_wave(cells, self.work, ids, strength, number, metres)

    def _front(self) -> float:
        """Return the metres the wave has really gone: cells queued now must be within one turn of the buckets."""
        return self.metres - self.behind

    def _follow_doors(self) -> None:
        """Let the wave pass where cuts were lifted since the last step."""
        cuts = getattr(self.layout, "cuts", ())
        if cuts == self._cuts:
            return
        self._cuts = cuts
        arrays = self.layout.arrays
        again = opened_links(arrays, *self._barred)
        self._barred = arrays.blocked.copy(), arrays.disabled.copy()
        strength = (self.work.byte[again] & VALUE).astype(np.float32)
        for one in np.unique(strength[strength > 0.0]):
            self._pend(again[strength == one], strength[strength == one])


def wave_arrays(cells: MeshedLayout, values: Array) -> WaveArrays:
    """Return the arrays of a wave that has not started, over the int8 values of a layer."""
    count = len(values)
    length = cells.arrays.link_length
    longest = float(length.max(initial=0.0)) or 1.0
    # Narrower than the shortest link, so that cells of a bucket never spread into the same bucket.
    width = min(0.999 * float(length.min(initial=longest)), longest / 16.0)
    turn = 1 << int(longest / width + 4.0).bit_length()
    return WaveArrays(
        byte=values.view(np.uint8),
        state=np.zeros(count, np.uint8),
        due=np.full(count, np.inf),
        wave=np.zeros(count, np.uint32),
        strength=np.zeros(count, np.float32),
        source=np.zeros(count, np.uint32),
        following=np.zeros(count, np.uint32),
        previous=np.zeros(count, np.uint32),
        bucket=np.zeros(turn, np.uint32),
        touched=np.zeros(count, np.uint32),
        regrowing=np.zeros(count, np.uint32),
        cleaned=np.zeros(count, np.uint32),
        # Steps are counted from 2, so that no cell was cleaned in the step before the first.
        count=np.array([0, 0, 0, 0, 0, 2], np.int64),
        width=np.array([width, 1.0 / width]),
    )


def opened_links(cells: CellArrays, blocked: Array, disabled: Array) -> Ids:
    """Return the cells with a link that was barred by the old bits and is open in `cells`, ascending."""
    links = _set_bits(blocked & ~cells.blocked)
    start = cells.link_start.astype(np.int64)
    from_links = np.searchsorted(start, links, side="right") - 1
    freed = _set_bits(disabled & ~cells.disabled)
    counts = start[freed + 1] - start[freed]
    # For a cell that was disabled, take its neighbours: all links except drops go both ways.
    ends = np.cumsum(counts)
    inner = np.arange(ends[-1] if len(ends) else 0) + np.repeat(start[freed] - (ends - counts), counts)
    return np.unique(np.concatenate([from_links, cells.link_cell[inner].astype(np.int64)])).astype(np.int32)


def _set_bits(field: Array) -> Array:
    """Return the numbers of the bits that are set."""
    changed = np.flatnonzero(field)
    bits = np.unpackbits(field[changed], bitorder="little").reshape(-1, 8)
    row, column = np.nonzero(bits)
    return changed[row] * 8 + column


def mean_stretch(cells: MeshedLayout) -> float:
    """Return the mean ratio of the metres along links to the shortest path, over paths across the map; at least 1."""
    ids = np.flatnonzero(enabled_cells(cells))
    walk, where = Spread(cells), cells.arrays.cell_xyz.astype(np.float64)
    ratios = []
    for start in ids[((np.arange(_STARTS) + 0.5) / _STARTS * len(ids)).astype(np.int64)] if len(ids) else ids:
        reached = walk.distances([start])
        far = np.flatnonzero(reached.metres >= _NEAREST)
        if len(far):
            far = far[((np.arange(_GOALS) + 0.5) / _GOALS * len(far)).astype(np.int64)]
            goals = where[reached.cells[far]]
            paths = find_paths(cells.mesh, np.broadcast_to(where[start], goals.shape).copy(), goals)
            valid = paths.reached & (paths.length > 0.0)
            ratios.append(reached.metres[far][valid] / paths.length[valid])
    return max(float(np.mean(np.concatenate(ratios))), 1.0) if ratios else 1.0
