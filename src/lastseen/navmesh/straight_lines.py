"""How far can one walk along a straight line?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import frozen, point_xyz, points_xyz
from ..conventions import Floats, Ids
from ..errors import InputError
from ..kernels.raycast import cast_rays
from .locate import known_faces, tolerances
from .navmesh import AnyMesh
from .results import RayHit, RayHits, read_only

__all__ = ["raycast", "raycasts"]

_UNKNOWN = frozen([-1], np.int32)


def raycast(mesh: AnyMesh, start_xyz: Any, end_xyz: Any, *, strict: bool = False) -> RayHit:
    """How far can one walk from `start_xyz` straight towards `end_xyz`? See `raycasts`."""
    start, end = point_xyz(start_xyz, "start_xyz"), point_xyz(end_xyz, "end_xyz")
    return _cast(mesh, start[None], end[None], _UNKNOWN, mesh.agent.height, mesh.agent.climb, bool(strict))[0]


def raycasts(
    mesh: AnyMesh,
    start_xyz: Any,
    end_xyz: Any,
    *,
    strict: bool = False,
    start_face: Any = None,
    below: float | None = None,
    above: float | None = None,
) -> RayHits:
    """How far can one walk along each straight line, seen from above?

    Parameters
    ----------
    start_xyz, end_xyz : (n, 3) or (n, 2) positions in metres.
    strict : also stop where the line touches a corner of a wall between its two ends.
    start_face : (n,) base faces the starts stand on, where known; -1 to look for one.
    below, above : metres the floor may lie under and over a position, as in `faces_at`.

    Notes
    -----
    The mesh is closed: a line may run along a wall, and through a corner around which faces are linked. It may not
    pass from a face to another that shares only a corner with it. A strict line may touch walls at its own two ends
    and slide along a straight wall, but passes no corner.
    """
    starts, ends = points_xyz(start_xyz, "start_xyz"), points_xyz(end_xyz, "end_xyz")
    if len(starts) != len(ends):
        raise InputError(f"there are {len(starts)} starts and {len(ends)} ends; give one end per start")
    low, high = tolerances(mesh, below, above)
    faces = known_faces(mesh, start_face, len(starts), "start_face")
    return _cast(mesh, starts, ends, faces, low, high, bool(strict))


def _cast(mesh: AnyMesh, starts: Floats, ends: Floats, faces: Ids, below: float, above: float, strict: bool) -> RayHits:
    count = len(starts)
    outcome, xyz, fraction = np.empty(count, np.uint8), np.empty((count, 3)), np.empty(count)
    normal_xy, stopped = np.empty((count, 2)), np.empty(count, np.int32)
    cast_rays(mesh.arrays, starts, ends, faces, below, above, strict, outcome, xyz, fraction, normal_xy, stopped)
    read_only(outcome, xyz, fraction, normal_xy, stopped)
    return RayHits(outcome, xyz, fraction, normal_xy, stopped)
