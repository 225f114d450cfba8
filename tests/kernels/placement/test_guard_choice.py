"""Guards chosen for what they see together: by hand, and held to every choice there is."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as some

from lastseen.kernels.placement.guard_choice import Aims, PoolArrays, choose_in_turn, count_bits, swap_guards
from oracles.guard_choice import allowed, judged, value

FLOOR = 6
NO_BOUNDS = Aims(FLOOR, 1.0, 0, 0.0, 1.0)


def arrays(shares, kinds=None, places=None) -> PoolArrays:
    rows = np.array(shares, float)
    bits = np.zeros((len(rows), 64), bool)
    bits[:, :FLOOR] = rows[:, :FLOOR] > 0.0
    words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    kind = np.array([0] * len(rows) if kinds is None else kinds, np.int32)
    place = np.array([-1] * len(rows) if places is None else places, np.int32)
    return PoolArrays(words, 1.0 - rows, rows[:, :FLOOR].mean(axis=1), kind, place)


WIDE, LEFT, RIGHT, BOLD = (
    (0.5, 0.5, 0.5, 0.5, 0, 0, 0, 0),
    (0, 0, 0.5, 0.5, 0.5, 0, 0, 0),
    (0, 0, 0, 0, 0.5, 0.5, 0, 0),
    (0.5, 0.5, 0.5, 0.5, 0.5, 0.5, 1, 1),
)
"""Six samples of floor and two of the path; the bold one sees everything, the path all the time."""


def in_turn(pool: PoolArrays, count: int, aims: Aims = NO_BOUNDS) -> list[int] | None:
    out = np.zeros(count, np.int32)
    return out.tolist() if choose_in_turn(pool, aims, np.zeros(count, np.int32), out) else None


@given(some.integers(0, 2**64 - 1))
def test_bits_are_counted(word):
    assert count_bits(np.uint64(word)) == word.bit_count()


def test_each_in_turn_adds_most():
    """The widest first; then the one who sees what is left, though another sees more alone."""
    assert in_turn(arrays([LEFT, WIDE, RIGHT]), 2) == [1, 2]


def test_the_path_counts_as_much_as_asked():
    """Everything at some time, half of it at any moment: 1.5, and the whole path."""
    assert in_turn(arrays([WIDE, BOLD]), 1, NO_BOUNDS._replace(spare=0.0)) == [1]
    assert in_turn(arrays([WIDE, BOLD]), 1, NO_BOUNDS._replace(spare=0.49)) == [1]
    assert in_turn(arrays([WIDE, BOLD]), 1, NO_BOUNDS._replace(spare=0.51)) == [0]
    assert in_turn(arrays([WIDE, BOLD]), 1, NO_BOUNDS._replace(spare=0.0, most_path=0.9)) == [0]
    assert in_turn(arrays([BOLD]), 1, NO_BOUNDS._replace(most_path=0.9)) is None


def test_nobody_twice_nor_two_in_one_place():
    assert in_turn(arrays([WIDE]), 2) is None
    assert in_turn(arrays([WIDE, LEFT], places=[3, 3]), 2) is None
    assert in_turn(arrays([WIDE, LEFT, RIGHT], places=[3, 3, -1]), 2) == [0, 2]


def test_slots_are_for_kinds():
    out = np.zeros(2, np.int32)
    assert choose_in_turn(arrays([WIDE, LEFT, RIGHT], [0, 1, 1]), NO_BOUNDS, np.array([1, 0], np.int32), out)
    assert out.tolist() == [1, 0]


def test_a_swap_finds_what_the_first_choice_barred():
    """Greedy takes the middle; two halves see all."""
    middle, left, right = (0, 1, 1, 1, 1, 0, 0, 0), (1, 1, 1, 0, 0, 0, 0, 0), (0, 0, 0, 1, 1, 1, 0, 0)
    pool = arrays([middle, left, right])
    chosen = np.array(in_turn(pool, 2), np.int32)
    assert 0 in chosen
    assert swap_guards(pool, NO_BOUNDS, chosen, 10) == pytest.approx(2.0)
    assert sorted(chosen.tolist()) == [1, 2]


def test_no_swap_leaves_the_bounds():
    """The bold one is better in sum, but sees the path; the narrow one spares it, but sees less floor."""
    narrow = (0.5, 0, 0, 0, 0, 0, 0, 0)
    pool = arrays([(0.5, 0.5, 0.5, 0, 0, 0, 0.5, 0.5), BOLD, narrow])
    chosen = np.zeros(1, np.int32)
    swap_guards(pool, Aims(FLOOR, 0.1, 3, 0.25, 0.5), chosen, 10)
    assert chosen.tolist() == [0]
    swap_guards(pool, Aims(FLOOR, 9.0, 3, 0.25, 0.5), chosen, 10)
    assert chosen.tolist() == [0]
    swap_guards(pool, Aims(FLOOR, 9.0, 0, 0.0, 0.5), chosen, 10)
    assert chosen.tolist() == [2]


@given(some.integers(0, 2**32 - 1), some.sampled_from([0.0, 0.5, 3.0]))
def test_no_single_swap_within_the_bounds_is_left(seed, spare):
    random = np.random.default_rng(seed)
    shares = np.round(random.random((9, FLOOR + 3)), 1) * (random.random((9, FLOOR + 3)) < 0.4)
    kinds, places = [0, 1, 0, *random.integers(0, 2, 6).tolist()], [-1, 1, -1, *random.integers(-1, 3, 6).tolist()]
    pool, chosen = arrays(shares, kinds, places), np.arange(3, dtype=np.int32)
    ever, mean, path = judged(shares, range(3), FLOOR)
    aims = Aims(FLOOR, spare, ever, mean, path)
    found = swap_guards(pool, aims, chosen, 50)
    now = chosen.tolist()
    assert allowed(kinds, places, kinds[:3], now)
    assert found == pytest.approx(value(shares, now, FLOOR, spare), abs=1e-9)
    for slot in range(3):
        for other in range(9):
            swapped = [*now[:slot], other, *now[slot + 1 :]]
            seen = judged(shares, swapped, FLOOR)
            inside = seen[0] >= ever and seen[1] >= mean + 1e-9 and seen[2] <= path - 1e-9
            if inside and allowed(kinds, places, kinds[:3], swapped):
                assert value(shares, swapped, FLOOR, spare) <= found + 1e-9
