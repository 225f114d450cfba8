"""Vision by zones: where a target is seen says how surely."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Literal

import numpy as np

from ....checks import finite_number, frozen
from ....compilation.preparation import prepare
from ....conventions import Floats
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.vision_awareness import weigh_zones
from ....kernels.senses.vision_rays import PointArrays
from ....kernels.senses.vision_shapes import ShapeArrays
from ..arguments import one_of, things_of
from .look import LOOK, RayBudget, chest_and_head, glance, rays_per_pair, step_seconds
from .shapes import Outline, Sector, Shape, pack, shape_of
from .sightings import Sightings, VisionMemory


@dataclass(frozen=True)
class VisionZone:
    """A shape that turns with the head, and how sure one is of what is in it: 0 … 1."""

    shape: Shape
    certainty: float

    def __post_init__(self) -> None:
        shape_of(self.shape)
        finite_number(self.certainty, "certainty of a zone", low=0.0, high=1.0)


ZONES = (
    VisionZone(Outline(((0.0, 0.6), (7.0, 3.0), (14.0, 1.2))), 1.0),
    VisionZone(Sector(math.radians(30.0), 12.0), 0.8),
    VisionZone(Sector(math.radians(45.0), 15.0), 0.5),
    VisionZone(Sector(math.radians(50.0), 18.0), 0.3),
    VisionZone(Sector(math.radians(95.0), 12.0), 0.3),
    VisionZone(Outline(((0.0, 1.0), (18.0, 5.0), (26.0, 3.0))), 0.3),
)
"""A sweet spot that widens and narrows again, the front, further and to the sides less. The sizes are ours; a rim of
0.3 lies around all that is surer, so that nobody who runs into view is known in the same moment."""


@dataclass(frozen=True)
class ZoneVision:
    """How sure a guard is of what it sees; deterministic, never a dice roll (chapter 4).

    Attributes
    ----------
    zones : where they overlap, the surest holds.
    movement : 0 … 1, added where the target moves faster than `moving_at` metres a second.
    camouflage : 0 … 1, taken off in full camouflage or full darkness, in proportion else.
    investigate_at, identified_at : certainties at which one looks closer, and knows who it is.
    dwell : seconds a target must stay in sight before it is identified; 0: none.
    dwell_by : what counts as dwelling: "sight": being seen surely enough to be identified; "certainty": being seen at
        all, in proportion to the certainty.
    """

    kernels: ClassVar[tuple[str, ...]] = (LOOK, "senses.vision_awareness.weigh_zones")
    zones: tuple[VisionZone, ...] = ZONES
    movement: float = 0.3
    moving_at: float = 0.2
    camouflage: float = 0.3
    investigate_at: float = 0.5
    identified_at: float = 0.8
    dwell: float = 0.0
    dwell_by: Literal["sight", "certainty"] = "sight"

    def __post_init__(self) -> None:
        for name in ("movement", "camouflage", "investigate_at"):
            finite_number(getattr(self, name), name, low=0.0, high=1.0)
        finite_number(self.identified_at, "identified_at", low=self.investigate_at, high=1.0, open_low=False)
        finite_number(self.moving_at, "moving_at", unit="m/s", low=0.0, high=100.0, open_low=True)
        finite_number(self.dwell, "dwell", unit="s", low=0.0, high=60.0)
        one_of(self.dwell_by, ("sight", "certainty"), "dwell_by")
        if self.identified_at == 0.0:
            raise InputError("identified_at is 0: everything would be identified; give more than 0")
        zones = tuple(sorted(things_of(self.zones, VisionZone, "zones"), key=lambda zone: -zone.certainty))
        object.__setattr__(self, "zones", zones)
        pack([zone.shape for zone in zones])
        prepare(*self.kernels)

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
        """Who sees whom, and how surely? See `VisionModel`."""
        length = step_seconds(seconds)
        seen = glance(bodies, sight, observers, targets, memory, alert, rays, clouds, self._shapes, self._points)
        weigh_zones(
            bodies,
            seen.targets,
            seen.shape,
            seen.visible,
            seen.reason,
            self._worth,
            self._numbers,
            length,
            memory.timer,
            memory.perceived,
            seen.certainty,
            seen.awareness,
            seen.band,
        )
        return seen.sightings()

    @property
    def rays_per_pair(self) -> int:
        """Most rays one pair may need: the least a budget must hold."""
        return rays_per_pair(self._points)

    @cached_property
    def _shapes(self) -> ShapeArrays:
        return pack([zone.shape for zone in self.zones])

    @cached_property
    def _points(self) -> PointArrays:
        return chest_and_head()

    @cached_property
    def _worth(self) -> Floats:
        return frozen([zone.certainty for zone in self.zones], np.float64)

    @cached_property
    def _numbers(self) -> Floats:
        by_certainty = float(self.dwell_by == "certainty")
        bands = self.investigate_at, self.identified_at
        return frozen([self.movement, self.moving_at, self.camouflage, *bands, self.dwell, by_certainty], np.float64)
