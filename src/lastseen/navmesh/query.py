"""Queries on a navmesh, for one position or many: point location, straight lines and paths.

The first argument is a `NavMesh` or a `CutMesh`. Faces in results are base faces: cuts never change their ids.
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
from .navmesh import AnyMesh, NavMesh, mesh_arrays
from .results import PATH_REASONS, NearestPoint, NearestPoints, Path, Paths, RayHit, RayHits


def tolerances(mesh: AnyMesh, below: float | None, above: float | None) -> tuple[float, float]:
    """Return how far the floor may lie below and above a position: as given, else the body's height and climb."""
    mesh_arrays(mesh)
    low = mesh.body.height if below is None else finite_number(below, "below", unit="m", low=0.0)
    high = mesh.body.climb if above is None else finite_number(above, "above", unit="m", low=0.0)
    return low, high


def face_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> int:
    """Return the base face a position stands on, or -1; see `faces_at`."""
    return int(_under(mesh, point_xyz(xyz)[None], below, above)[0][0])


def faces_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> Ids:
    """Return the base face each position stands on.

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    below : metres the floor may lie below a position; None: the body's height, so that a head finds its floor.
    above : metres the floor may lie above a position; None: the body's climb.

    Returns
    -------
    (n,) int32, -1 for none. Of several floors, the nearest in height; on a shared edge, the lowest id.
    """
    return read_only(_under(mesh, points_xyz(xyz), below, above)[0])


def height_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> float:
    """Return the height in metres of the floor a position stands on, or NaN."""
    return float(_under(mesh, point_xyz(xyz)[None], below, above)[1][0])


def heights_at(mesh: AnyMesh, xyz: Any, *, below: float | None = None, above: float | None = None) -> Floats:
    """Return the height of the floor each position stands on: (n,) float64 metres, NaN for none; see `faces_at`."""
    return read_only(_under(mesh, points_xyz(xyz), below, above)[1])


def _under(mesh: AnyMesh, points: Floats, below: float | None, above: float | None) -> tuple[Ids, Floats]:
    low, high = tolerances(mesh, below, above)
    faces, heights = np.empty(len(points), np.int32), np.empty(len(points))
    faces_under(mesh.arrays, points, low, high, faces, heights)
    return faces, heights


def nearest(mesh: AnyMesh, xyz: Any, radius: float = math.inf) -> NearestPoint:
    """Return the point of the mesh nearest to a position, within `radius` metres."""
    return _nearest(mesh, point_xyz(xyz)[None], radius)[0]


def nearest_many(mesh: AnyMesh, xyz: Any, radius: float = math.inf) -> NearestPoints:
    """Return the point of the mesh nearest to each position, measured in space.

    Parameters
    ----------
    xyz : (n, 3) or (n, 2) positions in metres.
    radius : largest distance in metres, 0 or more.
    """
    return _nearest(mesh, points_xyz(xyz), radius)


def _nearest(mesh: AnyMesh, points: Floats, radius: float) -> NearestPoints:
    radius = real_number(radius, "radius", "a number of metres, 0 or more")
    if not radius >= 0.0:
        raise InputError(f"radius is {radius:g} m; give 0 or more")
    faces, found, distance = np.empty(len(points), np.int32), np.empty((len(points), 3)), np.empty(len(points))
    nearest_on_mesh(mesh_arrays(mesh), points, radius, faces, found, distance)
    return NearestPoints(read_only(found), read_only(distance), read_only(faces))


def known_faces(mesh: AnyMesh, faces: Any, count: int, name: str) -> Ids:
    """Return the base faces a caller gave as (n,) int32, or all -1 if it gave none."""
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
    """Return how far a straight walk from `start_xyz` towards `end_xyz` leads; see `raycasts`."""
    start, end = point_xyz(start_xyz, "start_xyz"), point_xyz(end_xyz, "end_xyz")
    return _cast(mesh, start[None], end[None], _UNKNOWN, *tolerances(mesh, None, None), bool(strict))[0]


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
    """Return how far a straight walk along each line leads, seen from above.

    Parameters
    ----------
    start_xyz, end_xyz : (n, 3) or (n, 2) positions in metres.
    strict : also stop where the line touches the corner of a wall between its ends.
    start_face : (n,) base faces under the starts, if known; -1 to find one.
    below, above : metres the floor may lie below and above a position, as in `faces_at`.

    Notes
    -----
    The mesh is closed: a line may run along a wall, and through a corner around which faces are linked. It may not
    pass between two faces that share only a corner. A strict line may touch walls at its own two ends and slide along
    a straight wall, but passes no corner.
    """
    starts, ends = _pairs(start_xyz, end_xyz, "end")
    low, high = tolerances(mesh, below, above)
    faces = known_faces(mesh, start_face, len(starts), "start_face")
    return _cast(mesh, starts, ends, faces, low, high, bool(strict))


def _cast(mesh: AnyMesh, starts: Floats, ends: Floats, faces: Ids, below: float, above: float, strict: bool) -> RayHits:
    count = len(starts)
    outcome, stopped = np.empty(count, np.uint8), np.empty(count, np.int32)
    found: tuple[Array, ...] = (outcome, np.empty((count, 3)), np.empty(count), np.empty((count, 2)), stopped)
    cast_rays(mesh.arrays, starts, ends, faces, below, above, strict, *found)
    return RayHits(*map(read_only, found))


MOST_NODES = 1 << 18
"""Most nodes, of about 130 bytes, of the exact search for one path; beyond them a simpler search replaces it."""


