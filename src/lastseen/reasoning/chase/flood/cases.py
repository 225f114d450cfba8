"""Floods as kernel arrays: losses and settings in rows, start cells, and what guards know."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....cells.meshed_layout import MeshedLayout, start_cells
from ....checks import frozen
from ....conventions import Array, Bools, Floats, Ids
from ....errors import InputError, QueryError
from ....kernels.arrays import belief_arrays as belief
from ....kernels.arrays.belief_arrays import Beliefs
from ....kernels.cells.standing_cells import GUARD_RADIUS, guard_places, stood_in
from ....kernels.flood import heat_flood as heat
from ....kernels.flood.heat_flood import FloodRules
from ..loss import Loss, Losses
from .chase_settings import ChaseSettings

_BEHIND = {"strict": heat.STRICT, "inclusive": heat.INCLUSIVE, "cone": heat.CONE}
_BOUNDS = {"circle": heat.CIRCLE, "square": heat.SQUARE, "strip": heat.STRIP}
_WEIGHTS = {"value": 0, "even": heat.EVENLY, "front": heat.BY_FRONT}
_NO_HEADING = frozen(np.zeros((1, 3)))
_NO_CELLS = frozen(np.zeros(0, np.int32))
_NONE_SEEN = frozen(np.zeros(2, np.int64))
_UNKNOWN = frozen(np.full((1, 3), np.nan))


@dataclass(frozen=True, eq=False)
class Cases:
    """n floods to run: their start cells, their rules, and what guards know (None: no flood uses it).

    `kinds` holds each object among `settings` once: hashing them all would take a tenth of the time of their floods.
    """

    settings: tuple[ChaseSettings, ...]
    kinds: tuple[ChaseSettings, ...]
    starts: Ids
    headings: Floats
    rules: FloodRules
    beliefs: Beliefs | None

    def __len__(self) -> int:
        return len(self.starts)


@lru_cache(maxsize=256)
def _rule_row(settings: ChaseSettings) -> tuple[Array, float]:
    """Return settings as a row of `FloodRules`, and the cosine of their cone."""
    row = np.zeros(heat.RULE_COLUMNS, np.int32)
    row[heat.HOT] = settings.hot
    row[heat.MOST_HEATED] = settings.max_heated
    row[heat.MOST_STEPS] = settings.max_steps
    row[heat.MOST_TOTAL] = 2**31 - 1 if settings.max_total is None else settings.max_total
    row[heat.WAY_BEHIND] = _BEHIND[settings.behind]
    row[heat.CLAIMS_WARM] = settings.claims == "warm"
    row[heat.COOLED_IS_UNTOUCHED] = settings.cooled == "untouched"
    row[heat.UNDOES_EXCESS] = settings.excess == "undone"
    row[heat.WEIGH] = _WEIGHTS[settings.weights]
    row[heat.BOUNDS] = _BOUNDS[settings.barrier_shape]
    row[heat.REACH] = -1 if settings.barrier_reach is None else round(1000.0 * settings.barrier_reach)
    return row, float(np.cos(settings.cone)) if settings.cone is not None else 0.0


def cases_of(layout: MeshedLayout, losses: Losses, settings: ChaseSettings | Sequence[ChaseSettings]) -> Cases:
    """Put losses and settings (one, or one for each loss) into arrays."""
    count = len(losses)
    each = (settings,) * count if isinstance(settings, ChaseSettings) else tuple(settings)
    require_one_each(settings, losses)
    if isinstance(settings, ChaseSettings):
        kinds: tuple[ChaseSettings, ...] = (settings,)
        row, cone = _rule_row(settings)
        rules = FloodRules(np.repeat(row[None], count, axis=0), np.full(count, cone))
        radius = np.full(count, settings.nearest)
        headings = losses.heading if settings.barrier != "none" else np.zeros((count, 3))
    else:
        kinds = tuple({id(one): one for one in each}.values())
        rows = [_rule_row(one) for one in each]
        numbers = np.array([row for row, _ in rows], np.int32).reshape(-1, heat.RULE_COLUMNS)
        rules = FloodRules(numbers, np.array([cone for _, cone in rows]))
        radius = np.array([one.nearest for one in each])
        barred = np.array([one.barrier != "none" for one in each], np.bool_)
        headings = np.where(barred[:, None], losses.heading, 0.0)
    starts = start_cells(layout, losses.seen_at, radius, "seen_at")
    needed = any(_needs_beliefs(one) for one in kinds)
    beliefs = _beliefs_of(layout, losses, each, kinds, starts, headings) if needed else None
    return Cases(each, kinds, starts, headings, rules, beliefs)


def require_one_each(settings: ChaseSettings | Sequence[ChaseSettings], losses: Losses) -> None:
    """Raise unless there are settings for all losses together, or one for each."""
    if not isinstance(settings, ChaseSettings) and len(settings) != len(losses):
        raise InputError(f"{len(settings)} settings for {len(losses)} losses; give one, or one for each")


class SettingsArrays:
    """Everything that follows from the settings alone, made once for floods of one loss at a time."""

    def __init__(self, settings: ChaseSettings):
        row, cone = _rule_row(settings)
        self.settings = settings
        self.rules = (frozen(row[None]), frozen([cone], np.float64))
        self.radius = frozen([settings.nearest], np.float64)
        self.needs_beliefs = _needs_beliefs(settings)
        self._each = (settings,)
        self._belief = _belief_row(settings)

    def heading(self, loss: Loss) -> Floats:
        """Return the heading (1, 3) behind which the flood is barred; zeros: no barrier."""
        return loss.heading.reshape(1, 3) if self.settings.barrier != "none" else _NO_HEADING

    def case(self, layout: MeshedLayout, loss: Loss) -> Cases:
        """Put one loss into arrays, as `cases_of` does for many."""
        starts = start_cells(layout, loss.seen_at.reshape(1, 3), self.radius, "seen_at")
        headings, beliefs = self.heading(loss), None
        if self.needs_beliefs:
            beliefs = _belief_of(layout, loss, self.settings, self._belief, starts, headings)
        return Cases(self._each, self._each, starts, headings, FloodRules(*self.rules), beliefs)


def _needs_beliefs(settings: ChaseSettings) -> bool:
    """Return whether a flood with these settings needs to know about the guard, unlike the article's."""
    beyond = settings.barrier in ("belief", "both") or settings.exits == "opened"
    return beyond or settings.about_turns == "barred" or settings.corner > 0.0 or settings.look_round > 0


