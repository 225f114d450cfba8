"""Paths are exact: as long as a visibility graph says, both ways, and never longer than along tiles."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.senses.hearing.hearing import PathHearing
from lastseen.cells.build import build_layout
from lastseen.kernels.mesh.corner import fan_about
from lastseen.kernels.walk.path_search import GONE, HIGH, LINK, LOW, ROOT_X, ROOT_Y, search, search_arrays
from lastseen.layers.spread import Spread
from lastseen.level.readers import polyanya
from lastseen.level.samples import SAMPLES, sample
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.cut import CutMesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_path, find_paths, raycasts, reachable_many
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from oracles.paths import lengths_between, links_of, places_on, random_tiles, rectangles_of
from oracles.queries import POINT, box_mesh, tile_mesh
from specimens.cells import tile_layout

PLACES = 8
PAIRS = np.divmod(np.arange(PLACES * PLACES), PLACES)
MAPS = ["16room_000", "32room_000", "AR0011SR", "AR0300SR", "AR0400SR", "Berlin_0_256", "NewYork_0_256", "arena"]
MAPS += ["arena2", "brc100d", "brc202d", "brc300d", "ca_cave", "den404d", "hrt000d", "ht_mansion_n", "lak110d"]
MAPS += ["lak303d", "lt_gallowstemplar_n", "maze512-16-0", "maze512-32-9", "orz900d", "random512-10-0"]


def turned(boxes: list[tuple[int, int, int, int]], random: np.random.Generator) -> tuple[NavMesh, np.ndarray]:
    """Return a mesh of rectangles turned, scaled and moved, and the matrix (2, 3) that does it."""
    angle, scale = random.uniform(0.0, 2.0 * np.pi), random.choice([0.1, 0.37, 1.0, 10.0])
    turn = scale * np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
    turn = np.column_stack([turn, random.uniform(-100.0, 100.0, 2)])
    corners = [
        corner
        for left, low, right, high in boxes
        for corner in ((left, low), (right, low), (right, high), (left, high))
    ]
    flat = applied(turn, np.array(corners, float))
    vertices = np.column_stack([flat, np.zeros(len(flat))])
    return assemble(vertices, np.arange(len(boxes) + 1) * 4, np.arange(len(flat)), body=POINT), turn


def applied(turn: np.ndarray, points: np.ndarray) -> np.ndarray:
    return points @ turn[:, :2].T + turn[:, 2]


def lengths(mesh, places: np.ndarray) -> np.ndarray:
    """Return the lengths of paths between all places; inf where there is none."""
    paths = find_paths(mesh, places[PAIRS[0]], places[PAIRS[1]])
    assert np.array_equal(paths.reached, reachable_many(mesh, places[PAIRS[0]], places[PAIRS[1]]))
    return np.where(paths.reached, paths.length, np.inf).reshape(PLACES, PLACES)


def levels(first: int, count: int, most: int):
    """Yield random levels with two passable tiles or more: their generator, tiles, rectangles and places."""
    for seed in range(first, first + count):
        random = np.random.default_rng(seed)
        passable = random_tiles(random, most)
        if passable.sum() >= 2:
            yield random, passable, rectangles_of(passable, random), places_on(passable, PLACES, random)


def agree_with_the_visibility_graph(first: int, count: int, most: int) -> None:
    for random, passable, boxes, places in levels(first, count, most):
        exact = lengths_between(passable, places)
        assert lengths(box_mesh(boxes), places / 2.0) == pytest.approx(exact, abs=1e-9), boxes
        mesh, turn = turned(boxes, random)
        scale = np.hypot(*turn[:, 0])
        assert lengths(mesh, applied(turn, places / 2.0)) == pytest.approx(exact * scale, abs=1e-8), boxes


@pytest.mark.parametrize("seed", range(40))
def test_paths_on_random_levels_are_as_short_as_the_visibility_graphs(seed):
    agree_with_the_visibility_graph(seed, 1, 5 + seed // 3)


@pytest.mark.long
@pytest.mark.parametrize("first", range(1000, 9000, 1000))
def test_paths_on_thousands_of_random_levels_are_as_short_as_the_visibility_graphs(first):
    agree_with_the_visibility_graph(first, 1000, 25)


def cut_meshes_agree(first: int, count: int, most: int = 12) -> None:
    for random, passable, boxes, places in levels(first, count, most):
        mesh = CutMesh(box_mesh(boxes))
        for _ in range(random.integers(1, 4)):
            left, low = random.integers(0, passable.shape[1]), random.integers(0, passable.shape[0])
            right, high = left + random.integers(1, 4), low + random.integers(1, 4)
            kept = passable.copy()
            kept[low:high, left:right] = False
            if kept.sum() < 2:
                continue
            mesh.cut([(left, low), (right, low), (right, high), (left, high)], -1.0, 1.0)
            passable = kept
        places = places_on(passable, PLACES, random)
        assert lengths(mesh, places / 2.0) == pytest.approx(lengths_between(passable, places), abs=1e-9), boxes


@pytest.mark.parametrize("seed", range(15))
def test_paths_on_cut_meshes_are_as_short_as_the_visibility_graphs(seed):
    cut_meshes_agree(seed, 1, 5 + seed // 2)


@pytest.mark.long
def test_paths_on_many_cut_meshes_are_as_short_as_the_visibility_graphs():
    cut_meshes_agree(1000, 1500)


def plain_paths_are_sound(first: int, count: int, most: int = 16) -> None:
    for random, passable, boxes, places in levels(first, count, most):
        mesh, exact = box_mesh(boxes), lengths_between(passable, places)
        plain = lengths(mesh, places / 2.0)
        assert np.array_equal(np.isfinite(plain), np.isfinite(exact))
        assert (plain >= exact - 1e-9).all()
        for path in find_paths(mesh, places[PAIRS[0]] / 2.0, places[PAIRS[1]] / 2.0):
            assert raycasts(mesh, path.points_xyz[:-1], path.points_xyz[1:]).reached.all()
        mesh, turn = turned(boxes, random)
        assert (lengths(mesh, applied(turn, places / 2.0)) >= exact * np.hypot(*turn[:, 0]) - 1e-8).all()


@pytest.mark.parametrize("seed", range(15))
def test_where_the_exact_search_gives_up_paths_are_sound_and_no_shorter(monkeypatch, seed):
    monkeypatch.setattr("lastseen.navmesh.query.MOST_NODES", 0)
    plain_paths_are_sound(seed, 1, 5 + 2 * seed // 3)


def test_where_the_exact_search_gives_up_a_path_may_start_on_a_portal(monkeypatch):
    monkeypatch.setattr("lastseen.navmesh.query.MOST_NODES", 0)
    mesh = box_mesh([(1, 0, 4, 3), (0, 3, 2, 5), (2, 3, 3, 6), (3, 5, 4, 6)])
    for start, goal in (((1.5, 3.0), (4.0, 6.0)), ((4.0, 6.0), (1.5, 3.0))):
        path = find_path(mesh, (*start, 0.0), (*goal, 0.0))
        assert path.length == pytest.approx(np.hypot(1.5, 2.0) + np.sqrt(2.0), abs=1e-9)
        assert raycasts(mesh, path.points_xyz[:-1], path.points_xyz[1:]).reached.all()


def test_where_the_exact_search_gives_up_a_path_bends_at_the_nearer_end_of_a_portal_on_its_line(monkeypatch):
    monkeypatch.setattr("lastseen.navmesh.query.MOST_NODES", 0)
    corners = [(0, 0), (5, 0), (5, 1), (0, 1), (3, 0), (5, -2), (2, -2), (1, -2)]
    vertices = np.column_stack([np.array(corners, float), np.zeros(len(corners))])
    faces = [[0, 1, 2, 3], [4, 6, 5, 1], [4, 7, 6]]
    mesh = assemble(vertices, np.cumsum([0, *map(len, faces)]), np.concatenate(faces), body=POINT)
    path = find_path(mesh, (0.0, 0.0, 0.0), (1.75, -1.5, 0.0))
    assert path.points_xyz[:, :2].tolist() == [[0.0, 0.0], [3.0, 0.0], [1.75, -1.5]]


@pytest.mark.long
def test_where_the_exact_search_gives_up_many_paths_are_sound_and_no_shorter(monkeypatch):
    monkeypatch.setattr("lastseen.navmesh.query.MOST_NODES", 0)
    plain_paths_are_sound(1000, 1000)


def searched(mesh: NavMesh, start: np.ndarray, goal: np.ndarray, start_face: int, goal_face: int) -> float:
    """Return the length in plan that a search from `start` finds: `find_paths` itself may search from the goal."""
    fan, count = fan_about(mesh.arrays, start_face, *start[:2], np.empty(16, np.int64))
    if goal_face in fan[:count]:
        return float(np.hypot(*(goal - start)[:2]))
    (numbers, ids, *_), final = search(
        links_of(mesh), search_arrays(), *start[:2], fan, count, *goal[:2], goal_face, 1 << 18
    )
    if final < 0:
        return np.inf
    node, (right, left) = numbers[final], mesh.arrays.link_portal[ids[final, LINK], :, :2]
    ends = right + np.outer(node[[LOW, HIGH]], left - right)
    root = node[[ROOT_X, ROOT_Y]]
    # A path through a line to a point behind it: over the crossing, or by way of one of the ends.
    through = [np.hypot(*(end - root)) + np.hypot(*(goal[:2] - end)) for end in ends]
    rows = np.column_stack([goal[:2] - root, ends[0] - ends[1]])
    if abs(np.linalg.det(rows)) > 1e-9:
        _, along = np.linalg.solve(rows, ends[0] - root)
        if 0.0 <= along <= 1.0:
            through.append(np.hypot(*(goal[:2] - root)))
    elif -1e-9 <= np.dot(root - ends[0], ends[1] - ends[0]) <= np.dot(ends[1] - ends[0], ends[1] - ends[0]) + 1e-9:
        through.append(np.hypot(*(goal[:2] - root)))
    return float(node[GONE] + min(through))


def spots(mesh: NavMesh, count: int, random: np.random.Generator) -> np.ndarray:
    """Return places on the floor: corners of faces, places inside them, and such on a grid of quarter metres."""
    faces = random.choice(mesh.face_count, size=count, p=mesh.face_area / mesh.face_area.sum())
    found = np.empty((count, 3))
    for k, face in enumerate(faces):
        corners = mesh.face_xyz(int(face))
        kind = random.integers(3)
        found[k] = (
            corners[random.integers(len(corners))] if kind == 0 else random.dirichlet(np.ones(len(corners))) @ corners
        )
        if kind == 2:
            found[k, :2] = np.round(found[k, :2] * 4.0) / 4.0
    return found[faces_at(mesh, found) >= 0]


def both_ways_are_as_long(mesh: NavMesh, starts: np.ndarray, goals: np.ndarray) -> None:
    there, back = find_paths(mesh, starts, goals), find_paths(mesh, goals, starts)
    assert np.array_equal(there.reached, back.reached)
    assert np.array_equal(there.length[there.reached], back.length[there.reached]), "to the last bit, along the floor"
    start_faces, goal_faces = faces_at(mesh, starts), faces_at(mesh, goals)
    for k in np.flatnonzero(there.reached):
        one = searched(mesh, starts[k], goals[k], start_faces[k], goal_faces[k])
        other = searched(mesh, goals[k], starts[k], goal_faces[k], start_faces[k])
        assert one == pytest.approx(other, abs=1e-9), (starts[k], goals[k])
        in_plan = np.hypot(*np.diff(there[k].points_xyz[:, :2], axis=0).T).sum()
        assert one == pytest.approx(in_plan, abs=1e-9), (starts[k], goals[k])


def pairs_of(mesh: NavMesh, count: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    found = spots(mesh, 2 * count, np.random.default_rng(seed))
    half = len(found) // 2
    return found[:half], found[half : 2 * half]


@pytest.mark.parametrize("name", SAMPLES)
def test_paths_on_samples_are_as_long_both_ways(name):
    mesh = build_navmesh(sample(name))
    both_ways_are_as_long(mesh, *pairs_of(mesh, 60, 1))


@pytest.mark.long
@pytest.mark.parametrize("builder", ["auto", "voxel"])
@pytest.mark.parametrize("name", SAMPLES)
def test_thousands_of_paths_on_samples_are_as_long_both_ways(name, builder):
    mesh = build_navmesh(sample(name), builder=builder)
    both_ways_are_as_long(mesh, *pairs_of(mesh, 3000, 2))


@pytest.mark.parametrize("name", ["hall", "warehouse", "house"])
def test_paths_on_samples_are_no_longer_than_from_cell_to_cell(name):
    no_longer_than_along_cells(name, 100)


@pytest.mark.long
@pytest.mark.parametrize("name", SAMPLES)
def test_thousands_of_paths_on_samples_are_no_longer_than_from_cell_to_cell(name):
    no_longer_than_along_cells(name, 3000)


def no_longer_than_along_cells(name: str, count: int) -> None:
    """Hold paths in plan against the cheapest ways over cells, and those against themselves the other way."""
    layout = build_layout(build_navmesh(sample(name)))
    random = np.random.default_rng(3)
    begin, end = random.integers(0, len(layout), (2, count))
    ways = CheapestPaths(layout)
    there, back = ways.between(begin, end), ways.between(end, begin)
    assert np.array_equal(np.isfinite(there.cost), np.isfinite(back.cost))
    assert (there.points_xyz.shape, there.point_start.tolist()) == ((0, 3), [0] * (count + 1))
    reached = np.isfinite(there.cost)
    assert there.cost[reached] == pytest.approx(back.cost[reached], abs=1e-9)
    places = layout.arrays.cell_xyz.astype(float)
    paths = find_paths(layout.mesh, places[begin], places[end])
    assert paths.reached[reached].all()
    for k in np.flatnonzero(reached):
        in_plan = np.hypot(*np.diff(paths[k].points_xyz[:, :2], axis=0).T).sum()
        assert in_plan <= there.cost[k] * (1.0 + 1e-6) + 1e-6


def map_mesh(data: Path, name: str) -> NavMesh:
    """Return a mesh of the tiles on which problems start and end."""
    lines = (data / "movingai" / f"{name}.map").read_text().splitlines()[4:]
    return tile_mesh(np.array([[tile in ".GS" for tile in line] for line in lines]))


def problems(data: Path, name: str, most: int) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """Return starts and goals (tile centres) and optimal octile lengths of a .scen file, about `most` of them."""
    lines = (data / "movingai" / f"{name}.map.scen").read_text().splitlines()[1:]
    rows = np.array([line.split()[4:9] for line in lines if line.strip()], dtype=float)
    rows = rows[:: max(1, len(rows) // most)]
    flat = np.zeros((len(rows), 1))
    return np.hstack([rows[:, :2] + 0.5, flat]), np.hstack([rows[:, 2:4] + 0.5, flat]), rows[:, 4]


def problems_are_solved(data: Path, name: str, most: int) -> None:
    mesh = map_mesh(data, name)
    starts, goals, octile = problems(data, name, most)
    paths = find_paths(mesh, starts, goals)
    solvable = (octile > 0.0) | (starts == goals).all(axis=1)  # where there is no path, files give the length 0
    assert np.array_equal(paths.reached, solvable)
    assert (paths.length <= octile * (1.0 + 1e-5) + 0.005)[solvable].all()  # some files give two digits
    both_ways_are_as_long(mesh, starts, goals)
    both_ways_are_as_long(mesh, *pairs_of(mesh, most, 4))


@pytest.mark.data
@pytest.mark.parametrize("name", ["lak303d", "maze512-16-0"])
def test_problems_on_real_maps_are_solved_both_ways(data, name):
    problems_are_solved(data, name, 40)


@pytest.mark.data
@pytest.mark.long
@pytest.mark.parametrize("name", MAPS)
def test_thousands_of_problems_on_real_maps_are_solved_both_ways(data, name):
    problems_are_solved(data, name, 2000)


@pytest.mark.data
def test_all_real_maps_are_tested(data):
    assert sorted(path.stem for path in (data / "movingai").glob("*.map")) == sorted(MAPS)


@pytest.mark.data
def test_arena_paths_are_as_short_as_the_visibility_graphs(data):
    level = polyanya.read((data / "polyanya" / "arena-merged.mesh").read_bytes(), "arena-merged.mesh")
    surface = level.surface
    mesh = assemble(surface.vertices_xyz, surface.face_start, surface.corners, body=Body(radius=0.0))
    lines = (data / "movingai" / "arena.map").read_text().splitlines()[4:]
    passable = np.array([[tile in ".GS" for tile in line] for line in lines])
    rows = (data / "polyanya" / "arena.scen").read_text().splitlines()[1:]
    ends = np.array([row.split("\t")[4:8] for row in rows], dtype=float).reshape(-1, 2, 2) + 0.5
    octile = np.array([row.split("\t")[8] for row in rows], dtype=float)
    paths = find_paths(mesh, ends[:, 0], ends[:, 1])
    assert paths.reached.all()
    assert (paths.length <= octile * (1.0 + 1e-5)).all()  # the file gives six digits
    places = np.unique((2.0 * ends).astype(int).reshape(-1, 2), axis=0)
    number = {tuple(place): k for k, place in enumerate(places.tolist())}
    exact = lengths_between(passable, places)
    for k, (start, goal) in enumerate((2.0 * ends).astype(int).tolist()):
        assert paths.length[k] == pytest.approx(exact[number[tuple(start)], number[tuple(goal)]], abs=1e-9)


def users_agree(first: int, count: int) -> None:
    """Hold walking distances, cheapest ways and hearing on tiles against exact lengths and themselves the other way."""
    for random, passable, _, _ in levels(first, count, 10):
        layout = tile_layout(passable)
        centres = np.argwhere(passable)[random.integers(0, int(passable.sum()), PLACES)][:, ::-1] * 2 + 1
        exact = lengths_between(passable, centres)
        places = np.column_stack([centres / 2.0, np.zeros(PLACES)])
        ways = CheapestPaths(layout).find(places[PAIRS[0]], places[PAIRS[1]])
        cost, length = (value.reshape(PLACES, PLACES) for value in (ways.cost, ways.length))
        for walked in (cost, length):
            assert np.array_equal(np.isfinite(walked), np.isfinite(exact))
            assert (walked[np.isfinite(exact)] >= exact[np.isfinite(exact)] - 1e-5).all()
        assert cost == pytest.approx(cost.T, abs=1e-9)
        assert (length <= cost + 1e-5).all()
        spread = Spread(layout)
        cells = [int(np.argmin(np.linalg.norm(layout.arrays.cell_xyz - place, axis=1))) for place in places]
        heard = PathHearing(layout).distances(places, places, 1e3)
        for k, cell in enumerate(cells):
            reached = spread.distances([cell])
            there = dict(zip(reached.cells.tolist(), reached.metres.tolist()))
            metres = np.array([there.get(other, np.inf) for other in cells])
            assert metres == pytest.approx(cost[k], rel=1e-6)
            assert heard[k] == pytest.approx(cost[k], rel=1e-5)
        assert heard == pytest.approx(heard.T, abs=1e-5)


def test_walking_distances_cheapest_ways_and_hearing_agree_both_ways():
    users_agree(0, 10)


@pytest.mark.long
def test_many_walking_distances_cheapest_ways_and_hearing_agree_both_ways():
    users_agree(1000, 500)
