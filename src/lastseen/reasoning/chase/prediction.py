"""Predictions: one place to run to and the reason, with the state of the flood that led to it."""

from __future__ import annotations

from dataclasses import dataclass, field, fields
from typing import Protocol

import numpy as np

from ...cells.meshed_layout import MeshedLayout
from ...checks import read_only
from ...conventions import Array, Bools, Floats, Ids
from ...extensions.notebooks import as_png
from ...vocabulary.words import FloodStop
from .loss import Loss

REASONS = FloodStop.texts()
"""Reasons why a flood stopped: no cell left to heat, more than `max_heated` in one step (or `max_total`), or
`max_steps` made."""

FELL_BACK = ("", "few_steps", "no_view")
"""Reasons why a belief flood was replaced by the article's: it made too few steps, or the guard's view is unknown."""


@dataclass(frozen=True, eq=False)
class Prediction:
    """One place to run to.

    Attributes
    ----------
    destination : (3,) float64, metres, on the floor.
    cell : its cell, or else the nearest one; -1: none.
    reason : one word.
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
    """An object that predicts where to run from what the guard knows."""

    def predict(self, loss: Loss, /) -> Prediction:
        """Predict where to run."""

    def predict_many(self, losses: list[Loss], /) -> Predictions:
        """Predict where to run for each of many losses."""


@dataclass(frozen=True, eq=False)
class Flood(Prediction):
    """The cells a flood leaves, and the place they are reduced to.

    Attributes
    ----------
    warm : (w,) int32, cells that are still warm, in the order they were first touched.
    values : (w,) int8, their remaining heat, 1 … hot.
    heated_in : (w,) int16, the step in which each was heated; 0 for the start cell.
    barrier : (b,) int32, cells of the barrier.
    closed : (c,) int32, cells that a belief flood found closed.
    steps : number of propagation steps.
    heated : (steps,) int32, number of cells heated in each step.
    start : the start cell.
    mean : (3,) float64, the weighted mean of the warm cells.
    in_warm : whether the mean is in a warm cell; otherwise the nearest warm cell is used.
    has_barrier : whether there is a barrier, which needs a heading; it may have no cells.
    fell_back : one of `FELL_BACK`; "": not replaced.
    moved : how often the destination moved on to see more, possibly into a cell that is not warm.
    layout : the flooded cells.
    cold, cold_in : (k,) int32 cells that were heated and have cooled to 0, and int16 the step each was last heated in.
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
    layout: MeshedLayout = field(repr=False)
    fell_back: str = ""
    moved: int = 0
    cold: Ids = field(default_factory=lambda: np.zeros(0, np.int32))
    cold_in: Array = field(default_factory=lambda: np.zeros(0, np.int16))

    _repr_png_ = as_png

    def __repr__(self) -> str:
        x, y, z = self.destination.tolist()
        spread = f"{self.steps} steps, {len(self.warm)} warm cells"
        return f"<Flood to ({x:.1f}, {y:.1f}, {z:.1f}): {self.reason} after {spread}>"

    def way(self) -> Ids:
        """Return the cells along which heat came from the start cell to the destination, or to the warm cell nearest
        to it, (k,) int32."""
        arrays = self.layout.arrays
        step = dict(zip(self.cold.tolist(), self.cold_in.tolist())) | dict(
            zip(self.warm.tolist(), self.heated_in.tolist())
        )
        away = np.linalg.norm(arrays.cell_xyz[self.warm] - self.destination, axis=1)
        cell = self.cell if self.cell in step else int(self.warm[away.argmin()])
        way = [cell]
        while step[cell] > 0:
            links = arrays.link_cell[int(arrays.link_start[cell]) : int(arrays.link_start[cell + 1])].tolist()
            before = [other for other in links if step.get(other, step[cell]) < step[cell]]
            if not before:  # a one-way link
                break
            cell = max(before, key=step.__getitem__)
            way.append(cell)
        return np.array(way[::-1], np.int32)

    @property
    def done(self) -> bool:
        """Whether the flood has ended; False only for the intermediate state of a running one."""
        return self.reason != "running"


@dataclass(frozen=True, eq=False)
class Floods(Predictions):
    """`Flood` for n losses, with numbers of cells instead of the cells.

    `steps`, `heated` (in total, with the start cell), `last_heated` (in the last step), `warm`, `barrier`, `closed`,
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
        """Concatenate floods."""
        names = [one.name for one in fields(cls) if one.name != "reasons"]
        columns = {name: read_only(np.concatenate([getattr(part, name) for part in parts])) for name in names}
        return cls(reasons=parts[0].reasons, **columns)
