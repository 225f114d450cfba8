"""Locating: face, height and nearest point, held against looking at every face."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import face_at, faces_at, height_at, heights_at, nearest, nearest_many
from oracles.queries import box_mesh, tile_mesh

ROOMS = [(0, 0, 4, 4), (4, 1, 6, 2), (6, 0, 10, 4)]
STOREYS = box_mesh([(0, 0, 4, 4), (0, 0, 4, 4, 3.0), (0, 0, 2, 4, 6.0)], Body(radius=0.0, height=1.8, climb=0.4))


def ramp() -> NavMesh:
    """A ramp from z = 0 at x = 0 to z = 3 at x = 4."""
    return assemble([(0, 0, 0), (4, 0, 3), (4, 2, 3), (0, 2, 0)], [0, 4], range(4), body=Body(radius=0.0))


def test_the_rim_belongs_to_the_face_and_shared_edges_to_the_lower_id():
    mesh = box_mesh(ROOMS)
    assert faces_at(mesh, [(0, 0), (4, 4), (4, 1.5), (6, 1.5), (10, 4), (5, 2)]).tolist() == [0, 0, 0, 1, 2, 1]
    assert faces_at(mesh, [(-1e-3, 0), (5, 2.001), (11, 1), (1e9, 1e9)]).tolist() == [-1, -1, -1, -1]


@pytest.mark.parametrize(
    ("z", "face"),
    [(0.0, 0), (1.7, 0), (1.81, -1), (2.59, -1), (2.61, 1), (3.0, 1), (4.7, 1), (6.0, 2), (-0.3, 0), (-0.5, -1)],
)
def test_of_stacked_floors_the_nearest_within_reach_counts(z, face):
    assert face_at(STOREYS, (1, 1, z)) == face


def test_reach_can_be_chosen():
    assert face_at(STOREYS, (1, 1, 2.0), below=2.5, above=0.0) == 0
    assert face_at(STOREYS, (1, 1, 2.0), below=2.5, above=2.5) == 1
    with pytest.raises(InputError, match="below"):
        face_at(STOREYS, (1, 1, 2.0), below=-1.0)


def test_height_follows_the_ramp():
    assert height_at(ramp(), (2, 1, 1.5)) == pytest.approx(1.5)
    assert np.isnan(height_at(ramp(), (2, 1, 9.0)))
    assert heights_at(ramp(), [(0, 0, 0), (4, 2, 3)]) == pytest.approx([0.0, 3.0])


def test_the_nearest_point_of_a_ramp_is_not_straight_below():
    found = nearest(ramp(), (2.0 - 0.6, 1.0, 1.5 + 0.8))
    assert found.found
    assert found.xyz == pytest.approx([2.0, 1.0, 1.5])
    assert found.distance == pytest.approx(1.0)
    assert found.face == 0


def test_nothing_within_the_radius_is_said_so():
    mesh = box_mesh(ROOMS)
    assert nearest(mesh, (5, 4), 1.0).face == 0
    none = nearest(mesh, (5, 4), 0.99)
    assert (none.found, none.face) == (False, -1)
    assert np.isnan(none.distance)
    assert np.isnan(none.xyz).all()
    assert nearest(mesh, (1000, -1000, 5)).face == 2
    assert nearest(mesh, (5, 4), 0.0).found is False
    with pytest.raises(InputError, match="radius"):
        nearest(mesh, (5, 4), -1.0)


grids = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=5, max_size=5).map(np.array)
places = st.lists(st.tuples(*[st.integers(-8, 28).map(lambda k: k / 4)] * 2, st.sampled_from([0.0, 1.0])), max_size=30)


@given(grids.filter(lambda grid: grid.any()), places, st.sampled_from([0.5, 2.0, np.inf]))
def test_locating_equals_looking_at_every_face(passable, points, radius):
    mesh = tile_mesh(passable)
    shapes = [shapely.Polygon(mesh.face_xyz(face)[:, :2]) for face in range(mesh.face_count)]
    faces, found = faces_at(mesh, points), nearest_many(mesh, points, radius)
    for i, (x, y, z) in enumerate(points):
        away = np.array([shape.distance(shapely.Point(x, y)) for shape in shapes])
        assert faces[i] == (np.argmin(away) if away.min() == 0.0 else -1)
        distance = float(np.hypot(away.min(), z))
        assert found.found[i] == (distance <= radius)
        if distance <= radius:
            assert found.distance[i] == pytest.approx(distance)
            assert away[found.face[i]] == away.min()
            assert np.linalg.norm(found.xyz[i] - (x, y, z)) == pytest.approx(distance)
