"""Doors and cuts: a chase respects those active at the time of the call, on cells of every kind of mesh."""

import math
from functools import lru_cache

import numpy as np
import pytest

from lastseen.cells.build import build_layout
from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at, nearest_cell
from lastseen.errors import QueryError
from lastseen.level.samples import sample
from lastseen.navmesh.body import Body
from lastseen.navmesh.build import build_navmesh
from lastseen.reasoning.chase.baselines import DeadReckoning, ParticleFilter
from lastseen.reasoning.chase.flood.chase import Chase
from lastseen.reasoning.chase.flood.chase_settings import ChaseSettings, preset
from lastseen.reasoning.chase.loss import Loss, View
from oracles.chase import closed_cells, neighbours_of, plain_flood
from specimens.chase import cells_of

DOORS = {"tiles": ("door 1", "door 2", "door 9"), "polygons": ("kitchen door", "gallery door", "study door")}
DOORS["voxels"] = DOORS["polygons"]
CHOSEN = ChaseSettings(hot=30, max_heated=1000, max_steps=25)
BELIEVING = preset("belief").but(
    barrier="belief", about_turns="allowed", max_heated=1000, max_steps=25, least_steps=0, look_round=0
)


@lru_cache
def ground(kind):
    if kind == "tiles":
        level = sample("warehouse")
        return level, build_layout(build_navmesh(level, Body(radius=0.0)))
    level = sample("house")
    return level, build_layout(build_navmesh(level, builder="voxel" if kind == "voxels" else "polygon"))


def losses(layout, count=12):
    """Return losses all over a layout, each with a guard on another cell and a random view."""
    random = np.random.default_rng(3)
    spots = layout.arrays.cell_xyz.astype(float)
    found = []
    for start, guard in random.choice(len(layout), (count, 2), replace=False):
        way, look = (np.array([math.cos(angle), math.sin(angle)]) for angle in random.uniform(0, 2 * math.pi, 2))
        found.append(Loss(spots[start], way, seconds=0.5, guard_at=spots[guard], guard_view=View(look, 2.0)))
    return found


def open_losses(live, layout):
    """Return the losses whose places no active cut covers."""
    return [loss for loss in losses(layout) if cell_at(live, loss.seen_at) >= 0 and cell_at(live, loss.guard_at) >= 0]


def facts(flood):
    """Return everything a flood says, but not the cells it ran on."""
    said = {name: value for name, value in sorted(vars(flood).items()) if name != "layout"}
    return {name: value.tolist() if isinstance(value, np.ndarray) else value for name, value in said.items()}


def shut(live, level, kind):
    for door in DOORS[kind]:
        live.close_door(level, door)
    place = losses(live.layout)[0].seen_at + np.array([1.5, 0.5, 0.0])
    crate = [(place[0] + x, place[1] + y) for x, y in ((-0.6, -0.6), (0.6, -0.6), (0.6, 0.6), (-0.6, 0.6))]
    return live.cut(crate, float(place[2]), float(place[2]) + 1.0)


@pytest.mark.parametrize("kind", DOORS)
def test_floods_run_over_the_cells_and_links_that_are_open_now(kind):
    level, layout = ground(kind)
    live = LiveLayout(layout)
    chase = Chase(live, settings=CHOSEN)  # made while everything is open
    shut(live, level, kind)
    position = {cell: tuple(map(float, xyz)) for cell, xyz in enumerate(layout.arrays.cell_xyz)}
    neighbours, changed = neighbours_of(live.arrays), 0
    assert neighbours != neighbours_of(layout.arrays)
    for loss in open_losses(live, layout):
        flood = chase.predict(loss)
        plain = plain_flood(position, neighbours, flood.start, loss.heading, CHOSEN)
        assert dict(zip(flood.warm.tolist(), flood.values.tolist())) == plain.warm
        assert set(flood.barrier.tolist()) == plain.barrier
        assert (flood.reason, flood.heated.tolist()) == (plain.reason, plain.heated)
        changed += facts(flood) != facts(Chase(layout, settings=CHOSEN).predict(loss))
    assert changed >= 2


