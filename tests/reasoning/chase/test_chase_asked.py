"""Wrong arguments are refused with advice; stimuli that restart a chase."""

import math

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at
from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.query import find_path, heights_at
from lastseen.reasoning.chase.baselines import Breadcrumbs
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings, preset
from lastseen.reasoning.chase.loss import Loss, Losses, Trail, View
from lastseen.reasoning.chase.pursuit import Pursuit, Stimulus
from specimens.chase import ROOMS as LAYOUT
from specimens.chase import cells_of, losses, with_bits

# Wrong arguments


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hot": 0}, "hot is 0; give a whole number from 1 to 127"),
        ({"hot": 128}, "a signed byte"),
        ({"hot": 20.0}, "hot is 20.0"),
        ({"hot": True}, "hot is True"),
        ({"max_heated": 0}, "max_heated is 0"),
        ({"max_steps": 0}, "max_steps is 0"),
        ({"max_steps": 40_000}, "from 1 to 30000"),
        ({"max_total": -1}, "max_total is -1"),
        ({"behind": "strickt"}, "did you mean 'strict'"),
        ({"behind": "cone"}, "needs the angle"),
        ({"cone": 1.0}, "but behind is 'strict'"),
        ({"behind": "cone", "cone": 4.0}, "cone is 4 rad"),
        ({"behind": "cone", "cone": math.nan}, "cone is nan"),
        ({"barrier": "none", "behind": "inclusive"}, "applies to the momentum barrier"),
        ({"barrier": "belief", "exits": "opened"}, "applies to the momentum barrier"),
        ({"barrier": "both", "exits": "opened"}, "applies to the momentum barrier"),
        ({"about_turns": "forbidden"}, "about_turns is 'forbidden'; give 'allowed' or 'barred'"),
        ({"lead": -1.0}, "lead is -1 m"),
        ({"look_reach": 31.0}, "look_reach is 31 m"),
        ({"nearest": math.inf}, "nearest is inf"),
    ],
)
def test_settings_must_make_sense(changes, words):
    with pytest.raises(InputError, match=words):
        ChaseSettings(**changes)


def test_unknown_names_are_suggested():
    with pytest.raises(InputError, match="did you mean 'article'"):
        Chase(LAYOUT, "artikle")
    with pytest.raises(InputError, match="did you mean 'max_steps'"):
        preset("article").but(max_step=3)
    with pytest.raises(InputError, match="both given"):
        Chase(LAYOUT, "article", settings=ChaseSettings())


def test_a_place_off_the_mesh_finds_the_nearest_cell_or_says_how_far_it_is():
    chase = Chase(LAYOUT)
    assert chase.predict(seen_at=(0.5, 3.5)).start == cell_at(LAYOUT, (1.5, 3.5))
    with pytest.raises(
        QueryError, match=r"\(-5, 3.5, 0\) is off the mesh: the nearest cell is 6.50 m away, at most 2 m"
    ):
        chase.predict(seen_at=(-5.0, 3.5))
    with pytest.raises(QueryError, match=r"seen_at\[1\]"):
        chase.predict_many([Loss((2.5, 3.5)), Loss((-5.0, 3.5))])
    with pytest.raises(QueryError, match="no cell within 5 m"):
        Chase(LAYOUT, "belief").predict(seen_at=(2.5, 3.5), guard_at=(-50.0, 0.0), guard_view=View())


def test_whichever_thread_finds_a_place_off_the_mesh_its_number_is_told():
    many = [*losses(400), Loss((500.0, 500.0))]
    for threads in (1, 2):
        with pytest.raises(QueryError, match=r"seen_at\[400\] \(500, 500, 0\) is off the mesh"):
            Chase(LAYOUT).predict_many(many, threads=threads)


