"""Cells near places, against a look at every cell; of cells equally near the one with the lowest id is nearest."""

from itertools import pairwise

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at, nearest_cell, nearest_cells
from lastseen.kernels.cells.nearby_cells import cells_in_one_box, cells_within_radius, nearest_cells_of_points
from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from specimens.cells import box, faces_mesh, tile_layout


@pytest.fixture(scope="module")
def floor():
    return tile_layout(np.ones((6, 6), bool))


@pytest.mark.parametrize("corner", [(2.0, 2.0), (3.0, 1.0), (5.0, 5.0), (1.0, 4.0)])
def test_at_the_corner_of_four_cells_the_first_is_nearest(floor, corner):
    x, y = corner
    four = [cell_at(floor, (x + dx, y + dy)) for dx in (-0.5, 0.5) for dy in (-0.5, 0.5)]
    assert nearest_cell(floor, (x, y, 0.0)) == min(four)
    assert nearest_cells(floor, [(x, y, 0.0)] * 3, 0.75).tolist() == [min(four)] * 3


def test_between_two_cells_of_a_row_and_of_a_column_the_first_is_nearest(floor):
    for one, other in (((1.5, 2.5), (2.5, 2.5)), ((3.5, 3.5), (3.5, 4.5))):
        middle = ((one[0] + other[0]) / 2, (one[1] + other[1]) / 2, 0.0)
        assert nearest_cell(floor, middle) == min(cell_at(floor, one), cell_at(floor, other))


def test_equally_far_off_on_a_sparse_grid_the_first_is_nearest():
    """Two floors far to either side: rings of empty slots are given up for a look at every cell."""
    layout = build_layout(faces_mesh(box(299, 0, 300, 1), box(-300, 0, -299, 1), box(0, 700, 1, 701)))
    assert len(layout.arrays.hash_cell)
    pair = cell_at(layout, (299.5, 0.5)), cell_at(layout, (-299.5, 0.5))
    assert nearest_cell(layout, (0.0, 0.5, 0.0)) == min(pair)
    assert nearest_cell(layout, (0.5, 0.5, 0.0)) == pair[0]
    assert nearest_cell(layout, (-0.5, 0.5, 0.0)) == pair[1]
    assert nearest_cell(layout, (0.0, 0.5, 0.0), 299.5) == min(pair)
    assert nearest_cell(layout, (0.0, 0.5, 0.0), 299.4) == -1


def test_a_cell_exactly_at_the_radius_is_found(floor):
    assert nearest_cell(floor, (-1.5, 0.5, 0.0), 2.0) == cell_at(floor, (0.5, 0.5))
    assert nearest_cell(floor, (-1.5, 0.5, 0.0), 1.999) == -1


def _house(is_sparse):
    """Three storeys of scattered tiles off the origin, a few of them disabled; a far island makes the grid sparse."""
    rng = np.random.default_rng(8)
    floors = [TileFloor(rng.random((7, 11)) < 0.6, tile=0.9, origin_xy=(-3.3, 2.1), z=2.4 * k - 1.0) for k in range(3)]
    if is_sparse:
        floors.append(TileFloor(np.ones((1, 2), bool), tile=0.9, origin_xy=(63.0, -51.0), z=40.0))
    layout = build_layout(build_navmesh(Level(Tiles(tuple(floors))), Body(radius=0.0)))
    assert (len(layout.arrays.dense) == 0) == is_sparse
    off = rng.random(len(layout)) < 0.2
    return layout.arrays._replace(disabled=np.packbits(off, bitorder="little")), off


HOUSES = {False: _house(False), True: _house(True)}


def _asked(cells, rng, count):
    """Return points on cells, between them and far outside, and radii from nothing to more than the map."""
    middle = cells.cell_xyz[rng.integers(0, len(cells.cell_xyz), count)]
    points = middle + rng.normal(0.0, 1.0, (count, 3)) * rng.choice([0.1, 1.0, 12.0], count)[:, None]
    return points, rng.choice([0.0, 0.3, 1.0, 2.7, 8.0, 200.0], count) * rng.uniform(0.5, 1.5, count)


@pytest.mark.parametrize("include_disabled", [False, True])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_near_cells_are_those_found_by_measuring_every_cell(is_sparse, include_disabled):
    (cells, off), rng = HOUSES[is_sparse], np.random.default_rng(5)
    points, radius = _asked(cells, rng, 60)
    away = np.linalg.norm(cells.cell_xyz[None].astype(float) - points[:, None], axis=2)
    away[:, off & (not include_disabled)] = np.inf
    expected = [np.flatnonzero(row <= reach).tolist() for row, reach in zip(away, radius)]
    start, found, first = np.zeros(len(points) + 1, np.int64), np.empty(40, np.int32), 0
    while True:  # there is room for a few at first, as in the query
        first = cells_within_radius(cells, points, radius, include_disabled, first, start, found)
        if first == len(points):
            break
        found = np.concatenate([found[: start[first]], np.empty(len(cells.cell_xyz) + 40, np.int32)])
    assert [sorted(found[a:b].tolist()) for a, b in pairwise(start)] == expected
    nearest = np.empty(len(points), np.int32)
    nearest_cells_of_points(cells, points, radius, include_disabled, nearest)
    closest = [int(row.argmin()) if row.min() <= reach else -1 for row, reach in zip(away, radius)]
    assert nearest.tolist() == closest
    assert -1 in closest
    nearest_cells_of_points(cells, points, np.full(len(points), np.inf), include_disabled, nearest)
    assert nearest.tolist() == away.argmin(axis=1).tolist()


@pytest.mark.parametrize("include_disabled", [False, True])
@pytest.mark.parametrize("is_sparse", [False, True])
def test_cells_in_a_box_are_those_found_by_looking_at_every_cell(is_sparse, include_disabled):
    (cells, off), rng = HOUSES[is_sparse], np.random.default_rng(6)
    for point, reach in zip(*_asked(cells, rng, 50)):
        size = reach * rng.uniform(0.1, 1.0, 3)
        on_rim = cells.cell_xyz[rng.integers(len(cells.cell_xyz))].astype(float)
        for low, high in ((point - size, point + size), (on_rim, on_rim + size), (on_rim - size, on_rim)):
            inside = ((cells.cell_xyz >= low) & (cells.cell_xyz <= high)).all(axis=1)
            found = np.empty(len(cells.cell_xyz), np.int32)
            count = cells_in_one_box(cells, low, high, include_disabled, found)
            expected = inside & (include_disabled | ~off)
            assert sorted(found[:count].tolist()) == np.flatnonzero(expected).tolist()
