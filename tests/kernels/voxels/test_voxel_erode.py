from __future__ import annotations

import numpy as np
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra import numpy as hnp

from lastseen.kernels.voxels.voxel_filter import border_distance
from oracles.voxels import chamfer, flat_links


def test_a_square_of_seven():
    distance = border_distance(flat_links(np.ones((7, 7), bool))).reshape(7, 7)
    assert distance[3].tolist() == [0, 2, 4, 6, 4, 2, 0]
    assert distance.diagonal().tolist() == [0, 2, 4, 6, 4, 2, 0]


def test_beside_a_pillar_aslant_steps_count_three():
    field = np.ones((9, 9), bool)
    field[4, 4] = False
    distance = np.full(field.shape, -1)
    distance[field] = border_distance(flat_links(field))
    assert (distance[4, 3], distance[3, 3], distance[2, 3]) == (0, 2, 3)


@given(
    hnp.arrays(
        bool, st.tuples(st.integers(1, 12), st.integers(1, 12)), elements=st.sampled_from([True, True, True, False])
    )
)
def test_like_shortest_paths(field):
    link = flat_links(field)
    assert border_distance(link).tolist() == chamfer(link).tolist()
