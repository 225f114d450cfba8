"""Many cuts: whatever came and went before, the mesh is that of the cuts in force, to the last bit."""

from __future__ import annotations

import gc

import numpy as np
import pytest

from lastseen.kernels.arrays.level_arrays import MeshArrays
from lastseen.kernels.jit import when_compiling
from lastseen.level.samples import sample
from lastseen.navmesh import growing_mesh
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import raycasts
from oracles.queries import box_mesh

STOREYS = box_mesh(
    [(x, y, x + 3, y + 3, z) for z in (0.0, 3.0, 6.0) for x in range(0, 12, 3) for y in range(0, 12, 3)],
    Body(radius=0.2, height=1.8),
)


def convex(random: np.random.Generator, at: np.ndarray) -> np.ndarray:
    """Return a convex outline of 0.5 to 3 m about a point."""
    angle = np.sort(random.uniform(0.0, 2.0 * np.pi, random.integers(3, 9)))
    angle = angle if np.diff(angle, append=angle[0] + 2.0 * np.pi).max() < 3.0 else np.array([0.1, 1.7, 3.3, 4.9])
    return at + random.uniform(0.25, 1.5) * np.column_stack([np.cos(angle), np.sin(angle)])


def crowd(mesh: NavMesh, count: int, seed: int) -> list[tuple[np.ndarray, float, float]]:
    """Return outlines with heights, half of them about three places, one in ten through all storeys."""
    random = np.random.default_rng(seed)
    low, high = mesh.bounds_xyz[:, :2]
    at = random.uniform(low, high, (count, 2))
    at[::2] = at[random.integers(0, 3, len(at[::2]))] + random.uniform(-1.0, 1.0, (len(at[::2]), 2))
    floor = random.choice(np.unique(mesh.arrays.vertex_xyz[:, 2].round(1)), count)
    top = np.where(random.random(count) < 0.1, 20.0, floor + 1.5)
    return [(convex(random, at[k]), float(floor[k]), float(top[k])) for k in range(count)]


def content(mesh: MeshArrays) -> dict[bytes, set[tuple]]:
    """Return what the faces in force are and where they lead, in bytes: no number that depends on storage."""
    corners = [
        np.ascontiguousarray(mesh.vertex_xyz[mesh.face_vertex[s : s + c]]).tobytes()
        for s, c in zip(mesh.face_start.astype(int), mesh.face_count.astype(int))
    ]
    found: dict[bytes, set[tuple]] = {}
    for base in np.flatnonzero(mesh.face_parent == np.arange(len(mesh.face_parent))).tolist():
        first, count = int(mesh.child_start[base]), int(mesh.child_count[base])
        for piece in range(first, first + count) if mesh.face_cut[base] else [base]:
            links = range(int(mesh.link_start[piece]), int(mesh.link_start[piece]) + int(mesh.link_count[piece]))
            rows = {
                (
                    corners[mesh.link_face[k]],
                    int(mesh.link_edge[k]),
                    mesh.link_portal[k].tobytes(),
                    int(mesh.link_wall[k]),
                )
                for k in links
            }
            assert len(rows) == len(links)
            found[corners[piece]] = rows
    return found


@pytest.mark.parametrize("seed", [1, 2])
def test_many_cuts_lifted_in_random_order_leave_at_every_stage_what_the_others_make(seed):
    shapes = crowd(STOREYS, 60, seed)
    mesh = CutMesh(STOREYS)
    cuts = [mesh.cut(*shape) for shape in shapes]
    assert max(len(cut.faces) for cut in cuts) > 4
    order = np.random.default_rng(seed).permutation(len(cuts)).tolist()
    for done, number in enumerate(order):
        mesh.lift(cuts[number])
        if done % 12 == 5:
            fresh = CutMesh(STOREYS)
            for kept in sorted(order[done + 1 :]):
                fresh.cut(*shapes[kept])
            assert content(mesh.arrays) == content(fresh.arrays)
    assert all(np.array_equal(one, other) for one, other in zip(mesh.arrays, STOREYS.arrays))


