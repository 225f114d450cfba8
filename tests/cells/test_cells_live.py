from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies
from lastseen.agents.senses.hearing.hearing import PathHearing
from lastseen.agents.senses.hearing.sounds import sound
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import (
    cell_at,
    cells_at,
    cells_in_box,
    cells_within,
    nearest_cell,
    neighbours,
    positions,
)
from lastseen.errors import InputError, QueryError
from lastseen.level.features import Door
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import find_path, raycast
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.simulation.experiments.chase.experiment import evaluate_chase
from oracles.cells import disabled_cells, flood
from specimens.cells import box, faces_mesh, passable, ramp, rooms_with_thin_wall, tile_layout, two_storeys


def rectangle(x0: float, y0: float, x1: float, y1: float) -> list[tuple[float, float]]:
    return [(x0, y0), (x1, y0), (x1, y1), (x0, y1)]


def bits(live: LiveLayout) -> bytes:
    return live.arrays.disabled.tobytes() + live.arrays.blocked.tobytes()


def test_a_crate_disables_the_cells_under_it():
    live = LiveLayout(tile_layout(np.ones((5, 5), bool)))
    live.cut(rectangle(1.2, 1.2, 2.8, 2.8), 0.0, 1.0)
    covered = {tuple(live.arrays.cell_grid[cell, :2].tolist()) for cell in disabled_cells(live)}
    assert covered == {(1, 1), (2, 1), (1, 2), (2, 2)}
    inside = (1.5, 1.5, 0.0)
    assert cell_at(live, inside) == -1
    assert cells_at(live, [inside]).tolist() == [-1]
    hidden = cell_at(live, inside, include_disabled=True)
    assert np.unpackbits(live.arrays.disabled, bitorder="little")[hidden]
    assert hidden not in cells_within(live, inside, 2.0)
    assert hidden in cells_within(live, inside, 2.0, include_disabled=True)
    assert hidden not in cells_in_box(live, (0, 0, 0), (5, 5, 1))
    assert hidden in cells_in_box(live, (0, 0, 0), (5, 5, 1), include_disabled=True)
    assert nearest_cell(live, inside) != hidden == nearest_cell(live, inside, include_disabled=True)
    assert len(neighbours(live, hidden)[0]) == 0
    assert len(neighbours(live, hidden, include_blocked=True)[0]) == 8


def test_a_door_thinner_than_a_cell_blocks_links_and_disables_nothing():
    layout = tile_layout(passable("...#...\n.......\n...#..."))
    live = LiveLayout(layout)
    start, goal = cell_at(live, (0.5, 1.5)), cell_at(live, (6.5, 1.5))
    assert goal in flood(live, start)
    door = live.cut(rectangle(3.95, 0.9, 4.05, 2.1), 0.0, 2.0)
    assert disabled_cells(live) == set()
    assert goal not in flood(live, start)
    assert len(flood(live, start)) == 10
    live.lift(door)
    assert goal in flood(live, start)
    assert bits(live) == layout.arrays.disabled.tobytes() + layout.arrays.blocked.tobytes()


def test_the_flood_goes_round_a_closed_door():
    layout = tile_layout(passable(".....\n.###.\n....."))
    live = LiveLayout(layout)
    start, goal = cell_at(live, (1.5, 0.5)), cell_at(live, (3.5, 0.5))
    assert flood(live, start)[goal] == 2
    live.cut(rectangle(2.1, -0.1, 2.9, 1.1), 0.0, 2.0)
    assert flood(live, start)[goal] == 10


def test_a_cut_takes_only_the_storey_it_stands_on():
    layout = build_layout(two_storeys())
    live = LiveLayout(layout)
    live.cut(rectangle(8, 0, 10, 4), 4.5, 5.5)
    assert {float(z) for z in layout.arrays.cell_xyz[sorted(disabled_cells(live)), 2]} == {4.0}
    live.cut(rectangle(8, 0, 10, 4), 0.0, 1.0)
    assert {float(z) for z in layout.arrays.cell_xyz[sorted(disabled_cells(live)), 2]} == {0.0, 4.0}


def test_a_cut_bars_links_that_rise_by_several_levels():
    layout = build_layout(faces_mesh(ramp(0, 0, 12, 2, 0.0, 12.0)), cell=2.0, height=0.4)
    live = LiveLayout(layout)
    before = bits(live)
    start = int(np.argmin(layout.arrays.cell_xyz[:, 2]))
    assert len(flood(live, start)) == 6
    wall = live.cut(rectangle(5.9, 0, 6.1, 2), 5.0, 7.0)
    assert disabled_cells(live) == set()
    assert len(flood(live, start)) == 3
    live.lift(wall)
    assert bits(live) == before


