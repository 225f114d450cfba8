"""Arrays of what guards know, for belief floods."""

from __future__ import annotations

from typing import NamedTuple

from ...conventions import Array

# Columns of Beliefs.numbers
BELIEVES, OPENS_EXITS, GUARD_CELL, LEAST_STEPS, LOOKS, VIEW, BARS_TURNS, KEEPS_BARRIER = 0, 1, 2, 3, 4, 5, 6, 7
BELIEF_COLUMNS = 8
VIEW_CONE, VIEW_CELLS = 1, 2

# Columns of Beliefs.facts
LEAD, RUN, GUARD_X, GUARD_Y, GUARD_Z, VIEW_X, VIEW_Y, VIEW_COSINE, VIEW_DISTANCE = 0, 1, 2, 3, 4, 5, 6, 7, 8
CORNER, LOOK_REACH, LOOK_DISTANCE, LOOK_AREA = 9, 10, 11, 12
FACT_COLUMNS = 13

FEW_STEPS, NO_VIEW = 1, 2

CLEARLY = 1.0
"""Metres by which a guard must be nearer to a place than the runner was to count as clearly nearer."""


class Beliefs(NamedTuple):
    """Knowledge of n guards and how they use it, one row each."""

    numbers: Array  # int32 (n, BELIEF_COLUMNS)
    facts: Array  # float64 (n, FACT_COLUMNS)
    seen_start: Array  # int64 (n + 1,)  cells known to be visible, if VIEW is VIEW_CELLS
    seen_cell: Array  # int32


class Rays(NamedTuple):
    """Buffers for r ray casts on the mesh."""

    ends: Array  # float64 (2, r, 3)  start, end
    face: Array  # int32 (r,)
    outcome: Array  # uint8 (r,)
    point: Array  # float64 (r, 3)
    fraction: Array  # float64 (r,)
    normal: Array  # float64 (r, 2)
