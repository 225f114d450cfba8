"""The missing colleague (chapter 28): 10 s + 5 s."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.senses.attention.anomalies import MissingColleague, MissingRule
from lastseen.errors import InputError

NEAR, FAR = np.ones((2, 2), bool), np.zeros((2, 2), bool)
ALIVE, DEAD = [False, False], [False, True]


def run(*parts, rule=None):
    """Steps of half a second; return the times at which somebody misses somebody."""
    missing, now, found = MissingColleague(2, rule), 0.0, []
    for near, silent, seconds in parts:
        for _ in range(round(seconds * 2)):
            now += 0.5
            event = missing.step(near, silent, 0.5, now)
            if event is not None:
                found.append((now, *event))
    return found


def test_28_5_10_ten_seconds_before_and_five_after():
    assert run((NEAR, ALIVE, 10.0), (NEAR, DEAD, 30.0)) == [(15.0, 0, 1)]


def test_28_5_10_who_leaves_or_came_too_late_misses_nobody():
    assert run((NEAR, ALIVE, 10.0), (NEAR, DEAD, 4.0), (FAR, DEAD, 2.0), (NEAR, DEAD, 20.0)) == []
    assert run((NEAR, ALIVE, 9.0), (NEAR, DEAD, 30.0)) == []
    assert run((NEAR, ALIVE, 9.0), (FAR, ALIVE, 0.5), (NEAR, ALIVE, 9.0), (NEAR, DEAD, 30.0)) == []


def test_28_5_10_a_second_death_within_the_cooldown_is_not_missed():
    again = (NEAR, ALIVE, 10.0), (NEAR, DEAD, 30.0)
    assert len(run(*again, *again)) == 1
    assert len(run(*again, *again, rule=MissingRule(cooldown=20.0))) == 2


def test_a_silence_is_missed_from_a_minute_after_the_last_one_was():
    first = (NEAR, ALIVE, 10.0), (NEAR, DEAD, 30.0)
    for alive, missed in ((29.5, [(15.0, 0, 1)]), (30.0, [(15.0, 0, 1), (75.0, 0, 1)])):
        assert run(*first, (NEAR, ALIVE, alive), (NEAR, DEAD, 30.0)) == missed


def test_a_colleague_who_speaks_again_is_missed_only_after_a_whole_silence():
    parts = (NEAR, ALIVE, 10.0), (NEAR, DEAD, 4.0), (NEAR, ALIVE, 1.0), (NEAR, DEAD, 30.0)
    assert run(*parts) == [(20.0, 0, 1)]


def test_one_event_for_each_silence_whoever_was_near():
    missing, near = MissingColleague(3), np.ones((3, 3), bool)
    found = [missing.step(near, [False, False, second >= 10], 1.0, second) for second in range(40)]
    assert [event for event in found if event] == [(0, 2)]


def test_the_dead_miss_nobody():
    missing = MissingColleague(2)
    assert all(missing.step(NEAR, [second >= 10] * 2, 1.0, second) is None for second in range(40))


def test_bad_input_is_named():
    with pytest.raises(InputError, match="in_earshot"):
        MissingColleague(2).step(np.ones((3, 3), bool), [False] * 3, 1.0, 0.0)
    with pytest.raises(InputError, match="before"):
        MissingRule(before=-1.0)
