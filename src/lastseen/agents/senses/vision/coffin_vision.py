"""Vision by a bar that fills while enough of a body is in sight."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np

from ....checks import finite_number, frozen, shown
from ....compilation.preparation import prepare
from ....conventions import Floats
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.vision_awareness import fill_bars
from ....kernels.senses.vision_rays import PointArrays
from ....kernels.senses.vision_shapes import ShapeArrays
from ...bodies.bodies import STANCES
from ..arguments import numbers_of, things_of
from .look import BONES, LOOK, RayBudget, bone_points, glance, rays_per_pair, step_seconds
from .shapes import Outline, Sector, Shape, pack, shape_of
from .sightings import Sightings, VisionMemory


@dataclass(frozen=True)
class TimedShape:
    """A shape and how long it takes to detect somebody in it: `fast` seconds near the head, `slow` at its far end."""

    shape: Shape
    fast: float
    slow: float

    def __post_init__(self) -> None:
        shape_of(self.shape)
        finite_number(self.fast, "fast", unit="s", low=0.0, high=3600.0)
        finite_number(self.slow, "slow", unit="s", low=self.fast, high=3600.0)


COFFIN = (
    TimedShape(Sector(math.radians(30.0), 8.0), 0.3, 1.0),
    TimedShape(Outline.coffin(0.8, 8.0, 4.5, 24.0, 1.5), 0.8, 2.5),
    TimedShape(Sector(math.radians(100.0), 4.0), 1.0, 2.0),
)
"""A cone in front where detection is quick, the coffin, and the corners of the eyes. The sizes are ours."""

BOXES = (
    TimedShape(Outline.box(4.0, 8.0), 0.3, 1.0),
    TimedShape(Outline.box(8.0, 20.0), 0.8, 2.5),
    TimedShape(Sector(math.radians(100.0), 3.0), 1.0, 2.0),
)
"""Plain boxes, as in the game before. The sizes are ours."""


@dataclass(frozen=True)
class CoffinVision:
    """How full is the bar? It fills while enough of the body is seen, in a shape and lit (chapter 28).

    Attributes
    ----------
    shapes : of those that hold the target the quickest counts (the source says "the most inclusive").
    needed : how many of the eight parts of a body must be in sight, by stance: standing, crouched, in cover, lying.
        The source gives "in cover" only: more than two.
    least_light : 0 … 1, darker targets are not seen at all.
    dark_factor : at least 1, how many times as long it takes in the least light.
    alert_factors : how many times as long it takes calm, suspicious, in combat.
    investigate_at : 0 … 1, share of the bar at which one goes to look.
    empties : seconds in which a full bar empties once the target is out of sight; 0: at once.
    """

    kernels: ClassVar[tuple[str, ...]] = (LOOK, "senses.vision_awareness.fill_bars")
    shapes: tuple[TimedShape, ...] = COFFIN
    needed: tuple[int, int, int, int] = (2, 2, 3, 2)
    least_light: float = 0.1
    dark_factor: float = 3.0
    alert_factors: tuple[float, float, float] = (1.0, 0.6, 0.25)
    investigate_at: float = 0.5
    empties: float = 2.0

    def __post_init__(self) -> None:
        counts = numbers_of(self.needed, len(STANCES), "needed", low=1.0, high=float(len(BONES)))
        if any(count != int(count) for count in counts):
            raise InputError(f"needed is {shown(self.needed)}; give whole numbers, one for each stance")
        object.__setattr__(self, "needed", tuple(map(int, counts)))
        finite_number(self.least_light, "least_light", low=0.0, high=1.0)
        finite_number(self.dark_factor, "dark_factor", low=1.0, high=1e3)
        finite_number(self.investigate_at, "investigate_at", low=0.0, high=1.0, open_low=True)
        finite_number(self.empties, "empties", unit="s", low=0.0, high=3600.0)
        object.__setattr__(self, "alert_factors", numbers_of(self.alert_factors, 3, "alert_factors", low=0.0, high=1e3))
        object.__setattr__(
            self,
            "shapes",
            tuple(sorted(things_of(self.shapes, TimedShape, "shapes"), key=lambda timed: (timed.fast, timed.slow))),
        )
        pack([timed.shape for timed in self.shapes])
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
        """Who sees whom, and how full are the bars? See `VisionModel`."""
        length = step_seconds(seconds)
        seen = glance(bodies, sight, observers, targets, memory, alert, rays, clouds, self._shapes, self._points)
        fill_bars(
            bodies,
            seen.targets,
            seen.alert,
            seen.shape,
            seen.metres,
            seen.visible,
            seen.reason,
            self._times,
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
        return pack([timed.shape for timed in self.shapes])

    @cached_property
    def _points(self) -> PointArrays:
        return bone_points(self.needed)

    @cached_property
    def _times(self) -> Floats:
        return frozen([(timed.fast, timed.slow, _length(timed.shape)) for timed in self.shapes], np.float64)

    @cached_property
    def _numbers(self) -> Floats:
        light = self.least_light, self.dark_factor
        return frozen([*light, *self.alert_factors, self.investigate_at, self.empties], np.float64)


def _length(shape: Shape) -> float:
    """Metres straight ahead to the far end."""
    return shape.knots[-1][0] if isinstance(shape, Outline) else shape.far