def _beliefs_of(
    layout: MeshedLayout,
    losses: Losses,
    settings: tuple[ChaseSettings, ...],
    kinds: tuple[ChaseSettings, ...],
    starts: Ids,
    headings: Floats,
) -> Beliefs:
    """Return what guards know; `kinds` holds each object among `settings` once."""
    count = len(losses)
    numbers = np.zeros((count, belief.BELIEF_COLUMNS), np.int32)
    facts, follow = np.zeros((count, belief.FACT_COLUMNS)), np.zeros((count, 1))
    for one in kinds:
        rows = slice(None) if len(kinds) == 1 else [n for n in range(count) if settings[n] is one]
        numbers[rows], facts[rows] = _belief_row(one)
        follow[rows] = one.follow
    facts[:, belief.RUN] += losses.speed * losses.seconds
    _fill_views(losses, numbers, facts)
    seen = losses.view_cells or (None,) * count
    lengths = [0 if cells is None else len(cells) for cells in seen]
    cells = [one for one in seen if one is not None]
    flat = np.concatenate(cells).astype(np.int32) if cells else _NO_CELLS
    seen_start = np.concatenate([[0], np.cumsum(lengths)]).astype(np.int64)
    return _with_guards(layout, losses.guard_at, starts, follow * headings, Beliefs(numbers, facts, seen_start, flat))


def _belief_of(
    layout: MeshedLayout, loss: Loss, settings: ChaseSettings, row: tuple[Ids, Floats], starts: Ids, headings: Floats
) -> Beliefs:
    """Return what one guard knows, as `_beliefs_of` does for many; `row` is the `_belief_row` of the settings."""
    numbers, facts = row[0].reshape(1, -1).copy(), row[1].reshape(1, -1).copy()
    facts[0, belief.RUN] += loss.speed * loss.seconds
    view, seen_start, seen_cell = loss.guard_view, _NONE_SEEN, _NO_CELLS
    if view is None:
        facts[0, belief.VIEW_COSINE] = 1.0
    else:
        numbers[0, belief.VIEW] = belief.VIEW_CONE if view.cells is None else belief.VIEW_CELLS
        x, y, _ = view.heading.tolist()
        length = np.hypot(x, y)
        if length != 0.0:
            facts[0, belief.VIEW_X], facts[0, belief.VIEW_Y] = x / length, y / length
        facts[0, belief.VIEW_COSINE] = np.cos(view.angle / 2.0)
        facts[0, belief.VIEW_DISTANCE] = view.distance
        if view.cells is not None:
            seen_start, seen_cell = np.array([0, len(view.cells)], np.int64), view.cells
    guard_at = _UNKNOWN if loss.guard_at is None else loss.guard_at.reshape(1, 3)
    back = settings.follow * headings
    return _with_guards(layout, guard_at, starts, back, Beliefs(numbers, facts, seen_start, seen_cell))


