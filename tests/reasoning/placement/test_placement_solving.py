"""Searches in space and time: exact ones, random trees, and their agreement."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lastseen.errors import InputError
from lastseen.level.features import PatrolStop
from lastseen.level.level import Level
from lastseen.navmesh.query import faces_at, find_paths, raycasts
from lastseen.reasoning.placement.files.level_guards import PatrolRoute, patrol_placement
from lastseen.reasoning.placement.guard_routes import GuardKind, GuardRoute
from lastseen.reasoning.placement.placement_settings import VerifySettings
from lastseen.reasoning.placement.verify.sneak_ground import SneakGround
from lastseen.reasoning.placement.verify.solver import Question, search_exactly, search_with_trees
from lastseen.rng import generator
from oracles.space_time import respects, respects_on_floor, tile_level
from specimens.space_time import CORRIDOR, pacer

WALK = VerifySettings(seconds=40.0, step=1.0, speed=1.0)


@pytest.fixture(scope="module")
def corridor():
    return SneakGround(tile_level(CORRIDOR), cell=1.0)


@pytest.fixture(scope="module")
def warehouse():
    return SneakGround(Level.sample("warehouse"), cell=0.5)


def test_the_earliest_arrival_past_the_pacing_guard(corridor):
    free = search_exactly(Question.ask(corridor, [], (0.5, 0.5), (12.5, 0.5), WALK))
    assert (free.found, free.seconds) == (True, 12.0)
    assert free.path.tolist() == [[0.5, 0.5, 0.0, 0.0], [12.5, 0.5, 0.0, 12.0]]
    question = Question.ask(corridor, [pacer()], (0.5, 0.5), (12.5, 0.5), WALK)
    exact = search_exactly(question)
    assert exact.seconds == 13.0
    assert respects(question, exact.path)


def test_a_guard_who_looks_away_for_a_while_lets_pass(corridor):
    # Looks down into the corridor for 10 s, then up for 10 s: x = 8.5 is free from 10 s on (at 10 s it begins to turn).
    kind = replace(pacer().kind, speed=1.0)
    down, up, here = -math.pi / 2, math.pi / 2, (8.5, 3.5, 0.0)
    stops = (
        PatrolStop(here, "wait", seconds=10.0),
        PatrolStop(here, "turn", heading=up),
        PatrolStop(here, "wait", seconds=10.0),
        PatrolStop(here, "turn", heading=down),
    )
    guard = PatrolRoute(kind, [here], heading=down, stops=stops)
    question = Question.ask(corridor, [guard], (0.5, 0.5), (12.5, 0.5), WALK)
    assert search_exactly(question).seconds == 15.0  # x = 8.5 at 11 s, four more to x = 12.5


def test_where_nobody_passes_the_search_says_what_was_reached(corridor):
    guard = GuardRoute(replace(pacer().kind, speed=0.0), [(8.5, 3.5)], heading=-math.pi / 2)
    exact = search_exactly(Question.ask(corridor, [guard], (0.5, 0.5), (12.5, 0.5), WALK))
    assert not exact.found
    assert exact.seconds == math.inf
    reached = corridor.ways.xyz[exact.reached[: len(corridor.ways.xyz)]]
    assert reached[:, 0].max() < 8.5


def test_a_run_under_a_seed_is_always_the_same(warehouse):
    guards = patrol_placement(warehouse.level)
    start, goal = (1.5, 1.5), (20.5, 11.5)
    settings = VerifySettings(seed=5)
    question = Question.ask(warehouse, guards, start, goal, settings)
    again = Question.ask(warehouse, guards, start, goal, settings)
    one, same = search_with_trees(question, 3), search_with_trees(again, 3)
    assert one.found
    assert one.path.tobytes() == same.path.tobytes()
    assert one.path.tobytes() != search_with_trees(question, 4).path.tobytes()
    other = Question.ask(warehouse, guards, start, goal, replace(settings, seed=6))
    assert one.path.tobytes() != search_with_trees(other, 3).path.tobytes()


def test_ways_found_keep_to_walls_speed_and_shadow_and_both_solvers_agree(warehouse):
    """Check with random guards that the exact search finds what trees find, and earlier."""
    found = 0
    for seed in range(12):
        random = generator(seed, "guards for trees")
        places = warehouse.scattered(random.random((5, 3)), 0)
        kind = GuardKind("turning", 0.0, 7.0, 1.6, turn_speed=0.7, sweep=2 * math.pi)
        guards = [GuardRoute(kind, [place], phase=float(random.random() * 9)) for place in places[:3]]
        settings = VerifySettings(seconds=40.0, substeps=2, solver="both", trees=4, nodes=200)
        question = Question.make(warehouse, guards, places[3], places[4], settings)
        if question.start_seen():
            continue
        exact, trees = search_exactly(question), search_with_trees(question, seed)
        assert trees.samples == 200 * trees.trees
        if exact.found:
            assert respects(question, exact.path, substeps=2)
        if trees.found:
            found += 1
            assert respects(question, trees.path, substeps=2)
            assert exact.found
            assert exact.seconds <= trees.path[-1, 3] + 0.1
        else:
            assert trees.trees == 4
    assert found >= 6


@pytest.mark.parametrize("cell", [0.3, 0.5, 1.0])
def test_in_an_empty_hall_nobody_is_slower_than_it_is(cell):
    # 0.3 m cells at 2.5 m/s and 0.1 s: a cell takes 1.2 steps, and 20 m take 8 s all the same, in any direction.
    hall = SneakGround(tile_level(["." * 22] * 3), cell=cell)
    for start, goal in (((1.0, 1.5), (21.0, 1.5)), ((1.0, 0.3), (20.7, 2.9))):
        exact = search_exactly(Question.ask(hall, [], start, goal, VerifySettings(seconds=9.0)))
        assert exact.seconds == pytest.approx(math.dist(start, goal) / 2.5, abs=1e-6)
        assert len(exact.path) == 2


def test_without_guards_the_earliest_way_is_the_shortest(warehouse):
    random = generator(3, "ends")
    for _ in range(4):
        start, goal = warehouse.scattered(random.random((2, 3)), 0)
        question = Question.make(warehouse, [], start, goal, VerifySettings())
        shortest = float(find_paths(warehouse.mesh, start[None], goal[None]).length[0]) / 2.5
        exact = search_exactly(question)
        assert shortest - 1e-6 <= exact.seconds <= 1.005 * shortest
        assert respects(question, exact.path)


def test_random_trees_find_stairs():
    """Search from the street to the safe upstairs, which needs samples at bends (without them: 2 of 20 runs)."""
    house = SneakGround(Level.sample("house"))
    blind = GuardRoute(GuardKind("standing", 0.0, 0.05, 1.0), [(3.0, 3.0, 0.0)])
    way = house.level.paths[0].points_xyz
    question = Question.ask(house, [blind], way[0], way[-1], VerifySettings(trees=6))
    assert sum(search_with_trees(question, run).found for run in range(20)) >= 19


@pytest.mark.parametrize("smooth", [True, False])
def test_ways_on_storeys_are_unseen_and_no_faster_than_one_can_be_on_the_floor(smooth):
    """Check that players on unseen paths have their feet on the floor, also on stairs."""
    house = SneakGround(Level.sample("house"))
    way, found, off = house.level.paths[0].points_xyz, 0, []
    kind = GuardKind("turning", 0.0, 6.0, 1.6, turn_speed=0.9, sweep=2 * math.pi)
    for seed in range(12):
        random = generator(seed, "guards on storeys")
        places = house.scattered(random.random((4, 3)), house.settled(way[0], "start")[1])
        guards = [GuardRoute(kind, [place], phase=float(random.random() * 9)) for place in places]
        question = Question.make(house, guards, way[0], way[-1], VerifySettings(trees=4, smooth=smooth, seed=seed))
        for run in range(0 if question.start_seen() else 2):
            told = search_with_trees(question, run)
            if told.found:
                unseen, fastest, away = respects_on_floor(question, told.path)
                assert unseen
                assert fastest <= question.settings.speed * 1.001
                off.append(away)
                found += 1
    assert found >= 4
    assert max(off) <= 0.2, "the floor is 0.1 m away at most once a metre"


def test_bends_join_start_and_goal_on_straight_ways():
    house = SneakGround(Level.sample("house"))
    way = house.level.paths[0].points_xyz
    start, goal = house.settled(way[0], "start")[0], house.settled(way[-1], "goal")[0]
    bends, sees = house.bends_between(start, goal)
    assert bends[0].tolist() == start.tolist()
    assert (faces_at(house.mesh, bends) >= 0).all()
    one, other = np.nonzero(sees)
    assert raycasts(house.mesh, bends[one], bends[other]).reached.all()
    assert (sees == sees.T).all()
    assert {(round(y, 3), round(z, 3)) for _, y, z in bends.tolist()} >= {(-3.0, -0.6), (0.0, 0.0), (4.5, 0.0)}, (
        "the foot of the ramp, its top and the foot of the stairs"
    )
    reached, ends = {0}, raycasts(house.mesh, bends, np.broadcast_to(goal, bends.shape)).reached
    for _ in bends:
        reached |= {int(bend) for here in reached for bend in np.flatnonzero(sees[here])}
    assert ends[sorted(reached)].any()
    assert house.bends_between(start, goal)[0] is bends


def test_stairs_are_walked_by_both():
    house = SneakGround(Level.sample("house"))
    upstairs = house.layout.arrays.cell_xyz[house.layout.arrays.cell_xyz[:, 2] > 2.9][0].astype(np.float64)
    question = Question.ask(house, [], (3.0, 3.0), upstairs, VerifySettings(seconds=60.0))
    exact, trees = search_exactly(question), search_with_trees(question, 0)
    assert exact.path[-1, 2] > 2.9
    assert respects(question, exact.path)
    assert trees.found
    assert respects(question, trees.path)


def test_start_and_goal_are_checked(corridor):
    with pytest.raises(InputError, match=r"the start \(3.5, 5\) is off the floor; .* 4 m away at \(3.5, 1\)"):
        Question.ask(corridor, [], (3.5, 5.0), (12.5, 0.5), WALK)
    with pytest.raises(InputError, match=r"the goal .* is off the floor"):
        Question.ask(corridor, [], (0.5, 0.5), (99.0, 0.5), WALK)
    guard = GuardRoute(replace(pacer().kind, speed=0.0, name="standing"), [(2.5, 0.5)], heading=math.pi, name="Bob")
    with pytest.raises(InputError, match=r"start \(0.5, 0.5\) is in the view of guard 1 'Bob' \(standing\) at time 0"):
        Question.ask(corridor, [guard], (0.5, 0.5), (12.5, 0.5), WALK)
    pieces = SneakGround(tile_level(["..#..", "..#.."]))
    with pytest.raises(InputError, match=r"the floor is in 2 pieces, and the start .* are on two of them"):
        Question.ask(pieces, [], (0.5, 0.5), (4.5, 0.5), WALK)
    with pytest.raises(InputError, match=r"level is 'house'; call Level\.read\(path\), .* or Level\.sample"):
        SneakGround("house")


def test_a_body_with_a_radius_is_moved_off_the_wall_a_little():
    ground = SneakGround(Level.sample("house"), radius=0.3)
    place, _ = ground.settled((3.0, 3.0), "start")
    assert place[:2].tolist() == [3.0, 3.0]
    low = ground.mesh.bounds_xyz[0]
    moved, _ = ground.settled((low[0] - 0.25, 3.0), "start")
    assert moved[0] == pytest.approx(low[0])
    with pytest.raises(InputError, match=r"radius 0.3 m"):
        ground.settled((low[0] - 0.6, 3.0), "start")


def test_scattered_places_are_even_and_on_the_floor(warehouse):
    places = warehouse.scattered(generator(1, "scatter").random((4000, 3)), 0)
    assert (faces_at(warehouse.mesh, places) >= 0).all()
    area = warehouse.mesh.face_area
    share = np.bincount(faces_at(warehouse.mesh, places), minlength=len(area)) / 4000
    assert np.abs(share - area / area.sum()).max() < 0.03


def test_an_exact_search_that_is_too_large_is_refused(warehouse, monkeypatch):
    monkeypatch.setattr("lastseen.reasoning.placement.verify.solver.MOST_STAYS", 1000)
    question = Question.ask(warehouse, [], (1.5, 1.5), (20.5, 11.5), VerifySettings())
    with pytest.raises(InputError, match="is too large; use larger cells"):
        search_exactly(question)
