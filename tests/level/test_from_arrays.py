"""Levels from arrays, polygons and meshes equal those read from files, and say what is wrong with what was given."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

import lastseen as ls
from lastseen.errors import InputError, LevelError
from lastseen.level import Door, Obstacle, Spawn

ROOM = "#####\n#...#\n#.#.#\n#####"


def _grid(text):
    return np.array([[tile == "." for tile in row] for row in text.splitlines()])


def test_an_array_is_the_level_drawn_in_text():
    drawn = ls.Level.from_text(ROOM, name="array")
    level = ls.Level.from_array(_grid(ROOM))
    assert np.array_equal(level.surface.floors[0].passable, drawn.surface.floors[0].passable)
    assert len(ls.CellLayout.from_level(level)) == len(ls.CellLayout.from_level(drawn))


@pytest.mark.parametrize("dtype", [bool, np.uint8, np.int64, float])
def test_ones_are_passable(dtype):
    level = ls.Level.from_array(_grid(ROOM).astype(dtype))
    assert level.surface.floors[0].passable.sum() == 5


@settings(deadline=None, max_examples=40)
@given(
    st.lists(st.lists(st.booleans(), min_size=3, max_size=6), min_size=2, max_size=6).filter(
        lambda rows: len({len(row) for row in rows}) == 1 and any(map(any, rows))
    ),
    st.sampled_from([0.5, 1.0, 2.0]),
    st.sampled_from([(0.0, 0.0), (-3.0, 7.0)]),
)
def test_cells_of_any_array_are_its_passable_tiles(rows, tile, origin):
    layout = ls.CellLayout.from_level(ls.Level.from_array(rows, tile=tile, origin_xy=origin), ls.Body(radius=0.0))
    row, column = np.nonzero(np.array(rows))
    wanted = {(x, y) for x, y in ((np.stack([column, row], axis=1) + 0.5) * tile + origin).round(6).tolist()}
    assert {(x, y) for x, y in layout.arrays.cell_xyz[:, :2].astype(float).round(6).tolist()} == wanted


def test_parts_are_placed_and_checked():
    door = Door([(2, 1), (3, 1), (3, 2), (2, 2)], name="hatch", open=False)
    level = ls.Level.from_array(_grid(ROOM), doors=[door], spawns=[Spawn((1.5, 1.5), "guard", "Ames")])
    assert level.doors == (door,)
    assert level.spawns[0].xyz == (1.5, 1.5, 0.0)
    with pytest.raises(LevelError, match="spawns"):
        ls.Level.from_array(_grid(ROOM), spawns=[Spawn((90.0, 90.0))])
    with pytest.raises(InputError, match="did you mean"):
        ls.Level.from_array(_grid(ROOM), dors=[door])
    with pytest.raises(InputError, match=r"doors\[0\] is an Obstacle; give a Door"):
        ls.Level.from_array(_grid(ROOM), doors=[Obstacle([(2, 1), (3, 1), (3, 2)])])


@pytest.mark.parametrize(
    ("given_array", "words"),
    [
        (np.zeros((4, 4)), "grid == 0"),
        (np.arange(9).reshape(3, 3), "grid == 0"),
        (["##", ".."], "Level.from_text"),
        (np.ones(5), "(rows, columns)"),
        ([[1, 0], [1]], "(rows, columns)"),
    ],
)
def test_other_arrays_get_advice(given_array, words):
    with pytest.raises(InputError) as caught:
        ls.Level.from_array(given_array)
    assert words in str(caught.value)


@pytest.mark.parametrize("turn", [1, -1])
def test_polygons_may_run_either_way_and_repeat_their_first_point(turn):
    square = [(0, 0), (6, 0), (6, 6), (0, 6), (0, 0)][::turn]
    level = ls.Level.from_polygons([square])
    assert ls.NavMesh.from_level(level, ls.Body(radius=0.0)).face_area.sum() == pytest.approx(36.0)


def test_a_shapely_polygon_keeps_its_holes_and_a_ramp_its_height():
    ring = shapely.Polygon([(0, 0), (6, 0), (6, 6), (0, 6)], [[(2, 2), (4, 2), (4, 4), (2, 4)]])
    ramp = [(6, 0, 0), (9, 0, 1), (9, 6, 1), (6, 6, 0)]
    mesh = ls.NavMesh.from_level(ls.Level.from_polygons([ring, ramp]), ls.Body(radius=0.0))
    assert mesh.face_area.sum() == pytest.approx(36.0 - 4.0 + 18.0)
    assert ls.find_path(mesh, (1.0, 1.0), (8.9, 3.0, 1.0)).reached


def test_a_mesh_is_read_with_either_axis_up():
    corners = np.array([(0, 0, 0), (8, 0, 0), (8, 8, 0), (0, 8, 0)], float)
    faces = [(0, 1, 2), (0, 2, 3)]
    level = ls.Level.from_mesh(corners, faces)
    turned = np.column_stack([corners[:, 0], corners[:, 2], -corners[:, 1]])
    assert ls.Level.from_mesh(turned, faces, up="y") == level
    flipped = ls.Level.from_mesh(corners, [face[::-1] for face in faces], flip=True)
    assert ls.NavMesh.from_level(flipped).face_area.sum() == pytest.approx(ls.NavMesh.from_level(level).face_area.sum())
    with pytest.raises(LevelError, match="vertices"):
        ls.Level.from_mesh(corners, [(0, 1, 9)])


def test_calling_the_class_names_the_method_that_makes_one():
    level = ls.Level.sample("corridor")
    for kind in (ls.NavMesh, ls.CellLayout, ls.Sight):
        with pytest.raises(InputError, match=rf"{kind.__name__}\.from_level\(level\)"):
            kind(level)
    with pytest.raises(InputError, match=r"Level\.from_array"):
        ls.Level(np.zeros((5, 5)))
