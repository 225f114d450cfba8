"""Two states of one level, such as now and then: the same floor plan drawn twice, and the way from one to the other."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from ...cells.layout import CellLayout
from ...cells.query import nearest_cells
from ...conventions import Array, Bools, Floats, Ids
from ...level.features import Zone

_HEADROOM = 2.0
"""Metres above the highest floor of a state that still belong to it."""
_SAME_SIZE = 1e-6


@dataclass(frozen=True, eq=False)
class LevelStates:
    """The two states of a level; nothing writes it during a run.

    Attributes
    ----------
    names : of the states, which are those of their zones.
    low, high : (2, 3) metres, the box around the zones of each state.
    twin : (cells,) int32, the cell at the same place in the other state; -1: there is none.
    """

    names: tuple[str, str]
    low: Floats
    high: Floats
    twin: Ids

    def holds(self, places: Floats) -> Bools:
        """Return which states each place (n, 3) is in, (n, 2)."""
        inside = (places[:, None] >= self.low) & (places[:, None] <= self.high)
        return np.asarray(inside.all(axis=2))

    def other_side(self, xyz: Sequence[float]) -> tuple[str, tuple[float, float, float]] | None:
        """Return the other state, and the same place in it; None outside both."""
        inside = self.holds(np.array([xyz]))[0].tolist()
        if not any(inside):
            return None
        here = inside.index(True)
        x, y, z = (np.array(xyz) - self.low[here] + self.low[1 - here]).tolist()
        return self.names[1 - here], (x, y, z)


def boxes_of(zones: Sequence[Zone], names: Sequence[str]) -> tuple[Array, Array]:
    """Return the lowest and highest corners of the boxes around the zones of each name, (n, 3) each."""
    low, high = np.zeros((len(names), 3)), np.zeros((len(names), 3))
    for number, name in enumerate(names):
        own = [zone for zone in zones if zone.name == name]
        corners = np.concatenate([zone.outline_xy for zone in own])
        heights = [zone.z for zone in own]
        low[number] = *corners.min(axis=0), min(heights)
        high[number] = *corners.max(axis=0), max(heights)
    return low, high


def are_alike(low: Array, high: Array) -> tuple[bool, bool]:
    """Return whether the boxes of two states have the same size, and whether they lie apart."""
    alike = np.allclose(high[0] - low[0], high[1] - low[1], atol=_SAME_SIZE)
    top = high + np.array([0.0, 0.0, _HEADROOM])
    return bool(alike), bool((low[0] >= top[1]).any() or (low[1] >= top[0]).any())


def level_states(zones: Sequence[Zone], names: tuple[str, str], layout: CellLayout) -> LevelStates:
    """Return the states of a level, which are the areas of its zones with these names."""
    low, high = boxes_of(zones, names)
    margin = np.array([[0.0, 0.0, 0.5], [0.0, 0.0, _HEADROOM]])
    made = LevelStates(names, low - margin[0], high + margin[1], np.full(len(layout), -1, np.int32))
    places = layout.arrays.cell_xyz.astype(np.float64)
    for here, inside in enumerate(made.holds(places).T):
        moved = places[inside] - low[here] + low[1 - here]
        made.twin[inside] = nearest_cells(layout, moved, float(layout.arrays.size_xyz[0]) / 2.0)
    return made
