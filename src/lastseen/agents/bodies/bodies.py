"""Bodies: where everybody stands, faces and how tall they are in each stance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import extremes, points_xyz, real_array, shown, thing_of
from ...conventions import Array, Floats
from ...errors import InputError
from ...kernels.arrays.agent_arrays import ACTIVE, BodyArrays


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

_STANCE_NAMES = ", ".join(stance.name for stance in STANCES)


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
    """Make a table of bodies; single values hold for everybody.

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) metres.
    heading : radians counter-clockwise from +x; heads face as bodies do.
    stance : number in `STANCES`.
    light, camouflage : 0 … 1.
    radius : 0 … 5 metres.
    team : whole number 0 … 255.
    velocity_xy : metres a second, (2,) or (n, 2), at most 100 along each axis.
    """
    place = points_xyz(xyz, "xyz").copy()
    count = len(place)
    facing = _numbers(heading, count, "heading", -1e6, 1e6, "rad")
    return BodyArrays(
        xyz=place,
        heading=facing,
        gaze=facing.copy(),
        velocity_xy=_velocities(velocity_xy, count),
        stance=_whole(stance, count, "stance", len(STANCES) - 1),
        light=_numbers(light, count, "light", 0.0, 1.0),
        camouflage=_numbers(camouflage, count, "camouflage", 0.0, 1.0),
        radius=_numbers(radius, count, "radius", 0.0, 5.0, "m"),
        team=_whole(team, count, "team", 255),
        mode=np.full(count, ACTIVE, np.uint8),
    )


def bodies_of(table: Any) -> BodyArrays:
    """Return a table of bodies that kernels may read: one that was written to may hold stances there are not."""
    table = thing_of(table, BodyArrays, "bodies", "give a table made by `bodies`")
    if extremes(table.stance)[1] >= len(STANCES):
        raise InputError(f"a body has stance {table.stance.max()}; give 0 … {len(STANCES) - 1}: {_STANCE_NAMES}")
    return table


def _numbers(values: Any, count: int, name: str, low: float, high: float, unit: str = "") -> Floats:
    """Return one number for each body, as a column of its own."""
    unit = f" {unit}" if unit else ""
    allowed = f"one number, or one for each of {count} bodies, {low:g} … {high:g}{unit}"
    given = real_array(values, name, allowed)
    if given.shape not in ((), (count,)):
        raise InputError(f"{name} has shape {given.shape}; give {allowed}")
    wrong = np.atleast_1d(given)[~np.atleast_1d((given >= low) & (given <= high))]
    if wrong.size:
        raise InputError(f"{name} is {wrong[0]:g}{unit}; give {allowed}")
    return np.full(count, given)


def _whole(values: Any, count: int, name: str, high: int) -> Array:
    """Return one whole number for each body, as a column of its own."""
    numbers = _numbers(values, count, name, 0, high)
    if (numbers != np.floor(numbers)).any():
        raise InputError(f"{name} is {shown(values)}; give whole numbers 0 … {high}")
    return numbers.astype(np.uint8)


def _velocities(values: Any, count: int) -> Floats:
    allowed = f"(2,) or ({count}, 2) metres a second, at most 100 along each axis"
    given = real_array(values, "velocity_xy", allowed)
    if given.shape not in ((2,), (count, 2)):
        raise InputError(f"velocity_xy has shape {given.shape}; give {allowed}")
    if not (np.abs(given) <= 100.0).all():
        raise InputError(f"velocity_xy is {shown(values)}; give {allowed}")
    return np.broadcast_to(given, (count, 2)).copy()


def copy_of(table: BodyArrays) -> BodyArrays:
    """Return a table that may be written without changing the other."""
    return BodyArrays(*(column.copy() for column in table))


def set_mode(table: BodyArrays, agent: int, mode: int) -> None:
    """Let an agent act, hide, lie there or be gone from now on."""
    table.mode[agent] = mode


def put(table: BodyArrays, agent: int, xyz: Any) -> None:
    """Put a body at a place, metres, from one step to the next."""
    table.xyz[agent] = xyz
