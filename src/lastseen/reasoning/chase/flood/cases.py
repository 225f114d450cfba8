"""Losses and settings as the arrays kernels take; places to cells, or a message that says how far off they are."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from ....cells.meshed_layout import MeshedLayout, start_cells
from ....checks import frozen
from ....conventions import Array, Floats, Ids
from ....errors import InputError
from ....kernels.arrays.belief_arrays import Beliefs
from ....kernels.flood.heat_flood import (
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
from ..loss import Loss
from ..losses import Losses
from .beliefs import asks_beliefs, belief_of, belief_row, beliefs_of
from .chase_settings import ChaseSettings

_WAYS = {"strict": STRICT, "inclusive": INCLUSIVE, "cone": CONE}
_WEIGHTS = {"value": 0, "even": EVENLY, "front": BY_FRONT}
_NOWHERE = frozen(np.zeros((1, 3)))


@dataclass(frozen=True, eq=False)
class Cases:
    """n floods to run: the cells they start in, their rules, and what guards know (None: not asked).

    `kinds` holds each object among `settings` once: to hash them all takes a tenth of the time of their floods.
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
    require_as_many(settings, losses)
    if isinstance(settings, ChaseSettings):
        kinds: tuple[ChaseSettings, ...] = (settings,)
        row, cone = _row(settings)
        rules = FloodRules(np.repeat(row[None], count, axis=0), np.full(count, cone))
        radius = np.full(count, settings.nearest)
        headings = losses.heading if settings.barrier != "none" else np.zeros((count, 3))
    else:
        kinds = tuple({id(one): one for one in each}.values())
        rows = [_row(one) for one in each]
        numbers = np.array([row for row, _ in rows], np.int32).reshape(-1, RULE_COLUMNS)
        rules = FloodRules(numbers, np.array([cone for _, cone in rows]))
        radius = np.array([one.nearest for one in each])
        bars = np.array([one.barrier != "none" for one in each], np.bool_)
        headings = np.where(bars[:, None], losses.heading, 0.0)
    starts = start_cells(layout, losses.seen_at, radius, "seen_at")
    asked = any(asks_beliefs(one) for one in kinds)
    beliefs = beliefs_of(layout, losses, each, starts, headings) if asked else None
    return Cases(each, kinds, starts, headings, rules, beliefs)


class Ready:
    """What floods of one loss at a time share, made once: all that follows from the settings alone."""

    def __init__(self, settings: ChaseSettings):
        row, cone = _row(settings)
        self.settings = settings
        self.rules = (frozen(row[None]), frozen([cone], np.float64))
        self.radius = frozen([settings.nearest], np.float64)
        self.asks_beliefs = asks_beliefs(settings)
        self._each = (settings,)
        self._belief = belief_row(settings)

    def heading(self, loss: Loss) -> Floats:
        """Return the heading (1, 3) a flood is barred behind; zeros: it is not."""
        return loss.heading.reshape(1, 3) if self.settings.barrier != "none" else _NOWHERE

    def case(self, layout: MeshedLayout, loss: Loss) -> Cases:
        """Put one loss into arrays, as `prepare` would."""
        starts = start_cells(layout, loss.seen_at.reshape(1, 3), self.radius, "seen_at")
        headings, beliefs = self.heading(loss), None
        if self.asks_beliefs:
            beliefs = belief_of(layout, loss, self.settings, self._belief, starts, headings)
        return Cases(self._each, self._each, starts, headings, FloodRules(*self.rules), beliefs)


def require_as_many(settings: ChaseSettings | Sequence[ChaseSettings], losses: Losses) -> None:
    """Are there one or as many settings as losses?"""
    if not isinstance(settings, ChaseSettings) and len(settings) != len(losses):
        raise InputError(f"{len(settings)} settings for {len(losses)} losses; give one, or one for each")
