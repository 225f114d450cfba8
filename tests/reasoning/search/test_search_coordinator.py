"""The acceptance checks of chapter 27, one by one, and related cases."""

from __future__ import annotations

import math
from functools import partial

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.errors import InputError, QueryError
from lastseen.level.samples import sample
from lastseen.level.sight.query import sees
from lastseen.level.sight.sight import Sight
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.search.coordinator.approach import Estimate
from lastseen.reasoning.search.coordinator.coordinator import SearchCoordinator
from lastseen.reasoning.search.coordinator.search_graph import search_graph
from lastseen.reasoning.search.coordinator.spots import (
    IN_PROGRESS,
    SEARCHED,
    SOURCES,
    UNSEARCHED,
    SpotPool,
    SpotWeights,
    cover_points,
    hidden_cover,
    hidden_floor,
    influence_points,
)
from lastseen.reasoning.search.gaps import RESPONSES, GapDetector, GapSettings
from lastseen.reasoning.search.map.search_map import SearchMap
from lastseen.reasoning.search.search_settings import CoordinatorSettings
from specimens.chase import cells_of

ROOMS = """
    ...............
    ...............
    ....#####......
    ....#...#......
    ....#...#......
    ....#..........
    ....#####......
    ...............
    ...##....##....
    ...##....##....
    ...............
"""


def blind(eyes, points):
    return np.zeros(len(eyes), bool)


def coordinator(text=ROOMS, *, sees=None, search_map=None, seed=0, cover=(), **settings):
    cells = cells_of(text)
    return SearchCoordinator(
        cells, CoordinatorSettings(**settings), sees=sees, search_map=search_map, seed=seed, cover=cover
    )


def kinds(events):
    return [event.kind for event in events]


def five():
    return list(range(5)), [(0.5 + step, 0.5, 0.0) for step in range(5)]


def test_27_1_a_bottle_is_looked_after_at_a_walk_and_gunfire_at_a_run():
    search = coordinator(look_seconds=2.0, stagger=1.0)
    (order,) = search.perceive([7], [(0.5, 0.5)], (13.5, 9.5), "distraction", 0.0)
    assert (search.mode, order.role, order.gait) == ("cautious", "investigate", "walk")
    assert order.goal.tolist() == [13.5, 9.5, 0.0]
    events, time = [], 0.0
    while search.members and time < 20.0:
        time += 0.5
        events += search.update(time, [7], [(13.5, 7.5)], 0.0)
    assert "phase advanced" not in kinds(events), "no second phase"
    assert kinds(events) == ["search started", "search ended", "gives up"]
    assert search.order(7).role == "none"
    assert time >= 2.0, "it looked round first"

    (order,) = search.perceive([7], [(0.5, 0.5)], (13.5, 9.5), "hostile", 30.0)
    assert (search.mode, order.role, order.gait) == ("aggressive", "investigate", "run")


def test_27_2_who_sees_the_target_fights_and_never_searches():
    search = coordinator()
    (order,) = search.perceive([1], [(0.5, 0.5)], (5.5, 0.5), "hostile", 0.0, sees_target=True)
    assert order.role == "combat"
    assert (search.mode, search.phase, search.members) == (None, 0, ())
    first, second = search.perceive([1, 2], [(0.5, 0.5)] * 2, (5.5, 0.5), "hostile", 0.0, sees_target=[True, False])
    assert (first.role, second.role) == ("combat", "investigate")
    assert search.members == (2,)


def test_27_3_the_true_position_is_known_for_the_grace_and_then_frozen():
    estimate = Estimate((0.0, 0.0), 0.0, 2.5)
    for tick in range(1, 51):
        time = tick * 0.1
        estimate.update(time, (4.0 * time, 1.0 * time, 0.0))
        if tick == 24:
            assert estimate.xyz == pytest.approx([9.6, 2.4, 0.0])
    assert estimate.xyz == pytest.approx([10.0, 2.5, 0.0])
    # Steps that do not coincide with the end of the grace are interpolated.
    coarse = Estimate((0.0, 0.0), 0.0, 2.5)
    for time in (1.0, 2.0, 3.0, 4.0):
        coarse.update(time, (time, 0.0, 0.0))
    assert coarse.xyz == pytest.approx([2.5, 0.0, 0.0])
    # Through the coordinator.
    search = coordinator(grace=2.5)
    search.lose_sight([1], [(0.5, 0.5)], (5.5, 0.5), 0.0)
    for tick in range(1, 51):
        time = tick / 10
        search.update(time, [1], [(0.5, 10.5)], 0.0, target_xyz=(5.5 + time, 0.5))
    assert search.estimate_xyz == pytest.approx([8.0, 0.5, 0.0])
    frozen = Estimate((1.0, 1.0), 0.0, 0.0)
    frozen.update(0.1, (5.0, 5.0))
    assert frozen.xyz.tolist() == [1.0, 1.0, 0.0], "without grace it is frozen at once"


