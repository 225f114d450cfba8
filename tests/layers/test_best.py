from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import InputError, QueryError
from lastseen.layers.layer import Layer
from lastseen.layers.selection import Limit, Near, best_cells
from oracles import layers as layers_oracle
from specimens.layers import grid_layout, open_floor, with_disabled

FLOOR = open_floor(6, 5)
MANY = len(FLOOR)


def scores(values, layout=FLOOR):
    return Layer.of(layout, "score", np.array(values, np.int8))


COUNTING = scores(range(MANY))


def test_best_cells_come_best_first():
    assert best_cells(COUNTING, 3).tolist() == [29, 28, 27]
    assert best_cells(COUNTING, 3, prefer="low").tolist() == [0, 1, 2]
    assert best_cells(COUNTING).dtype == np.int32


def test_equal_scores_go_to_the_lowest_id():
    equal = scores([5] * MANY)
    assert best_cells(equal, 4).tolist() == [0, 1, 2, 3]
    assert best_cells(equal, 4, prefer="low").tolist() == [0, 1, 2, 3]
    assert best_cells(equal, 3, spacing=1.5).tolist() == [0, 2, 4]


def test_disabled_cells_are_skipped_by_default():
    cut = scores(range(MANY), with_disabled(FLOOR, [29, 27]))
    assert best_cells(cut, 3).tolist() == [28, 26, 25]
    assert best_cells(cut, 3, include_disabled=True).tolist() == [29, 28, 27]


def test_filters_leave_only_what_passes_all():
    danger = scores([10] * 20 + [90] * 10)
    assert best_cells(COUNTING, 2, limits=[Limit(danger, at_most=50)]).tolist() == [19, 18]
    assert best_cells(COUNTING, 2, maximum=12).tolist() == [12, 11]
    assert best_cells(COUNTING, 99, minimum=27).tolist() == [29, 28, 27]
    assert best_cells(COUNTING, 2, where=[3, 9, 1, 9]).tolist() == [9, 3]
    assert best_cells(COUNTING, 1, where=np.arange(MANY) < 7).tolist() == [6]
    assert best_cells(COUNTING, 1, where=[3, 9], maximum=2).tolist() == []


def test_within_is_a_ring_around_a_point():
    here = (0.5, 0.5)
    assert best_cells(COUNTING, 9, within=Near(here, 1.0)).tolist() == [6, 1, 0]
    assert best_cells(COUNTING, 9, within=Near(here, 1.0, at_least=0.5)).tolist() == [6, 1]
    assert best_cells(COUNTING, 9, within=Near((0.5, 0.5, 10.0), 5.0)).tolist() == []


def test_spacing_keeps_the_chosen_apart():
    assert best_cells(COUNTING, 9, spacing=3.0).tolist() == [29, 26, 11, 8]
    assert best_cells(COUNTING, 2, spacing=100.0).tolist() == [29]


def test_nan_is_never_chosen_and_infinity_is_a_score():
    odd = Layer(FLOOR, "score", "float32")
    odd.values[:] = np.nan
    odd.set([1, 2, 3], [1.0, -np.inf, np.inf])
    assert best_cells(odd, 9).tolist() == [3, 1, 2]
    assert best_cells(odd, 9, spacing=0.1).tolist() == [3, 1, 2]
    assert best_cells(odd, 9, prefer="low", spacing=0.1).tolist() == [2, 1, 3]


@given(
    values=st.lists(st.integers(0, 6), min_size=MANY, max_size=MANY),
    count=st.integers(1, MANY + 2),
    disabled=st.sets(st.integers(0, MANY - 1)),
    spacing=st.sampled_from([0.0, 1.0, 1.2, 2.0, 3.7]),
    least=st.none() | st.integers(0, 6),
    where=st.none() | st.lists(st.integers(0, MANY - 1), max_size=MANY),
    radius=st.none() | st.floats(0, 6),
)
def test_best_cells_equal_the_plain_choice(values, count, disabled, spacing, least, where, radius):
    layout = with_disabled(FLOOR, disabled)
    positions = layout.arrays.cell_xyz.astype(float).tolist()
    middle = (3.0, 2.5, 0.0)
    allowed = [
        cell
        for cell in range(MANY)
        if cell not in disabled
        and (least is None or values[cell] >= least)
        and (where is None or cell in where)
        and (radius is None or sum((a - b) ** 2 for a, b in zip(positions[cell], middle)) <= radius**2)
    ]
    chosen = best_cells(
        scores(values, layout),
        count,
        minimum=least,
        where=where,
        within=None if radius is None else Near(middle, radius),
        spacing=spacing,
    )
    expected = layers_oracle.best(values, count, allowed=allowed, positions=positions, spacing=spacing)
    assert chosen.tolist() == expected
    assert not disabled.intersection(chosen.tolist())


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"count": 0}, "count is 0"),
        ({"count": 2.5}, "count is 2.5"),
        ({"prefer": "best"}, "give 'high' or 'low'"),
        ({"spacing": -1}, "spacing is -1 m"),
        ({"where": [99]}, "no cell 99"),
        ({"within": (0, 0)}, "give Near"),
        ({"limits": COUNTING}, "give a list of Limit"),
        ({"minimum": np.nan}, "not a number"),
    ],
)
def test_best_cells_says_what_is_wrong(asked, words):
    with pytest.raises(InputError, match=words):
        best_cells(COUNTING, **asked)


@pytest.mark.parametrize(
    ("ring", "words"),
    [
        (((0, 0), -1.0), "give 0 <= at_least <= at_most"),
        (((0, 0), np.nan), "give 0 <= at_least <= at_most"),
        (((0, 0), "far"), "at_most of Near must be a number, got 'far'"),
        (((0, np.nan), 1.0), "finite"),
        (((10**400, 0), 1.0), "finite"),
    ],
)
def test_a_ring_says_what_is_wrong_when_it_is_made(ring, words):
    with pytest.raises(InputError, match=words):
        Near(*ring)


def test_few_cells_to_choose_from_cost_by_their_number():
    """With a cut standing, only the bytes of the asked cells are read: the rest of the bit field may be missing."""
    layout = with_disabled(FLOOR, [3, 20])
    short = replace(layout, arrays=layout.arrays._replace(disabled=layout.arrays.disabled[:1]))
    assert best_cells(scores(range(MANY), short), 9, where=[5, 3, 1]).tolist() == [5, 1]
    assert best_cells(scores(range(MANY), layout), 9, where=[5, 3, 1, 20, 21]).tolist() == [21, 5, 1]


def test_chosen_cells_are_read_only():
    assert not best_cells(COUNTING, 3).flags.writeable
    assert not best_cells(COUNTING, 3, spacing=2.0).flags.writeable


def test_limits_of_another_layout_are_refused():
    with pytest.raises(QueryError, match="another layout"):
        best_cells(COUNTING, limits=[Limit(Layer(grid_layout("..."), "foreign"), at_least=0)])