def _belief_row(settings: ChaseSettings) -> tuple[Ids, Floats]:
    """Return the settings about guards as a row of `Beliefs.numbers` and one of `Beliefs.facts`."""
    numbers, facts = np.zeros(belief.BELIEF_COLUMNS, np.int32), np.zeros(belief.FACT_COLUMNS)
    numbers[belief.BELIEVES] = settings.barrier in ("belief", "both")
    numbers[belief.KEEPS_BARRIER] = settings.barrier == "both"
    numbers[belief.OPENS_EXITS] = settings.exits == "opened"
    numbers[belief.LEAST_STEPS] = settings.least_steps
    numbers[belief.LOOKS] = settings.look_round
    numbers[belief.BARS_TURNS] = settings.about_turns == "barred"
    facts[belief.LEAD] = settings.lead
    facts[belief.RUN] = settings.slack
    facts[belief.CORNER] = settings.corner
    facts[belief.LOOK_REACH] = settings.look_reach
    facts[belief.LOOK_DISTANCE] = settings.look_distance
    facts[belief.LOOK_AREA] = settings.look_area
    return numbers, facts


def _fill_views(losses: Losses, numbers: Ids, facts: Floats) -> None:
    has_view = losses.has_view
    numbers[has_view, belief.VIEW] = belief.VIEW_CONE
    for row, cells in enumerate(losses.view_cells or ()):
        if cells is not None:
            numbers[row, belief.VIEW] = belief.VIEW_CELLS
    # Sight is judged in plan: a guard that looks up or down sees equally far.
    flat = losses.view_heading[:, :2]
    length = np.hypot(flat[:, 0], flat[:, 1])
    facts[:, belief.VIEW_X : belief.VIEW_Y + 1] = flat / np.where(length == 0.0, 1.0, length)[:, None]
    facts[:, belief.VIEW_COSINE] = np.cos(np.where(has_view, losses.view_angle, 0.0) / 2.0)
    facts[:, belief.VIEW_DISTANCE] = losses.view_distance


def _with_guards(layout: MeshedLayout, guard_at: Floats, starts: Ids, back: Floats, beliefs: Beliefs) -> Beliefs:
    """Fill in the cells of guards, those of unknown guards `back` metres from the start, and return the beliefs."""
    missing = guard_places(layout.arrays, layout.mesh.arrays, guard_at, starts, back, beliefs)
    if missing >= 0:
        raise _off_mesh(guard_at[missing])
    flat, count = beliefs.seen_cell, len(layout.arrays.cell_grid)
    if len(flat) and (flat.min() < 0 or flat.max() >= count):
        raise QueryError(f"cells of a view run from {flat.min()} to {flat.max()}; ids run from 0 to {count - 1}")
    return beliefs


def guard_cells(layout: MeshedLayout, guard_at: Floats) -> Ids:
    """Return the cell each guard stands in, -1 for an unknown guard (NaN); raise if a guard is off the mesh."""
    cells = np.empty(len(guard_at), np.int32)
    stood_in(layout.arrays, layout.mesh.arrays, guard_at, np.full(len(guard_at), GUARD_RADIUS), False, cells)
    missing = np.flatnonzero(~np.isnan(guard_at[:, 0]) & (cells < 0))
    if len(missing):
        raise _off_mesh(guard_at[missing[0]])
    return cells


def _off_mesh(guard_at: Floats) -> QueryError:
    x, y, z = guard_at.tolist()
    return QueryError(
        f"guard_at ({x:g}, {y:g}, {z:g}) is off the mesh: no cell within {GUARD_RADIUS:g} m; "
        "give a place on the floor, or leave the guard out"
    )


def bars_guard_side(beliefs: Beliefs, starts: Ids) -> Bools:
    """Return which floods bar the cells that the guard reaches first, instead of those behind the runner, (n,) bool."""
    guard = beliefs.numbers[:, belief.GUARD_CELL]
    opens = (beliefs.numbers[:, belief.OPENS_EXITS] == 1) & (beliefs.numbers[:, belief.BELIEVES] == 0)
    return opens & (guard >= 0) & (guard != starts)
