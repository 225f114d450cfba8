"""Sight past crates that stand askew, off the origin: every look as a slow one through shapes, or without a grid."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
import shapely

from lastseen.kernels.sight.exposure import cover_from_eyes, cover_from_ways, seen_cells
from lastseen.kernels.sight.sight_area import view_outline
from lastseen.kernels.sight.sight_grid import wall_crossings
from lastseen.kernels.sight.sight_trace import first_hits, trace
from lastseen.level.features import Obstacle
from oracles.sight import is_clear, without_grid
from specimens.perception import hall, sight_of

WIDTH, DEPTH = 24, 17


@cache
def crates(seed: int):
    """Return the sight of a hall with six crates, some of which cross, and its solids."""
    random = np.random.default_rng(seed)
    corners, heights = [], random.uniform(0.5, 3.0, 6).round(2)
    for _ in heights:
        turn, (x, y), size = random.uniform(0.0, 6.0), random.uniform(3.0, (21.0, 14.0)), random.uniform(0.4, 2.2, 2)
        square = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * size
        turned = square @ np.array([(math.cos(turn), math.sin(turn)), (-math.sin(turn), math.cos(turn))])
        corners.append(turned + np.array([x, y]))
    obstacles = [Obstacle(each, height=float(height)) for each, height in zip(corners, heights)]
    around = shapely.box(-9, -9, WIDTH + 9, DEPTH + 9) - shapely.box(0, 0, WIDTH, DEPTH)
    solids = [(shapely.Polygon(each), 0.0, float(height)) for each, height in zip(corners, heights)]
    return sight_of(hall(obstacles=obstacles, width=WIDTH, depth=DEPTH)), [*solids, (around, 0.0, 3.0)]


def places(seed: int, count: int, solids) -> np.ndarray:
    """Return points outside of crates."""
    random = np.random.default_rng(seed)
    points = random.uniform((0.5, 0.5, 0.1), (WIDTH - 0.5, DEPTH - 0.5, 2.4), (9 * count, 3))
    free = [not any(shape.buffer(0.05).contains(shapely.Point(x, y)) for shape, _, _ in solids) for x, y, _ in points]
    return points[free][:count]


@pytest.mark.parametrize("seed", range(6))
def test_how_far_a_look_goes_does_not_depend_on_the_grid(seed):
    sight, _ = crates(seed)
    random = np.random.default_rng(seed + 50)
    eyes, points = random.uniform(-6.0, 30.0, (2, 80, 3)) * (1.0, 1.0, 0.1)
    points[:20, 0], points[20:40, 1] = eyes[:20, 0], eyes[20:40, 1]  # along an axis, either way
    share, slow = np.empty(80), np.empty(80)
    first_hits(sight, eyes, points, share)
    first_hits(without_grid(sight), eyes, points, slow)
    assert share == pytest.approx(slow, abs=1e-12)
    assert 0.0 < share.min() < share.max() == 1.0
    one = without_grid(sight)
    for eye, step in zip(eyes[::4], (points - eyes)[::4]):
        shares = [trace(each, tuple(eye), tuple(step)) for each in (sight, one)]
        assert np.minimum(shares[0], 1.0) == pytest.approx(np.minimum(shares[1], 1.0), abs=1e-12)


@pytest.mark.parametrize("degrees", [40.0, 110.0, 250.0, 360.0])
@pytest.mark.parametrize("seed", range(3))
def test_the_outline_holds_what_a_slow_look_sees(seed, degrees):
    sight, solids = crates(seed)
    random = np.random.default_rng(seed)
    eye = places(seed + 9, 1, solids)[0]
    heading, half, distance = float(random.uniform(-3.0, 3.0)), math.radians(degrees) / 2.0, float(random.uniform(4, 9))
    crossing = np.zeros((64, 4))
    crossing = crossing[: wall_crossings(sight, crossing)]
    seen = np.zeros(len(sight.wall) + len(sight.triangle), np.uint32)
    outline = shapely.Polygon(
        view_outline(sight, crossing, seen, 1, tuple(eye), heading, 2.0 * half, distance, math.radians(2.0))
    )
    assert outline.is_valid
    angle, away = random.uniform(-math.pi, math.pi, 150), random.uniform(0.1, 1.1, 150) * distance
    for turn, metres in zip(angle, away):
        point = eye + metres * np.array([math.cos(heading + turn), math.sin(heading + turn), 0.0])
        if outline.exterior.distance(shapely.Point(point)) > 0.003 * distance:
            expected = metres < distance and abs(turn) < half and is_clear(solids, eye, point)
            assert outline.contains(shapely.Point(point)) == expected


@pytest.mark.parametrize("seed", range(6))
def test_walls_cross_where_their_lines_do_and_as_high_as_both(seed):
    sight, solids = crates(seed)
    found = np.zeros((200, 4))
    count = wall_crossings(sight, found)
    assert wall_crossings(sight, found[:1].copy()) == count
    expected = set()
    for n, (one, _, high) in enumerate(solids[:-1]):
        for other, _, top in solids[n + 1 : -1]:
            for x, y in shapely.get_coordinates(one.exterior.intersection(other.exterior)):
                expected.add((round(x, 6), round(y, 6), 0.0, round(min(high, top), 6)))
    assert {tuple(row) for row in found[:count].round(6).tolist()} == expected


@pytest.mark.parametrize("seed", range(4))
def test_cover_is_the_share_of_slow_looks_that_end(seed):
    sight, solids = crates(seed)
    feet, eyes = places(seed, 3, solids), places(seed + 99, 4, solids)
    feet[:, 2] = 0.0
    heights, fan = np.array([0.3, 1.1, 1.7]), np.array([-0.3, 0.1, 0.6])
    turn = np.array([0.4, 2.9, 4.4])
    ways, reach = np.column_stack([np.cos(turn), np.sin(turn)]), 6.0
    out = np.full((3, 3), np.nan)
    cover_from_ways(sight, feet, ways, heights, fan, reach, out)
    for i, d in np.ndindex(3, 3):
        starts = [feet[i] + (0.0, 0.0, height) for height in heights]
        steps = [reach * np.array([math.cos(turn[d] + more), math.sin(turn[d] + more), 0.0]) for more in fan]
        looks = [is_clear(solids, start, start + step) for start in starts for step in steps]
        assert out[i, d] == pytest.approx(1.0 - np.mean(looks))
    out = np.full((3, 4), np.nan)
    cover_from_eyes(sight, feet, eyes, heights, out)
    for i, m in np.ndindex(3, 4):
        looks = [is_clear(solids, eyes[m], feet[i] + (0.0, 0.0, height)) for height in heights]
        assert out[i, m] == pytest.approx(1.0 - np.mean(looks))


@pytest.mark.parametrize("seed", range(4))
def test_of_the_cells_given_those_within_the_angle_and_in_sight_are_kept(seed):
    sight, solids = crates(seed)
    cells, eyes = places(seed, 30, solids), places(seed + 7, 3, solids)
    cells[:, 2] *= 0.2
    turn, cosine = np.array([0.7, -2.2, 0.0]), np.array([0.6, -0.4, -1.0])
    facing = np.column_stack([np.cos(turn), np.sin(turn)])
    start, cell = np.array([0, 25, 45, 60]), np.concatenate([np.arange(25), np.arange(10, 30), np.arange(5, 20)])
    expected = [
        [
            c
            for c in cell[start[n] : start[n + 1]].tolist()
            if (cells[c, :2] - eyes[n, :2]) @ facing[n] >= cosine[n] * math.dist(cells[c, :2], eyes[n, :2])
            and is_clear(solids, eyes[n], cells[c] + (0.0, 0.0, 1.2))
        ]
        for n in range(3)
    ]
    kept, seen = np.full(4, -1), cell.astype(np.uint32)
    count = seen_cells(sight, cells, eyes, facing, cosine, 1.2, start, seen, kept)
    assert kept.tolist() == [0, *np.cumsum([len(each) for each in expected]).tolist()]
    assert count == kept[-1]
    assert seen[:count].tolist() == [c for each in expected for c in each]
