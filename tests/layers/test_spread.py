import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.layers.spread import Falloff, Spread
from oracles import layers as layers_oracle
from specimens.layers import grid_layout, open_floor, with_disabled

ROOMS = """
......
.##.#.
.#..#.
.####.
......
"""
MAP = grid_layout(ROOMS)
COUNT = len(MAP)
LINKS = len(MAP.arrays.link_cell)
cells = st.integers(0, COUNT - 1)


def found(reached):
    return dict(zip(reached.cells.tolist(), reached.metres.tolist()))


def test_distance_goes_round_walls():
    corridor = grid_layout("...\n.#.\n.#.")
    here, there = corridor.cell_of[0, 2], corridor.cell_of[2, 2]
    reached = Spread(corridor).distances([here])
    assert found(reached)[there] == 6.0
    assert reached.cells[0] == here
    assert (np.diff(reached.metres) >= 0).all()


def test_diagonal_steps_are_counted_by_their_length():
    floor = open_floor(4, 4)
    reached = found(Spread(floor).distances([0]))
    assert reached[15] == pytest.approx(3 * math.sqrt(2), rel=1e-7)
    assert reached[7] == pytest.approx(2 + math.sqrt(2), rel=1e-7)


def test_nearest_of_several_sources_is_named():
    corridor = grid_layout(".........")
    reached = Spread(corridor).distances([8, 1])
    owner = dict(zip(reached.cells.tolist(), reached.source.tolist()))
    assert owner[0] == 1
    assert owner[7] == 0
    assert found(reached)[4] == 3.0


def test_reach_bounds_what_is_touched():
    reached = Spread(open_floor(50, 50)).distances([1275], reach=2.0)
    assert len(reached) == 13
    assert reached.metres.max() == 2.0


def test_sources_that_are_disabled_or_absent_reach_nothing():
    assert len(Spread(with_disabled(MAP, [3])).distances([3])) == 0
    assert len(Spread(MAP).distances([])) == 0


@given(
    sources=st.lists(cells, min_size=1, max_size=4),
    reach=st.just(math.inf) | st.floats(0, 12),
    disabled=st.sets(cells, max_size=6),
    blocked=st.sets(st.integers(0, LINKS - 1), max_size=12),
    ids=st.sampled_from([np.uint16, np.uint32]),
)
def test_distances_equal_plain_dijkstra_to_the_last_bit(sources, reach, disabled, blocked, ids):
    layout = grid_layout(ROOMS, ids=ids, disabled=disabled, blocked=blocked)
    reached = Spread(layout).distances(sources, reach=reach)
    assert found(reached) == layers_oracle.distances(layout, sources, reach)
    assert len(reached) == len(set(reached.cells.tolist()))
    assert not disabled.intersection(reached.cells.tolist())


@given(st.lists(st.tuples(st.lists(cells, max_size=3), st.floats(0, 10)), min_size=2, max_size=6))
def test_a_used_spread_answers_like_a_fresh_one(questions):
    used = Spread(MAP)
    layer = Layer(MAP, "heat", "float64")
    for sources, reach in questions:
        used.influence(layer, sources, Falloff.linear(reach + 0.1), combine="sum")
        again, fresh = used.distances(sources, reach=reach), Spread(MAP).distances(sources, reach=reach)
        for name in ("cells", "metres", "source"):
            assert np.array_equal(getattr(again, name), getattr(fresh, name))


@given(cells, cells, cells)
def test_distance_is_symmetric_and_no_detour_is_shorter(a, b, c):
    walk = Spread(MAP)
    from_a, from_b = found(walk.distances([a])), found(walk.distances([b]))
    assert from_a.keys() == layers_oracle.distances(MAP, [a]).keys()
    if b in from_a:
        assert from_a[b] == pytest.approx(from_b[a], rel=1e-12)
        if c in from_b:
            assert from_a[c] <= from_a[b] + from_b[c] + 1e-9


def test_linear_influence_of_radius_eight():
    floor = open_floor(21, 1)
    heat = Layer(floor, "heat", "float32")
    touched = Spread(floor).influence(heat, [10], Falloff.linear(8.0))
    assert heat.values[[10, 14, 18, 19]].tolist() == [1.0, 0.5, 0.0, 0.0]
    assert sorted(touched.tolist()) == list(range(2, 19))


def test_power_curve_of_exponent_four():
    floor = open_floor(11, 1)
    threat = Layer(floor, "threat", "float64")
    Spread(floor).influence(threat, [0], Falloff.power(10.0))
    assert threat.values[[2, 5, 8]] == pytest.approx([0.9984, 0.9375, 0.5904])


def test_strength_three_starts_at_three_and_ends_at_zero():
    floor = open_floor(11, 1)
    threat = Layer(floor, "threat", "float64")
    Spread(floor).influence(threat, [0], Falloff.power(10.0, 2.0), strengths=3.0)
    assert threat.values[0] == 3.0
    assert threat.values[10] == 0.0


def test_exponential_influence_halves():
    floor = open_floor(21, 1)
    heat = Layer(floor, "heat", "float64")
    Spread(floor).influence(heat, [0], Falloff.exponential(2.0))
    assert heat.values[[0, 2, 4, 16, 17]].tolist() == [1.0, 0.5, 0.25, 1 / 256, 0.0]
    heat.clear()
    Spread(floor).influence(heat, [0], Falloff.exponential(2.0, reach=3.0))
    assert np.flatnonzero(heat.values).tolist() == [0, 1, 2, 3]