def test_a_cut_in_the_air_changes_nothing():
    live = LiveLayout(tile_layout(np.ones((4, 4), bool)))
    before = bits(live)
    live.cut(rectangle(1, 1, 3, 3), 2.5, 3.5)
    live.cut(rectangle(50, 50, 51, 51), 0.0, 1.0)
    assert bits(live) == before
    assert len(live.cuts) == 2


def test_bent_links_close_with_the_door_they_lead_through():
    layout = rooms_with_thin_wall()
    live = LiveLayout(layout)
    before = bits(live)
    start = cell_at(layout, (3.0, 3.0))
    assert len(flood(live, start)) == len(layout)
    cut = live.cut(rectangle(6.0, 2.15, 6.2, 3.15), 0.0, 2.0)
    reached = flood(live, start)
    assert (positions(layout, sorted(reached))[:, 0] < 6.1).all()
    live.lift(cut)
    assert bits(live) == before


def test_faces_are_large_but_the_cells_of_a_cut_are_few():
    """Cells off the cut keep their bits: a hall of one face with a crate in a corner."""
    live = LiveLayout(build_layout(faces_mesh(box(0, 0, 40, 40))))
    live.cut(rectangle(2, 2, 3, 3), 0.0, 1.0)
    assert len(disabled_cells(live)) == 1
    assert np.unpackbits(live.arrays.blocked).sum() < 40


corner = st.integers(-100, 800).map(lambda number: number / 100.0)
extent = st.integers(5, 400).map(lambda number: number / 100.0)
footprints = st.tuples(corner, corner, extent, extent).map(
    lambda given: rectangle(given[0], given[1], given[0] + given[2], given[1] + given[3])
)


@given(st.lists(footprints, min_size=1, max_size=4), st.randoms(use_true_random=False))
def test_bits_depend_on_the_cuts_in_force_and_not_on_their_history(outlines, random):
    layout = tile_layout(passable("........\n..##....\n..#..#..\n........\n.####.#.\n........"))
    live = LiveLayout(layout)
    cuts = [live.cut(outline, 0.0, 1.0) for outline in outlines]
    kept = [number for number in range(len(cuts)) if random.random() < 0.5]
    gone = [number for number in range(len(cuts)) if number not in kept]
    random.shuffle(gone)
    for number in gone:
        live.lift(cuts[number])
    fresh = LiveLayout(layout)
    for number in kept:
        fresh.cut(outlines[number], 0.0, 1.0)
    assert bits(live) == bits(fresh)
    for number in kept:
        live.lift(cuts[number])
    assert bits(live) == bits(LiveLayout(layout))
    assert not any(bits(live))


@given(st.lists(footprints, min_size=1, max_size=3))
def test_open_links_are_walkable_on_the_cut_mesh_and_blocked_ones_are_not(outlines):
    layout = tile_layout(passable("........\n..##....\n..#..#..\n........\n.####.#.\n........"))
    live = LiveLayout(layout)
    for outline in outlines:
        live.cut(outline, 0.0, 1.0)
    open_links = {(cell, other) for cell in range(len(layout)) for other in neighbours(live, cell)[0].tolist()}
    assert {(other, cell) for cell, other in open_links} == open_links
    for cell in range(len(layout)):
        for other in neighbours(layout, cell)[0].tolist():
            if cell < other:
                one, two = positions(layout, [cell, other])
                assert ((cell, other) in open_links) == raycast(live.mesh, one, two, strict=True).reached


def test_doors_of_a_level_close_and_open_by_name():
    drawn = (
        Door(np.array(rectangle(2, 0, 3, 1.0)), name="east", open=False),
        Door(np.array(rectangle(0, 2, 1, 3)), open=True),
    )
    level = Level(Tiles((TileFloor(passable("....\n.##.\n....\n.##.")),)), doors=drawn)
    layout = build_layout(build_navmesh(level, Body(radius=0.0)))
    live = LiveLayout(layout)
    before = bits(live)
    live.close_doors(level)
    assert disabled_cells(live) == {cell_at(layout, (2.5, 0.5))}
    assert live.close_door(level, "east") is live.close_door(level, 0)
    live.close_door(level, 1)
    assert len(live.cuts) == 2
    live.open_door(level, "east")
    live.open_door(level, "east")
    live.open_door(level, 1)
    assert bits(live) == before
    with pytest.raises(QueryError, match=r"no door 'eats'.*did you mean 'east'"):
        live.close_door(level, "eats")
    with pytest.raises(QueryError, match="no door 7"):
        live.open_door(level, 7)


