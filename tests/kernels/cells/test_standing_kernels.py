"""Standing cells and places on the floor against one question after another in plain Python."""

import math

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at, cells_within, nearest_cell
from lastseen.kernels.cells.standing_cells import places_on_floor, stood_in
from lastseen.level.samples import sample
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import heights_at, nearest, raycasts


@pytest.fixture(scope="module")
def house():
    """A house with some of its floor cut out."""
    live = LiveLayout(build_layout(build_navmesh(sample("house"))))
    for x, y, z in live.arrays.cell_xyz[5::60].tolist():
        live.cut([(x - 0.4, y - 0.4), (x + 0.5, y - 0.4), (x + 0.5, y + 0.6), (x - 0.4, y + 0.6)], z - 0.5, z + 0.5)
    return live


def places_about(layout, count, off):
    random = np.random.default_rng(count)
    cells = layout.arrays.cell_xyz[random.integers(0, len(layout), count)].astype(float)
    return cells + random.normal(0.0, off, (count, 3)) * (1.0, 1.0, 0.2)


def walks(layout, start, end):
    reach = float(layout.arrays.size_xyz[2])
    return bool(raycasts(layout.mesh, [start], [end], below=reach, above=reach).reached[0])


def is_on_floor(layout, place):
    reach = float(layout.arrays.size_xyz[2])
    return not math.isnan(heights_at(layout.mesh, [place], below=reach, above=reach)[0])


def plain_standing(layout, place, radius, include_disabled):
    xyz = layout.arrays.cell_xyz.astype(float)
    own = cell_at(layout, place, include_disabled=include_disabled)
    if own < 0:
        return nearest_cell(layout, place, radius) if radius >= 0.0 else -1
    if walks(layout, place, xyz[own]) or not is_on_floor(layout, place):
        return own
    reach = 2.0 * float(layout.arrays.size_xyz[0])
    near = cells_within(layout, place, reach, include_disabled=include_disabled).tolist()
    fine = [(math.dist(place, xyz[cell]), cell) for cell in near if walks(layout, place, xyz[cell])]
    return min(fine)[1] if fine else own


@pytest.mark.parametrize("include_disabled", [False, True])
def test_standing_cells_are_those_of_plain_python(house, include_disabled):
    places = places_about(house, 400, 0.7)
    radius = np.where(np.arange(400) % 3 == 0, -1.0, 1.5)
    found = np.empty(400, np.int32)
    stood_in(house.arrays, house.mesh.arrays, places, radius, include_disabled, found)
    expected = [plain_standing(house, *row, include_disabled) for row in zip(places.tolist(), radius.tolist())]
    assert found.tolist() == expected
    assert -1 in expected  # all branches were taken
    assert any(own not in (one, -1) for own, one in zip((cell_at(house, place) for place in places), expected))


def test_nobody_stands_at_an_unknown_place(house):
    found = np.empty(1, np.int32)
    stood_in(house.arrays, house.mesh.arrays, np.full((1, 3), np.nan), np.full(1, 5.0), False, found)
    assert found.tolist() == [-1]


def test_places_on_the_floor_are_those_of_plain_python(house):
    points = places_about(house, 300, 0.5)
    xyz = house.arrays.cell_xyz.astype(float)
    own = np.array([nearest_cell(house, point) for point in points], np.int32)
    inside = np.arange(300) % 4 != 0
    found, placed = own.copy(), np.empty((300, 3))
    places_on_floor(house.arrays, house.mesh.arrays, points, inside, found, placed)
    reach = float(house.arrays.size_xyz[2])
    for number in range(300):
        spot, cell = xyz[own[number]], int(own[number])
        if inside[number]:
            there = np.array([*points[number, :2], spot[2]])
            height = heights_at(house.mesh, [there], below=reach, above=reach)[0]
            there = nearest(house.mesh, there).xyz if math.isnan(height) else np.array([*there[:2], height])
            if cell_at(house, there) >= 0 and walks(house, spot, there):
                spot, cell = there, cell_at(house, there)
        assert (placed[number].tolist(), found[number]) == (spot.tolist(), cell)
    assert (found != own).any()
