"""Nearby agents do not do the same thing at the same time: the acceptance checks of chapter 6."""

from __future__ import annotations

from itertools import pairwise

import pytest

from lastseen.agents.rules.speech.twin_board import TwinBoard
from lastseen.errors import InputError

HERE = (0.0, 0.0, 0.0)


def test_6_1_the_same_again_after_exactly_a_second_and_others_at_once() -> None:
    board = TwinBoard()
    board.began("X", HERE, 0.0)
    assert not board.may("X", HERE, 0.999)
    assert board.may("Y", HERE, 0.0)
    assert board.may("X", HERE, 1.0)


def test_6_2_reactions_wait_for_less_by_what_began_first() -> None:
    board = TwinBoard()
    board.began("R", HERE, 0.0, urgency="reaction")
    assert not board.may("R", HERE, 0.299)
    assert board.may("R", HERE, 0.3)


@pytest.mark.parametrize("begun", [5.0, 7.1, 1234.7])
def test_6_2_exactly_at_its_end_whenever_it_began(begun: float) -> None:
    board = TwinBoard(normal=0.3)
    for urgency in ("reaction", "normal"):
        board.began(urgency, HERE, begun, urgency=urgency)
        assert not board.may(urgency, HERE, begun + 0.299)
        assert board.may(urgency, HERE, begun + 0.3)


def test_6_3_what_is_too_old_is_dropped_and_not_compared_again() -> None:
    board = TwinBoard()
    for number in range(10):
        board.began(f"old {number}", HERE, 0.0)
    board.began("new", HERE, 0.9)
    assert board.may("X", HERE, 0.95)
    assert board.looked_at == 11
    assert board.may("X", HERE, 1.0)
    assert (board.looked_at, len(board)) == (1, 1)


def test_6_4_far_apart_the_same_may_begin_at_once() -> None:
    board = TwinBoard(radius=5.0)
    board.began("X", HERE, 0.0)
    assert not board.may("X", (3.0, 4.0, 0.0), 0.1)
    assert board.may("X", (3.0, 4.01, 0.0), 0.1)


def test_6_5_twenty_five_who_all_want_the_same_begin_one_after_another() -> None:
    board, begun, waiting = TwinBoard(), [], 25
    for hundredth in range(1000):
        now = hundredth / 100.0
        while waiting and board.may("R", HERE, now):
            board.began("R", HERE, now, urgency="reaction")
            begun.append(now)
            waiting -= 1
    assert waiting == 0
    assert all(later >= earlier + 0.3 for earlier, later in pairwise(begun))
    assert all(now >= 0.3 * number - 1e-9 for number, now in enumerate(begun))


def test_6_6_a_full_board_gives_up_its_oldest() -> None:
    board = TwinBoard(size=32)
    for number in range(33):
        board.began(number, HERE, 0.01 * number)
    assert len(board) == 32
    assert board.may(0, HERE, 0.5)
    assert not board.may(1, HERE, 0.5)


@pytest.mark.parametrize("reaction", [0.19, 0.51])
def test_6_7_a_delay_that_is_not_noticed_or_looks_late_is_warned_of(reaction: float) -> None:
    with pytest.warns(UserWarning, match="goes unnoticed or looks late"):
        TwinBoard(reaction=reaction)


@pytest.mark.parametrize("given", [{"size": 0}, {"size": 10**9}, {"radius": -1.0}, {"normal": float("nan")}])
def test_a_board_that_cannot_be_is_refused(given: dict[str, float]) -> None:
    with pytest.raises(InputError):
        TwinBoard(**given)  # type: ignore[arg-type]
