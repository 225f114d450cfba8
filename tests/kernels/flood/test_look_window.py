"""Looks by rows of bits count the cells that looks from cell to cell find."""

import numpy as np
import pytest

from lastseen.kernels.flood.cell_sight import is_marked, look_from, mark, unmark
from lastseen.kernels.flood.heat_flood import CLOSED
from lastseen.kernels.flood.look_window import look_in_window, open_window
from lastseen.reasoning.chase.flood.workspace import Workspace
from specimens.chase import cells_of, with_bits


def opened(layout, here, reach, distance, least=-1):
    space = Workspace(layout.arrays)
    unmark(space.sight, 1)
    return space, open_window(layout.arrays, space.flood, space.sight, here, reach, distance, least)


def test_a_corridor_is_seen_as_far_as_asked_and_what_was_seen_counts_no_longer():
    layout = cells_of("." * 30)
    space, fits = opened(layout, 12, 2.0, 5.0)
    assert fits
    assert look_in_window(layout.arrays, space.sight, 12, 5.0, True) == 11
    assert look_in_window(layout.arrays, space.sight, 12, 5.0, False) == 0
    assert look_in_window(layout.arrays, space.sight, 14, 5.0, False) == 2
    marked = [cell for cell in range(30) if is_marked(space.sight, 1, cell)]
    assert marked == list(range(7, 18))


def test_cells_that_are_too_far_for_a_window_do_not_fit():
    layout = cells_of("." * 30)
    assert not opened(layout, 12, 2.0, 23.5)[1]
    assert not opened(layout, 12, 10.0, 5.0)[1]


@pytest.mark.parametrize("seed", range(6))
@pytest.mark.parametrize("distance", [3.0, 10.0, 13.7])
def test_counts_are_those_of_looks_from_cell_to_cell(seed, distance):
    random = np.random.default_rng(seed)
    lines = random.choice([".", "#"], (28, 33), p=[0.85, 0.15])
    layout = cells_of("\n".join("".join(line) for line in lines))
    count, links = len(layout), len(layout.arrays.link_cell)
    layout = with_bits(layout, random.integers(0, count, 20), random.integers(0, links, 200))
    for here in random.integers(0, count, 3).tolist():
        for least in (-1, 3):
            space = Workspace(layout.arrays)
            sight, state = space.sight, space.flood.state
            unmark(sight, 1)
            state[:] = random.integers(-2, 9, count)
            counts = state != CLOSED
            for cell in random.integers(0, count, 60).tolist():
                mark(sight, 1, cell)
                counts[cell] = False
            counts &= state >= least if least >= 0 else True
            assert open_window(layout.arrays, space.flood, sight, here, 2.0, distance, least)
            away = np.hypot(*(layout.arrays.cell_xyz - layout.arrays.cell_xyz[here])[:, :2].T)
            disabled = np.unpackbits(layout.arrays.disabled, bitorder="little")[:count] == 1
            near = np.flatnonzero((away <= 2.0) & ~disabled)
            for cell in near.tolist():
                seen = sight.found[0, : look_from(layout.arrays, sight, cell, distance)]
                assert look_in_window(layout.arrays, sight, cell, distance, False) == counts[seen].sum()
            first = sight.found[0, : look_from(layout.arrays, sight, near[0], distance)].copy()
            look_in_window(layout.arrays, sight, near[0], distance, True)
            assert all(is_marked(sight, 1, cell) for cell in first.tolist())
            counts[first] = False
            for cell in near.tolist():
                seen = sight.found[0, : look_from(layout.arrays, sight, cell, distance)]
                assert look_in_window(layout.arrays, sight, cell, distance, False) == counts[seen].sum()
