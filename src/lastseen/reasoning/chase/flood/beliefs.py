"""What guards know, as the arrays of floods that use it."""

from __future__ import annotations

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import frozen
from ....conventions import Bools, Floats, Ids
from ....errors import QueryError
from ....kernels.arrays.belief_arrays import (
    BARS_TURNS,
    BELIEF_COLUMNS,
    BELIEVES,
    CORNER,
    FACT_COLUMNS,
    GUARD_CELL,
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
from ....kernels.cells.standing_cells import GUARD_RADIUS, guard_places, stood_in
from ..loss import Loss
from ..losses import Losses
from .chase_settings import ChaseSettings

_NO_CELLS = frozen(np.zeros(0, np.int32))
_NONE_SEEN = frozen(np.zeros(2, np.int64))
_UNKNOWN = frozen(np.full((1, 3), np.nan))


def beliefs_of(
    layout: MeshedLayout, losses: Losses, settings: tuple[ChaseSettings, ...], starts: Ids, headings: Floats
) -> Beliefs:
    """Return what guards know."""
    count = len(losses)
    numbers, facts = np.zeros((count, BELIEF_COLUMNS), np.int32), np.zeros((count, FACT_COLUMNS))
    follow = np.zeros((count, 1))
    for one in dict.fromkeys(settings):
        rows = slice(None) if len(set(settings)) == 1 else [n for n in range(count) if settings[n] == one]
        numbers[rows], facts[rows] = belief_row(one)
        follow[rows] = one.follow
    facts[:, RUN] += losses.speed * losses.seconds
    _put_views(losses, numbers, facts)
    seen = losses.view_cells or (None,) * count
    lengths = [0 if cells is None else len(cells) for cells in seen]
    cells = [one for one in seen if one is not None]
    flat = np.concatenate(cells).astype(np.int32) if cells else _NO_CELLS
    seen_start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    beliefs = Beliefs(numbers, facts, seen_start, flat)
    _put_guards(layout, losses.guard_at, starts, follow * headings, beliefs)
    return beliefs


def belief_of(
    layout: MeshedLayout, loss: Loss, settings: ChaseSettings, row: tuple[Ids, Floats], starts: Ids, headings: Floats
) -> Beliefs:
    """Return what one guard knows, as `beliefs_of` would; `row` is the `belief_row` of the settings."""
    numbers, facts = row[0].reshape(1, -1).copy(), row[1].reshape(1, -1).copy()
    facts[0, RUN] += loss.speed * loss.seconds
    view, seen_start, seen_cell = loss.guard_view, _NONE_SEEN, _NO_CELLS
    if view is None:
        facts[0, VIEW_COSINE] = 1.0
    else:
        numbers[0, VIEW] = VIEW_CONE if view.cells is None else VIEW_CELLS
        x, y, _ = view.heading.tolist()
        length = np.hypot(x, y)
        if length != 0.0:
            facts[0, VIEW_X], facts[0, VIEW_Y] = x / length, y / length
        facts[0, VIEW_COSINE] = np.cos(view.angle / 2.0)
        facts[0, VIEW_DISTANCE] = view.distance
        if view.cells is not None:
            seen_start, seen_cell = np.array([0, len(view.cells)], np.int64), view.cells
    beliefs = Beliefs(numbers, facts, seen_start, seen_cell)
    guard_at = _UNKNOWN if loss.guard_at is None else loss.guard_at.reshape(1, 3)
    _put_guards(layout, guard_at, starts, settings.follow * headings, beliefs)
    return beliefs


def belief_row(settings: ChaseSettings) -> tuple[Ids, Floats]:
    """Return what settings say about guards: a row of `Beliefs.numbers` and one of `Beliefs.facts`."""
    numbers, facts = np.zeros(BELIEF_COLUMNS, np.int32), np.zeros(FACT_COLUMNS)
    numbers[BELIEVES] = settings.barrier in ("belief", "both")
    numbers[KEEPS_BARRIER] = settings.barrier == "both"
    numbers[OPENS_EXITS] = settings.exits == "opened"
    numbers[LEAST_STEPS] = settings.least_steps
    numbers[LOOKS] = settings.look_round
    numbers[BARS_TURNS] = settings.about_turns == "barred"
    facts[LEAD] = settings.lead
    facts[RUN] = settings.slack
    facts[CORNER] = settings.corner
    facts[LOOK_REACH] = settings.look_reach
    facts[LOOK_DISTANCE] = settings.look_distance
    facts[LOOK_AREA] = settings.look_area
    return numbers, facts


def _put_guards(layout: MeshedLayout, guard_at: Floats, starts: Ids, back: Floats, beliefs: Beliefs) -> None:
    lost = guard_places(layout.arrays, layout.mesh.arrays, guard_at, starts, back, beliefs)
    if lost >= 0:
        raise _off_mesh(guard_at[lost])
    flat, count = beliefs.seen_cell, len(layout.arrays.cell_grid)
    if len(flat) and (flat.min() < 0 or flat.max() >= count):
        raise QueryError(f"cells of a view run from {flat.min()} to {flat.max()}; ids run from 0 to {count - 1}")


def asks_beliefs(settings: ChaseSettings) -> bool:
    """Does a flood with these settings need more than the article's?"""
    beyond = settings.barrier in ("belief", "both") or settings.exits == "opened"
    return beyond or settings.about_turns == "barred" or settings.corner > 0.0 or settings.look_round > 0


def guard_cells(layout: MeshedLayout, guard_at: Floats) -> Ids:
    """Which cell does each guard stand in? -1 where none is known (NaN); an error where one is off the mesh."""
    cells = np.empty(len(guard_at), np.int32)
    stood_in(layout.arrays, layout.mesh.arrays, guard_at, np.full(len(guard_at), GUARD_RADIUS), False, cells)
    lost = np.flatnonzero(~np.isnan(guard_at[:, 0]) & (cells < 0))
    if len(lost):
        raise _off_mesh(guard_at[lost[0]])
    return cells


def _off_mesh(guard_at: Floats) -> QueryError:
    x, y, z = guard_at.tolist()
    return QueryError(
        f"guard_at ({x:g}, {y:g}, {z:g}) is off the mesh: no cell within {GUARD_RADIUS:g} m; "
        "give a place on the floor, or leave the guard out"
    )


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
