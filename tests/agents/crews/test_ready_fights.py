"""Words of fights: whose line is clear, where to shoot from, is the target far, who was lost; orders and areas."""

from __future__ import annotations

import math

import numpy as np
import pytest

from lastseen.agents.behaviour.status import FAILURE, SUCCESS
from lastseen.agents.crews.combat.fights import (
    clear_line,
    far_target,
    firing,
    lost_from,
    out_of_lines,
    target_unreachable,
)
from lastseen.agents.crews.roles.vocabulary import Asked, Places
from lastseen.agents.crews.shipped.ambush import target_in_zone
from lastseen.agents.crews.shipped.leaves import GiveOrder, MarkUnreachable
from lastseen.agents.directions import Direction
from lastseen.errors import BehaviourError
from specimens.crews import Hall, crew_of


def test_a_line_is_clear_where_no_colleague_is_near_it() -> None:
    _, mind = crew_of([(2, 6), (6, 6.3), (6, 9)])
    table = clear_line(mind, (0, 1, 2), Asked("ranged"))
    assert table[:, 0].tolist() == [0.0, 1.0, 1.0], "the second stands 0.3 m beside the line of the first"
    places = Places.of([(2.0, 6.0, 0.0), (10.0, 2.0, 0.0)])
    assert clear_line(mind, (2,), Asked("ranged", places)).tolist() == [[0.0, 1.0]]


def test_slots_in_the_line_of_a_gun_are_not_out_of_lines_but_for_its_owner() -> None:
    _, mind = crew_of([(2, 6), (6, 9)], ["ranged", "melee"])
    places = Places.of([(8.5, 6.0, 0.0), (10.0, 7.5, 0.0)])
    assert out_of_lines(mind, (0, 1), Asked("melee", places)).tolist() == [[1.0, 1.0], [0.0, 1.0]]


def test_places_to_shoot_from_are_at_their_distance_in_different_directions() -> None:
    _, mind = crew_of([(4, 6), (5, 6)])
    found = firing(mind, near=4.0, far=6.0, walk=9.0)
    away = np.linalg.norm(found.xyz - (10.0, 6.0, 0.0), axis=1)
    assert len(found) >= 4
    assert ((away >= 4.0) & (away <= 6.0)).all()
    assert len(set(found.number.tolist())) == len(found)
    again = firing(mind, near=4.0, far=6.0, walk=9.0)
    assert np.array_equal(again.xyz, found.xyz), "kept for a second"
    assert again.number.tolist() == found.number.tolist()
    assert len(firing(mind, near=50.0, far=60.0)) == 0
    spots = mind.paths.near(mind.known.xyz, 9.0)
    assert spots.dtype == np.float64, "or lines of sight are compiled for another type in the middle of a fight"


def test_in_an_open_hall_nobody_is_far_off() -> None:
    _, mind = crew_of([(1, 1), (2, 1)])
    assert far_target(mind)[0] is False


def test_who_was_lost_in_a_role_counts_for_a_while() -> None:
    hall, mind = crew_of([(4, 6), (5, 6), (6, 6)])
    mind.crew.given[0] = Direction(0, "flank", 0.0, "")
    hall.world.bodies.mode[0] = 2
    hall.update()
    assert mind.crew.lost_as[0][0] == "flank"
    assert lost_from(mind, "flank", within=1.0) == (True, "g0 was lost")
    assert not lost_from(mind, "melee")[0]
    hall.world.time += 2.0
    assert not lost_from(mind, "flank", within=1.0)[0]


def test_an_area_that_was_given_up_is_so_for_all_until_its_time_is_over() -> None:
    hall, mind = crew_of([(4, 6), (5, 6)])
    assert not target_unreachable(mind)[0]
    leaf = MarkUnreachable(radius=3.0, seconds=10.0)
    assert leaf.tick(mind) is SUCCESS
    held, why = target_unreachable(mind)
    assert held
    assert "no one got there in time" in why
    hall.world.time += 11.0
    assert not target_unreachable(mind)[0]
    unknown = Hall("root: {roles: [{role: {name: all, least: 0}}]}", [(4, 6), (5, 6)], knows=False)
    unknown.ask([0, 1])
    unknown.update()
    (blind,) = unknown.crews._minds.values()
    assert leaf.tick(blind) is FAILURE


def test_an_order_is_given_by_the_leader_or_by_those_of_a_role_in_turns() -> None:
    hall, mind = crew_of([(4, 6), (5, 6), (6, 6)])
    order = GiveOrder(trigger="ORDER_FLANK", every=5.0)
    order.tick(mind)
    assert mind.notice("order ORDER_FLANK") == (("ORDER_FLANK", 0), hall.world.time)
    first = hall.world.time
    hall.world.time += 4.0
    order.tick(mind)
    assert mind.notice("order ORDER_FLANK")[1] == first  # type: ignore[index]
    taunt = GiveOrder(trigger="TAUNT", every=1.0, role="all")
    said = []
    for _ in range(3):
        hall.world.time += 1.5
        taunt.tick(mind)
        said.append(mind.notice("order TAUNT")[0][1])  # type: ignore[index]
    assert said == [0, 1, 2]
    GiveOrder(trigger="X", role="nobody has it").tick(mind)
    assert mind.notice("order X") is None


def test_a_zone_that_is_not_there_is_told_of_and_one_without_a_target_is_never_entered() -> None:
    _, mind = crew_of([(4, 6), (5, 6)])
    assert target_in_zone(mind) == (False, "it is not there")
    with pytest.raises(BehaviourError, match="no zone 'court' in the level"):
        target_in_zone(mind, zone="court")
    mind.crew.key = (0, "fight", -1, -1)
    assert target_in_zone(mind)[0] is False
    assert math.isinf(mind.age) is False
