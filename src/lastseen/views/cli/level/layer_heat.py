"""Layers that every layout has without one being filled: height, links, walking distance."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ....cells.layout import CellLayout
from ....cells.query import nearest_cells
from ....checks import point_xyz
from ....conventions import Array, Floats
from ....errors import InputError, did_you_mean
from ....layers.spread import Spread
from ....level.level import Level
from ...figures.drawing.heat import Heat

BUILT_IN = ("height", "links")
"""Layers of every layout: height of the floor, and number of cells an agent can step to."""


def layer_heat(layout: CellLayout, kept: Mapping[str, Array], name: str, scale: str) -> Heat:
    """Return a layer kept in the cell file, or one that every layout has."""
    if name in kept:
        return Heat(kept[name].astype(np.float64), name, scale=scale)
    if name == "height":
        height = layout.arrays.cell_xyz[:, 2].astype(np.float64)
        return Heat(height - height.min(), "height above the lowest floor", "m", scale=scale)
    if name == "links":
        first = layout.arrays.link_start.astype(np.float64)
        return Heat(first[1:] - first[:-1], "cells in one step", "", scale=scale)
    names = (*kept, *BUILT_IN)
    raise InputError(f"no layer {name!r}{did_you_mean(name, names)}; there are {', '.join(names)}")


def distance_heat(
    layout: CellLayout, places: Sequence[Any], level: Level | None = None, *, scale: str = "heat"
) -> Heat:
    """Return the walking distance from the nearest of some places, (n, 3) metres; every door counts as open."""
    cells = nearest_cells(layout, places)
    reached = Spread(layout).distances(cells)
    metres = np.full(len(layout), np.nan)
    metres[reached.cells] = reached.metres
    where = layout.arrays.cell_xyz[cells].astype(np.float64)
    shut = level is not None and any(not door.open for door in level.doors)
    name = "walking distance, every door open" if shut else "walking distance"
    return Heat(metres, name, "m", sources_xyz=where, scale=scale, none="unreachable")


def parse_point(layout: CellLayout, given: str) -> Floats:
    """Return "x,y" or "x,y,z" as a position in metres within the layout's bounds; without z, on the lowest floor."""
    numbers = parse_numbers(given)
    if len(numbers) == 2:
        numbers.append(_lowest_floor(layout, numbers))
    place = point_xyz(numbers, "--distance-from")
    low, high = layout.mesh.bounds_xyz
    if (place[:2] < low[:2]).any() or (place[:2] > high[:2]).any():
        raise InputError(
            f"--distance-from {given} lies outside the level, which spans ({low[0]:g}, {low[1]:g}) "
            f"to ({high[0]:g}, {high[1]:g}) m"
        )
    return place


def parse_numbers(given: str) -> list[float]:
    """Return the two or three numbers of "x,y" or "x,y,z"."""
    try:
        numbers = [float(part) for part in given.split(",")]
    except ValueError:
        numbers = []
    if len(numbers) not in (2, 3):
        raise InputError(f"--distance-from {given!r} is not a position; give x,y or x,y,z in metres, such as 4.5,3")
    point_xyz(numbers, "--distance-from")
    return numbers


def _lowest_floor(layout: CellLayout, xy: Sequence[float]) -> float:
    """Return the height of the lowest cell within two cells of a position, else of the lowest cell of all."""
    cells = layout.arrays.cell_xyz
    reach = 2.0 * float(layout.arrays.size_xyz[0])
    near = cells[np.hypot(cells[:, 0] - xy[0], cells[:, 1] - xy[1]) <= reach]
    return float((near if len(near) else cells)[:, 2].min())
