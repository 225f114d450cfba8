"""Beyond the article: each option has its documented effect, and only when it applies."""

import math

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_chase_flood import worlds

from lastseen.cells.query import cell_at
from lastseen.kernels.flood.cell_sight import look_from
from lastseen.layers.tactical_worth import tactical_worth
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings, preset
from lastseen.reasoning.chase.flood.workspace import Workspace
from lastseen.reasoning.chase.loss import Loss, View
from oracles.chase import closed_cells, neighbours_of, plain_flood, plain_look, plain_sight
from specimens.chase import cell_of, cells_of, spot, with_bits

VIEWS = st.tuples(
    st.floats(0, 2 * math.pi), st.sampled_from([0.5, 2.0, 2 * math.pi]), st.sampled_from([3.0, 8.0, 40.0])
)


@settings(max_examples=40)
@given(
    worlds(),
    st.integers(0, 10_000),
    VIEWS,
    st.sampled_from([0.0, 0.5, 3.0]),
    st.sampled_from([0.0, 2.0]),
    st.sampled_from(["belief", "both"]),
)
def test_a_belief_flood_equals_the_article_s_on_cells_closed_one_by_one(world, at, view, seconds, lead, barrier):
    layout, start, heading = world
    neighbours = neighbours_of(layout.arrays)
    enabled = [cell for cell in neighbours if cell in {start, *(c for o in neighbours.values() for c in o)}]
    guard = enabled[at % len(enabled)]
    position = {cell: tuple(map(float, xyz)) for cell, xyz in enumerate(layout.arrays.cell_xyz)}
    chosen = ChaseSettings(barrier=barrier, hot=5, max_heated=12, max_steps=9, lead=lead, least_steps=0)
    facing = (math.cos(view[0]), math.sin(view[0]))
    flood = Chase(layout, settings=chosen).predict(
        seen_at=position[start],
        heading=heading,
        speed=1.0,
        seconds=seconds,
        guard_at=position[guard],
        guard_view=View(facing, view[1], view[2]),
    )
    at_guard = np.array(position[guard])
    closed = closed_cells(layout, neighbours, start, guard, at_guard, (facing, *view[1:]), seconds, chosen)
    plain = plain_flood(position, neighbours, start, heading, chosen, closed)
    assert dict(zip(flood.warm.tolist(), flood.values.tolist())) == plain.warm
    assert (flood.reason, flood.heated.tolist()) == (plain.reason, plain.heated)
    assert set(flood.closed.tolist()) <= closed
    assert set(flood.barrier.tolist()) == plain.barrier
    assert (flood.fell_back, flood.has_barrier) == ("", barrier == "both" and heading is not None and any(heading))


HALL = """
    #################
    #...............#
    #...............#
    #G.....S........#
    #...............#
    #...............#
    #################
    """


def test_cells_seen_empty_are_closed_unless_the_runner_may_have_got_there():
    layout = cells_of(HALL)
    chase = Chase(layout, settings=preset("belief").but(least_steps=0, look_round=0))
    known = {"seen_at": spot(HALL, "S"), "heading": (1, 0), "guard_at": spot(HALL, "G"), "speed": 4.0}
    ahead = cell_at(layout, (12.5, 3.5))
    soon = chase.predict(**known, guard_view=View((1, 0)), seconds=0.5)
    late = chase.predict(**known, guard_view=View((1, 0)), seconds=2.0)
    away = chase.predict(**known, guard_view=View((-1, 0)), seconds=0.5)
    told = chase.predict(**known, guard_view=View(cells=np.array([ahead])), seconds=0.5)
    assert (ahead in soon.warm, ahead in late.warm, ahead in away.warm, ahead in told.warm) == (
        False,
        True,
        True,
        False,
    )
    assert ahead in told.closed


def test_a_belief_flood_falls_back_to_the_article_s():
    layout = cells_of(HALL)
    known = {"seen_at": spot(HALL, "S"), "heading": (1, 0)}
    article, belief = Chase(layout), Chase(layout, settings=preset("belief").but(hot=20, look_round=0))
    plain = article.predict(**known)
    unknown = belief.predict(**known)
    blind = belief.predict(**known, guard_at=spot(HALL, "G"))
    stuck = belief.predict(**known, guard_at=spot(HALL, "S"), guard_view=View((1, 0)))
    assert [flood.fell_back for flood in (unknown, blind, stuck)] == ["no_view", "no_view", "few_steps"]
    for flood in (unknown, blind, stuck):
        assert flood.barrier.tolist() == plain.barrier.tolist()
        assert flood.values.tolist() == plain.values.tolist()
        assert flood.has_barrier


