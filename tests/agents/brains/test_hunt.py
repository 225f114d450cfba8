"""A hunt: who searches, until when, and that nothing is left of it."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.brains.hunt import Hunt
from lastseen.cells.layout import CellLayout
from lastseen.cells.query import cell_at
from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.reasoning.search.coordinator.coordinator import SearchCoordinator
from lastseen.reasoning.search.map.destination import Scoring
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.reasoning.tactical.environment import Environment
from specimens.cells import passable, tile_layout

HALL = tile_layout(passable("\n".join(["............"] * 6)))
HERE = (1.5, 1.5, 0.0)


def hunt(draws=(0.0, 0.5, 1.0), **settings):
    return Hunt(SearchMap(HALL), 10.0, np.array(draws), **{"stagger": 4.0, **settings})


def test_members_give_up_one_after_another_by_their_draws():
    search = hunt()
    assert not search.is_on(0.0)
    search.perceive(HERE, 3.0, sure=True)
    assert [agent for agent in range(3) if search.is_on(12.9, agent)] == [0, 1, 2]
    assert [agent for agent in range(3) if search.is_on(13.1, agent)] == [1, 2]
    assert [agent for agent in range(3) if search.is_on(15.1, agent)] == [2]
    assert search.is_on(16.9)
    assert not search.is_on(17.1)


def test_a_new_perception_gives_the_full_time_again():
    search = hunt()
    search.perceive(HERE, 0.0, sure=True)
    search.perceive(HERE, 8.0, sure=False)
    assert search.is_on(17.9, 0)


def test_who_saw_the_target_knows_that_it_is_nowhere_else():
    search = hunt()
    search.perceive(HERE, 0.0, sure=False)
    search.perceive((9.5, 4.5, 0.0), 1.0, sure=False)
    assert len(search.search.active) == 2
    search.perceive((5.5, 4.5, 0.0), 2.0, sure=True)
    assert len(search.search.active) == 1


def test_a_strong_stimulus_outweighs_what_the_search_knew_and_calls_its_members_away():
    search = hunt()
    search.perceive(HERE, 0.0, sure=True)
    search.search.advance(1.0)
    order = search.choose(0, HERE, 1.0)
    assert math.dist(order.goal, HERE) < 5.0
    assert not search.has_moved(0)
    there = (10.5, 4.5, 0.0)
    search.perceive(there, 1.5, sure=False, strong=True)
    values = search.search.value01
    assert values[cell_at(HALL, there)] == 1.0
    assert values[cell_at(HALL, HERE)] == pytest.approx(0.25, abs=0.01)
    assert search.has_moved(0)
    assert math.dist(search.choose(0, HERE, 1.5).goal, there) < 0.1
    assert not search.has_moved(0)
    search.perceive((10.5, 3.5, 0.0), 1.8, sure=False, strong=True)
    assert not search.has_moved(0), "a burst of shots is one stimulus"
    assert search.search.value01[cell_at(HALL, there)] == 1.0


def test_a_noise_moves_the_believed_place_only_from_further_than_four_metres():
    search = hunt(coordinator=SearchCoordinator(HALL))
    believed = []
    for now, x in enumerate((1.5, 5.4, 1.5, 5.6, 1.7)):
        search.perceive((x, 1.5, 0.0), float(now), sure=False, agents=[0], places=[(3.5, 4.5, 0.0)])
        believed.append(float(search.coordinator.estimate_xyz[0]))
    assert believed == [1.5, 1.5, 1.5, 5.6, 5.6]
    search.perceive((4.5, 1.5, 0.0), 9.0, sure=True, agents=[0], places=[(3.5, 4.5, 0.0)])
    assert search.coordinator.estimate_xyz[0] == 4.5, "what was seen counts from any distance"


def test_members_are_sent_apart_and_may_leave():
    search = hunt()
    search.perceive((6.5, 3.5, 0.0), 0.0, sure=True)
    search.search.advance(3.0)
    first, second = (search.choose(agent, HERE, 3.0) for agent in (0, 1))
    assert search.members == (0, 1)
    assert np.linalg.norm(np.subtract(first.goal, second.goal)) > 1.0
    search.leave(0, 4.0)
    assert search.members == (1,)


def test_a_bleeding_map_that_was_cleaned_begins_anew_as_wide_as_they_may_have_come():
    walls = tile_layout(passable("............\n......#.....\n......#....."))
    search = Hunt(SearchMap(walls, "bleeding"), 20.0, np.zeros(1))
    lost, here = (4.5, 1.5, 0.0), (0.5, 1.5, 0.0)
    search.perceive(lost, 0.0, sure=True, agents=[0], places=[here])
    widest = 0.0
    for tick in range(30):
        # Looks at the very place from the first moment on; beyond the wall nobody looks.
        search.advance(0.1, 0.1 * tick, [0], np.array([here]), np.zeros(1))
        reached = walls.arrays.cell_xyz[search.search.active]
        widest = max([widest, *np.abs(reached - lost).sum(axis=1).tolist()])
        assert widest <= 4.0 * 0.1 * (tick + 1) + 1.0, "nobody runs faster than that"
    assert search.search.value01[cell_at(walls, (8.5, 2.5, 0.0))] == 1.0
    assert search.search.value01[cell_at(walls, (2.5, 1.5, 0.0))] == 0.0
    assert search.choose(0, here, 3.0).goal is not None


def test_nobody_is_left_going_in_when_a_search_ends():
    search = hunt()
    search.perceive(HERE, 0.0, sure=True)
    search.choose(1, HERE, 0.0)
    search.approacher, search.approached = 1, 0.5
    search.advance(0.1, 30.0, [], np.zeros((0, 3)), np.zeros(0))
    assert search.approacher == -1
    assert search.approached == -np.inf
    assert search.members == ()


def test_by_gain_a_place_is_given_up_once_others_have_seen_most_of_what_it_showed():
    """Two searchers; in each step one of them checks whether its place is still worth going to."""
    gain = Scoring(by="gain", view=4.0, left=0.5)
    search = hunt(scoring=(gain,) * 3)
    search.perceive((6.5, 3.5, 0.0), 0.0, sure=True)
    search.search.advance(4.0)
    order = search.choose(1, (1.5, 5.5, 0.0), 4.0)
    far, nobody = (np.zeros((0, 3)), np.zeros(0)), []
    search.advance(1e-6, 4.1, nobody, *far)
    assert not search.is_spent(1)
    promised = search.search.gain(order.goal, scoring=gain)
    search.search.dismiss((order.goal[0] + 3.0, order.goal[1], 0.0), scoring=gain)
    left = search.search.gain(order.goal, scoring=gain)
    assert 0.0 < left < promised
    search.advance(1e-6, 4.2, nobody, *far)
    assert search.is_spent(1) == (left <= 0.5 * promised)
    search.search.dismiss(order.goal, scoring=gain)
    search.advance(1e-6, 4.3, nobody, *far)
    assert search.is_spent(1)
    assert not search.is_spent(0)
    search.choose(1, (1.5, 5.5, 0.0), 4.4)
    assert not search.is_spent(1)


def test_by_gain_a_searcher_at_its_place_is_done_with_what_it_shows():
    gain = Scoring(by="gain", view=4.0)
    for off, done in ((0.0, True), (5.0, False)):
        search = hunt(scoring=(gain,) * 3)
        search.perceive((6.5, 3.5, 0.0), 0.0, sure=True)
        search.search.advance(4.0)
        x, y, z = search.choose(0, HERE, 4.0).goal
        search.choose(0, (x + (off if x < 6.0 else -off), y, z), 4.5)
        assert (search.search.gain((x, y, z), scoring=gain) == 0.0) == done


@pytest.mark.parametrize("wrong", [{"stagger": -1.0}, {"stagger": float("nan")}])
def test_times_must_be_times(wrong):
    with pytest.raises(InputError, match="stagger"):
        hunt(**wrong)


ROOMS = """\
name: two rooms

###########
#....#....#
#....+....#
#....#....#
###########
"""


@pytest.mark.parametrize(("areas", "same"), [(False, True), (True, False)])
def test_by_area_no_more_go_to_one_than_should_enter(areas: bool, same: bool) -> None:
    level = Level.from_text(ROOMS)
    cells = CellLayout.from_level(level)
    environment = Environment.from_level(level, cells)
    search = SearchMap(cells, "gain")
    scoring = Scoring(by="gain", areas=areas, spread=0.0, taken=1.0)
    hunt = Hunt(search, 10.0, np.zeros(2), scoring=[scoring] * 2, environment=lambda: environment)
    search.seed([(9.0, 2.0)])
    search.advance(4.0)
    search.clean(environment.areas[environment.area_at([(2.0, 2.0)])[0]].cells[1:])
    hunt.bound[0] = (9.0, 2.5, 0.0)
    order = hunt.choose(1, (6.5, 2.5, 0.0), 0.0)
    assert order.goal is not None
    full = environment.area_at([(9.0, 2.0, 0.0)])[0]
    assert bool(environment.area_at([order.goal])[0] == full) is same
