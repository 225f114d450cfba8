"""A guard that is held up on its round tries again, and passes a stop over only after a stated patience."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastseen.agents.bodies.orders import SPEEDS
from lastseen.kernels.arrays.agent_arrays import STUCK
from lastseen.simulation.world.world import World
from specimens.worlds import Play

LEVEL = """name: One door
legend: a = waypoint
legend: b = waypoint
legend: c = waypoint
legend: d = waypoint
patrol: upper = b a
patrol: lower = d c

###############
#a....#......b#
#.............#
#c....#......d#
###############
"""


def play(folder: Path, *agents: str) -> Play:
    (folder / "door.txt").write_text(LEVEL)
    lines = "\n".join(f"  - {{{agent}}}" for agent in agents)
    return Play(f"level: {folder / 'door.txt'}\nseconds: 90\nends: []\nagents:\n{lines}\n")


def reason(run: Play) -> str:
    tree = run.world.trees[0]
    assert tree is not None
    return str(tree.find("follow_patrol").reason)


def test_two_mirrored_guards_walk_their_rounds_through_a_door(tmp_path: Path) -> None:
    run = play(tmp_path, "name: Ames, at: [1.5, 1.5], patrol: upper", "name: Bell, at: [1.5, 3.5], patrol: lower")
    east: set[int] = set()
    run.run(16.0, lambda world: east.update(i for i in range(2) if world.bodies.xyz[i, 0] > 13.0))
    assert east == {0, 1}, "both have been at their stops before they turn back"


def test_a_guard_that_is_stuck_tries_again_and_goes_on_to_the_next_stop_after_twenty_seconds(tmp_path: Path) -> None:
    run = play(tmp_path, "name: Ames, at: [1.5, 1.5], patrol: upper")
    board = run.world.minds[0].blackboard

    def hold(world: World) -> None:
        world.bodies.xyz[0, :2] = 3.5, 2.5
        if world.tick % 60 == 30:
            world.crowd.routes.status[0] = STUCK

    run.run(19.0, hold)
    assert board["patrol_at"] == 0
    assert "held up since 1.0 s" in reason(run)
    run.run(4.5, hold)
    assert board["patrol_at"] == 1
    assert "stop 1 passed over: stuck for 20 s" in reason(run)
    run.run(2.0)
    assert board["patrol_at"] == 0, "it has been at the second stop"
    assert "passed over" not in reason(run)


def test_who_comes_nearer_between_is_not_out_of_patience(tmp_path: Path) -> None:
    run = play(tmp_path, "name: Ames, at: [1.5, 1.5], patrol: upper")

    def creep(world: World) -> None:
        world.bodies.xyz[0, :2] = 1.5 + 0.15 * world.time, 2.5
        if world.tick % 60 == 30:
            world.crowd.routes.status[0] = STUCK

    run.run(40.0, creep)
    assert run.world.minds[0].blackboard["patrol_at"] == 0
    since = float(reason(run).split("held up since ")[1].split(" s")[0])
    assert since == pytest.approx(33.0, abs=8.0)


def test_orders_to_a_body_are_those_last_given(tmp_path: Path) -> None:
    world = play(tmp_path, "name: Ames, at: [1.5, 1.5]", "name: Bell, at: [1.5, 3.5]").run(0.1).world
    mind, orders, place = world.minds[1], world.orders.arrays, (9.0, 2.5, 0.0)
    free = pytest.approx((np.nan, np.nan), nan_ok=True)
    before = [getattr(orders, name)[0].tolist() for name in ("going", "goal_xyz", "speed", "face", "gaze", "stance")]
    mind.go(place, "run", pace=0.5, toward=0)
    assert (orders.going[1], orders.goal_xyz[1].tolist(), orders.speed[1]) == (1, [*place], 0.5 * SPEEDS["run"])
    assert (orders.toward[1], orders.stance[1], mind.has_arrived, mind.is_stopped) == (0, 0, False, False)
    mind.face(1.0)
    mind.look(2.0)
    assert (orders.face[1], orders.gaze[1]) == (1.0, 2.0)
    mind.go(place, "run", pace=0.5, toward=0)
    assert (orders.face[1], orders.gaze[1]) == free, "the same order counts after another one"
    mind.turn(0.5)
    assert (orders.face[1], orders.gaze[1]) == (0.5, 0.5)
    mind.go(place, "sneak")
    assert (orders.toward[1], orders.stance[1], orders.speed[1]) == (-1, 1, SPEEDS["sneak"])
    mind.turn(0.5)
    mind.stand()
    assert (orders.going[1], orders.toward[1]) == (0, -1)
    assert (orders.face[1], orders.gaze[1]) == free
    assert mind.heading_to((1.5, 9.0, 0.0)) == pytest.approx(0.5 * np.pi)
    after = [getattr(orders, name)[0].tolist() for name in ("going", "goal_xyz", "speed", "face", "gaze", "stance")]
    assert str(after) == str(before), "nobody else was ordered about"