BESIDE = """
    ###########
    #.........#
    #.G.......#
    #.........#
    #......S..#
    #.........#
    ###########
    """


def test_belief_and_momentum_together_close_what_either_closes():
    layout = cells_of(BESIDE)
    known = {
        "seen_at": spot(BESIDE, "S"),
        "heading": (0, 1),
        "guard_at": spot(BESIDE, "G"),
        "guard_view": View((0, -1)),
    }
    behind, guarded = cell_at(layout, (7.5, 2.5)), cell_at(layout, (3.5, 2.5))
    rules = ChaseSettings(max_heated=1000, least_steps=0)
    warm = {
        name: Chase(layout, settings=rules.but(barrier=name)).predict(**known).warm.tolist()
        for name in ("momentum", "belief", "both")
    }
    assert (behind in warm["momentum"], behind in warm["belief"], behind in warm["both"]) == (False, True, False)
    assert (guarded in warm["momentum"], guarded in warm["belief"], guarded in warm["both"]) == (True, False, False)
    assert set(warm["both"]) <= set(warm["belief"])


PASSED = """
    #################
    #S..G...........#
    #################
    """


@pytest.mark.parametrize("barrier", ["momentum", "both"])
def test_barred_about_turns_send_no_guard_back_to_where_it_is_nearer(barrier):
    layout = cells_of(PASSED)
    known = {"seen_at": spot(PASSED, "S"), "heading": (1, 0), "guard_at": spot(PASSED, "G")}
    rules = ChaseSettings(barrier=barrier, max_steps=9)
    turned = Chase(layout, settings=rules).predict(**known)
    barred = Chase(layout, settings=rules.but(about_turns="barred")).predict(**known)
    guard, seen = (np.array(spot(PASSED, letter)[:2]) for letter in "GS")
    # To get further than the guard the runner would have had to pass it.
    assert turned.destination[0] > guard[0] + 0.5
    # Cells 0, 1 and 2 m from where it was seen are 3, 2 and 1 m from the guard; the next is the guard's own.
    assert barred.warm.tolist() == [cell_at(layout, (x + 0.5, 1.5)) for x in (1, 2, 3)]
    assert barred.destination[0] < guard[0]
    unknown = Chase(layout, settings=rules.but(about_turns="barred")).predict(seen_at=seen, heading=(1, 0))
    assert unknown.values.tolist() == turned.values.tolist()


PAST_THE_GUARD = """
    ###############
    #######.......#
    #S..G.........#
    #######.......#
    ###############
    """


def test_barred_about_turns_keep_looking_round_from_passing_the_guard():
    layout = cells_of(PAST_THE_GUARD)
    known = {"seen_at": spot(PAST_THE_GUARD, "S"), "heading": (1, 0), "guard_at": spot(PAST_THE_GUARD, "G")}
    rules = ChaseSettings(max_steps=2, look_round=1, look_reach=6.0)
    allowed = Chase(layout, settings=rules).predict(**known)
    barred = Chase(layout, settings=rules.but(about_turns="barred")).predict(**known)
    assert (allowed.moved, barred.moved) == (1, 0)
    assert allowed.destination[0] > known["guard_at"][0] > barred.destination[0]


EXITS = """
    ###############
    #.............#
    #.............#
    #......S......#
    #.............#
    ###.##.########
    ###.##.########
    ###.##........#
    ###...#########
    ###############
    """


