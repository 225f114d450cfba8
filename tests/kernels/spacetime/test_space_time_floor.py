"""Straight ways on the floor: which are even, how long they take, who sees one there, and where the floor bends."""

import math

import numpy as np
import pytest

from lastseen.kernels.spacetime.space_time_floor import AskArrays, even_part, look_on_floor, metres_straight, ray_room
from lastseen.kernels.spacetime.space_time_lines import floor_bends, straight_pairs
from lastseen.level.level import Level
from lastseen.navmesh.query import face_at, raycasts
from lastseen.reasoning.placement.detection import GuardViews
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.rng import generator
from oracles.space_time import feet_on_floor, tile_level
from specimens.cells import faces_mesh

# The stairs of the house lead from y = 4.5 on the ground floor up to y = 8.5 at 3 m, x = 5 to 6.4.
BELOW, FOOT, TOP = (5.7, 2.5, 0.0), (5.7, 4.5, 0.0), (5.7, 8.5, 3.0)


@pytest.fixture(scope="module")
def house():
    return SneakGround(Level.sample("house"))


def asked(ground):
    agent = ground.mesh.body
    pace, steps = np.array([1.0, 1.0, agent.height, agent.climb]), np.zeros(4, np.int64)
    return AskArrays(np.zeros((2, 3)), np.zeros(2, np.int32), pace, steps, ground.flat)


def metres(ground, start, end):
    return metres_straight(ground.mesh.arrays, asked(ground), ray_room(), start, face_at(ground.mesh, start), end)


def test_a_way_over_the_foot_of_stairs_is_not_straight(house):
    assert not house.flat
    assert metres(house, FOOT, TOP) == pytest.approx(5.0)
    assert metres(house, BELOW, FOOT) == pytest.approx(2.0)
    assert metres(house, BELOW, TOP) == -1.0
    assert metres(house, (3.0, 3.0, 0.0), (12.0, 3.0, 0.0)) == -1.0  # walls


def test_the_steepest_part_of_a_short_way_tells_its_time(house):
    # 0.8 m in plan, half of it on stairs that rise 0.75 m a metre: gone evenly, all of it takes as long as stairs do.
    assert metres(house, (5.7, 4.1, 0.0), (5.7, 4.9, 0.3)) == pytest.approx(0.8 * 1.25)


def test_a_flat_floor_is_one_height():
    hall = SneakGround(tile_level(["....", "...."]))
    assert hall.flat
    assert metres(hall, (0.5, 0.5, 0.0), (3.5, 0.5, 0.0)) == 3.0


def test_ways_end_where_the_floor_bends(house):
    mesh, ask, ray = house.mesh, asked(house), ray_room()
    stop = even_part(mesh.arrays, ask, ray, BELOW, face_at(mesh, BELOW), TOP)
    assert stop == pytest.approx(FOOT)
    # From the foot itself, whichever face it is taken to be on, it goes on to the next bend.
    beyond = (5.7, 9.0, 3.0)
    assert even_part(mesh.arrays, ask, ray, stop, int(ray.stop[0]), beyond) == pytest.approx(TOP)
    found = np.empty((8, 3))
    count = floor_bends(mesh.arrays, ask, np.array([BELOW, beyond]), found)
    np.testing.assert_allclose(found[:count], [FOOT, TOP], atol=1e-9)
    assert floor_bends(mesh.arrays, ask, np.array([BELOW, FOOT]), found) == 0


def test_one_is_looked_for_on_the_floor_not_on_the_line(house):
    # Somebody goes from below over the foot of the stairs to y = 5.5: the line is 0.33 m above the floor at the foot.
    # Another stands upstairs of it all; what it sees is asked for one moment after another.
    start, end = BELOW, (5.7, 5.5, 0.75)
    mesh, ask = house.mesh, asked(house)
    differ = 0
    for seed in range(25):
        random = generator(seed, "looks on stairs").random(4)
        place = house.scattered(random[None, :3], face_at(mesh, start))[0]
        guard = GuardRoute(GuardKind("standing", 0.0, 12.0, 2 * math.pi, eye_height=1.0 + random[3]), [place])
        views = GuardViews(house.sight, [guard], seconds=3.0, step=0.1)
        face = face_at(mesh, start)
        found = look_on_floor(
            house.sight.arrays, views.arrays, mesh.arrays, ask, ray_room(), face, 0.0, 30.0, start, end
        )
        path = np.array([(*start, 0.0), (*end, 3.0)])
        when, feet = feet_on_floor(mesh, path, 0.1)
        hits = np.flatnonzero(views.seen(feet[1:], when[1:]) >= 0)
        assert found == ((int(hits[0]) + 1, 0) if len(hits) else (-1, -1))
        line = views.first_seen(path)
        differ += (round(line.seconds / 0.1) if line else -1) not in (found[0], 0)
    assert differ, "no look tells line and floor apart"


