"""Losses and settings as the arrays kernels take; places to cells, or a message that says how far off they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Protocol

import numpy as np

from ...cells.query import cells_at, nearest_cell, nearest_cells
from ...conventions import Array, Floats, Ids
from ...errors import InputError, QueryError
from ...kernels.cell_arrays import CellArrays
from ...kernels.heat_flood import (
    BY_FRONT,
    CLAIMS_WARM,
    CONE,
    COOLED_IS_UNTOUCHED,
    EVENLY,
    HOT,
    INCLUSIVE,
    MOST_HEATED,
    MOST_STEPS,
    MOST_TOTAL,
    RULE_COLUMNS,
    STRICT,
    UNDOES_EXCESS,
    WAY_BEHIND,
    WEIGH,
    FloodRules,
)
from ...navmesh.locate import heights_at, nearest_many
from ...navmesh.navmesh import AnyMesh
from .losses import Losses
from .settings import ChaseSettings

__all__ = ["Cases", "MeshedLayout", "on_floor", "prepare", "start_cells"]

_WAYS = {"strict": STRICT, "inclusive": INCLUSIVE, "cone": CONE}
_WEIGHTS = {"value": 0, "even": EVENLY, "front": BY_FRONT}


class MeshedLayout(Protocol):
    """Cells and the mesh they were cut from: a `CellLayout`, or a `LiveLayout` whose doors open and close."""

    @property
    def arrays(self) -> CellArrays:
        """Every array a cell query touches."""

    @property
    def mesh(self) -> AnyMesh:
        """The mesh under the cells."""


@dataclass(frozen=True, eq=False)
class Cases:
    """n floods to run: their losses, the cells they start in, their rules."""

    losses: Losses
    settings: tuple[ChaseSettings, ...]
    starts: Ids
    headings: Floats
    rules: FloodRules

    def __len__(self) -> int:
        return len(self.starts)


@lru_cache(maxsize=256)
def _row(settings: ChaseSettings) -> tuple[Array, float]:
    row = np.zeros(RULE_COLUMNS, np.int32)
    row[HOT] = settings.hot
    row[MOST_HEATED] = settings.max_heated
    row[MOST_STEPS] = settings.max_steps
    row[MOST_TOTAL] = 2**31 - 1 if settings.max_total is None else settings.max_total
    row[WAY_BEHIND] = _WAYS[settings.behind]
    row[CLAIMS_WARM] = settings.claims == "warm"
    row[COOLED_IS_UNTOUCHED] = settings.cooled == "untouched"
    row[UNDOES_EXCESS] = settings.excess == "undone"
    row[WEIGH] = _WEIGHTS[settings.weights]
    return row, float(np.cos(settings.cone)) if settings.cone is not None else 0.0


def prepare(layout: MeshedLayout, losses: Losses, settings: ChaseSettings | Sequence[ChaseSettings]) -> Cases:
    """Put losses and settings (one, or one for each loss) into arrays."""
    count = len(losses)
    each = (settings,) * count if isinstance(settings, ChaseSettings) else tuple(settings)
    if len(each) != count:
        raise InputError(f"{len(each)} settings for {count} losses; give one, or one for each")
    if isinstance(settings, ChaseSettings):
        row, cone = _row(settings)
        rules = FloodRules(np.repeat(row[None], count, axis=0), np.full(count, cone))
        radius = np.full(count, settings.nearest)
        headings = losses.heading if settings.barrier == "momentum" else np.zeros((count, 3))
    else:
        rows = [_row(one) for one in each]
        numbers = np.array([row for row, _ in rows], np.int32).reshape(-1, RULE_COLUMNS)
        rules = FloodRules(numbers, np.array([cone for _, cone in rows]))
        radius = np.array([one.nearest for one in each])
        momentum = np.array([one.barrier == "momentum" for one in each], np.bool_)
        headings = np.where(momentum[:, None], losses.heading, 0.0)
    starts = start_cells(layout, losses.seen_at, radius, "seen_at")
    return Cases(losses, each, starts, np.ascontiguousarray(headings), rules)


def start_cells(layout: MeshedLayout, points: Floats, radius: Floats, name: str) -> Ids:
    """Which cell is at each position, or nearest within `radius` (n,)? An error says which is too far, and how far."""
    found = cells_at(layout, points, include_disabled=True)
    arrays = layout.arrays
    disabled = arrays.disabled[np.maximum(found, 0) >> 3] >> (np.maximum(found, 0) & 7) & 1
    barred = (found >= 0) & (disabled == 1)
    if barred.any():
        row = int(np.flatnonzero(barred)[0])
        raise QueryError(
            f"{_where(points, row, name)} lies in cell {found[row]}, which is disabled (a closed door or a cut covers "
            "it); lift the cut, or give a place beside it"
        )
    missing = found < 0
    if missing.any():
        found[missing] = nearest_cells(layout, points[missing], radius[missing])
        if (found < 0).any():
            row = int(np.flatnonzero(found < 0)[0])
            raise QueryError(_too_far(layout, points, row, float(radius[row]), name))
    return found


def _where(points: Floats, row: int, name: str) -> str:
    x, y, z = points[row].tolist()
    return f"{name}{f'[{row}]' if len(points) > 1 else ''} ({x:g}, {y:g}, {z:g})"


def _too_far(layout: MeshedLayout, points: Floats, row: int, radius: float, name: str) -> str:
    cell = nearest_cell(layout, points[row])
    if cell < 0:
        return f"{_where(points, row, name)} finds no cell: the layout has none that is not disabled"
    away = float(np.linalg.norm(layout.arrays.cell_xyz[cell].astype(np.float64) - points[row]))
    return (
        f"{_where(points, row, name)} is off the mesh: the nearest cell is {away:.2f} m away, at most {radius:g} m are "
        "allowed; give a place on the floor, or raise the setting 'nearest'"
    )


def on_floor(layout: MeshedLayout, points: Floats, cells: Ids, inside: Array) -> Floats:
    """Where on the floor is each point? Where not `inside` its cell, the cell's own position."""
    arrays = layout.arrays
    placed = arrays.cell_xyz[cells].astype(np.float64)
    if inside.any():
        rows = np.flatnonzero(inside)
        spots = np.column_stack([points[rows, :2], placed[rows, 2]])
        reach = float(arrays.size_xyz[2])
        height = heights_at(layout.mesh, spots, below=reach, above=reach)
        off = np.isnan(height)
        spots[:, 2] = np.where(off, spots[:, 2], height)
        if off.any():
            spots[off] = nearest_many(layout.mesh, spots[off]).xyz
        placed[rows] = spots
    return placed