def test_a_disabled_start_cell_is_refused():
    door = cell_at(LAYOUT, (8.5, 3.5))
    with pytest.raises(QueryError, match=f"lies in cell {door}, which is disabled"):
        Chase(with_bits(LAYOUT, [door])).predict(seen_at=(8.5, 3.5))


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"seen_at": (math.nan, 1.0)}, "must be finite"),
        ({"seen_at": None}, "seen_at must be"),
        ({"seen_at": (1.5, 1.5), "heading": (math.inf, 0)}, "must be finite"),
        ({"seen_at": (1.5, 1.5), "heading": 3.0}, "heading must be"),
        ({"seen_at": (1.5, 1.5), "speed": -1.0}, "speed is -1"),
        ({"seen_at": (1.5, 1.5), "seconds": math.nan}, "seconds is nan"),
        ({"seen_at": (1.5, 1.5), "guard_at": (0.0,)}, "guard_at must be"),
        ({"seen_at": (1.5, 1.5), "guard_view": View()}, "give guard_at too"),
    ],
)
def test_a_loss_must_make_sense(given_, words):
    with pytest.raises(InputError, match=words):
        Chase(LAYOUT).predict(**given_)


@pytest.mark.parametrize(
    ("given_", "words"),
    [
        ({"seen_at": [(1.5, 1.5)], "speed": [1.0, 2.0]}, "one for each of 1 losses"),
        ({"seen_at": [(1.5, 1.5)], "speed": -1.0}, r"speed\[0\] is -1"),
        ({"seen_at": [(1.5, 1.5)], "heading": np.zeros((2, 3))}, "2 rows for 1 losses"),
        ({"seen_at": [(1.5, 1.5)], "view_angle": 1.0}, "give guard_at too"),
        ({"seen_at": [(1.5, 1.5)], "view_cells": [np.array([3])]}, "loss 0 says what the guard sees, but not from"),
        ({"seen_at": [(1.5, 1.5)], "trails": ()}, "0 entries for 1 losses"),
        ({"seen_at": [(1.5, math.inf)]}, "must be finite"),
    ],
)
def test_arrays_of_losses_must_make_sense(given_, words):
    with pytest.raises(InputError, match=words):
        Losses(**given_)


def test_worth_and_views_must_fit():
    with pytest.raises(InputError, match="negative or not finite; give 0 or more"):
        Chase(LAYOUT, worth=Layer(LAYOUT, "bad", "float32", fill=-1.0))
    with pytest.raises(QueryError, match="to another layout"):
        Chase(LAYOUT, worth=Layer(cells_of("...\n..."), "other", "float32"))
    with pytest.raises(QueryError, match="cells of a view run from 99999"):
        Chase(LAYOUT, "belief").predict(
            seen_at=(2.5, 3.5), guard_at=(1.5, 1.5), guard_view=View(cells=np.array([99999]))
        )
    with pytest.raises(InputError, match="angle of the view"):
        View((1, 0), 7.0)
    with pytest.raises(InputError, match="seconds that rise"):
        Trail(np.zeros((2, 3)), [1.0, 1.0])
    with pytest.raises(InputError, match="steps is -1"):
        Chase(LAYOUT).start(Loss((2.5, 3.5))).advance(-1)
    with pytest.raises(InputError, match="threads is -1"):
        Chase(LAYOUT).predict_many(losses(3), threads=-1)


# Resets


def test_strong_stimuli_begin_the_chase_anew_so_many_times():
    chase = Chase(LAYOUT, settings=ChaseSettings(max_steps=5))
    pursuit = Pursuit(chase, Loss((2.5, 3.5), (1, 0)), most_resets=2)
    first = pursuit.prediction
    assert pursuit.perceive(Stimulus("footstep", (20.5, 5.5))) == "too_weak"
    assert pursuit.prediction is first
    assert pursuit.perceive(Stimulus("gunshot", (20.5, 5.5))) == "reset"
    assert pursuit.prediction.destination[0] > 15.0
    assert not pursuit.prediction.has_barrier
    assert pursuit.perceive(Stimulus("thunder", (2.5, 5.5), priority=9, heading=(0, 1))) == "reset"
    assert pursuit.prediction.has_barrier
    assert pursuit.perceive(Stimulus("explosion", (20.5, 5.5))) == "limit"
    assert (pursuit.resets, pursuit.state) == (2, "chase")
    assert pursuit.perceive(Stimulus("sight", (20.5, 5.5))) == "engage"
    assert pursuit.state == "engage"
    with pytest.raises(QueryError, match="this chase is over"):
        pursuit.perceive(Stimulus("gunshot", (20.5, 5.5)))
    with pytest.raises(InputError, match="did you mean 'gunshot'"):
        Stimulus("gunshott", (0, 0))


