from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import BakeError, InputError
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from oracles.assembly import beyond, faces_as_lists, linked, require_sound, touches_wall

THIN = Body(radius=0.0, climb=0.4)


def square(x, y, z=0.0, width=1.0, height=1.0):
    return [(x, y, z), (x + width, y, z), (x + width, y + height, z), (x, y + height, z)]


def mesh_of(*faces, body=THIN, **options):
    start = np.cumsum([0, *map(len, faces)])
    vertices = [corner for face in faces for corner in face]
    return assemble(vertices, start, np.arange(len(vertices)), body=body, **options)


def links_of(mesh):
    arrays = mesh.arrays
    return [
        (
            face,
            int(arrays.link_face[k]),
            int(arrays.link_edge[k]),
            arrays.link_portal[k].tolist(),
            int(arrays.link_wall[k]),
        )
        for face in range(mesh.face_count)
        for k in range(arrays.link_start[face], arrays.link_start[face] + arrays.link_count[face])
    ]


def test_two_squares_share_one_edge():
    mesh = mesh_of(square(0, 0), square(1, 0))
    assert links_of(mesh) == [
        (0, 1, 1, [[1, 0, 0], [1, 1, 0]], 3),
        (1, 0, 3, [[1, 1, 0], [1, 0, 0]], 3),
    ]
    assert len(mesh.arrays.vertex_xyz) == 6
    assert mesh.face_component.tolist() == [0, 0]
    assert mesh.face_area.tolist() == [1, 1]


@pytest.mark.parametrize("z", [0.0, 0.1])
@pytest.mark.parametrize("edge", [1, 7])
def test_a_barred_edge_leads_nowhere(edge, z):
    """From either side, where vertices are the same and where there is a step; edges of an empty face shift ids."""
    empty = [(5, 5, 0), (6, 5, 0), (7, 5, 0)]
    barred = np.arange(11) == edge + 3
    mesh = mesh_of(empty, square(0, 0), square(1, 0, z), barred=barred)
    assert links_of(mesh) == []
    assert len(links_of(mesh_of(empty, square(0, 0), square(1, 0, z), barred=np.arange(11) == 3))) == 2
    with pytest.raises(InputError, match="barred"):
        mesh_of(square(0, 0), barred=[True])


def test_t_junction_gives_two_portals_on_one_edge_and_no_wall_at_the_junction():
    mesh = mesh_of(square(0, 0, width=2), square(0, 1), square(1, 1))
    assert links_of(mesh)[:2] == [
        (0, 2, 2, [[2, 1, 0], [1, 1, 0]], 1),
        (0, 1, 2, [[1, 1, 0], [0, 1, 0]], 2),
    ]


def test_half_open_edge_has_a_wall_where_its_portal_ends():
    mesh = mesh_of(square(0, 0, width=2), square(0, 1))
    assert links_of(mesh)[0] == (0, 1, 2, [[1, 1, 0], [0, 1, 0]], 3)


def test_corner_of_a_blocked_tile_is_a_wall_point():
    mesh = mesh_of(square(0, 0), square(1, 0), square(1, 1))
    walls = {(a, b): (portal, wall) for a, b, _, portal, wall in links_of(mesh)}
    portal, wall = walls[0, 1]
    assert portal[1] == [1, 1, 0]
    assert wall & 2


def test_middle_of_four_tiles_is_no_wall_point():
    mesh = mesh_of(square(0, 0), square(1, 0), square(0, 1), square(1, 1))
    for *_, portal, wall in links_of(mesh):
        for bit, end in enumerate(portal):
            assert bool(wall >> bit & 1) == (end != [1, 1, 0])


@pytest.mark.parametrize(("step", "links"), [(0.3, 2), (0.4, 2), (0.6, 0)])
def test_a_step_is_walked_up_to_the_climb(step, links):
    mesh = mesh_of(square(0, 0), square(1, 0, z=step))
    assert len(mesh.arrays.link_face) == links
    if links:
        assert mesh.arrays.link_portal[0].tolist() == [[1, 0, 0], [1, 1, 0]]
        assert mesh.arrays.link_portal[1].tolist() == [[1, 1, step], [1, 0, step]]


def test_a_ramp_is_entered_from_its_side_only_where_the_step_is_low():
    ramp = [(0, 1, 0), (4, 1, 2), (4, 2, 2), (0, 2, 0)]
    mesh = mesh_of(square(0, 0, width=4), ramp)
    ((*_, portal, wall), (*_, back, _)) = links_of(mesh)
    assert np.allclose(portal, [[0.8, 1, 0], [0, 1, 0]], atol=1e-5)
    assert np.allclose(back, [[0, 1, 0], [0.8, 1, 0.4]], atol=1e-5)
    assert wall == 3
    assert np.allclose(mesh.arrays.face_plane[1], [0.5, 0, 0])


def test_of_two_faces_at_one_stretch_the_nearer_in_height_is_linked():
    mesh = mesh_of(square(0, 0), square(1, 0, z=0.3), square(1, 0, z=-0.2))
    assert [(a, b) for a, b, *_ in links_of(mesh)] == [(0, 2), (2, 0)]


