"""Guards placed on levels: lines of sight, costs of edges, walks within costs, coverage, and what is refused."""

from __future__ import annotations

import math
from dataclasses import replace
from itertools import pairwise

import numpy as np
import pytest
import shapely
from hypothesis import given, settings
from hypothesis import strategies as st

from lastseen.errors import InputError
from lastseen.kernels.placement.closed_walk import costs_home
from lastseen.level.features import Door
from lastseen.level.level import Floor, Floors, Level
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.reasoning.placement.coverage import Watch, path_samples
from lastseen.reasoning.placement.guard_ground import GuardGround
from lastseen.reasoning.placement.guard_routes import KINDS, GuardKind, GuardRoute
from lastseen.reasoning.placement.place import candidates
from lastseen.reasoning.placement.place.candidates import Lengths, Walk, Walker
from lastseen.reasoning.placement.place.partition import Partition, partition
from lastseen.reasoning.placement.place.place import GuardPlanner, place_guards
from lastseen.reasoning.placement.place.sight_graph import closeness, graph_of, sight_graph
from lastseen.reasoning.placement.placement_settings import PACKINGS, PlacementSettings
from oracles.placement import box, hall

CRATE = (5, 4, 7, 6)
LEVEL = hall(12, 10, CRATE)
PATH = [(0.5, 0.5), (11.5, 0.5)]
KIND = GuardKind(view_distance=4.0, passive=0.5)
QUICK = PlacementSettings(candidates=6)


def places(level: Level, centres, radius: float = 0.4) -> Partition:
    count = len(centres)
    xyz = np.column_stack([np.array(centres, float), np.zeros(count)])
    return Partition(xyz, np.full(count, radius), np.zeros(count, int), level, "voronoi", radius, radius, 0.5)


@pytest.fixture(scope="module")
def planner() -> GuardPlanner:
    return GuardPlanner(LEVEL, PATH, kinds=KIND, settings=QUICK)


def test_edges_join_those_who_see_each_other():
    """Connect four corners around a crate: along its sides, not across its diagonals."""
    ground = GuardGround(LEVEL, PATH)
    graph = sight_graph(ground, places(LEVEL, [(2, 2), (10, 2), (10, 8), (2, 8)]))
    assert graph.pairs.tolist() == [[0, 1], [0, 3], [1, 2], [2, 3]]
    assert graph.length.tolist() == [8.0, 6.0, 6.0, 8.0]
    assert graph.degree.tolist() == [2, 2, 2, 2]


def test_who_can_be_seen_but_not_walked_to_is_no_neighbour():
    """Check that guards see over low cover but not through a closed door."""
    low = replace(LEVEL, obstacles=(), cover=(replace(LEVEL.obstacles[0], height=0.8),))
    centres = [(2, 5), (10, 5), (10, 9.5)]
    assert sees(GuardGround(low, PATH).sight, (2, 5, 1.6), (10, 5, 1.6)).all()
    assert sight_graph(GuardGround(low, PATH), places(low, centres)).pairs.tolist() == [[0, 2], [1, 2]]
    shut = replace(LEVEL, obstacles=(), doors=(Door(box(*CRATE), open=False),))
    assert sight_graph(GuardGround(shut, PATH), places(shut, centres)).pairs.tolist() == [[0, 2], [1, 2]]


@settings(max_examples=10)
@given(st.integers(0, 50))
def test_edges_are_the_lines_shapely_finds_free(seed):
    """Check that routes of a body without radius stay within the plan of one storey."""
    ground = GuardGround(LEVEL, PATH, body=0.0)
    found = partition(ground, 0.7, 2.0, seed=seed)
    graph = sight_graph(ground, found)
    shape = ground.storeys[0].shape.buffer(1e-9)
    free = [
        [one, other]
        for one in range(len(found))
        for other in range(one + 1, len(found))
        if shape.covers(shapely.LineString(found.centres[[one, other], :2]))
    ]
    assert graph.pairs.tolist() == free


def test_closeness_falls_evenly():
    lines = np.array([(0, 1, 0, 4, 1, 0), (2, -1, 0, 2, 1, 0), (0, 4, 0, 4, 5, 0), (0, 9, 0, 1, 9, 0)], float)
    assert closeness(lines, [(0, 0), (4, 0)], 5.0).tolist() == [pytest.approx(0.8), 1.0, pytest.approx(0.2), 0.0]


