import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lastseen.rng import generator


def _drawn(seed, name):
    return generator(seed, name).integers(0, 2**63, 8).tolist()


def test_the_same_name_draws_the_same_numbers_on_every_machine():
    assert generator(7, "guards").integers(0, 1000, 4).tolist() == [2, 502, 836, 59]


@given(st.integers(0, 2**64), st.text())
def test_a_seed_and_a_name_fix_the_stream(seed, name):
    assert _drawn(seed, name) == _drawn(seed, name)


@given(st.integers(0, 2**64), st.lists(st.text(), min_size=2, max_size=5, unique=True))
def test_names_and_seeds_have_streams_of_their_own(seed, names):
    streams = [_drawn(seed + more, name) for name in names for more in (0, 1)]
    assert len({tuple(stream) for stream in streams}) == 2 * len(names)


def test_what_one_name_draws_does_not_move_another():
    first, second = generator(1, "a"), generator(1, "b")
    first.random(1000)
    assert np.array_equal(second.random(5), generator(1, "b").random(5))


def test_streams_of_two_names_are_not_correlated():
    one, other = generator(3, "one").random(20_000), generator(3, "other").random(20_000)
    assert abs(np.corrcoef(one, other)[0, 1]) < 0.03
