"""Areas and chokes of a level (chapter 28), built from doors, zones and chokepoints."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.layout import CellLayout
from lastseen.errors import InputError
from lastseen.level.level import Level
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.tactical.environment import Environment

DOOR = """\
name: two rooms

###########
#....#....#
#....+....#
#....#....#
###########
"""
GAP = """\
name: three rooms

####################
#......#....#......#
#......#....#......#
#..................#
#......#....#......#
#......#....#......#
####################
"""


def of(text: str, **more: object) -> tuple[Environment, CellLayout]:
    level = Level.from_text(text)
    cells = CellLayout.from_level(level)
    return Environment.from_level(level, cells, **more), cells


def test_a_door_divides_two_rooms() -> None:
    environment, cells = of(DOOR)
    assert sorted(round(one.size) for one in environment.areas) == [12, 14], "the door belongs to one of them"
    (choke,) = environment.chokes
    assert (choke.door, choke.walkable, sorted(choke.areas)) == (0, True, [0, 1])
    assert choke.xyz[:2] == pytest.approx([5.5, 2.5])
    left, right = environment.area_at([(2.0, 2.0, 0.0), (8.0, 2.0, 0.0)]).tolist()
    assert environment.path(left, right) == (left, right)
    assert choke.beyond(left) == right
    assert sum(len(one.cells) for one in environment.areas) == len(cells)


def test_position_nodes_are_on_their_side_and_see_the_floor_at_the_choke() -> None:
    for name in ("warehouse", "house"):
        level = Level.sample(name)
        cells = CellLayout.from_level(level)
        environment, sight = Environment.from_level(level, cells), Sight.from_level(level)
        for choke in environment.chokes:
            for area in choke.areas:
                nodes = choke.posts_in(area)
                assert 1 <= len(nodes) <= 3
                assert (environment.area_at(nodes) == area).all()
                assert np.linalg.norm(nodes - choke.xyz, axis=1).max() <= 6.5
                floor = cells.arrays.cell_xyz[environment.areas[area].cells].astype(np.float64)
                front = floor[np.argsort(np.linalg.norm(floor - choke.xyz, axis=1))[:4]]
                eyes = np.repeat(nodes[:1] + np.array([0.0, 0.0, 1.6]), len(front), axis=0)
                assert sees(sight, eyes, front + np.array([0.0, 0.0, 1.2])).any()


def test_zones_are_areas_with_their_kind_and_name() -> None:
    level = Level.sample("moat")
    environment = Environment.from_level(level, CellLayout.from_level(level))
    (bank,) = [one for one in environment.areas if one.name == "inner bank"]
    assert bank.kind == "zone"
    assert bank.size == pytest.approx(18.0, abs=2.0)
    assert len(environment.areas) == 3
    assert [one.kind for one in environment.areas if one is not bank] == ["dead end", "dead end"]
    assert len(environment.chokes_of(bank.number)) == 2


def test_chokepoints_divide_a_level_without_doors_and_zones() -> None:
    environment, _ = of(GAP)
    at = environment.area_at([(3.0, 2.0, 0.0), (10.0, 2.0, 0.0), (16.0, 2.0, 0.0)]).tolist()
    assert len(set(at)) == 3
    assert [one.areas for one in environment.chokes] == [(at[0], at[1]), (at[1], at[2])]
    assert environment.path(at[0], at[2]) == tuple(at)
    assert all(one.xyz[1] == pytest.approx(3.5, abs=0.3) for one in environment.chokes)
    assert of(GAP, widest=0.5)[0].chokes == ()


def test_entrants_grow_with_the_size_from_one_to_six() -> None:
    small, _ = of(DOOR)
    assert {one.entrants for one in small.areas} == {1}
    level = Level.sample("complex")
    large = Environment.from_level(level, CellLayout.from_level(level))
    assert {one.entrants for one in large.areas} == {1, 2, 3, 4, 5, 6}
    assert all(one.entrants == min(6, max(1, round(one.size / 30.0))) for one in large.areas)
    places = np.tile(large.place_of(int(large.areas[0].cells[0])), (large.areas[0].entrants, 1))
    assert large.full_areas(places) == {0}
    assert large.full_areas(places[1:]) == set()


def test_28_5_12_agents_outside_cover_every_choke_before_any_gets_a_second() -> None:
    environment, _ = of(DOOR, windows=[(5.5, 1.5, 0.0)])
    left, right = environment.area_at([(2.0, 2.0, 0.0), (8.0, 2.0, 0.0)]).tolist()
    door, window = environment.chokes
    assert (door.walkable, window.walkable) == (True, False)
    four = [(1.5, 1.5, 0.0), (1.5, 3.5, 0.0), (3.5, 1.5, 0.0), (3.5, 3.5, 0.0)]
    given = environment.cover(right, four)
    assert [choke for choke, _ in given].count(0) == [choke for choke, _ in given].count(1) == 2
    nodes = np.array([node for _, node in given])
    assert (environment.area_at(nodes) == left).all()
    assert {choke for choke, _ in environment.cover(right, four[:2])} == {0, 1}


def test_windows_join_areas_for_sight_and_sound_only() -> None:
    wall = DOOR.replace("+", "#")
    environment, _ = of(wall, windows=[(5.5, 2.5, 0.0)])
    left, right = environment.area_at([(2.0, 2.0, 0.0), (8.0, 2.0, 0.0)]).tolist()
    assert environment.path(left, right) == (), "it is unreachable on foot"
    assert environment.path(left, right, walkable=False) == (left, right)
    assert environment.chokes_of(left, walkable=True) == ()


def test_wrong_arguments_are_refused() -> None:
    level = Level.from_text(DOOR)
    with pytest.raises(InputError, match="windows"):
        Environment.from_level(level, CellLayout.from_level(level), windows="north")
    with pytest.raises(InputError, match="widest"):
        Environment.from_level(level, CellLayout.from_level(level), widest=0.0)
