"""Cheapest walks: by hand, against plain Dijkstra, and at no more cost than what they touch."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.walk.cost_field import BAR_COLUMNS, SHAPE_COLUMNS, FieldArrays
from lastseen.kernels.walk.cost_path import NO_WAY, REACHED, TOO_DEAR, CostWork, cheapest_way
from oracles.layers import links_of
from oracles.tactical import cheapest
from specimens.layers import grid_layout, open_floor, with_disabled

TWO_WAYS = """
#.......#
..#####..
#.......#
"""


def work_for(count):
    return CostWork(
        cost=np.full(count, np.inf),
        extra=np.full(count, np.nan),
        before=np.full(count, -7, np.int32),
        place=np.full(count, -7, np.int32),
        heap=np.zeros(count, np.uint32),
        key=np.zeros(count),
        touched=np.zeros(count, np.uint32),
    )


def field_of(base, bars=()):
    return FieldArrays(
        np.asarray(base, float), np.zeros((0, SHAPE_COLUMNS)), np.array(bars, float).reshape(-1, BAR_COLUMNS)
    )


def find(layout, start, goal, base=None, bars=(), most=math.inf, work=None):
    count = len(layout)
    work = work_for(count) if work is None else work
    way = np.zeros(count, np.uint32)
    field = field_of(np.zeros(count) if base is None else base, bars)
    status, price, length, touched = cheapest_way(layout.arrays, field, start, goal, most, work, way)
    assert np.isinf(work.cost).all(), "the work arrays rest"
    return status, price, way[:length][::-1].tolist(), touched


def test_34_5_7_exposure_of_no_weight_is_the_shortest_and_of_much_the_hidden_detour():
    # Three exposed tiles at 1 + 2 each are 9; the detour has 7 hidden ones.
    layout = grid_layout(".....\n.###.\n.....")
    start, goal = layout.cell_of[0, 0], layout.cell_of[4, 0]
    exposed = np.zeros(len(layout))
    exposed[[layout.cell_of[x, 0] for x in (1, 2, 3)]] = 1.0
    assert find(layout, start, goal, 0.0 * exposed)[1:3] == (4.0, [layout.cell_of[x, 0] for x in range(5)])
    status, price, way, _ = find(layout, start, goal, 2.0 * exposed)
    assert (status, price) == (REACHED, 8.0)
    assert layout.cell_of[2, 2] in way
    assert layout.cell_of[2, 0] not in way
    # half as much a metre: 4 + 3 = 7 along the exposed side
    assert find(layout, start, goal, 1.0 * exposed)[1] == 7.0


def test_bars_shut_what_lies_behind_them():
    layout = grid_layout(TWO_WAYS)
    start, goal = layout.cell_of[0, 1], layout.cell_of[8, 1]
    upper = (4.0, -1.0, 4.0, 1.0, -1.0, 1.0)
    lower = (4.0, 2.0, 4.0, 4.0, -1.0, 1.0)
    for bars, inside in (([upper], (4, 2)), ([lower], (4, 0))):
        status, _, way, _ = find(layout, start, goal, bars=bars)
        assert status == REACHED
        assert layout.cell_of[inside] in way
    assert find(layout, start, goal, bars=[upper, lower])[:2] == (NO_WAY, math.inf)


def test_a_way_that_is_too_dear_is_given_up_early():
    layout = open_floor(60, 60)
    work = work_for(len(layout))
    status, price, way, touched = find(layout, 0, 59, most=20.0, work=work)
    assert (status, price, way) == (TOO_DEAR, math.inf, [])
    assert touched < 3, "it is too far as the crow flies"
    assert find(layout, 0, 59, most=59.0, work=work)[1] == pytest.approx(59.0)
    assert find(layout, 0, 5, work=work)[3] < 40, "cost follows what is touched"


@given(st.data())
def test_costs_equal_plain_dijkstra(data):
    rows = data.draw(st.lists(st.text("..#", min_size=7, max_size=7), min_size=3, max_size=6))
    rows[0] = "." + rows[0][1:]
    layout = grid_layout("\n".join(rows))
    count = len(layout)
    some = st.lists(st.integers(0, count - 1), max_size=3)
    disabled = data.draw(some)
    layout = with_disabled(layout, disabled)
    base = np.array(data.draw(st.lists(st.sampled_from([0.0, 0.5, 3.0, 40.0]), min_size=count, max_size=count)))
    start, goal = data.draw(st.integers(0, count - 1)), data.draw(st.integers(0, count - 1))
    bars = [(2.1, 0.2, 2.3, 2.9, -1.0, 1.0)] if data.draw(st.booleans()) else []
    ends = [((bar[0], bar[1]), (bar[2], bar[3])) for bar in bars]
    true = cheapest(layout, lambda cell: base[cell], start, goal, ends)
    status, price, way, _ = find(layout, start, goal, base, bars)
    assert price == pytest.approx(true, rel=1e-9)
    assert (status == REACHED) == math.isfinite(true)
    if way:
        ways = links_of(layout)
        paid = sum(dict(ways[a])[b] * (1.0 + (base[a] + base[b]) / 2.0) for a, b in itertools.pairwise(way))
        assert (way[0], way[-1]) == (start, goal)
        assert paid == pytest.approx(true, rel=1e-9)
        assert find(layout, start, goal, base, bars, most=true * (1.0 - 1e-3) - 1e-3)[0] in (TOO_DEAR, NO_WAY)
