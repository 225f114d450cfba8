"""Vision models behind one interface, by name, and scaled to an agent's view distance and angle."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, ClassVar, Literal, Protocol, Self

import numpy as np

from ....checks import finite_number, frozen, real_array, shown
from ....compilation.preparation import kernels_on_demand, prepare
from ....conventions import Floats
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.vision_awareness import fill_bars, run_timers, weigh_zones
from ....kernels.senses.vision_rays import PointArrays
from ....kernels.senses.vision_shapes import ShapeArrays
from ....level.sight.sight import Sight
from ...bodies.bodies import STANCES
from ..arguments import named, numbers_of, one_of, things_of
from .look import BONES, LOOK, Glance, RayBudget, bone_points, chest_and_head, glance, rays_per_pair
from .shapes import Narrowing, Outline, Sector, Shape, pack, shape_of
from .sightings import Sightings, VisionMemory


class VisionModel(Protocol):
    """Interface of vision models."""

    @property
    def rays_per_pair(self) -> int:
        """Maximum number of rays for one pair: the smallest possible budget."""
        ...

    def look(
        self,
        bodies: BodyArrays,
        sight: Sight | SightArrays,
        observers: Any,
        targets: Any,
        memory: VisionMemory,
        seconds: float,
        *,
        alert: Any = 0,
        rays: RayBudget | None = None,
        clouds: Any = None,
        farthest: Floats | None = None,
    ) -> Sightings:
        """Return which observers see which targets, and with what certainty.

        Parameters
        ----------
        bodies : table of all bodies.
        sight : what blocks sight: `Sight.arrays`.
        observers, targets : rows of the table of bodies, (n,) and (m,).
        memory : the result of the last look, at first `VisionMemory(n, m)`; written in place.
        seconds : time since the last look, 0 … 3600.
        alert : 0 calm, 1 suspicious, 2 in combat; one value for all, or (n,).
        rays : ray budget of this look; pairs over budget come first in the next one. None: no limit.
        clouds : (k, 4) x, y, z, radius in metres of smoke that blocks sight.
        farthest : (n, m) metres at which weather still lets each pair see; None: it does not matter.
        """
        ...


class _ShapedVision(ABC):
    """A vision model that looks for points of bodies in shapes around the head, then judges what it sees."""

    kernels: ClassVar[tuple[str, ...]]

    @cached_property
    @abstractmethod
    def _shapes(self) -> ShapeArrays: ...

    @cached_property
    @abstractmethod
    def _points(self) -> PointArrays: ...

    def look(
        self,
        bodies: BodyArrays,
        sight: Sight | SightArrays,
        observers: Any,
        targets: Any,
        memory: VisionMemory,
        seconds: float,
        *,
        alert: Any = 0,
        rays: RayBudget | None = None,
        clouds: Any = None,
        farthest: Floats | None = None,
    ) -> Sightings:
        """Return which observers see which targets, and with what certainty; see `VisionModel`."""
        seconds = finite_number(seconds, "seconds", unit="s", low=0.0, high=3600.0)
        seen = glance(bodies, sight, observers, targets, memory, alert, rays, clouds, self._shapes, self._points)
        if farthest is not None:
            seen.limit(real_array(farthest, "farthest", "metres for each pair, (n, m)"))
        self._judge(bodies, seen, memory, seconds)
        return seen.sightings()

    @property
    def rays_per_pair(self) -> int:
        """Maximum number of rays for one pair: the smallest possible budget."""
        return rays_per_pair(self._points)

    @abstractmethod
    def _judge(self, bodies: BodyArrays, seen: Glance, memory: VisionMemory, seconds: float) -> None:
        """Fill the columns of certainty, awareness and band."""

    @abstractmethod
    def _scaled(self, wide: float, far: float) -> Self:
        """Return a model whose shapes are this many times as wide and as far."""


@dataclass(frozen=True)
class VisionZone:
    """A shape that turns with the head, and the certainty 0 … 1 of what is seen in it."""

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
"""A focus that widens and narrows again, the front, and weaker zones further away and to the sides. The sizes are ours;
a rim of 0.3 surrounds all surer zones, so that a target that runs into view is not identified at once."""


@dataclass(frozen=True)
class ZoneVision(_ShapedVision):
    """Vision by zones: the certainty depends on where a target is seen; deterministic, without chance (chapter 4).

    Attributes
    ----------
    zones : where they overlap, the surest counts.
    movement : 0 … 1, added if the target is faster than `moving_at` metres per second.
    camouflage : 0 … 1, subtracted in full camouflage or full darkness, otherwise in proportion.
    investigate_at, identified_at : certainties at which the observer looks closer, and knows the target.
    dwell : seconds a target must stay in sight before it is identified, 0 … 60.
    dwell_by : what counts as dwelling: "sight" counts time at a certainty high enough to identify; "certainty" counts
        any time in sight, in proportion to the certainty.
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

    def _judge(self, bodies: BodyArrays, seen: Glance, memory: VisionMemory, seconds: float) -> None:
        weigh_zones(
            bodies,
            seen.targets,
            seen.shape,
            seen.visible,
            seen.reason,
            self._worth,
            self._numbers,
            seconds,
            memory.timer,
            memory.perceived,
            seen.certainty,
            seen.awareness,
            seen.band,
        )

    def _scaled(self, wide: float, far: float) -> Self:
        return replace(self, zones=tuple(replace(zone, shape=_stretched(zone.shape, wide, far)) for zone in self.zones))

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


