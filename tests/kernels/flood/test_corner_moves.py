"""Destinations before a corner move around it, as asked of every cell in plain Python."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings
from oracles.chase import neighbours_of, plain_corner
from specimens.chase import cells_of

WINDING = """
    #####################
    #...#......#....#...#
    #...#.####.#.##.#.#.#
    #.....#..#...##...#.#
    #.###.#..#####..###.#
    #...#......#....#...#
    ###.#.####.#.####.###
    #...#.#..........#..#
    #.###.#.####.###.##.#
    #.....#....#...#....#
    #####################
    """
HALLS = """
    ##################
    #.........#......#
    #.........#......#
    #....##..........#
    #....##...#......#
    #.........#####.##
    ####.######......#
    #.........#......#
    #.........#......#
    ##################
    """


@pytest.mark.parametrize(
    ("text", "seed"), [(WINDING, seed) for seed in range(10)] + [(HALLS, seed) for seed in range(6)]
)
def test_a_destination_moves_around_a_corner_if_most_warm_floor_ahead_is_hidden(text: str, seed: int) -> None:
    """Floods of all lengths from everywhere: half the time a corner is near, and some are not worth a move."""
    rng, layout = np.random.default_rng(seed), cells_of(text)
    neighbours, moves = neighbours_of(layout.arrays), set()
    for start in rng.integers(0, len(layout), 6).tolist():
        turn = rng.uniform(0.0, 6.28)
        stays = ChaseSettings(hot=int(rng.integers(4, 12)), max_steps=int(rng.integers(6, 16)), max_heated=40)
        chosen = stays.but(corner=float(rng.uniform(1.5, 5.0)), look_distance=float(rng.uniform(4.0, 9.0)))
        known = {"seen_at": layout.arrays.cell_xyz[start], "heading": (np.cos(turn), np.sin(turn))}
        before, after = (Chase(layout, settings=one).predict(**known) for one in (stays, chosen))
        best = plain_corner(layout, neighbours, before, before.cell, chosen)
        assert (after.moved, after.cell) == ((1, best) if best >= 0 else (0, before.cell))
        moves.add(after.moved)
    assert moves
