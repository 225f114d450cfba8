"""Parse positions and directions given as options: `4.5,3` or `4.5,3,0`."""

from __future__ import annotations

import numpy as np

from ....cells.layout import CellLayout
from ....checks import point_xyz
from ....conventions import Floats
from ....errors import InputError


def parse_place(layout: CellLayout, given: str, option: str) -> Floats:
    """Return (3,) float64 metres; without z, on the lowest floor there, or on the floor of the nearest cell."""
    numbers = _numbers(given, option, "position", "in metres, such as 4.5,3")
    place = point_xyz(numbers, option)
    if len(numbers) == 2:
        cells = layout.arrays.cell_xyz.astype(np.float64)
        away = np.hypot(cells[:, 0] - place[0], cells[:, 1] - place[1])
        near = away <= max(float(away.min(initial=np.inf)), float(layout.arrays.size_xyz[0]))
        place[2] = float(cells[near, 2].min()) if near.any() else 0.0
    return place


def parse_direction(given: str | None, option: str) -> Floats:
    """Return (3,) float64 of any length; zeros if nothing is given."""
    if given is None:
        return np.zeros(3)
    return point_xyz(_numbers(given, option, "direction", "such as 1,0 or -1,0.5"), option)


def _numbers(given: str, option: str, what: str, example: str) -> list[float]:
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise InputError(f"{option} {given!r} is not a {what}; give x,y or x,y,z {example}")
    if not np.isfinite(numbers).all():
        raise InputError(f"{option} {given!r} has a number that is not finite; give x,y or x,y,z {example}")
    return numbers
