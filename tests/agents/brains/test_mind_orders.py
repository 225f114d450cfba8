"""Orders of a mind: what a user's own leaf gives is taken if it makes sense, and named if it does not."""

import numpy as np
import pytest

import lastseen as ls


@pytest.fixture(scope="module")
def mind():
    scenario = ls.parse_scenario("level: corridor\nagents: [{name: Ames, at: [6, 4], patrol: beat}]\n")
    return ls.make_world(scenario).minds[0]


@pytest.mark.parametrize("place", [(8.0, 4.0, 0.0), (8.0, 4.0), [8, 4], np.array([8.0, 4.0, 0.0])])
def test_places_of_any_form_are_goals(mind, place):
    mind.stand()
    mind.go(place, "walk")
    mind.go(place, "walk")
    assert mind.world.orders.arrays.goal_xyz[mind.number].tolist() == [8.0, 4.0, 0.0]


@pytest.mark.parametrize(
    ("order", "words"),
    [
        (lambda mind: mind.go((8.0, 4.0, 0.0), "wlak"), r"no gait 'wlak'.*'walk'"),
        (lambda mind: mind.go("there", "walk"), "place"),
        (lambda mind: mind.be("angry"), "no state 'angry'.*patrol"),
        (lambda mind: mind.say(5), "line is"),
    ],
)
def test_what_makes_no_sense_is_named(mind, order, words):
    with pytest.raises(ls.LastSeenError, match=words):
        order(mind)