def test_sources_add_up_or_the_strongest_holds():
    floor = open_floor(9, 1)
    walk, heat = Spread(floor), Layer(floor, "heat", "float32")
    walk.influence(heat, [0, 8], Falloff.linear(8.0), combine="sum")
    assert heat.values.tolist() == [1.0] * 9
    heat.clear()
    walk.influence(heat, [0, 8], Falloff.linear(8.0))
    assert heat.values.tolist() == [1.0, 0.875, 0.75, 0.625, 0.5, 0.625, 0.75, 0.875, 1.0]


def test_clearing_what_was_touched_leaves_no_trace():
    heat = Layer(MAP, "heat", "int8")
    touched = Spread(MAP).influence(heat, [0, 5], Falloff.linear(4.0), strengths=100)
    assert heat.values.any()
    heat.clear(touched)
    assert not heat.values.any()


def test_int8_influence_is_held_at_its_end():
    floor = open_floor(5, 1)
    heat = Layer(floor, "heat", "int8", low=0)
    Spread(floor).influence(heat, [0, 0, 0], Falloff.linear(4.0), strengths=100, combine="sum")
    assert heat.values.tolist() == [127, 127, 127, 75, 0]
    Spread(floor).influence(heat, [0], Falloff.linear(4.0), strengths=-200, combine="sum")
    assert heat.values.tolist() == [0, 0, 27, 25, 0]


@given(
    sources=st.lists(cells, max_size=4),
    strengths=st.lists(st.floats(0, 5), min_size=4, max_size=4),
    reach=st.floats(0.5, 12),
    summed=st.booleans(),
    disabled=st.sets(cells, max_size=5),
    kind=st.sampled_from(["linear", "power", "exponential"]),
)
def test_influence_equals_each_source_spread_alone(sources, strengths, reach, summed, disabled, kind):
    layout = with_disabled(MAP, disabled)
    falloff, worth = {
        "linear": (Falloff.linear(reach), lambda d: 1 - d / reach),
        "power": (Falloff.power(reach, 2.5), lambda d: 1 - (d / reach) ** 2.5),
        "exponential": (Falloff.exponential(1.5, reach), lambda d: 0.5 ** (d / 1.5)),
    }[kind]
    heat = Layer(layout, "heat", "float64")
    strengths = strengths[: len(sources)]
    touched = Spread(layout).influence(
        heat, sources, falloff, strengths=strengths or 1.0, combine="sum" if summed else "max"
    )
    join = (lambda a, b: a + b) if summed else max
    expected = layers_oracle.influence(layout, sources, strengths, worth, reach, join)
    assert set(touched.tolist()) == set(expected)
    assert heat.values.tolist() == pytest.approx([expected.get(cell, 0.0) for cell in range(COUNT)], abs=1e-12)
    assert not disabled.intersection(touched.tolist())


@pytest.mark.parametrize(
    ("act", "words"),
    [
        (lambda: Spread(MAP).distances([COUNT]), "there is no cell"),
        (lambda: Spread(MAP).distances([-1]), "-1 means no cell"),
        (lambda: Spread(MAP).distances([0], reach=-1), "reach is -1 m"),
        (lambda: Spread(MAP).distances([0], reach=math.nan), "reach is nan m"),
        (lambda: Falloff.linear(0), "reach is 0 m"),
        (lambda: Falloff.linear(math.inf), "reach is inf m"),
        (lambda: Falloff.power(5, 0), "exponent is 0"),
        (lambda: Falloff.exponential(0), "halving is 0 m"),
        (lambda: _influence(combine="mean"), "give 'max' or 'sum'"),
        (lambda: _influence(strengths=[1, 2, 3]), "one for each of 1 sources"),
        (lambda: _influence(strengths=-1), "at least 0"),
        (lambda: _influence(strengths=math.nan, combine="sum"), "finite"),
    ],
)
def test_spread_says_what_is_wrong(act, words):
    with pytest.raises(InputError, match=words):
        act()


def test_a_layer_of_another_layout_is_refused():
    with pytest.raises(QueryError, match="another layout"):
        Spread(MAP).influence(Layer(open_floor(2, 2), "heat"), [0], Falloff.linear(1))


def _influence(**options):
    return Spread(MAP).influence(Layer(MAP, "heat", "float32"), [0], Falloff.linear(3), **options)


def test_a_spread_at_work_refuses_another_call():
    """A second thread comes while the first is inside: nothing is touched, and afterwards answers are right."""
    layout = open_floor(4, 3)
    spread = Spread(layout)
    before = spread.distances([0])
    with spread._alone():
        with pytest.raises(QueryError, match="one Spread per thread"):
            spread.distances([0])
        with pytest.raises(QueryError, match="one Spread per thread"):
            spread.influence(Layer(layout, "felt", "float32"), [0], Falloff.linear(3.0))
    after = spread.distances([0])
    assert after.cells.tolist() == before.cells.tolist()
    assert after.metres.tolist() == before.metres.tolist()


def test_what_a_spread_gives_is_read_only():
    layout = open_floor(4, 3)
    reached = Spread(layout).distances([0])
    written = Spread(layout).influence(Layer(layout, "felt", "float32"), [0], Falloff.linear(3.0))
    assert not any(array.flags.writeable for array in (reached.cells, reached.metres, reached.source, written))