def test_500_cuts_lifted_in_random_order_leave_the_base_and_their_storage_is_used_again():
    base = build_navmesh(sample("hall"), Body())
    mesh = CutMesh(base)
    sizes = []
    for turn, count in enumerate((500, 60, 60)):
        cuts = [mesh.cut(*shape) for shape in crowd(base, count, 5)]
        sizes.append([len(part) for part in mesh.arrays])
        for number in np.random.default_rng(turn).permutation(len(cuts)).tolist():
            mesh.lift(cuts[number])
        assert all(np.array_equal(one, other) for one, other in zip(mesh.arrays, base.arrays))
    assert sizes[0] > sizes[1] == sizes[2]


def test_moving_crates_need_no_more_room_than_standing_ones():
    mesh, random = CutMesh(STOREYS), np.random.default_rng(3)
    shapes = crowd(STOREYS, 400, 4)
    standing = [mesh.cut(*shape) for shape in shapes[:20]]
    sizes = []
    for shape in shapes[20:]:
        mesh.lift(standing.pop(int(random.integers(len(standing)))))
        standing.append(mesh.cut(*shape))
        sizes.append(len(mesh.arrays.face_start) + len(mesh.arrays.link_face))
    assert max(sizes[190:]) <= 1.5 * max(sizes[:190])


def test_arrays_that_get_too_short_are_made_longer(monkeypatch):
    shapes = crowd(STOREYS, 30, 6)
    roomy = CutMesh(STOREYS)
    monkeypatch.setattr(growing_mesh, "RESERVE", 0)
    monkeypatch.setattr("lastseen.navmesh.cut.ROWS", 1)
    tight = CutMesh(STOREYS)
    for shape in shapes:
        roomy.cut(*shape)
        tight.cut(*shape)
    assert len(tight.arrays.face_start) > 2 * len(STOREYS.arrays.face_start)
    assert all(np.array_equal(one, other) for one, other in zip(roomy.arrays, tight.arrays))
    for cut in tight.cuts:
        tight.lift(cut)
    assert all(np.array_equal(one, other) for one, other in zip(tight.arrays, STOREYS.arrays))


def test_a_comb_splits_a_face_into_many():
    base = box_mesh([(0, 0, 20, 4)])
    mesh = CutMesh(base)
    teeth = [point for x in range(1, 19, 2) for point in ((x, 4.5), (x, -0.5), (x + 1, -0.5), (x + 1, 4.5))]
    comb = mesh.cut([*teeth, (19, 5), (0.5, 5)], 0.0, 1.0)
    assert mesh.arrays.child_count[0] == 10
    assert mesh.arrays.link_count[mesh.arrays.child_start[0] :].sum() == 0
    at = np.arange(0.5, 20, 1.0)
    start, end = (np.column_stack([at, np.full(20, y), np.zeros(20)]) for y in (0.5, 3.5))
    assert raycasts(mesh, start, end).reached.tolist() == [k % 2 == 0 or k == 19 for k in range(20)]
    mesh.lift(comb)
    assert all(np.array_equal(one, other) for one, other in zip(mesh.arrays, base.arrays))


def test_a_restored_face_learns_of_walls_that_came_meanwhile():
    # The first and the last box meet in one corner only, which the second cut takes while the first stands.
    base = box_mesh([(0, 0, 2, 2), (2, 0, 4, 2), (0, 2, 2, 4), (2, 2, 4, 4)])
    mesh, fresh = CutMesh(base), CutMesh(base)
    first = mesh.cut([(3, 3), (3.5, 3), (3.5, 3.5), (3, 3.5)], 0.0, 1.0)
    for one in (mesh, fresh):
        one.cut([(1, 2), (2, 1), (2, 2)], 0.0, 1.0)
    mesh.lift(first)
    assert content(mesh.arrays) == content(fresh.arrays)


def test_after_the_first_cuts_nothing_is_compiled_and_nothing_left_for_the_collector():
    mesh = CutMesh(STOREYS)
    shapes = crowd(STOREYS, 40, 8)

    def place_and_lift() -> None:
        for cut in [mesh.cut(*shape) for shape in shapes]:
            mesh.lift(cut)

    place_and_lift()
    compiled: list[bool] = []
    gc.collect()
    gc.disable()
    try:
        before = len(gc.get_objects())
        with when_compiling(compiled.append):
            place_and_lift()
        assert len(gc.get_objects()) - before < len(shapes)
        assert gc.collect() == 0
    finally:
        gc.enable()
    assert compiled == []