def test_27_4_one_of_five_investigates_and_four_return_to_normal():
    search = coordinator(cautious_limit=1)
    ids, places = five()
    orders = search.perceive(ids, places, (13.5, 0.5), "distraction", 0.0)
    assert [order.role for order in orders] == ["none"] * 4 + ["investigate"], "the nearest goes"
    assert search.members == (4,)
    later = search.perceive([9], [(12.5, 0.5)], (13.5, 0.5), "distraction", 0.5)
    assert later[0].role == "none"
    assert "enough" in later[0].reason


def test_27_5_three_approach_two_support_and_all_advance_in_the_same_step():
    search = coordinator(aggressive_limit=3, grace=0.0)
    ids, places = five()
    orders = search.lose_sight(ids, places, (13.5, 9.5), 0.0)
    assert sorted(order.role for order in orders) == ["investigate"] * 3 + ["support"] * 2
    assert all(order.gait == "run" for order in orders if order.role == "investigate")
    assert search.phase == 1
    events = search.update(0.5, ids, places, 0.0)
    assert kinds(events) == ["search started"]
    assert sorted(search.order(who).role for who in ids) == ["investigate"] * 3 + ["support"] * 2
    places[4] = (13.5, 8.5, 0.0)
    events = search.update(1.0, ids, places, 0.0)
    assert sorted(event.searcher for event in events if event.kind == "phase advanced") == ids
    assert search.phase == 2
    assert {search.order(who).role for who in ids} <= {"sweep", "linger"}


def test_27_5_who_covers_takes_the_place_of_an_investigator_that_fell():
    search = coordinator(aggressive_limit=1, grace=0.0)
    search.lose_sight([1, 2], [(5.5, 0.5), (0.5, 0.5)], (13.5, 9.5), 0.0)
    assert (search.order(1).role, search.order(2).role) == ("investigate", "support")
    search.leave(1, 0.5)
    search.update(1.0, [2], [(0.5, 0.5)], 0.0)
    assert search.order(2).role == "investigate"
    search.leave(2, 1.5)
    assert kinds(search.update(2.0, [], [], []))[-1] == "search ended"


def test_a_spot_that_cannot_be_reached_is_left_for_another():
    search = coordinator(grace=0.0, stuck_seconds=2.0, sees=blind, pool=6)
    search.lose_sight([1], [(7.5, 0.5)], (7.5, 0.5), 0.0)
    search.update(0.1, [1], [(7.5, 0.5)], 0.0)
    first = search.spots.of(1)
    for tick in range(2, 30):
        search.update(tick * 0.1, [1], [(7.5, 0.5)], 0.0)
    assert search.spots.state[first] == SEARCHED
    assert search.spots.of(1) not in (-1, first)


def test_27_5_investigators_slow_down_when_the_place_is_in_sight():
    search = coordinator(grace=0.0)
    search.lose_sight([1], [(0.5, 9.5)], (13.5, 0.5), 0.0)
    search.update(0.1, [1], [(0.5, 0.5)], 0.0)
    assert search.order(1).gait == "careful"
    assert search.phase == 1
    early = coordinator(grace=0.0, advance="sight")
    early.lose_sight([1], [(0.5, 9.5)], (13.5, 0.5), 0.0)
    early.update(0.1, [1], [(0.5, 0.5)], 0.0)
    assert early.phase == 2


def test_who_comes_no_nearer_is_as_near_as_it_can_get():
    search = coordinator(grace=0.0, stuck_seconds=3.0, time_limit=100.0)
    search.lose_sight([1], [(0.5, 0.5)], (13.5, 9.5), 0.0)
    for tick in range(1, 40):
        if search.phase == 1:
            search.update(tick * 0.1, [1], [(0.5, 0.5)], math.pi)
            assert tick <= 31
    assert search.phase == 2


