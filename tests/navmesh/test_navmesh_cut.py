"""Cuts: doors close, lifting restores to the bit, and a cut mesh answers like one built without the place."""

from __future__ import annotations

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, QueryError
from lastseen.kernels.arrays.level_arrays import MeshArrays
from lastseen.kernels.mesh.corner import mark_walls
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import (
    face_at,
    faces_at,
    find_path,
    find_paths,
    height_at,
    nearest,
    nearest_many,
    raycast,
    raycasts,
    reachable,
    reachable_many,
)
from oracles.queries import box_mesh, tile_mesh

ROOMS = [(0, 0, 4, 4), (4, 1, 6, 2), (6, 0, 10, 4)]
DOOR = [(4.5, 0.5), (5.0, 0.5), (5.0, 2.5), (4.5, 2.5)]


def box(left: float, low: float, right: float, high: float) -> list[tuple[float, float]]:
    return [(left, low), (right, low), (right, high), (left, high)]


def differing(cut: CutMesh) -> list[str]:
    """Return the names of arrays that are not those of the base to the last bit."""
    base = cut.base.arrays
    return [
        name
        for name in base._fields
        if getattr(base, name).dtype != getattr(cut.arrays, name).dtype
        or not np.array_equal(getattr(base, name), getattr(cut.arrays, name))
    ]


def test_a_door_closes_the_corridor_until_it_is_lifted():
    mesh = CutMesh(box_mesh(ROOMS))
    door = mesh.cut(DOOR, 0.0, 2.0)
    assert door.faces.tolist() == [1]
    assert mesh.cuts == (door,)
    hit = raycast(mesh, (1, 1.5), (9, 1.5))
    assert (hit.outcome, hit.face) == ("wall", 1)
    assert hit.xyz == pytest.approx([4.5, 1.5, 0.0])
    assert hit.normal_xy.tolist() == [-1.0, 0.0]
    assert not reachable(mesh, (1, 1.5), (9, 1.5))
    path = find_path(mesh, (1, 1.5), (9, 1.5))
    assert path.reason == "no_path"
    assert path.points_xyz[-1] == pytest.approx([4.5, 1.5, 0.0])
    assert face_at(mesh, (4.7, 1.5)) == -1
    assert np.isnan(height_at(mesh, (4.7, 1.5)))
    assert face_at(mesh, (4.2, 1.5)) == face_at(mesh, (5.8, 1.5)) == 1
    assert nearest(mesh, (4.8, 1.5)).xyz == pytest.approx([5.0, 1.5, 0.0])
    mesh.lift(door)
    assert mesh.cuts == ()
    assert differing(mesh) == []
    assert raycast(mesh, (1, 1.5), (9, 1.5)).reached
    assert reachable(mesh, (1, 1.5), (9, 1.5))


@pytest.mark.parametrize(("start", "goal", "end"), [((1, 1.5), (9, 1.5), 4.5), ((9, 1.5), (1, 1.5), 5.0)])
def test_a_path_to_a_closed_door_begins_at_its_start_from_either_side(start, goal, end):
    mesh = CutMesh(box_mesh(ROOMS))
    mesh.cut(DOOR, 0.0, 2.0)
    path = find_path(mesh, start, goal)
    assert path.reason == "no_path"
    assert path.points_xyz[0] == pytest.approx([*start, 0.0])
    assert path.points_xyz[-1] == pytest.approx([end, 1.5, 0.0])


def test_a_crate_is_walked_around():
    mesh = CutMesh(box_mesh([(0, 0, 6, 6)]))
    mesh.cut(box(2, 2, 4, 4), 0.0, 1.0)
    path = find_path(mesh, (1, 3), (5, 3))
    assert path.length == pytest.approx(2 * np.hypot(1, 1) + 2)
    assert path.faces.tolist() == [0]
    assert not raycast(mesh, (1, 1), (5, 5)).reached
    assert not raycast(mesh, (0, 4.1), (4.1, 0)).reached
    assert raycast(mesh, (1, 2), (5, 2)).reached


def test_a_strict_line_stops_at_the_corner_of_a_cut():
    mesh = CutMesh(box_mesh([(0, 0, 6, 6)]))
    mesh.cut(box(2, 2, 4, 4), 0.0, 1.0)
    assert raycast(mesh, (1, 3), (3, 1)).reached
    assert not raycast(mesh, (1, 3), (3, 1), strict=True).reached
    assert raycast(mesh, (1, 2.9), (2.9, 1), strict=True).reached


