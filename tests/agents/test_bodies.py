"""Bodies in one table."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies import ACTIVE, STANCES, bodies, copy_of
from lastseen.errors import InputError


def test_single_values_hold_for_everybody() -> None:
    table = bodies([(0, 0, 0), (1, 1, 2)], heading=1.5, team=[3, 4])
    assert table.heading.tolist() == table.gaze.tolist() == [1.5, 1.5]
    assert table.team.tolist() == [3, 4]
    assert (table.mode == ACTIVE).all()


def test_columns_do_not_share_memory_with_what_was_given_or_with_a_copy() -> None:
    place = np.zeros((2, 3))
    table = bodies(place)
    other = copy_of(table)
    other.xyz[:] = 5.0
    table.gaze[:] = 1.0
    assert not place.any()
    assert not table.xyz.any()
    assert not table.heading.any()


def test_places_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="xyz"):
        bodies([(0.0, float("nan"), 0.0)])


def test_heads_are_above_chests() -> None:
    assert all(stance.head > stance.eye > stance.chest > 0 for stance in STANCES)