def square_walker(**changes) -> Walker:
    """Return a planner with four corners and a path along the lower side; lengths are in metres."""
    given = {"path_cost": 100.0, "guard_cost": 10.0, "drop_off": 4.0, "least": 10.0, "most": 30.0, "raw": True}
    setting = PlacementSettings(**(given | changes))
    ground = GuardGround(LEVEL, [(1, 2), (11, 2)])
    graph = sight_graph(ground, places(LEVEL, [(2, 2), (10, 2), (10, 8), (2, 8)]))
    return Walker(ground, graph, setting)


def test_ways_near_the_path_cost_more():
    """Check edges on the path, touching it at the left and right, and 6 m away above."""
    walker = square_walker()
    assert walker.weight.tolist() == [108.0, 106.0, 106.0, 8.0]
    assert walker.rent.tolist() == [100.0, 100.0, 0.0, 0.0]
    assert square_walker(drop_off=12.0).weight.tolist() == [108.0, 106.0, 106.0, 58.0]


def test_only_the_side_away_from_the_path_is_walked():
    walker, random = square_walker(), np.random.default_rng(0)
    for _ in range(20):
        walk = walker.walk(random)
        assert set(walk.nodes.tolist()) == {2, 3}
        assert walk.cost == 16.0


def test_where_every_way_is_too_near_the_path_it_is_said_what_to_change():
    """Check the advice: the cheapest edge is the upper side, 8 m plus half of the path cost; 116 m there and back."""
    dear, random = {"drop_off": 12.0, "attempts": 20}, np.random.default_rng(0)
    words = "the cheapest round trip costs 116 m: lower the path cost from 100 to 14, or raise most to 120"
    with pytest.raises(InputError, match=words):
        square_walker(**dear).walk(random)
    assert square_walker(**dear, most=120.0).walk(random).cost == 116.0
    assert square_walker(**dear, path_cost=14.0).walk(random).cost == 30.0
    walker = square_walker(**dear, path_cost=0.0, least=1.0, most=5.0)
    with pytest.raises(InputError, match=r"costs 12 m: raise most to 12$"):
        walker.walk(random)
    walker.add_guard(Walk(np.array([0, 1, 2, 3], np.int32), 28.0))
    with pytest.raises(InputError, match=r"costs 32 m: raise most to 32, or use fewer guards$"):
        walker.walk(random)


def test_a_guard_makes_ways_near_it_dearer():
    walker = square_walker(path_cost=0.0)
    assert walker.weight.tolist() == [8.0, 6.0, 6.0, 8.0]
    walker.add_guard(Walk(np.array([2, 3], np.int32), 16.0))
    assert walker.weight.tolist() == [8.0, 16.0, 16.0, 18.0]
    walker.forget()
    assert walker.weight.tolist() == [8.0, 6.0, 6.0, 8.0]
    flat = square_walker(path_cost=0.0, guard_term="flat")
    flat.add_guard(Walk(np.array([2, 3], np.int32), 16.0))
    assert flat.weight.tolist() == [8.0, 6.0, 6.0, 18.0]
    flat.add_guard(Walk(np.array([0, 1, 2, 3], np.int32), 28.0))
    assert flat.weight.tolist() == [18.0, 16.0, 16.0, 28.0]


def test_lengths_are_in_units_of_the_level_unless_raw():
    assert Lengths.of(PlacementSettings(least=0.5, most=2.0), 144.0).most == 24.0
    assert Lengths.of(PlacementSettings(least=0.5, most=2.0, raw=True), 144.0).most == 2.0


def test_a_level_twice_as_large_gets_the_same_guards_twice_as_large():
    """Check that normalised settings mean the same at any scale, with views and bodies scaled too."""
    small = place_guards(LEVEL, PATH, 3, kinds=KIND, settings=QUICK, seed=4)
    twice = hall(24, 20, tuple(2 * c for c in CRATE))
    kind = replace(KIND, view_distance=8.0, passive=1.0, speed=3.0, eye_height=1.6)
    large = place_guards(twice, 2 * np.array(PATH), 3, kinds=kind, settings=replace(QUICK, body=0.6), seed=4)
    for one, other in zip(small.routes, large.routes):
        np.testing.assert_allclose(2 * one.points, other.points, atol=1e-6)


@settings(max_examples=8)
@given(st.integers(0, 1000), st.sampled_from(["linear", "flat"]), st.booleans())
def test_walks_stay_within_their_costs_and_on_the_floor(planner, seed, term, together):
    setting = replace(QUICK, guard_term=term, together=together)
    walker = Walker(planner.ground, planner.graph, setting)
    random = np.random.default_rng(seed)
    pairs = {tuple(pair): number for number, pair in enumerate(planner.graph.pairs.tolist())}
    for _ in range(3):
        walk, route = walker.draw(KIND, random)
        lengths = walker.lengths
        assert lengths.least <= walk.cost <= lengths.most
        used = [pairs[min(step), max(step)] for step in pairwise([*walk.nodes.tolist(), int(walk.nodes[0])])]
        assert walk.cost == pytest.approx(walker.weight[used].sum())
        assert route.length <= walk.cost + 1e-9
        ends = np.roll(route.points, -1, axis=0)
        assert planner.ground.walkable(route.points, ends).all()
        walker.add_guard(walk)


