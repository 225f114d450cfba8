"""Particles that run along cells with momentum: a crowd of guesses where a runner went."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.bits import bit
from ..arrays.level_arrays import CellArrays
from ..jit import jit


@jit
def _onward(cells: CellArrays, cell: np.uint64, x: float, y: float, momentum: float, draw: float, chance: Array) -> int:
    """Return the link taken by a particle that moves along the unit vector (x, y); -1: there is none."""
    first, last = np.uint64(cells.link_start[cell]), np.uint64(cells.link_start[cell + np.uint64(1)])
    total, count = 0.0, min(np.int64(last - first), len(chance))
    for k in range(count):
        link = first + np.uint64(k)
        other = np.uint64(cells.link_cell[link])
        chance[k] = 0.0
        if bit(cells.blocked, link) or bit(cells.disabled, other):
            continue
        dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[cell, 0])
        dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[cell, 1])
        length = np.sqrt(dx * dx + dy * dy)
        straight = (dx * x + dy * y) / length if length > 0.0 else 0.0
        # Per metre of the link, to offset the greater length of diagonals.
        chance[k] = np.exp(momentum * straight) / cells.link_length[link]
        total += chance[k]
    if total == 0.0:
        return -1
    left = draw * total
    chosen = np.int64(-1)
    for k in range(count):
        if chance[k] > 0.0:
            chosen = np.int64(first) + k
            left -= chance[k]
            if left < 0.0:
                break
    return chosen


@jit
def run_particles(
    cells: CellArrays,
    first: int,
    last: int,
    starts: Array,
    headings: Array,
    metres: Array,
    momentum: float,
    draws: Array,
    mean: Array,
    found: Array,
) -> None:
    """Let particles run `metres[n]` from each start; fill the mean of their ends and the end cell nearest to it.

    `draws` (P, S) in 0 … 1: one row per particle and one column per link taken, shared by all starts.
    """
    particles, most = draws.shape
    ends = np.empty(particles, np.uint32)
    chance = np.empty(64)
    for n in range(first, last):
        x_sum, y_sum, z_sum = 0.0, 0.0, 0.0
        for p in range(particles):
            cell = np.uint64(starts[n])
            x, y = headings[n, 0], headings[n, 1]
            left = metres[n]
            for s in range(most):
                link = _onward(cells, cell, x, y, momentum, draws[p, s], chance)
                if link < 0:
                    break
                length = np.float64(cells.link_length[np.uint64(link)])
                if left < 0.5 * length:
                    break
                other = np.uint64(cells.link_cell[np.uint64(link)])
                dx = np.float64(cells.cell_xyz[other, 0]) - np.float64(cells.cell_xyz[cell, 0])
                dy = np.float64(cells.cell_xyz[other, 1]) - np.float64(cells.cell_xyz[cell, 1])
                flat = np.sqrt(dx * dx + dy * dy)
                if flat > 0.0:
                    # Smooth the direction over a few links; otherwise the eight directions would make particles zigzag.
                    x, y = 0.5 * x + 0.5 * dx / flat, 0.5 * y + 0.5 * dy / flat
                    norm = np.sqrt(x * x + y * y)
                    if norm > 0.0:
                        x, y = x / norm, y / norm
                cell = other
                left -= length
            ends[p] = cell
            x_sum += cells.cell_xyz[cell, 0]
            y_sum += cells.cell_xyz[cell, 1]
            z_sum += cells.cell_xyz[cell, 2]
        mean[n, 0], mean[n, 1], mean[n, 2] = x_sum / particles, y_sum / particles, z_sum / particles
        least = np.inf
        for p in range(particles):
            cell = np.uint64(ends[p])
            away = 0.0
            for axis in range(3):
                away += (np.float64(cells.cell_xyz[cell, axis]) - mean[n, axis]) ** 2
            if away < least or (away == least and np.int64(cell) < found[n]):
                least = away
                found[n] = cell
