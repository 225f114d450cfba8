"""Navmesh queries against Detour: rays and paths over the very same polygons."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lastseen.level.level import Level
from lastseen.level.readers import mesh_file
from lastseen.navmesh.assembly import assemble
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_paths, nearest_many, raycasts

from .harness import Comparison
from .peers import recast

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "recast"
RAYS = 20_000
PATHS = 500
BATCHES = 8
GRID_PATHS = 12
GRIDS = ("orz900d", "random512-10-0", "maze512-16-0", "AR0300SR")


def comparisons() -> Iterator[Comparison | str]:
    for name in ("dungeon", "nav_test"):
        path = DATA / f"{name}.obj"
        reason = "" if path.exists() else f"{path.name} is not in ../shared/data"
        reason = reason or recast.why_not()
        if reason:
            yield f"queries on {name}: {reason}"
            continue
        yield from _comparisons(name)
    for name in GRIDS:
        yield _grid_paths(name)


def _grid_paths(name: str) -> Comparison | str:
    """Paths of a map's own problems against a search of its tiles that ends at the length known beforehand."""
    folder = DATA.parent / "movingai"
    if not (folder / f"{name}.map").exists():
        return f"paths on {name}: {name}.map is not in ../shared/data"
    try:
        from scipy.sparse import csr_array
        from scipy.sparse.csgraph import dijkstra
    except ImportError:
        return f"paths on {name}: scipy is not installed (make bench-peers)"
    lines = (folder / f"{name}.map").read_text().splitlines()[4:]
    passable = np.array([[tile in ".GS" for tile in line] for line in lines])
    rows = np.array([line.split()[4:9] for line in (folder / f"{name}.map.scen").read_text().splitlines()[1:]], float)
    rows = np.random.default_rng(1).permutation(rows)[: GRID_PATHS * BATCHES]
    mesh = build_navmesh(Level.read(folder / f"{name}.map"), Body(radius=0.0))
    starts, goals = rows[:, :2] + 0.5, rows[:, 2:4] + 0.5
    tile = np.arange(passable.size).reshape(passable.shape)
    ends, metres = [], []
    for down, right in ((0, 1), (1, 0), (1, 1), (1, -1)):
        one = np.s_[: len(tile) - down, max(0, -right) : tile.shape[1] - max(0, right)]
        other = np.s_[down:, max(0, right) : tile.shape[1] + min(0, right)]
        free = passable[one] & passable[other]
        if down and right:
            free &= passable[one[0], other[1]] & passable[other[0], one[1]]
        ends.append(np.stack([tile[one][free], tile[other][free]]))
        metres.append(np.full(ends[-1].shape[1], np.hypot(down, right)))
    begin, end = np.concatenate(ends, axis=1)
    weight = np.concatenate(metres)
    graph = csr_array((np.r_[weight, weight], (np.r_[begin, end], np.r_[end, begin])), shape=(tile.size, tile.size))
    sources = tile[rows[:, 1].astype(int), rows[:, 0].astype(int)]

    def peer(i: int) -> object:
        chosen, limits = _batch(i, GRID_PATHS, sources, rows[:, 4])
        return [dijkstra(graph, indices=source, limit=limit + 0.01) for source, limit in zip(chosen, limits)]

    return Comparison(
        f"paths {name} (ours exact at any angle, scipy's over tiles up to the known length)",
        lambda i: find_paths(mesh, *_batch(i, GRID_PATHS, starts, goals)),
        peer,
        at_most=0.5,
        peer_name="scipy dijkstra",
        items=GRID_PATHS,
        peer_items=GRID_PATHS,
        rounds=8,
    )


def _comparisons(name: str) -> Iterator[Comparison]:
    mesh, peer = _meshes(name)
    starts, ends = _lines(mesh, RAYS * BATCHES, reach=10.0)
    faces = faces_at(mesh, starts)
    references, _ = peer.nearest(starts, (0.1, 0.1, 2.0))
    yield Comparison(
        f"raycasts {name}, start face known",
        lambda i: raycasts(mesh, *_batch(i, RAYS, starts, ends), start_face=_batch(i, RAYS, faces)[0]),
        lambda i: peer.raycast(*_batch(i, RAYS, references, starts, ends)),
        at_most=2.0,
        peer_name="Detour",
        items=RAYS,
        peer_items=RAYS,
    )
    yield Comparison(
        f"raycasts {name}, start located first",
        lambda i: raycasts(mesh, *_batch(i, RAYS, starts, ends)),
        lambda i: peer.locate_and_raycast(*_batch(i, RAYS, starts, ends)),
        at_most=2.0,
        peer_name="Detour",
        items=RAYS,
        peer_items=RAYS,
    )
    yield Comparison(
        f"nearest points {name}",
        lambda i: nearest_many(mesh, _batch(i, RAYS, ends)[0], 4.0),
        lambda i: peer.nearest(_batch(i, RAYS, ends)[0], (4.0, 4.0, 4.0)),
        at_most=2.0,
        peer_name="Detour",
        items=RAYS,
        peer_items=RAYS,
    )
    goals = starts[::-1].copy()
    goal_references = references[::-1].copy()
    yield Comparison(
        f"paths {name} (ours exact, Detour's over edge midpoints)",
        lambda i: find_paths(mesh, *_batch(i, PATHS, starts, goals)),
        lambda i: peer.path_lengths(*_batch(i, PATHS, references, goal_references, starts, goals)),
        at_most=2.0,
        peer_name="Detour",
        items=PATHS,
        peer_items=PATHS,
    )


@functools.cache
def _meshes(name: str) -> tuple[NavMesh, recast.RecastMesh]:
    """Return one mesh twice: Recast's polygons in Detour, and the same polygons in ours."""
    path = DATA / f"{name}.obj"
    soup = mesh_file.read(path.read_bytes(), path.name).surface
    body = Body(radius=0.6, height=2.0, climb=0.9)
    peer = recast.bake(soup.vertices_xyz, soup.triangles, recast.settings_like(body))
    polygons = [corners if _area(corners) > 0.0 else corners[::-1] for corners in peer.polygons()]
    vertices = np.concatenate(polygons).astype(np.float64)
    start = np.concatenate([[0], np.cumsum([len(corners) for corners in polygons])])
    return assemble(vertices, start, np.arange(len(vertices)), body=body, name=name), peer


def _area(corners: np.ndarray) -> float:
    x, y = corners[:, 0].astype(float), corners[:, 1].astype(float)
    return float(np.sum(x * np.roll(y, -1) - np.roll(x, -1) * y))


def _lines(mesh: NavMesh, count: int, reach: float) -> tuple[np.ndarray, np.ndarray]:
    """Return starts spread over the floor by area, and ends up to `reach` metres away in any direction."""
    random = np.random.default_rng(1)
    face = random.choice(mesh.face_count, size=count, p=mesh.face_area / mesh.face_area.sum())
    starts = np.empty((count, 3))
    for i, f in enumerate(face):
        corners = mesh.face_xyz(f)
        weights = random.dirichlet(np.ones(len(corners)))
        starts[i] = weights @ corners
    angle, length = random.uniform(0.0, 2.0 * np.pi, count), random.uniform(1.0, reach, count)
    ends = starts + np.column_stack([length * np.cos(angle), length * np.sin(angle), np.zeros(count)])
    return starts, ends


def _batch(call: int, size: int, *arrays: np.ndarray) -> list[np.ndarray]:
    first = (call * size) % (len(arrays[0]) - size + 1)
    return [array[first : first + size] for array in arrays]
