"""What guards know, as the arrays of floods that use it."""

from __future__ import annotations

import numpy as np

from ...cells.query import nearest_cells
from ...cells.standing import standing_cells
from ...conventions import Bools, Floats, Ids
from ...errors import QueryError
from ...kernels.belief_arrays import (
    BARS_TURNS,
    BELIEF_COLUMNS,
    BELIEVES,
    CORNER,
    FACT_COLUMNS,
    GUARD_CELL,
    GUARD_X,
    GUARD_Z,
    KEEPS_BARRIER,
    LEAD,
    LEAST_STEPS,
    LOOK_AREA,
    LOOK_DISTANCE,
    LOOK_REACH,
    LOOKS,
    OPENS_EXITS,
    RUN,
    VIEW,
    VIEW_CELLS,
    VIEW_CONE,
    VIEW_COSINE,
    VIEW_DISTANCE,
    VIEW_X,
    VIEW_Y,
    Beliefs,
)
from ...navmesh.locate import heights_at
from ...navmesh.raycast import raycasts
from .layouts import MeshedLayout
from .losses import Losses
from .settings import ChaseSettings

__all__ = ["asks_beliefs", "beliefs_of", "guard_cells", "holds_exits"]

_GUARD_RADIUS = 5.0
"""Metres within which a guard off the cells (on a ledge, in a doorway) still counts as standing on one."""


def beliefs_of(
    layout: MeshedLayout, losses: Losses, settings: tuple[ChaseSettings, ...], starts: Ids, headings: Floats
) -> Beliefs:
    """Return what guards know."""
    count = len(losses)
    numbers, facts = np.zeros((count, BELIEF_COLUMNS), np.int32), np.zeros((count, FACT_COLUMNS))
    for one in dict.fromkeys(settings):
        rows = slice(None) if len(set(settings)) == 1 else [n for n in range(count) if settings[n] == one]
        numbers[rows, BELIEVES] = one.barrier in ("belief", "both")
        numbers[rows, KEEPS_BARRIER] = one.barrier == "both"
        numbers[rows, OPENS_EXITS] = one.exits == "opened"
        numbers[rows, LEAST_STEPS] = one.least_steps
        numbers[rows, LOOKS] = one.look_round
        numbers[rows, BARS_TURNS] = one.about_turns == "barred"
        facts[rows, LEAD] = one.lead
        facts[rows, RUN] = one.slack
        facts[rows, CORNER] = one.corner
        facts[rows, LOOK_REACH] = one.look_reach
        facts[rows, LOOK_DISTANCE] = one.look_distance
        facts[rows, LOOK_AREA] = one.look_area
    facts[:, RUN] += losses.speed * losses.seconds
    known = ~np.isnan(losses.guard_at[:, 0])
    numbers[:, GUARD_CELL] = guard_cells(layout, losses.guard_at)
    facts[known, GUARD_X : GUARD_Z + 1] = _eyes(layout, losses.guard_at[known], numbers[known, GUARD_CELL])
    _put_views(losses, numbers, facts)
    # Only a guard that is known bars turns, not the one imagined behind the runner.
    numbers[:, BARS_TURNS] &= known
    follows = (numbers[:, OPENS_EXITS] == 1) & ~known
    if follows.any():
        numbers[follows, GUARD_CELL] = _followers(layout, settings, starts, headings, follows)
    seen = losses.view_cells or (None,) * count
    lengths = [0 if cells is None else len(cells) for cells in seen]
    cells = [one for one in seen if one is not None]
    flat = np.concatenate(cells).astype(np.int32) if cells else np.zeros(0, np.int32)
    if len(flat) and (flat.min() < 0 or flat.max() >= len(layout.arrays.cell_grid)):
        raise QueryError(f"cells of a view run from {flat.min()} to {flat.max()}; ids run from 0 to "
                         f"{len(layout.arrays.cell_grid) - 1}")  # fmt: skip
    return Beliefs(numbers, facts, np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64), flat)


def asks_beliefs(settings: ChaseSettings) -> bool:
    """Does a flood with these settings need more than the article's?"""
    beyond = settings.barrier in ("belief", "both") or settings.exits == "opened"
    return beyond or settings.about_turns == "barred" or settings.corner > 0.0 or settings.look_round > 0


def guard_cells(layout: MeshedLayout, guard_at: Floats) -> Ids:
    """Which cell does each guard stand in? -1 where none is known (NaN); an error where one is off the mesh."""
    known = ~np.isnan(guard_at[:, 0])
    cells = np.full(len(guard_at), -1, np.int32)
    if known.any():
        cells[known] = standing_cells(layout, guard_at[known])
        lost = known & (cells < 0)
        cells[lost] = nearest_cells(layout, guard_at[lost], _GUARD_RADIUS)
        lost = known & (cells < 0)
        if lost.any():
            row = int(np.flatnonzero(lost)[0])
            x, y, z = guard_at[row].tolist()
            raise QueryError(
                f"guard_at ({x:g}, {y:g}, {z:g}) is off the mesh: no cell within {_GUARD_RADIUS:g} m; "
                "give a place on the floor, or leave the guard out"
            )
    return cells


def _eyes(layout: MeshedLayout, guards: Floats, cells: Ids) -> Floats:
    """Where does a guard look from? Its place; off the floor, its cell's, since lines of sight run along the floor."""
    reach = float(layout.arrays.size_xyz[2])
    off = np.isnan(heights_at(layout.mesh, guards, below=reach, above=reach))
    return np.where(off[:, None], layout.arrays.cell_xyz[cells].astype(np.float64), guards)


def holds_exits(beliefs: Beliefs, starts: Ids) -> Bools:
    """Which floods bar what the guard reaches first, in place of what lies behind the runner? (n,) bool."""
    guard = beliefs.numbers[:, GUARD_CELL]
    opens = (beliefs.numbers[:, OPENS_EXITS] == 1) & (beliefs.numbers[:, BELIEVES] == 0)
    return opens & (guard >= 0) & (guard != starts)


def _put_views(losses: Losses, numbers: Ids, facts: Floats) -> None:
    has_view = losses.has_view
    numbers[has_view, VIEW] = VIEW_CONE
    for row, cells in enumerate(losses.view_cells or ()):
        if cells is not None:
            numbers[row, VIEW] = VIEW_CELLS
    # Sight is judged from above: a guard that looks up or down sees as far.
    flat = losses.view_heading[:, :2]
    length = np.hypot(flat[:, 0], flat[:, 1])
    facts[:, VIEW_X : VIEW_Y + 1] = flat / np.where(length == 0.0, 1.0, length)[:, None]
    facts[:, VIEW_COSINE] = np.cos(np.where(has_view, losses.view_angle, 0.0) / 2.0)
    facts[:, VIEW_DISTANCE] = losses.view_distance


def _followers(
    layout: MeshedLayout,
    settings: tuple[ChaseSettings, ...],
    starts: Ids,
    headings: Floats,
    rows: np.ndarray,
) -> Ids:
    """Where would somebody stand who follows the runner? Straight back as far as the floor goes, at most `follow`."""
    at = layout.arrays.cell_xyz[starts[rows]].astype(np.float64)
    back = np.array([settings[n].follow for n in np.flatnonzero(rows)])[:, None] * headings[rows]
    reach = float(layout.arrays.size_xyz[2])
    stops = raycasts(layout.mesh, at, at - back, below=reach, above=reach).xyz
    cells = nearest_cells(layout, stops, _GUARD_RADIUS)
    return np.where(cells < 0, starts[rows], cells)