def test_opened_exits_let_heat_into_ways_beside_but_not_behind():
    layout = cells_of(EXITS)
    beside, behind = cell_at(layout, (6.5, 6.5)), cell_at(layout, (3.5, 6.5))
    known = {"seen_at": spot(EXITS, "S"), "heading": (1, 0)}
    rules = ChaseSettings(max_heated=1000, max_steps=12)
    hidden = Chase(layout, settings=rules).predict(**known)
    opened = Chase(layout, settings=rules.but(exits="opened")).predict(**known)
    assert (beside in hidden.warm, beside in opened.warm) == (False, True)
    assert behind not in opened.warm
    assert opened.destination[0] > 6.5
    # With no pursuer (a wall at the runner's back) the barrier is the article's.
    cornered = {"seen_at": (1.5, 3.5), "heading": (1, 0)}
    plain, same = (Chase(layout, settings=rules.but(exits=way)).predict(**cornered) for way in ("hidden", "opened"))
    assert plain.warm.tolist() == same.warm.tolist()


def test_an_exit_stays_barred_where_the_guard_is_known_to_be_first():
    layout = cells_of(EXITS)
    beside = cell_at(layout, (6.5, 6.5))
    rules = ChaseSettings(max_heated=1000, max_steps=12, exits="opened")
    barred = Chase(layout, settings=rules).predict(seen_at=spot(EXITS, "S"), heading=(1, 0), guard_at=(6.5, 4.5))
    assert beside not in barred.warm


WIDE_AND_NARROW = """
    ###############################
    #.........#####################
    #.........#####################
    #.............S...............#
    #.........#####################
    #.........#####################
    ###############################
    """


def test_front_width_weights_keep_wide_places_from_outweighing_corridors():
    layout = cells_of(WIDE_AND_NARROW)
    known = {"seen_at": spot(WIDE_AND_NARROW, "S")}
    rules = ChaseSettings(max_heated=1000, max_steps=14)
    by_value = Chase(layout, settings=rules).predict(**known)
    by_front = Chase(layout, settings=rules.but(weights="front")).predict(**known)
    assert by_value.destination[0] < 12.0
    assert by_front.destination[0] > by_value.destination[0] + 1.0


CORNER = """
    ############
    #S.........#
    ##########.#
    ##########.#
    ##########.#
    ##########.#
    ##########.#
    ##########.#
    ############
    """


def test_a_destination_right_before_a_corner_moves_round_it():
    layout = cells_of(CORNER)
    rules = ChaseSettings(max_steps=13)
    known = {"seen_at": spot(CORNER, "S"), "heading": (1, 0)}
    before = Chase(layout, settings=rules).predict(**known)
    after = Chase(layout, settings=rules.but(corner=3.0)).predict(**known)
    assert (before.moved, after.moved) == (0, 1)
    assert before.destination[:2] == pytest.approx((8.5, 1.5), abs=1.5)
    assert after.destination[0] == pytest.approx(10.5)
    assert after.mean.tolist() == before.mean.tolist()
    assert after.in_warm == before.in_warm == (cell_at(layout, after.mean) in after.warm)


BOX = """
    #####################
    #S...................
    #....................
    #..............##....
    #..............##....
    #....................
    #....................
    #####################
    """


def test_a_destination_that_sees_most_of_what_is_ahead_stays():
    # The box hides three square metres of warm cells beyond it: an obstacle, not a corner.
    layout = cells_of(BOX)
    rules = ChaseSettings(max_steps=20, max_heated=1000)
    known = {"seen_at": spot(BOX, "S"), "heading": (1, 0)}
    stays = Chase(layout, settings=rules.but(corner=3.0)).predict(**known)
    seen = sees(layout, stays.cell)
    near = np.linalg.norm(layout.arrays.cell_xyz[stays.warm] - stays.destination, axis=1) <= 10.0
    assert len(set(stays.warm[near].tolist()) - seen) >= 3
    assert stays.moved == 0


RUINS = """
    ..##..##..#..#
    ......###.#..#
    ....#...#....#
    .....###.#..#.
    #..#.......#..
    ##..#.#.....##
    ..#..#....##..
    .#..###..#....
    .#S###....#.#.
    .#.##.....####
    """


def test_only_a_known_guard_bars_turns():
    # Exits are opened for an imagined pursuer, which bars no look around.
    layout = cells_of(RUINS)
    known = {"seen_at": spot(RUINS, "S"), "heading": (-1, 1)}
    rules = ChaseSettings(exits="opened", max_steps=3, look_round=3, look_reach=4.0, look_area=4.0)
    turns = Chase(layout, settings=rules).predict(**known)
    barred = Chase(layout, settings=rules.but(about_turns="barred")).predict(**known)
    assert barred.destination.tolist() == turns.destination.tolist()
    real = Chase(layout, settings=rules.but(about_turns="barred")).predict(**known, guard_at=(2.5, 6.5))
    assert real.destination.tolist() != turns.destination.tolist()


