"""Layers that agents read: surveyed again after a while, each within its own budget of cells per step."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np

from ...agents.brains.leaves.layers import LAYERS
from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...conventions import Ids
from ...layers.layer import Layer
from ..scenario.reader import Setting
from ..scenario.scenario import LayerSpec
from .parts import LayerWork
from .survey import Moment, Survey


def make_layers(setting: Setting, live: LiveLayout, layout: CellLayout, watchers: Ids, targets: Ids) -> LayerWork:
    """Return the layers of a setting, with nothing surveyed yet."""
    if not setting.layers:
        return LayerWork()
    specs = dict(sorted(setting.layers.items(), key=lambda item: bool(item[1].sum)))
    named = {name: _empty(live, name, spec) for name, spec in specs.items()}
    survey = Survey(setting, layout, watchers, targets)
    return LayerWork(named=named, survey=survey, specs=specs, due=dict.fromkeys(specs, -math.inf))


def _empty(live: LiveLayout, name: str, spec: LayerSpec) -> Layer:
    if spec.sum:
        words = ", ".join(f"{weight:g} × {part}" for part, weight in spec.sum.items())
        return Layer(live, name, "float32", f"sum of {words}")
    meaning, unit, nothing = LAYERS[name]
    return Layer(live, name, "float32", meaning, unit=unit, fill=nothing)


def refresh(work: LayerWork, now: float, moment: Callable[[], Moment]) -> None:
    """Begin the surveys that are due, and continue all within their budgets; a finished one replaces its layer."""
    assert work.survey is not None
    shared: Moment | None = None
    for name, spec in work.specs.items():
        if spec.sum:
            parts = [weight * work.named[part].values for part, weight in spec.sum.items()]
            work.named[name].values[:] = np.sum(parts, axis=0)
            continue
        if name not in work.begun and now >= work.due[name] - 1e-9:
            shared = shared or moment()  # one moment for all that begin now, so that they share what they see
            work.due[name] = now + spec.every
            work.begun[name] = work.survey.start(name, shared)
        if name in work.begun:
            _continue(work, name, math.inf if spec.cells is None else spec.cells)


def _continue(work: LayerWork, name: str, budget: float) -> None:
    while budget > 0.0:
        try:
            budget -= next(work.begun[name])
        except StopIteration as done:
            layer = work.named[name]
            layer.values[:] = np.where(np.isnan(done.value), layer.fill, done.value)
            del work.begun[name]
            return