def test_straight_pairs_are_walkable_and_on_the_floor(house):
    mesh = house.mesh
    points = house.scattered(generator(2, "pairs").random((24, 3)), face_at(mesh, BELOW))
    sees = np.empty((24, 24), np.uint8)
    straight_pairs(mesh.arrays, asked(house), points, sees)
    assert (sees == sees.T).all()
    one, other = np.nonzero(sees)
    assert len(one) > 20
    assert raycasts(mesh, points[one], points[other]).reached.all()
    for i, j in zip(one, other):
        length = math.dist(points[i], points[j])
        _, feet = feet_on_floor(mesh, np.array([(*points[i], 0.0), (*points[j], 1.0)]), 1.0 / math.ceil(length))
        line = np.linspace(points[i], points[j], len(feet))
        assert np.abs(feet - line)[:, 2].max() <= 0.1 + 1e-6


def roof(seed):
    """Return the mesh of two slopes that meet askew, the height of the floor, the way across, and a generator."""
    rng = np.random.default_rng(seed)
    turn = rng.uniform(0.0, math.tau)
    along, across = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    rise, one, other = rng.uniform(-0.1, 0.1), rng.uniform(-0.5, -0.1), rng.uniform(0.1, 0.5)

    def floor(xy):
        aside = across @ xy
        return rise * (along @ xy) + (one if aside > 0.0 else other) * aside

    def quad(*places):
        corners = [u * along + v * across for u, v in places]
        return [(*xy, floor(xy)) for xy in corners]

    mesh = faces_mesh(quad((-9, 0), (9, 0), (9, 9), (-9, 9)), quad((-9, -9), (9, -9), (9, 0), (-9, 0)))
    return mesh, floor, across, rng


@pytest.mark.parametrize("seed", range(12))
def test_the_steeper_side_of_a_roof_sets_the_pace_and_the_ridge_divides_a_walk(seed):
    mesh, floor, across, rng = roof(seed)
    pace = np.array([1.0, 1.0, mesh.body.height, mesh.body.climb])
    ask = AskArrays(np.zeros((2, 3)), np.zeros(2, np.int32), pace, np.zeros(4, np.int64), False)
    met = 0
    for one, other in rng.uniform(-5.0, 5.0, (25, 2, 2)):
        start, end = (np.array([*xy, floor(xy)]) for xy in (one, other))
        aside, flat, ray, face = across @ one, math.dist(one, other), ray_room(), face_at(mesh, start)
        asked = mesh.arrays, ask, ray, tuple(start), face, tuple(end)
        if aside * (across @ other) > 0.0:
            assert even_part(*asked) == pytest.approx(tuple(end), abs=1e-9)
            assert metres_straight(*asked) == pytest.approx(math.dist(start, end))
            continue
        share, samples = aside / (aside - across @ other), math.ceil(flat)
        ridge = one + share * (other - one)
        ridge = np.array([*ridge, floor(ridge)])
        line = [start + k / samples * (end - start) for k in range(samples)]
        before, after = (ridge[2] - start[2]) / share, (end[2] - ridge[2]) / (1.0 - share)
        expected = math.hypot(flat, max(abs(before), abs(after)))
        is_even = max(abs(floor(place[:2]) - place[2]) for place in line) < 0.1
        assert metres_straight(*asked) == pytest.approx(expected if is_even else -1.0)
        # A ridge is found where the floor is off the first slope by a centimetre at the next of four places a metre.
        beyond = math.ceil(share * 4 * samples) / (4 * samples) - share
        if abs(before - after) * beyond > 0.011 and share * flat > 0.06:
            met += 1
            assert even_part(*asked) == pytest.approx(tuple(ridge), abs=1e-6)
    assert met