@dataclass(frozen=True)
class TimedShape:
    """A shape and its detection times in seconds: `fast` near the head, `slow` at its far end."""

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
"""A front cone of quick detection, the coffin, and peripheral vision. The sizes are ours."""

BOXES = (
    TimedShape(Outline.box(4.0, 8.0), 0.3, 1.0),
    TimedShape(Outline.box(8.0, 20.0), 0.8, 2.5),
    TimedShape(Sector(math.radians(100.0), 3.0), 1.0, 2.0),
)
"""Plain boxes, as in the predecessor of the game in chapter 28. The sizes are ours."""


@dataclass(frozen=True)
class CoffinVision(_ShapedVision):
    """Vision by a bar that fills while enough of a body is seen, lit and in a shape (chapter 28).

    Attributes
    ----------
    shapes : of those that contain the target, the quickest counts (the source says "the most inclusive").
    needed : how many of the eight parts of a body must be seen, by stance: standing, crouched, in cover, lying. The
        source gives only "in cover": more than two.
    least_light : 0 … 1, darker targets are not seen.
    dark_factor : 1 … 1000, factor on the detection time at the least light.
    alert_factors : factors on the detection time when calm, suspicious and in combat.
    investigate_at : 0 … 1, fill level of the bar at which the observer investigates.
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
        shapes = sorted(things_of(self.shapes, TimedShape, "shapes"), key=lambda timed: (timed.fast, timed.slow))
        object.__setattr__(self, "shapes", tuple(shapes))
        pack([timed.shape for timed in self.shapes])
        prepare(*self.kernels)

    def _judge(self, bodies: BodyArrays, seen: Glance, memory: VisionMemory, seconds: float) -> None:
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
            seconds,
            memory.timer,
            memory.perceived,
            seen.certainty,
            seen.awareness,
            seen.band,
        )

    def _scaled(self, wide: float, far: float) -> Self:
        shapes = (replace(timed, shape=_stretched(timed.shape, wide, far)) for timed in self.shapes)
        return replace(self, shapes=tuple(shapes))

    @cached_property
    def _shapes(self) -> ShapeArrays:
        return pack([timed.shape for timed in self.shapes])

    @cached_property
    def _points(self) -> PointArrays:
        return bone_points(self.needed)

    @cached_property
    def _times(self) -> Floats:
        """Detection times near and far, and the length straight ahead, of each shape."""
        ends = [one.knots[-1][0] if isinstance(one, Outline) else one.far for one in (t.shape for t in self.shapes)]
        return frozen([(timed.fast, timed.slow, end) for timed, end in zip(self.shapes, ends)], np.float64)

    @cached_property
    def _numbers(self) -> Floats:
        light = self.least_light, self.dark_factor
        return frozen([*light, *self.alert_factors, self.investigate_at, self.empties], np.float64)


_USUAL = Narrowing()


@dataclass(frozen=True)
class NarrowingVision(_ShapedVision):
    """Vision by a timer that runs up while the target is seen and down while it is not (chapter 34).

    Only one point of the body counts, so that players can predict it: the middle of the chest, or in combat the top of
    the head. The angle of view narrows with distance.

    Attributes
    ----------
    shape : the angle of view by distance.
    combat, usual, never : seconds the timer must reach in combat, otherwise, and if the target was never perceived.
    investigate_at : 0 … 1, fraction of those seconds at which the observer investigates.
    surplus : seconds the timer may rise above the threshold; they are used up first when sight is lost.
    """

    kernels: ClassVar[tuple[str, ...]] = (LOOK, "senses.vision_awareness.run_timers")
    shape: Narrowing = _USUAL
    combat: float = 0.3
    usual: float = 1.0
    never: float = 2.0
    investigate_at: float = 0.5
    surplus: float = 0.0

    def __post_init__(self) -> None:
        if not isinstance(self.shape, Narrowing):
            raise InputError(f"shape is {shown(self.shape)}; give a Narrowing")
        finite_number(self.combat, "combat", unit="s", low=0.0, high=3600.0, open_low=True)
        finite_number(self.usual, "usual", unit="s", low=self.combat, high=3600.0)
        finite_number(self.never, "never", unit="s", low=self.usual, high=3600.0)
        finite_number(self.investigate_at, "investigate_at", low=0.0, high=1.0, open_low=True)
        finite_number(self.surplus, "surplus", unit="s", low=0.0, high=3600.0)
        prepare(*self.kernels)

    def _judge(self, bodies: BodyArrays, seen: Glance, memory: VisionMemory, seconds: float) -> None:  # noqa: ARG002
        run_timers(
            seen.alert,
            seen.visible,
            self._numbers,
            seconds,
            memory.timer,
            memory.perceived,
            seen.certainty,
            seen.awareness,
            seen.band,
        )

    def _scaled(self, wide: float, far: float) -> Self:
        shape = _stretched(self.shape, wide, far)
        assert isinstance(shape, Narrowing)
        return replace(self, shape=shape)

    @cached_property
    def _shapes(self) -> ShapeArrays:
        return pack([self.shape])

    @cached_property
    def _points(self) -> PointArrays:
        return chest_and_head(last_by_alert=(1, 1, 2), first_by_alert=(0, 0, 1))

    @cached_property
    def _numbers(self) -> Floats:
        return frozen([self.combat, self.usual, self.never, self.investigate_at, self.surplus], np.float64)


with kernels_on_demand():  # An import prepares nothing.
    VISIONS: dict[str, ZoneVision | CoffinVision | NarrowingVision] = {
        "zones": ZoneVision(),
        "coffin": CoffinVision(),
        "boxes": CoffinVision(shapes=BOXES),
        "narrowing": NarrowingVision(),
    }
"""Models by name, with default settings; "boxes" is the model of "coffin" (chapter 28) with plain boxes."""


def vision(name: str) -> VisionModel:
    """Return the model with this name in `VISIONS`."""
    found = named(name, VISIONS, "vision")
    prepare(*found.kernels)
    return found


VIEW_ANGLE, VIEW_DISTANCE = math.radians(60.0), 12.0
"""Full opening in radians and distance in metres of the view for which the models are made. In `ZONES` this is the
front zone, in which a target that stands still is identified."""


def stretched(model: VisionModel, angle: float | None = None, distance: float | None = None) -> VisionModel:
    """Return a model for a view that opens by `angle` radians and reaches `distance` metres; None: unchanged.

    All shapes are scaled alike: lengths by distance / 12 m, angles and widths by angle / 60°, no angle beyond a full
    turn. Times, certainties and thresholds stay the same. A model of your own is returned unchanged.
    """
    wide = 1.0 if angle is None else finite_number(angle, "view angle", unit="rad", low=0.0, high=7.0) / VIEW_ANGLE
    far = 1.0 if distance is None else finite_number(distance, "view distance", unit="m", low=0.0) / VIEW_DISTANCE
    if wide == far == 1.0 or not isinstance(model, _ShapedVision):
        return model
    return model._scaled(wide, far)


def _stretched(shape: Shape, wide: float, far: float) -> Shape:
    if isinstance(shape, Sector):
        return Sector(min(shape.half_angle * wide, math.pi), shape.far * far, shape.near * far)
    if isinstance(shape, Outline):
        return Outline(tuple((ahead * far, width * wide * far) for ahead, width in shape.knots))
    least, most = (min(angle * wide, math.pi) for angle in (shape.least, shape.most))
    # The angle at a distance is that of the same fraction of the reach before.
    return Narrowing(shape.constant * wide * far, least, most, shape.far * far)
