"""What is the way from here to there, and is there one?"""

from __future__ import annotations

from typing import Any

import numpy as np

from ..checks import point_xyz, points_xyz
from ..conventions import Array, Bools, Floats
from ..errors import InputError
from ..kernels.flood import pairs_meet
from ..kernels.path_other import find_other_ways
from ..kernels.path_trace import FOUND, START_OFF, Ways, find_ways
from .locate import tolerances
from .navmesh import AnyMesh, NavMesh
from .results import PATH_REASONS, Path, Paths, read_only

__all__ = ["find_path", "find_paths", "reachable", "reachable_many"]

MOST_NODES = 1 << 18
"""Nodes of about 130 bytes the exact search may make for one path before a plainer one stands in."""


def find_path(mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, on_floor: bool = False) -> Path:
    """What is the shortest way from `start_xyz` to `goal_xyz`? See `find_paths`."""
    start, goal = point_xyz(start_xyz, "start_xyz"), point_xyz(goal_xyz, "goal_xyz")
    reason, length, (_, count), points, bends, (_, passed), faces = _ways(
        mesh, start[None], goal[None], mesh.agent.height, mesh.agent.climb
    )
    kept = points[:count].copy() if on_floor else points[:count][bends[:count]]
    passed_faces, word = faces[:passed].copy(), PATH_REASONS[reason[0]]
    read_only(kept, passed_faces)
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
    read_only(reason, length, point_start, points, face_start, faces)
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
    return bool(_meet(mesh, start[None], goal[None], mesh.agent.height, mesh.agent.climb)[0])


def reachable_many(
    mesh: AnyMesh, start_xyz: Any, goal_xyz: Any, *, below: float | None = None, above: float | None = None
) -> Bools:
    """Is there a way, for each pair? (n,) bool; False where an end is off the mesh.

    On an uncut mesh this compares component numbers. Under cuts two floods are grown towards each other.
    """
    starts, goals = _pairs(start_xyz, goal_xyz)
    found = _meet(mesh, starts, goals, *tolerances(mesh, below, above))
    read_only(found)
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
