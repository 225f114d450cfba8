"""The sum between chokes (equation 28.1); tests named after the acceptance checks."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.hearing.area_hearing import AreaGraph, AreaHearing, Choke
from lastseen.agents.senses.hearing.sounds import Sound
from lastseen.errors import InputError

A, B, C, D, LONELY = range(5)


def graph(window1, door2, window2, door3):
    return AreaGraph((Choke(A, B, window1), Choke(B, C, door2), Choke(C, B, window2), Choke(C, D, door3)))


WORKED = graph((10, 0), (14, 3), (16, 8), (14, 15))


def test_28_5_4_the_worked_example():
    metres, last = WORKED.route((0, 0), A, (19, 15), D)
    assert metres == pytest.approx(10 + 5 + 12 + 5)
    assert last.tolist() == [14, 15, 0]
    assert WORKED.way(A, D) == (A, B, C, D)


def test_28_5_5_the_choice_is_greedy():
    greedy = graph((10, 0), (13, 4), (10, 6), (10, 12))
    metres = greedy.distance((10, 0), A, (10, 12), D)
    assert metres == pytest.approx(13.544, abs=1e-3)


def test_28_5_6_straight_within_an_area_and_nothing_without_a_way():
    assert WORKED.distance((0, 0), A, (3, 4), A) == 5.0
    assert WORKED.distance((0, 0), A, (3, 4), LONELY) == np.inf
    assert WORKED.way(A, LONELY) == ()


def test_who_hears_over_an_area_graph():
    def area_of(points):
        return np.where(points[:, 0] < 10, A, np.where(points[:, 0] > 50, -1, D))

    model = AreaHearing(WORKED, area_of)
    table = bodies([(19, 15), (3, 4), (60, 0)])
    found = model.listen([Sound("noise", (0, 0), 32.5, 1.0), Sound("noise", (0, 0), 31.5, 1.0)], table, [0, 1, 2])
    assert found.heard.tolist() == [[True, True, False], [False, True, False]]
    assert found.metres[0].tolist() == pytest.approx([32.0, 5.0, np.inf])
    assert found.direction_xy[0, 0].tolist() == pytest.approx([-1.0, 0.0])


def test_bad_graphs_are_refused():
    with pytest.raises(InputError, match="one"):
        Choke(-1, 0, (0, 0))
    with pytest.raises(InputError, match="area_of"):
        AreaHearing(WORKED, None)
