"""Vision: three models of seeing behind one interface, one of them with two sets of shapes: four names."""

from __future__ import annotations

from typing import Any, Protocol

from ...checks import shown
from ...compilation.preparing import kernels_on_demand, prepare
from ...errors import InputError, did_you_mean
from ...kernels.body_arrays import BodyArrays
from ...kernels.sight_arrays import SightArrays
from .coffin_vision import BOXES, CoffinVision
from .look import RayBudget
from .narrowing_vision import NarrowingVision
from .sightings import Sightings, VisionMemory
from .zone_vision import ZoneVision

__all__ = ["VISIONS", "VisionModel", "vision"]


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
