"""The chase: predicts where a lost target ran by flooding cells with heat."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from ....cells.meshed_layout import MeshedLayout
from ....checks import job_count, shown
from ....compilation.preparation import prepare
from ....errors import InputError
from ....layers.layer import Layer, require_cells, require_layer, require_same_cells
from ..loss import Loss, Losses, View
from ..prediction import Flood, Floods
from .batch import FloodQueue, flood_all
from .cases import SettingsArrays, cases_of
from .chase_settings import PRESETS, ChaseSettings
from .chase_settings import preset as preset_named
from .flood_run import FloodRun, flood_at_once
from .workspace import Workspaces

_PLACES = ("cells.standing_cells.stood_in", "cells.standing_cells.places_on_floor")
_FLOOD = ("flood.heat_look.flood_once", *_PLACES)
_BELIEVE = (
    "cells.standing_cells.guard_places",
    "flood.belief_flood.believe_many",
    "flood.heat_look.look_at_flood",
    *_PLACES,
)
"""Kernels that `predict` calls with settings that need to know about the guard; `_FLOOD`: with other settings."""


class Chase:
    """Predicts where a lost target went by flooding the cells ahead of it with heat.

    Parameters
    ----------
    cells : a layout, frozen or live; in a live one, cells that are disabled at the time of the call are walls.
    preset : name of one of `PRESETS`, by default "article".
    settings : settings to use instead of a preset.
    worth : layer of weights, at least 0, of warm cells in the destination: cover, hiding places, exits (see
        `lastseen.layers.tactical_worth`).

    Notes
    -----
    Laurent Couvidou, "Flooding the Influence Map for Chase in Dishonored 2", Game AI Pro, online edition 2021.
    """

    def __init__(
        self,
        cells: MeshedLayout,
        preset: str | None = None,
        *,
        settings: ChaseSettings | None = None,
        worth: Layer | None = None,
    ):
        if preset is not None and settings is not None:
            raise InputError(
                f"preset {shown(preset)} and settings are both given; give one (settings may start from it)"
            )
        require_cells(cells, "cells")
        self.layout = cells
        named = preset_named("article" if preset is None else preset)
        self.settings = named if settings is None else _require_settings(settings, "settings")
        self._arrays = SettingsArrays(self.settings)
        self._spaces = Workspaces(cells)
        self._worth = np.zeros(0, np.float32)
        if worth is not None:
            require_layer(worth, "worth")
            require_same_cells(cells, worth.layout, worth.name)
            self._worth = worth.values.astype(np.float32)
            if not (self._worth >= 0.0).all() or not np.isfinite(self._worth).all():
                raise InputError(f"layer {worth.name!r} has values that are negative or not finite; give 0 or more")
        prepare(*(_BELIEVE if self._arrays.needs_beliefs else _FLOOD), cells=len(cells.arrays.cell_grid))

    def __repr__(self) -> str:
        known = next((f" {name!r}" for name, one in PRESETS.items() if one == self.settings), " with own settings")
        return f"<Chase{known} over {self.layout!r}>"

    def predict(
        self,
        loss: Loss | None = None,
        *,
        seen_at: Any = None,
        heading: Any = None,
        speed: float | None = None,
        seconds: float | None = None,
        guard_at: Any = None,
        guard_view: View | None = None,
    ) -> Flood:
        """Predict where to run, from a `Loss` or from its parts, whose defaults are those of `Loss`."""
        if loss is None:
            speed = Loss.speed if speed is None else speed
            seconds = Loss.seconds if seconds is None else seconds
            loss = Loss(seen_at, heading, speed, seconds, guard_at, guard_view)
        elif any(part is not None for part in (seen_at, heading, speed, seconds, guard_at, guard_view)):
            raise InputError("a loss and parts of one are both given; give the Loss alone, or its parts alone")
        return flood_at_once(self._spaces, self._arrays_for(loss), loss, self._worth)

    def start(self, loss: Loss) -> FloodRun:
        """Seed a flood that the caller advances, a few steps per frame or at a runner's pace."""
        return FloodRun(self._spaces, self._arrays_for(loss).case(self.layout, loss), loss.speed, self._worth)

    def _arrays_for(self, loss: Loss) -> SettingsArrays:
        if not isinstance(loss, Loss):
            raise InputError(f"loss is {shown(loss)}; give a Loss(seen_at, heading, …)")
        if self._arrays.settings is not self.settings:  # the caller has replaced them
            self._arrays = SettingsArrays(self.settings)
        return self._arrays

    def predict_many(
        self,
        losses: Sequence[Loss] | Losses,
        *,
        settings: Sequence[ChaseSettings] | None = None,
        threads: int | None = None,
    ) -> Floods:
        """Predict where to run for each loss, in one call on all cores; `settings`: one for each loss.

        The results are those of single calls, for any number of threads.
        """
        count = job_count(threads, "threads")
        return flood_all(self._spaces, Losses.of(losses), self._each(settings), self._worth, count)

    def queue(self, losses: Sequence[Loss] | Losses, *, settings: Sequence[ChaseSettings] | None = None) -> FloodQueue:
        """Queue many floods that the caller advances with one budget of steps per frame."""
        cases = cases_of(self.layout, Losses.of(losses), self._each(settings))
        return FloodQueue(self._spaces, cases, self._worth)

    def _each(self, settings: Sequence[ChaseSettings] | None) -> ChaseSettings | list[ChaseSettings]:
        if settings is None:
            return self.settings
        if not isinstance(settings, Sequence):
            raise InputError(f"settings is {shown(settings)}; give a list of ChaseSettings, one for each loss")
        return [_require_settings(one, f"settings[{number}]") for number, one in enumerate(settings)]


def _require_settings(settings: Any, name: str) -> ChaseSettings:
    if not isinstance(settings, ChaseSettings):
        raise InputError(f"{name} is {shown(settings)}; give ChaseSettings(…), or preset(…).but(…)")
    return settings
