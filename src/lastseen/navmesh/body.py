"""The body a navmesh is built for."""

from __future__ import annotations

import math
from dataclasses import dataclass

from ..checks import finite_number

_RANGES = (
    ("radius", "m", 0.0, 10.0),
    ("height", "m", 0.1, 20.0),
    ("climb", "m", 0.0, 5.0),
    ("slope", "rad", 0.0, math.pi / 2),
)


@dataclass(frozen=True)
class Body:
    """The size of an agent, and what it can walk on.

    Attributes
    ----------
    radius : distance kept from every wall, 0 … 10 m.
    height : clearance needed above the floor, 0.1 … 20 m.
    climb : highest step taken without a jump, 0 … 5 m.
    slope : steepest walkable floor, 0 … π/2 rad.
    """

    radius: float = 0.3
    height: float = 1.8
    climb: float = 0.4
    slope: float = math.radians(45.0)

    def __post_init__(self) -> None:
        for name, unit, low, high in _RANGES:
            number = finite_number(getattr(self, name), name, unit=unit, low=low, high=high)
            object.__setattr__(self, name, number)
