"""Lines of sight between storeys, on stairs, past rims of floors and through raw triangles."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.level.features import Door, Obstacle
from lastseen.level.level import ConvexFaces, Floor, Floors, Level, TileFloor, Tiles, TriangleSoup
from lastseen.level.read import read_level
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight


def box(left, low, right, high):
    return np.array([[left, low], [right, low], [right, high], [left, high]], float)


def flat(left, low, right, high, z=0.0, **more):
    return Floor(np.column_stack([box(left, low, right, high), np.full(4, z)]), **more)


def rising(left, low, right, high, z_left, z_right):
    """A ramp that rises along x."""
    return Floor(np.column_stack([box(left, low, right, high), [z_left, z_right, z_right, z_left]]), kind="ramp")


def look(sight, one, other):
    return bool(sees(sight, one, other)[0])


@pytest.fixture(scope="module")
def house():
    sight = Sight.from_level(sample("house"))
    sight.set_doors(False)
    return sight


def test_from_the_gallery_one_looks_down_into_the_hall(house):
    assert look(house, (8.5, 4.0, 4.6), (6.6, 4.0, 0.7))


def test_the_railing_hides_who_lies_behind_it_and_who_stands_close_below(house):
    assert not look(house, (8.9, 4.0, 3.3), (6.6, 4.0, 1.6))
    assert not look(house, (9.3, 4.0, 4.6), (8.2, 4.0, 0.7))


def test_the_upper_floor_hides_what_is_below_it(house):
    assert not look(house, (11.5, 4.0, 4.6), (11.5, 4.5, 1.6))
    assert not look(house, (8.9, 4.0, 4.6), (9.2, 4.0, 1.6))


def test_up_the_stairs_one_sees_over_the_steps_only(house):
    assert look(house, (5.7, 3.0, 1.6), (5.7, 8.0, 4.0))
    assert not look(house, (5.7, 3.0, 1.6), (5.7, 9.2, 3.1))
    assert look(house, (7.0, 6.0, 1.6), (5.7, 5.0, 1.2))  # from beside
    assert not look(house, (7.0, 9.2, 0.7), (5.7, 7.5, 0.7))  # matter below the steps


def test_the_ramp_joins_yard_and_ground_floor(house):
    assert look(house, (7.0, -5.0, 1.0), (7.0, 3.0, 1.6))
    assert not look(house, (4.5, -5.0, 1.0), (7.0, 3.0, 1.6))  # past the side of the ramp stands a wall
    house.set_door("front door", True)
    assert not look(house, (7.0, -5.0, 1.0), (7.0, 3.0, 1.6))
    house.set_door("front door", False)


def test_floors_side_by_side_are_open_to_one_another_where_they_meet():
    sight = Sight.from_level(Level(Floors((flat(0, 0, 4, 4), flat(4, 1, 8, 3)))))
    assert look(sight, (1.0, 2.0, 1.0), (7.0, 2.0, 1.0))
    assert not look(sight, (1.0, 3.5, 1.0), (7.0, 2.9, 1.0))
    assert look(sight, (1.0, 3.0, 1.0), (7.0, 3.0, 1.0))  # along the wall of the narrow one


def test_floors_that_meet_in_a_corner_are_walled_off():
    sight = Sight.from_level(Level(Floors((flat(0, 0, 4, 4), flat(4, 4, 8, 8)))))
    assert not look(sight, (2.0, 2.0, 1.0), (6.0, 6.0, 1.0))
    assert not look(sight, (3.9, 3.0, 1.0), (4.5, 4.5, 1.0))


def test_a_step_hides_as_much_as_it_is_high():
    sight = Sight.from_level(Level(Floors((flat(0, 0, 4, 2), flat(4, 0, 8, 2, 0.5)))))
    assert look(sight, (1.0, 1.0, 0.6), (7.0, 1.0, 0.6))
    assert not look(sight, (1.0, 1.0, 0.4), (7.0, 1.0, 0.52))


def test_walls_beside_a_ramp_end_where_the_floor_above_begins():
    level = Level(Floors((flat(0, 0, 4, 2), rising(4, 0, 8, 2, 0.0, 2.0), flat(4, 2, 8, 4, 2.0))))
    sight = Sight.from_level(level)
    assert look(sight, (7.5, 3.0, 3.5), (5.0, 1.0, 1.5))
    assert not look(sight, (5.0, 1.0, 1.5), (5.0, 3.0, 2.2))
    assert look(sight, (5.0, 1.0, 2.1), (5.0, 3.0, 2.1))


def test_cover_in_a_hole_of_the_floor_is_seen_over():
    hole = np.column_stack([box(3, 1, 4, 2), np.zeros(4)])[::-1]
    floor = Floor(flat(0, 0, 8, 3).outline_xyz, (hole,))
    walled = Sight.from_level(Level(Floors((floor,))))
    covered = Sight.from_level(Level(Floors((floor,)), cover=(Obstacle(box(3, 1, 4, 2), 0.0, 1.0),)))
    assert not look(walled, (1.0, 1.5, 1.6), (7.0, 1.5, 1.6))
    assert look(covered, (1.0, 1.5, 1.6), (7.0, 1.5, 1.6))
    assert not look(covered, (1.0, 1.5, 0.7), (7.0, 1.5, 0.7))


def test_a_door_between_rooms_without_floor_below_it_opens_the_wall():
    rooms = Floors((flat(0, 0, 4, 4), flat(4.2, 0, 8, 4)))
    sight = Sight.from_level(Level(rooms, doors=(Door(box(4, 1, 4.2, 2), name="door"),)))
    assert look(sight, (1.0, 1.5, 1.6), (7.0, 1.5, 1.6))
    assert not look(sight, (1.0, 3.0, 1.6), (7.0, 3.0, 1.6))
    sight.set_door("door", True)
    assert not look(sight, (1.0, 1.5, 1.6), (7.0, 1.5, 1.6))


def test_storeys_of_tiles_are_apart_but_for_the_stairs():
    below, above = np.ones((3, 8), bool), np.ones((3, 8), bool)
    below[1, 3:6] = False  # matter below the stairs
    above[1, 3:6] = False  # the stairwell
    above[:, 7] = False  # a wall, over floor
    stairs = rising(3, 1, 6, 2, 0.0, 3.0)
    sight = Sight.from_level(Level(Tiles((TileFloor(below), TileFloor(above, z=3.0)), (stairs,))))
    assert look(sight, (1.5, 1.5, 1.6), (5.5, 1.5, 3.5))  # up the stairs
    assert look(sight, (2.5, 1.5, 0.8), (4.5, 0.5, 4.6)) == look(sight, (4.5, 0.5, 4.6), (2.5, 1.5, 0.8))
    assert not look(sight, (1.5, 0.5, 1.6), (1.5, 0.5, 4.6))  # through the floor
    assert not look(sight, (5.5, 0.5, 1.0), (5.5, 2.5, 1.0))  # through what is below the stairs
    assert look(sight, (5.5, 0.5, 4.6), (5.5, 2.5, 4.6))  # over the stairwell
    assert not look(sight, (6.5, 1.5, 4.6), (7.5, 1.5, 4.6))  # the wall above, though there is floor below it
    assert look(sight, (6.5, 1.5, 1.6), (7.5, 1.5, 1.6))


def test_faces_of_a_foreign_navmesh_are_walled_where_no_other_goes_on():
    corners = np.array([[0, 0], [4, 0], [4, 4], [0, 4], [8, 0], [8, 4], [4, 2], [8, 2]], float)
    vertices = np.column_stack([corners, np.zeros(8)])
    faces = ConvexFaces(vertices, np.array([0, 4, 8]), np.array([0, 1, 2, 3, 1, 4, 7, 6]))
    sight = Sight.from_level(Level(faces))
    assert look(sight, (1.0, 1.0, 1.6), (7.0, 1.0, 1.6))
    assert not look(sight, (1.0, 3.0, 1.6), (7.0, 1.9, 1.6))


def test_triangles_hide_from_both_sides_and_leave_no_gap_along_shared_edges():
    corners = np.array([[2, 0, 0], [2, 4, 0], [2, 4, 3], [2, 0, 3]], float)
    ground = np.array([[0, 0, 0], [4, 0, 0], [4, 4, 0], [0, 4, 0]], float)
    pairs = np.array([[0, 1, 2], [0, 2, 3], [4, 5, 6], [4, 6, 7]])
    sight = Sight.from_level(Level(TriangleSoup(np.concatenate([corners, ground]), pairs)))
    # The wall's diagonal runs through (2, y, 3 y / 4).
    for y in np.linspace(0.1, 3.9, 39):
        assert not look(sight, (1.0, y, 0.75 * y), (3.0, y, 0.75 * y))
        assert not look(sight, (3.5, y, 0.75 * y), (0.5, y, 0.75 * y))
    assert look(sight, (1.0, 2.0, 3.5), (3.0, 2.0, 3.5))
    assert look(sight, (1.0, 2.0, 1.0), (1.5, 2.0, 0.0))
    assert not look(sight, (1.0, 2.0, 1.0), (1.5, 2.0, -0.5))


def cut(shape, draw, depth):
    """Cut a polygon by a straight line, its parts again, and so on."""
    if depth == 0 or not draw(st.booleans()):
        return [shape]
    x, y = shape.centroid.coords[0]
    way = 50.0 * np.array(draw(st.sampled_from([(1, 0), (0, 1), (1, 1), (1, -2), (3, 1)])))
    middle = np.array([x, y])
    aside = 50.0 * np.array([-way[1], way[0]])
    half = shapely.Polygon([middle - way, middle + way, middle + way + aside, middle - way + aside])
    parts = [part for piece in (shape & half, shape - half) for part in shapely.get_parts(piece)]
    return [small for part in parts if part.area > 1e-6 for small in cut(part, draw, depth - 1)]


@given(st.data())
def test_a_floor_drawn_in_pieces_hides_no_more_than_one_in_whole(data):
    whole = shapely.Polygon([(0, 0), (9, 0), (9, 5), (6, 5), (6, 7), (2, 8), (0, 6)])
    pieces = cut(whole, data.draw, 3)
    one, several = (
        Sight.from_level(Level(Floors(tuple(_floor(shape) for shape in shapes)))) for shapes in ([whole], pieces)
    )
    random = np.random.default_rng(len(pieces))
    eyes, ends = random.uniform((-1.0, -1.0, 0.2), (10.0, 9.0, 2.8), (2, 80, 3))
    assert sees(several, eyes, ends).tolist() == sees(one, eyes, ends).tolist()


def _floor(shape):
    ring = shapely.get_coordinates(shapely.orient_polygons(shape).exterior)[:-1]
    return Floor(np.column_stack([ring, np.zeros(len(ring))]))


@pytest.mark.data
def test_a_map_hides_the_same_as_tiles_and_as_somebodys_navmesh(data):
    tiles = Sight.from_level(read_level(data / "movingai" / "arena.map"))
    faces = Sight.from_level(read_level(data / "polyanya" / "arena-merged.mesh"))
    random = np.random.default_rng(1)
    eyes, ends = random.uniform((1.0, 1.0, 0.2), (48.0, 48.0, 2.8), (2, 3000, 3))
    seen = sees(tiles, eyes, ends)
    assert sees(faces, eyes, ends).tolist() == seen.tolist()
    assert 0.05 < seen.mean() < 0.95
