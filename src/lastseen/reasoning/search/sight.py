"""The sight of searchers: tests of sight, and the squares and triangles they clean."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, shown
from ...conventions import Array, Bools, Floats
from ...errors import InputError
from ...navmesh.navmesh import AnyMesh, mesh_arrays
from ...navmesh.query import raycasts
from ..input_checks import one_or_each

_WIDEST = math.radians(170.0)


def headings(values: Any, count: int) -> Floats:
    """Return directions as (n,) radians, one for all or one for each."""
    return one_or_each(values, count, "heading", "finite radians")


def flags(values: Any, count: int, name: str) -> Bools:
    """Return flags (n,) bool, one for all or one for each."""
    try:
        given: Array = np.asarray(values)
    except ValueError:
        given = np.zeros((0, 0))
    if given.shape not in ((), (count,)) or given.dtype.kind not in "biu":
        raise InputError(f"{name} is {shown(values)}; give True or False, or one for each of {count}")
    return np.full(count, given, np.bool_)


def boxes(feet: Floats, half: float) -> Floats:
    """Return the corners (n, 4, 2) of squares that extend `half` metres to each side, counter-clockwise."""
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return feet[:, None, :2] + corners


def triangles(feet: Floats, heading: Any, angle: float, distance: float) -> Floats:
    """Return the corners (n, 3, 2) of triangles with an opening of `angle` that reach `distance` straight ahead."""
    angle = finite_number(angle, "angle", unit="rad", low=0.0, high=_WIDEST)
    distance = finite_number(distance, "distance", unit="m", low=0.0, high=1e3)
    facing = headings(heading, len(feet))
    shapes = np.empty((len(feet), 3, 2))
    shapes[:, 0] = feet[:, :2]
    side = distance / math.cos(angle / 2.0)
    for corner, turn in ((1, -angle / 2.0), (2, angle / 2.0)):
        shapes[:, corner, 0] = feet[:, 0] + side * np.cos(facing + turn)
        shapes[:, corner, 1] = feet[:, 1] + side * np.sin(facing + turn)
    return shapes


EYE = frozen([0.0, 0.0, 1.6])
"""Metres from the feet to the eyes of a standing agent."""

Sees = Callable[[Floats, Floats], Bools]
"""A test of sight: returns for eyes (n, 3) and points (n, 3), row by row, whether one sees the other, (n,) bool."""


def sight_test(sees: Sees | None, mesh: AnyMesh) -> Sees:
    """Return the given test of sight, or by default that of straight walks on the mesh."""
    if sees is not None and not callable(sees):
        raise InputError(f"sees is {shown(sees)}; give a function of eyes and points, or None")
    return sees or walkable_lines(mesh)


def walkable_lines(mesh: AnyMesh) -> Sees:
    """Return a test of sight by straight walks on the mesh, where low cover blocks sight like a wall."""
    mesh_arrays(mesh)

    def sees(eyes: Floats, points: Floats) -> Bools:
        return raycasts(mesh, eyes, points).reached

    return sees
