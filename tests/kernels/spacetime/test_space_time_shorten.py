"""Detours taken out: by hand, and what every shorter way keeps to."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_floor import AskArrays
from lastseen.kernels.spacetime.space_time_nodes import TreeArrays, shorten_way
from lastseen.navmesh.query import faces_at, raycasts
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.solver import Question, search_with_trees
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, guards, pacer, rooms


def shorten(ground, routes, path, *, speed=1.0, step=0.5, steps=60):
    """Shorten a way (n, 4) of x, y, z and steps."""
    path = np.asarray(path, np.float64)
    views = GuardViews(ground.sight, routes, seconds=steps * step, step=step, substeps=1, touch=None)
    faces = faces_at(ground.mesh, path[:, :3]).astype(np.int32)
    agent = ground.mesh.body
    ask = AskArrays(
        np.ascontiguousarray(path[[0, -1], :3]),
        faces[[0, -1]],
        np.array([speed * step, 1.0, agent.height, agent.climb]),
        np.array([1, steps, 1, 1], np.int64),
        ground.flat,
    )
    count = len(path)
    way = TreeArrays(
        np.ascontiguousarray(path[:, :3]), path[:, 3].copy(), np.arange(-1, count - 1, dtype=np.int64), faces
    )
    out = TreeArrays(*(np.empty((2 * count, *column.shape[1:]), column.dtype) for column in way))
    kept = shorten_way(ground.sight.arrays, views.arrays, ground.mesh.arrays, ask, way, out)
    return np.column_stack([out.xyz[:kept], out.step[:kept]])


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR))


def test_a_zigzag_becomes_the_straight_way_and_arrives_as_soon_as_it_can(corridor):
    zigzag = [(0.5, 0.2, 0, 0), (3.0, 0.9, 0, 9), (2.0, 0.1, 0, 14), (6.5, 0.2, 0, 30)]
    assert shorten(corridor, [], zigzag).tolist() == [[0.5, 0.2, 0, 0], [6.5, 0.2, 0, 12]]


def test_a_wall_between_keeps_the_corner(corridor):
    bend = [(0.5, 0.5, 0, 0), (4.0, 0.2, 0, 10), (8.5, 0.5, 0, 22), (8.5, 6.0, 0, 40)]
    assert shorten(corridor, [], bend).tolist() == [[0.5, 0.5, 0, 0], [8.5, 0.5, 0, 22], [8.5, 6.0, 0, 33]]


def test_a_wait_that_is_needed_is_kept(corridor):
    # The guard sees who passes x = 8.5 at 8 s; with a stop on the way it is passed at 9 s.
    waits = [(0.5, 0.5, 0, 0), (2.5, 0.5, 0, 4), (2.5, 0.5, 0, 6), (12.5, 0.5, 0, 26)]
    found = shorten(corridor, [pacer()], waits)
    assert found[-1].tolist() == [12.5, 0.5, 0.0, 26.0]
    views = GuardViews(corridor.sight, [pacer()], seconds=30.0, step=0.5, substeps=1, touch=None)
    assert views.first_seen(found * [1, 1, 1, 0.5]) is None


@settings(max_examples=25)
@given(st.data())
def test_shorter_ways_are_ways_too(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    ground = SneakGround(tile_level(rows))
    start, goal = (0.4, len(rows) - 0.45, 0.0), (len(rows[0]) - 0.55, 0.35, 0.0)
    if ground.mesh.face_component[faces_at(ground.mesh, [start, goal])].std() > 0:
        return
    seed = data.draw(st.integers(0, 9))
    once = {"step": 0.5, "substeps": 1, "contact": False}
    raw = VerifySettings(seconds=20.0, speed=1.0, trees=2, nodes=60, smooth=False, seed=seed, **once)
    question = Question.make(ground, routes, start, goal, raw)
    if question.start_seen():
        return
    before = search_with_trees(question, 0)
    if not before.found:
        return
    path = before.path * [1.0, 1.0, 1.0, 2.0]
    after = shorten(ground, routes, path, steps=40)
    assert after[0].tolist() == path[0].tolist()
    assert after[-1, :3].tolist() == path[-1, :3].tolist()
    assert after[-1, 3] <= path[-1, 3] + 1e-6
    lengths = [np.linalg.norm(np.diff(way[:, :3], axis=0), axis=1) for way in (path, after)]
    assert lengths[1].sum() <= lengths[0].sum() + 1e-9
    assert (lengths[1] <= np.diff(after[:, 3]) * 0.5 + 1e-6).all()
    assert raycasts(ground.mesh, after[:-1, :3], after[1:, :3]).reached.all()
    assert question.views.first_seen(after * [1.0, 1.0, 1.0, 0.5]) is None
