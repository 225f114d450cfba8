"""The article's claims, figure by figure, on levels of one-metre tiles."""

import numpy as np
import pytest

from lastseen.cells.query import cell_at
from lastseen.reasoning.chase.baselines import DeadReckoning
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import DIFFICULTY, ChaseSettings, preset
from lastseen.reasoning.chase.loss import Loss
from specimens.chase import cells_of, spot

ROUND_THE_CORNER = """
    ##############
    #..S.........#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ############.#
    ##############
    """

TWO_WAYS = """
    #######################
    #.....................#
    ###########.###########
    ###########.###########
    ###########.###########
    ###########S###########
    ###########.###########
    #######################
    """


SHORT_AND_LONG = """
    ####################################
    #####.A............................#
    ##########.#########################
    ##########.#########################
    ##########S#########################
    ##########.#########################
    ####################################
    """

HALL = """
    ##############################
    #........#...................#
    #S.......#...................#
    ########.#...................#
    ########.....................#
    ##########...................#
    ##########...................#
    ##########...................#
    ##############################
    """

LONG = "#" * 60 + "\n#.S" + "." * 56 + "#\n" + "#" * 60


def test_figure_1_dead_reckoning_stops_at_the_first_wall():
    layout = cells_of(ROUND_THE_CORNER)
    guess = DeadReckoning(layout).predict(Loss(spot(ROUND_THE_CORNER, "S"), (1, 0)))
    assert guess.reason == "wall"
    assert guess.destination == pytest.approx((13.0, 1.5, 0.0), abs=1e-6)


def test_figure_4_the_flood_follows_the_corridor_round_the_corner():
    layout = cells_of(ROUND_THE_CORNER)
    flood = Chase(layout).predict(seen_at=spot(ROUND_THE_CORNER, "S"), heading=(1, 0))
    assert flood.reason == "no_cells"
    # Twenty cells of corridor, the far end warmest: the nearest warm cell to their mean lies past the corner.
    assert flood.destination[1] > 2.0
    assert flood.destination[0] == pytest.approx(12.5)


def test_figure_5a_between_two_equally_plausible_ways():
    layout = cells_of(TWO_WAYS)
    flood = Chase(layout).predict(seen_at=spot(TWO_WAYS, "S"), heading=(0, -1))
    assert flood.destination[0] == pytest.approx(11.5)
    assert flood.destination[1] < 3.0


def test_figure_5b_prefers_the_long_corridor():
    layout = cells_of(SHORT_AND_LONG)
    flood = Chase(layout).predict(seen_at=spot(SHORT_AND_LONG, "S"), heading=(0, -1))
    assert flood.reason == "no_cells"
    assert flood.destination[0] > 14.0
    assert flood.destination[1] == pytest.approx(1.5)


def test_figure_6_stops_early_in_wide_areas_but_keeps_going_in_corridors():
    wide, narrow = cells_of(HALL), cells_of(LONG)
    in_hall = Chase(wide, settings=ChaseSettings(max_heated=8)).predict(seen_at=spot(HALL, "S"), heading=(1, 0))
    in_corridor = Chase(narrow, settings=ChaseSettings(max_heated=8)).predict(seen_at=(2.5, 1.5), heading=(1, 0))
    assert (in_hall.reason, in_corridor.reason) == ("too_many", "max_steps")
    assert in_hall.steps < in_corridor.steps == 30


BEHIND = """
    ###############
    #.............#
    #.............#
    #......S......#
    #.............#
    ###.###########
    ###.###########
    ###...........#
    ###############
    """


def test_figure_7_the_barrier_hides_an_exit_behind_the_first_cells():
    layout = cells_of(BEHIND)
    exit_cell = cell_at(layout, (3.5, 5.5))
    flood = Chase(layout).predict(seen_at=spot(BEHIND, "S"), heading=(1, 0))
    assert exit_cell not in flood.warm
    assert cell_at(layout, (3.5, 4.5)) in flood.barrier
    assert exit_cell in Chase(layout, "no barrier").predict(seen_at=spot(BEHIND, "S"), heading=(1, 0)).warm


def test_figure_7_a_barrier_of_short_reach_opens_the_exit_and_leaks_back():
    layout = cells_of(BEHIND)
    exit_cell = cell_at(layout, (3.5, 5.5))
    short = Chase(layout, settings=ChaseSettings(barrier_reach=1.0)).predict(seen_at=spot(BEHIND, "S"), heading=(1, 0))
    assert exit_cell in short.warm
    assert short.destination[0] < Chase(layout).predict(seen_at=spot(BEHIND, "S"), heading=(1, 0)).destination[0]


@pytest.mark.parametrize("text", [SHORT_AND_LONG])
def test_a_lower_hot_value_moves_the_result_further_from_dead_ends(text):
    layout = cells_of(text)
    ends = [
        Chase(layout, settings=ChaseSettings(hot=hot)).predict(seen_at=spot(text, "S"), heading=(0, -1)).destination[0]
        for hot in (60, 30, 20, 12, 6)
    ]
    assert ends == sorted(ends)
    assert ends[-1] > ends[0] + 3.0


def test_more_steps_never_shorten_the_run_in_a_corridor():
    layout = cells_of(LONG)
    runs = [
        Chase(layout, settings=ChaseSettings(max_steps=steps))
        .predict(seen_at=(2.5, 1.5), heading=(1, 0))
        .destination[0]
        for steps in range(1, 60)
    ]
    assert (np.diff(runs) >= 0.0).all()
    assert runs[-1] > runs[0] + 40.0


def test_difficulty_is_the_number_of_steps():
    assert DIFFICULTY == {1: 20, 2: 30, 3: 40}
    layout = cells_of(LONG)
    made = [
        Chase(layout, name).predict(seen_at=(2.5, 1.5), heading=(1, 0)).steps for name in ("easy", "normal", "hard")
    ]
    assert made == [20, 30, 40]
    assert preset("article").max_steps == 30


def test_in_three_dimensions_stairs_are_just_more_neighbours():
    from lastseen.cells.build import build_layout
    from lastseen.level.samples import sample
    from lastseen.navmesh.build import build_navmesh

    layout = build_layout(build_navmesh(sample("house")))
    z = layout.arrays.cell_xyz[:, 2]
    on_stairs = np.flatnonzero((z > 0.5) & (z < z.max() - 0.5))
    assert len(on_stairs)
    heated = Chase(layout, settings=ChaseSettings(max_heated=1000, hot=60, max_steps=60)).predict(
        seen_at=layout.arrays.cell_xyz[on_stairs[0]]
    )
    heights = layout.arrays.cell_xyz[heated.warm, 2]
    assert heights.min() < 0.1
    assert heights.max() > z.max() - 0.1
    # A heading up the stairs bars the way down.
    low, high = on_stairs[np.argmin(z[on_stairs])], on_stairs[np.argmax(z[on_stairs])]
    up = layout.arrays.cell_xyz[high] - layout.arrays.cell_xyz[low]
    climbing = Chase(layout).predict(seen_at=layout.arrays.cell_xyz[on_stairs[len(on_stairs) // 2]], heading=up)
    assert climbing.has_barrier
    assert climbing.destination[2] > layout.arrays.cell_xyz[climbing.start, 2]
