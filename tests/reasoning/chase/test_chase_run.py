"""However a flood is divided into calls, its result is the same."""

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.build import build_layout
from lastseen.cells.query import cell_at, cells_at
from lastseen.chase import paint
from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import PRESETS, ChaseSettings, preset
from lastseen.reasoning.chase.loss import Loss, Losses, View
from specimens.chase import ROOMS as LAYOUT
from specimens.chase import cells_of, losses, with_bits

FLOODS = [ChaseSettings(max_heated=12), preset("belief"), preset("corridors"), preset("total cells")]


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
    floods = chase.predict_many(many, threads=1)
    thrice = [*many, *many, *many]  # enough for several threads
    assert chase.predict_many(thrice, threads=2).destination.tolist() == floods.destination.tolist() * 3
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
    each = [FLOODS[number % 4] for number in range(450)]
    alone, together = (chase.predict_many(losses(450), settings=each, threads=count) for count in (1, 2))
    assert_same(alone, together)


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
    # Bodies keep away from walls: the floor fills only part of the cells along them, and means may be off it.
    layout = build_layout(build_navmesh(sample("rooms"), Body(radius=radius)))
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
    # enough ids for the flood, but of other places
    larger = Layer(cells_of("\n".join(["." * 30] * 30)), "heat", "int8")
    with pytest.raises(QueryError, match=f"layer 'heat' has 900 cells but the flooded layout has {len(LAYOUT)}; give"):
        paint(larger, flood)
    assert not larger.values.any()


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
