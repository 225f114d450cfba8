"""News: what colleagues tell each other takes the time of a voice or of a radio, and of the listener's reaction."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.knowledge.knowledge import SHARING, Knowledge, Sharing
from lastseen.agents.knowledge.news import News
from lastseen.kernels.arrays.agent_arrays import BODY, SIGHT, TOLD

REACTION = 0.16


class Told:
    """Three of a team at x = 0, 3.43 and 40 m; the first sees the target from 1 s on, the others listen."""

    def __init__(self, policy: Sharing):
        self.policy = policy
        self.table = bodies([(0, 0), (3.43, 0), (40, 0), (90, 90)], team=[0, 0, 0, 1])
        self.knowledge = Knowledge(self.table, [0, 1, 2], [3])
        self.news = News(self.knowledge, lambda rows: np.full(len(rows), REACTION))
        self.barred = np.zeros((3, 1), np.bool_)

    def see(self, now: float) -> None:
        know = self.knowledge.arrays
        know.source[0, 0], know.time[0, 0], know.xyz[0, 0, 0], know.identified[0, 0] = SIGHT, now, now, 1

    def at(self, now: float) -> list[float]:
        """Return the times of the records after news has spread."""
        self.news.spread(self.knowledge, self.table, self.policy, now, self.barred)
        return self.knowledge.arrays.time[:, 0].tolist()


def test_a_voice_takes_ten_milliseconds_over_343_centimetres_and_a_reaction() -> None:
    told = Told(SHARING["on contact"])
    told.see(1.0)
    assert told.at(1.0) == [1.0, -math.inf, -math.inf]
    assert told.at(1.0 + REACTION) == [1.0, -math.inf, -math.inf]
    assert told.at(1.0 + REACTION + 0.01) == [1.0, 1.0, -math.inf], "the third is out of earshot and has no radio"
    know = told.knowledge.arrays
    assert (know.source[1, 0], know.identified[1, 0], know.xyz[1, 0, 0]) == (TOLD, 1, 1.0)
    assert know.from_xyz[1, 0].tolist() == pytest.approx([3.43, 0.0, 0.0])


def test_by_radio_all_know_after_its_delay_and_those_in_earshot_earlier() -> None:
    told = Told(SHARING["broadcast"])
    told.see(1.0)
    told.at(1.0)
    assert told.at(1.2) == [1.0, 1.0, -math.inf]
    assert told.at(1.3 + REACTION - 0.01) == [1.0, 1.0, -math.inf]
    assert told.at(1.3 + REACTION) == [1.0, 1.0, 1.0]


def test_the_next_message_is_sent_when_the_last_one_is_understood() -> None:
    told = Told(SHARING["on contact"])
    for now in (1.0, 1.1, 1.2):
        told.see(now)
        known = told.at(now)
    assert known[1] == 1.0, "as it was when it was said"
    told.see(1.3)
    told.at(1.3)
    assert told.at(1.2 + REACTION + 0.011)[1] == 1.2


def test_walls_bar_voices_but_not_radios() -> None:
    for policy, knows in (("on contact", [False, False]), ("broadcast", [True, True])):
        told = Told(SHARING[policy])
        told.news.hears = np.eye(3, dtype=np.bool_)
        told.see(1.0)
        told.at(1.0)
        told.at(1.3 + REACTION - 0.01)
        assert told.knowledge.arrays.source[1, 0] == 0, "by radio it takes as long as far away"
        assert np.isfinite(told.at(1.3 + REACTION)[1:]).tolist() == knows


def test_news_is_lost_on_those_that_went_down_know_better_or_are_not_told_any_more() -> None:
    told = Told(SHARING["on contact"])
    told.see(1.0)
    told.at(1.0)
    know = told.knowledge.arrays
    know.source[1, 0], know.time[1, 0] = SIGHT, 1.1
    assert told.at(2.0)[1] == 1.1
    told.see(2.0)
    told.at(2.0)
    told.table.mode[1] = BODY
    assert told.at(3.0)[1] == 1.1
    told.table.mode[1] = 0
    told.barred[1] = True
    assert told.at(4.0)[1] == 1.1
    assert not np.isfinite(told.news.due).any()
    told.barred[1] = False
    told.at(4.0)
    told.news.forget((1, 0))
    told.policy = SHARING["private"]
    assert told.at(5.0)[1] == 1.1
