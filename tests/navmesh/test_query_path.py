"""Paths: hand-worked cases, exact agreement with a visibility graph, real problems."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.kernels.walk.path_search import search, search_arrays
from lastseen.level.samples import SAMPLES, sample
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import faces_at, find_path, find_paths, heights_at, raycasts, reachable, reachable_many
from lastseen.navmesh.voxels.voxel_settings import VoxelSettings
from oracles.paths import links_of
from oracles.queries import box_mesh, shortest_on_tiles, tile_mesh, tiles_touching

ROOMS = [(0, 0, 4, 4), (4, 1, 6, 2), (6, 0, 10, 4)]
TOGETHER = box_mesh(ROOMS)
APART = box_mesh([(0, 0, 4, 4), (6, 0, 10, 4)])


def test_a_way_bends_at_the_corridors_corners():
    path = find_path(TOGETHER, (1, 3), (9, 3))
    assert path.reached
    assert path.reason == "reached"
    assert path.points_xyz[:, :2].tolist() == [[1, 3], [4, 2], [6, 2], [9, 3]]
    assert path.length == pytest.approx(2 * np.sqrt(10) + 2)
    assert path.faces.tolist() == [0, 1, 2]


def test_a_way_inside_one_face_is_straight():
    path = find_path(TOGETHER, (1, 3), (3, 1))
    assert path.points_xyz[:, :2].tolist() == [[1, 3], [3, 1]]
    assert path.faces.tolist() == [0]


def test_a_way_to_where_one_stands_has_no_length():
    path = find_path(TOGETHER, (1, 3), (1, 3))
    assert path.reached
    assert path.length == 0.0
    assert path.points_xyz.tolist() == [[1, 3, 0]]


def test_without_a_way_one_comes_as_near_as_one_can():
    path = find_path(APART, (1, 1), (9, 2))
    assert (path.reached, path.reason) == (False, "no_path")
    assert path.points_xyz[-1].tolist() == [4, 2, 0]
    assert path.length == pytest.approx(np.hypot(3, 1))


def test_a_goal_off_the_mesh_is_approached():
    path = find_path(TOGETHER, (1, 1), (5, 4))
    assert (path.reached, path.reason) == (False, "goal_off_mesh")
    assert path.points_xyz[-1].tolist() == [4, 4, 0]


def test_a_start_off_the_mesh_gives_an_empty_way():
    path = find_path(TOGETHER, (5, 4), (1, 1))
    assert (path.reached, path.reason, path.length) == (False, "start_off_mesh", 0.0)
    assert path.points_xyz.shape == (0, 3)
    assert path.faces.tolist() == []


def test_the_length_follows_ramp_and_step():
    # Level floor, a ramp up 3 m over 4 m, a landing, a step of 0.3 m.
    vertices = [(0, 0, 0), (2, 0, 0), (2, 2, 0), (0, 2, 0)]
    vertices += [(2, 0, 0), (6, 0, 3), (6, 2, 3), (2, 2, 0)]
    vertices += [(6, 0, 3), (8, 0, 3), (8, 2, 3), (6, 2, 3)]
    vertices += [(8, 0, 3.3), (9, 0, 3.3), (9, 2, 3.3), (8, 2, 3.3)]
    mesh = assemble(vertices, np.arange(5) * 4, np.arange(16), body=Body(radius=0.0))
    path = find_path(mesh, (0, 1, 0), (9, 1, 3.3))
    assert path.points_xyz.tolist() == [[0, 1, 0], [9, 1, 3.3]]
    assert path.length == pytest.approx(2 + 5 + 2 + 0.3 + 1)
    walked = find_path(mesh, (0, 1, 0), (9, 1, 3.3), on_floor=True)
    assert walked.points_xyz.tolist() == [[0, 1, 0], [2, 1, 0], [6, 1, 3], [8, 1, 3], [8, 1, 3.3], [9, 1, 3.3]]
    assert walked.length == path.length


def test_batches_give_what_single_calls_give():
    starts, goals = [(1, 1), (1, 3), (20, 1)], [(9, 1), (9, 3), (1, 1)]
    paths = find_paths(TOGETHER, starts, goals)
    assert len(paths) == 3
    for path, start, goal in zip(paths, starts, goals):
        single = find_path(TOGETHER, start, goal)
        assert np.array_equal(path.points_xyz, single.points_xyz)
        assert (path.reason, path.length) == (single.reason, single.length)
    assert paths.reached.tolist() == [True, True, False]
    assert len(find_paths(TOGETHER, [], [])) == 0


def test_ways_to_goals_out_of_reach_keep_their_places_in_a_batch():
    """Those that cannot be had are found by another kernel and put between the others."""
    starts = [(1, 1), (1, 3), (20, 1), (7, 1), (3, 3), (9, 3)]
    goals = [(9, 1), (3, 1), (1, 1), (30, 1), (1, 2), (1, 1)]
    for on_floor in (False, True):
        paths = find_paths(APART, starts, goals, on_floor=on_floor)
        for path, start, goal in zip(paths, starts, goals):
            single = find_path(APART, start, goal, on_floor=on_floor)
            assert np.array_equal(path.points_xyz, single.points_xyz)
            assert np.array_equal(path.faces, single.faces)
            assert (path.reason, path.length) == (single.reason, single.length)
    assert [path.reason for path in paths] == [
        "no_path",
        "reached",
        "start_off_mesh",
        "goal_off_mesh",
        "reached",
        "no_path",
    ]


def test_reachability_is_that_of_components():
    assert reachable(TOGETHER, (1, 1), (9, 1))
    assert not reachable(APART, (1, 1), (9, 1))
    assert reachable_many(APART, [(1, 1), (7, 1), (5, 5)], [(2, 2), (1, 1), (1, 1)]).tolist() == [True, False, False]


def test_unlike_numbers_of_ends_are_refused():
    for ask in (find_paths, reachable_many):
        with pytest.raises(InputError, match="one goal per start"):
            ask(TOGETHER, [(1, 1)], [(1, 1), (2, 2)])


def test_a_path_slides_along_a_portal_on_the_edge_of_sight():
    # From the corner (2, 2) the path runs along x = 2 past a side room; sight ends where two faces meet, at no wall.
    boxes = [(0, 0, 6, 2), (0, 2, 2, 4), (0, 4, 2, 8), (2, 6, 6, 8), (2, 3, 3, 5), (6, 0, 9, 2), (9, 0, 10, 8)]
    mesh = box_mesh([*boxes, (6, 6, 9, 8)])
    for start, goal in (((4, 1), (4, 7)), ((4, 7), (4, 1))):
        path = find_path(mesh, start, goal)
        assert path.points_xyz[1:-1, 0].tolist() == [2, 2]
        assert path.length == pytest.approx(4 + 2 * np.sqrt(5))


grids = st.lists(st.lists(st.booleans(), min_size=5, max_size=5), min_size=5, max_size=5).map(np.array)
places = st.tuples(st.integers(0, 10), st.integers(0, 10)).map(
    lambda place: (Fraction(place[0], 2), Fraction(place[1], 2))
)


def stands(passable: np.ndarray, place: tuple[Fraction, Fraction]) -> bool:
    """Whether a place is on the map, and not where tiles touch only in their corners."""
    tiles = tiles_touching(passable, *place)
    only_corners = len(tiles) == 2 and len({c for c, _ in tiles}) == 2 and len({r for _, r in tiles}) == 2
    return bool(tiles) and not only_corners


@given(grids, places, places, st.booleans())
def test_ways_are_as_short_as_the_visibility_graphs(passable, start, goal, merge):
    if not (stands(passable, start) and stands(passable, goal)):
        return
    mesh = tile_mesh(passable, merge=merge)
    path = find_path(mesh, tuple(map(float, start)), tuple(map(float, goal)))
    exact = shortest_on_tiles(passable, start, goal)
    assert path.reached == (exact < np.inf)
    assert reachable(mesh, tuple(map(float, start)), tuple(map(float, goal))) == path.reached
    if path.reached:
        assert path.length == pytest.approx(exact, abs=1e-9)
        steps = np.diff(path.points_xyz[:, :2], axis=0)
        assert np.hypot(*steps.T).sum() == pytest.approx(path.length)
        assert raycasts(mesh, path.points_xyz[:-1], path.points_xyz[1:]).reached.all()


def problems(path: Path) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return starts and goals (tile centres) and optimal octile lengths of a .scen file."""
    rows = np.array([line.split("\t")[4:9] for line in path.read_text().splitlines()[1:]], dtype=float)
    return rows[:, 0:2] + 0.5, rows[:, 2:4] + 0.5, rows[:, 4]


