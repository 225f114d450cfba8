"""Sharing: private, broadcast, on contact."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import SHARING, SOURCES, Knowledge, Sharing, share, sharing
from lastseen.errors import InputError
from oracles.perception import newest


def team(places=((0, 0), (4, 0), (8, 0), (12, 0)), sides=(0, 0, 0, 0)):
    table = bodies([*places, (50, 50)], team=[*sides, 9])
    return table, Knowledge(table, range(len(places)), [len(places)])


def known(know):
    return [SOURCES[source] for source in know.arrays.source[:, 0]]


def test_private_knowledge_stays_private():
    table, know = team()
    know.touch(0, 0, table, 1.0)
    assert share(know, table, sharing("private")) == 0
    assert known(know) == ["touch", "nothing", "nothing", "nothing"]


def test_34_5_4_all_hold_the_same_place_and_time_when_one_perceives():
    table, know = team()
    know.touch(2, 0, table, 1.0)
    assert share(know, table, sharing("broadcast")) == 3
    assert known(know) == ["told", "told", "touch", "told"]
    assert (know.arrays.time[:, 0] == 1.0).all()
    assert (know.arrays.xyz[:, 0] == (50, 50, 0)).all()
    table.xyz[4] = 60, 60, 0
    assert share(know, table, sharing("broadcast")) == 0
    assert (know.arrays.xyz[:, 0] == (50, 50, 0)).all()


def test_news_travel_one_contact_a_step():
    table, know = team()
    know.touch(0, 0, table, 1.0)
    policy = Sharing("on contact", 5.0)
    assert [share(know, table, policy) for _ in range(4)] == [1, 1, 1, 0]
    assert known(know) == ["touch", "told", "told", "told"]


def test_those_who_meet_do_so_within_5_metres():
    for away, told in ((4.9, 1), (5.1, 0), (8.5, 0)):
        table, know = team(((0, 0), (away, 0)), (0, 0))
        know.touch(0, 0, table, 1.0)
        assert share(know, table, sharing("on contact")) == told, away


def test_who_is_told_is_as_sure_as_who_tells_and_no_surer():
    table, know = team()
    know.touch(1, 0, table, 1.0)
    know.touch(0, 0, table, 2.0)
    know.arrays.certainty[0, 0] = 0.25
    know.arrays.identified[0, 0] = 0
    share(know, table, sharing("broadcast"))
    assert know.arrays.certainty[:, 0].tolist() == [0.25] * 4
    assert know.arrays.identified[:, 0].tolist() == [0, 1, 0, 0]


def test_the_newest_is_told_and_never_the_older():
    table, know = team()
    know.touch(0, 0, table, 1.0)
    table.xyz[4] = 60, 60, 0
    know.touch(3, 0, table, 2.0)
    share(know, table, sharing("broadcast"))
    assert (know.arrays.xyz[:, 0, 0] == 60).all()


def test_other_teams_and_the_fallen_are_not_told_and_do_not_tell():
    table, know = team(sides=(0, 0, 1, 0))
    know.touch(0, 0, table, 1.0)
    table.mode[1] = 2
    for policy in (sharing("broadcast"), Sharing("on contact", 100.0)):
        once = know.copy()
        share(once, table, policy)
        assert known(once) == ["touch", "nothing", "nothing", "told"]
    know.touch(1, 0, table, 2.0)
    for policy in (sharing("broadcast"), Sharing("on contact", 100.0)):
        once = know.copy()
        share(once, table, policy)
        assert once.arrays.time[:, 0].tolist() == [1.0, 2.0, -np.inf, 1.0]


@given(st.integers(0, 10_000), st.sampled_from([3.0, 8.0, np.inf]))
def test_sharing_agrees_with_asking_everybody(seed, reach):
    random = np.random.default_rng(seed)
    count = 9
    table, know = team(random.uniform(0, 15, (count, 2)), random.integers(0, 2, count))
    table.mode[:count] = random.choice([0, 0, 0, 2], count)
    for row in random.choice(count, 4, replace=False):
        know.touch(int(row), 0, table, float(random.integers(0, 3)))
    before = know.arrays.time[:, 0].copy()
    share(know, table, Sharing("some", reach))
    for row in range(count):
        able = [
            other
            for other in range(count)
            if other != row
            and table.mode[other] == 0
            and table.team[other] == table.team[row]
            and np.linalg.norm(table.xyz[other] - table.xyz[row]) <= reach
        ]
        best = newest(before, able)
        hears = table.mode[row] == 0 and best >= 0 and before[best] > before[row]
        assert know.arrays.time[row, 0] == (before[best] if hears else before[row])
        assert (known(know)[row] == "told") == hears


def test_bad_policies_are_refused():
    table, know = team()
    with pytest.raises(InputError, match="did you mean 'broadcast'"):
        sharing("brodcast")
    with pytest.raises(InputError, match="SHARING"):
        share(know, table, "private")
    with pytest.raises(InputError, match="reach"):
        Sharing("x", float("nan"))
    assert set(SHARING) == {"private", "broadcast", "on contact"}
