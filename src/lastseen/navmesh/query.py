"""Queries on a navmesh, of one position or of many: point location, straight lines and paths.

Every function takes a `NavMesh` or a `CutMesh` first. Faces in answers are base faces: cuts never change their ids.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ..checks import finite_number, frozen, point_xyz, points_xyz, read_only, real_number, shown
from ..conventions import Array, Bools, Floats, Ids
from ..errors import InputError
from ..kernels.mesh.point_location import faces_under, nearest_on_mesh
from ..kernels.walk.path_corridor import find_other_ways
from ..kernels.walk.path_trace import FOUND, START_OFF, Ways, find_ways
from ..kernels.walk.raycast import cast_rays
from ..kernels.walk.reachability import pairs_meet
from .navmesh import AnyMesh, NavMesh
from .results import PATH_REASONS, NearestPoint, NearestPoints, Path, Paths, RayHit, RayHits, freeze


def tolerances(mesh: AnyMesh, below: float | None, above: float | None) -> tuple[float, float]:
    """Return how far the floor may lie below and above a position: as given, or as the body suggests."""
    low = mesh.body.height if below is None else finite_number(below, "below", unit="m", low=0.0)
    high = mesh.body.climb if above is None else finite_number(above, "above", unit="m", low=0.0)
    return low, high


def face_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> int:
    """Which base face does a position stand on? -1 for none. See `faces_at`."""
    return int(_under(mesh, point_xyz(xyz)[None], below, above)[0][0])


def faces_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> Ids:
    """Which base face does each position stand on?

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    below : metres the floor may lie under the position; None: the body's height, so a head finds its feet.
    above : metres the floor may lie over the position; None: the body's climb.

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


_UNKNOWN = frozen([-1], np.int32)


def raycast(mesh: AnyMesh, start_xyz: Any, end_xyz: Any, *, strict: bool = False) -> RayHit:
    """How far can one walk from `start_xyz` straight towards `end_xyz`? See `raycasts`."""
    start, end = point_xyz(start_xyz, "start_xyz"), point_xyz(end_xyz, "end_xyz")
    return _cast(mesh, start[None], end[None], _UNKNOWN, mesh.body.height, mesh.body.climb, bool(strict))[0]


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
    freeze(outcome, xyz, fraction, normal_xy, stopped)
    return RayHits(outcome, xyz, fraction, normal_xy, stopped)


MOST_NODES = 1 << 18
"""Nodes of about 130 bytes the exact search may make for one path before a plainer one stands in."""


def find_path(mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, on_floor: bool = False) -> Path:
    """What is the shortest way from `start_xyz` to `goal_xyz`? See `find_paths`."""
    start, goal = point_xyz(start_xyz, "start_xyz"), point_xyz(goal_xyz, "goal_xyz")
    reason, length, (_, count), points, bends, (_, passed), faces = _ways(
        mesh, start[None], goal[None], mesh.body.height, mesh.body.climb
    )
    kept = points[:count].copy() if on_floor else points[:count][bends[:count]]
    passed_faces, word = faces[:passed].copy(), PATH_REASONS[reason[0]]
    freeze(kept, passed_faces)
    return Path(kept, float(length[0]), passed_faces, word == "reached", word)


def find_paths(
    mesh: AnyMesh,
    start_xyz: Any,
    goal_xyz: Any,
    *,
    on_floor: bool = False,
    below: float | None = None,
    above: float | None = None,
) -> Paths:
    """What is the shortest way of each pair?

    Parameters
    ----------
    start_xyz, goal_xyz : (n, 3) or (n, 2) positions in metres.
    on_floor : also give the points where the way crosses from face to face, so that it follows ramps and steps.
    below, above : metres the floor may lie under and over a position, as in `faces_at`.

    Notes
    -----
    The way is the shortest seen from above, exactly, at any angle; its length is measured along the floor, and is the
    same to the last bit on the way back. Where the goal cannot be had, the way leads to the reachable point nearest to
    it in space, and `reason` says why.
    """
    starts, goals = _pairs(start_xyz, goal_xyz)
    reason, length, point_start, points, bends, face_start, faces = _ways(
        mesh, starts, goals, *tolerances(mesh, below, above)
    )
    points, faces = points[: point_start[-1]].copy(), faces[: face_start[-1]].copy()
    if not on_floor:
        point_start, points = _only(bends[: len(points)], point_start, points)
    freeze(reason, length, point_start, points, face_start, faces)
    return Paths(reason, length, point_start, points, face_start, faces)