ROOM_BEYOND = """
    ##################
    #S.........#.....#
    ##########.#.....#
    ##########.......#
    ##########.#.....#
    ############.....#
    ##################
    """


def test_looking_round_moves_on_to_where_clearly_more_floor_shows():
    layout = cells_of(ROOM_BEYOND)
    rules = ChaseSettings(max_steps=11)
    known = {"seen_at": spot(ROOM_BEYOND, "S"), "heading": (1, 0)}
    stays = Chase(layout, settings=rules).predict(**known)
    looks = Chase(layout, settings=rules.but(look_round=3, look_reach=5.0)).predict(**known)
    content = Chase(layout, settings=rules.but(look_round=3, look_reach=5.0, look_area=200.0)).predict(**known)
    assert looks.moved >= 1
    assert stays.moved == content.moved == 0
    seen_before = sees(layout, stays.cell)
    seen_after = sees(layout, looks.cell)
    assert len(seen_after - seen_before) >= 12


@settings(max_examples=60)
@given(worlds(), st.integers(0, 10_000), st.sampled_from([1.5, 3.0]), st.sampled_from([2.0, 5.0]))
def test_looking_round_once_equals_asking_every_cell_near_by(world, at, reach, area):
    layout, start, heading = world
    neighbours = neighbours_of(layout.arrays)
    enabled = [cell for cell in neighbours if cell in {start, *(c for o in neighbours.values() for c in o)}]
    guard = enabled[at % len(enabled)]
    stays = ChaseSettings(barrier="both", hot=5, max_steps=4, lead=0.0, least_steps=0)
    looks = stays.but(look_round=1, look_reach=reach, look_area=area)
    known = {
        "seen_at": layout.arrays.cell_xyz[start],
        "heading": heading,
        "guard_at": layout.arrays.cell_xyz[guard],
        "guard_view": View((1, 0), 1.5, 6.0),
    }
    before, after = (Chase(layout, settings=one).predict(**known) for one in (stays, looks))
    best = plain_look(layout, neighbours, before, before.cell, looks)
    assert (after.moved, after.cell) == ((1, best) if best >= 0 else (0, before.cell))


SEEN_EMPTY = """
    ##############
    #GS..........#
    ##########...#
    ##########...#
    ##########...#
    ##########...#
    ##########...#
    ##############
    """


@pytest.mark.parametrize(("area", "column"), [(4.0, 10), (5.0, 9)])
def test_floor_seen_empty_is_nothing_to_look_for(area, column):
    # One step on, twelve cells come into sight: four of the middle column, and eight next to it that were seen empty.
    layout = cells_of(SEEN_EMPTY)
    empty = [cell_of(layout, x, y) for y in range(2, 7) for x in (10, 12)]
    more = sees(layout, cell_of(layout, 10, 1)) - sees(layout, cell_of(layout, 9, 1))
    assert (len(more), len(more - set(empty))) == (12, 4)
    rules = ChaseSettings(barrier="both", max_steps=13, lead=0.0, least_steps=0, look_round=1, look_reach=2.5)
    flood = Chase(layout, settings=rules.but(look_area=area)).predict(
        seen_at=spot(SEEN_EMPTY, "S"),
        heading=(1, 0),
        guard_at=spot(SEEN_EMPTY, "G"),
        guard_view=View(cells=np.array(empty)),
        seconds=0.0,
    )
    assert set(flood.closed.tolist()) == set(empty)
    assert flood.cell == cell_of(layout, column, 1)


def test_a_guard_off_the_floor_still_sees_from_its_cell():
    layout = cells_of(HALL)
    rules = preset("belief").but(least_steps=0, barrier="belief", lead=0.0, about_turns="allowed", look_round=0)
    known = {"seen_at": spot(HALL, "S"), "heading": (1, 0), "guard_view": View((1, 0))}
    x, y = spot(HALL, "G")
    floods = [Chase(layout, settings=rules).predict(guard_at=(x, y, z), **known) for z in (0.0, 3.5)]
    assert len(floods[0].closed) > 0
    assert floods[1].closed.tolist() == floods[0].closed.tolist()


