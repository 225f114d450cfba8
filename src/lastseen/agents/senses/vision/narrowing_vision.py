"""Vision by a timer, in an angle that narrows with distance."""

from __future__ import annotations

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
from ....kernels.senses.vision_awareness import run_timers
from ....kernels.senses.vision_rays import PointArrays
from ....kernels.senses.vision_shapes import ShapeArrays
from .look import LOOK, RayBudget, chest_and_head, glance, rays_per_pair, step_seconds
from .shapes import Narrowing, pack
from .sightings import Sightings, VisionMemory

_USUAL = Narrowing()


@dataclass(frozen=True)
class NarrowingVision:
    """How long has it been seen? The timer goes up while seen and down while not (chapter 34).

    One point of the body counts, so that players can tell: the middle of the chest, in combat the top of the head.

    Attributes
    ----------
    shape : the angle by distance.
    combat, usual, never : seconds the timer must reach in combat, else, and for who never perceived the target.
    investigate_at : 0 … 1, share of those seconds at which one goes to look.
    surplus : seconds the timer may rise above the threshold, which are spent first when sight is lost.
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
        """Who sees whom, and for how long? See `VisionModel`."""
        length = step_seconds(seconds)
        seen = glance(bodies, sight, observers, targets, memory, alert, rays, clouds, self._shapes, self._points)
        run_timers(
            seen.alert,
            seen.visible,
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
        return pack([self.shape])

    @cached_property
    def _points(self) -> PointArrays:
        return chest_and_head(last_by_alert=(1, 1, 2), first_by_alert=(0, 0, 1))

    @cached_property
    def _numbers(self) -> Floats:
        return frozen([self.combat, self.usual, self.never, self.investigate_at, self.surplus], np.float64)
