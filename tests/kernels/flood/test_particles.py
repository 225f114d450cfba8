"""Particles run as a plain loop over links lets them run."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.kernels.flood.particles import run_particles
from specimens.cells import passable, tile_layout, two_storeys


@cache
def layout_of(name: str) -> CellLayout:
    return build_layout(two_storeys()) if name == "storeys" else tile_layout(passable("......\n.##...\n....#.\n......"))


def links(arrays, cell: int) -> list[tuple[int, float]]:
    """Return the neighbours of a cell and the lengths of the links."""
    return [
        (int(arrays.link_cell[n]), float(arrays.link_length[n]))
        for n in range(int(arrays.link_start[cell]), int(arrays.link_start[cell + 1]))
    ]


def onward(arrays, closed: set[int], cell: int, heading: tuple[float, float], momentum: float, draw: float):
    chances = []
    for other, metres in links(arrays, cell):
        step = arrays.cell_xyz[other, :2].astype(float) - arrays.cell_xyz[cell, :2]
        length = math.hypot(*step)
        straight = float(step @ heading) / length if length else 0.0
        chances.append(0.0 if other in closed else math.exp(momentum * straight) / metres)
    left = draw * sum(chances)
    for (other, metres), chance in zip(links(arrays, cell), chances):
        left -= chance
        if chance and left < 0.0:
            return other, metres
    return None


def run(arrays, closed: set[int], start: int, heading, metres: float, momentum: float, draws) -> int:
    cell, (x, y) = start, heading
    for draw in draws:
        found = onward(arrays, closed, cell, (x, y), momentum, draw)
        if found is None or metres < 0.5 * found[1]:
            break
        step = arrays.cell_xyz[found[0], :2].astype(float) - arrays.cell_xyz[cell, :2]
        if math.hypot(*step):
            x, y = 0.5 * np.array([x, y]) + 0.5 * step / math.hypot(*step)
            x, y = (x / math.hypot(x, y), y / math.hypot(x, y)) if math.hypot(x, y) else (x, y)
        cell, metres = found[0], metres - found[1]
    return cell


@pytest.mark.parametrize("seed", range(8))
@pytest.mark.parametrize("name", ["hall", "storeys"])
def test_particles_end_where_a_plain_loop_ends(name, seed):
    layout, random = layout_of(name), np.random.default_rng(seed)
    arrays = layout.arrays._replace(disabled=layout.arrays.disabled.copy())
    for cell in random.integers(len(layout), size=3).tolist() if seed % 2 else ():
        arrays.disabled[cell >> 3] |= 1 << (cell & 7)
    closed = set(np.flatnonzero(np.unpackbits(arrays.disabled, bitorder="little")[: len(layout)]).tolist())
    starts = np.array([cell for cell in random.integers(len(layout), size=4).tolist() if cell not in closed])
    angle = random.uniform(0.0, 2.0 * math.pi, len(starts))
    headings, metres = np.column_stack([np.cos(angle), np.sin(angle)]), random.uniform(0.0, 6.0, len(starts))
    draws, momentum = random.random((7, 5)), float(random.uniform(0.0, 3.0))
    mean, found = np.full((len(starts), 3), np.nan), np.zeros(len(starts), np.int32)
    run_particles(arrays, 0, len(starts), starts, headings, metres, momentum, draws, mean, found)
    for n, start in enumerate(starts.tolist()):
        ends = [run(arrays, closed, start, headings[n], metres[n], momentum, each) for each in draws]
        middle = arrays.cell_xyz[ends].astype(float).mean(axis=0)
        assert mean[n] == pytest.approx(middle, abs=1e-5)
        away = {cell: math.dist(arrays.cell_xyz[cell].astype(float), mean[n]) for cell in ends}
        assert found[n] in away
        assert away[int(found[n])] == pytest.approx(min(away.values()), abs=1e-5)


def test_a_range_of_starts_leaves_the_others_alone():
    arrays = layout_of("hall").arrays
    mean, found = np.full((3, 3), np.nan), np.full(3, -7, np.int32)
    heading = np.tile([1.0, 0.0], (3, 1))
    run_particles(arrays, 1, 2, np.array([0, 0, 0]), heading, np.zeros(3), 1.0, np.zeros((2, 4)), mean, found)
    assert found.tolist() == [-7, 0, -7]
    assert np.isnan(mean[[0, 2]]).all()
    assert mean[1].tolist() == arrays.cell_xyz[0].tolist()
