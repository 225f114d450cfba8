"""The place some metres along a path."""

from __future__ import annotations

from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import lastseen as ls
from lastseen.errors import QueryError

MESH = ls.NavMesh.from_level(ls.Level.sample("rooms"))
PATH = ls.find_path(MESH, (2.5, 2.5), (20.5, 7.5))


def test_worked_by_hand():
    path = ls.find_path(ls.NavMesh.from_level(ls.Level.from_text("......")), (0.5, 0.5), (4.5, 0.5))
    assert [path.at(metres)[0] for metres in (-1.0, 0.0, 1.5, 4.0, 9.0)] == [0.5, 0.5, 2.0, 4.5, 4.5]


@given(st.floats(0.0, 1.0))
def test_places_divide_the_length(share):
    points, metres = PATH.points_xyz, share * PATH.length
    assert len(points) > 3
    here, walked = PATH.at(metres), 0.0
    for one, other in pairwise(points):
        leg = float(np.linalg.norm(other - one))
        if walked + leg >= metres:
            assert np.linalg.norm(here - one) == pytest.approx(metres - walked, abs=1e-9)
            assert np.linalg.norm(here - one) + np.linalg.norm(other - here) == pytest.approx(leg, abs=1e-9)
            return
        walked += leg
    assert here == pytest.approx(points[-1])


def test_a_path_that_stays_has_one_place_and_an_empty_one_none():
    assert ls.find_path(MESH, (2.5, 2.5), (2.5, 2.5)).at(3.0).tolist() == [2.5, 2.5, 0.0]
    with pytest.raises(QueryError, match="start is off the mesh"):
        ls.find_path(MESH, (-50.0, 2.5), (2.5, 2.5)).at(1.0)