def test_the_same_seed_places_the_same_guards(planner):
    one, same, other = planner.place(2, seed=5), planner.place(2, seed=5), planner.place(2, seed=6)
    anew = place_guards(LEVEL, PATH, 2, kinds=KIND, settings=QUICK, seed=0)
    again = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=QUICK).place(2)
    assert anew.coverage == again.coverage
    for a, b in zip(one.routes, same.routes, strict=True):
        assert np.array_equal(a.points, b.points)
        assert a.phase == b.phase
    assert not all(np.array_equal(a.points, b.points) for a, b in zip(one.routes, other.routes))
    assert [route.name for route in one.routes] == ["guard 1", "guard 2"]


def test_a_high_path_cost_keeps_guards_off_the_path_and_none_does_not(planner):
    """Check the source's guarantee on many seeds."""
    for together in (False, True):
        high = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=replace(QUICK, path_cost=50.0, together=together))
        free = GuardPlanner(
            LEVEL, PATH, kinds=KIND, settings=replace(QUICK, path_cost=0.0, spare_path=0.0, together=together)
        )
        near = {"high": math.inf, "free": math.inf}
        for name, one in (("high", high), ("free", free)):
            for seed in range(5):
                for route in one.place(2, seed=seed).routes:
                    line = shapely.LineString(np.concatenate([route.points, route.points[:1]])[:, :2])
                    near[name] = min(near[name], line.distance(shapely.LineString(PATH)))
        drop_off = 0.15 * math.sqrt(high.ground.area)
        # An edge this near costs more than the maximum of a walk.
        assert near["high"] > drop_off * (1.0 - 2.0 / 50.0)
        assert near["free"] < 0.75 * drop_off


def test_together_they_see_more_than_one_by_one():
    """Compare averages over seeds, without a penalty for seeing the path."""
    seen = []
    for together in (True, False):
        setting = replace(QUICK, together=together, spare_path=0.0, path_cost=0.0, drop_off=0.001, candidates=12)
        one = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=setting)
        seen.append(np.mean([one.place(3, seed=seed).coverage.mean for seed in range(4)]))
    assert seen[0] > 1.1 * seen[1]


def test_sparing_the_path_is_a_trade():
    of_path = []
    for spare in (0.0, 10.0):
        setting = replace(QUICK, spare_path=spare, path_cost=0.0, candidates=12)
        one = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=setting)
        of_path.append(np.mean([one.place(3, seed=seed).coverage.path for seed in range(3)]))
    assert of_path[1] < of_path[0]


def test_guards_who_see_nothing_are_told_of():
    short = replace(KIND, view_distance=1e-4, passive=0.4)
    found = place_guards(LEVEL, PATH, 1, kinds=short, settings=QUICK)
    assert found.coverage.ever == 0.0
    assert found.notes == ("no guard sees any of 596 places on the floor: views reach 0.0001 m; give a longer view",)


def test_coverage_by_hand():
    """Check that a guard in a corner of an empty hall with a full view sees all of it; a narrow view sees its share."""
    ground = GuardGround(hall(8, 8), [(1, 1), (7, 1)])
    watch = Watch(ground)
    assert len(watch.places) == pytest.approx(600, rel=0.1)
    everything = GuardKind("standing", speed=0.0, view_distance=20.0, view_angle=2 * math.pi)
    assert watch.coverage([GuardRoute(everything, [(1, 1)])]) == replace(
        watch.coverage([]), ever=1.0, mean=pytest.approx(1.0), path=pytest.approx(1.0)
    )
    half = GuardRoute(replace(everything, view_angle=math.pi), [(4, 4)], heading=math.pi / 2)
    seen = watch.coverage([half])
    assert seen.mean == pytest.approx(0.5, abs=0.05)
    assert seen.path == 0.0
    turning = GuardRoute(replace(KINDS["turning"], view_distance=20.0, view_angle=math.pi / 2), [(4, 4)])
    assert watch.coverage([turning]).ever == 1.0
    assert watch.coverage([turning]).mean == pytest.approx(0.25, abs=0.02)
    assert watch.coverage([turning, half]).mean == pytest.approx(1 - 0.75 * 0.5, abs=0.05)
    assert watch.coverage([]).ever == 0.0


