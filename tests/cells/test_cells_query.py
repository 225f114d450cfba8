from __future__ import annotations

from functools import lru_cache

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.access import access_table
from lastseen.cells.build import build_layout
from lastseen.cells.layout import CellLayout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import (
    cell_at,
    cells_at,
    cells_in_box,
    cells_of_face,
    cells_within,
    cells_within_many,
    nearest_cell,
    nearest_cells,
    neighbours,
    position,
    positions,
)
from lastseen.errors import InputError, QueryError
from lastseen.kernels.cells.nearby_cells import _ring_gap
from lastseen.navmesh.query import raycast
from oracles.cells import cell_by_dict, disabled_cells, distances
from specimens.cells import box, faces_mesh, ramp, tile_layout, two_storeys


@lru_cache
def stacked() -> LiveLayout:
    """Two storeys and a ramp, with a crate on the ground and one on the gallery."""
    live = LiveLayout(build_layout(two_storeys()))
    live.cut([(2, 1), (5, 1), (5, 3), (2, 3)], 0.0, 1.0)
    live.cut([(9, 1), (11, 1), (11, 3), (9, 3)], 4.0, 5.0)
    return live


@lru_cache
def sparse() -> CellLayout:
    """Small floors far apart and high above one another: a grid far larger than its cells, so a hash."""
    spots = [(0, 0, 0), (900, 40, 3), (300, 700, 90), (302, 701, 92.5), (900, 900, 33)]
    return build_layout(faces_mesh(*(box(x, y, x + 3, y + 2, z) for x, y, z in spots)))


def layouts() -> dict[str, LiveLayout | CellLayout]:
    return {"stacked": stacked(), "sparse": sparse()}


def near(layout: LiveLayout | CellLayout, draw: st.DataObject) -> np.ndarray:
    """A position near some cell, or anywhere about the grid."""
    arrays = layout.arrays
    if draw.draw(st.booleans()):
        base = arrays.cell_xyz[draw.draw(st.integers(0, len(arrays.cell_xyz) - 1))].astype(np.float64)
        return base + draw.draw(st.tuples(*[st.floats(-4, 4)] * 3))
    low, size = arrays.origin_xyz - 5.0, arrays.shape * arrays.size_xyz + 10.0
    return low + size * draw.draw(st.tuples(*[st.floats(0, 1)] * 3))


def test_the_two_specimens_use_the_two_tables():
    assert len(stacked().arrays.dense)
    assert not len(stacked().arrays.hash_cell)
    assert len(sparse().arrays.hash_cell) == 64
    assert not len(sparse().arrays.dense)


@given(st.sampled_from(["stacked", "sparse"]), st.booleans(), st.data())
def test_cell_at_is_what_a_dict_says(name, include_disabled, data):
    layout = layouts()[name]
    xyz = near(layout, data)
    expected = cell_by_dict(layout, xyz, include_disabled)
    assert cell_at(layout, xyz, include_disabled=include_disabled) == expected
    assert cells_at(layout, [xyz, xyz], include_disabled=include_disabled).tolist() == [expected] * 2


@given(st.sampled_from(["stacked", "sparse"]), st.booleans(), st.floats(0, 12), st.data())
def test_cells_within_are_those_whose_distance_says_so(name, include_disabled, radius, data):
    layout = layouts()[name]
    xyz = near(layout, data)
    hidden = set() if include_disabled else disabled_cells(layout)
    expected = set(np.flatnonzero(distances(layout, xyz) <= radius).tolist()) - hidden
    found = cells_within(layout, xyz, radius, include_disabled=include_disabled)
    assert len(found) == len(expected)
    assert set(found.tolist()) == expected


@given(st.sampled_from(["stacked", "sparse"]), st.sampled_from([0.5, 3.0, 30.0, np.inf]), st.data())
def test_the_nearest_cell_is_at_the_least_distance(name, radius, data):
    layout = layouts()[name]
    xyz = near(layout, data)
    away = distances(layout, xyz)
    away[list(disabled_cells(layout))] = np.inf
    expected = int(np.argmin(away)) if away.min() <= radius else -1
    found = nearest_cell(layout, xyz, radius)
    assert (found < 0) == (expected < 0)
    if found >= 0:
        assert found == expected or away[found] == pytest.approx(away[expected], rel=1e-12)


