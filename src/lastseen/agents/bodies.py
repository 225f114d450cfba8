"""Bodies: where everybody stands, faces and how tall they are in each stance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ..checks import points_xyz
from ..conventions import Array, Floats
from ..kernels.body_arrays import ACTIVE, BODY, GONE, HIDDEN, BodyArrays

__all__ = ["ACTIVE", "BODY", "GONE", "HIDDEN", "STANCES", "Stance", "bodies", "copy_of"]


@dataclass(frozen=True)
class Stance:
    """How tall one is: heights above the feet in metres."""

    name: str
    eye: float
    head: float
    chest: float


STANCES = (
    Stance("standing", eye=1.6, head=1.75, chest=1.3),
    Stance("crouched", eye=0.95, head=1.1, chest=0.7),
    Stance("in cover", eye=0.95, head=1.1, chest=0.7),
    Stance("lying", eye=0.25, head=0.3, chest=0.2),
)
"""Heights are ours: no source gives any."""


def bodies(
    xyz: Any,
    heading: Any = 0.0,
    *,
    stance: Any = 0,
    light: Any = 1.0,
    camouflage: Any = 0.0,
    radius: Any = 0.3,
    team: Any = 0,
    velocity_xy: Any = (0.0, 0.0),
) -> BodyArrays:
    """Make a table of bodies; single values hold for everybody."""
    place = points_xyz(xyz, "xyz").copy()
    count = len(place)

    def column(values: Any, dtype: Any) -> Array:
        return np.ascontiguousarray(np.broadcast_to(np.asarray(values, dtype=dtype), (count,))).copy()

    facing: Floats = column(heading, np.float64)
    return BodyArrays(
        xyz=place,
        heading=facing,
        gaze=facing.copy(),
        velocity_xy=np.broadcast_to(np.asarray(velocity_xy, np.float64), (count, 2)).copy(),
        stance=column(stance, np.uint8),
        light=column(light, np.float64),
        camouflage=column(camouflage, np.float64),
        radius=column(radius, np.float64),
        team=column(team, np.uint8),
        mode=column(ACTIVE, np.uint8),
    )


def copy_of(table: BodyArrays) -> BodyArrays:
    """Return a table that may be written without changing the other."""
    return BodyArrays(*(column.copy() for column in table))
