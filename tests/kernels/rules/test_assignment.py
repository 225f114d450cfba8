"""Who takes which place: worked by hand, against trying all ways, and against all pairings."""

from __future__ import annotations

from itertools import permutations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.agents.crews.roles.roles import FINEST, assign
from lastseen.errors import InputError
from lastseen.kernels.rules.assignment import assign_members, settle_scores
from oracles.crews import best_assignment

NO = -np.inf


def test_the_sum_counts_and_not_who_comes_first() -> None:
    # The first is best at both; taking its best would leave the second with nothing worth having.
    found = assign([[5.0, 4.0], [4.0, 0.0]])
    assert found.place.tolist() == [1, 0]
    assert found.score == 8.0


def test_a_chain_of_exchanges_makes_room_for_the_last() -> None:
    found = assign([[3.0, 2.0, NO], [NO, 3.0, 2.0], [3.0, NO, NO]])
    assert found.place.tolist() == [1, 2, 0]
    assert found.score == 7.0


def test_nobody_takes_a_place_below_nothing_unless_a_role_needs_it() -> None:
    assert assign([[-1.0]]).place.tolist() == [-1]
    needed = assign([[-1.0], [-3.0]], least=[1])
    assert needed.place.tolist() == [0, -1]
    assert needed.score == -1.0


def test_a_role_takes_no_more_than_its_most_though_it_has_places() -> None:
    found = assign([[1.0, 2.0, 3.0]] * 3, most=[2])
    assert sorted(found.place.tolist()) == [-1, 1, 2]


def test_a_role_that_lacks_members_says_by_how_many() -> None:
    found = assign([[1.0, NO], [NO, NO]], role=[0, 1], least=[1, 1])
    assert found.short == 1
    assert found.place.tolist() == [0, -1]


def test_needs_outrank_any_score() -> None:
    # The only one who may be of role 1 is worth far more in role 0.
    found = assign([[1e6, -1e6], [1.0, NO]], role=[0, 1], least=[0, 1])
    assert found.place.tolist() == [1, 0]
    assert found.short == 0


def test_equal_scores_give_the_same_answer_every_time() -> None:
    scores = np.ones((6, 6))
    assert assign(scores).place.tolist() == assign(scores).place.tolist()
    assert sorted(assign(scores).place.tolist()) == list(range(6))


def test_many_in_one_place_fit_up_to_its_room() -> None:
    found = assign(np.ones((4, 1)), room=[3])
    assert sorted(found.place.tolist()) == [-1, 0, 0, 0]


def test_no_members_and_no_places_are_answers() -> None:
    assert assign(np.zeros((0, 3))).place.tolist() == []
    assert assign(np.zeros((3, 0))).place.tolist() == [-1, -1, -1]
    assert assign(np.zeros((2, 0)), least=[1]).short == 1


@pytest.mark.parametrize(
    ("scores", "more", "words"),
    [
        ([1.0, 2.0], {}, "(members, places)"),
        ([[np.nan]], {}, "scores contains"),
        ([[2e6]], {}, "between -1e.06 and 1e.06"),
        ([[1.0]], {"role": [0.5]}, "role"),
        ([[1.0]], {"room": [1, 2]}, "room"),
        ([[1.0]], {"least": [2], "most": [1]}, "needs 2 and takes 1"),
        ([[1.0]], {"least": [1e30]}, "least"),
        ("ten", {}, "scores"),
    ],
)
def test_what_cannot_be_is_refused_in_words(scores: object, more: dict, words: str) -> None:
    with pytest.raises(InputError, match="(?s).*" + words.replace("(", r"\(").replace(")", r"\)")):
        assign(scores, **more)


def _tables(most: int) -> st.SearchStrategy:
    score = st.one_of(st.just(NO), st.integers(-3, 6).map(float), st.floats(-4.0, 4.0).map(lambda v: round(v, 3)))

    def table(size: tuple[int, int, int]) -> st.SearchStrategy:
        members, places, roles = size
        counts = st.lists(st.tuples(st.integers(0, 2), st.integers(0, 3)), min_size=roles, max_size=roles)
        return st.tuples(
            st.lists(st.lists(score, min_size=places, max_size=places), min_size=members, max_size=members),
            st.lists(st.integers(0, roles - 1), min_size=places, max_size=places),
            st.lists(st.integers(1, 3), min_size=places, max_size=places),
            counts.map(lambda pairs: ([low for low, _ in pairs], [low + more for low, more in pairs])),
        )

    return st.tuples(st.integers(1, most), st.integers(1, most), st.integers(1, 3)).flatmap(table)


@settings(max_examples=150, deadline=None)
@given(_tables(4))
def test_no_other_way_is_better(case: tuple) -> None:
    rows, role, room, (least, most) = case
    scores = np.array(rows)
    found = assign(scores, role=role, room=room, least=least, most=most)
    short, total = best_assignment(scores, role, room, least, most)
    assert found.short == short
    assert found.score == pytest.approx(total, abs=scores.size * FINEST)
    taken = found.place[found.place >= 0].tolist()
    assert all(taken.count(place) <= room[place] for place in taken)
    for one in range(len(least)):
        assert sum(role[place] == one for place in taken) <= most[one]


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32 - 1), st.integers(1, 6), st.integers(1, 6))
def test_of_all_ways_to_pair_off_none_has_a_higher_sum(seed: int, members: int, places: int) -> None:
    scores = np.random.default_rng(seed).integers(1, 50, (members, places)).astype(float)
    wide = scores if members <= places else scores.T
    best = max(
        sum(wide[row, at] for row, at in enumerate(way)) for way in permutations(range(wide.shape[1]), len(wide))
    )
    assert assign(scores).score == best


def test_what_may_not_be_is_never_chosen_however_low_others_are() -> None:
    chosen, ones = np.empty(1, np.int64), np.ones(2, np.int64)
    scores = np.array([[NO, -1e6]])
    short, total = assign_members(scores, FINEST, ones, np.array([0, 1]), np.array([0, 1]), np.array([1, 1]), chosen)
    assert chosen.tolist() == [1]
    assert (short, total) == (0, -1e6)


def test_scores_are_held_in_bounds_and_none_speaks_against_having_a_role() -> None:
    scores = np.array([[12.0, 3e7, -4.0], [11.0, 8.0, 9.0]])
    settle_scores(scores, np.array([0, 1, 1]), np.array([[True, False], [True, True]]), 1e6, 10.0)
    assert scores.tolist() == [[26.0, 1e6 + 14.0, 10.0], [NO, 22.0, 23.0]]
    before = scores[:, 1:].copy()
    settle_scores(scores, np.array([0, 1, 1]), np.array([[True, False], [True, True]]), 1e9, 10.0)
    assert np.array_equal(scores[:, 1:], before), "nothing to be done"
