"""Where another circle may touch: by hand, and by trying places."""

from __future__ import annotations

import math

import numpy as np
import pytest
import shapely
from hypothesis import given
from hypothesis import strategies as st

from lastseen.kernels.placement.free_arcs import PlanArrays, _inside, free_arcs
from lastseen.reasoning.placement.place.packing import ChainedCircles, EdgeBins, outline_edges
from oracles.placement import free_length


def plan_of(circles, shape) -> PlanArrays:
    chained = ChainedCircles((-2.0, -1.0, 15.0, 10.0), 3.0)  # six columns, four rows
    for circle in circles:
        chained.add(*circle)
    return chained.plan(EdgeBins.of(chained.grid, outline_edges(shape)))


def arcs_of(circles, shape, radius, only=-1):
    out = np.empty((500, 5))
    return out[: free_arcs(plan_of(circles, shape), radius, only, out)]


def test_in_an_empty_room_the_middle_runs_along_the_walls():
    found = arcs_of([], shapely.box(1, 1, 9, 5), 1.0)
    assert found[:, 4].sum() == pytest.approx(2 * (8 + 4))
    assert (found[:, 0] == 0.0).all()


def test_round_a_lone_circle_all_is_free():
    found = arcs_of([(5, 5, 1)], shapely.box(0, 0, 10, 10), 0.5, only=0)
    assert found.tolist() == [[1.0, 0.0, 0.0, pytest.approx(2 * math.pi), pytest.approx(2 * math.pi * 1.5)]]


def test_between_two_touching_circles_the_free_arc_is_known():
    """Three equal circles that touch: seen from one, another takes 60 degrees to either side."""
    found = arcs_of([(5, 5, 1), (7, 5, 1)], shapely.box(0, 0, 12, 10), 1.0, only=0)
    assert found[:, 4].sum() == pytest.approx(2.0 * math.radians(240.0))


def test_a_wall_cuts_the_arc_in_half():
    found = arcs_of([(1, 5, 1)], shapely.box(1, 0, 9, 10), 1.0, only=0)
    assert found[:, 4].sum() == pytest.approx(2.0 * math.pi)
    assert np.cos(found[:, 2:4].mean(axis=1)).min() > 0.0


def test_what_is_closed_to_a_radius_stays_closed_to_larger_ones():
    out, plan = np.empty((50, 5)), plan_of([(5, 5, 1)], shapely.box(4.5, 4.5, 5.5, 5.5))
    assert free_arcs(plan, 0.5, 0, out) == 0
    assert plan.closed.tolist() == [0.5]
    wide = plan_of([(5, 5, 1)], shapely.box(0, 0, 10, 10))._replace(closed=plan.closed)
    assert free_arcs(wide, 0.6, 0, out) == 0
    assert free_arcs(wide, 0.4, 0, out) == 1


def test_edges_with_nothing_free_are_noted_and_passed_over():
    """A circle covers the left side of a narrow room, drawn in."""
    out, plan = np.empty((50, 5)), plan_of([(1, 1.5, 1)], shapely.box(1, 1, 9, 2))
    free_arcs(plan, 1.0, -1, out)
    left = (plan.edge[:, [0, 2]] == 1.0).all(axis=1)
    assert plan.covered.tolist() == left.tolist()
    nobody = plan_of([], shapely.box(1, 1, 9, 2))._replace(covered=plan.covered)
    assert free_arcs(nobody, 1.0, -1, out) == 3


def test_more_than_fits_is_counted_and_not_written():
    out = np.full((2, 5), -1.0)
    assert free_arcs(plan_of([], shapely.box(0, 0, 5, 5)), 1.0, -1, out) == 4
    assert (out[:, 4] == 5.0).all()


circles = st.lists(
    st.tuples(st.integers(0, 40), st.integers(0, 40), st.integers(1, 12)), min_size=1, max_size=8, unique=True
)


@given(circles, st.integers(1, 8), st.booleans())
def test_free_lengths_are_those_found_by_trying(given_circles, radius, one):
    places = np.array(given_circles, float) / 4.0
    shape = shapely.box(1, 1, 9, 9).difference(shapely.box(4.1, 3.2, 6.3, 5.7))
    only = 0 if one else -1
    found = arcs_of(places, shape, radius / 4.0, only)
    slow = free_length(places, shape, radius / 4.0, only)
    assert found[:, 4].sum() == pytest.approx(slow, abs=0.05 + 0.002 * slow)


@pytest.mark.parametrize("hole", [[], [[(4, 5), (5, 4), (6, 5), (5, 6)]]])
def test_places_level_with_a_corner_are_inside_where_shapely_says_so(hole):
    diamond = shapely.Polygon([(1, 5), (5, 1), (9, 5), (5, 9)], hole)
    plan = plan_of([], diamond)
    places = [(x + 0.5, float(y)) for x in range(11) for y in range(1, 10)]
    clear = [place for place in places if diamond.boundary.distance(shapely.Point(place)) > 0.1]
    assert [_inside(plan, *place) for place in clear] == [diamond.contains(shapely.Point(place)) for place in clear]
