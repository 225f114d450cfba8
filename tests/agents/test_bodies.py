"""Bodies in one table."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.agents.bodies.bodies import STANCES, bodies, bodies_of, copy_of
from lastseen.errors import InputError
from lastseen.kernels.arrays.agent_arrays import ACTIVE


def test_single_values_hold_for_everybody() -> None:
    table = bodies([(0, 0, 0), (1, 1, 2)], heading=1.5, team=[3, 4])
    assert table.heading.tolist() == bodies_of(table).gaze.tolist() == [1.5, 1.5]
    assert table.team.tolist() == [3, 4]
    assert (table.mode == ACTIVE).all()


def test_a_column_is_written_into_and_never_replaced() -> None:
    table = bodies([(0, 0)])
    with pytest.raises(InputError, match=r"bodies.heading\[:\] = values"):
        table.heading = np.ones(1)
    with pytest.raises(InputError, match="did you mean 'heading'"):
        table.headin = 1.0
    table.heading[:] = 1.0
    assert table._replace(light=np.zeros(1)).heading.tolist() == [1.0]


def test_columns_do_not_share_memory_with_what_was_given_or_with_a_copy() -> None:
    place = np.zeros((2, 3))
    table = bodies(place)
    other = copy_of(table)
    other.xyz[:] = 5.0
    table.gaze[:] = 1.0
    assert not place.any()
    assert not table.xyz.any()
    assert not table.heading.any()


def test_heads_turn_with_the_body_unless_they_are_turned() -> None:
    table = bodies([(0, 0), (1, 1), (2, 2)], gaze=None)
    table.heading[:] = 0.5
    table.gaze[1] = 2.0
    assert bodies_of(table).gaze.tolist() == [0.5, 2.0, 0.5]
    table.gaze[1] = np.nan
    assert bodies_of(table).gaze.tolist() == [0.5, 0.5, 0.5]
    turned = bodies([(0, 0)], heading=1.0, gaze=[0.25])
    turned.heading[0] = 3.0
    assert bodies_of(turned).gaze.tolist() == [0.25]


def test_places_that_are_not_numbers_are_refused() -> None:
    with pytest.raises(InputError, match="xyz"):
        bodies([(0.0, float("nan"), 0.0)])


@pytest.mark.parametrize(
    ("wrong", "words"),
    [
        ({"stance": 4}, "stance is 4; give one number, or one for each of 1 bodies, 0 … 3"),
        ({"stance": [-1]}, "stance is -1"),
        ({"stance": 0.5}, "whole numbers 0 … 3"),
        ({"light": -3.0}, "light is -3; .*0 … 1"),
        ({"light": 1.1}, "light is 1.1"),
        ({"camouflage": float("nan")}, "camouflage is nan"),
        ({"heading": float("nan")}, "heading is nan"),
        ({"heading": "x"}, "heading must be one number"),
        ({"radius": [1.0, 2.0, 3.0]}, r"radius has shape \(3,\); give one number, or one for each of 1 bodies"),
        ({"radius": -0.1}, "radius is -0.1 m"),
        ({"team": -1}, "team is -1; .*0 … 255"),
        ({"team": 300}, "team is 300"),
        ({"velocity_xy": (1.0, 2.0, 3.0)}, r"velocity_xy has shape \(3,\)"),
        ({"velocity_xy": (1.0, float("inf"))}, "velocity_xy is"),
    ],
)
def test_columns_that_make_no_sense_are_refused(wrong: dict[str, object], words: str) -> None:
    with pytest.raises(InputError, match=words):
        bodies([(0.0, 0.0)], **wrong)  # type: ignore[arg-type]


def test_stances_written_into_a_table_are_refused_before_kernels_read_them() -> None:
    table = bodies([(0.0, 0.0), (1.0, 0.0)], gaze=0.0)
    assert bodies_of(table) is table
    table.stance[1] = 9
    with pytest.raises(InputError, match="stance 9; give 0 … 3: standing, crouched, in cover, lying"):
        bodies_of(table)
    with pytest.raises(InputError, match=r"senses\.bodies\(xyz\)"):
        bodies_of("x")


def test_heads_are_above_chests() -> None:
    assert all(stance.head > stance.eye > stance.chest > 0 for stance in STANCES)
