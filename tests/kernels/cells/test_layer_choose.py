import math

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.cells.layer_selection import choose_spaced
from oracles import layers as layers_oracle


def _choose(score, xyz, spacing, count):
    chosen = np.full(count, -9, np.int64)
    found = choose_spaced(np.array(score, np.float64), np.array(xyz, np.float32).reshape(-1, 3), spacing, chosen)
    return chosen[:found].tolist()


LINE = [(float(x), 0.0, 0.0) for x in range(6)]


def test_the_best_strikes_out_what_lies_near():
    assert _choose([1, 9, 8, 2, 5, 4], LINE, 2.0, 6) == [1, 4]
    assert _choose([1, 9, 8, 2, 5, 4], LINE, 2.0, 1) == [1]


def test_exactly_at_the_spacing_is_far_enough():
    assert _choose([3, 2, 1, 0, 0, 0], LINE, 1.0, 6) == [0, 1, 2, 3, 4, 5]


def test_height_counts():
    assert _choose([2, 1], [(0, 0, 0), (0, 0, 3)], 3.0, 2) == [0, 1]
    assert _choose([2, 1], [(0, 0, 0), (0, 0, 3)], 3.1, 2) == [0]


def test_the_lower_position_wins_a_tie_and_struck_out_scores_are_never_taken():
    assert _choose([5, 5, 5], LINE[:3], 0.5, 2) == [0, 1]
    assert _choose([-math.inf, 1, -math.inf], LINE[:3], 0.5, 3) == [1]
    assert _choose([], [], 1.0, 3) == []


places = st.tuples(*[st.integers(0, 6)] * 3)


@given(st.lists(st.tuples(st.integers(-5, 5), places), max_size=30), st.integers(0, 5), st.integers(1, 30))
def test_choice_agrees_with_the_slow_one(cells, spacing, count):
    score, xyz = [float(each[0]) for each in cells], [each[1] for each in cells]
    chosen = _choose(score, xyz, float(spacing), count)
    slow = layers_oracle.best(score, count, allowed=range(len(cells)), positions=xyz, spacing=spacing)
    assert chosen == slow
    assert all(math.dist(xyz[a], xyz[b]) >= spacing for i, a in enumerate(chosen) for b in chosen[:i])