def test_a_cut_is_grown_by_the_agents_radius_unless_told_otherwise():
    base = box_mesh([(0, 0, 6, 6)], Body(radius=0.5))
    mesh = CutMesh(base)
    crate = mesh.cut(box(2, 2, 4, 4), 0.0, 1.0)
    assert crate.inflate == 0.5
    assert raycast(mesh, (0.5, 3), (3, 3)).xyz[0] == pytest.approx(1.5)
    mesh.lift(crate)
    mesh.cut(box(2, 2, 4, 4), 0.0, 1.0, inflate=0.0)
    assert raycast(mesh, (0.5, 3), (3, 3)).xyz[0] == pytest.approx(2.0)


@pytest.mark.parametrize(
    ("low", "high", "taken"),
    [(0.0, 1.0, [0]), (3.0, 4.0, [1]), (-5.0, 10.0, [0, 1]), (1.9, 2.9, []), (1.7, 2.9, [0]), (-1.0, 0.0, [])],
)
def test_a_cut_takes_only_floors_where_a_body_would_be_in_it(low, high, taken):
    mesh = CutMesh(box_mesh([(0, 0, 4, 4), (0, 0, 4, 4, 3.0)], Body(radius=0.0, height=1.8)))
    assert mesh.cut(box(1, 1, 2, 2), low, high).faces.tolist() == taken


def test_a_beam_blocks_a_ramp_only_where_there_is_no_room_under_it():
    # The ramp rises 4 m over 4 m; a beam at z 3 … 3.5 is in the way of a 2 m body between x = 1 and x = 3.5.
    corners = [(0, 0, 0), (4, 0, 4), (4, 2, 4), (0, 2, 0)]
    mesh = CutMesh(assemble(corners, [0, 4], range(4), body=Body(radius=0.0, height=2.0)))
    mesh.cut(box(-1, -1, 5, 3), 3.0, 3.5)
    hit = raycast(mesh, (0.5, 1, 0.5), (4, 1, 4))
    assert hit.xyz == pytest.approx([1.0, 1.0, 1.0], abs=1e-5)
    assert face_at(mesh, (3.7, 1, 3.7)) == 0


def test_a_cut_that_takes_a_whole_face_leaves_none_of_it():
    mesh = CutMesh(box_mesh(ROOMS))
    hall = mesh.cut(box(3.5, 0.5, 6.5, 2.5), 0.0, 1.0)
    assert hall.faces.tolist() == [0, 1, 2]
    assert face_at(mesh, (5, 1.5)) == -1
    assert not reachable(mesh, (1, 1), (9, 1))
    mesh.lift(hall)
    assert differing(mesh) == []


def test_a_cut_beside_the_mesh_takes_nothing():
    mesh = CutMesh(box_mesh(ROOMS))
    nothing = mesh.cut(box(20, 20, 21, 21), 0.0, 1.0)
    assert nothing.faces.tolist() == []
    assert differing(mesh) == []
    mesh.lift(nothing)


def test_memory_does_not_grow_with_the_number_of_moves():
    mesh = CutMesh(box_mesh(ROOMS))
    mesh.cut(DOOR, 0.0, 2.0)
    sizes = []
    for step in range(60):
        moving = mesh.cut(box(1 + step / 60, 1, 2 + step / 60, 2), 0.0, 2.0)
        mesh.lift(moving)
        sizes.append(len(mesh.arrays.face_start) + len(mesh.arrays.link_face))
    assert max(sizes[30:]) <= max(sizes[:30])


@pytest.mark.parametrize(
    ("outline", "low", "high", "message"),
    [
        ([(0, 0), (1, 1)], 0, 1, "at least 3"),
        ([(0, 0), (1, 1), (1, 0), (0, 1)], 0, 1, "does not enclose a single area"),
        ([(0, 0), (1, 1), (2, 2)], 0, 1, "area"),
        ([(0, 0), (np.nan, 1), (1, 0)], 0, 1, "finite"),
        (box(0, 0, 1, 1), 1, 1, "below"),
        (box(0, 0, 1, 1), 0, np.inf, "z_high"),
    ],
)
def test_bad_cuts_are_refused_and_change_nothing(outline, low, high, message):
    mesh = CutMesh(box_mesh(ROOMS))
    with pytest.raises(InputError, match=message):
        mesh.cut(outline, low, high)
    assert mesh.cuts == ()


def test_lifting_twice_or_elsewhere_is_refused():
    mesh, other = CutMesh(box_mesh(ROOMS)), CutMesh(box_mesh(ROOMS))
    door, foreign = mesh.cut(DOOR, 0.0, 2.0), other.cut(DOOR, 0.0, 2.0)
    with pytest.raises(QueryError, match="not in force"):
        mesh.lift(foreign)
    mesh.lift(door)
    with pytest.raises(QueryError, match="not in force"):
        mesh.lift(door)
    with pytest.raises(InputError, match=r"base is a CutMesh; give its `\.base`"):
        CutMesh(mesh)


