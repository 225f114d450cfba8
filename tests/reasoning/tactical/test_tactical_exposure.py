"""What is seen from where, and what covers a body."""

from __future__ import annotations

import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.cells.live import LiveLayout
from lastseen.cells.query import cell_at
from lastseen.errors import InputError
from lastseen.layers.layer import Layer
from lastseen.level.sight.sight import Sight
from lastseen.reasoning.tactical.cheapest_paths import CheapestPaths
from lastseen.reasoning.tactical.cost_field import CostField
from lastseen.reasoning.tactical.exposure import cells_seen, cover_against, cover_towards, expose
from oracles import tactical as oracle
from specimens.locations import GAP, WALL, hall, hall_level

SIGHT = Sight.from_level(hall_level())
EYE = (2.5, 3.5, 1.6)


def test_34_5_6_behind_a_wall_is_hidden_the_rest_is_seen_and_the_union_is_the_or():
    cells = hall()
    layer = Layer(cells, "exposed", "bool")
    expose(layer, cells_seen(cells, SIGHT, [EYE]))
    column, row = cells.arrays.cell_grid[:, 0], cells.arrays.cell_grid[:, 1]
    assert layer.values[column < WALL].all(), "one looks over the crate at a chest"
    assert not layer.values[(column > WALL) & (row < 6)].any()
    eyes = [EYE, (9.5, 3.5, 1.6), (6.5, GAP + 0.5, 1.6)]
    single = []
    for eye in eyes:
        one = Layer(cells, "one", "bool")
        expose(one, cells_seen(cells, SIGHT, [eye]))
        single.append(one.values)
    union = Layer(cells, "all", "bool")
    touched = expose(union, cells_seen(cells, SIGHT, eyes))
    assert (union.values == np.logical_or.reduce(single)).all()
    assert (np.flatnonzero(union.values) == touched).all()
    count = Layer(cells, "count", "uint8")
    expose(count, cells_seen(cells, SIGHT, eyes))
    assert (count.values == np.sum(single, axis=0)).all()
    union.clear(touched)
    assert not union.values.any()


def test_a_crate_hides_who_lies_behind_it():
    cells = hall()
    behind = cell_at(cells, (4.5, 5.5))
    assert behind in cells_seen(cells, SIGHT, [(1.0, 5.5, 1.6)], at=1.2)[0]
    assert behind not in cells_seen(cells, SIGHT, [(1.0, 5.5, 1.6)], at=0.2)[0]


def test_a_view_has_an_angle_and_a_distance():
    cells = hall()
    seen = cells_seen(cells, SIGHT, [EYE], reach=3.0, heading=[math.pi / 2], angle=math.pi / 2)[0]
    away = cells.arrays.cell_xyz[seen].astype(float) - (2.5, 3.5, 1.6)
    assert len(seen) >= 4
    assert (np.linalg.norm(away, axis=1) <= 3.0).all()
    assert (away[:, 1] >= np.abs(away[:, 0]) - 1e-9).all()
    both = cells_seen(cells, SIGHT, [EYE, EYE], reach=[3.0, 0.5], heading=[math.pi / 2, 0.0], angle=math.pi / 2)
    assert (both[0] == seen).all()
    assert len(both[1]) == 0


@given(st.floats(0.2, 5.8), st.floats(0.2, 10.8), st.sampled_from([0.3, 1.0, 1.5]), st.sampled_from([4.0, 30.0]))
def test_cells_seen_are_those_of_single_looks(x, y, at, reach):
    eye = (x, y, 1.6)
    seen = cells_seen(hall(), SIGHT, [eye], at=at, reach=reach)[0]
    assert set(seen.tolist()) == oracle.seen_from(hall(), SIGHT, eye, reach, at)


