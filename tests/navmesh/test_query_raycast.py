"""Raycasts: hand-worked cases, exact agreement with walking on tiles, real maps."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.query import raycast, raycasts
from oracles.queries import box_mesh, tile_mesh, tiles_touching, walk_line
from specimens.cells import faces_mesh

ROOMS = [(0, 0, 4, 4), (4, 1, 6, 2), (6, 0, 10, 4)]
"""Two rooms joined by a corridor of 2 m x 1 m."""


def test_a_line_through_the_corridor_arrives():
    hit = raycast(box_mesh(ROOMS), (1, 1.5), (9, 1.5))
    assert hit.reached
    assert hit.fraction == 1.0
    assert hit.xyz.tolist() == [9.0, 1.5, 0.0]
    assert hit.face == 2


def test_a_line_against_the_wall_stops_at_it():
    hit = raycast(box_mesh(ROOMS), (1, 1.5), (9, 3.0))
    assert hit.outcome == "wall"
    assert hit.fraction == pytest.approx(3 / 8)
    assert hit.xyz == pytest.approx([4.0, 2.0625, 0.0])
    assert hit.normal_xy.tolist() == [-1.0, 0.0]
    assert hit.face == 0


def test_a_line_along_the_corridors_wall_arrives_but_is_not_strict():
    mesh = box_mesh(ROOMS)
    assert raycast(mesh, (1, 2), (9, 2)).reached
    hit = raycast(mesh, (1, 2), (9, 2), strict=True)
    assert hit.outcome == "wall"
    assert hit.fraction == pytest.approx(3 / 8)


def test_a_strict_line_slides_along_a_straight_wall():
    assert raycast(box_mesh([(0, 0, 4, 4), (4, 0, 8, 4), (8, 0, 12, 4)]), (1, 0), (11, 0), strict=True).reached


def test_a_strict_line_along_an_edge_stops_at_a_tip_that_touches_it():
    # Two rooms north of a hall, the wall between them ending on the hall's edge.
    mesh = box_mesh([(0, 0, 9, 2), (0, 2, 4, 5), (5, 2, 9, 5)])
    assert raycast(mesh, (1, 2), (8, 2)).reached
    assert raycast(mesh, (1, 2), (8, 2), strict=True).fraction == pytest.approx(3 / 7)


def test_no_line_passes_between_two_walls_that_share_a_corner():
    passable = np.array([[1, 0], [0, 1]], dtype=bool)
    hit = raycast(tile_mesh(passable), (0.5, 0.5), (1.5, 1.5))
    assert hit.outcome == "wall"
    assert hit.xyz == pytest.approx([1.0, 1.0, 0.0])


def test_a_line_passes_a_single_corner_unless_strict():
    mesh = tile_mesh(np.array([[1, 1], [0, 1]], dtype=bool))
    assert raycast(mesh, (0.5, 0.5), (1.5, 1.5)).reached
    assert not raycast(mesh, (0.5, 0.5), (1.5, 1.5), strict=True).reached


def test_a_line_crosses_the_right_one_of_several_edges_in_a_row():
    # The lower face has three corners in one line; only the middle and right stretch lead up.
    lower = [(0, 0, 0), (6, 0, 0), (6, 1, 0), (4, 1, 0), (1, 1, 0), (0, 1, 0)]
    upper = [(1, 1, 0), (4, 1, 0), (4, 2, 0), (1, 2, 0)]
    mesh = assemble([*lower, *upper], [0, 6, 10], range(10), body=Body(radius=0.0))
    assert raycast(mesh, (2, 0.5), (2, 1.5)).reached
    assert raycast(mesh, (2, 1.5), (5, 0.5)).reached
    assert raycast(mesh, (0.5, 0.5), (0.5, 1.5)).xyz == pytest.approx([0.5, 1.0, 0.0])
    assert raycast(mesh, (5, 0.5), (5, 1.5)).normal_xy.tolist() == [0.0, -1.0]


def test_where_a_line_ends_near_a_slanted_wall_the_next_one_begins():
    mesh = faces_mesh([(0, 0, 0), (4, 0, 0), (0, 4, 0)])
    for micrometres in np.linspace(0.0, 6.0, 25):
        beyond = 2.0 + 1e-6 * micrometres / np.sqrt(2.0)
        end = raycast(mesh, (1.0, 1.0), (beyond, beyond)).xyz
        assert raycast(mesh, end, (1.0, 1.0)).reached, micrometres


def test_named_outcomes():
    upper = [(0, 0, 4, 4), (0, 0, 4, 4, 3.0)]
    mesh = box_mesh(upper, Body(radius=0.0, height=1.8))
    assert raycast(mesh, (9, 9), (1, 1)).outcome == "off_mesh"
    assert raycast(mesh, (9, 9), (1, 1)).face == -1
    assert raycast(mesh, (1, 1, 0), (3, 3, 3)).outcome == "other_floor"
    assert raycast(mesh, (1, 1, 3), (3, 3, 3)).reached
    assert raycast(mesh, (1, 1, 3), (3, 3, 3)).xyz[2] == 3.0


def test_a_line_without_length_stays():
    mesh = box_mesh(ROOMS)
    for place in ((1, 1), (4, 1), (4, 1.5), (0, 0)):
        assert raycast(mesh, place, place).reached
        assert raycast(mesh, place, place, strict=True).reached


def test_a_start_face_that_does_not_hold_the_start_is_off_the_mesh():
    mesh = box_mesh(ROOMS)
    hits = raycasts(mesh, [(1, 1.5)] * 3, [(9, 1.5)] * 3, start_face=[0, -1, 2])
    assert [hit.outcome for hit in (hits[0], hits[1], hits[2])] == ["reached", "reached", "off_mesh"]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (([(1, 1)], [(1, 1), (2, 2)]), "one end per start"),
        (([(np.nan, 1)], [(1, 1)]), "finite"),
        (([(1, 1, 1, 1)], [(1, 1)]), "shape"),
    ],
)
def test_bad_lines_are_refused(arguments, message):
    with pytest.raises(InputError, match=message):
        raycasts(box_mesh(ROOMS), *arguments)


def test_bad_start_faces_are_refused():
    mesh = box_mesh(ROOMS)
    for faces in ([3], [-2], [0.5], [0, 0]):
        with pytest.raises(InputError, match="start_face"):
            raycasts(mesh, [(1, 1)], [(2, 2)], start_face=faces)


grids = (
    st.integers(1, 6)
    .flatmap(lambda width: st.lists(st.lists(st.booleans(), min_size=width, max_size=width), min_size=1, max_size=6))
    .filter(lambda rows: any(map(any, rows)))
)
coordinates = st.integers(-4, 28).map(lambda k: Fraction(k, 4))
points = st.tuples(coordinates, coordinates)


def is_pinch(passable: np.ndarray, point: tuple[Fraction, Fraction]) -> bool:
    """A point at which two tiles touch only in their corners belongs to both sides at once."""
    tiles = tiles_touching(passable, *point)
    return len(tiles) == 2 and len({tile[0] for tile in tiles}) == 2 and len({tile[1] for tile in tiles}) == 2


@given(grids, st.lists(st.tuples(points, points), min_size=1, max_size=20), st.booleans(), st.booleans())
def test_raycasts_equal_exact_walks_on_tiles(rows, lines, merge, strict):
    passable = np.array(rows)
    mesh = tile_mesh(passable, merge=merge)
    lines = [line for line in lines if not is_pinch(passable, line[0])]
    starts = np.array([start for start, _ in lines], dtype=float).reshape(-1, 2)
    ends = np.array([end for _, end in lines], dtype=float).reshape(-1, 2)
    hits = raycasts(mesh, starts, ends, strict=strict)
    for i, (start, end) in enumerate(lines):
        exact = walk_line(passable, start, end, strict=strict)
        if exact is None:
            assert hits[i].outcome == "off_mesh"
        else:
            assert hits[i].reached == (exact == 1), (rows, start, end)
            assert hits[i].fraction == pytest.approx(float(exact), abs=1e-9)


def read_map(path: Path) -> np.ndarray:
    lines = path.read_text().splitlines()
    return np.array([[tile in ".GS" for tile in line] for line in lines[4:]])


@pytest.mark.data
@pytest.mark.parametrize("name", ["arena", "lak303d"])
def test_raycasts_equal_exact_walks_on_real_maps(data, name):
    passable = read_map(data / "movingai" / f"{name}.map")
    mesh = tile_mesh(passable)
    random = np.random.default_rng(7)
    open_tiles = np.argwhere(passable)[:, ::-1]
    starts = open_tiles[random.integers(len(open_tiles), size=300)] + random.integers(0, 5, (300, 2)) / 4
    ends = starts + random.integers(-80, 81, (300, 2)) / 4
    for strict in (False, True):
        hits = raycasts(mesh, starts, ends, strict=strict)
        for i in range(len(starts)):
            start, end = (tuple(map(Fraction, point.tolist())) for point in (starts[i], ends[i]))
            if is_pinch(passable, start):
                continue
            exact = walk_line(passable, start, end, strict=strict)
            assert hits.fraction[i] == pytest.approx(float(exact), abs=1e-9), (start, end)
            assert hits.reached[i] == (exact == 1)


@pytest.mark.parametrize("count", [8, 64, 100, 200])
def test_a_line_passes_a_corner_however_many_faces_meet_there(count):
    around = np.linspace(0.0, 2.0 * np.pi, count, endpoint=False)
    vertices = np.vstack([np.zeros(3), np.column_stack([np.cos(around), np.sin(around), np.zeros(count)])])
    corners = [corner for k in range(count) for corner in (0, 1 + k, 1 + (k + 1) % count)]
    mesh = assemble(vertices, np.arange(0, 3 * count + 1, 3), corners, body=Body(radius=0.0))
    ends = 0.9 * np.column_stack([np.cos(around + 0.01), np.sin(around + 0.01), np.zeros(count)])
    assert raycasts(mesh, ends, -ends).reached.all()


def test_rays_in_a_batch_do_not_depend_on_those_before_them():
    mesh = box_mesh(ROOMS)
    starts = [(1, 1.5), (1, 1.5), (50, 50), (50, 50), (9, 3), (1, 1.5), (9, 3), (9, 3)]
    ends = [(9, 1.5), (3, 3), (1, 1), (9, 1.5), (9, 1), (9, 3.0), (5, 1.5), (1, 1.5)]
    # Faces found for a start serve the next ray from there, those given do not.
    known = [-1, -1, -1, -1, 2, -1, -1, 2]
    for faces in (None, known):
        hits = raycasts(mesh, starts, ends, start_face=faces)
        for row, (start, end) in enumerate(zip(starts, ends)):
            alone = raycast(mesh, start, end)
            assert (hits[row].outcome, hits[row].face) == (alone.outcome, alone.face)
            assert hits.xyz[row].tolist() == alone.xyz.tolist()