def test_samples_of_a_path_are_close_and_hold_its_corners():
    found = path_samples(np.array([(0, 0, 0), (3, 0, 0), (3, 0.5, 0)]), 1.0)
    assert found.tolist() == [[0, 0, 0], [1, 0, 0], [2, 0, 0], [3, 0, 0], [3, 0.5, 0]]


def test_kinds_take_turns_and_those_who_stay_stay_apart():
    placement = place_guards(LEVEL, PATH, 5, kinds=["camera", KIND, "standing"], settings=replace(QUICK, body=0.2))
    assert [route.kind.name for route in placement.routes] == ["camera", "walking", "standing", "camera", "walking"]
    assert [route.stays for route in placement.routes] == [True, False, True, True, False]
    spots = {tuple(route.points[0].tolist()) for route in placement.routes if route.stays}
    assert len(spots) == 3


def test_those_who_stay_may_take_every_place_there_is():
    """Check with one candidate each, and as many guards as places, that no guard gets a place that is taken."""
    kind = GuardKind("standing", speed=0.0, view_distance=2.0, view_angle=math.pi, passive=1.2)
    setting = PlacementSettings(candidates=1, path_cost=0.0)
    planner = GuardPlanner(hall(7, 5), [(0.5, 0.5), (6.5, 0.5)], kinds=kind, settings=setting)
    count = len(planner.partition)
    assert 2 <= count <= 12
    spots = {tuple(route.points[0].tolist()) for route in planner.place(count).routes}
    assert len(spots) == count


@pytest.mark.parametrize("together", [True, False])
def test_one_who_stays_does_not_face_the_wall(together):
    kind = GuardKind("standing", speed=0.0, view_distance=6.0, view_angle=math.pi / 3, passive=1.0)
    found = place_guards(hall(12, 10), PATH, 1, kinds=kind, settings=replace(QUICK, together=together, path_cost=0.0))
    assert found.coverage.mean > 0.06


def test_a_check_turns_placements_down_until_one_passes(planner):
    asked = []

    def third(routes):
        asked.append(routes)
        return len(asked) == 3

    found = planner.place(2, seed=1, check=third)
    assert found.passed is True
    assert found.notes == ("2 placements were rejected by the check before this one",)
    assert all(np.array_equal(a.points, b.points) for a, b in zip(found.routes, asked[2]))
    assert planner.place(2, seed=1).passed is None


def test_a_check_nothing_passes_is_told(planner):
    planner, told = GuardPlanner(LEVEL, PATH, kinds=KIND, settings=replace(QUICK, redraws=3, together=False)), []
    found = planner.place(1, check=lambda routes: False, progress=lambda stage, _share: told.append(stage))
    draws = ("", ", draw 2 of up to 3", ", draw 3 of up to 3")
    assert told == [f"{stage}{draw}" for draw in draws for stage in ("walks", "check")]
    assert found.passed is False
    assert "none of 3 placements passed the check" in found.notes[0]


def test_crowds_are_drawn_less_often(planner):
    assert [planner.draws(guards) for guards in (1, 12, 40, 60, 500)] == [planner.settings.redraws] * 2 + [6, 4, 2]


def test_storeys_are_joined_by_stairs(monkeypatch):
    """Check that guards of the house can walk between any places, and that routes over stairs keep to the floor."""
    level = sample("house")
    start = level.spawns[0].xyz
    setting = PlacementSettings(together=False, path_cost=0.0, most=4.0)
    kind = GuardKind(passive=0.4, view_distance=6.0)
    planner = GuardPlanner(level, [start, (start[0] + 0.3, *start[1:])], kinds=kind, settings=setting)
    places, graph = planner.graph.places, planner.graph
    assert len(places) > len(planner.partition)
    back = np.empty(len(places))
    costs_home(graph.arrays, graph.length, int(places[:, 2].argmin()), back)
    assert np.isfinite(back).all()
    assert planner.ground.walkable(places[graph.pairs[:, 0]], places[graph.pairs[:, 1]]).all()
    walker, random = Walker(planner.ground, graph, setting), np.random.default_rng(0)
    drawn = (walker.draw(kind, random) for _ in range(500))
    walk, climbing = next((walk, route) for walk, route in drawn if np.ptp(route.points[:, 2]) > 2.9)
    poses = climbing.pose_at(np.linspace(0.0, climbing.period, 100))
    assert planner.ground.on_mesh(poses[:, :3] + (0.0, 0.0, 0.01)).mean() > 0.95
    # Bends of links that earlier walks used are cached.
    monkeypatch.setattr(candidates, "find_path", None)
    assert np.array_equal(walker.on_floor(places[walk.nodes]), climbing.points)