def test_of_two_faces_at_one_stretch_the_other_keeps_the_rest():
    mesh = mesh_of(square(0, 0, height=2), square(1, 0, z=0.1), square(1, 0, z=0.3, height=2))
    assert [(a, b, portal) for a, b, _, portal, _ in links_of(mesh)][:2] == [
        (0, 1, [[1, 0, 0], [1, 1, 0]]),
        (0, 2, [[1, 1, 0], [1, 2, 0]]),
    ]
    require_sound(mesh)


def test_stacked_floors_are_storeys_from_the_bottom():
    mesh = mesh_of(square(0, 0, z=6), square(0, 0), square(0, 0, z=3), square(1, 0))
    assert mesh.face_storey.tolist() == [2, 0, 1, 0]
    assert mesh.face_component.tolist() == [0, 1, 2, 1]


def test_storeys_follow_links_until_they_would_overlap():
    up = [(1, 0, 0), (4, 0, 3), (4, 1, 3), (1, 1, 0)]
    mesh = mesh_of(square(0, 0), up, square(4, 0, z=3), square(0, 0, z=3, width=1), square(0, 1, z=3, width=5))
    assert mesh.face_storey.tolist() == [0, 0, 0, 1, 0]
    assert mesh_of(square(0, 0), square(0, 0, z=3), face_storey=[4, 7]).face_storey.tolist() == [4, 7]


def test_near_vertices_are_welded_and_empty_faces_dropped():
    mesh = mesh_of(square(0, 0), [(5, 5, 0), (6, 6, 0), (7, 7, 0)], square(1 + 4e-7, 0), face_storey=[0, 5, 1])
    assert mesh.face_count == 2
    assert len(mesh.arrays.link_face) == 2
    assert len(mesh.arrays.vertex_xyz) == 6
    assert mesh.face_storey.tolist() == [0, 1]
    assert mesh.bounds_xyz[1].tolist() == pytest.approx([2, 1, 0], abs=1e-6)


def test_far_coordinates_keep_their_links():
    mesh = mesh_of(square(9e6, -9e6), square(9e6 + 1, -9e6))
    assert len(mesh.arrays.link_face) == 2


@pytest.mark.parametrize(
    ("faces", "words"),
    [
        ([[(0, 0, 0), (2, 0, 0), (1, 0.5, 0), (2, 2, 0)]], r"face 0 is not convex at \(1, 0.5, 0\)"),
        ([square(0, 0)[::-1]], "face 0 at .* clockwise"),
        ([[(0, 0, 0), (1, 0, 0), (2, 0, 0)]], "no walkable place"),
        ([square(2e7, 0)], "at most 1e[+]07 m"),
        ([[(0, 1, 0), (-0.6, -0.8, 0), (0.95, 0.3, 0), (-0.95, 0.3, 0), (0.6, -0.8, 0)]], "not convex"),
        ([], "no walkable place"),
    ],
)
def test_faults_name_the_place(faces, words):
    with pytest.raises(BakeError, match=words):
        mesh_of(*faces)


@pytest.mark.parametrize(
    ("start", "corners", "words"),
    [
        ([0, 2], [0, 1, 2], "from 0 to the number of corners"),
        ([0, 3], [0, 1, 9], "allowed: 0 … 2"),
        ([0, 3, 2, 3], [0, 1, 2], "must not decrease"),
        ([], [], "from 0"),
    ],
)
def test_wrong_arrays_are_refused(start, corners, words):
    with pytest.raises(InputError, match=words):
        assemble([(0, 0, 0), (1, 0, 0), (0, 1, 0)], start, corners, body=THIN)


def test_not_finite_vertices_are_refused():
    with pytest.raises(InputError, match="finite"):
        assemble([(0, 0, 0), (1, np.nan, 0), (0, 1, 0)], [0, 3], [0, 1, 2], body=THIN)


boxes = st.lists(
    st.tuples(st.integers(0, 5), st.integers(0, 5), st.integers(1, 3), st.integers(1, 3), st.integers(0, 8)),
    min_size=1,
    max_size=9,
)


@given(boxes, st.sampled_from([0.0, 0.25, 0.5]))
def test_links_agree_with_a_search_of_all_edges(boxes, climb):
    """Random boxes at random heights, kept only where they do not overlap one another within two metres."""
    kept = []
    for x, y, w, h, level in boxes:
        z = 0.2 * level + 3.0 * (level % 2)
        if all(x + w <= a or a + c <= x or y + h <= b or b + d <= y or abs(z - e) >= 2 for a, b, c, d, e in kept):
            kept.append((x, y, w, h, z))
    body = Body(radius=0.0, climb=climb)
    mesh = mesh_of(*(square(x, y, z, w, h) for x, y, w, h, z in kept), body=body)
    require_sound(mesh)
    faces = faces_as_lists(mesh)
    for face, ring in enumerate(faces):
        for edge in range(4):
            for share in (0.07, 0.21, 0.38, 0.55, 0.71, 0.93):
                assert linked(mesh, face, edge, share) == beyond(faces, face, edge, share, climb), (ring, edge, share)
    for *_, portal, wall in links_of(mesh):
        for bit, end in enumerate(portal):
            assert bool(wall >> bit & 1) == touches_wall(faces, end, climb)
    for storey in range(mesh.face_storey.max() + 1):
        inside = [kept[f] for f in np.flatnonzero(mesh.face_storey == storey)]
        for n, (x, y, w, h, _) in enumerate(inside):
            assert all(x + w <= a or a + c <= x or y + h <= b or b + d <= y for a, b, c, d, _ in inside[:n])