places = st.tuples(st.integers(0, 24), st.integers(0, 24)).map(lambda place: (place[0] / 4, place[1] / 4))
boxes = st.tuples(places, st.integers(1, 12), st.integers(1, 12)).map(
    lambda row: box(row[0][0], row[0][1], row[0][0] + row[1] / 4, row[0][1] + row[2] / 4)
)
slanted = st.tuples(places, places, places).filter(lambda row: shapely.Polygon(row).area > 0.05).map(list)
outlines = st.one_of(boxes, slanted)
grids = st.lists(st.lists(st.sampled_from([True, True, True, False]), min_size=6, max_size=6), min_size=6, max_size=6)


def answers(mesh, points: np.ndarray) -> list[np.ndarray]:
    """Return what a mesh answers about points and lines between them."""
    other = points[::-1]
    hits = raycasts(mesh, points, other)
    paths = find_paths(mesh, points, other)
    found = nearest_many(mesh, points)
    return [
        faces_at(mesh, points) >= 0,
        hits.outcome,
        hits.fraction,
        raycasts(mesh, points, other, strict=True).outcome,
        reachable_many(mesh, points, other),
        paths.reason,
        np.where(paths.reached, paths.length, 0.0),
        found.distance,
    ]


def random_points(count: int = 60) -> np.ndarray:
    return np.column_stack([np.random.default_rng(3).uniform(-0.2, 6.2, (count, 2)), np.zeros(count)])


@given(grids, st.lists(outlines, min_size=1, max_size=5), st.randoms(use_true_random=False))
def test_cuts_lifted_in_any_order_leave_the_base(rows, shapes, random):
    base = tile_mesh(np.array(rows) | (np.arange(36).reshape(6, 6) == 0))
    mesh = CutMesh(base)
    standing = [mesh.cut(shape, 0.0, 1.0) for shape in shapes]
    random.shuffle(standing)
    for cut in standing[1:]:
        mesh.lift(cut)
    fresh = CutMesh(base)
    fresh.cut(standing[0].outline_xy, 0.0, 1.0)
    for one, other in zip(answers(mesh, random_points()), answers(fresh, random_points())):
        assert one == pytest.approx(other, abs=1e-7, nan_ok=True)
    mesh.lift(standing[0])
    assert differing(mesh) == []


def rebuilt(base: NavMesh, shapes: list) -> NavMesh:
    """Return a mesh of what the cuts leave of the base, cut along all their sides into convex faces."""
    left = shapely.union_all([shapely.Polygon(base.face_xyz(f)[:, :2]) for f in range(base.face_count)])
    left = shapely.difference(left, shapely.union_all([shapely.Polygon(shape) for shape in shapes]))
    triangles = shapely.get_parts(shapely.constrained_delaunay_triangles(shapely.get_parts(left)))
    corners = [shapely.get_coordinates(shapely.orient_polygons(t))[:3] for t in shapely.get_parts(triangles)]
    corners = [c for c in corners if shapely.Polygon(c).area > 1e-9]
    vertices = np.column_stack([np.concatenate(corners), np.zeros(3 * len(corners))])
    return assemble(vertices, np.arange(len(corners) + 1) * 3, np.arange(len(vertices)), body=base.body)


@given(grids, st.lists(outlines, min_size=1, max_size=3))
def test_a_cut_mesh_answers_like_one_built_without_the_place(rows, shapes):
    base = tile_mesh(np.array(rows) | (np.arange(36).reshape(6, 6) == 0))
    mesh = CutMesh(base)
    for shape in shapes:
        mesh.cut(shape, 0.0, 1.0)
    if faces_at(mesh, random_points()).max() < 0:
        return
    for one, other in zip(answers(mesh, random_points()), answers(rebuilt(base, shapes), random_points())):
        assert one == pytest.approx(other, abs=1e-5, nan_ok=True)


def state(cut: CutMesh) -> list[np.ndarray]:
    return [np.array(part) for part in cut.arrays]


