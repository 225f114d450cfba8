"""Levels as triangles for the 3D view: floors, walls and objects, the edges one sees, and no more than fit."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from lastseen import Level
from lastseen.level.level import TriangleSoup
from lastseen.views.studio.protocol import solid
from lastseen.views.studio.protocol.news import Solid
from lastseen.views.studio.protocol.solid import solid_of

ROOM = "#####\n#..##\n#..##\n#####\n"
CUBE = np.array([(x, y, z) for z in (0, 1) for y in (0, 1) for x in (0, 1)], float)
SIDES = np.array([int(digit) for digit in "023031457476015054267273046062137175"]).reshape(-1, 3)


def numbers(text: str, dtype: str, wide: int) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype).reshape(-1, wide)


def corners(found: Solid) -> np.ndarray:
    return numbers(found.vertices, "<f4", 3).astype(float)[numbers(found.triangles, "<u4", 3)]


def kinds(found: Solid) -> np.ndarray:
    return np.array(found.kinds)[numbers(found.kind, "|u1", 1)[:, 0]]


def normals(triangles: np.ndarray) -> np.ndarray:
    return np.cross(triangles[:, 1] - triangles[:, 0], triangles[:, 2] - triangles[:, 0]) / 2


def upward(found: Solid, kind: str) -> float:
    """Return the area of a kind that faces up, in plan."""
    return float(np.clip(normals(corners(found)[kinds(found) == kind])[:, 2], 0, None).sum())


def cube() -> Level:
    return Level(TriangleSoup(CUBE, SIDES))


def test_a_room_of_four_tiles_has_its_floor_and_a_wall_of_half_a_tile_around_it():
    found = solid_of(Level.from_text(ROOM), None)
    assert upward(found, "floor") == pytest.approx(4.0)
    assert upward(found, "wall") == pytest.approx(3.0 * 3.0 - 4.0)
    walls = corners(found)[kinds(found) == "wall"]
    assert walls[..., 2].min() == 0.0
    assert walls[..., 2].max() == pytest.approx(1.2)
    inside = normals(walls)
    towards = (walls.mean(axis=1) - [2.0, 2.0, 0.0]) * [1, 1, 0]
    near = np.abs(towards).max(axis=1) < 1.01
    sides = near & (np.abs(inside[:, 2]) < 1e-6)
    assert ((inside * towards).sum(axis=1)[sides] < 0).all()  # walls face the room
    assert found.left_out == 0


def test_what_floors_enclose_is_wall_unless_the_storey_below_is_seen_through_it():
    ring = solid_of(Level.from_text("#######\n#.....#\n#.###.#\n#.###.#\n#.###.#\n#.....#\n#######\n"), None)
    assert upward(ring, "wall") == pytest.approx(6.0 * 6.0 - 16.0)
    house = Level.sample("house")
    tops = corners(solid_of(house, None))
    level_tops = tops[np.ptp(tops[..., 2], axis=1) < 1e-6]
    high = level_tops[level_tops[:, 0, 2] > 3.5]
    assert np.abs(normals(high)[:, 2]).sum() < 60.0  # the hall under the balcony stays open


def test_a_cube_has_twelve_edges_and_floors_where_one_can_stand():
    found = solid_of(cube(), None)
    assert len(numbers(found.triangles, "<u4", 3)) == 12
    edges = numbers(found.edges, "<u4", 2)
    ends = numbers(found.vertices, "<f4", 3)[edges]
    np.testing.assert_allclose(np.linalg.norm(ends[:, 0] - ends[:, 1], axis=1), 1.0)
    assert len(edges) == 12
    assert sorted(kinds(found)) == ["floor"] * 2 + ["wall"] * 10
    assert normals(corners(found)[kinds(found) == "floor"])[:, 2].sum() == pytest.approx(1.0)


def test_of_too_many_triangles_the_largest_are_sent(monkeypatch):
    vertices = np.concatenate([CUBE, CUBE * 5 + 10])
    level = Level(TriangleSoup(vertices, np.concatenate([SIDES, SIDES + 8])))
    monkeypatch.setattr(solid, "MOST_TRIANGLES", 12)
    found = solid_of(level, None)
    assert found.left_out == 12
    assert corners(found).min() == 10.0


def test_objects_are_cut_off_like_walls_and_doors_are_left_to_the_page():
    level = Level.sample("warehouse")
    found = solid_of(level, None)
    cover = corners(found)[kinds(found) == "cover"]
    outlines = sum(len(one.outline_xy) for one in level.cover)
    assert len(cover) == 2 * outlines + sum(len(one.outline_xy) - 2 for one in level.cover)
    assert cover[..., 2].max() <= 1.2 + 1e-6


@pytest.mark.data
def test_a_mesh_keeps_its_triangles(data):
    level = Level.read(data / "recast" / "dungeon.obj")
    found = solid_of(level, None)
    assert len(corners(found)) == len(level.surface.triangles)
    given = level.surface.vertices_xyz[level.surface.triangles]
    assert np.abs(normals(corners(found))).sum() == pytest.approx(np.abs(normals(given)).sum(), rel=1e-3)
