"""Walks between cells pass a portal only where the columns of the two leave enough of it."""

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.kernels.cells.cell_walk import (
    BLOCKED,
    CLEAR,
    MOST_FACES,
    UNCERTAIN,
    clear_walks,
    faces_in_box,
    walks_in_columns,
)
from lastseen.kernels.mesh.point_location import TOUCH
from lastseen.navmesh.query import raycasts
from oracles.paths import random_tiles, rectangles_of
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


@pytest.mark.parametrize("seed", range(10))
def test_straight_walks_are_decided_as_rays_decide_them(seed):
    """On faces that are turned and tilted, off the origin; no line meets a corner, so none is left uncertain."""
    random = np.random.default_rng(seed)
    tiles = random_tiles(random, 7)
    tiles[0, 0] = True
    turn, move, slope = np.array([(0.6, 0.8), (-0.8, 0.6)]), (31.0, -17.0), (0.1, -0.3)
    rings = [np.array(box(*each))[:, :2] @ turn + move for each in rectangles_of(tiles, random)]
    mesh = faces_mesh(*[np.column_stack([ring, ring @ slope]).tolist() for ring in rings])
    face = random.integers(len(rings), size=40)
    share = random.uniform(0.05, 0.95, (40, 2))
    flat = np.array([rings[f][0] + (rings[f][1] - rings[f][0]) * u + (rings[f][3] - rings[f][0]) * v
                     for f, (u, v) in zip(face, share)])  # fmt: skip
    xyz, pairs, out = np.column_stack([flat, flat @ slope]), np.arange(40), np.full(39, 9, np.uint8)
    clear_walks(mesh.arrays, xyz, face, pairs[:-1], pairs[1:], 0.05, out)
    reached = raycasts(mesh, xyz[:-1], xyz[1:]).reached
    assert out.tolist() == np.where(reached, CLEAR, BLOCKED).tolist()
    clear_walks(mesh.arrays, xyz + np.array([0.0, 0.0, 0.06]), face, pairs[:-1], pairs[1:], 0.05, out)
    assert out.tolist() == np.where(reached, UNCERTAIN, BLOCKED).tolist()


def test_a_walk_that_meets_a_corner_of_the_wall_is_left_uncertain():
    turned = np.array(box(0, 0, 3, 2))[:, :2] @ np.array([(0.6, 0.8), (-0.8, 0.6)]) + (31.0, -17.0)
    mesh = faces_mesh(np.column_stack([turned, np.zeros(4)]).tolist())
    start, out = turned.mean(axis=0) + 0.1, np.full(8, 9, np.uint8)
    ends = [start + 1.5 * (corner - start) + aside for aside in (0.0, 0.01) for corner in turned]
    xyz = np.column_stack([[start, *ends], np.zeros(9)])
    clear_walks(mesh.arrays, xyz, np.array([0] + [1] * 8), np.zeros(8, np.int64), np.arange(1, 9), 0.05, out)
    assert out.tolist() == [UNCERTAIN] * 4 + [BLOCKED] * 4