def _ways(mesh: AnyMesh, starts: Floats, goals: Floats, low: float, high: float) -> Ways:
    """Return what `find_ways` does, with those it leaves open found by other means."""
    found = find_ways(mesh.arrays, mesh.face_component, starts, goals, low, high, MOST_NODES)
    left = np.flatnonzero((found.status != FOUND) & (found.status != START_OFF))
    if not len(left):
        return found
    other = find_other_ways(mesh.arrays, mesh.face_component, starts[left], goals[left], low, high, MOST_NODES)
    return other if len(left) == len(starts) else _merged(found, left, other)


def _merged(found: Ways, left: Array, other: Ways) -> Ways:
    """Put other ways in the places left for them."""
    reason, length, point_start, points, bends, face_start, faces = found
    reason[left], length[left] = other.status, other.length
    at, more = np.repeat(point_start[left], np.diff(other.point_start)), other.point_start[-1]
    points = np.insert(points[: point_start[-1]], at, other.points[:more], axis=0)
    bends = np.insert(bends[: point_start[-1]], at, other.bends[:more])
    at, more = np.repeat(face_start[left], np.diff(other.face_start)), other.face_start[-1]
    faces = np.insert(faces[: face_start[-1]], at, other.faces[:more])
    point_start, face_start = _with(point_start, left, other.point_start), _with(face_start, left, other.face_start)
    return Ways(reason, length, point_start, points, bends, face_start, faces)


def _with(start: Array, left: Array, other: Array) -> Array:
    """Return where groups start once those left empty have got their size."""
    size = np.diff(start)
    size[left] = np.diff(other)
    return np.concatenate([[0], np.cumsum(size)])


def _only(keep: Bools, start: Array, points: Floats) -> tuple[Array, Floats]:
    """Return the points kept and where each group of them starts."""
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return kept_before[start], points[keep]


def reachable(mesh: AnyMesh, start_xyz: Any, goal_xyz: Any) -> bool:
    """Is there a way from `start_xyz` to `goal_xyz`? No where one of them is off the mesh."""
    start, goal = point_xyz(start_xyz, "start_xyz"), point_xyz(goal_xyz, "goal_xyz")
    return bool(_meet(mesh, start[None], goal[None], mesh.body.height, mesh.body.climb)[0])


def reachable_many(
    mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, below: float | None = None, above: float | None = None
) -> Bools:
    """Is there a way, for each pair? (n,) bool; False where an end is off the mesh.

    On an uncut mesh this compares component numbers. Under cuts two floods are grown towards each other.
    """
    starts, goals = _pairs(start_xyz, goal_xyz)
    found = _meet(mesh, starts, goals, *tolerances(mesh, below, above))
    freeze(found)
    return found


def _meet(mesh: AnyMesh, starts: Floats, goals: Floats, low: float, high: float) -> Bools:
    found = np.zeros(len(starts), np.bool_)
    marks = np.zeros(0 if isinstance(mesh, NavMesh) else len(mesh.arrays.face_start), np.int32)
    pairs_meet(mesh.arrays, mesh.face_component, starts, goals, low, high, marks, found)
    return found


def _pairs(start_xyz: Any, goal_xyz: Any) -> tuple[Floats, Floats]:
    starts, goals = points_xyz(start_xyz, "start_xyz"), points_xyz(goal_xyz, "goal_xyz")
    if len(starts) != len(goals):
        raise InputError(f"there are {len(starts)} starts and {len(goals)} goals; give one goal per start")
    return starts, goals