def find_path(mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, on_floor: bool = False) -> Path:
    """Return the shortest path from `start_xyz` to `goal_xyz`; see `find_paths`."""
    start, goal = point_xyz(start_xyz, "start_xyz"), point_xyz(goal_xyz, "goal_xyz")
    reason, length, (_, count), points, bends, (_, passed), faces = _ways(
        mesh, start[None], goal[None], *tolerances(mesh, None, None)
    )
    kept = points[:count].copy() if on_floor else points[:count][bends[:count]]
    word = PATH_REASONS[reason[0]]
    return Path(read_only(kept), float(length[0]), read_only(faces[:passed].copy()), word == "reached", word)


def find_paths(
    mesh: AnyMesh,
    start_xyz: Any,
    goal_xyz: Any,
    *,
    on_floor: bool = False,
    below: float | None = None,
    above: float | None = None,
) -> Paths:
    """Return the shortest path of each pair of positions.

    Parameters
    ----------
    start_xyz, goal_xyz : (n, 3) or (n, 2) positions in metres.
    on_floor : also return the points where the path crosses from face to face, so that it follows ramps and steps.
    below, above : metres the floor may lie below and above a position, as in `faces_at`.

    Notes
    -----
    A path is exactly the shortest seen from above, at any angle; its length is measured along the floor, and equals
    that of the reverse path to the last bit. A search that needs more than 262,144 nodes is replaced by one over faces,
    whose path may be longer. If the goal is unreachable, the path leads to the reachable point nearest
    to it in space, and `reason` says why.
    """
    starts, goals = _pairs(start_xyz, goal_xyz)
    reason, length, point_start, points, bends, face_start, faces = _ways(
        mesh, starts, goals, *tolerances(mesh, below, above)
    )
    points, faces = points[: point_start[-1]].copy(), faces[: face_start[-1]].copy()
    if not on_floor:
        point_start, points = _only(bends[: len(points)], point_start, points)
    return Paths(*map(read_only, (reason, length, point_start, points, face_start, faces)))


def _ways(mesh: AnyMesh, starts: Floats, goals: Floats, low: float, high: float) -> Ways:
    """Return the paths of `find_ways`; those it leaves open come from `find_other_ways`."""
    found = find_ways(mesh.arrays, mesh.face_component, starts, goals, low, high, MOST_NODES)
    if not np.count_nonzero(found.status):  # all FOUND, which is 0; comparing takes ten times as long
        return found
    left = np.flatnonzero((found.status != FOUND) & (found.status != START_OFF))
    if not len(left):
        return found
    other = find_other_ways(mesh.arrays, mesh.face_component, starts[left], goals[left], low, high, MOST_NODES)
    return other if len(left) == len(starts) else _merged(found, left, other)


def _merged(found: Ways, left: Array, other: Ways) -> Ways:
    """Insert other paths in place of those left open."""
    reason, length, point_start, points, bends, face_start, faces = found
    reason[left], length[left] = other.status, other.length
    points, bends, faces = points[: point_start[-1]], bends[: point_start[-1]], faces[: face_start[-1]]
    point_start, order = _joined(point_start, left, other.point_start)
    points, bends = np.concatenate([points, other.points])[order], np.concatenate([bends, other.bends])[order]
    face_start, order = _joined(face_start, left, other.face_start)
    faces = np.concatenate([faces, other.faces])[order]
    return Ways(reason, length, point_start, points, bends, face_start, faces)


def _joined(start: Array, left: Array, other: Array) -> tuple[Array, Array]:
    """Return where groups start once `other` ones fill the empty ones in `left`, and the order of all members.

    The members of the other groups are numbered after those that are there.
    """
    size, first = np.diff(start), start[:-1].copy()
    size[left], first[left] = np.diff(other), start[-1] + other[:-1]
    joined = np.concatenate([[0], np.cumsum(size)])
    return joined, np.repeat(first - joined[:-1], size) + np.arange(joined[-1])


def _only(keep: Bools, start: Array, points: Floats) -> tuple[Array, Floats]:
    """Return where each group of kept points starts, and the points."""
    kept_before = np.concatenate([[0], np.cumsum(keep)])
    return kept_before[start], points[keep]


def reachable(mesh: AnyMesh, start_xyz: Any, goal_xyz: Any) -> bool:
    """Return whether a path leads from `start_xyz` to `goal_xyz`; False if one of them is off the mesh."""
    start, goal = point_xyz(start_xyz, "start_xyz"), point_xyz(goal_xyz, "goal_xyz")
    return bool(_meet(mesh, start[None], goal[None], *tolerances(mesh, None, None))[0])


def reachable_many(
    mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, below: float | None = None, above: float | None = None
) -> Bools:
    """Return whether a path joins each pair, (n,) bool; False if an end is off the mesh.

    On an uncut mesh this compares component numbers. Under cuts, two floods grow towards each other.
    """
    starts, goals = _pairs(start_xyz, goal_xyz)
    return read_only(_meet(mesh, starts, goals, *tolerances(mesh, below, above)))


def _meet(mesh: AnyMesh, starts: Floats, goals: Floats, low: float, high: float) -> Bools:
    found = np.zeros(len(starts), np.bool_)
    marks = np.zeros(0 if isinstance(mesh, NavMesh) else len(mesh.arrays.face_start), np.int32)
    pairs_meet(mesh.arrays, mesh.face_component, starts, goals, low, high, marks, found)
    return found


def _pairs(start_xyz: Any, end_xyz: Any, end: str = "goal") -> tuple[Floats, Floats]:
    starts, ends = points_xyz(start_xyz, "start_xyz"), points_xyz(end_xyz, f"{end}_xyz")
    if len(starts) != len(ends):
        raise InputError(f"there are {len(starts)} starts and {len(ends)} {end}s; give one {end} per start")
    return starts, ends
