"""The sight of searchers: lines of sight, and the boxes and triangles they clean."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, real_array, shown
from ...conventions import Array, Bools, Floats
from ...errors import InputError
from ...navmesh.navmesh import AnyMesh
from ...navmesh.query import raycasts

_WIDEST = math.radians(170.0)


def headings(values: Any, count: int) -> Floats:
    """Return directions as (n,) radians, one for all or one for each."""
    given = real_array(values, "heading", f"radians, one number or {count}")
    if given.shape not in ((), (count,)) or not np.isfinite(given).all():
        raise InputError(f"heading is {shown(values)}; give finite radians, one number or one for each of {count}")
    return np.full(count, given)


def flags(values: Any, count: int, name: str) -> Bools:
    """Return truth values (n,), one for all or one for each."""
    try:
        given: Array = np.asarray(values)
    except ValueError:
        given = np.zeros((0, 0))
    if given.shape not in ((), (count,)) or given.dtype.kind not in "biu":
        raise InputError(f"{name} is {shown(values)}; give a truth value, or one for each of {count}")
    return np.full(count, given, np.bool_)


def boxes(feet: Floats, half: float) -> Floats:
    """Return (n, 4, 2) corners of squares with `half` metres to each side, counter-clockwise."""
    corners = np.array([(-half, -half), (half, -half), (half, half), (-half, half)])
    return feet[:, None, :2] + corners


def triangles(feet: Floats, heading: Any, angle: float, distance: float) -> Floats:
    """Return (n, 3, 2) corners of triangles that open by `angle` and reach `distance` straight ahead."""
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
"""Metres from the feet to the eyes of one who stands."""

Sees = Callable[[Floats, Floats], Bools]
"""Answers for eyes (n, 3) and points (n, 3), row by row, whether one sees the other: (n,) bool."""


def walkable_lines(mesh: AnyMesh) -> Sees:
    """Return a test of sight by straight walks on the mesh: low cover blocks it as a wall does."""
    if not hasattr(mesh, "arrays"):
        raise InputError(f"mesh is a {type(mesh).__name__}; give a NavMesh or a CutMesh")

    def sees(eyes: Floats, points: Floats) -> Bools:
        return raycasts(mesh, eyes, points).reached

    return sees