def test_a_barrier_of_opened_exits_needs_no_heading():
    layout = cells_of(HALL)
    chase = Chase(layout, "corridors")
    known = {"seen_at": spot(HALL, "S"), "guard_at": spot(HALL, "G")}
    flood = chase.predict(**known)
    assert len(flood.barrier) > 0
    assert flood.has_barrier
    assert chase.predict_many([Loss(**known)]).has_barrier.tolist() == [True]
    assert not chase.predict(seen_at=spot(HALL, "S")).has_barrier


def sees(layout, cell, distance=10.0):
    sight = Workspace(layout.arrays).sight
    count = look_from(layout.arrays, sight, cell, distance)
    return set(sight.found[0, :count].tolist())


@given(worlds(), st.sampled_from([2.0, 5.0, 20.0]))
def test_sight_along_cells_equals_rings_of_plain_python(world, distance):
    layout, start, _ = world
    assert sees(layout, start, distance) == plain_sight(layout.arrays, neighbours_of(layout.arrays), start, distance)


@pytest.mark.parametrize("distance", [6.0, 20.0, 45.0])
def test_sight_over_a_wide_floor_with_pillars_equals_rings_of_plain_python(distance):
    # Wide enough for cells with all eight links, far from the source on both sides.
    lines = [["."] * 90 for _ in range(30)]
    for row, column in np.random.default_rng(5).integers(0, (30, 90), (25, 2)).tolist():
        lines[row][column] = "#"
    layout = cells_of("\n".join("".join(line) for line in lines))
    links = neighbours_of(layout.arrays)
    for start in range(7, len(layout), 400):
        assert sees(layout, start, distance) == plain_sight(layout.arrays, links, start, distance)


def test_sight_reaches_all_of_an_open_floor_and_nothing_behind_a_wall():
    layout = cells_of("\n".join(["." * 9] * 9))
    assert len(sees(layout, cell_at(layout, (1.5, 2.5)), 50.0)) == 81
    walled = cells_of("\n".join(["....#...."] * 9))
    assert len(sees(walled, cell_at(walled, (1.5, 2.5)), 50.0)) == 36
    assert len(sees(with_bits(layout, range(36, 45)), 0, 50.0)) == 36


def test_cover_hiding_places_and_exits_draw_the_destination():
    text = "#" * 21 + "\n#" + "." * 9 + "S" + "." * 9 + "#\n" + "#" * 21
    layout = cells_of(text)
    plain = Chase(layout).predict(seen_at=(10.5, 1.5))
    assert plain.destination == pytest.approx((10.5, 1.5, 0.0))
    for kind in ("cover", "hiding_places", "exits"):
        worth = tactical_worth(layout, **{kind: [(17.5, 1.5)]})
        drawn = Chase(layout, worth=worth).predict(seen_at=(10.5, 1.5))
        assert drawn.destination[0] > 10.6
        assert drawn.values.tolist() == plain.values.tolist()


def test_a_worth_of_nothing_everywhere_counts_as_none():
    from lastseen.layers.layer import Layer

    layout = cells_of(HALL)
    nothing = Chase(layout, worth=Layer(layout, "worth", "float32")).predict(seen_at=spot(HALL, "S"), heading=(1, 0))
    plain = Chase(layout).predict(seen_at=spot(HALL, "S"), heading=(1, 0))
    assert nothing.destination.tolist() == plain.destination.tolist()


def test_the_order_of_losses_and_what_ran_before_do_not_matter():
    layout = cells_of(HALL)
    belief = Chase(layout, "belief")
    losses = [
        Loss((x + 0.5, 2.5), (1, y - 2), guard_at=(1.5, y + 0.5), guard_view=View((1, 0)), seconds=0.3)
        for x in range(3, 15)
        for y in range(1, 6)
    ]
    losses *= 5  # enough for several threads
    forth, back = belief.predict_many(losses, threads=1), belief.predict_many(losses[::-1], threads=2)
    assert forth.destination.tolist() == back.destination[::-1].tolist()
    assert forth.closed.tolist() == back.closed[::-1].tolist()
