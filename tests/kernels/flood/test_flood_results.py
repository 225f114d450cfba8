"""Destinations of floods, from every cell of small maps, against means and nearest cells worked out one by one."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.layers.layer import Layer
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings
from oracles.chase import nearest_warm, neighbours_of, plain_flood, plain_mean
from specimens.chase import cells_of

HOOK = """
    ........
    .######.
    .#....#.
    .#.##.#.
    .#.#..#.
    .#.####.
    .#......
    """


def test_one_cell_alone_is_its_own_destination() -> None:
    flood = Chase(cells_of(".")).predict(seen_at=(0.3, 0.6))
    assert (flood.cell, flood.in_warm, flood.warm.tolist()) == (0, True, [0])
    assert flood.destination[:2] == pytest.approx((0.5, 0.5))


@pytest.mark.parametrize("weights", ["value", "even", "front"])
@pytest.mark.parametrize("turn", [0.4, 2.5, 4.1])
def test_destinations_are_means_of_warm_cells_from_every_start(weights: str, turn: float) -> None:
    """In a hook the mean lies in warm cells, in cold ones and in walls."""
    layout = cells_of(HOOK)
    neighbours, inside = neighbours_of(layout.arrays), set()
    position = {cell: tuple(map(float, xyz)) for cell, xyz in enumerate(layout.arrays.cell_xyz)}
    heading = (np.cos(turn), np.sin(turn))
    settings = ChaseSettings(hot=4, max_steps=5, weights=weights)
    worth = np.linspace(0.0, 2.0, len(layout)).astype(np.float32)
    layers = {None: None, "worth": Layer.of(layout, "worth", worth)}
    for start in range(len(layout)):
        for name, layer in layers.items():
            flood = Chase(layout, settings=settings, worth=layer).predict(seen_at=position[start], heading=heading)
            plain = plain_flood(position, neighbours, start, heading, settings)
            mean = plain_mean(plain, position, settings, worth if name else None)
            if mean is None:
                mean = plain_mean(plain, position, settings)
            assert flood.mean.tolist() == pytest.approx(mean)
            under = cell_at(layout, mean)
            assert flood.in_warm == (under in plain.warm)
            assert flood.cell == (under if flood.in_warm else nearest_warm(plain, position, flood.mean.tolist()))
            inside.add(flood.in_warm)
    assert inside == {True, False}
