"""Bodies follow their ways, keep apart, pass doors and stay on the floor."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.bodies.bodies import bodies, copy_of
from lastseen.agents.bodies.crowd import Crowd, MoveSettings
from lastseen.agents.bodies.orders import Orders
from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.errors import InputError
from lastseen.kernels.arrays.agent_arrays import GONE, BodyArrays
from lastseen.kernels.bodies.neighbours import Nearby, find_nearby
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh
from specimens.crowds import STEP, Walk, level_of

TWO_ROOMS = """
####################
#........#.........#
#........#.........#
#..................#
#........#.........#
#........#.........#
####################
"""


@pytest.fixture(scope="module")
def two_rooms(tmp_path_factory: pytest.TempPathFactory) -> NavMesh:
    return build_navmesh(level_of(TWO_ROOMS, tmp_path_factory.mktemp("rooms")), Body(radius=0.3))


def test_one_walks_to_its_goal_in_about_the_time_the_way_takes(two_rooms: NavMesh) -> None:
    walk = Walk(two_rooms, [(2.5, 3.5)], [(12.5, 3.5, 0)], 2.0).run(5.0)
    assert walk.statuses == ["walking"]
    assert walk.run(0.6).statuses == ["arrived"]
    assert np.linalg.norm(walk.bodies.xyz[0, :2] - (12.5, 3.5)) <= 0.2
    assert walk.fastest <= 2.0 + 1e-6


def test_two_who_meet_in_a_door_both_pass(two_rooms: NavMesh) -> None:
    walk = Walk(two_rooms, [(2, 3.5), (17, 3.5)], [(17, 3.5, 0), (2, 3.5, 0)], 1.6).run(20.0)
    assert walk.statuses == ["arrived", "arrived"]
    assert walk.closest >= 0.95 * 0.6


def test_eight_pass_a_door_both_ways_without_overlap_or_jam(two_rooms: NavMesh) -> None:
    left, right = [(2, 1.5 + k, 0) for k in range(4)], [(17, 1.5 + k, 0) for k in range(4)]
    walk = Walk(two_rooms, left + right, right + left, 1.6).run(32.0)
    assert walk.statuses == ["arrived"] * 8
    assert walk.closest >= 0.95 * 0.6


def test_one_who_only_stands_in_a_door_gives_way(two_rooms: NavMesh) -> None:
    walk = Walk(two_rooms, [(2, 3.5), (9.5, 3.5)], [(17, 3.5, 0), (0, 0, 0)], 1.6)
    walk.orders.arrays.going[1] = 0
    walk.run(16.0)
    assert walk.statuses[0] == "arrived"
    assert walk.closest >= 0.95 * 0.6


def test_a_blocked_body_asks_for_its_path_now_and_then_and_not_in_every_step(tmp_path: Path) -> None:
    mesh = build_navmesh(level_of("#########\n#.......#\n#########", tmp_path), Body(radius=0.4))
    walk = Walk(mesh, [(5.8, 1.5), (7.4, 1.5)], [(7.4, 1.5, 0), (0, 0, 0)], 2.0)
    walk.orders.arrays.going[1] = 0  # it stands in a dead end and cannot give way
    walk.run(1.0)
    asked, following = 0, copy_of(walk.bodies)
    for _ in range(90):
        asked += walk.crowd.plan(walk.bodies, walk.orders.arrays)
        walk.crowd.step(walk.bodies, following, walk.orders.arrays, STEP)
        walk.bodies, following = following, walk.bodies
    patience = walk.crowd.settings.patience
    assert 2 <= asked <= 3.0 / patience + 1.0
    walk.crowd.replan()
    walk.crowd.routes.slow[0] = 0.5 * patience
    walk.crowd.plan(walk.bodies, walk.orders.arrays)
    assert walk.crowd.routes.slow[0] == 0.5 * patience, "a new path makes nobody less patient"


def test_a_goal_that_cannot_be_had_is_approached_as_far_as_possible(tmp_path: Path) -> None:
    mesh = build_navmesh(level_of("#########\n#...#...#\n#########", tmp_path), Body(radius=0.2))
    walk = Walk(mesh, [(1.5, 1.5)], [(6.5, 1.5, 0)], 2.0).run(3.0)
    assert walk.statuses == ["arrived"]
    assert walk.bodies.xyz[0, 0] == pytest.approx(3.8, abs=0.21)


def test_nobody_walks_through_a_door_that_closes_under_way() -> None:
    level = sample("warehouse")
    live = LiveLayout(build_layout(build_navmesh(level, Body(radius=0.3))))
    door = level.doors[0].outline_xy.mean(axis=0)
    crowd = Crowd(live.mesh, 1)
    start = live.layout.arrays.cell_xyz[0].astype(float)
    table, orders = bodies([start]), Orders.none(1)
    orders.arrays.goal_xyz[0, :2], orders.arrays.going[0], orders.arrays.speed[0] = door, 1, 4.0
    crowd.plan(table, orders.arrays)
    last = crowd.routes.points_xyz[0, crowd.routes.count[0] - 1, :2]
    assert np.linalg.norm(last - door) < 0.1
    live.close_door(level, 0)
    crowd.replan()
    assert crowd.plan(table, orders.arrays) == 1
    last = crowd.routes.points_xyz[0, crowd.routes.count[0] - 1, :2]
    assert np.linalg.norm(last - door) > 0.1


def test_stairs_are_walked_up() -> None:
    mesh = build_navmesh(sample("house"), Body(radius=0.3))
    centres = mesh.arrays.vertex_xyz
    low, high = centres[centres[:, 2].argmin()], centres[centres[:, 2].argmax()]
    walk = Walk(mesh, [low], [high], 3.0).run(40.0)
    assert walk.statuses == ["arrived"]
    assert walk.bodies.xyz[0, 2] == pytest.approx(high[2], abs=0.05)


def test_who_runs_up_to_somebody_does_not_avoid_it(two_rooms: NavMesh) -> None:
    closest = {}
    for toward in (-1, 1):
        walk = Walk(two_rooms, [(2, 2.5), (6, 2.5)], [(6, 2.5, 0), (0, 0, 0)], 4.0)
        walk.orders.arrays.going[1], walk.orders.arrays.toward[0] = 0, toward
        closest[toward] = walk.run(1.1).closest
    assert closest[1] < closest[-1]


def test_the_gone_neither_move_nor_stand_in_the_way(two_rooms: NavMesh) -> None:
    walk = Walk(two_rooms, [(2, 3.5), (9.5, 3.5)], [(17, 3.5, 0), (2, 3.5, 0)], 2.0)
    walk.bodies.mode[1] = GONE
    walk.run(9.0)
    assert walk.statuses[0] == "arrived"
    assert walk.bodies.xyz[1].tolist() == [9.5, 3.5, 0.0]
    assert walk.closest < 0.1


def test_heads_turn_further_than_bodies_but_not_round(two_rooms: NavMesh) -> None:
    walk = Walk(two_rooms, [(2, 3.5)], [(2, 3.5, 0)], 1.0)
    walk.orders.arrays.going[0] = 0
    walk.orders.arrays.gaze[0] = np.pi
    walk.run(2.0)
    assert walk.bodies.heading[0] == 0.0
    assert abs(walk.bodies.gaze[0]) == pytest.approx(MoveSettings().head_reach)


def test_the_same_orders_give_the_same_bits(two_rooms: NavMesh) -> None:
    def places() -> bytes:
        left, right = [(2, 1.5 + k, 0) for k in range(4)], [(17, 1.5 + k, 0) for k in range(4)]
        return Walk(two_rooms, left + right, right + left, 1.6).run(8.0).bodies.xyz.tobytes()

    assert places() == places()


@given(st.lists(st.tuples(st.floats(-9, 9), st.floats(-9, 9), st.sampled_from([0.0, 3.0])), min_size=1, max_size=20))
def test_neighbours_are_those_a_search_of_all_pairs_finds(places: list[tuple[float, float, float]]) -> None:
    table: BodyArrays = bodies(places)
    table.mode[0] = GONE if len(places) > 2 else 0
    count = len(places)
    near = Nearby(np.zeros(count + 1, np.int32), np.zeros(count * count, np.int32))
    found = find_nearby(table, 2.5, 1.2, np.zeros(16, np.int32), np.zeros(count, np.int32), near)
    expected = [
        [
            j
            for j in range(count)
            if i != j
            and table.mode[i] == table.mode[j] == 0
            and abs(places[i][2] - places[j][2]) <= 1.2
            and (places[i][0] - places[j][0]) ** 2 + (places[i][1] - places[j][1]) ** 2 <= 2.5**2
        ]
        for i in range(count)
    ]
    assert [near.other[near.start[i] : near.start[i + 1]].tolist() for i in range(count)] == expected
    assert found == sum(map(len, expected))


def test_a_step_of_no_time_is_refused(two_rooms: NavMesh) -> None:
    table = bodies([(2, 3.5)])
    with pytest.raises(InputError, match="longer than 0"):
        Crowd(two_rooms, 1).step(table, copy_of(table), Orders.none(1).arrays, 0.0)
    with pytest.raises(InputError, match="horizon"):
        MoveSettings(horizon=-1.0)
