"""How near shortest walks come to something on their way."""

from __future__ import annotations

import numpy as np

from ..conventions import Array
from .bits import bit
from .cell_arrays import CellArrays
from .jit import jit

__all__ = ["nearest_of_ways"]


@jit
def nearest_of_ways(cells: CellArrays, reached: Array, metres: Array, here: Array, near: Array) -> None:
    """Fill `near` at the cells reached: the least of `here` over the cells of the shortest walk to each.

    Parameters
    ----------
    reached : (n,) int32, cells by walking distance from one source, nearest first.
    metres : (N,) float64, that distance of every cell.
    here : (n,) float64, what holds of each cell reached, in the same order.
    near : (N,) float64, NaN where a cell was not reached yet; written.

    Notes
    -----
    Of equally short walks the one counts that stays farthest away: one would take it.
    """
    one = np.uint64(1)
    for position in range(np.uint64(len(reached))):
        cell = np.uint64(reached[position])
        # What came in so far is the best of the walks up to here.
        near[cell] = here[position] if np.isnan(near[cell]) else min(near[cell], here[position])
        for link in range(np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + one])):
            other = np.uint64(cells.link_cell[link])
            if metres[cell] + np.float64(cells.link_length[link]) != metres[other]:
                continue
            if bit(cells.blocked, link) or bit(cells.disabled, other):
                continue
            if np.isnan(near[other]) or near[cell] > near[other]:
                near[other] = near[cell]