def test_a_chase_begun_anew_forgets_what_was_known_of_the_loss():
    loss = Loss((2.5, 3.5), (1, 0), 5.0, 3.0, (1.5, 3.5), View((1, 0)))
    pursuit = Pursuit(Chase(LAYOUT, "belief"), loss)
    assert pursuit.perceive(Stimulus("gunshot", (20.5, 5.5))) == "reset"
    anew = pursuit.loss
    assert (anew.speed, anew.seconds, anew.guard_at, anew.guard_view) == (5.0, 0.0, None, None)
    assert anew.seen_at.tolist() == [20.5, 5.5, 0.0]
    assert not anew.has_heading
    assert pursuit.perceive(Stimulus("gunshot", (9.5, 3.5)), guard_at=(4.5, 3.5), guard_view=View()) == "reset"
    assert pursuit.loss.guard_at.tolist() == [4.5, 3.5, 0.0]


@pytest.mark.parametrize("interval", [0.2, "pace"])
def test_a_flood_over_time_ends_as_one_at_once_and_restarts_with_a_stimulus(interval):
    chase = Chase(LAYOUT, settings=ChaseSettings(max_steps=5))
    loss = Loss((2.5, 3.5), (1, 0), speed=5.0)
    pursuit = Pursuit(chase, loss, interval=interval)
    assert (pursuit.prediction.steps, pursuit.prediction.reason) == (0, "running")
    assert not pursuit.advance(0.19)
    steps = [(tenth, pursuit.prediction.steps) for tenth in range(2, 13) if pursuit.advance(tenth / 10)]
    assert steps == [(2, 1), (4, 2), (6, 3), (8, 4), (10, 5)]
    assert (pursuit.prediction.destination == chase.predict(loss).destination).all()
    assert pursuit.perceive(Stimulus("gunshot", (20.5, 5.5))) == "reset"
    assert pursuit.prediction.steps == 0
    assert pursuit.advance(0.2)
    assert pursuit.prediction.destination[0] > 15.0


def test_an_omniscient_predictor_follows_the_trail_as_it_grows():
    loss = Loss((2.5, 3.5), (1, 0), trail=Trail([(2.5, 3.5)], [0.0]))
    pursuit = Pursuit(Breadcrumbs(LAYOUT), loss)
    assert pursuit.prediction.destination[0] == 2.5
    assert not pursuit.advance(0.4, trail=Trail([(2.5, 3.5), (6.5, 3.5)], [0.0, 0.4]))
    assert pursuit.advance(0.5, trail=Trail([(2.5, 3.5), (6.5, 3.5)], [0.0, 0.5]))
    assert pursuit.prediction.destination[0] == 6.5


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: Chase("cells"), r"cells is 'cells'; make one with CellLayout\.from_level"),
        (lambda: Chase(LAYOUT, settings={"hot": 3}), "settings is .*; give ChaseSettings"),
        (lambda: Chase(LAYOUT, worth=[1.0]), r"worth is \[1.0\]; give a Layer"),
        (lambda: Chase(LAYOUT).predict(Loss((2.5, 3.5)), heading=(1, 0)), "a loss and parts of one are both given"),
        (lambda: Chase(LAYOUT).predict(Loss((2.5, 3.5)), speed=math.nan), "a loss and parts of one are both given"),
        (lambda: Chase(LAYOUT).predict(Loss((2.5, 3.5)), seconds=0.0), "a loss and parts of one are both given"),
        (lambda: Chase(LAYOUT).predict_many([], settings=preset("article")), "settings is .*; give a list"),
        (lambda: Chase(LAYOUT).predict_many([Loss((2.5, 3.5))], settings=["easy"]), r"settings\[0\] is 'easy'"),
        (lambda: Chase(LAYOUT).predict_many([Loss((2.5, 3.5))], threads=0), "threads is 0; give a whole number"),
        (lambda: Loss((2.5, 3.5), guard_at=(1, 1), guard_view="all"), "guard_view is 'all'; give a View"),
        (lambda: Loss((2.5, 3.5), trail=[(1, 1)]), "trail is .*; give a Trail"),
        (lambda: View(cells=[[1], [2, 3]]), "cells of the view must be ids"),
        (lambda: View(cells=[2**32 + 5]), "cells of the view contain 4294967301; ids run from 0"),
        (lambda: View(cells=[3, -1]), "cells of the view contain -1; ids run from 0"),
        (lambda: View(cells=np.array([2**64 - 1], np.uint64)), "cells of the view contain 18446744073709551615"),
        (lambda: Trail([(1, 1)], "soon"), "seconds of a trail must be numbers"),
        (lambda: Pursuit(Chase, Loss((2.5, 3.5)), most_resets=1.5), "most_resets is 1.5; give a whole number"),
        (lambda: Pursuit("chase", Loss((2.5, 3.5))), "predictor is 'chase'"),
        (lambda: Pursuit(Chase(LAYOUT), Loss((2.5, 3.5)), interval=0), "interval is 0"),
        (lambda: Pursuit(Chase(LAYOUT), Loss((2.5, 3.5)), resets=2), "no setting 'resets'"),
        (lambda: Pursuit(Chase(LAYOUT), Loss((2.5, 3.5)), "often"), "conduct is 'often'; give Conduct"),
        (lambda: Pursuit(Chase(LAYOUT), (2.5, 3.5)), r"loss is \(2.5, 3.5\); give Loss"),
        (lambda: Pursuit(Chase(LAYOUT), Loss((2.5, 3.5))).perceive("gunshot"), "stimulus is 'gunshot'"),
        (lambda: Stimulus(3, (1, 1)), "kind of a stimulus is 3"),
    ],
)
def test_what_is_of_another_kind_is_named(ask, words):
    with pytest.raises(InputError, match=words):
        ask()


