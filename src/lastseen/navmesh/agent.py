"""The body a navmesh is made for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..checks import finite_number

__all__ = ["Agent"]


@dataclass(frozen=True)
class Agent:
    """A body of radius r: metres, slope in radians.

    Attributes
    ----------
    radius : 0 … 10 m, kept away from every wall.
    height : 0.1 … 20 m, clearance needed above the floor.
    climb : 0 … 5 m, highest step taken without a jump.
    slope : 0 … π/2 rad, steepest floor walked on.
    """

    radius: float = 0.3
    height: float = 1.8
    climb: float = 0.4
    slope: float = math.radians(45.0)

    def __post_init__(self) -> None:
        finite_number(self.radius, "radius", unit="m", low=0.0, high=10.0)
        finite_number(self.height, "height", unit="m", low=0.1, high=20.0)
        finite_number(self.climb, "climb", unit="m", low=0.0, high=5.0)
        finite_number(self.slope, "slope", unit="rad", low=0.0, high=math.pi / 2)
