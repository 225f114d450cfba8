"""What do guards see? The outlines of a vision model, laid over what the level lets through."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from ...agents.senses.vision.coffin_vision import CoffinVision
from ...agents.senses.vision.narrowing_vision import NarrowingVision
from ...agents.senses.vision.shapes import Narrowing, Outline, Sector, Shape
from ...agents.senses.vision.vision import VisionModel
from ...agents.senses.vision.zone_vision import ZoneVision
from ...conventions import Floats

__all__ = ["SeenArea", "ViewShape", "view_shape"]

_STEPS = 24


@dataclass(frozen=True, eq=False)
class ViewShape:
    """The outlines of a model in the frame of the head, (n, 2) metres: x ahead, y to the left.

    Attributes
    ----------
    inner : where somebody is made out at once; outer : where anything is noticed at all, with the inner.
    far : metres to the furthest of all.
    """

    inner: tuple[Floats, ...]
    outer: tuple[Floats, ...]
    far: float

    def turned(self, xy: Floats, gaze: float) -> tuple[tuple[Floats, ...], tuple[Floats, ...]]:
        """Return inner and outer outlines of a head at a place that looks somewhere, metres."""
        turn = np.array([[math.cos(gaze), math.sin(gaze)], [-math.sin(gaze), math.cos(gaze)]])
        inner, outer = (tuple(xy + outline @ turn for outline in part) for part in (self.inner, self.outer))
        return inner, outer


@dataclass(frozen=True, eq=False)
class SeenArea:
    """What one sees: `area` (k, 2) is what walls and doors leave free around the eye, of which the outlines count."""

    area: Floats
    inner: tuple[Floats, ...]
    outer: tuple[Floats, ...]


def view_shape(model: VisionModel) -> ViewShape:
    """Return the outlines of a ready vision model; those of unknown models are empty."""
    if isinstance(model, ZoneVision):
        shapes: list[Shape] = [zone.shape for zone in model.zones]
        sure = [zone.shape for zone in model.zones if zone.certainty >= model.identified_at]
    elif isinstance(model, CoffinVision):
        shapes = [timed.shape for timed in model.shapes]
        sure = shapes[:1]
    elif isinstance(model, NarrowingVision):
        shapes, sure = [model.shape], []
    else:
        shapes = sure = []
    outlines = tuple(_outline(shape) for shape in shapes)
    far = max((float(np.hypot(*outline.T).max()) for outline in outlines), default=0.0)
    return ViewShape(tuple(_outline(shape) for shape in sure), outlines, far)


def _outline(shape: Shape) -> Floats:
    if isinstance(shape, Sector):
        angle = np.linspace(-shape.half_angle, shape.half_angle, 2 * _STEPS)
        rim = np.column_stack([np.cos(angle), np.sin(angle)]) * shape.far
        return np.vstack([rim, rim[::-1] * (shape.near / shape.far)])
    if isinstance(shape, Outline):
        return _mirrored(np.array(shape.knots))
    assert isinstance(shape, Narrowing)
    # Close by the angle hardly changes; it falls with distance, so most points are needed where it does.
    metres = np.geomspace(max(0.05, shape.constant / shape.most / 2.0), shape.far, _STEPS)
    angle = np.array([shape.half_angle(far) for far in metres.tolist()])
    side = np.column_stack([metres * np.cos(angle), metres * np.sin(angle)])
    cap = np.linspace(angle[-1], -angle[-1], 8)[1:-1]
    rim = np.column_stack([np.cos(cap), np.sin(cap)]) * shape.far
    return np.vstack([[[0.0, 0.0]], side, rim, side[::-1] * (1.0, -1.0)])


def _mirrored(side: Floats) -> Floats:
    return np.vstack([side, side[::-1] * (1.0, -1.0)])