@given(st.integers(0, 2**32 - 1), st.floats(0.0, 6.28))
def test_turned_and_jittered_meshes_keep_their_links(seed, angle):
    """A Delaunay-like fan grid, turned by any angle and jittered below the welding distance, links as before."""
    random = np.random.default_rng(seed)
    corners = np.array([square(x, y) for x in range(3) for y in range(3)] + [square(0, 3, width=3)]).reshape(-1, 3)
    turn = np.array([[np.cos(angle), -np.sin(angle), 0], [np.sin(angle), np.cos(angle), 0], [0, 0, 1]])
    moved = corners @ turn.T * 7.0 + random.uniform(-2e-7, 2e-7, corners.shape)
    start = np.arange(0, len(corners) + 1, 4)
    plain = assemble(corners, start, np.arange(len(corners)), body=THIN)
    mesh = assemble(moved, start, np.arange(len(corners)), body=THIN)
    assert [link[:3] + link[4:] for link in links_of(mesh)] == [link[:3] + link[4:] for link in links_of(plain)]


def test_locator_buckets_hold_every_face_that_meets_them():
    random = np.random.default_rng(4)
    faces = [
        square(x, y, width=w, height=h) for x, y, w, h in random.uniform([0, 0, 0.1, 0.1], [90, 50, 9, 4], (80, 4))
    ]
    arrays = mesh_of(*faces).arrays
    columns, rows = arrays.grid_shape.tolist()
    assert len(arrays.bucket_start) == columns * rows + 1
    for face, ring in enumerate(faces):
        for x, y, _ in [*ring, np.mean(ring, axis=0)]:
            ix = int((x - arrays.grid_origin[0]) / arrays.grid_size[0])
            iy = int((y - arrays.grid_origin[1]) / arrays.grid_size[0])
            bucket = iy * columns + ix
            assert face in arrays.bucket_face[arrays.bucket_start[bucket] : arrays.bucket_start[bucket + 1]]


def test_same_input_gives_the_same_bits():
    random = np.random.default_rng(9)
    faces = [square(x, y, z) for x, y, z in random.integers(0, 6, (40, 3)) * [1, 1, 3]]
    one, other = mesh_of(*faces), mesh_of(*faces)
    for a, b in zip(one.arrays, other.arrays):
        assert a.tobytes() == b.tobytes()


def wall_at(mesh, face, other, xyz):
    """Whether the end of the portal from a face to another at a point is marked as touching a wall."""
    ((portal, wall),) = [(portal, wall) for a, b, _, portal, wall in links_of(mesh) if (a, b) == (face, other)]
    return bool(wall >> portal.index(xyz) & 1)


def test_a_step_too_high_is_a_wall_where_it_begins_between_two_portals():
    """Two steps up at either end of an edge, a higher one between them: only the edge itself tells of the wall."""
    mesh = mesh_of(square(0, 0, width=3), square(0, 1, z=0.3), square(2, 1, z=0.3), square(1, 1, z=0.6))
    assert {(a, b) for a, b, *_ in links_of(mesh)} == {(0, 1), (1, 0), (0, 2), (2, 0), (1, 3), (3, 1), (2, 3), (3, 2)}
    assert wall_at(mesh, 0, 1, [1, 1, 0])
    assert wall_at(mesh, 0, 2, [2, 1, 0])


@pytest.mark.parametrize(("low", "high"), [(0, 1), (1, 0)])
def test_a_step_too_high_is_a_wall_where_it_begins_before_or_after_a_portal(low, high):
    mesh = mesh_of(square(0, 0, width=2), square(low, 1, z=0.3), square(high, 1, z=0.6))
    assert {(a, b) for a, b, *_ in links_of(mesh)} == {(0, 1), (1, 0), (1, 2), (2, 1)}
    assert wall_at(mesh, 0, 1, [1, 1, 0])


@pytest.mark.parametrize(("low", "high", "side"), [(1, 0, -1), (0, 1, 2)])
def test_a_step_too_high_is_a_wall_at_its_far_end_too(low, high, side):
    """Beside the far end everything is joined by low steps; the wall is known from the end of the edge alone."""
    beside = [square(side, 0), square(side, 1, z=0.3)]
    mesh = mesh_of(square(0, 0, width=2), square(low, 1, z=0.3), square(high, 1, z=0.6), *beside)
    joined = {(0, 1), (1, 2), (0, 3), (3, 4), (2, 4)}
    assert {(min(a, b), max(a, b)) for a, b, *_ in links_of(mesh)} == joined
    assert wall_at(mesh, 0, 3, [0 if side < 0 else 2, 1, 0])
