"""Areas, their exits, closures and posts, and the chokepoints of a layout."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at
from lastseen.errors import InputError, QueryError
from lastseen.layers.spread import Spread
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.read import read_level
from lastseen.level.sight.query import sees_each
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh
from lastseen.reasoning.tactical.area import Area, area_of, area_reached, area_within, local_links
from lastseen.reasoning.tactical.chokepoints import find_chokepoints
from lastseen.reasoning.tactical.exits import cells_closing, exits_of
from lastseen.reasoning.tactical.exposure import posts_watching
from oracles import tactical as oracle
from oracles.layers import distances, links_of
from specimens.cells import passable, rooms_with_thin_wall, tile_layout

TEXT = """
.....#.....
.....#.....
...........
.....#.....
.....#.....
####.#.####
.....#.....
.....#.....
"""
LAYOUT = tile_layout(passable(TEXT))
SIGHT = Sight.from_level(Level(Tiles((TileFloor(passable(TEXT)),))))


def room(layout, left, top, right, bottom):
    xyz = layout.arrays.cell_xyz
    return area_of(layout, (xyz[:, 0] > left) & (xyz[:, 0] < right) & (xyz[:, 1] > top) & (xyz[:, 1] < bottom))


NORTH_WEST = room(LAYOUT, 0, 0, 5, 5)


def test_the_exits_of_a_room_are_its_doors():
    exits = exits_of(NORTH_WEST)
    assert len(exits) == 2
    assert exits.direction == pytest.approx(np.array([(1, 0), (0, 1)]))
    assert exits.width == pytest.approx([1.0, 1.0])
    assert np.abs(exits.xyz[:, :2] - [(5.5, 2.5), (4.5, 5.5)]).max() <= 0.2
    assert exits.leads_to.tolist() == [0, 1], "the east, and the room below: not joined outside"
    assert exits.beyond.tolist() == [37.0, 11.0]
    assert exits.goes_on.tolist() == [False, False]
    assert exits_of(NORTH_WEST, look=3.0).goes_on.tolist() == [True, True]
    assert exits.inner[0].tolist() == [cell_at(LAYOUT, (4.5, 2.5))]
    assert exits.outer[1].tolist() == [cell_at(LAYOUT, (4.5, 5.5))]


def test_a_closed_door_is_no_exit_and_the_whole_floor_has_none():
    live = LiveLayout(LAYOUT)
    cut = live.cut([(5.2, 2.0), (5.8, 2.0), (5.8, 3.0), (5.2, 3.0)], 0.0, 2.0)
    assert len(exits_of(area_of(live, NORTH_WEST.cells))) == 1
    live.lift(cut)
    assert len(exits_of(area_of(live, NORTH_WEST.cells))) == 2
    whole = exits_of(area_of(LAYOUT, np.ones(len(LAYOUT), bool)))
    assert len(whole) == 0
    assert whole.xyz.shape == (0, 3)


def test_thin_doors_between_cells_are_found_and_measured():
    thin = rooms_with_thin_wall()
    exits = exits_of(room(thin, 0, 0, 6.1, 6))
    assert len(exits) == 1
    assert exits.width[0] == pytest.approx(1.0, abs=0.05)
    assert exits.xyz[0, :2] == pytest.approx((6.1, 2.65), abs=0.3)


def test_an_open_field_has_its_rim_in_pieces():
    field = tile_layout(np.ones((40, 40), bool))
    exits = exits_of(area_within(field, (20.5, 20.5), 8.0), widest=6.0)
    assert 8 <= len(exits) <= 16
    away = exits.xyz[:, :2] - 20.5
    assert (np.abs(np.hypot(*away.T) - 8.0) < 1.5).all()
    outward = (exits.direction * away).sum(axis=1) / np.hypot(*away.T)
    assert (outward > 0.8).all()
    assert np.isinf(exits.width).all()
    assert exits.goes_on.all() or exits.beyond.min() > 100.0
    assert (exits.leads_to == 0).all()


def test_areas_by_radius_stop_at_walls_and_areas_by_time_go_through_doors():
    near = area_within(LAYOUT, (4.5, 0.5), 2.1)
    xyz = LAYOUT.arrays.cell_xyz[near.cells]
    assert (np.hypot(xyz[:, 0] - 4.5, xyz[:, 1] - 0.5) <= 2.1).all()
    assert cell_at(LAYOUT, (6.5, 0.5)) not in near.cells, "as near, but behind the wall"
    walk = Spread(LAYOUT)
    reached = area_reached(walk, (4.5, 2.5), seconds=1.0, speed=2.5)
    true = sorted(distances(LAYOUT, [cell_at(LAYOUT, (4.5, 2.5))], 2.5))
    assert reached.cells.tolist() == true
    assert near.holds([near.cells[0], cell_at(LAYOUT, (9.5, 7.5))]).tolist() == [True, False]


@given(st.tuples(st.integers(0, 10), st.integers(0, 7)), st.floats(0.6, 6.0))
def test_every_way_out_passes_an_exit(place, radius):
    centre = (place[0] + 0.5, place[1] + 0.5)
    if cell_at(LAYOUT, centre) < 0:
        return
    area = area_within(LAYOUT, centre, radius)
    exits = exits_of(area, widest=3.0)
    inside = set(area.cells.tolist())
    leaving = {
        (one, two) for one, ways in links_of(LAYOUT).items() for two, _ in ways if one in inside and two not in inside
    }
    named = [(set(exits.inner[k].tolist()), set(exits.outer[k].tolist())) for k in range(len(exits))]
    assert all(any(one in inner and two in outer for inner, outer in named) for one, two in leaving)
    assert {one for one, _ in leaving} == set().union(*(inner for inner, _ in named), set())
    links = local_links(LAYOUT, area.cells)
    assert sorted(zip(area.cells[links.inner].tolist(), links.outer.tolist())) == sorted(leaving)


def test_the_fewest_cells_close_a_room_at_its_doors():
    outer = room(LAYOUT, 0, 0, 8, 7)
    inner = room(LAYOUT, 0, 0, 3, 5)
    for near, cells in (("inside", [(4.5, 2.5), (4.5, 4.5)]), ("outside", [(6.5, 2.5), (4.5, 6.5)])):
        closing = cells_closing(inner, outer, near=near)
        assert closing.reason == "closed"
        assert sorted(closing.cells.tolist()) == sorted(cell_at(LAYOUT, place) for place in cells)
        assert closing.width == pytest.approx([1.0, 1.0])
    assert cells_closing(inner, inner).reason == "touching"
    assert cells_closing(inner, outer, most=1).reason == "too_many"
    everything = area_of(LAYOUT, np.ones(len(LAYOUT), bool))
    assert len(cells_closing(inner, everything).cells) == 0, "nobody gets out of the whole floor"


@given(st.integers(0, 10_000), st.sampled_from(["inside", "outside"]))
def test_cells_that_close_are_as_few_as_can_be_and_do_close(seed, near):
    random = np.random.default_rng(seed)
    layout = tile_layout(np.pad(random.random((4, 5)) < 0.75, 1, constant_values=True))
    middle = area_of(layout, np.flatnonzero(layout.arrays.cell_grid[:, :2].sum(axis=1) == 5)[:1])
    grid = layout.arrays.cell_grid.astype(int)
    inside = (grid[:, 0] > 0) & (grid[:, 0] < 6) & (grid[:, 1] > 0) & (grid[:, 1] < 5)
    inside[middle.cells] = True
    outer = area_of(layout, inside)
    closing = cells_closing(middle, outer, near=near)
    arrays = layout.arrays
    source, sink = np.zeros(len(layout), bool), ~inside
    source[middle.cells] = True
    true = oracle.fewest_cells(arrays.link_start.astype(int), arrays.link_cell, source, sink)
    if true is None:
        assert closing.reason == "touching"
    else:
        assert (closing.reason, len(closing.cells)) == ("closed", true)
        barred = set(closing.cells.tolist())
        assert not oracle._joined(arrays.link_start.astype(int), arrays.link_cell, source, sink, barred)


def test_one_post_in_the_corner_watches_both_doors():
    exits = exits_of(NORTH_WEST)
    posts = posts_watching(LAYOUT, SIGHT, exits.xyz, candidates=NORTH_WEST.cells)
    assert len(posts) == 1
    assert posts.fewest
    assert posts.watcher.tolist() == [0, 0]
    far = [(9.5, 7.5, 0.0), (0.5, 7.5, 0.0)]
    apart = posts_watching(LAYOUT, SIGHT, far)
    assert len(apart) == 2
    assert sorted(apart.watcher.tolist()) == [0, 1]
    one = posts_watching(LAYOUT, SIGHT, far, most=1)
    assert len(one) == 1
    assert not one.fewest
    assert sorted(one.watcher.tolist()) == [-1, 0]
    nobody = posts_watching(LAYOUT, SIGHT, far, candidates=[])
    assert len(nobody) == 0
    assert nobody.watcher.tolist() == [-1, -1]
    assert nobody.watchable.tolist() == [False, False]
    assert len(posts_watching(LAYOUT, SIGHT, [])) == 0


@given(st.integers(0, 10_000), st.integers(1, 20), st.floats(2.0, 12.0))
def test_posts_are_as_few_as_trying_all_sets_and_see_what_they_watch(seed, count, reach):
    random = np.random.default_rng(seed)
    spots = LAYOUT.arrays.cell_xyz[random.choice(len(LAYOUT), count, replace=False)].astype(float)
    some = np.sort(random.choice(len(LAYOUT), 9, replace=False))
    posts = posts_watching(LAYOUT, SIGHT, spots, candidates=some, reach=reach, least=0.5)
    eyes = LAYOUT.arrays.cell_xyz[some].astype(float)
    up = np.array([0.0, 0.0, 1.0])
    table = sees_each(SIGHT, eyes + 1.6 * up, spots + up)
    away = np.linalg.norm(eyes[:, None] - spots[None], axis=2)
    space = np.linalg.norm(eyes[:, None] - (spots + up)[None], axis=2)
    table = table & (away >= 0.5) & (space <= reach)
    assert (posts.watchable == table.any(axis=0)).all()
    assert ((posts.watcher >= 0) == posts.watchable).all()
    for point, post in enumerate(posts.watcher.tolist()):
        assert post < 0 or table[some.tolist().index(posts.cells[post]), point]
    true = oracle.fewest_posts(table)
    if posts.fewest:
        assert len(posts) == true
    else:
        assert count > 14
        assert true <= len(posts) <= true * (1.0 + math.log(count))


def test_chokepoints_are_the_doors_and_not_the_corners_of_rooms():
    chokes = find_chokepoints(LAYOUT)
    doors = {(5, 2), (4, 5), (6, 5)}
    assert {(int(x), int(y)) for x, y, _ in chokes.xyz} == doors
    assert chokes.width == pytest.approx([1.0] * 3)
    assert chokes.cuts.all()
    assert np.isinf(chokes.way_round).all()
    assert np.linalg.norm(chokes.ends[:, 0] - chokes.ends[:, 1], axis=1) == pytest.approx([1.0] * 3)
    thin = find_chokepoints(rooms_with_thin_wall())
    assert len(thin) == 1
    assert thin.width[0] == pytest.approx(1.0, abs=0.05)


def test_a_way_round_makes_a_narrow_place_none_unless_it_is_long():
    ring = np.ones((12, 12), bool)
    ring[1:11, 1:11] = False  # a corridor one metre wide all around: 40 m or more
    layout = tile_layout(ring)
    assert len(find_chokepoints(layout, detour=60.0, least=0.0)) == 0
    long = find_chokepoints(layout, detour=20.0, least=0.0)
    assert len(long) >= 1
    assert not long.cuts.any()
    assert ((long.way_round > 20.0) & (long.way_round < 60.0)).all()
    assert len(find_chokepoints(tile_layout(np.ones((9, 9), bool)))) == 0


def test_a_corridor_has_one_chokepoint_in_its_middle():
    text = "\n".join(
        ["....#########....", "....#########....", ".................", "....#########....", "....#########...."]
    )
    chokes = find_chokepoints(tile_layout(passable(text)))
    assert len(chokes) == 1
    assert chokes.xyz[0, :2] == pytest.approx((8.5, 2.5), abs=0.5)


def test_chokepoints_round_a_place_are_those_of_the_whole_layout_that_are_near():
    row = "....#" * 12
    text = "\n".join([row, row.replace("#", "."), row, row])  # twelve rooms in a row, with doors between neighbours
    layout = tile_layout(passable(text))
    everywhere = find_chokepoints(layout)
    assert len(everywhere) >= 10
    place = (30.0, 2.0, 0.0)
    near = np.linalg.norm(everywhere.xyz - place, axis=1) <= 12.0
    found = find_chokepoints(layout, around=place, radius=12.0)
    assert 3 <= len(found) == near.sum() < len(everywhere)
    assert sorted(map(tuple, found.xyz.tolist())) == sorted(map(tuple, everywhere.xyz[near].tolist()))
    assert len(find_chokepoints(layout, around=(300.0, 0.0), radius=5.0)) == 0


@pytest.mark.data
def test_on_a_real_map_closing_a_chokepoint_parts_its_two_sides(data):
    level = read_level(data / "movingai" / "lak303d.map")
    layout = CellLayout.from_navmesh(NavMesh.from_level(level, Body(radius=0.0)))
    chokes = find_chokepoints(layout, widest=3.0, detour=30.0)
    assert len(chokes) > 10
    ways = links_of(layout)
    xyz = layout.arrays.cell_xyz.astype(float)
    for row in np.flatnonzero(chokes.cuts)[:5].tolist():
        left, right = chokes.ends[row]
        start, goal = chokes.sides[row].tolist()
        seen, waiting = {start}, [start]
        while waiting:
            cell = waiting.pop()
            for other, _ in ways[cell]:
                if other not in seen and not oracle.crosses(xyz[cell], xyz[other], left, right):
                    seen.add(other)
                    waiting.append(other)
        assert goal not in seen


@pytest.mark.parametrize(
    ("call", "error", "words"),
    [
        (lambda: area_of(None, [0]), InputError, "CellLayout"),
        (lambda: area_of(LAYOUT, [-1]), InputError, "cell -1"),
        (lambda: area_within(LAYOUT, (99, 99), 3.0), QueryError, "off the mesh"),
        (lambda: area_within(LAYOUT, (1, 1), 0.0), InputError, "radius"),
        (lambda: area_reached(LAYOUT, (1, 1), seconds=1.0), InputError, "Spread"),
        (lambda: area_reached(Spread(LAYOUT), (1, 1), seconds=-1.0), InputError, "seconds"),
        (lambda: exits_of(LAYOUT), InputError, "area_within"),
        (lambda: exits_of(NORTH_WEST, widest=0), InputError, "widest"),
        (lambda: cells_closing(NORTH_WEST, NORTH_WEST, near="both"), InputError, "outside"),
        (lambda: cells_closing(NORTH_WEST, NORTH_WEST, most=-1), InputError, "most"),
        (lambda: cells_closing(NORTH_WEST, None), InputError, "outer"),
        (lambda: posts_watching(LAYOUT, None, []), InputError, "Sight.from_level"),
        (lambda: posts_watching(LAYOUT, SIGHT, [], least=-1), InputError, "least"),
        (lambda: find_chokepoints(LAYOUT, widest=0), InputError, "widest"),
        (lambda: find_chokepoints(None), InputError, "CellLayout"),
        (
            lambda: cells_closing(NORTH_WEST, Area(rooms_with_thin_wall(), np.zeros(1, np.int32))),
            QueryError,
            "different layouts",
        ),
    ],
)
def test_bad_arguments_of_areas_are_told(call, error, words):
    with pytest.raises(error, match=words):
        call()