@pytest.mark.data
@pytest.mark.parametrize("name", ["lak303d", "32room_000"])
def test_ways_on_real_maps_are_sound_and_no_longer_than_octile_ones(data, name):
    lines = (data / "movingai" / f"{name}.map").read_text().splitlines()[4:]
    mesh = tile_mesh(np.array([[tile in ".GS" for tile in line] for line in lines]))
    starts, goals, octile = (column[::23] for column in problems(data / "movingai" / f"{name}.map.scen"))
    paths = find_paths(mesh, starts, goals, on_floor=True)
    assert paths.reached.all()
    assert (paths.length <= octile * (1.0 + 1e-5)).all()
    assert (paths.length >= np.hypot(*(goals - starts).T) - 1e-9).all()
    assert (faces_at(mesh, paths.points_xyz) >= 0).all()
    assert heights_at(mesh, paths.points_xyz) == pytest.approx(paths.points_xyz[:, 2])
    for path in paths:
        assert raycasts(mesh, path.points_xyz[:-1], path.points_xyz[1:]).reached.all()


def agrees_with_reachable_and_rays(mesh, count=60, seed=3):
    """Check random pairs between faces; return the paths."""
    rng = np.random.default_rng(seed)
    middles = np.array([mesh.face_xyz(int(face)).mean(axis=0) for face in rng.integers(0, mesh.face_count, count)])
    starts, goals = middles, middles[rng.permutation(count)]
    paths = find_paths(mesh, starts, goals)
    assert np.array_equal(paths.reached, reachable_many(mesh, starts, goals))
    for k in np.flatnonzero(paths.reached):
        way = paths[k].points_xyz
        hits = raycasts(mesh, way[:-1], way[1:])
        assert (hits.outcome == 0).all(), (starts[k], goals[k], way)
    return paths