def test_one_call_closes_a_door_for_walking_sight_and_sound():
    level = sample("rooms")
    live = LiveLayout.from_level(level)
    assert live.shut_doors == tuple(np.flatnonzero(live.sight.closed)), "all start as drawn"
    assert live.shut_doors == (0,)
    ears, here, there = PathHearing(live), (9.5, 5.5, 1.0), (13.5, 5.5, 1.0)
    for closed in (False, True, True, False):
        live.set_door("door 1", closed)
        assert find_path(live.mesh, here, there).reached == (not closed)
        assert sees(live.sight, here, there)[0] == (not closed)
        assert (cell_at(live, (11.5, 5.5)) < 0) == closed
        assert ears.listen([sound("bottle", there)], bodies([here]), [0]).heard[0, 0] == (not closed)
    plain = LiveLayout(live.layout)
    for use in (lambda: plain.set_door(0, True), lambda: plain.sight):
        with pytest.raises(QueryError, match=r"LiveLayout\.from_level\(level\)"):
            use()
    with pytest.raises(QueryError, match="no door 'gate'"):
        live.set_door("gate", True)
    for closed in ("open", None, 1):
        with pytest.raises(QueryError, match=r"closed is .*give True or False"):
            live.set_door("door 1", closed)


def test_doors_that_share_a_name_all_close_and_are_told_apart_by_number():
    drawn = (
        Door(np.array(rectangle(1, 0, 2, 1)), name="door", open=False),
        Door(np.array(rectangle(3, 0, 4, 1)), name="door", open=False),
        Door(np.array(rectangle(5, 0, 6, 1)), name="hatch", open=True),
    )
    level = Level(Tiles((TileFloor(np.ones((1, 7), bool)),)), doors=drawn)
    layout = build_layout(build_navmesh(level, Body(radius=0.0)))
    live = LiveLayout(layout)
    live.close_doors(level)
    assert disabled_cells(live) == set(cells_at(layout, [(1.5, 0.5), (3.5, 0.5)]).tolist())
    for ask in (live.close_door, live.open_door):
        with pytest.raises(QueryError, match=r"doors 0, 1 are all named 'door'; use a number"):
            ask(level, "door")
    live.open_door(level, 1)
    assert disabled_cells(live) == {cell_at(layout, (1.5, 0.5))}
    live.close_door(level, "hatch")
    assert len(live.cuts) == 2


def test_the_house_closes_and_opens_all_its_doors():
    level = sample("house")
    layout = build_layout(build_navmesh(level, Body(radius=0.3)))
    live = LiveLayout(layout)
    before, reach = bits(live), len(flood(live, 0))
    for number in range(len(level.doors)):
        live.close_door(level, number)
    assert len(flood(live, 0)) < reach
    for number in reversed(range(len(level.doors))):
        live.open_door(level, number)
    assert bits(live) == before


def test_misuse_is_told():
    live = LiveLayout(tile_layout(np.ones((2, 2), bool)))
    with pytest.raises(InputError, match=r"layout is a LiveLayout; give its `\.layout`"):
        LiveLayout(live)
    cut = live.cut(rectangle(0, 0, 1, 1), 0.0, 1.0)
    live.lift(cut)
    with pytest.raises(QueryError):
        live.lift(cut)
    before = bits(live)
    with pytest.raises(InputError):
        live.cut([(0, 0), (1, 1)], 0.0, 1.0)
    assert bits(live) == before
    with pytest.raises(ValueError, match="read-only"):
        live.arrays.disabled[0] = 1


def test_doors_of_a_frozen_layout_are_refused_with_the_right_call() -> None:
    frozen = CellLayout.from_level(sample("corridor"))
    with pytest.raises(InputError, match=r"call set_door\(…\) of LiveLayout.from_level\(level\)"):
        frozen.set_door(0, True)
    with pytest.raises(AttributeError, match="set_dor"):
        frozen.set_dor(0, True)
    assert not hasattr(frozen, "set_door")


def test_chases_and_searches_show_what_they_run_on() -> None:
    frozen = CellLayout.from_level(sample("rooms"))
    assert repr(Chase(frozen)) == "<Chase 'article' over <CellLayout 'Two rooms': 164 cells>>"
    assert repr(SearchMap(frozen)) == "<SearchMap over <CellLayout 'Two rooms': 164 cells>: 0 reached after 0 s>"
    with pytest.raises(InputError, match=r"give \{name of the level: CellLayout\}"):
        evaluate_chase(frozen)
