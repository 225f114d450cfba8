"""Vision models behind one interface, by name, and scaled to an agent's view distance and angle."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any, Protocol

from ....checks import finite_number, shown
from ....compilation.preparation import kernels_on_demand, prepare
from ....errors import InputError, did_you_mean
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from .coffin_vision import BOXES, CoffinVision
from .look import RayBudget
from .narrowing_vision import NarrowingVision
from .shapes import Narrowing, Outline, Sector, Shape
from .sightings import Sightings, VisionMemory
from .zone_vision import ZoneVision


class VisionModel(Protocol):
    """Anything that can say who sees whom."""

    @property
    def rays_per_pair(self) -> int:
        """Most rays one pair may need: the least a budget must hold."""
        ...

    def look(
        self,
        bodies: BodyArrays,
        sight: SightArrays,
        observers: Any,
        targets: Any,
        memory: VisionMemory,
        seconds: float,
        *,
        alert: Any = 0,
        rays: RayBudget | None = None,
        clouds: Any = None,
    ) -> Sightings:
        """Who of `observers` sees whom of `targets`, and how surely?

        Parameters
        ----------
        bodies : everybody.
        sight : what blocks sight: `Sight.arrays`.
        observers, targets : rows of the table of bodies, (n,) and (m,).
        memory : what the last look left, `VisionMemory(n, m)` at first; written in place.
        seconds : since the last look.
        alert : 0 calm, 1 suspicious, 2 in combat; one for all, or (n,).
        rays : most rays to cast, with turns for those left out; None: as many as it takes.
        clouds : (k, 4) x, y, z, radius in metres: smoke that nobody sees through.
        """
        ...


with kernels_on_demand():  # an import prepares nothing
    VISIONS: dict[str, ZoneVision | CoffinVision | NarrowingVision] = {
        "zones": ZoneVision(),
        "coffin": CoffinVision(),
        "boxes": CoffinVision(shapes=BOXES),
        "narrowing": NarrowingVision(),
    }
"""Models by name, with their usual settings; "boxes" is the model of "coffin" (chapter 28) with plain boxes."""


def vision(name: str) -> VisionModel:
    """Return the model of that name in `VISIONS`."""
    if not isinstance(name, str) or name not in VISIONS:
        raise InputError(
            f"no vision is named {shown(name)}{did_you_mean(name, VISIONS)}; give one of {', '.join(VISIONS)}"
        )
    prepare(*VISIONS[name].kernels)
    return VISIONS[name]


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