def test_a_failure_of_geometry_leaves_the_mesh_as_it_was(monkeypatch):
    mesh = CutMesh(box_mesh(ROOMS))
    door = mesh.cut(DOOR, 0.0, 2.0)
    before, cuts = state(mesh), mesh.cuts

    def fails(*_arguments: object) -> None:
        raise shapely.errors.GEOSException("no convex corner")

    monkeypatch.setattr("lastseen.navmesh.cut.remainders", fails)
    with pytest.raises(QueryError, match="nothing was changed"):
        mesh.cut(box(1, 1, 2, 2), 0.0, 2.0)
    mesh.cut(box(40, 40, 41, 41), 0.0, 2.0)  # touches nothing, so nothing is computed
    monkeypatch.undo()
    mesh.lift(mesh.cuts[-1])
    other = mesh.cut(box(4.4, 0, 4.6, 2), 0.0, 2.0)
    middle = state(mesh)
    monkeypatch.setattr("lastseen.navmesh.cut.remainders", fails)
    with pytest.raises(QueryError, match="nothing was changed"):
        mesh.lift(door)
    assert mesh.cuts == (door, other)
    assert all(np.array_equal(one, two) for one, two in zip(middle, state(mesh)))
    monkeypatch.undo()
    mesh.lift(other)
    assert mesh.cuts == cuts
    assert reachable(mesh, (1, 1), (3, 3))
    mesh.lift(door)
    assert differing(mesh) == []
    assert len(before) == len(middle)


@pytest.mark.parametrize(
    ("outline", "low", "high", "inflate"),
    [
        ([(0, 0), (1e200, 0), (0, 1e200)], 0.0, 1.0, None),
        (DOOR, -1e300, 1.0, None),
        (DOOR, 0.0, 1e300, None),
        (DOOR, 0.0, 1.0, 1e300),
    ],
)
def test_cuts_beyond_all_levels_are_refused(outline, low, high, inflate):
    mesh = CutMesh(box_mesh(ROOMS))
    with pytest.raises(InputError, match="1e\\+07"):
        mesh.cut(outline, low, high, inflate=inflate)
    assert mesh.cuts == ()


def wall_bits_anew(cut: CutMesh) -> tuple[np.ndarray, np.ndarray]:
    """Return the wall bits of all links in force, as they are and as found without looking at what changed."""
    mesh = cut.arrays
    pieces = [face for base in range(cut.base.face_count) for face in pieces_of(mesh, base)]
    owners = np.repeat(pieces, mesh.link_count[pieces]).astype(np.int64)
    links = np.concatenate([np.arange(s, s + c) for s, c in zip(mesh.link_start[pieces], mesh.link_count[pieces])])
    links = links.astype(np.int64)
    fresh = cut._growing.inherited.copy()
    within = mesh.face_parent[owners] == mesh.face_parent[mesh.link_face[links]]
    fresh[links[within]] = 0
    mark_walls(mesh, fresh, owners, links)
    return mesh.link_wall[links], fresh[links]


def pieces_of(mesh: MeshArrays, face: int) -> range:
    """Return the faces that stand for a base face: itself, or its children."""
    first = int(mesh.child_start[face])
    return range(first, first + int(mesh.child_count[face])) if mesh.face_cut[face] else range(face, face + 1)


def test_a_face_that_shares_only_a_corner_with_a_cut_learns_of_the_wall():
    # The cut takes the corner of the first box where all four meet; the last one is not its neighbour.
    mesh = CutMesh(box_mesh([(0, 0, 2, 2), (2, 0, 4, 2), (0, 2, 2, 4), (2, 2, 4, 4)]))
    cut = mesh.cut([(1, 2), (2, 1), (2, 2)], 0.0, 1.0)
    first = mesh.arrays.link_start[3]
    rows = slice(first, first + mesh.arrays.link_count[3])
    at_middle = (mesh.arrays.link_portal[rows, :, :2] == 2.0).all(axis=2)
    assert ((mesh.arrays.link_wall[rows, None] >> np.arange(2)) & 1)[at_middle].tolist() == [1, 1]
    mesh.lift(cut)
    assert differing(mesh) == []


@given(st.lists(st.tuples(st.integers(0, 20), st.integers(0, 20), st.integers(1, 8), st.integers(1, 8)), max_size=6))
def test_wall_bits_are_those_found_anew(places):
    mesh = CutMesh(box_mesh([(x, y, x + 2, y + 2) for x in range(0, 6, 2) for y in range(0, 6, 2)]))
    for left, low, wide, high in places:
        mesh.cut(box(left / 4, low / 4, (left + wide) / 4, (low + high) / 4), 0.0, 1.0)
        kept, anew = wall_bits_anew(mesh)
        assert np.array_equal(kept, anew)
    for cut in mesh.cuts[::2]:
        mesh.lift(cut)
        kept, anew = wall_bits_anew(mesh)
        assert np.array_equal(kept, anew)
