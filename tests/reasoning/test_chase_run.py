"""However a flood is run, its end is the same; what is asked wrongly is answered with what to do."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at, cells_at
from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.level.samples import sample
from lastseen.navmesh.agent import Agent
from lastseen.navmesh.build import build_navmesh
from lastseen.navmesh.path import find_path
from lastseen.reasoning.chase.chase import Chase
from lastseen.reasoning.chase.loss import Loss, Trail, View
from lastseen.reasoning.chase.losses import Losses
from lastseen.reasoning.chase.paint import paint
from lastseen.reasoning.chase.pursuit import Pursuit, Stimulus
from lastseen.reasoning.chase.settings import PRESETS, ChaseSettings, preset
from specimens_chase import cells_of, with_bits

TEXT = """
    ##########################
    #.......#................#
    #.......#....####........#
    #............#..#........#
    #.......#....#...........#
    #.......#....####........#
    #.......#................#
    ##########################
    """
LAYOUT = cells_of(TEXT)
FLOODS = [ChaseSettings(max_heated=12), preset("belief"), preset("corridors"), preset("total cells")]


def losses(count: int, seed: int = 0) -> list[Loss]:
    random = np.random.default_rng(seed)
    cells = random.integers(0, len(LAYOUT), (2, count))
    spots = LAYOUT.arrays.cell_xyz.astype(float)
    angles = random.uniform(0, 2 * math.pi, (2, count))
    return [
        Loss(
            spots[cells[0, n]],
            (math.cos(angles[0, n]), math.sin(angles[0, n])) if n % 5 else None,
            seconds=0.4,
            guard_at=spots[cells[1, n]] if n % 3 else None,
            guard_view=View((math.cos(angles[1, n]), math.sin(angles[1, n]))) if n % 3 == 1 else None,
        )
        for n in range(count)
    ]


def assert_same(one, other):
    for name, value in vars(one).items():
        if isinstance(value, np.ndarray):
            assert value.tolist() == getattr(other, name).tolist(), name
        else:
            assert value == getattr(other, name), name


@pytest.mark.parametrize("chosen", FLOODS)
@given(st.integers(0, 59), st.lists(st.integers(0, 9), min_size=1, max_size=30))
def test_a_flood_cut_into_frames_ends_as_one_run_at_once(chosen, number, frames):
    chase = Chase(LAYOUT, settings=chosen)
    loss = losses(60)[number]
    run = chase.start(loss)
    for steps in frames:
        run.advance(steps)
        assert run.done or run.result().reason == "running"
    while not run.advance(3):
        pass
    assert_same(run.result(), chase.predict(loss))
    assert run.result() is run.result()


@pytest.mark.parametrize("chosen", FLOODS)
def test_many_at_once_are_the_same_as_one_by_one(chosen):
    chase = Chase(LAYOUT, settings=chosen)
    many = losses(150)
    floods = chase.predict_many(many, threads=2)
    assert floods.destination.tolist() == chase.predict_many(many, threads=1).destination.tolist()
    for number, loss in enumerate(many):
        one = chase.predict(loss)
        assert floods.destination[number].tolist() == one.destination.tolist()
        assert (floods.cell[number], floods.steps[number]) == (one.cell, one.steps)
        assert (floods[number].reason, floods[number].cell) == (one.reason, one.cell)
        assert floods.heated[number] == 1 + one.heated.sum()
        assert (floods.warm[number], floods.barrier[number]) == (len(one.warm), len(one.barrier))
        assert (floods.closed[number], floods.moved[number]) == (len(one.closed), one.moved)
        assert (floods.in_warm[number], floods.has_barrier[number]) == (one.in_warm, one.has_barrier)


def test_each_of_many_may_have_settings_of_its_own():
    chase, many = Chase(LAYOUT), losses(40)
    each = [FLOODS[number % 4] for number in range(40)]
    floods = chase.predict_many(many, settings=each)
    for number, loss in enumerate(many):
        one = Chase(LAYOUT, settings=each[number]).predict(loss)
        assert floods.destination[number].tolist() == one.destination.tolist()
        assert floods.steps[number] == one.steps
    with pytest.raises(InputError, match="3 settings for 40 losses"):
        chase.predict_many(many, settings=each[:3])


@pytest.mark.parametrize("chosen", FLOODS)
@pytest.mark.parametrize("steps", [1, 7, 1000])
def test_a_queue_within_frames_answers_the_same(chosen, steps):
    chase, many = Chase(LAYOUT, settings=chosen), losses(50)
    queue = chase.queue(many)
    frames, finished = 0, [0]
    while not queue.advance(steps):
        frames += 1
        finished.append(queue.finished)
        assert queue.result()[-1].reason == "running"
    floods = chase.predict_many(many)
    assert finished == sorted(finished)
    assert_same(queue.result(), floods)
    if chosen.barrier == "momentum":
        assert frames == (floods.steps.sum() - 1) // steps or frames == floods.steps.sum() // steps


def test_no_losses_give_no_answers():
    floods = Chase(LAYOUT).predict_many([])
    assert (len(floods), floods.destination.shape) == (0, (0, 3))
    assert Chase(LAYOUT).queue([]).advance(1)
    assert len(Chase(LAYOUT, "belief").predict_many([])) == 0


def test_arrays_of_losses_are_the_same_as_a_list():
    many = losses(60)
    arrays = Losses(
        seen_at=[loss.seen_at for loss in many],
        heading=np.array([loss.heading * 7.0 for loss in many]),
        seconds=0.4,
        guard_at=[[math.nan] * 3 if loss.guard_at is None else loss.guard_at for loss in many],
        view_heading=[[0, 0, 0] if loss.guard_view is None else loss.guard_view.heading for loss in many],
        view_angle=[math.nan if loss.guard_view is None else loss.guard_view.angle for loss in many],
    )
    for name in ("article", "belief"):
        chase = Chase(LAYOUT, name)
        assert chase.predict_many(arrays).cell.tolist() == chase.predict_many(many).cell.tolist()


def test_over_time_a_step_is_due_whenever_the_runner_crosses_a_cell():
    run = Chase(LAYOUT, settings=ChaseSettings(max_heated=100)).start(Loss((2.5, 3.5), (1, 0), speed=5.0))
    made = []
    for seconds in (0.0, 0.19, 0.2, 0.39, 0.41, 1.0, 0.5):
        run.advance_to(seconds)
        made.append(run.steps)
    assert made == [0, 0, 1, 1, 2, 5, 5]
    assert not run.done
    slow = Chase(LAYOUT, settings=ChaseSettings(max_heated=100)).start(Loss((2.5, 3.5), (1, 0)))
    slow.advance_to(10.0, interval=3.0)
    assert slow.steps == 3
    assert slow.advance_to(1000.0, speed=1.0)
    assert (
        slow.result().destination.tolist()
        == Chase(LAYOUT, settings=ChaseSettings(max_heated=100))
        .predict(seen_at=(2.5, 3.5), heading=(1, 0))
        .destination.tolist()
    )
    with pytest.raises(InputError, match="not both"):
        slow.advance_to(1.0, speed=1.0, interval=1.0)


@pytest.mark.parametrize("name", ["article", "belief"])
def test_more_steps_than_there_are_numbers_for_end_the_flood(name):
    chase, loss = Chase(LAYOUT, name), losses(8)[7]
    whole = chase.predict(loss)
    asked = [
        lambda run: run.advance(2**70),
        lambda run: run.advance_to(1e6, interval=1e-320),
        lambda run: run.advance_to(1e6, interval=1e-300),
        lambda run: run.advance_to(1e6, speed=1e3),
    ]
    for ask in asked:
        run = chase.start(loss)
        assert ask(run)
        assert_same(run.result(), whole)
    queue = chase.queue([loss])
    assert queue.advance(2**70)


@pytest.mark.parametrize("radius", [0.2, 0.4])
@pytest.mark.parametrize("name", ["article", "belief", "corridors"])
def test_the_cell_of_a_destination_is_the_one_it_lies_in(name, radius):
    # Walls keep bodies off: the floor fills a part of the cells along them only, and means fall beside it.
    layout = build_layout(build_navmesh(sample("rooms"), Agent(radius=radius)))
    chase = Chase(layout, name)
    random = np.random.default_rng(5)
    angle, spots = random.uniform(0, 2 * math.pi, 120), layout.arrays.cell_xyz.astype(float)
    where, guards = spots[random.integers(0, len(layout), (2, 120))]
    many = Losses(
        seen_at=where, heading=np.column_stack([np.cos(angle), np.sin(angle)]), guard_at=guards, view_angle=2.0
    )
    floods = chase.predict_many(many)
    assert cells_at(layout, floods.destination).tolist() == floods.cell.tolist()
    for number in range(0, 120, 7):
        one = chase.predict(
            Loss(where[number], many.heading[number], guard_at=guards[number], guard_view=View(angle=2.0))
        )
        assert (one.cell, one.destination.tolist()) == (floods.cell[number], floods.destination[number].tolist())
        assert one.in_warm == floods.in_warm[number] == (cell_at(layout, one.mean) in one.warm)


def test_a_flood_is_painted_on_a_layer_and_wiped_off_by_its_own_cells():
    layer = Layer(LAYOUT, "heat", "int8")
    flood = Chase(LAYOUT).predict(seen_at=(2.5, 3.5), heading=(1, 0))
    layer.values[:] = 99
    cells = paint(layer, flood)
    assert sorted(cells.tolist()) == sorted([*flood.warm.tolist(), *flood.barrier.tolist()])
    assert layer.values[flood.warm].tolist() == flood.values.tolist()
    assert set(layer.values[flood.barrier].tolist()) == {-1}
    assert (layer.values == 99).sum() == len(layer) - len(cells)
    layer.clear(cells)
    assert (layer.values[cells] == 0).all()
    believed = Chase(LAYOUT, "belief").predict(
        seen_at=(10.5, 3.5), heading=(1, 0), guard_at=(7.5, 3.5), guard_view=View((1, 0))
    )
    paint(layer, believed)
    assert len(believed.closed)
    assert set(layer.values[believed.closed].tolist()) == {-2}
    with pytest.raises(QueryError, match="a flood needs int8"):
        paint(Layer(LAYOUT, "heat", "uint8"), flood)


def test_disabled_cells_are_walls_and_results_are_read_only():
    door = cell_at(LAYOUT, (8.5, 3.5))
    closed = with_bits(LAYOUT, [door])
    flood = Chase(closed, settings=ChaseSettings(max_heated=100, max_steps=40)).predict(seen_at=(2.5, 3.5))
    assert flood.reason == "no_cells"
    assert LAYOUT.arrays.cell_xyz[flood.warm, 0].max() < 8.0
    with pytest.raises(ValueError, match="read-only"):
        flood.values[0] = 3


@pytest.mark.parametrize("name", PRESETS)
def test_every_preset_runs(name):
    flood = Chase(LAYOUT, name).predict(losses(8)[7])
    assert flood.reason in ("no_cells", "too_many", "max_steps")
    assert flood.steps >= 1


def test_presets_reproduce_what_public_versions_do_differently():
    open_floor = cells_of("\n".join(["." * 31] * 31))
    known = {"seen_at": (15.5, 15.5), "heading": (1, 0)}
    found = {name: Chase(open_floor, name).predict(**known) for name in PRESETS}
    assert len(found["no barrier"].barrier) == 0
    assert len(found["narrow cone"].barrier) != len(found["article"].barrier)
    assert found["plain mean"].mean[0] != found["article"].mean[0]
    assert found["plain mean"].values.tolist() == found["article"].values.tolist()
    assert 1 + found["total cells"].heated.sum() > 200
    assert 1 + found["total cells"].heated[:-1].sum() <= 200
    assert len(found["inclusive"].barrier) > len(found["article"].barrier)


def test_a_cone_is_measured_from_the_start_cell():
    open_floor = cells_of("\n".join(["." * 31] * 31))
    flood = Chase(open_floor, settings=preset("narrow cone").but(max_heated=500, max_steps=10)).predict(
        seen_at=(15.5, 15.5), heading=(1, 0)
    )
    away = open_floor.arrays.cell_xyz[flood.barrier, :2].astype(float) - 15.5
    angle = np.degrees(np.arctan2(np.abs(away[:, 1]), -away[:, 0]))
    assert len(flood.barrier)
    assert angle.max() <= 75.1


# What is asked wrongly


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"hot": 0}, "hot is 0; give a whole number from 1 to 127"),
        ({"hot": 128}, "one signed byte"),
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
        ({"barrier": "none", "behind": "inclusive"}, "about the barrier of momentum"),
        ({"barrier": "belief", "exits": "opened"}, "about the barrier of momentum"),
        ({"barrier": "both", "exits": "opened"}, "about the barrier of momentum"),
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
    with pytest.raises(InputError, match="worth is 0 or more"):
        Chase(LAYOUT, worth=Layer(LAYOUT, "bad", "float32", fill=-1.0))
    with pytest.raises(QueryError, match="of another layout"):
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


@pytest.mark.parametrize(
    ("ask", "words"),
    [
        (lambda: Chase("cells"), "layout is 'cells'; give a CellLayout"),
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
        (lambda: View(cells=[2**32 + 5]), "cells of the view hold 4294967301; ids run from 0"),
        (lambda: View(cells=[3, -1]), "cells of the view hold -1; ids run from 0"),
        (lambda: View(cells=np.array([2**64 - 1], np.uint64)), "cells of the view hold 18446744073709551615"),
        (lambda: Trail([(1, 1)], "soon"), "seconds of a trail must be numbers"),
        (lambda: Pursuit(Chase, Loss((2.5, 3.5)), most_resets=1.5), "most_resets is 1.5; give a whole number"),
        (lambda: Pursuit("chase", Loss((2.5, 3.5))), "predictor is 'chase'"),
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


def test_settings_without_effect_are_named():
    assert [name for name, _ in ChaseSettings().idle()] == [
        "lead", "slack", "least_steps", "follow", "look_reach", "look_area", "look_distance"
    ]  # fmt: skip
    assert [name for name, _ in preset("belief").idle()] == ["follow"]
    assert ChaseSettings(hot=np.int64(7)).hot == 7
