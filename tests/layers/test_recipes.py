"""Recipes of Dave Mark's "Modular Tactical Influence Maps", with walking distance in place of the straight one."""

import pytest

from lastseen.layers.combination import product, weighted_sum
from lastseen.layers.layer import Layer
from lastseen.layers.selection import best_cells
from lastseen.layers.spread import Falloff, Spread
from specimens.layers import open_floor

FLOOR = open_floor(21, 9)
THREAT = Falloff.power(10.0, 4.0)


def cell(x, y=0):
    """The cell x steps right and y steps down of where I stand."""
    return FLOOR.cell_of[x + 5, y + 4]


def spread(sources, falloff, **options):
    layer = Layer(FLOOR, "influence", "float64")
    Spread(FLOOR).influence(layer, [cell(*at) for at in sources], falloff, **options)
    return layer


def test_battlefront_lies_half_way():
    front = product([spread([(10, 0)], THREAT), spread([(0, 0)], THREAT)], dtype="float64")
    (best,) = best_cells(front)
    assert best == cell(5)
    assert front.values[best] == pytest.approx(0.9375**2)


def test_interest_draws_the_battlefront_nearer():
    interest = spread([(0, 0)], Falloff.linear(14.0))
    front = product([spread([(10, 0)], THREAT), spread([(0, 0)], THREAT), interest], dtype="float64")
    assert best_cells(front).tolist() == [cell(4)]


def test_a_friend_moves_the_battlefront_towards_the_enemy():
    allies = spread([(0, 0), (5, 0)], THREAT, combine="sum")
    front = product([spread([(10, 0)], THREAT), allies], dtype="float64")
    (best,) = best_cells(front)
    assert best == cell(6)
    assert front.values[best] == pytest.approx(1.822, abs=5e-4)


def test_spacing_map_of_a_lone_agent_is_zero_everywhere():
    own = spread([(0, 0)], Falloff.linear(4.0))
    everyone = spread([(0, 0)], Falloff.linear(4.0), combine="sum")
    assert not weighted_sum([(everyone, 1.0), (own, -1.0)]).values.any()


def test_two_agents_close_together_are_felt_more_than_one():
    near = spread([(0, 0), (2, 0)], Falloff.linear(4.0), combine="sum")
    far = spread([(-5, 0), (10, 0)], Falloff.linear(4.0), combine="sum")
    assert near.values.max() > 1.0
    assert far.values.max() == 1.0
