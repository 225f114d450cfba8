"""Walks between cells pass a portal only where the columns of the two leave enough of it."""

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.kernels.cells.cell_walk import MOST_FACES, faces_in_box, walks_in_columns
from lastseen.kernels.mesh.point_location import TOUCH
from specimens.cells import box, faces_mesh

PAIR = faces_mesh(box(0, 0, 1, 1), box(1, 0, 2, 1))


def reached(low, high):
    faces = np.full(4, -1, np.int64)
    return faces_in_box(PAIR.arrays, 0, np.array([0.0, low, 2.0, high]), faces)


@pytest.mark.parametrize(("width", "count"), [(0.0, 1), (1.0, 1), (3.9, 1), (4.1, 2), (9.0, 2), (1e4, 2)])
def test_a_gap_of_four_touches_is_no_way(width, count):
    assert reached(0.25, 0.25 + width * TOUCH) == count
    assert reached(1.0 - width * TOUCH, 5.0) == count
    assert reached(-5.0, width * TOUCH) == count


def test_a_box_beside_the_portal_meets_none_of_it():
    assert reached(1.5, 2.0) == 1
    assert reached(0.0, 1.0) == 2
    faces = np.full(4, -1, np.int64)
    assert faces_in_box(PAIR.arrays, 0, np.array([0.0, 0.0, 0.9, 1.0]), faces) == 1
    assert faces_in_box(PAIR.arrays, 0, np.array([0.0, 0.0, 1.0, 1.0]), faces) == 2


def test_how_far_it_is_round_the_end_of_a_wall():
    """Two rooms side by side, joined by a strip along one end: within their columns the way goes through it."""
    layout = build_layout(faces_mesh(box(0, 0, 0.9, 0.8), box(1.1, 0, 2, 0.8), box(0, 0.8, 2, 1)))
    cells, faces = layout.arrays, layout.cell_face
    one, other = (int(np.flatnonzero(faces == face)[0]) for face in (0, 1))
    lengths = np.zeros(1)
    pair = np.array([one], np.uint32), np.array([other], np.uint32)
    scratch = np.empty(MOST_FACES, np.int64), np.empty((MOST_FACES, 5)), np.empty(4)
    stand_on = faces[pair[0]].astype(np.int32), faces[pair[1]].astype(np.int32)
    walks_in_columns(layout.mesh.arrays, cells, *stand_on, *pair, *scratch, lengths)
    start, end = cells.cell_xyz[[one, other], :2].astype(float)
    least = np.hypot(*([0.9, 0.8] - start)) + 0.2 + np.hypot(*(end - [1.1, 0.8]))
    assert least - 1e-6 <= lengths[0] < 1.5 * least
