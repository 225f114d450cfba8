"""Looks: how much influence a look from a place would remove, which way most of it lies, and where to look next."""

from __future__ import annotations

import math

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....cells.query import cells_at, nearest_cells
from ....conventions import NOWHERE, Array, Floats, Ids
from ....kernels.search.search_gain import BEARINGS, GainRules, gain_at, list_view, score_gains, unseen_bearings
from ....kernels.search.search_wave import WaveArrays
from ....layers.spread import Reached
from ...look_arrays import empty_sight

_HALF_VIEW = 2
"""Bins to each side of a direction that are in view when looking that way: 75° in all."""
_IN_VIEW = (np.arange(BEARINGS) - np.arange(-_HALF_VIEW, _HALF_VIEW + 1)[:, None]) % BEARINGS


class Looks:
    """Looks at the influence of one map; its work arrays make it a thing for one thread."""

    def __init__(self, cells: MeshedLayout, wave: WaveArrays):
        self._cells, self._wave = cells, wave
        self._sight = empty_sight(len(cells.arrays.cell_grid))
        self._weights = np.zeros(BEARINGS)
        size = cells.arrays.size_xyz
        self.area = float(size[0] * size[1])

    def cell_of(self, place: Floats) -> int:
        """Return the cell at a place, or nearest to it; -1: there is none."""
        found = cells_at(self._cells, place[None])
        if found[0] < 0:
            found = nearest_cells(self._cells, place[None])
        return int(found[0])

    def gain(self, place: Floats, rules: GainRules) -> float:
        """Return the squared influence that a look around at a place removes, in m²."""
        cell = self.cell_of(place)
        return float(gain_at(self._cells.arrays, self._wave, self._sight, cell, rules)) if cell >= 0 else 0.0

    def seen(self, place: Floats, rules: GainRules) -> Ids:
        """Return the cells that a look around at a place shows, that of the place first."""
        cell = self.cell_of(place)
        if cell < 0:
            return np.zeros(0, np.int32)
        count = list_view(self._cells.arrays, self._sight, cell, rules.far)
        return self._sight.found[0, :count].astype(np.int32)

    def direction(self, place: Floats, view: float, heading: float, most: float) -> tuple[float, float]:
        """Return the direction within `most` radians of `heading` in which most influence lies, and how much, in m².

        Of directions as good as the heading, the heading is returned.
        """
        cell = self.cell_of(place)
        if (
            cell < 0
            or unseen_bearings(self._cells.arrays, self._wave, self._sight, cell, place, view, self._weights) <= 0
        ):
            return heading, 0.0
        ways = 2.0 * math.pi / BEARINGS * np.arange(BEARINGS)
        inside: Floats = self._weights[_IN_VIEW].sum(axis=0)
        turned = np.abs((ways - heading + math.pi) % (2.0 * math.pi) - math.pi)
        # A small price of turning, so that equal directions do not alternate.
        worth = np.where(turned <= most, inside * (1.0 - 0.1 * turned), -1.0)
        best = int(np.argmax(worth))
        if worth[best] <= 0.0:
            return heading, 0.0
        return float(ways[best]), float(inside[best]) * self.area

    def best(
        self,
        place: Floats,
        reached: Reached,
        others: Floats,
        rules: GainRules,
        looks: int,
        rows: tuple[Array, Array, Array, Array],
    ) -> tuple[int, int]:
        """Fill `rows` (cells, scores, terms, metres) with the best destinations; see the kernel."""
        return score_gains(
            self._cells.arrays,
            self._wave,
            self._sight,
            self.cell_of(place),
            reached.cells,
            reached.metres,
            self._goals(others),
            others,
            rules,
            looks,
            *rows,
        )

    def _goals(self, others: Floats) -> Ids:
        if not len(others):
            return np.zeros(0, np.int32)
        found = cells_at(self._cells, others).copy()
        if (found == NOWHERE).any():
            found[found == NOWHERE] = nearest_cells(self._cells, others[found == NOWHERE])
        return found
