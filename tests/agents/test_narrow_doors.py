"""Crowds pass a door one tile wide, the same way and both ways, soon and without overlap."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.navmesh import NavMesh
from specimens.crowds import Walk, level_of

ROWS = ["#" * 24, *("#..........#...........#" if row != 4 else "#" + "." * 22 + "#" for row in range(1, 8)), "#" * 24]
CORRIDOR = [
    "#" * 26,
    *("#" + "." * 9 + ("." if row == 4 else "#") * 6 + "." * 9 + "#" for row in range(1, 8)),
    "#" * 26,
]
LEFT, RIGHT = ([(x, y, 0.0) for y in (1.5, 3.5, 5.5, 7.5)] for x in (3.5, 19.5))
"""Mirrored about the middle of the door, at y = 4.5."""
Places = list[tuple[float, float, float]]


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> NavMesh:
    return build_navmesh(level_of("\n".join(ROWS), tmp_path_factory.mktemp("door")), Body(radius=0.3))


def all_through(mesh: NavMesh, starts: Places, goals: Places, seconds: float, speed: float = 1.6) -> Walk:
    walk = Walk(mesh, starts, goals, speed).run(seconds)
    assert walk.arrived_at.max() <= seconds, walk.arrived_at
    assert not walk.was_stuck.any()
    assert walk.closest >= 0.95 * 0.6
    return walk


@pytest.mark.parametrize(
    ("who", "speed", "seconds"), [(slice(1, 3), 1.6, 12.0), (slice(0, 4), 1.6, 14.0), (slice(0, 4), 4.5, 7.0)]
)
def test_those_who_go_the_same_way_abreast_pass_one_after_another(
    door: NavMesh, who: slice, speed: float, seconds: float
) -> None:
    # One alone walks for 10 s at 1.6 m/s.
    all_through(door, LEFT[who], RIGHT[who], seconds, speed)
    all_through(door, RIGHT[who], LEFT[who], seconds, speed)


@pytest.mark.parametrize("count", [2, 4])
def test_two_mirrored_rows_pass_both_ways(door: NavMesh, count: int) -> None:
    here, there = LEFT[:count] if count == 4 else LEFT[1:3], RIGHT[:count] if count == 4 else RIGHT[1:3]
    all_through(door, here + there, there + here, 24.0)


def test_a_row_a_little_behind_does_not_jam_either(door: NavMesh) -> None:
    back = [(x - 0.1, y, z) for x, y, z in LEFT]
    all_through(door, back + RIGHT, RIGHT + LEFT, 24.0)


@pytest.mark.parametrize("seed", range(6))
def test_twelve_anywhere_in_two_rooms_change_rooms(door: NavMesh, seed: int) -> None:
    rng = np.random.default_rng(seed)

    def side(low: float, high: float) -> Places:
        spots = [(x, y, 0.0) for x in np.linspace(low, high, 5) for y in np.linspace(1.5, 7.5, 5)]
        return [spots[number] for number in rng.choice(len(spots), 6, replace=False)]

    starts = side(1.5, 9.5) + side(13.5, 21.5)
    all_through(door, starts, side(13.5, 21.5) + side(1.5, 9.5), 32.0)


def test_a_corridor_for_one_is_passed_by_one_side_then_by_the_other(tmp_path_factory: pytest.TempPathFactory) -> None:
    mesh = build_navmesh(level_of("\n".join(CORRIDOR), tmp_path_factory.mktemp("corridor")), Body(radius=0.3))
    right = [(22.5, y, z) for _, y, z in RIGHT]
    all_through(mesh, LEFT[:2] + right[2:], right[:2] + LEFT[2:], 30.0)


def test_one_pushed_off_its_way_asks_for_it_again_before_it_is_stuck(door: NavMesh) -> None:
    walk = Walk(door, [(9.5, 4.5, 0.0)], [(19.5, 4.5, 0.0)], 1.6).run(0.8)
    walk.bodies.xyz[0, :2] = 10.7, 2.5  # beside the door, the way straight on through the wall
    walk.run(9.0)
    assert walk.statuses == ["arrived"]
    assert not walk.was_stuck.any()
