"""Links of many lengths wait in buckets, links of two in queues: both answer like plain Dijkstra, to the last bit."""

from dataclasses import replace

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.layers.spread import Spread
from oracles.layers import distances
from specimens.layers import grid_layout

MAP = """
    ..........
    .####.##..
    .#....#...
    .#.##.#.#.
    ......#...
    """


def stretched(seed: int, least: float):
    """The map with links of any length from `least` metres up, the same both ways or not."""
    layout = grid_layout(MAP)
    lengths = np.random.default_rng(seed).uniform(least, 2.0, len(layout.arrays.link_cell)).astype(np.float32)
    return replace(layout, arrays=layout.arrays._replace(link_length=lengths))


@given(
    st.integers(0, 99),
    st.sampled_from([0.001, 0.3, 1.9]),
    st.lists(st.integers(0, 30), max_size=4),
    st.none() | st.floats(0, 30),
)
def test_links_of_any_length_equal_plain_dijkstra(seed, least, sources, reach):
    layout = stretched(seed, least)
    limit = np.inf if reach is None else reach
    walk = Spread(layout)
    for _ in range(2):  # the second time on work arrays that were used
        reached = walk.distances(sources, reach=limit)
        assert dict(zip(reached.cells.tolist(), reached.metres.tolist())) == distances(layout, sources, limit)
        assert (np.diff(reached.metres) >= 0.0).all()
        for cell, metres, source in zip(reached.cells.tolist(), reached.metres.tolist(), reached.source.tolist()):
            assert distances(layout, [sources[source]])[cell] == metres


def test_layouts_of_one_length_and_of_no_links_work():
    corridor = grid_layout(".....")
    assert Spread(corridor).distances([0]).metres.tolist() == [0.0, 1.0, 2.0, 3.0, 4.0]
    assert Spread(grid_layout(".#.")).distances([1, 0]).cells.tolist() in ([0, 1], [1, 0])