def test_a_stimulus_nobody_can_reach_leaves_the_chase_as_it_was():
    layout = cells_of("#######\n#.....#\n#######")
    pursuit = Pursuit(Chase(layout), Loss((1.5, 1.5), (1, 0)))
    loss, prediction = pursuit.loss, pursuit.prediction
    with pytest.raises(QueryError):
        pursuit.perceive(Stimulus("gunshot", (900, 2)))
    assert pursuit.loss is loss
    assert pursuit.prediction is prediction
    assert pursuit.resets == 0


def test_a_flood_begins_on_its_own_side_of_a_thin_wall():
    # the hall's floor along this wall fills a tenth of its column, whose cell is in the room behind the wall
    cells = build_layout(build_navmesh(sample("house")))
    seen = (5.47, 9.24, 0.0)
    flood = Chase(cells).predict(seen_at=seen, heading=(1, 0))
    assert find_path(cells.mesh, seen, cells.arrays.cell_xyz[flood.start]).length < 1.0
    assert find_path(cells.mesh, seen, flood.destination).length < 9.0
    many = Chase(cells).predict_many([Loss(seen, (1, 0))] * 2)
    assert many.start.tolist() == [flood.start] * 2


def test_a_flood_ends_on_its_own_side_of_a_thin_wall():
    # the mean of the heat is in the column of a warm cell, but on the floor of the room behind the wall
    cells = build_layout(build_navmesh(sample("house"), Body(radius=0.3)))
    flood = Chase(cells).predict(seen_at=(5.4, 3.8), heading=(-0.995, -0.1))
    assert flood.in_warm
    assert np.isfinite(heights_at(cells.mesh, [flood.mean], below=1.0, above=1.0)).all()
    cell = cells.arrays.cell_xyz[flood.cell]
    assert cell_at(cells, flood.mean) == flood.cell
    assert find_path(cells.mesh, flood.mean, cell).length > 1.5
    assert flood.destination.tolist() == pytest.approx(cell.tolist())


def test_settings_without_effect_are_named():
    assert [name for name, _ in ChaseSettings().idle()] == [
        "lead", "slack", "least_steps", "barrier_shape", "follow", "look_reach", "look_area", "look_distance"
    ]  # fmt: skip
    assert [name for name, _ in preset("belief").idle()] == ["barrier_shape", "follow"]
    assert ChaseSettings(hot=np.int64(7)).hot == 7
