"""Navmesh queries against Detour: rays and paths over the very same polygons."""

from __future__ import annotations

import functools
from collections.abc import Iterator
from pathlib import Path

import numpy as np

from lastseen.level.readers import mesh_file
from lastseen.navmesh.agent import Agent
from lastseen.navmesh.assemble import assemble
from lastseen.navmesh.navmesh import NavMesh
from lastseen.navmesh.query import faces_at, find_paths, nearest_many, raycasts

from .harness import Comparison
from .peers import recast

DATA = Path(__file__).resolve().parents[2] / "shared" / "data" / "recast"
RAYS = 20_000
PATHS = 500
BATCHES = 8


def comparisons() -> Iterator[Comparison | str]:
    for name in ("dungeon", "nav_test"):
        path = DATA / f"{name}.obj"
        reason = "" if path.exists() else f"{path.name} is not beside the project"
        reason = reason or recast.why_not()
        if reason:
            yield f"queries on {name}: {reason}"
            continue
        yield from _comparisons(name)


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
        at_most=3.0,
        peer_name="Detour",
        items=PATHS,
        peer_items=PATHS,
    )


@functools.cache
def _meshes(name: str) -> tuple[NavMesh, recast.RecastMesh]:
    """Return one mesh twice: Recast's polygons in Detour, and the same polygons in ours."""
    path = DATA / f"{name}.obj"
    soup = mesh_file.read(path.read_bytes(), path.name).surface
    agent = Agent(radius=0.6, height=2.0, climb=0.9)
    peer = recast.bake(soup.vertices_xyz, soup.triangles, recast.settings_like(agent))
    polygons = [corners if _area(corners) > 0.0 else corners[::-1] for corners in peer.polygons()]
    vertices = np.concatenate(polygons).astype(np.float64)
    start = np.concatenate([[0], np.cumsum([len(corners) for corners in polygons])])
    return assemble(vertices, start, np.arange(len(vertices)), agent=agent, name=name), peer


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
