"""Layers that can be shown over the cells: two are recorded with a run, the others computed while a page looks."""

from __future__ import annotations

from typing import Any

import numpy as np
from msgspec.structs import replace

from ....agents.bodies.orders import SPEEDS
from ....agents.senses.hearing.sounds import SOUNDS, MovementNoise
from ....conventions import Array, Floats
from ....reasoning.chase.chase_spec import chase_spec
from ....simulation.scenario.scenario import chase_of
from ....simulation.world.survey import AREA_COLOURS, EARSHOT
from ..session.stage import Stage
from .greeting import LayerKind

_FARTHEST = 200.0


RECORDED = (
    LayerKind("search", "Search", "where the target may be: influence of 127", "of 127", 0, 127, "search", steps=0),
    LayerKind(
        "cleaned", "Team", "which agent cleared which cells, and where each one searches", "", 1, 127, "who", steps=0
    ),
)
"""The influence of the search, and which agent cleared it; see `SearchProgress`."""


_NO_WAY = "unreachable"
_SURVEYED = (
    LayerKind("heat", "Heat of the last chase", "heat at the end of the last flood", "heat", nothing="cold"),
    LayerKind(
        "exposure",
        "Seen by",
        "number of guards that would see an agent there now",
        "guards",
        scale="field",
        nothing="none",
    ),
    LayerKind(
        "danger",
        "Danger",
        "how aware guards become of an agent that stands there for a second",
        "of 1",
        nothing="unseen",
    ),
    LayerKind("noise", "Sound", "", "m", 0, EARSHOT, "field", is_turned=True, nothing="out of earshot"),
    LayerKind("hiding", "Hiding places", "the shipped query `hide`", "of 1", scale="search", nothing="unsuitable"),
    LayerKind(
        "walk",
        "Walking distance",
        "metres to walk there; locked doors block the way",
        "m",
        scale="field",
        nothing=_NO_WAY,
    ),
    LayerKind(
        "guards",
        "Guards' walking distance",
        "metres the nearest guard would have to walk",
        "m",
        0,
        1,
        "field",
        True,
        nothing=_NO_WAY,
    ),
    LayerKind(
        "proximity",
        "Proximity",
        "1 at the target, 0 from 20 m to walk; guards that read it know more than they see",
        "of 1",
        scale="field",
        nothing="far",
    ),
    LayerKind("light", "Light", "brightness: 0 is dark", "of 1", scale="light"),
    LayerKind("clearance", "Clearance", "metres to the nearest wall, to within a cell", "m", scale="field"),
    LayerKind(
        "way out", "Distance to exit", "metres to walk from there to an exit", "m", scale="field", nothing=_NO_WAY
    ),
    LayerKind("height", "Height", "height of the floor above 0", "m", scale="field"),
    LayerKind(
        "areas",
        "Areas",
        "area between doors, borders of zones or chokepoints; after 12, colours repeat",
        high=AREA_COLOURS - 1.0,
        scale="field",
        nothing="choke",
    ),
)


def layer_kinds(stage: Stage) -> tuple[LayerKind, ...]:
    """Return all layers of an open stage: the recorded ones, then the surveyed ones."""
    level, agents = stage.setting.level, stage.setting.agents
    far = _rounded_up(1.5 * _extent(stage))
    heights = stage.layout.arrays.cell_xyz[:, 2]
    low, high = float(heights.min(initial=0.0)), float(heights.max(initial=0.0))
    you = "you" if stage.player is not None else "the target"
    changes: dict[str, dict[str, Any]] = {
        "heat": {"high": _hot(stage)},
        "exposure": {"high": float(max(1, sum(spec.brain == "guard" for spec in agents)))},
        "noise": {"about": f"metres that sound travels from there to the nearest ear; {_heard()}"},
        "hiding": {"about": f"how well {you} would be hidden there: the shipped query `hide`"},
        "walk": {"title": f"Walking distance from {you}", "high": far},
        "guards": {"high": far},
        "proximity": {"title": f"Proximity to {you}"},
        "clearance": {"high": min(6.0, _rounded_up(_extent(stage) / 4.0))},
        "way out": {"high": far, "is_offered": any(marker.kind == "exit" for marker in level.markers)},
        "height": {"low": low, "high": max(high, low + 0.1), "is_offered": high - low > 0.1},
    }
    return (*RECORDED, *(replace(kind, **changes.get(kind.name, {})) for kind in _SURVEYED))


def _heard() -> str:
    """Return the distances at which steps are heard, as text."""
    steps, full = SOUNDS["footstep"].radius, MovementNoise().full_speed
    run, walk, sneak = (steps * SPEEDS[gait] / full for gait in ("run", "walk", "sneak"))
    return f"running is heard within {run:.0f}, walking within {walk:.0f}, sneaking within {sneak:.0f}"


def packed_values(kind: LayerKind, values: Floats) -> Array:
    """Return values (cells,), NaN: nothing, as bytes (cells,) int8 by the scale of a layer."""
    share = (values - kind.low) / (kind.high - kind.low)
    steps = np.clip(np.round(kind.steps * share), 0, kind.steps) + 1
    return np.where(np.isnan(values), 0, steps).astype(np.int8)


def _extent(stage: Stage) -> float:
    xy = stage.layout.arrays.cell_xyz[:, :2].astype(np.float64)
    return float(np.linalg.norm(xy.max(axis=0) - xy.min(axis=0))) if len(xy) else 0.0


def _hot(stage: Stage) -> float:
    """Return the highest heat of the floods of a stage; 127 if a predictor has no settings."""
    specs = {chase_of(stage.setting.scenario, one) for one in stage.setting.agents}
    found = [chase_spec(text).kind.settings for text in specs]
    return float(max((127 if one is None else one.hot for one in found), default=127))


def _rounded_up(metres: float) -> float:
    return min(_FARTHEST, 10.0 * np.ceil(max(metres, 1.0) / 10.0).item())
