"""Paths found face by face: shortest where there is one way only, and to the nearest point where there is none."""

from __future__ import annotations

import math
from itertools import pairwise

import numpy as np
import pytest

from lastseen.kernels.walk.path_corridor import find_other_ways
from lastseen.kernels.walk.path_trace import FOUND, NO_WAY, START_OFF
from lastseen.level.level import Level
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import MOST_NODES, faces_at, find_path

BELOW, ABOVE = 1.8, 0.4


def built(*outlines):
    return build_navmesh(Level.from_polygons([*outlines]), Body(radius=0.0))


def star(rng, middle=(0.0, 0.0), size=10.0):
    """Return an outline without holes whose corners point in and out."""
    turns = np.sort(rng.uniform(0.0, math.tau, 14))
    reach = size * rng.uniform(0.15, 1.0, 14)
    return np.asarray(middle) + reach[:, None] * np.column_stack([np.cos(turns), np.sin(turns)])


def comb(turn):
    """A corridor that goes to and fro, seen from an angle."""
    right = [(-1.0, 0), (9, 0), (9, 6), (1, 6), (1, 8), (9, 8)]
    left = [(9, 9), (-0.5, 9), (-0.5, 4.5), (7, 4.5), (7, 2), (-1, 2)]
    cos, sin = math.cos(turn), math.sin(turn)
    return np.array(right + left) @ np.array([(cos, sin), (-sin, cos)])


def ways(mesh, starts, goals, most=MOST_NODES):
    starts, goals = np.array(starts, float), np.array(goals, float)
    found = find_other_ways(mesh.arrays, mesh.face_component, starts, goals, BELOW, ABOVE, most)
    points = [found.points[a:b] for a, b in pairwise(found.point_start)]
    faces = [found.faces[a:b].tolist() for a, b in pairwise(found.face_start)]
    return found.status.tolist(), found.length.tolist(), points, faces


def places(mesh, rng, count):
    """Return points on the floor, one in a random face each, inside it."""
    arrays, found = mesh.arrays, []
    for face in rng.integers(0, len(arrays.face_start), count).tolist():
        first = int(arrays.face_start[face])
        corners = arrays.vertex_xyz[arrays.face_vertex[first : first + int(arrays.face_count[face])]]
        found.append(rng.dirichlet(np.ones(len(corners))) @ corners)
    return np.array(found)


def apart(mesh, rng, count):
    """Return pairs of places; within one face there is nothing to find."""
    starts, goals = places(mesh, rng, count), places(mesh, rng, count)
    differ = faces_at(mesh, starts) != faces_at(mesh, goals)
    assert differ.sum() >= 8
    return starts[differ], goals[differ]


def metres(points):
    return sum(float(np.linalg.norm(b - a)) for a, b in pairwise(points))


def are_linked(mesh, one, other):
    arrays = mesh.arrays
    first = int(arrays.link_start[one])
    return other in arrays.link_face[first : first + int(arrays.link_count[one])]


@pytest.mark.parametrize("seed", range(10))
def test_the_only_way_is_pulled_taut(seed):
    """Where faces are joined like a tree there is one chain of them for each pair, which holds the shortest path."""
    rng = np.random.default_rng(seed)
    mesh = built(comb(0.4 * seed) if seed < 3 else star(rng))
    while len(mesh.arrays.link_face) > 2 * len(mesh.arrays.face_start) - 2:  # faces around an inner corner
        mesh = built(star(rng))
    starts, goals = apart(mesh, rng, 20)
    status, length, points, faces = ways(mesh, starts, goals)
    for k in range(len(starts)):
        shortest = find_path(mesh, starts[k], goals[k])
        assert status[k] == FOUND
        assert length[k] == pytest.approx(shortest.length, abs=1e-9)
        assert metres(points[k]) == pytest.approx(length[k], abs=1e-9)
        assert points[k][0] == pytest.approx(starts[k])
        assert points[k][-1] == pytest.approx(goals[k])
        assert all(are_linked(mesh, *both) for both in pairwise(faces[k]))


def test_a_path_is_the_reverse_of_the_way_back_and_never_shorter_than_the_shortest():
    rng = np.random.default_rng(5)
    holes = [star(rng, (x, y), 1.7) for x, y in ((4, 4), (8, 5), (5, 8), (9, 9))]
    level = Level.sample("rooms")
    meshes = build_navmesh(level, Body(radius=0.3)), built(comb(1.1), *(one + 30.0 for one in holes))
    for mesh in meshes:
        starts, goals = apart(mesh, rng, 20)
        there, back = ways(mesh, starts, goals), ways(mesh, goals, starts)
        for k in range(len(starts)):
            if there[0][k] == FOUND:
                assert there[1][k] == back[1][k] == pytest.approx(metres(there[2][k]), abs=1e-9)
                assert there[1][k] >= find_path(mesh, starts[k], goals[k]).length - 1e-9
                assert there[2][k] == pytest.approx(back[2][k][::-1])
                assert there[3][k] == back[3][k][::-1]


@pytest.mark.parametrize("most", [MOST_NODES, 1])
def test_without_a_way_the_path_ends_where_it_is_nearest_to_the_goal(most):
    """The exact search (`most` nodes) and the one over faces lead to the same place on an island of its own."""
    mesh, rng = built(comb(0.7), comb(0.7) + np.array([3.0, 16.0])), np.random.default_rng(2)
    own = places(mesh, rng, 400)
    component = mesh.face_component[faces_at(mesh, own)]
    starts, goals = own[component == component[0]][:8], own[component != component[0]][:8]
    status, length, points, _ = ways(mesh, starts, goals, most)
    assert status == [NO_WAY] * 8
    for k in range(8):
        ends = points[k][-1]
        reach = own[component == component[0]]
        assert np.linalg.norm(ends - goals[k]) <= np.linalg.norm(reach - goals[k], axis=1).min() + 1e-9
        assert length[k] == pytest.approx(find_path(mesh, starts[k], ends).length, abs=1e-6)


def test_a_start_off_the_floor_has_no_path_and_no_place_among_the_points():
    mesh = built(comb(0.0))
    status, length, points, faces = ways(mesh, [(99.0, 0.0, 0.0), (0.0, 8.5, 0.0)], [(0.0, 1.0, 0.0)] * 2)
    assert status == [START_OFF, FOUND]
    assert (len(points[0]), faces[0], length[0]) == (0, [], 0.0)
    assert length[1] == pytest.approx(metres(points[1]))