def test_a_locked_door_parts_guards_and_a_closed_one_does_not():
    walls = [(5.8, 0, 6.2, 4), (5.8, 5, 6.2, 10)]
    for locked in (False, True):
        door = Door(box(5.8, 4, 6.2, 5), open=False, locked=locked)
        level = replace(hall(12, 10, *walls), doors=(door,))
        ground = GuardGround(level, [(1, 1), (4, 1)])
        graph = sight_graph(ground, places(level, [(3, 4.5), (9, 4.5), (10, 8)]))
        assert [1, 2] in graph.pairs.tolist()
        assert (len(graph.pairs) > 1) == (not locked)


@pytest.mark.parametrize("packing", PACKINGS)
def test_every_partition_serves(packing):
    placement = place_guards(LEVEL, PATH, 2, kinds=KIND, settings=replace(QUICK, packing=packing))
    assert len(placement.routes) == 2
    assert placement.settings.packing == packing


@pytest.mark.data
@pytest.mark.parametrize("name", ["Pedro_3D_visualizer", "LevelDesigner1_3D_visualizer"])
def test_guards_for_the_stored_paths_of_the_research_group(data, name):
    level = Level.read(data / "gram" / f"{name}.json")
    kind = GuardKind(view_distance=4.0, view_angle=1.15, speed=1.0, passive=0.35)
    placement = place_guards(level, level.paths[0], 3, kinds=kind, settings=QUICK)
    assert len(placement.routes) == 3
    assert placement.coverage.path < placement.coverage.mean


def test_progress_names_stages_and_shares():
    told = []
    place_guards(LEVEL, PATH, 2, kinds=KIND, settings=QUICK, progress=lambda stage, share: told.append((stage, share)))
    assert {stage for stage, _ in told} == {"ground", "packing", "lines of sight", "walks", "candidates"}
    assert all(0.0 <= share <= 1.0 for _, share in told)


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda p: p.place(0), "guards is 0; give a whole number, at least 1"),
        (lambda p: p.place(501), "501 guards are too many; give 1 to 500"),
        (lambda p: p.place(2.5), "guards is 2.5"),
        (lambda p: p.place(1, seed=-1), "seed is -1"),
        (lambda p: p.place(1, check="yes"), "give a function of the routes"),
        (lambda p: place_guards(LEVEL, PATH, 400, kinds="standing"), "400 stationary guards do not fit into"),
        (lambda p: place_guards(LEVEL, PATH, 1, kinds="waking"), "did you mean 'walking'"),
        (lambda p: place_guards(LEVEL, PATH, 1, kinds=[]), "kinds is empty"),
        (lambda p: place_guards(LEVEL, PATH, 1, kinds=3), "kinds is 3"),
        (lambda p: place_guards(LEVEL, PATH, 1, settings="high"), "give PlacementSettings"),
        (lambda p: square_walker(least=29.0, attempts=5).walk(np.random.default_rng(0)), "no closed walk between 29 m"),
        (lambda p: square_walker(path_cost=1e6, drop_off=1e3).spot(np.random.default_rng(0)), "no place is left"),
    ],
)
def test_what_cannot_be_placed_is_said_in_words(planner, ask, words):
    with pytest.raises(InputError, match=words):
        ask(planner)


def test_too_few_walks_say_how_many_guards_there_is_room_for():
    setting = PlacementSettings(together=False, guard_cost=50.0, attempts=20, drop_off=1.0, path_cost=0.0)
    with pytest.raises(InputError, match=r"only \d of 9 guards could be placed: no closed walk"):
        place_guards(LEVEL, PATH, 9, kinds=KIND, settings=setting)


def test_a_graph_without_edges_is_one():
    graph = graph_of(places(LEVEL, [(1, 1), (2, 2)]), np.zeros((2, 3)), np.zeros((0, 2), np.int32))
    assert graph.degree.tolist() == [0, 0]


def test_what_is_left_out_is_noted_and_only_then():
    island = Floor(np.column_stack([box(20, 0, 25, 4), np.zeros(4)]))
    level = hall(12, 5)
    two = replace(level, surface=Floors((*level.surface.polygons, island)))
    assert GuardPlanner(level, PATH, kinds=KIND, settings=QUICK).notes() == []
    [note] = GuardPlanner(two, PATH, kinds=KIND, settings=QUICK).notes()
    assert note == "25 % of the floor cannot be reached from the path and gets no guards"
