"""Walls about a point: along the way, across it, or none."""

import numpy as np
import pytest

from lastseen.kernels.mesh.corner import WALL_ACROSS, WALL_AHEAD, WALL_BEHIND, fan_about, mark_walls, walls_about
from specimens.cells import box, faces_mesh

ONE = faces_mesh(box(0, 0, 2, 2))
PAIR = faces_mesh(box(0, 0, 1, 1), box(1, 0, 2, 1))
HALF = faces_mesh(box(0, 0, 1, 2), box(1, 0, 2, 1))
FOUR = faces_mesh(box(0, 0, 1, 1), box(1, 0, 2, 1), box(0, 1, 1, 2), box(1, 1, 2, 2))
EAST, WEST, NORTH, STILL = (1.0, 0.0), (-1.0, 0.0), (0.0, 1.0), (0.0, 0.0)


def walls(mesh, point, way):
    fan, count = fan_about(mesh.arrays, 0, *point, np.empty(1, np.int64))
    return walls_about(mesh.arrays, fan, count, *point, *way)


@pytest.mark.parametrize(
    ("mesh", "point", "way", "expected"),
    [
        (ONE, (1.0, 0.0), EAST, WALL_AHEAD | WALL_BEHIND),
        (ONE, (1.0, 0.0), NORTH, WALL_ACROSS),
        (ONE, (1.0, 0.0), STILL, WALL_ACROSS),
        (ONE, (1.0, 1.0), EAST, 0),
        (ONE, (0.0, 0.0), EAST, WALL_AHEAD | WALL_ACROSS),
        (ONE, (2.0, 0.0), EAST, WALL_BEHIND | WALL_ACROSS),
        (ONE, (2.0, 0.0), WEST, WALL_AHEAD | WALL_ACROSS),
        (ONE, (2.0, 2.0), WEST, WALL_AHEAD | WALL_ACROSS),
        (ONE, (2.0, 2.0), NORTH, WALL_BEHIND | WALL_ACROSS),
        (PAIR, (1.0, 0.0), EAST, WALL_AHEAD | WALL_BEHIND),
        (PAIR, (1.0, 0.0), NORTH, WALL_ACROSS),
        (PAIR, (1.0, 0.5), NORTH, 0),
        (HALF, (1.0, 1.0), NORTH, WALL_AHEAD | WALL_ACROSS),
        (HALF, (1.0, 1.0), (0.0, -1.0), WALL_BEHIND | WALL_ACROSS),
        (HALF, (1.0, 1.0), EAST, WALL_AHEAD | WALL_ACROSS),
        (FOUR, (1.0, 1.0), EAST, 0),
        (FOUR, (1.0, 1.0), STILL, 0),
    ],
)
def test_walls_are_seen_as_somebody_walks(mesh, point, way, expected):
    assert walls(mesh, point, way) == expected


@pytest.mark.parametrize("mesh", [PAIR, HALF, FOUR, faces_mesh(box(0, 0, 3, 1), box(0, 1, 1, 2), box(2, 1, 3, 2))])
def test_marks_are_the_bits_of_the_assembled_mesh(mesh):
    arrays = mesh.arrays
    owner = np.repeat(np.arange(len(arrays.link_count)), arrays.link_count).astype(np.int64)
    marks = np.zeros(len(arrays.link_wall), np.uint8)
    mark_walls(arrays, marks, owner, np.arange(len(marks)))
    assert len(marks)
    assert marks.tolist() == arrays.link_wall.tolist()


def test_a_fan_longer_than_its_room_is_whole():
    mesh = faces_mesh(*(box(x, y, x + 1, y + 1) for x in (0, 1) for y in (0, 1)))
    fan, count = fan_about(mesh.arrays, 3, 1.0, 1.0, np.empty(1, np.int64))
    assert sorted(fan[:count].tolist()) == [0, 1, 2, 3]
