"""Sight against slow answers, and what must hold whatever stands about."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.sight.sight_line import clear_lines
from lastseen.level.features import Door, Obstacle
from lastseen.level.level import Floor, Floors, Level, TileFloor, Tiles
from lastseen.level.read import read_level
from lastseen.level.samples import sample
from lastseen.level.sight.query import first_hit, sees, visible_area
from lastseen.level.sight.sight import Sight
from oracles import sight as sight_oracle

WIDTH = 12
AROUND = shapely.difference(shapely.box(-5, -5, WIDTH + 5, WIDTH + 5), shapely.box(0, 0, WIDTH, WIDTH))


def box(left, low, right, high):
    return np.array([[left, low], [right, low], [right, high], [left, high]], float)


@st.composite
def furnished(draw):
    """A square room of things that may overlap; corners on halves, so that many looks graze them."""
    things = []
    for _ in range(draw(st.integers(0, 6))):
        left, low = (draw(st.integers(0, 2 * WIDTH - 2)) / 2 for _ in range(2))
        width, depth = (draw(st.integers(1, 6)) / 2 for _ in range(2))
        outline = box(left, low, min(left + width, WIDTH), min(low + depth, WIDTH))
        if draw(st.booleans()):
            outline = outline[[0, 1, 2]]
        z, height = draw(st.sampled_from([(0.0, 1.0), (0.0, 3.0), (1.5, 0.5), (0.0, 1.5)]))
        things.append(Obstacle(outline, z, height))
    floor = Floor(np.column_stack([box(0, 0, WIDTH, WIDTH), np.zeros(4)]))
    return Level(Floors((floor,)), cover=tuple(things))


def solids_of(level):
    things = [(shapely.Polygon(thing.outline_xy), thing.z, thing.z + thing.height) for thing in level.cover]
    return [(AROUND, 0.0, 3.0), *things]


# Never on a corner or a side of a thing: there, one sees past what one touches.
places = st.integers(0, 4 * WIDTH - 1).map(lambda number: number / 4 + 0.125)
points = st.tuples(places, places, st.sampled_from([0.5, 1.0, 1.25, 1.6]))


@settings(max_examples=75, deadline=None)
@given(furnished(), st.lists(st.tuples(points, points), min_size=5, max_size=30))
def test_lines_among_things_agree_with_shapes_cut_by_lines(level, lines):
    sight, solids = Sight.from_level(level), solids_of(level)
    flat = [(one, other) for one, other in lines if one[:2] != other[:2] and not _inside(solids, one, other)]
    found = [bool(sees(sight, one, other)[0]) for one, other in flat]
    assert found == [sight_oracle.is_clear(solids, one, other) for one, other in flat]


def _inside(solids, *ends):
    """Whether an end is within a thing: what is seen from there is not said."""
    return any(
        shape.contains(shapely.Point(end[:2])) and low <= end[2] < high for end in ends for shape, low, high in solids
    )


@settings(max_examples=50, deadline=None)
@given(st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=4, max_size=6), st.data())
def test_lines_between_tiles_agree_with_shapes_cut_by_lines(rows, data):
    passable = np.array(rows)
    sight = Sight.from_level(Level(Tiles((TileFloor(passable),))))
    blocked = [(shapely.box(x, y, x + 1, y + 1), 0.0, 3.0) for y, x in np.argwhere(~passable).tolist()]
    height, width = passable.shape
    outer = shapely.difference(shapely.box(-5, -5, width + 5, height + 5), shapely.box(0, 0, width, height))
    free = np.argwhere(passable).tolist()
    if not free:
        return
    for _ in range(8):
        (y0, x0), (y1, x1) = data.draw(st.sampled_from(free)), data.draw(st.sampled_from(free))
        one, other = (x0 + 0.5, y0 + 0.5, 1.0), (x1 + 0.5, y1 + 0.5, 1.0)
        if one != other:
            expected = sight_oracle.is_clear([(outer, 0.0, 3.0), *blocked], one, other)
            assert bool(sees(sight, one, other)[0]) == expected


def spread(low, high, count, seed):
    return np.random.default_rng(seed).uniform(low, high, (count, 3))


@pytest.mark.parametrize("name", ["warehouse", "house", "complex"])
def test_the_grid_changes_no_answer_and_looks_go_both_ways(name):
    level = sample(name)
    sight = Sight.from_level(level)
    low = [*sight.arrays.wall[:, :2].min(axis=0) - 1.0, -1.0]
    high = [*sight.arrays.wall[:, :2].max(axis=0) + 1.0, 5.0]
    eyes = spread(low, high, 400, 1)
    ends = eyes + spread([-15.0, -15.0, -2.0], [15.0, 15.0, 2.0], 400, 2)
    # Looks along the grid of tiles as well: they graze walls and corners.
    eyes[::2], ends[::2] = np.round(eyes[::2] * 2) / 2, np.round(ends[::2] * 2) / 2
    for closed in (False, True):
        sight.set_doors(closed)
        expected = np.zeros(len(eyes), np.bool_)
        clear_lines(sight_oracle.without_grid(sight.arrays), eyes, ends, expected)
        assert sees(sight, eyes, ends).tolist() == expected.tolist()
        assert sees(sight, ends, eyes).tolist() == expected.tolist()
        assert 0 < expected.sum() < len(expected)


@settings(max_examples=40, deadline=None)
@given(furnished(), points, points)
def test_looks_end_where_something_begins(level, one, other):
    sight = Sight.from_level(level)
    if one == other or _inside(solids_of(level), one, other):
        return
    hit = first_hit(sight, one, other)
    assert bool(hit.reached[0]) == bool(sees(sight, one, other)[0])
    length = math.dist(one, other)
    share = float(hit.distance[0]) / length
    assert np.allclose(hit.xyz[0], np.array(one) + share * (np.array(other) - one))
    before, behind = (np.array(one) + (share + more / length) * (np.array(other) - one) for more in (-1e-4, 1e-4))
    if share * length > 1e-3:
        assert sees(sight, one, before)[0]
    if not hit.reached[0] and (1.0 - share) * length > 1e-3:
        assert not sees(sight, one, behind)[0]


@settings(max_examples=40, deadline=None)
@given(
    furnished(), points, st.floats(-4.0, 4.0), st.sampled_from([0.5, 1.5, 3.5, 7.0]), st.sampled_from([2.0, 6.0, 20.0])
)
def test_what_lies_in_the_visible_area_is_seen_and_nothing_else(level, eye, heading, angle, distance):
    sight = Sight.from_level(level)
    if _inside(solids_of(level), eye):
        return
    check_area(sight, eye, heading, angle, distance)


def check_area(sight, eye, heading, angle, distance, seed=3):
    outline = visible_area(sight, eye, heading, angle, distance)
    area = shapely.Polygon(outline)
    random = np.random.default_rng(seed)
    turn = heading + random.uniform(-math.pi, math.pi, 300)
    reach = distance * np.sqrt(random.random(300))
    xy = np.column_stack([eye[0] + reach * np.cos(turn), eye[1] + reach * np.sin(turn)])
    off = np.abs((turn - heading + math.pi) % (2 * math.pi) - math.pi)
    in_view = (off < angle / 2.0) & (reach < distance * math.cos(math.radians(1.5)))
    out_of_view = (off > angle / 2.0) | (reach > distance)
    seen = sees(sight, eye, np.column_stack([xy, np.full(300, eye[2])]))
    spots = shapely.points(xy)
    # On the very edge either answer is right.
    sure = shapely.distance(area.exterior, spots) > 1e-5
    inside = shapely.contains(area, spots)
    assert not (inside & out_of_view & sure).any()
    assert (inside == seen)[in_view & sure].all()
    assert area.exterior.is_ccw
    return outline


@pytest.mark.parametrize("name", ["warehouse", "house"])
def test_areas_seen_on_samples_hold_what_is_seen(name):
    level = sample(name)
    sight = Sight.from_level(level)
    for spawn in level.spawns:
        eye = (spawn.xyz[0], spawn.xyz[1], spawn.xyz[2] + 1.6)
        for angle in (1.2, 7.0):
            check_area(sight, eye, spawn.heading, angle, 12.0)


def test_the_area_seen_past_a_pillar_by_hand():
    floor = Floor(np.column_stack([box(0, 0, 10, 4), np.zeros(4)]))
    pillar = Obstacle(box(4, 1, 6, 3), 0.0, 3.0)
    table = Obstacle(box(1, 1, 2, 3), 0.0, 1.0)
    sight = Sight.from_level(Level(Floors((floor,)), obstacles=(pillar,), cover=(table,)))
    area = shapely.Polygon(visible_area(sight, (0.0, 2.0, 1.6), 0.0, 7.0, 100.0))
    # Shadow of the pillar: from its near corners (4, 1), (4, 3) to the long walls at (8, 0), (8, 4), and all beyond.
    # The eye touches the wall behind it.
    expected = shapely.Polygon([(0, 0), (8, 0), (4, 1), (4, 3), (8, 4), (0, 4)])
    assert shapely.symmetric_difference(area, expected).area < 1e-9


def test_crossing_walls_make_corners_of_the_view():
    floor = Floor(np.column_stack([box(0, 0, 10, 10), np.zeros(4)]))
    one = Obstacle(np.array([[5, 1], [6, 1], [6, 9], [5, 9]], float), 0.0, 3.0)
    other = Obstacle(np.array([[3, 5], [4, 4], [8, 8], [7, 9]], float), 0.0, 3.0)
    sight = Sight.from_level(Level(Floors((floor,)), obstacles=(one, other)))
    assert len(sight.crossings)
    check_area(sight, (1.3, 6.1, 1.6), 0.0, 7.0, 20.0)
    check_area(sight, (8.7, 3.1, 1.6), math.pi, 7.0, 20.0)


def test_areas_follow_doors():
    level = Level(Tiles((TileFloor(np.ones((3, 9), bool)),)), doors=(Door(box(4, 0, 5, 3), name="gate"),))
    sight = Sight.from_level(level)
    open_area = shapely.Polygon(visible_area(sight, (1.5, 1.5, 1.6), 0.0, 7.0, 50.0)).area
    sight.set_door("gate", True)
    assert math.isclose(open_area, 27.0)
    assert math.isclose(shapely.Polygon(visible_area(sight, (1.5, 1.5, 1.6), 0.0, 7.0, 50.0)).area, 12.0)


@pytest.mark.data
def test_triangles_of_a_real_dungeon_hide_the_same_with_and_without_grid(data):
    sight = Sight.from_level(read_level(data / "recast" / "dungeon.obj"))
    corners = sight.arrays.triangle[:, 7:].reshape(-1, 3)
    eyes = spread(corners.min(axis=0), corners.max(axis=0), 60, 4)
    ends = eyes + spread([-15.0, -15.0, -4.0], [15.0, 15.0, 4.0], 60, 5)
    expected = np.zeros(len(eyes), np.bool_)
    clear_lines(sight_oracle.without_grid(sight.arrays), eyes, ends, expected)
    assert sees(sight, eyes, ends).tolist() == expected.tolist()
    assert 0 < expected.sum() < len(expected)
