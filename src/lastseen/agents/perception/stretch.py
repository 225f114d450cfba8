"""Stretching: the same model of seeing for one who sees further, or less to the sides."""

from __future__ import annotations

import math
from dataclasses import replace

from ...checks import finite_number
from .coffin_vision import CoffinVision
from .narrowing_vision import NarrowingVision
from .shapes import Narrowing, Outline, Sector, Shape
from .vision import VisionModel
from .zone_vision import ZoneVision

__all__ = ["VIEW_ANGLE", "VIEW_DISTANCE", "stretched"]

VIEW_ANGLE, VIEW_DISTANCE = math.radians(60.0), 12.0
"""The view a level gives a guard that sees by the models as they are: full opening in radians, and metres. In `ZONES`
that is the front, in which somebody who stands still is identified."""


def stretched(model: VisionModel, angle: float | None = None, distance: float | None = None) -> VisionModel:
    """Return a model for one whose view opens by `angle` radians and reaches `distance` metres; None: as it is.

    All shapes are stretched alike: lengths by distance / 12 m, angles and widths by angle / 60°, no angle beyond a
    full turn. Times, certainties and thresholds stay. A model of your own is returned as it is.
    """
    wide = 1.0 if angle is None else finite_number(angle, "view angle", unit="rad", low=0.0, high=7.0) / VIEW_ANGLE
    far = 1.0 if distance is None else finite_number(distance, "view distance", unit="m", low=0.0) / VIEW_DISTANCE
    if wide == far == 1.0:
        return model
    if isinstance(model, ZoneVision):
        zones = (replace(zone, shape=_stretched(zone.shape, wide, far)) for zone in model.zones)
        return replace(model, zones=tuple(zones))
    if isinstance(model, CoffinVision):
        shapes = (replace(timed, shape=_stretched(timed.shape, wide, far)) for timed in model.shapes)
        return replace(model, shapes=tuple(shapes))
    if isinstance(model, NarrowingVision):
        shape = _stretched(model.shape, wide, far)
        assert isinstance(shape, Narrowing)
        return replace(model, shape=shape)
    return model


def _stretched(shape: Shape, wide: float, far: float) -> Shape:
    if isinstance(shape, Sector):
        return Sector(min(shape.half_angle * wide, math.pi), shape.far * far, shape.near * far)
    if isinstance(shape, Outline):
        return Outline(tuple((ahead * far, width * wide * far) for ahead, width in shape.knots))
    least, most = (min(angle * wide, math.pi) for angle in (shape.least, shape.most))
    # The angle at a distance is that of the same share of the reach before.
    return Narrowing(shape.constant * wide * far, least, most, shape.far * far)
