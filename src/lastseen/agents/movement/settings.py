"""Numbers of moving. All are ours: the sources leave movement to their engines."""

from __future__ import annotations

import math
from dataclasses import dataclass, fields

from ...checks import finite_number
from ...kernels.steer import SteerSettings

__all__ = ["MoveSettings"]


@dataclass(frozen=True)
class MoveSettings:
    """How bodies move.

    Attributes
    ----------
    arrive : metres from a bend or the goal at which it counts as reached.
    look : metres within which others are minded.
    horizon : seconds ahead in which touching somebody is avoided.
    acceleration : metres per second per second, at most.
    patience : seconds without getting on before whoever stands in the way gives way.
    give_way : seconds one gives way for.
    turn_speed, head_speed : radians per second of the body and of the head.
    head_reach : radians the head turns from the body, at most.
    """

    arrive: float = 0.2
    look: float = 3.0
    horizon: float = 2.0
    acceleration: float = 12.0
    patience: float = 0.5
    give_way: float = 1.5
    turn_speed: float = 6.0
    head_speed: float = 8.0
    head_reach: float = math.pi / 2

    def __post_init__(self) -> None:
        for one in fields(self):
            finite_number(getattr(self, one.name), one.name, low=0.01, high=1000.0)

    @property
    def steering(self) -> SteerSettings:
        """The part that steering kernels read."""
        return SteerSettings(*(float(getattr(self, name)) for name in SteerSettings._fields))