def test_a_route_with_exposure_goes_where_it_is_not_seen():
    cells = hall()
    layer = Layer(cells, "exposed", "bool")
    expose(layer, cells_seen(cells, SIGHT, [(9.5, 8.5, 1.6)]))
    paths = CheapestPaths(cells)
    start, goal = (1.5, 8.5), (1.5, 0.5)
    plain, hidden = (
        paths.find([start] * 2, [goal] * 2),
        paths.find([start] * 2, [goal] * 2, CostField.of_layer(layer, 20)),
    )
    assert layer.values[hidden[0].cells].sum() < layer.values[plain[0].cells].sum() + 1
    assert np.array_equal(hidden[0].cells, hidden[1].cells)


def test_cells_of_a_closed_door_are_not_exposed():
    live = LiveLayout(hall())
    cut = live.cut([(2.0, 2.0), (3.0, 2.0), (3.0, 3.0), (2.0, 3.0)], 0.0, 2.0)
    shut = cell_at(live, (2.5, 2.5), include_disabled=True)
    assert shut not in cells_seen(live, SIGHT, [EYE])[0]
    live.lift(cut)
    assert shut in cells_seen(live, SIGHT, [EYE])[0]


def test_cover_from_a_direction_by_hand():
    cells = hall()
    # One metre high, the crate stops two of four heights; straight only, since it is one metre wide.
    beside = cell_at(cells, (4.5, 5.5))
    table = cover_towards(cells, SIGHT, [beside], [(-1, 0), (1, 0), (0, 1)], fan=0.0)
    assert table.tolist() == [[0.5, 1.0, 0.0]]
    wall = cell_at(cells, (5.5, 2.5))
    assert cover_towards(cells, SIGHT, [wall], (2, 0))[0, 0] == 1.0
    assert cover_towards(cells, SIGHT, [wall], (2, 0), reach=0.4)[0, 0] == 0.0, "the wall is half a metre off"
    against = cover_against(cells, SIGHT, [beside, wall], [(1.0, 5.5, 0.5), (9.5, 2.5, 1.6)])
    assert against[0, 0] == 0.75, "from knee height one sees the head only"
    assert against[:, 1].tolist() == [1.0, 1.0]


@given(st.integers(0, 130), st.floats(0.0, 6.28), st.sampled_from([1.0, 3.0, 9.0]))
def test_cover_is_a_share_that_grows_with_the_reach(cell, angle, reach):
    cells = hall()
    way = (math.cos(angle), math.sin(angle))
    near = cover_towards(cells, SIGHT, [cell], way, reach=reach)[0, 0]
    far = cover_towards(cells, SIGHT, [cell], way, reach=2.0 * reach)[0, 0]
    assert 0.0 <= near <= far <= 1.0
    assert near * 12 == round(near * 12)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: cells_seen(hall(), None, [EYE]), "Sight.from_level"),
        (lambda: cells_seen(None, SIGHT, [EYE]), "CellLayout"),
        (lambda: cells_seen(hall(), SIGHT, [EYE], reach=-1), "reach"),
        (lambda: cells_seen(hall(), SIGHT, [EYE], heading=[1, 2]), "heading"),
        (lambda: cells_seen(hall(), SIGHT, [EYE], heading=0, angle=0), "angle"),
        (lambda: cover_towards(hall(), SIGHT, [0], (0, 0)), "direction"),
        (lambda: cover_towards(hall(), SIGHT, [0], [(1, 2, 3)]), "directions"),
        (lambda: cover_towards(hall(), SIGHT, [-1], (1, 0)), "cell -1"),
        (lambda: cover_towards(hall(), SIGHT, [0], (1, 0), heights=()), "heights"),
        (lambda: cover_against(hall(), SIGHT, [0], [(1,)]), "eyes_xyz"),
        (lambda: expose(Layer(hall(), "a"), None), "cells_seen"),
        (lambda: expose(None, cells_seen(hall(), SIGHT, [])), "Layer"),
    ],
)
def test_bad_arguments_of_exposure_are_told(call, words):
    with pytest.raises(InputError, match=words):
        call()