@given(st.sampled_from(["stacked", "sparse"]), st.data())
def test_cells_in_a_box_are_those_whose_position_is(name, data):
    layout = layouts()[name]
    one, other = near(layout, data), near(layout, data)
    low, high = np.minimum(one, other), np.maximum(one, other)
    xyz = layout.arrays.cell_xyz
    expected = set(np.flatnonzero(((xyz >= low) & (xyz <= high)).all(axis=1)).tolist())
    assert set(cells_in_box(layout, low, high, include_disabled=True).tolist()) == expected
    assert set(cells_in_box(layout, low, high).tolist()) == expected - disabled_cells(layout)


def test_many_questions_give_what_each_alone_gives():
    layout = stacked()
    points = np.random.default_rng(3).uniform([-4, -2, -1], [14, 8, 6], (400, 3))
    radii = np.linspace(0.0, 9.0, 400)
    sets = cells_within_many(layout, points, radii)
    assert len(sets) == 400
    for number in range(400):
        assert sets[number].tolist() == cells_within(layout, points[number], radii[number]).tolist()
    assert sets[-1].tolist() == sets[399].tolist()
    assert nearest_cells(layout, points, 2.0).tolist() == [nearest_cell(layout, point, 2.0) for point in points]
    assert cells_at(layout, points).tolist() == [cell_at(layout, point) for point in points]
    with pytest.raises(IndexError):
        sets[400]


def test_room_for_results_grows():
    layout = tile_layout(np.ones((60, 60), bool))
    everywhere = cells_within_many(layout, np.full((40, 3), 30.0) * [1, 1, 0], 100.0)
    assert (np.diff(everywhere.start) == 3600).all()
    assert np.array_equal(np.sort(everywhere[39]), np.arange(3600))
    assert len(cells_within_many(layout, np.zeros((0, 3)), 5.0)) == 0


def test_feet_a_little_off_the_floor_find_their_cell():
    layout = build_layout(faces_mesh(ramp(0, 0, 10, 1, 0.0, 5.0), box(0, 0, 10, 1, 9.0)))
    for cell in range(len(layout)):
        x, y, z = position(layout, cell)
        for off in (-0.3, 0.0, 0.3, 0.9):
            assert cell_at(layout, (x, y, z + off)) == cell


@pytest.mark.parametrize("cell", [1.0, 0.6, 0.3])
def test_where_a_ray_meets_a_wall_there_is_a_cell(cell):
    """On all four sides of a floor, also those where the grid ends."""
    mesh = faces_mesh(box(0.1, -3.3, 10.1, 6.7))
    layout = build_layout(mesh, cell=cell)
    for x, y in ((50.0, 1.7), (-50.0, 1.7), (5.1, 50.0), (5.1, -50.0), (55.1, 51.7), (-44.9, -48.3)):
        hit = raycast(mesh, (5.1, 1.7, 0.0), (x, y, 0.0))
        assert not hit.reached
        found = cell_at(layout, hit.xyz)
        assert found >= 0
        assert np.abs(position(layout, found)[:2] - hit.xyz[:2]).max() <= cell


@pytest.mark.parametrize("name", ["stacked", "sparse"])
def test_the_grid_ends_a_touch_beyond_its_last_cells(name):
    layout = layouts()[name]
    arrays = layout.arrays
    for axis in range(2):
        end = float(arrays.origin_xyz[axis] + arrays.shape[axis] * arrays.size_xyz[axis])
        last = int(np.argmax(arrays.cell_grid[:, axis]))
        assert arrays.cell_grid[last, axis] == arrays.shape[axis] - 1
        xyz = position(layout, last).copy()
        for beyond, expected in ((0.0, last), (2e-6, last), (1e-4, -1), (1.0, -1)):
            xyz[axis] = end + beyond
            assert cell_at(layout, xyz, include_disabled=True) == expected


def test_far_off_positions_are_nowhere():
    for layout in layouts().values():
        for huge in (1e18, 1e300, -1e300, 1.7e308):
            for axis in range(3):
                xyz = np.zeros(3)
                xyz[axis] = huge
                assert cell_at(layout, xyz) == -1
                assert len(cells_within(layout, xyz, 5.0)) == 0
                assert nearest_cell(layout, xyz, 100.0) == -1
                assert nearest_cell(layout, xyz) >= 0
                assert len(cells_in_box(layout, xyz, xyz)) == 0
        everything = len(layout.arrays.cell_grid)
        assert len(cells_within(layout, (0, 0, 0), np.inf, include_disabled=True)) == everything
        assert len(cells_in_box(layout, [-1e300] * 3, [1e300] * 3, include_disabled=True)) == everything


