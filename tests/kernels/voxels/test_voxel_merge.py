from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.voxels.voxel_merge import _mean_plane, merge_faces
from lastseen.navmesh.voxels.triangulation import _longest_first, _twins


def merged(xy, z, triangles, error=0.1, most=8):
    xy, z = np.array(xy, dtype=float), np.array(z, dtype=float)
    triangles = np.array(triangles, np.int32)
    twin = _twins(triangles, len(xy))
    start, edges = merge_faces(
        xy, z, triangles, np.zeros(len(triangles)), twin, _longest_first(xy, triangles, twin), error, most
    )
    corners = triangles.ravel()[edges]
    return [corners[a:b].tolist() for a, b in pairwise(start)]


def fan(count):
    """Return a regular polygon as triangles from its first corner."""
    angle = np.arange(count) * 2.0 * np.pi / count
    return np.column_stack([np.cos(angle), np.sin(angle)]), [(0, k, k + 1) for k in range(1, count - 1)]


def test_two_triangles_become_a_square():
    ((face),) = merged([(0, 0), (2, 0), (2, 2), (0, 2)], [0] * 4, [(0, 1, 2), (0, 2, 3)])
    assert sorted(face) == [0, 1, 2, 3]


def test_no_dents():
    assert len(merged([(0, 0), (4, 0), (1, 1), (0, 4)], [0] * 4, [(0, 1, 2), (0, 2, 3)])) == 2


def test_no_more_corners_than_allowed():
    xy, triangles = fan(9)
    assert sorted(map(len, merged(xy, np.zeros(9), triangles, most=6))) == [3, 4, 6]
    assert list(map(len, merged(xy, np.zeros(9), triangles, most=9))) == [9]


def test_no_creases():
    roof = [(0, 0), (2, 0), (2, 2), (0, 2)]
    assert len(merged(roof, [0, 1, 0, 1], [(0, 1, 2), (0, 2, 3)], error=0.4)) == 2
    assert len(merged(roof, [0, 1, 0, 1], [(0, 1, 2), (0, 2, 3)], error=0.6)) == 1


def test_a_corner_left_inside_a_straight_row_goes_as_well():
    """Corner 4 lies in the middle of a square: with the last two edges at it, it goes."""
    xy = [(0, 0), (2, 0), (2, 2), (0, 2), (1, 1)]
    ((face),) = merged(xy, [0] * 5, [(0, 1, 4), (1, 2, 4), (2, 3, 4), (3, 0, 4)])
    assert sorted(face) == [0, 1, 2, 3]


@given(
    st.lists(st.tuples(st.integers(0, 12), st.integers(0, 12)), min_size=4, max_size=12, unique=True), st.integers(3, 8)
)
def test_faces_cover_what_the_triangles_covered_and_are_convex(points, most):
    pieces = [p for p in shapely.get_parts(shapely.delaunay_triangles(shapely.multipoints(points))) if p.area > 0]
    number = {point: k for k, point in enumerate(points)}
    triangles = [[number[(int(x), int(y))] for x, y in shapely.normalize(p).exterior.coords[:3]] for p in pieces]
    triangles = [t if shapely.Polygon([points[k] for k in t]).exterior.is_ccw else t[::-1] for t in triangles]
    if not triangles:
        return
    faces = merged(points, np.zeros(len(points)), triangles, most=most)
    shapes = [shapely.Polygon([points[k] for k in face]) for face in faces]
    for face, shape in zip(faces, shapes):
        assert len(face) <= most
        assert shape.exterior.is_ccw
        assert shape.convex_hull.area == shape.area
    assert sum(shape.area for shape in shapes) == sum(p.area for p in pieces)
    assert shapely.union_all(shapes).area == shapely.union_all(pieces).area


@pytest.mark.parametrize("seed", range(8))
def test_the_mean_plane_of_a_face_is_that_of_its_normal_through_its_middle(seed):
    random = np.random.default_rng(seed)
    count = 3 + seed % 4
    angle = np.sort(random.uniform(0.0, 2.0 * np.pi, count))
    xy = np.column_stack([5.0 * np.cos(angle), 3.0 * np.sin(angle)]) + np.array([20.0, -7.0])
    z = xy @ (0.3, -0.7) + random.uniform(-0.5, 0.5, count)
    corners = np.column_stack([xy, z])
    normal = np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)
    slopes = -normal[:2] / normal[2]
    middle = corners.mean(axis=0)
    found = _mean_plane(xy, z, np.arange(count), count)
    assert found == pytest.approx((*slopes, middle[2] + slopes @ (xy[0] - middle[:2])))


def test_a_tilted_floor_is_merged_as_a_level_one_within_no_error():
    xy, triangles = fan(7)
    xy = 4.0 * xy @ np.array([(0.8, 0.6), (-0.6, 0.8)]) + (11.0, -5.0)
    assert merged(xy, xy @ (0.4, -0.9) + 3.0, triangles, error=1e-9) == merged(xy, np.zeros(7), triangles, error=1e-9)
