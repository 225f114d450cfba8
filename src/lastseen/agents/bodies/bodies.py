"""Bodies: positions, headings, and heights in each stance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import expect, points_xyz, real_array, shown
from ...conventions import Array, Floats
from ...errors import FrozenError, InputError, did_you_mean
from ...kernels.arrays.agent_arrays import ACTIVE, BodyArrays


@dataclass(frozen=True)
class Stance:
    """Heights above the feet in metres."""

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
"""The heights are ours: no source gives any."""


def _refuse(table: BodyArrays, name: str, _value: Any) -> None:
    if name not in table._fields:
        hint, known = did_you_mean(name, table._fields), ", ".join(table._fields)
        raise FrozenError(f"bodies have no {name!r}{hint}; write into one of {known}, as in bodies.light[:] = 1.0")
    raise FrozenError(f"bodies.{name} cannot be replaced; write into it: bodies.{name}[:] = values, or [i] = one value")


BodyArrays.__setattr__ = _refuse  # type: ignore[assignment,method-assign]  # kernels, where the table is, know no errors

_STANCE_NAMES = ", ".join(stance.name for stance in STANCES)


def bodies(
    xyz: Any,
    heading: Any = 0.0,
    *,
    gaze: Any = None,
    stance: Any = 0,
    light: Any = 1.0,
    camouflage: Any = 0.0,
    radius: Any = 0.3,
    team: Any = 0,
    velocity_xy: Any = (0.0, 0.0),
) -> BodyArrays:
    """Return a table of bodies; single values hold for all.

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    heading : radians counter-clockwise from +x, of the body.
    gaze : the same of the head, which sees; None: it turns with the body, shown as NaN in the table. Write a number
        to turn a head, and NaN to let it follow the body again.
    stance : index into `STANCES`.
    light, camouflage : 0 … 1.
    radius : metres, 0 … 5.
    team : whole number, 0 … 255.
    velocity_xy : (2,) or (n, 2) m/s, at most 100 along each axis.
    """
    place = points_xyz(xyz, "xyz").copy()
    count = len(place)
    facing = _numbers(heading, count, "heading", -1e6, 1e6, "rad")
    return BodyArrays(
        xyz=place,
        heading=facing,
        gaze=np.full(count, np.nan) if gaze is None else _numbers(gaze, count, "gaze", -1e6, 1e6, "rad"),
        velocity_xy=_velocities(velocity_xy, count),
        stance=_whole(stance, count, "stance", len(STANCES) - 1),
        light=_numbers(light, count, "light", 0.0, 1.0),
        camouflage=_numbers(camouflage, count, "camouflage", 0.0, 1.0),
        radius=_numbers(radius, count, "radius", 0.0, 5.0, "m"),
        team=_whole(team, count, "team", 255),
        mode=np.full(count, ACTIVE, np.uint8),
    )


def bodies_of(table: Any) -> BodyArrays:
    """Return a table of bodies for kernels, after checking its stances; heads that follow their body look ahead."""
    table = expect(table, BodyArrays, "bodies")
    if max(table.stance.tobytes(), default=0) >= len(STANCES):
        raise InputError(f"a body has stance {table.stance.max()}; give 0 … {len(STANCES) - 1}: {_STANCE_NAMES}")
    follows = np.isnan(table.gaze)
    if not np.count_nonzero(follows):  # a quarter of the time of any()
        return table
    xyz, heading, gaze, *others = table  # `_replace` takes several times as long
    return BodyArrays(xyz, heading, np.where(follows, heading, gaze), *others)


def _numbers(values: Any, count: int, name: str, low: float, high: float, unit: str = "") -> Floats:
    """Return one number for each body, as a new array."""
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
    """Return one whole number for each body, as a new array."""
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
    """Return an independent copy of a table."""
    return BodyArrays(*(column.copy() for column in table))


def set_mode(table: BodyArrays, agent: int, mode: int) -> None:
    """Set whether an agent is active, hidden, lying there or gone."""
    table.mode[agent] = mode


def put(table: BodyArrays, agent: int, xyz: Any) -> None:
    """Move a body to a place in metres at once."""
    table.xyz[agent] = xyz
