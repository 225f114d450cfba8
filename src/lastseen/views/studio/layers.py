"""Which layers can be shown over the cells? Two are part of a run, the others are surveyed while somebody looks."""

from __future__ import annotations

from dataclasses import asdict, dataclass, replace
from typing import Any

import numpy as np

from ...agents.orders import SPEEDS
from ...agents.perception.sounds import SOUNDS, MovementNoise
from ...conventions import Array, Floats
from ...reasoning.chase.settings import PRESETS, preset
from .stage import Stage

__all__ = ["EARSHOT", "RECORDED", "LayerKind", "layer_kinds", "packed_values"]

EARSHOT = 40.0
"""Metres up to which it is said how far sound goes."""
_STEPS = 126
"""Values a byte tells apart, beside nothing."""
_FARTHEST = 200.0


@dataclass(frozen=True)
class LayerKind:
    """What a layer says of a cell, and how that is shown.

    Attributes
    ----------
    low, high : the ends of its scale in its `unit`; what lies beyond is shown as the end.
    scale : colours, see `colours.js`; `is_turned`: strong colours are low values.
    nothing : words for cells it says nothing of.
    is_offered : is there anything to see here?
    steps : 0: bytes are values; else 0 is nothing and 1 … steps + 1 run evenly from `low` to `high`.
    """

    name: str
    title: str
    about: str
    unit: str = ""
    low: float = 0.0
    high: float = 1.0
    scale: str = "heat"
    is_turned: bool = False
    nothing: str = "0"
    is_offered: bool = True
    steps: int = _STEPS

    def as_object(self) -> dict[str, Any]:
        """Return it as pages are told."""
        return asdict(self)


RECORDED = (
    LayerKind("search", "Search", "where a searched one may be: influence of 127", "of 127", 0, 127, "search", steps=0),
    LayerKind("cleaned", "Team", "who cleaned what, and who goes where in the search", "", 1, 127, "who", steps=0),
)
"""The influence of the search, and who cleaned it; see `Searching`."""


_NO_WAY = "no way there"
_SURVEYED = (
    LayerKind("heat", "Heat of the last chase", "what the last flood left when it ended", "heat", nothing="cold"),
    LayerKind("exposure", "Seen by", "guards in whose view one would stand there now", "guards", nothing="nobody"),
    LayerKind("danger", "Danger", "how aware guards get of who stands there for a second", "of 1", nothing="unseen"),
    LayerKind("noise", "Way of sound", "", "m", 0, EARSHOT, "field", is_turned=True, nothing="out of earshot"),
    LayerKind("hiding", "Worth hiding", "the ready query `hide`", "of 1", scale="search", nothing="not at all"),
    LayerKind("walk", "Walk", "metres to walk there; locked doors bar the way", "m", scale="field", nothing=_NO_WAY),
    LayerKind(
        "guards",
        "Walk of guards",
        "metres the nearest guard would walk there",
        "m",
        0,
        1,
        "field",
        True,
        nothing=_NO_WAY,
    ),
    LayerKind("light", "Light", "how lit it is: 0 is dark", "of 1", scale="light"),
    LayerKind("clearance", "Clearance", "metres to the nearest wall, to within a cell", "m", scale="field"),
    LayerKind("way out", "Way out", "metres to walk from there to an exit", "m", scale="field", nothing=_NO_WAY),
    LayerKind("height", "Height", "metres of the floor above 0", "m", scale="field"),
)


def layer_kinds(stage: Stage) -> tuple[LayerKind, ...]:
    """Return all layers of what is open, the same everywhere: the recorded ones, then those that are surveyed."""
    level, agents = stage.setting.level, stage.setting.agents
    far = _rounded_up(1.5 * _extent(stage))
    heights = stage.layout.arrays.cell_xyz[:, 2]
    low, high = float(heights.min(initial=0.0)), float(heights.max(initial=0.0))
    you = "you" if stage.player is not None else "whoever is hunted"
    changes: dict[str, dict[str, Any]] = {
        "heat": {"high": _hot(stage)},
        "exposure": {"high": float(max(1, sum(spec.brain == "guard" for spec in agents)))},
        "noise": {"about": f"metres sound goes from there to the nearest ear; {_heard()}"},
        "hiding": {"about": f"how well {you} would hide there: the ready query `hide`"},
        "walk": {"title": f"Walk from {you}", "high": far},
        "guards": {"high": far},
        "clearance": {"high": min(6.0, _rounded_up(_extent(stage) / 4.0))},
        "way out": {"high": far, "is_offered": any(marker.kind == "exit" for marker in level.markers)},
        "height": {"low": low, "high": max(high, low + 0.1), "is_offered": high - low > 0.1},
    }
    return (*RECORDED, *(replace(kind, **changes.get(kind.name, {})) for kind in _SURVEYED))


def _heard() -> str:
    """Return within how many metres steps are heard, in words."""
    steps, full = SOUNDS["footstep"].radius, MovementNoise().full_speed
    run, walk, sneak = (steps * SPEEDS[gait] / full for gait in ("run", "walk", "sneak"))
    return f"a run is heard within {run:.0f}, a walk within {walk:.0f}, sneaking within {sneak:.0f}"


def packed_values(kind: LayerKind, values: Floats) -> Array:
    """Return values (cells,), NaN: nothing, as bytes (cells,) int8 by the scale of a layer."""
    share = (values - kind.low) / (kind.high - kind.low)
    steps = np.clip(np.round(kind.steps * share), 0, kind.steps) + 1
    return np.where(np.isnan(values), 0, steps).astype(np.int8)


def _extent(stage: Stage) -> float:
    xy = stage.layout.arrays.cell_xyz[:, :2].astype(np.float64)
    return float(np.linalg.norm(xy.max(axis=0) - xy.min(axis=0))) if len(xy) else 0.0


def _hot(stage: Stage) -> float:
    chase = stage.setting.scenario.chase
    return float(preset(chase).hot) if chase in PRESETS else 127.0


def _rounded_up(metres: float) -> float:
    return min(_FARTHEST, 10.0 * np.ceil(max(metres, 1.0) / 10.0).item())