def test_27_6_no_two_get_the_same_spot_and_a_spot_seen_is_never_handed_out():
    search = coordinator(grace=0.0, pool=12, sees=blind)
    search.lose_sight([1, 2, 3], [(0.5, 0.5)] * 3, (7.5, 0.5), 0.0)
    chosen = [search.request(who, (0.5, 0.5), 0.1).spot for who in (1, 2, 3)]
    assert len(set(chosen)) == 3
    assert (search.spots.state[chosen] == IN_PROGRESS).all()

    search = coordinator(grace=0.0, pool=30)
    search.lose_sight([1, 2], [(7.5, 0.5), (0.5, 0.5)], (7.5, 0.5), 0.0)
    search.update(0.1, [1, 2], [(7.5, 0.5), (0.5, 0.5)], [0.0, 0.0])
    assert search.phase == 2
    seen, given = set(), set()
    where = np.array([7.5, 0.5, 0.0])
    for tick in range(1, 200):
        goal = search.order(1).goal
        if goal is None or not search.phase:
            break
        step = goal - where
        where = where + step * min(0.4 / max(np.linalg.norm(step), 1e-9), 1.0)
        search.update(0.1 + tick * 0.1, [1, 2], [where, (0.5, 0.5, 0.0)], [math.atan2(step[1], step[0]), math.pi])
        seen |= set(np.flatnonzero(search.spots.state == SEARCHED).tolist())
        mine = search.spots.of(2)
        if mine >= 0 and mine not in given:
            assert mine not in seen
            given.add(mine)
    assert len(seen) > 5
    assert given


def test_passive_clearing_looks_once_per_interval_and_only_within_the_view():
    rays = []

    def counting(eyes, points):
        rays.append(len(eyes))
        return np.zeros(len(eyes), bool)

    search = coordinator(grace=0.0, ray_interval=1.0, view_distance=5.0, view_angle=1.0, sees=counting)
    search.lose_sight([1], [(7.5, 0.5)], (7.5, 0.5), 0.0)
    search.update(0.05, [1], [(7.5, 0.5)], 0.0)
    assert search.phase == 2
    rays.clear()
    for tick in range(1, 41):
        search.update(tick * 0.1, [1], [(9.5, 5.5)], 0.0)
    assert 3 <= len(rays) <= 4, "four seconds, one look a second"
    away = search.spots.xyz - np.array([9.5, 5.5, 0.0])
    angle = np.abs(np.arctan2(away[:, 1], away[:, 0]))
    near = np.linalg.norm(away, axis=1)
    assert max(rays) <= int(((near <= 5.0) & (angle <= 0.5) | (near <= 1.0)).sum())


def test_27_7_when_no_spot_is_left():
    def with_all_searched(recycle, **more):
        search = coordinator(grace=0.0, pool=5, recycle=recycle, radius=4.0, **more)
        search.lose_sight([1], [(0.5, 0.5)], (7.5, 9.5), 0.0)
        for spot in range(len(search.spots)):
            search.searched(len(search.spots) - 1 - spot, 1.0 + spot)
        return search

    assert with_all_searched("off").request(1, (0.5, 0.5), 9.0) is None
    oldest = with_all_searched("oldest")
    assert oldest.request(1, (0.5, 0.5), 9.0).spot == len(oldest.spots) - 1
    growing = with_all_searched("grow", grow=3.0)
    before = len(growing.spots)
    choice = growing.request(1, (0.5, 0.5), 9.0)
    assert len(growing.spots) > before
    assert choice.spot >= before
    assert np.linalg.norm(growing.spots.xyz - growing.estimate_xyz, axis=1).max() > 4.0


def test_27_7_a_search_without_spots_ends_and_says_why():
    search = coordinator("......\n......", sees=blind, grace=0.0, pool=2, graph_points=0, recycle="off", stagger=3.0)
    search.lose_sight([4], [(0.5, 0.5, 0.0)], (0.5, 0.5, 0.0), 0.0)
    ended = None
    for time in range(1, 30):
        goal = search.order(4).goal if search.members else None
        here = (0.5, 0.5, 0.0) if goal is None else tuple(goal)
        events = search.update(float(time), [4], [here], [0.0])
        ended = ended or next((event for event in events if event.kind == "search ended"), None)
    assert ended is not None
    assert ended.reason == "no spot is left"
    assert (search.phase, search.mode, search.members) == (0, None, ())


def test_every_point_of_the_search_graph_but_the_first_becomes_a_spot():
    search = coordinator(grace=0.0, pool=8, graph_points=3, spacing=0.1)
    search.lose_sight([1], [(0.5, 0.5)], (0.5, 0.5, 0.0), 0.0)
    graph = search_graph(search.cells, (0.5, 0.5, 0.0), most=4, radius=search.settings.radius)
    found = search.spots.xyz[search.spots.source == SOURCES.index("graph")]
    assert len(graph) > 2
    assert found.tolist() == graph.points_xyz[1:].tolist()


