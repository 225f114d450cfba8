"""Platforms: floor that appears, disappears and moves, and gives the answers of a mesh built with or without it."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.cells.live import LiveLayout
from lastseen.chase import Chase, Loss
from lastseen.errors import BakeError, InputError, LevelError, QueryError
from lastseen.level.level import Floors, Level, Platform, TriangleSoup
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import faces_at, find_path, find_paths, heights_at, raycasts, reachable, reachable_many

BANKS = ((0, 0, 10, 10), (16, 0, 26, 10))


def corners(left: float, low: float, right: float, high: float, z: float = 0.0) -> list[tuple[float, float, float]]:
    return [(left, low, z), (right, low, z), (right, high, z), (left, high, z)]


def platform(*box: float, name: str = "bridge", present: bool = False, at: str = "", z: float = 0.0) -> Platform:
    return Platform(np.array(corners(*box, z=z), np.float64), name=name, at=at, present=present)


def level_of(*platforms: Platform, banks=BANKS) -> Level:
    return Level.from_polygons([corners(*bank) for bank in banks], platforms=platforms)


def as_drawn(level: Level, present: np.ndarray) -> Level:
    """Return a level whose floor is what is there: present platforms are ordinary floors."""
    assert isinstance(level.surface, Floors)
    there = [piece for piece, is_there in zip(level.platforms, present) if is_there]
    return replace(level, surface=Floors((*level.surface.polygons, *there)), platforms=())


def random_points(count: int = 80) -> np.ndarray:
    return np.random.default_rng(7).uniform((-1, -1, 0), (27, 11, 0), (count, 3))


def answers(mesh, points: np.ndarray) -> list[np.ndarray]:
    """Return what all queries say of some points; walks that graze a corner by a micrometre are not compared."""
    other = points[::-1].copy()
    paths = find_paths(mesh, points, other)
    rays = raycasts(mesh, points, other)
    return [
        faces_at(mesh, points) >= 0,
        heights_at(mesh, points),
        reachable_many(mesh, points, other),
        paths.reason,
        paths.length,
        rays.xyz,
    ]


def assert_as_built(live: LiveLayout, level: Level) -> None:
    fresh = build_navmesh(as_drawn(level, live.platforms), live.mesh.body)
    for one, other in zip(answers(live.mesh, random_points()), answers(fresh, random_points())):
        assert one == pytest.approx(other, abs=1e-4, nan_ok=True)
    where = live.layout.arrays.cell_xyz.astype(np.float64)
    enabled = np.unpackbits(live.arrays.disabled, bitorder="little", count=len(where)) == 0
    around = [faces_at(fresh, where + np.array([dx, dy, 0.0])) >= 0 for dx in (-1e-4, 1e-4) for dy in (-1e-4, 1e-4)]
    # Within a tenth of a millimetre of an edge, rounding decides.
    sure = np.all(around, axis=0) | ~np.any(around, axis=0)
    assert (enabled == around[0])[sure].all()


def test_a_bridge_appears_and_disappears():
    live = LiveLayout.from_level(level_of(platform(10, 4, 16, 6)))
    assert not reachable(live.mesh, (1, 1), (25, 9))
    live.set_platform("bridge", True)
    assert reachable(live.mesh, (1, 1), (25, 9))
    assert live.platforms.tolist() == [True]
    assert live.cuts == ()
    # With every platform present the arrays are those of the base, bit for bit.
    assert all(np.array_equal(one, two) for one, two in zip(live.mesh.arrays, live.layout.mesh.arrays))
    assert np.array_equal(live.arrays.disabled, live.layout.arrays.disabled)
    assert np.array_equal(live.arrays.blocked, live.layout.arrays.blocked)
    live.set_platform("bridge", False)
    assert find_path(live.mesh, (1, 1), (25, 9)).reason != "reached"


def test_without_its_platform_a_bank_keeps_the_radius_from_its_brink():
    level = level_of(platform(10, 4, 16, 6))
    live = LiveLayout.from_level(level, Body(radius=0.5))
    assert faces_at(live.mesh, [(9.4, 5, 0), (9.6, 5, 0)]).tolist()[1] == -1
    live.set_platform("bridge", True)
    assert (faces_at(live.mesh, [(9.4, 5, 0), (9.6, 5, 0)]) >= 0).all()


boxes = st.tuples(st.integers(1, 20), st.integers(-2, 8), st.integers(2, 9), st.integers(1, 6)).map(
    lambda box: (box[0], box[1], box[0] + box[2], box[1] + box[3])
)
radii = st.sampled_from([0.0, 0.3, 0.7])


@settings(max_examples=40)
@given(st.lists(boxes, min_size=1, max_size=4), st.lists(st.integers(0, 15), min_size=2, max_size=4), radii)
def test_any_platforms_give_the_answers_of_a_fresh_build(shapes, states, radius):
    level = level_of(*(platform(*box, name=f"piece {number}") for number, box in enumerate(shapes)))
    live = LiveLayout.from_level(level, Body(radius=radius))
    assert_as_built(live, level)
    for state in states:
        live.set_platforms([bool(state >> number & 1) for number in range(len(shapes))])
        assert_as_built(live, level)
    live.set_platforms([True] * len(shapes))
    assert live.cuts == ()


def test_a_lift_moves_between_its_positions():
    stops = (
        platform(10, 4, 12, 6, name="lift", at="bottom", present=True),
        platform(10, 4, 12, 6, name="lift", at="top", z=3.0),
    )
    upper = corners(12, 0, 20, 10, z=3.0)
    level = Level.from_polygons([corners(0, 0, 10, 10), upper], platforms=stops)
    live = LiveLayout.from_level(level)
    assert reachable(live.mesh, (1, 1, 0), (11, 5, 0))
    assert not reachable(live.mesh, (11, 5, 3), (18, 5, 3))
    live.set_platform("lift", True, at="top")
    assert live.platforms.tolist() == [False, True]
    assert reachable(live.mesh, (11, 5, 3), (18, 5, 3))
    assert not reachable(live.mesh, (1, 1, 0), (11, 5, 0))
    with pytest.raises(QueryError, match=r"no position 'tp' \(did you mean 'top'"):
        live.set_platform("lift", True, at="tp")


def test_a_step_up_to_a_platform_is_an_edge_while_it_is_absent():
    level = level_of(platform(10, 2, 16, 8, z=0.3))
    live = LiveLayout.from_level(level)
    assert_as_built(live, level)
    live.set_platform("bridge", True)
    assert_as_built(live, level)
    assert reachable(live.mesh, (1, 1), (25, 9))


def reached(live: LiveLayout, loss: Loss) -> float:
    """Return the largest x of the cells that a flood reaches."""
    return float(live.arrays.cell_xyz[Chase(live).predict(loss).warm, 0].max())


def test_a_chase_floods_over_a_bridge_only_while_it_is_there():
    live = LiveLayout.from_level(level_of(platform(10, 4, 16, 6)))
    loss = Loss(seen_at=(9.0, 5.0), heading=(1.0, 0.0), speed=4.0, seconds=3.0, guard_at=(2.0, 5.0))
    assert reached(live, loss) < 10.0
    live.set_platform("bridge", True)
    assert reached(live, loss) > 10.0


def test_a_platform_hides_what_is_below_and_a_gap_can_be_looked_across():
    level = Level.from_polygons(
        [corners(0, 0, 10, 10), corners(10, 0, 14, 10, z=-4.0), corners(14, 0, 20, 10)],
        platforms=(platform(10, 0, 14, 10),),
    )
    live = LiveLayout.from_level(level)
    across, below = ((5, 5, 1.6), (18, 5, 1.6)), ((9.5, 5, 3.0), (12, 5, -3.0))
    assert sees(live.sight, *across)
    assert sees(live.sight, *below)
    live.set_platform("bridge", True)
    assert sees(live.sight, *across)
    assert not sees(live.sight, *below)
    fresh = Sight.from_level(replace(level, platforms=(replace(level.platforms[0], present=True),)))
    assert all(np.array_equal(one, two) for one, two in zip(live.sight.arrays, fresh.arrays))


def test_platforms_of_tiles():
    tiles = Level.from_array(np.ones((4, 4)), platforms=(platform(4, 1, 8, 2),))
    live = LiveLayout.from_level(tiles)
    assert not reachable(live.mesh, (1, 1), (6, 1.5))
    live.set_platform("bridge", True)
    assert reachable(live.mesh, (1, 1), (6, 1.5))


def test_a_platform_too_close_above_floor_is_refused():
    with pytest.raises(BakeError, match=r"platform 'bridge' '' is 1 m above or below other floor"):
        LiveLayout.from_level(level_of(platform(5, 4, 12, 6, z=1.0)))


@pytest.mark.parametrize(
    ("platforms", "message"),
    [
        ([platform(10, 4, 16, 6, name="")], "the platform has no name"),
        ([platform(10, 4, 16, 6), platform(10, 6, 16, 8)], "are in position ''"),
        (
            [platform(10, 4, 16, 6, at="a", present=True), platform(10, 6, 16, 8, at="b", present=True)],
            "present in two positions",
        ),
        ([platform(10, 4, 10, 4)], "no area"),
    ],
)
def test_faults_of_platforms_are_named(platforms, message):
    with pytest.raises(LevelError, match=message):
        level_of(*platforms)


def test_a_mesh_takes_no_platforms():
    soup = TriangleSoup(np.array([(0, 0, 0), (9, 0, 0), (0, 9, 0)], np.float64), np.array([(0, 1, 2)], np.int32))
    level = Level(soup, platforms=(platform(9, 0, 12, 3),))
    with pytest.raises(InputError, match="platforms join floors and tiles"):
        build_navmesh(level)


def test_calls_that_name_no_platform_say_what_there_is():
    live = LiveLayout.from_level(level_of(platform(10, 4, 16, 6)))
    with pytest.raises(QueryError, match=r"no platform 'brigde' \(did you mean 'bridge'"):
        live.set_platform("brigde", True)
    with pytest.raises(QueryError, match="give 1 bools"):
        live.set_platforms([True, False])
    with pytest.raises(QueryError, match="has no platforms"):
        LiveLayout(live.layout).set_platform("bridge", True)


def test_a_level_with_platforms_is_written_and_read_again(tmp_path):
    level = level_of(platform(10, 4, 16, 6, at="down", present=True), platform(10, 4, 16, 6, at="up", z=4.0))
    level.write(tmp_path / "level.geojson")
    assert Level.read(tmp_path / "level.geojson") == level
