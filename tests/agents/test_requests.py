"""Requests stand until their time is over, unless they are renewed."""

from __future__ import annotations

import math

import pytest

from lastseen.agents.requests import RequestBoard
from lastseen.errors import InputError


def test_a_request_stands_for_its_seconds_and_is_renewed_by_asking_again() -> None:
    board = RequestBoard()
    board.post(3, "fight", 7, priority=2.0, seconds=1.0, now=0.0)
    board.expire(0.9)
    assert [request.by for request in board] == [3]
    board.post(3, "fight", 7, priority=2.0, seconds=1.0, now=0.9)
    board.expire(1.5)
    (request,) = board
    assert (request.since, board.until(3, "fight", 7)) == (0.0, 1.9)
    assert board.until(3, "chase") == -math.inf
    board.expire(1.9)
    assert len(board) == 0


def test_asked_again_when_its_time_is_over_a_request_is_a_new_one() -> None:
    board = RequestBoard()
    board.post(3, "fight", seconds=1.0, now=0.0)
    version = board.version
    board.post(3, "fight", seconds=1.0, now=1.0)
    (request,) = board
    assert (request.since, board.version) == (1.0, version + 1)


def test_the_most_urgent_comes_first_whoever_posted_when() -> None:
    board = RequestBoard()
    for agent, objective, priority in ((2, "chase", 1.0), (1, "fight", 3.0), (0, "chase", 1.0)):
        board.post(agent, objective, 9, priority=priority)
    assert [(request.objective, request.by) for request in board] == [("fight", 1), ("chase", 0), ("chase", 2)]
    assert [request.objective for request in board.of(1)] == ["fight"]


def test_renewing_is_no_news_but_more_less_and_another_priority_are() -> None:
    board = RequestBoard()
    board.post(0, "fight", now=0.0)
    first = board.version
    board.post(0, "fight", now=0.5)
    assert board.version == first
    board.post(0, "fight", priority=2.0, now=0.5)
    assert board.version > first
    before = board.version
    board.withdraw(0, "chase")
    board.expire(0.6)
    assert board.version == before
    board.withdraw(0)
    assert board.version > before
    assert not list(board)


def test_a_place_some_ask_about_is_found() -> None:
    board = RequestBoard()
    board.post(0, "gather", now=0.0)
    assert board.place_of("gather", -1, (0, 1)) is None
    board.post(1, "gather", now=0.0, place=(1.0, 2.0, 0.0))
    assert board.place_of("gather", -1, (0, 1)) == (1.0, 2.0, 0.0)
    assert board.place_of("gather", -1, (0,)) is None


def test_a_board_nobody_reads_keeps_nothing() -> None:
    board = RequestBoard(is_read=False)
    board.post(0, "fight")
    assert len(board) == 0


@pytest.mark.parametrize(
    "wrong",
    [{"agent": -1}, {"target": -2}, {"objective": ""}, {"objective": 3}, {"priority": float("nan")}, {"seconds": -1.0}],
)
def test_a_request_that_means_nothing_is_refused(wrong: dict) -> None:
    with pytest.raises(InputError):
        RequestBoard().post(**({"agent": 0, "objective": "fight"} | wrong))