@pytest.mark.parametrize("name", SAMPLES)
def test_paths_agree_with_reachable_on_every_sample(name):
    agrees_with_reachable_and_rays(build_navmesh(sample(name)))


@pytest.mark.parametrize(("name", "voxel"), [("house", 0.1), ("house", 0.06), ("rooms", 0.15), ("warehouse", 0.12)])
def test_paths_agree_with_reachable_on_voxels(name, voxel):
    mesh = build_navmesh(sample(name), builder="voxel", voxels=VoxelSettings(voxel=voxel))
    agrees_with_reachable_and_rays(mesh)


@pytest.mark.parametrize("name", ["house", "loop", "warehouse"])
def test_when_the_exact_search_gives_up_a_plainer_way_is_found(name, monkeypatch):
    mesh = build_navmesh(sample(name))
    exact = agrees_with_reachable_and_rays(mesh)
    monkeypatch.setattr("lastseen.navmesh.query.MOST_NODES", 0)
    plain = agrees_with_reachable_and_rays(mesh)
    # In plan the exact way is the shortest; along the floor a ramp may turn that round.
    flat, plain_flat = (np.array([in_plan(path) for path in found]) for found in (exact, plain))
    assert (flat <= plain_flat + 1e-6).all()
    assert plain_flat.sum() < 1.3 * flat.sum()


def in_plan(path):
    return np.hypot(*np.diff(path.points_xyz[:, :2], axis=0).T).sum()


def test_a_corner_about_which_all_faces_join_is_gone_round_once():
    # A ledge within climb over one of four boxes makes their common corner one of a wall, though all four join there.
    boxes = [(0, 0, 2, 2), (2, 0, 4, 2), (0, 2, 2, 4), (2, 2, 4, 4), (2, 2, 3, 3, 0.3), (5, 5, 6, 6)]
    mesh = box_mesh(boxes)
    assert mesh.arrays.link_wall.any()
    room, final = search(links_of(mesh), search_arrays(), 0.5, 0.1, np.array([0]), 1, 5.5, 5.5, 5, 1 << 16)
    assert final == -1
    assert len(room.numbers) <= 512