def test_every_cell_of_a_full_hash_is_found():
    grid = np.array([(column * 37 % 5000, column * 91 % 4000, column % 7) for column in range(4096)], np.uint16)
    dense, hash_cell = access_table(np.array([5000, 4000, 7], np.uint32), grid)
    assert not len(dense)
    assert len(hash_cell) == 8192
    assert sorted(hash_cell[hash_cell != 65535].tolist()) == list(range(4096))


def test_positions_and_cells_of_faces():
    layout = stacked().layout
    assert [cells_of_face(layout, face)[0] for face in range(2)] == [0, len(cells_of_face(layout, 0))]
    assert np.array_equal(positions(layout, [3, 4])[0], position(layout, 3))
    assert positions(layout, []).shape == (0, 3)


@pytest.mark.parametrize("bad", [(np.nan, 0, 0), (0, np.inf, 0), (1,), "here", None, [[1, 2, 3]]])
def test_a_bad_position_is_told(bad):
    layout = stacked()
    for ask in (cell_at, nearest_cell):
        with pytest.raises(InputError):
            ask(layout, bad)
    with pytest.raises(InputError):
        cells_within(layout, bad, 1.0)


def test_one_bad_point_among_many_is_named():
    points = np.zeros((5, 3))
    points[3, 1] = np.nan
    with pytest.raises(InputError, match=r"points\[3\]"):
        cells_at(stacked(), points)


@pytest.mark.parametrize("radius", [-1.0, np.nan, "far", [1.0, 2.0], None])
def test_a_bad_radius_is_told(radius):
    with pytest.raises(InputError, match="radius"):
        cells_within(stacked(), (0, 0, 0), radius)
    with pytest.raises(InputError, match="radius"):
        nearest_cells(stacked(), np.zeros((3, 3)), radius)


def test_ids_that_do_not_exist_are_told():
    layout = stacked().layout
    for bad in (-1, len(layout), 1.5, "3", None):
        for ask in (position, neighbours):
            with pytest.raises(QueryError, match="cells are numbered 0"):
                ask(layout, bad)
        with pytest.raises(QueryError, match="faces are numbered 0"):
            cells_of_face(layout, bad)
    with pytest.raises(QueryError):
        positions(layout, [0, 10**6])
    with pytest.raises(QueryError):
        positions(layout, [0.5])
    with pytest.raises(InputError, match="swap"):
        cells_in_box(layout, (1, 0, 0), (0, 1, 1))


@pytest.mark.parametrize("name", ["stacked", "sparse"])
@pytest.mark.parametrize("axis", range(3))
def test_cells_in_boxes_about_a_cell_are_those_whose_position_is(name, axis):
    layout = layouts()[name]
    xyz, random = layout.arrays.cell_xyz.astype(np.float64), np.random.default_rng(axis)
    for middle in xyz[random.integers(len(xyz), size=25)]:
        half = random.uniform(0.0, 1.2, 3)
        half[axis] = random.uniform(0.0, 5.0)
        low, high = middle - half, middle + half * random.uniform(0.0, 1.0, 3)
        expected = np.flatnonzero(((xyz >= low) & (xyz <= high)).all(axis=1)).tolist()
        assert sorted(cells_in_box(layout, low, high, include_disabled=True).tolist()) == expected


def test_no_column_of_a_ring_is_nearer_than_its_bound():
    arrays = stacked().arrays
    shape, size = arrays.shape, arrays.size_xyz
    for x, y in np.random.default_rng(2).uniform([-2.0, 0.0], [12.0, 6.0], (20, 2)):
        column, row = (np.floor((np.array([x, y]) - arrays.origin_xyz[:2]) / size[:2])).astype(int).tolist()
        for ring in range(1, 8):
            sides = [
                (column - ring, x - arrays.origin_xyz[0] - (column - ring + 1) * size[0], shape[0]),
                (column + ring, arrays.origin_xyz[0] + (column + ring) * size[0] - x, shape[0]),
                (row - ring, y - arrays.origin_xyz[1] - (row - ring + 1) * size[1], shape[1]),
                (row + ring, arrays.origin_xyz[1] + (row + ring) * size[1] - y, shape[1]),
            ]
            expected = min((gap for at, gap, count in sides if 0 <= at < count), default=np.inf)
            assert _ring_gap(arrays, x, y, column, row, ring) == pytest.approx(expected, abs=1e-9)
