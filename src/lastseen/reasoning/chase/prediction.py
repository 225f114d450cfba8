"""What a predictor answers: one place to run to, and why."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Protocol

import numpy as np

from ...checks import read_only
from ...conventions import Array, Bools, Floats, Ids
from ...vocabulary.words import FloodStop
from .loss import Loss

REASONS = FloodStop.texts()
"""Why a flood stopped: nothing left to heat, more than `max_heated` in one step (or `max_total`), `max_steps` made."""

FELL_BACK = ("", "few_steps", "no_view")
"""Why a belief flood gave way to the article's: it made too few steps, or where the guard looked is unknown."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """One place to run to now.

    Attributes
    ----------
    destination : (3,) float64, metres, on the floor.
    cell : the cell it lies in; where it lies in none the nearest, -1: none.
    reason : why there, in one word.
    """

    destination: Floats
    cell: int
    reason: str


@dataclass(frozen=True, eq=False)
class Predictions:
    """`Prediction` for n losses: `destination` (n, 3), `cell` (n,) int32, `reason` (n,) indices into `reasons`."""

    destination: Floats
    cell: Ids
    reason: Array
    reasons: tuple[str, ...]

    def __len__(self) -> int:
        return len(self.cell)

    def __getitem__(self, number: int) -> Prediction:
        return Prediction(self.destination[number], int(self.cell[number]), self.reasons[int(self.reason[number])])


class Predictor(Protocol):
    """Anything that names one place to run to from what the guard knows."""

    def predict(self, loss: Loss, /) -> Prediction:
        """Where to run now?"""

    def predict_many(self, losses: list[Loss], /) -> Predictions:
        """Where to run now, for each of many losses at once?"""


@dataclass(frozen=True, eq=False)
class Flood(Prediction):
    """What a flood left, and the one place that stands for it.

    Attributes
    ----------
    warm : (w,) int32 cells still warm, in the order they were first touched.
    values : (w,) int8, what is left of their heat, 1 … hot.
    heated_in : (w,) int16, the step each was heated in; the start cell in step 0.
    barrier : (b,) int32 cells of the barrier.
    closed : (c,) int32 cells a belief flood met and found closed.
    steps : propagation steps made.
    heated : (steps,) int32 cells heated in each.
    start : the cell the flood began in.
    mean : (3,) float64, the weighted mean of the warm cells.
    in_warm : whether the mean lies in a warm cell; else the warm cell nearest to it stands in for it.
    has_barrier : whether there is a barrier, not without a heading; it may hold no cell, where none lies behind.
    cell_count : how many cells the layout has that was flooded.
    fell_back : one of `FELL_BACK`; "" where nothing had to.
    moved : how often the destination moved on from there to see more; it may be in a cell that is not warm then.
    cold, cold_in : (k,) int32 cells that were heated and have cooled to 0, and int16 the step each was heated in last.
    """

    warm: Ids
    values: Array
    heated_in: Array
    barrier: Ids
    closed: Ids
    steps: int
    heated: Ids
    start: int
    mean: Floats
    in_warm: bool
    has_barrier: bool
    cell_count: int
    fell_back: str = ""
    moved: int = 0
    cold: Ids = field(default_factory=lambda: np.zeros(0, np.int32))
    cold_in: Array = field(default_factory=lambda: np.zeros(0, np.int16))

    @property
    def done(self) -> bool:
        """Has the flood ended? False only for a look at one that still runs."""
        return self.reason != "running"


@dataclass(frozen=True, eq=False)
class Floods(Predictions):
    """`Flood` for n losses, without their cells: counts only.

    `steps`, `heated` (in all, with the start cell), `last_heated` (in the last step), `warm`, `barrier`, `closed`,
    `start`, `moved`, `fell_back` (index into `FELL_BACK`): (n,) int32; `mean` (n, 3); `in_warm` (n,) bool.
    """

    start: Ids
    steps: Ids
    heated: Ids
    last_heated: Ids
    warm: Ids
    barrier: Ids
    closed: Ids
    moved: Ids
    fell_back: Ids
    mean: Floats
    in_warm: Bools
    has_barrier: Bools = field(default_factory=lambda: np.zeros(0, np.bool_))

    @classmethod
    def joined(cls, parts: list[Floods]) -> Floods:
        """Put floods one after another."""
        columns = {
            one.name: np.concatenate([getattr(part, one.name) for part in parts])
            for one in fields(cls)
            if one.name != "reasons"
        }
        return cls(reasons=parts[0].reasons, **{name: read_only(column) for name, column in columns.items()})
