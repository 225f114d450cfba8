"""The board of stimuli: who claims what, how long it stays."""

from __future__ import annotations

import pytest

from lastseen.agents.senses.attention.stimuli import StimulusBoard
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.errors import InputError, QueryError
from lastseen.reasoning.chase.pursuit import Stimulus


def test_whoever_claims_first_owns():
    board = StimulusBoard()
    bottle = board.post("bottle", (3, 4), now=0.0, priority=2.0)
    assert board.claim(bottle.number, 7)
    assert board.claim(bottle.number, 7), "claiming again changes nothing"
    assert not board.claim(bottle.number, 8)
    assert board.claimed_by(bottle.number) == (7,)
    board.release(bottle.number, 8)
    board.release(bottle.number, 7)
    assert board.claim(bottle.number, 8)


def test_several_may_go_where_that_is_allowed():
    board = StimulusBoard()
    shot = board.post_sound(sound("gunshot", (0, 0), created=2.0, made_by=3), most_claims=3)
    assert (shot.nature, shot.priority, shot.created, shot.about) == ("hostile", 3.0, 2.0, 3)
    assert [board.claim(shot.number, agent) for agent in range(5)] == [True, True, True, False, False]


def test_stimuli_expire_and_their_numbers_are_not_used_again():
    board = StimulusBoard()
    one = board.post("door", (0, 0), now=1.0, priority=1.0, lifetime=5.0)
    other = board.post("door", (0, 0), now=1.0, priority=1.0, lifetime=50.0)
    assert board.expire(6.0) == ()
    assert board.expire(6.1) == (one,)
    assert list(board) == [other]
    assert board.get(one.number) is None
    assert not board.claim(one.number, 1)
    board.remove(other.number)
    assert board.post("door", (0, 0), now=7.0, priority=1.0).number == 2
    with pytest.raises(QueryError, match="no stimulus 0"):
        board.remove(one.number)


def test_offers_go_by_priority_then_nearness_then_age():
    board = StimulusBoard()
    near = board.post("a", (1, 0), now=0.0, priority=1.0)
    board.post("b", (5, 0), now=0.0, priority=1.0)
    loud = board.post("c", (9, 0), now=0.0, priority=2.0, radius=10.0)
    places = [(0, 0, 0), (-5, 0, 0)]
    assert board.offers([1, 2], places).tolist() == [loud.number, near.number]
    board.claim(loud.number, 9)
    assert board.offers([1, 9], [(0, 0, 0)] * 2).tolist() == [near.number, loud.number]
    assert board.offers([], []).tolist() == []
    assert StimulusBoard().offers([1], [(0, 0)]).tolist() == [-1]


def test_a_stimulus_reaches_as_far_as_its_radius_and_no_further():
    board = StimulusBoard()
    door = board.post("door", (3, 4), now=0.0, priority=1.0, radius=5.0)
    assert board.offers([1, 2], [(0, 0, 0), (-0.001, 0, 0)]).tolist() == [door.number, -1]


def test_a_posted_stimulus_is_one_a_pursuit_takes():
    assert isinstance(StimulusBoard().post("gunshot", (0, 0), now=0.0), Stimulus)


@pytest.mark.parametrize("wrong", [{"lifetime": -1.0}, {"most_claims": 0}, {"nature": "odd"}, {"radius": float("nan")}])
def test_bad_stimuli_are_refused(wrong):
    board = StimulusBoard()
    with pytest.raises(InputError):
        board.post("bottle", (0, 0), now=0.0, priority=1.0, **wrong)
    assert len(board) == 0
    with pytest.raises(InputError, match="2 agents and 1 places"):
        board.offers([1, 2], [(0, 0)])
