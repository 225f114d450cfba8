"""What a searcher cleans, worked by hand and against a test of every cell."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at
from lastseen.kernels.search.search_inspection import clean_cells, clean_shapes
from lastseen.kernels.search.search_wave import FLAG, IS_QUEUED, IS_REGROWING, IS_SPOT, REGROWING, VALUE, Spreading
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import raycast
from lastseen.reasoning.search.map.wave import line_arrays, wave_arrays
from lastseen.reasoning.search.sight import boxes, triangles
from specimens.cells import passable, tile_layout

PLAIN = Spreading(fade=0.0, diagonals=True, hold=False, bleed=False)


def _room(text):
    layout = tile_layout(passable(text))
    wave = wave_arrays(layout, np.zeros(len(layout), np.int8))
    wave.byte[:] = FLAG | VALUE
    return layout, wave


def test_cleaned_cells_keep_the_flag_come_back_and_spots_wait_for_their_use():
    layout, wave = _room("....")
    wave.state[2] = IS_SPOT
    ids = np.array([1, 2], np.int32)
    assert clean_cells(layout.arrays, wave, ids, PLAIN, True, 0.0, False) == 1
    assert wave.byte.tolist() == [255, FLAG, 255, 255]
    assert wave.state[1] == IS_REGROWING
    assert (wave.count[REGROWING], wave.regrowing[0]) == (1, 1)
    assert clean_cells(layout.arrays, wave, ids, PLAIN, False, 0.0, True) == 1, "nothing was left in the first"
    assert wave.byte[2] == FLAG


@pytest.mark.parametrize(
    ("holding", "diagonals", "metres", "source"),
    [
        ("nw e", True, 1.0, "e"),
        ("nw far", True, 2**0.5, "nw"),
        ("nw n", False, 1.0, "n"),
        ("nw ne se", False, np.inf, None),
        ("far", True, np.inf, None),
    ],
)
def test_what_bled_returns_from_the_nearest_neighbour_that_holds_influence(holding, diagonals, metres, source):
    layout, wave = _room("""
        ....
        ....
        ....
    """)
    x_y = {"nw": (0, 2), "n": (1, 2), "ne": (2, 2), "e": (2, 1), "se": (2, 0), "far": (3, 1)}
    cells = {name: _cell(layout, *place) for name, place in x_y.items()}
    wave.byte[:] = FLAG
    wave.wave[:] = np.arange(len(layout)) + 1
    for name in holding.split():
        wave.byte[cells[name]] = FLAG | 40 + cells[name]
    middle = _cell(layout, 1, 1)
    wave.byte[middle] = FLAG | VALUE
    rule = Spreading(fade=0.0, diagonals=diagonals, hold=False, bleed=True)
    assert clean_cells(layout.arrays, wave, np.array([middle], np.int32), rule, True, 5.0, False) == 1
    assert (wave.byte[middle], wave.count[REGROWING]) == (0, 0), "as if no wave had been here"
    assert wave.due[middle] == pytest.approx(5.0 + metres)
    if source is None:
        assert (wave.wave[middle], wave.strength[middle], wave.state[middle]) == (0, 0.0, 0)
    else:
        other = cells[source]
        assert wave.source[middle] == other
        assert (wave.wave[middle], wave.strength[middle], wave.state[middle]) == (other + 1, 40 + other, IS_QUEUED)


def test_a_square_is_cleaned_as_far_as_one_walks_straight():
    layout, wave = _room("""
        .....
        ..#..
        .....
    """)
    feet, cursor = np.array([(1.5, 1.5, 0.0)]), np.zeros(2, np.int64)
    options = np.array([2.0, 0.5]), PLAIN, False, 0.0
    args = layout.mesh.arrays, layout.arrays, wave, line_arrays(), feet, boxes(feet, 2.0), 1.0
    cleaned = clean_shapes(*args, True, *options, cursor, 2**62)
    left = {(x, y) for x in range(5) for y in range(3) if (x, y) != (2, 1) and wave.byte[_cell(layout, x, y)] & VALUE}
    # The pillar hides the cell behind it and those beside that; the last column is out of the square.
    assert left == {(3, 0), (3, 1), (3, 2), (4, 0), (4, 1), (4, 2)}
    assert cleaned == 14 - len(left)
    assert clean_shapes(*args, False, *options, cursor, 2**62) == 3, "without the test walls do not count"


def _cell(layout, x, y):
    return cell_at(layout, (x + 0.5, y + 0.5, 0.0))


def test_a_budget_of_lines_goes_on_where_it_stopped():
    layout, wave = _room("......")
    feet, cursor = np.array([(0.5, 0.5, 0.0)]), np.zeros(2, np.int64)
    args = layout.mesh.arrays, layout.arrays, wave, line_arrays(), feet, boxes(feet, 9.0), 1.0, True
    options = np.array([2.0, 0.5]), PLAIN, False, 0.0, cursor, 4
    assert clean_shapes(*args, *options) == 4
    assert cursor[1] > 0
    assert clean_shapes(*args, *options) == 2
    assert cursor.tolist() == [0, 0]


def _storeys():
    """Two storeys of floor that is partly missing, as cells, with a wave over them."""
    rng = np.random.default_rng(4)
    low, high = rng.random((9, 12)) < 0.9, rng.random((9, 12)) < 0.8
    floors = TileFloor(low, tile=0.7, origin_xy=(-2.3, 1.1)), TileFloor(high, tile=0.7, origin_xy=(-2.3, 1.1), z=3.0)
    layout = build_layout(build_navmesh(Level(Tiles(floors)), Body(radius=0.0)))
    wave = wave_arrays(layout, np.zeros(len(layout), np.int8))
    wave.byte[:] = FLAG | np.where(rng.random(len(layout)) < 0.8, VALUE, 0).astype(np.uint8)
    wave.state[rng.random(len(layout)) < 0.1] = IS_SPOT
    wave.state[rng.random(len(layout)) < 0.1] |= IS_QUEUED
    return layout, wave


def _expected(layout, wave, feet, shape, reach_z, needs_line, hold):
    """Return the cells in a convex outline, one after another: which of them hold influence and are reached."""
    mesh, cells, found = layout.mesh, layout.arrays, []
    for cell in range(len(layout)):
        xyz = cells.cell_xyz[cell].astype(float)
        corners = zip(shape, np.roll(shape, -1, axis=0))
        inside = all((b[0] - a[0]) * (xyz[1] - a[1]) - (b[1] - a[1]) * (xyz[0] - a[0]) >= -1e-9 for a, b in corners)
        counts = wave.byte[cell] & VALUE or (hold and wave.state[cell] & IS_QUEUED)
        counts = counts and not wave.state[cell] & IS_SPOT
        reached = not needs_line or raycast(mesh, feet, xyz).reached
        if inside and counts and reached and abs(xyz[2] - feet[2]) <= reach_z:
            found.append(cell)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_oblique_shapes_are_cleaned_as_by_testing_every_cell(seed):
    """Triangles and squares at any angle, larger and smaller than the map, from both storeys, in parts of a budget."""
    rng = np.random.default_rng(seed)
    layout, wave = _storeys()
    feet = layout.arrays.cell_xyz[rng.integers(0, len(layout), 3)].astype(float)
    shapes = triangles(feet, rng.uniform(-3.0, 3.0, 3), rng.uniform(0.5, 2.5), rng.uniform(0.8, 9.0))
    reach_z, needs_line, hold = (1.0, 9.0)[seed % 2], seed % 3 > 0, seed % 4 == 3
    rule = Spreading(fade=0.0, diagonals=True, hold=hold, bleed=False)
    slow, fast = wave._replace(byte=wave.byte.copy(), cleaned=wave.cleaned.copy()), wave
    count = 0
    for each in range(3):
        cells = _expected(layout, slow, feet[each], shapes[each], reach_z, needs_line, hold)
        count += sum(bool(slow.byte[cell] & VALUE) for cell in cells)
        slow.byte[cells], slow.cleaned[cells] = np.where(slow.byte[cells] & VALUE, FLAG, slow.byte[cells]), 2
    tolerance, cursor, cleaned, calls = np.array([2.0, 0.5]), np.zeros(2, np.int64), 0, 0
    while calls == 0 or cursor.any():
        cleaned += clean_shapes(
            layout.mesh.arrays, layout.arrays, fast, line_arrays(), feet, shapes, reach_z, needs_line, tolerance,
            rule, False, 0.0, cursor, 7,
        )  # fmt: skip
        calls += 1
        assert calls < 100
    assert cleaned == count
    assert fast.byte.tolist() == slow.byte.tolist()
    assert fast.cleaned.tolist() == slow.cleaned.tolist()
