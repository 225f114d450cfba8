"""Where on the mesh is a position: face under it, height of the floor, nearest point."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..checks import finite_number, point_xyz, points_xyz, read_only, real_number, shown
from ..conventions import Floats, Ids
from ..errors import InputError
from ..kernels.locate import faces_under
from ..kernels.nearest import nearest_on_mesh
from .navmesh import AnyMesh
from .results import NearestPoint, NearestPoints

__all__ = ["face_at", "faces_at", "height_at", "heights_at", "known_faces", "nearest", "nearest_many", "tolerances"]


def tolerances(mesh: AnyMesh, below: float | None, above: float | None) -> tuple[float, float]:
    """Return how far the floor may lie below and above a position: as given, or as the agent's body suggests."""
    low = mesh.agent.height if below is None else finite_number(below, "below", unit="m", low=0.0)
    high = mesh.agent.climb if above is None else finite_number(above, "above", unit="m", low=0.0)
    return low, high


def face_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> int:
    """Which base face does a position stand on? -1 for none. See `faces_at`."""
    return int(_under(mesh, point_xyz(xyz)[None], below, above)[0][0])


def faces_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> Ids:
    """Which base face does each position stand on?

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    below : metres the floor may lie under the position; None: the agent's height, so a head finds its feet.
    above : metres the floor may lie over the position; None: the agent's climb.

    Returns
    -------
    (n,) int32, -1 for none. Of several floors the nearest in height; on a shared edge the lowest id.
    """
    return read_only(_under(mesh, points_xyz(xyz), below, above)[0])


def height_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> float:
    """How high is the floor a position stands on, in metres? NaN for none."""
    return float(_under(mesh, point_xyz(xyz)[None], below, above)[1][0])


def heights_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> Floats:
    """How high is the floor each position stands on? (n,) float64 metres, NaN for none; see `faces_at`."""
    return read_only(_under(mesh, points_xyz(xyz), below, above)[1])


def _under(mesh: AnyMesh, points: Floats, below: float | None, above: float | None) -> tuple[Ids, Floats]:
    low, high = tolerances(mesh, below, above)
    faces, heights = np.empty(len(points), np.int32), np.empty(len(points))
    faces_under(mesh.arrays, points, low, high, faces, heights)
    return faces, heights


def nearest(mesh: AnyMesh, xyz: Any, radius: float = math.inf) -> NearestPoint:
    """Which point of the mesh is nearest to a position, within `radius` metres?"""
    return _nearest(mesh, point_xyz(xyz)[None], radius)[0]


def nearest_many(mesh: AnyMesh, xyz: Any, radius: float = math.inf) -> NearestPoints:
    """Which point of the mesh is nearest to each position, measured in space?

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    radius : metres, 0 or more; nothing further away is found.
    """
    return _nearest(mesh, points_xyz(xyz), radius)


def _nearest(mesh: AnyMesh, points: Floats, radius: float) -> NearestPoints:
    radius = real_number(radius, "radius", "a number of metres, 0 or more")
    if not radius >= 0.0:
        raise InputError(f"radius is {radius:g} m; give 0 or more")
    faces, found, distance = np.empty(len(points), np.int32), np.empty((len(points), 3)), np.empty(len(points))
    nearest_on_mesh(mesh.arrays, points, radius, faces, found, distance)
    return NearestPoints(read_only(found), read_only(distance), read_only(faces))


def known_faces(mesh: AnyMesh, faces: Any, count: int, name: str) -> Ids:
    """Return base faces given by the caller as (n,) int32, or -1 throughout where none are given."""
    if faces is None:
        return np.full(count, -1, np.int32)
    try:
        given = np.asarray(faces)
    except (TypeError, ValueError):
        raise InputError(f"{name} must be {count} whole numbers, one per line, got {shown(faces)}") from None
    if given.shape != (count,) or given.dtype.kind not in "iu":
        raise InputError(f"{name} must be {count} whole numbers, one per line, got {given.dtype} {given.shape}")
    limit = len(mesh.face_component)
    if count and (given.min() < -1 or given.max() >= limit):
        raise InputError(f"{name} holds {int(given.min())} … {int(given.max())}; base faces run from 0 to {limit - 1}")
    return np.ascontiguousarray(given, dtype=np.int32)