def test_27_8_intuition_breaks_ties_and_no_more():
    pool = SpotPool()
    pool.add([(0.0, 5.0), (0.0, -5.0)], "given", 0.0)
    here, estimate = np.zeros(3), np.array([1.0, 0.0, 0.0])
    for actual, best in (((3.0, -20.0, 0.0), 1), ((3.0, 20.0, 0.0), 0)):
        choice = pool.best(here, estimate, np.array(actual), SpotWeights(), np.zeros(0))
        assert choice.spot == best
        assert choice.score == pytest.approx(choice.terms.sum())
    clear = SpotPool()
    clear.add([(0.0, 3.0), (0.0, -9.0)], "given", 0.0)
    assert clear.best(here, estimate, np.array([0.0, -20.0, 0.0]), SpotWeights(), np.zeros(0)).spot == 0


def test_27_9_searchers_give_up_each_at_its_own_time():
    def times(seed):
        search = coordinator(grace=0.0, time_limit=3.0, stagger=5.0, seed=seed, sees=blind)
        ids, places = five()
        search.lose_sight(ids, places, (13.5, 9.5), 0.0)
        left = {}
        for tick in range(1, 120):
            for event in search.update(tick * 0.1, ids, places, 0.0):
                if event.kind == "gives up":
                    left[event.searcher] = event.time
                if event.kind == "search ended":
                    assert event.reason == "time is up"
        return left

    left = times(0)
    assert sorted(left) == [0, 1, 2, 3, 4]
    assert len(set(left.values())) > 1
    assert all(3.0 <= time <= 8.2 for time in left.values())
    assert times(0) == left, "drawn from the seed"
    assert times(1) != left


def test_27_10_a_gap_on_one_side_is_told_once_shortly_before_it():
    text = """
        #####.#####
        #####.#####
        #####.#####
        ...........
        ...........
    """
    layout = cells_of(text)
    detector = GapDetector(layout.mesh, 1, GapSettings(ahead=1.0), seed=2)
    found = []
    for step in range(95):
        x = 0.5 + step * 0.1
        found += [(x, gap) for gap in detector.look([(x, 4.0)], 0.0)]
    ((x, gap),) = found
    # Facing +x the row of the opening, of lower y, is to the right.
    assert gap.side == "right"
    assert 3.9 <= x <= 4.3, "a metre before the opening at x = 5"
    assert gap.depth == pytest.approx(4.0, abs=1e-6)
    assert gap.xyz[1] < 3.0
    assert gap.response in RESPONSES


def test_gaps_are_watched_for_each_searcher_by_itself_and_anew_after_a_turn():
    text = """
        ###.###.###
        ###.###.###
        ...........
    """
    layout = cells_of(text)
    detector = GapDetector(layout.mesh, 2, GapSettings(ahead=1.0))
    found = {0: 0, 1: 0}
    for step in range(90):
        for gap in detector.look([(0.5 + step * 0.1, 2.5), (10.5 - step * 0.1, 2.5)], [0.0, math.pi]):
            found[gap.searcher] += 1
    assert found == {0: 2, 1: 2}
    assert detector.look([(9.5, 2.5), (9.5, 2.5)], math.pi / 2, moving=False) == ()
    with pytest.raises(InputError, match="2 searchers"):
        detector.look([(0.5, 2.5)], 0.0)


def test_an_investigator_that_does_not_come_back_is_missed_where_it_was():
    search = coordinator(missing_seconds=5.0, look_seconds=60.0, time_limit=100.0)
    search.perceive([3], [(0.5, 0.5)], (13.5, 9.5), "distraction", 0.0)
    events = []
    for tick in range(1, 80):
        events += search.update(tick * 0.1, [3], [(2.5, 0.5)], 0.0)
    (missing,) = [event for event in events if event.kind == "investigator missing"]
    assert missing.searcher == 3
    assert missing.xyz.tolist() == [2.5, 0.5, 0.0]
    assert 5.0 < missing.time < 5.3


def test_a_hostile_noise_turns_a_cautious_search_aggressive():
    search = coordinator()
    search.perceive([1], [(0.5, 0.5)], (13.5, 0.5), "distraction", 0.0)
    search.perceive([2], [(0.5, 2.5)], (13.5, 9.5), "hostile", 1.0)
    assert search.mode == "aggressive"
    assert search.members == (1, 2)
    assert search.estimate_xyz.tolist() == [13.5, 9.5, 0.0]
    (order,) = search.join([8], [(0.5, 3.5)], 1.5)
    assert order.role == "investigate"


