from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from hypothesis.extra.numpy import arrays as array_strategy

from lastseen.errors import BakeError
from lastseen.level.features import Obstacle
from lastseen.level.level import Floor, Level, TileFloor, Tiles
from lastseen.level.readers import movingai
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.tiles import merged_rectangles
from oracles.assembly import require_sound

THIN = Body(radius=0.0)


def tile_level(*rows, ramps=(), **options):
    passable = np.array([[symbol == "." for symbol in row] for row in rows])
    return Level(Tiles((TileFloor(passable),), ramps), name="drawn", **options)


def box(left, low, right, high, z=0.0, height=3.0):
    return Obstacle(np.array([(left, low), (right, low), (right, high), (left, high)], float), z, height)


def covered(rectangles, shape):
    count = np.zeros(shape, dtype=int)
    for column, row, width, height in rectangles:
        count[row : row + height, column : column + width] += 1
    return count


def test_an_open_hall_is_one_rectangle():
    assert merged_rectangles(np.ones((3, 5), dtype=bool)).tolist() == [[0, 0, 5, 3]]


def test_the_larger_of_two_growths_is_taken():
    drawn = np.array([[symbol == "." for symbol in row] for row in ("...", ".##", ".##", ".##")])
    assert merged_rectangles(drawn).tolist() == [[0, 0, 1, 4], [1, 0, 2, 1]]


@given(array_strategy(np.bool_, st.tuples(st.integers(1, 9), st.integers(1, 9))))
def test_rectangles_cover_each_passable_tile_once(passable):
    assert np.array_equal(covered(merged_rectangles(passable), passable.shape), passable.astype(int))


@given(array_strategy(np.bool_, st.tuples(st.integers(1, 7), st.integers(1, 7))))
def test_area_and_components_are_those_of_the_tiles(passable):
    level = Level(Tiles((TileFloor(passable, tile=0.5, origin_xy=(-3.0, 7.0)),)))
    if not passable.any():
        with pytest.raises(BakeError, match="no walkable place"):
            build_navmesh(level, THIN)
        return
    mesh = build_navmesh(level, THIN)
    require_sound(mesh)
    assert mesh.face_area.sum() == pytest.approx(0.25 * passable.sum())
    assert mesh.face_component.max() + 1 == flood_count(passable)


def flood_count(passable):
    left = {(int(r), int(c)) for r, c in zip(*np.nonzero(passable))}
    count = 0
    while left:
        count += 1
        stack = [left.pop()]
        while stack:
            r, c = stack.pop()
            for neighbour in ((r + 1, c), (r - 1, c), (r, c + 1), (r, c - 1)):
                if neighbour in left:
                    left.remove(neighbour)
                    stack.append(neighbour)
    return count


def test_an_obstacle_on_whole_tiles_keeps_rectangles():
    mesh = build_navmesh(tile_level("....", "....", obstacles=(box(1, 0, 3, 1),)), THIN)
    assert mesh.face_area.sum() == 6
    assert all(len(mesh.face_xyz(face)) == 4 for face in range(mesh.face_count))


def test_an_obstacle_on_part_of_a_tile_is_cut_exactly():
    mesh = build_navmesh(tile_level("....", "....", cover=(box(1.25, 0.5, 1.75, 1.0),)), THIN)
    assert mesh.face_area.sum() == pytest.approx(8 - 0.25)
    require_sound(mesh)


@pytest.mark.parametrize(("z", "height"), [(1.8, 1.0), (-2.0, 2.0)])
def test_an_obstacle_overhead_or_below_is_ignored(z, height):
    assert build_navmesh(tile_level("..", obstacles=(box(0, 0, 1, 1, z, height),)), THIN).face_area.sum() == 2


def test_a_radius_keeps_away_from_walls_and_not_from_tile_borders():
    mesh = build_navmesh(tile_level("....", "....", "...."), Body(radius=0.25))
    assert mesh.face_area.sum() == pytest.approx(3.5 * 2.5)
    assert mesh.face_count == 1


def ramp(steep=False):
    length = 1.0 if steep else 3.0
    corners = [(2, 0, 0), (2 + length, 0, 3), (2 + length, 1, 3), (2, 1, 0)]
    return Floor(np.array(corners, float), storey=0, kind="stairs")


@pytest.mark.parametrize("radius", [0.0, 0.2])
def test_storeys_are_joined_by_a_flight_of_stairs(radius):
    ground = np.array([[True, True, False, False, False, False, False]])
    loft = np.array([[False, False, False, False, False, True, True]])
    level = Level(Tiles((TileFloor(ground), TileFloor(loft, z=3.0)), (ramp(),)))
    mesh = build_navmesh(level, Body(radius=radius))
    require_sound(mesh)
    assert mesh.face_component.max() == 0
    assert sorted(set(mesh.face_storey.tolist())) == [0, 1]
    assert mesh.face_area.sum() == pytest.approx((7 - 2 * radius) * (1 - 2 * radius), abs=1e-4)


def test_stairs_steeper_than_the_slope_are_left_out():
    level = Level(Tiles((TileFloor(np.array([[True, True]])),), (ramp(steep=True),)))
    assert build_navmesh(level, THIN).face_area.sum() == 2


def test_tiles_under_low_stairs_are_closed():
    """Under a flight rising 1 in 1 a body of 1.8 m stands from 1.8 m on: 1.2 of the 3 tiles stay, seen from above."""
    level = Level(Tiles((TileFloor(np.ones((1, 5), dtype=bool)),), (ramp(),)))
    mesh = build_navmesh(level, THIN)
    flat = mesh.arrays.face_plane[:, 0] == 0.0
    assert mesh.face_area[flat].sum() == pytest.approx(2 + 1.2, abs=1e-5)
    assert mesh.face_area[~flat].sum() == pytest.approx(3)
    assert mesh.face_component.max() == 1


@pytest.mark.data
@pytest.mark.parametrize("name", ["lak303d", "AR0300SR"])
def test_real_maps_keep_their_passable_area(data, name):
    path = data / "movingai" / f"{name}.map"
    level = movingai.read(path.read_bytes(), str(path))
    passable = level.surface.floors[0].passable
    mesh = build_navmesh(level, THIN)
    assert mesh.face_area.sum() == passable.sum()
    assert mesh.face_component.max() + 1 == flood_count(passable)
    if name == "lak303d":
        require_sound(mesh)


@pytest.mark.data
def test_a_real_map_with_a_radius_has_the_area_of_the_inset_polygon(data):
    from shapely import box as rectangle
    from shapely import buffer, union_all

    path = data / "movingai" / "lak303d.map"
    level = movingai.read(path.read_bytes(), str(path))
    rows, columns = np.nonzero(level.surface.floors[0].passable)
    inset = buffer(union_all(rectangle(columns, rows, columns + 1, rows + 1)), -0.3, quad_segs=4)
    mesh = build_navmesh(level, Body(radius=0.3))
    assert mesh.face_area.sum() == pytest.approx(inset.area, rel=1e-6)
