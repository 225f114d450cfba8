"""Tokens: at most so many at once, each with its wait, all with a shared cooldown (36.5)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.crews.combat.tokens import TokenPool, TokenSettings
from lastseen.errors import InputError


def ask(pool: TokenPool, agents, now: float, ranks=None, characters: int = 0):
    for agent in agents:
        pool.request(agent)
    return pool.grant(now, ranks, characters=characters)


def test_36_5_6_a_pool_of_two_and_five_who_ask():
    pool = TokenPool("attack", TokenSettings(count=2, wait=3.0))
    assert ask(pool, range(5), 0.0) == (0, 1)
    assert ask(pool, (2, 3, 4), 1.0) == ()
    pool.release(0, 1.0)
    assert ask(pool, (0,), 3.9) == ()
    assert pool.refusal(0, 3.9) == "had one, waits 0.1 s"
    assert ask(pool, (0,), 4.0) == (0,)


@pytest.mark.parametrize(("characters", "size"), [(0, 1), (3, 1), (4, 2), (11, 3), (40, 4)])
def test_36_5_6_with_scaling_the_pool_grows_with_the_characters(characters, size):
    pool = TokenPool("attack", TokenSettings(count=1, scaling=4, most=4))
    assert len(ask(pool, range(20), 0.0, characters=characters)) == size


def test_the_best_ranked_get_the_tokens_and_who_has_no_rank_comes_last():
    pool = TokenPool("taunt", TokenSettings(count=2))
    assert ask(pool, (1, 2, 3, 4), 0.0, {2: 3, 3: 1, 4: 2}) == (3, 4)


def test_a_shared_cooldown_holds_for_everybody():
    pool = TokenPool("attack", TokenSettings(count=5, cooldown=0.5))
    assert ask(pool, (1, 2), 0.0) == (1,)
    assert ask(pool, (2, 3), 0.4) == ()
    assert pool.refusal(2, 0.4) == "the crew waits 0.1 s"
    assert ask(pool, (2, 3), 0.5) == (2,)


def test_tokens_of_those_who_are_gone_come_back():
    pool = TokenPool("attack", TokenSettings(count=1, wait=2.0))
    ask(pool, (1,), 0.0)
    pool.request(2)
    assert pool.retain({2, 3}, 1.0) == (1,)
    assert pool.grant(1.0) == (2,)
    assert pool.retain({2, 3}, 1.5) == ()
    assert pool.refusal(1, 1.5) == "1 of 1 are out"


def test_who_keeps_one_too_long_loses_it():
    pool = TokenPool("attack", TokenSettings(holds=2.0))
    ask(pool, (1,), 0.0)
    assert ask(pool, (2,), 1.9) == ()
    assert ask(pool, (2,), 2.0) == (2,)
    assert not pool.holds(1)


def test_what_was_asked_for_is_forgotten_and_giving_back_nothing_does_nothing():
    pool = TokenPool("attack", TokenSettings(count=0))
    pool.request(1)
    pool.grant(0.0)
    pool.release(1, 0.0)
    assert (pool.asking, pool.held, pool.refusal(1, 0.0)) == (set(), {}, "0 of 0 are out")


@given(st.lists(st.tuples(st.sets(st.integers(0, 5)), st.sets(st.integers(0, 5))), min_size=1, max_size=40))
def test_36_5_10_two_with_the_same_micro_behaviour_never_begin_in_the_same_tick(steps):
    """And never more than the pool holds, nor the same one before its wait is over."""
    settings = TokenSettings(count=3, wait=0.5, cooldown=0.1)
    pool, ended = TokenPool("gesture", settings), dict.fromkeys(range(6), -10.0)
    last = -10.0
    for tick, (asking, ending) in enumerate(steps):
        now = tick / 30.0
        for agent in ending & pool.held.keys():
            pool.release(agent, now)
            ended[agent] = now
        granted = ask(pool, asking, now)
        assert len(granted) <= 1
        assert len(pool.held) <= 3
        for agent in granted:
            assert now - ended[agent] >= 0.5 - 1e-9
            assert now - last >= 0.1 - 1e-9
            last = now


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"count": -1}, "count"),
        ({"wait": -1.0}, "wait"),
        ({"cooldown": -0.1}, "cooldown"),
        ({"most": -1}, "m"),
    ],
)
def test_settings_that_make_no_sense_are_refused(wrong, words):
    with pytest.raises(InputError, match=words):
        TokenSettings(**wrong)


@given(st.lists(st.tuples(st.integers(0, 3), st.booleans()), max_size=12), st.integers(0, 2), st.floats(0.0, 2.0))
def test_who_could_get_one_is_who_is_refused_for_no_reason(moves, count, cooldown):
    pool = TokenPool("attack", TokenSettings(count=count, wait=1.5, cooldown=cooldown, scaling=3))
    for tick, (agent, gives_back) in enumerate(moves):
        now = 0.7 * tick
        assert [pool.has_for(one, now, 4) for one in range(4)] == [
            not pool.refusal(one, now, characters=4) for one in range(4)
        ]
        assert pool.has_any(now, 4) == pool.has_for(99, now, 4), "one who never had any waits for the others only"
        if gives_back:
            pool.release(agent, now)
        else:
            ask(pool, (agent,), now, characters=4)