def test_spots_lie_out_of_sight_of_the_estimate_and_apart():
    level = sample("warehouse")
    cells = build_layout(build_navmesh(level))
    lines = partial(sees, Sight.from_level(level))
    cover = cover_points(cells, level)
    place = cells.arrays.cell_xyz[len(cells) // 2].astype(float)
    lift = np.array([0.0, 0.0, 1.6])
    hidden = hidden_cover(cover, place, 15.0, lines)
    assert 0 < len(hidden) < len(cover)
    assert not lines(np.broadcast_to(place + lift, hidden.shape).copy(), hidden + lift).any()
    assert np.linalg.norm(hidden - place, axis=1).max() <= 15.0
    floor = hidden_floor(cells, place, 15.0, 10, np.random.default_rng(0), lines)
    assert len(floor) == 10
    search = SearchCoordinator(
        cells, CoordinatorSettings(pool=25, graph_points=4, spacing=2.0), cover=cover, sees=lines
    )
    search.lose_sight([0], [place], place, 0.0)
    assert len(search.spots) == 25
    assert len(set(search.spots.source.tolist())) >= 2
    gaps = np.linalg.norm(search.spots.xyz[:, None] - search.spots.xyz[None], axis=2)
    assert gaps[~np.eye(25, dtype=bool)].min() >= 2.0


def test_both_kinds_together_the_map_draws_searchers_to_where_influence_is_left():
    cells = cells_of(ROOMS)
    influence = SearchMap(cells)
    influence.seed([(12.5, 9.5)])
    search = coordinator(search_map=influence, grace=0.0, pool=30, sees=blind, seed=4)
    search.lose_sight([1], [(7.5, 0.5)], (7.5, 0.5), 0.0)
    plain = coordinator(grace=0.0, pool=30, sees=blind, seed=4)
    plain.lose_sight([1], [(7.5, 0.5)], (7.5, 0.5), 0.0)
    influence.advance(0.3)
    weighted = search.request(1, (7.5, 0.5), 0.1)
    assert weighted.terms[3] >= 0.0
    assert plain.request(1, (7.5, 0.5), 0.1).terms[3] == 0.0
    influence.advance(0.5)
    spots = influence_points(influence, 4, spacing=2.0)
    assert 1 <= len(spots) <= 4
    assert np.linalg.norm(spots - np.array([12.5, 9.5, 0.0]), axis=1).max() <= 3.3


def test_the_end_clears_the_pool_and_a_find_ends_it_for_all():
    search = coordinator(grace=0.0, sees=blind)
    ids, places = five()
    search.lose_sight(ids, places, (13.5, 9.5), 0.0)
    assert (search.spots.state == UNSEARCHED).all()
    search.found(1.0)
    assert (search.mode, search.phase, search.members, len(search.spots)) == (None, 0, (), 0)
    assert kinds(search.update(1.1, ids, places, 0.0))[-1] == "search ended"
    search.lose_sight(ids, places, (13.5, 9.5), 2.0)
    search.leave(4, 2.5)
    assert 4 not in search.members
    search.stop(3.0)
    assert search.order(0).role == "linger"


def test_bad_arguments_of_a_coordinator_say_what_is_allowed():
    search = coordinator()
    for call, words in (
        (lambda: search.perceive([1], [(0.5, 0.5)], (1, 1), "hostil", 0.0), "did you mean 'hostile'"),
        (lambda: search.perceive([1, 2], [(0.5, 0.5)], (1, 1), "hostile", 0.0), "one place for each"),
        (lambda: CoordinatorSettings(recycle="never"), "recycle"),
        (lambda: CoordinatorSettings(pool=0), "pool"),
        (lambda: CoordinatorSettings().but(radios=3.0), "did you mean 'radius'"),
        (lambda: SearchCoordinator(cells_of(ROOMS), 3), "CoordinatorSettings"),
        (lambda: search.searched([0.5], 0.0), "give numbers of spots"),
        (lambda: search.searched([[0]], 0.0), "give numbers of spots"),
        (lambda: search.searched(0, 0.0), "there are 0 spots"),
    ):
        with pytest.raises(InputError, match=words):
            call()
    with pytest.raises(QueryError, match="no aggressive search"):
        search.join([1], [(0.5, 0.5)], 0.0)