@pytest.mark.parametrize("kind", DOORS)
def test_belief_floods_know_the_doors_that_are_closed_now(kind):
    level, layout = ground(kind)
    live = LiveLayout(layout)
    chase = Chase(live, settings=BELIEVING)
    shut(live, level, kind)
    position = {cell: tuple(map(float, xyz)) for cell, xyz in enumerate(layout.arrays.cell_xyz)}
    neighbours, changed = neighbours_of(live.arrays), 0
    for loss in open_losses(live, layout):
        flood, view = chase.predict(loss), loss.guard_view
        seen = (view.heading, view.angle, view.distance)
        guard = nearest_cell(live, loss.guard_at)
        closed = closed_cells(live, neighbours, flood.start, guard, loss.guard_at, seen, 2.0, BELIEVING)
        left = {cell: [other for other in others if other not in closed] for cell, others in neighbours.items()}
        plain = plain_flood(position, left, flood.start, None, BELIEVING)
        assert dict(zip(flood.warm.tolist(), flood.values.tolist())) == plain.warm
        assert (flood.reason, flood.heated.tolist()) == (plain.reason, plain.heated)
        changed += facts(flood) != facts(Chase(layout, settings=BELIEVING).predict(loss))
    assert changed >= 1


@pytest.mark.parametrize("kind", DOORS)
@pytest.mark.parametrize("name", ["article", "belief", "corridors"])
def test_open_again_every_answer_is_as_before_to_the_last_bit(kind, name):
    level, layout = ground(kind)
    live, asked = LiveLayout(layout), losses(layout)
    chase = Chase(live, name)
    before = [facts(chase.predict(loss)) for loss in asked]
    assert before == [facts(Chase(layout, name).predict(loss)) for loss in asked]
    crate = shut(live, level, kind)
    still = open_losses(live, layout)
    shut_floods = chase.predict_many(still)
    for number, loss in enumerate(still):
        assert shut_floods.destination[number].tolist() == chase.predict(loss).destination.tolist()
    live.lift(crate)
    for door in DOORS[kind]:
        live.open_door(level, door)
    assert [facts(chase.predict(loss)) for loss in asked] == before
    assert chase.predict_many(asked).destination.tolist() == [flood["destination"] for flood in before]


CORRIDOR = """
    ############
    #S.........#
    ############
    """


def test_a_closed_door_stops_every_predictor_and_an_open_one_none():
    layout = cells_of(CORRIDOR)
    live, loss = LiveLayout(layout), Loss((1.5, 1.5), (1, 0))
    predictors = Chase(live), DeadReckoning(live), ParticleFilter(live, ahead=3.0)
    free = [predictor.predict(loss).destination.tolist() for predictor in predictors]
    door = live.cut([(4.9, 0.9), (5.1, 0.9), (5.1, 2.1), (4.9, 2.1)], 0.0, 2.0)
    assert not live.arrays.disabled.any()  # thinner than a cell: only links are blocked
    assert all(predictor.predict(loss).destination[0] < 5.0 for predictor in predictors)
    live.lift(door)
    assert [predictor.predict(loss).destination.tolist() for predictor in predictors] == free
    assert all(place[0] > 5.0 for place in free)


def test_a_cut_over_the_place_last_seen_is_refused_until_it_is_lifted():
    live = LiveLayout(cells_of(CORRIDOR))
    chase = Chase(live)
    crate = live.cut([(1.1, 1.1), (1.9, 1.1), (1.9, 1.9), (1.1, 1.9)], 0.0, 1.0)
    with pytest.raises(
        QueryError, match=r"seen_at \(1.5, 1.5, 0\) lies in cell \d+, which is disabled .* lift the cut"
    ):
        chase.predict(seen_at=(1.5, 1.5), heading=(1, 0))
    live.lift(crate)
    assert chase.predict(seen_at=(1.5, 1.5), heading=(1, 0)).reason == "no_cells"


@pytest.mark.parametrize("kind", ["polygons", "voxels"])
def test_a_flood_climbs_the_stairs_and_a_crate_on_them_keeps_it_down(kind):
    _, layout = ground(kind)
    live, z = LiveLayout(layout), layout.arrays.cell_xyz[:, 2]
    chase = Chase(live, settings=ChaseSettings(hot=127, max_heated=1000, max_steps=60))
    below = layout.arrays.cell_xyz[np.flatnonzero(z < 0.1)[0]]
    assert z[chase.predict(seen_at=below).warm].max() > 2.9
    stairs = layout.arrays.cell_xyz[(z > 1.0) & (z < 2.0), :2]
    (west, south), (east, north) = stairs.min(axis=0) - 2.0, stairs.max(axis=0) + 2.0
    crate = live.cut([(west, south), (east, south), (east, north), (west, north)], 1.0, 1.6, inflate=0.0)
    kept = z[chase.predict(seen_at=below).warm]
    assert kept.max() < 2.0
    live.lift(crate)
    assert z[chase.predict(seen_at=below).warm].max() > 2.9
