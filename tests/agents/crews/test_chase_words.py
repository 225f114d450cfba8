"""Ways out that nobody bars yet, and who gets to one before the target."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest

from lastseen.agents.crews.crew_mind import CrewMind
from lastseen.agents.crews.roles.vocabulary import Asked, Places
from lastseen.agents.crews.shipped.destinations import before_it, openings
from specimens.crews import Hall


def corridor(guards: Sequence[float]) -> CrewMind:
    """Return the mind of guards in a corridor of 60 m by 2 m, who know of their target at 30 m."""
    hall = Hall("root: {role: {name: all}}", [(x, 1.0) for x in guards], target=(30.0, 1.0), size=(60.0, 2.0))
    hall.ask(range(len(guards)))
    hall.update()
    (mind,) = hall.crews._minds.values()
    return mind


def ways_out(guards: Sequence[float]) -> list[str]:
    """Return which ways out of 10 m round the target are to be cut off."""
    along = openings(corridor(guards), radius=10.0, guessed=True).xyz[:, 0].tolist()
    return ["west" if x < 30.0 else "east" for x in sorted(along)]


def test_a_way_out_is_left_out_where_a_member_stands_between_it_and_the_target() -> None:
    # Both come from behind: the way west is past them, the way east is free.
    assert ways_out([24.0, 25.0]) == ["east"]
    # Who comes from beyond a way out does not bar it: it has to get there.
    assert ways_out([24.0, 55.0]) == ["east"]
    assert ways_out([5.0, 55.0]) == ["west", "east"]


def test_where_members_bar_every_way_out_all_of_them_are_left() -> None:
    assert ways_out([25.0, 35.0]) == ["west", "east"]


def test_who_walks_no_farther_than_the_target_is_there_before_it_and_who_walks_twice_as_far_is_late() -> None:
    mind = corridor([44.0, 25.0, 10.0])
    asked = Asked("cut off", Places.of([(40.0, 1.0, 0.0)]))
    table = before_it(mind, mind.members, asked)
    # 10 m for the target; 4, 15 and 30 for the three.
    assert table[:, 0].tolist() == pytest.approx([1.0, 10.0 / 15.0, 0.0], abs=0.03)
    assert before_it(mind, (2, 0), asked)[:, 0].tolist() == table[[2, 0], 0].tolist()


def test_it_is_measured_again_only_when_the_target_is_perceived_again() -> None:
    mind = corridor([44.0, 25.0])
    asked = Asked("cut off", Places.of([(40.0, 1.0, 0.0)]))
    first = before_it(mind, mind.members, asked).tolist()
    mind.world.bodies.xyz[1, 0] = 45.0
    mind.begin()
    assert before_it(mind, mind.members, asked).tolist() == first
    mind.world.knowledge.arrays.time[1, 0] += 0.1
    mind.begin()
    assert before_it(mind, mind.members, asked)[:, 0].tolist() == [1.0, 1.0]


def test_without_places_or_without_a_known_place_nobody_is_before_anybody() -> None:
    mind = corridor([44.0, 25.0])
    assert (before_it(mind, mind.members, Asked("follow")) == 1.0).all()
    off_the_floor = Places.of([(40.0, 30.0, 0.0)])
    assert np.array_equal(before_it(mind, mind.members, Asked("cut off", off_the_floor)), np.zeros((2, 1)))
    assert before_it(mind, mind.members, Asked("cut off", Places.of([]))).shape == (2, 0)


def test_who_stands_with_the_target_at_a_way_out_is_there_no_later() -> None:
    mind = corridor([30.0, 25.0])
    there = Asked("cut off", Places.of([(30.0, 1.0, 0.0)]))
    assert before_it(mind, mind.members, there)[:, 0].tolist() == [1.0, 0.0]
