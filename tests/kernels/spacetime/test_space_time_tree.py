"""Random trees through space and time: by hand, and what every tree keeps to."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.kernels.spacetime.space_time_floor import AskArrays
from lastseen.kernels.spacetime.space_time_nodes import TreeArrays, nearest_node
from lastseen.kernels.spacetime.space_time_tree import grow_tree
from lastseen.navmesh.query import face_at, raycasts
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.guard_routes import GuardRoute
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.rng import generator
from oracles.space_time import tile_level
from specimens.space_time import CORRIDOR, guards, pacer, rooms

STEP = 0.5


def grow(ground, routes, start, goal, samples, *, speed=1.0, steps=60, tries=1, sees=None):
    views = GuardViews(ground.sight, routes, seconds=steps * STEP, step=STEP, substeps=1, touch=None)
    ends = np.array([start, goal], np.float64)
    faces = np.array([face_at(ground.mesh, end) for end in ends], np.int32)
    agent = ground.mesh.body
    ask = AskArrays(
        ends,
        faces,
        np.array([speed * STEP, 1.0, agent.height, agent.climb]),
        np.array([1, steps, tries, 2], np.int64),
        ground.flat,
    )
    room = 4 * len(samples) + 4
    tree = TreeArrays(np.empty((room, 3)), np.empty(room), np.empty(room, np.int64), np.empty(room, np.int32))
    caught = np.empty((len(samples), 5))
    sight, mesh = ground.sight.arrays, ground.mesh.arrays
    free = np.column_stack([samples, np.full(len(samples), -1.0)]) if samples.shape[1] == 5 else samples
    sees = np.ones((3, 3), np.uint8) if sees is None else sees
    count, found, seen = grow_tree(sight, views.arrays, mesh, ask, free, sees, tree, caught)
    return TreeArrays(*(column[:count] for column in tree)), bool(found), caught[:seen], views


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR))


NOTHING = np.zeros((0, 5))


def test_a_free_way_is_gone_straight_at_top_speed(corridor):
    tree, found, _, _ = grow(corridor, [], (0.5, 0.5, 0), (12.5, 0.5, 0), NOTHING)
    assert found
    assert tree.step.tolist() == [0, 24]
    assert tree.parent.tolist() == [-1, 0]
    assert tree.xyz[-1].tolist() == [12.5, 0.5, 0.0]


def test_one_waits_before_the_last_leg_where_that_helps(corridor):
    # At once the guard sees whoever passes x = 8.5 at 8 s; a second later it has turned.
    start, goal = (0.5, 0.5, 0), (12.5, 0.5, 0)
    assert not grow(corridor, [pacer()], start, goal, NOTHING, tries=1)[1]
    tree, found, _, _ = grow(corridor, [pacer()], start, goal, NOTHING, tries=2)
    assert found
    assert tree.step.tolist() == [0, 2, 26]


def test_walls_cut_ways_short_and_time_is_heeded(corridor):
    # From the corridor up through the wall at x = 3: no more than the rim. A sample too far off is gone towards.
    samples = np.array([(3.0, 5.0, 0.0, 1.0, 0.1), (12.0, 0.5, 0.0, 5.0 / 58.0, 0.1)])
    tree, _, _, _ = grow(corridor, [], (3.0, 0.2, 0), (8.5, 7.5, 0), samples)
    assert tree.xyz[1, 1] == pytest.approx(0.99, abs=0.011)
    assert tree.parent[1] == 0
    assert tree.xyz[2, 0] < 3.0 + 5 * STEP + 1.1
    assert (tree.step[1:] >= 1).all()


def test_a_bend_is_gone_to_from_a_bend_one_can_walk_straight_from(corridor):
    # Bend 2, up the side way, lies no farther from the free node at (7.5, 0.9), but behind a wall; bend 1 is below it.
    start, up, below = (0.5, 0.5, 0.0), (8.5, 4.5, 0.0), (8.5, 0.5, 0.0)
    samples = np.array([(*below, 0.9, 0.1, 1.0), (7.5, 0.9, 0.0, 0.6, 0.1, -1.0), (*up, 1.0, 0.1, 2.0)])
    sees = np.array([[0, 1, 0], [1, 0, 1], [0, 1, 0]], np.uint8)
    goal = (12.5, 0.1, 0.0)
    blocker = GuardRoute(replace(pacer().kind, speed=0.0, view_distance=0.5), [(12.5, 0.5)], heading=-np.pi / 2)
    tree, _, _, _ = grow(corridor, [blocker], start, goal, samples, sees=sees)
    assert tree.xyz[-1].tolist() == list(up)
    assert tree.xyz[tree.parent[-1]].tolist() == list(below)
    lost, _, _, _ = grow(corridor, [blocker], start, goal, samples, sees=np.zeros((3, 3), np.uint8))
    assert lost.xyz[-1].tolist() != list(up)


def test_a_way_into_a_view_is_gone_a_part(corridor):
    # One stares at what is within 0.6 m of x = 8.5. Half a metre a step, x = 8.0 is come to at step 15: 14 are free,
    # and seven tenths of their time are gone.
    stare = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-np.pi / 2)
    samples = np.array([(12.0, 0.5, 0.0, 1.0, 0.1)])
    tree, found, caught, _ = grow(corridor, [stare], (0.5, 0.5, 0), (12.5, 0.5, 0), samples)
    assert not found
    assert caught.tolist() == [[15.0, 8.0, 0.5, 0.0, 0.0]]
    assert tree.step.tolist() == pytest.approx([0, 9.8])
    assert tree.xyz[1].tolist() == pytest.approx([5.4, 0.5, 0.0])


def test_the_nearest_node_is_one_before_the_sample():
    ask = AskArrays(np.zeros((2, 3)), np.zeros(2, np.int32), np.array([0.5, 1, 1, 1]), np.zeros(4, np.int64), True)
    tree = TreeArrays(
        np.array([(0.0, 0, 0), (4.0, 0, 0), (5.0, 0, 0)]),
        np.array([0.0, 8.0, 30.0]),
        np.array([-1, 0, 1]),
        np.zeros(3, np.int32),
    )
    assert nearest_node(ask, tree, 3, (5.0, 0.0, 0.0), 20) == 1
    assert nearest_node(ask, tree, 3, (5.0, 0.0, 0.0), 31) == 2
    assert nearest_node(ask, tree, 3, (0.0, 0.0, 0.0), 0) == -1


@settings(max_examples=40)
@given(st.data())
def test_every_branch_keeps_to_walls_speed_time_and_shadow(data):
    rows = data.draw(rooms())
    routes = data.draw(guards(rows))
    ground = SneakGround(tile_level(rows))
    start, goal = (0.4, len(rows) - 0.45, 0.0), (len(rows[0]) - 0.55, 0.35, 0.0)
    if GuardViews(ground.sight, routes, seconds=1.0, touch=None).seen([start], 0.0)[0] >= 0:
        return
    random = generator(data.draw(st.integers(0, 99)), "tree test").random((60, 5))
    face = face_at(ground.mesh, start)
    samples = np.column_stack([ground.scattered(random[:, :3], face), random[:, 3:]])
    tree, found, caught, views = grow(ground, routes, start, goal, samples, speed=1.5, tries=3)
    assert tree.parent[0] == -1
    assert found == (len(tree.step) > 1 and np.allclose(tree.xyz[-1], goal))
    child = np.arange(1, len(tree.step))
    parent = tree.parent[child]
    assert (parent < child).all()
    taken = tree.step[child] - tree.step[parent]
    assert (taken > 0).all()
    far = np.linalg.norm(tree.xyz[child] - tree.xyz[parent], axis=1)
    assert (far <= taken * STEP * 1.5 + 1e-6).all()
    assert raycasts(ground.mesh, tree.xyz[parent], tree.xyz[child]).reached.all()
    for one, other in zip(parent, child):
        way = np.column_stack([tree.xyz[[one, other]], tree.step[[one, other]] * STEP])
        assert views.first_seen(way) is None
    for moment, x, y, z, guard in caught:
        alone = GuardViews(ground.sight, [routes[int(guard)]], seconds=1.0, touch=None)
        assert alone.seen([(x, y, z)], views.seconds[int(moment)])[0] == 0
