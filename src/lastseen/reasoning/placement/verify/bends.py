"""Find where shortest paths bend: in doors, at corners and at both ends of stairs."""

from __future__ import annotations

from itertools import pairwise

import numpy as np

from ....conventions import Array, Floats
from ....kernels.spacetime.space_time_floor import AskArrays
from ....kernels.spacetime.space_time_lines import floor_bends, straight_pairs
from ....navmesh.navmesh import NavMesh
from ....navmesh.query import find_paths, raycasts

_ONE_CORNER = 0.5
"""Two bends closer than this many metres are one: a body rounds a corner in an arc."""
_ASIDE = 0.4
"""Metres a bend is moved away from its corner, given twice the room: from there an agent sees around it."""
_MOST_BENDS = 64
_MOST_EDGES = 64
"""Maximum number of floor bends found below one path."""


def bends_between(mesh: NavMesh, start: Floats, goal: Floats, towards: Floats, flat: bool) -> tuple[Floats, Array]:
    """Return places where shortest paths bend, (m, 3), the start first, and which pairs are joined by a straight walk,
    (m, m) uint8.

    The paths are those between start and goal, and from both to places `towards` (n, 3). They also bend where the floor
    does, unless it is `flat`.
    """
    ask = AskArrays(
        np.stack([start, goal]),
        np.zeros(2, np.int32),
        np.array([1.0, 1.0, mesh.body.height, mesh.body.climb]),
        np.zeros(4, np.int64),
        flat,
    )
    edges = np.empty((_MOST_EDGES, 3))
    ends = np.concatenate([goal[None], towards])
    found = [(start, start, start)]
    for here in (start, goal):
        for path in find_paths(mesh, np.broadcast_to(here, ends.shape), ends):
            found += _corners(path.points_xyz)
            if not flat:
                count = floor_bends(mesh.arrays, ask, np.array(path.points_xyz), edges)
                found += [(edge, start, start) for edge in edges[:count].copy()]
    rows = np.array(found)
    _, once = np.unique((rows[:, 0] / _ONE_CORNER).round(), axis=0, return_index=True)
    rows = rows[np.sort(once)][:_MOST_BENDS]
    bends = _moved_aside(mesh, rows[:, 0], rows[:, 1] - rows[:, 2])
    sees = np.empty((len(bends), len(bends)), np.uint8)
    straight_pairs(mesh.arrays, ask, bends, sees)
    return bends, sees


def _corners(points: Floats) -> list[tuple[Floats, Floats, Floats]]:
    """Return the corners of a path, each with the unit vectors of arrival and departure."""
    if len(points) < 3:
        return []
    gaps = np.linalg.norm(np.diff(points, axis=0), axis=1)
    cuts = [0, *(np.flatnonzero(gaps[1:-1] > _ONE_CORNER) + 1).tolist(), len(points) - 2]
    return [
        (
            points[(first + 1 + last) // 2],
            _unit(points[first + 1] - points[first]),
            _unit(points[last + 1] - points[last]),
        )
        for first, last in pairwise(cuts)
    ]


def _unit(vector: Floats) -> Floats:
    length = float(np.linalg.norm(vector))
    return vector / length if length > 0.0 else vector


def _moved_aside(mesh: NavMesh, places: Floats, away: Floats) -> Floats:
    """Return places moved in a direction by at most half of the available room."""
    flat = away * np.array([1.0, 1.0, 0.0])
    length = np.linalg.norm(flat, axis=1, keepdims=True)
    flat = np.divide(flat, length, out=np.zeros_like(flat), where=length > 1e-9)
    ray = raycasts(mesh, places, places + 2.0 * _ASIDE * flat)
    aimed = places + _ASIDE * ray.fraction[:, None] * flat
    there = raycasts(mesh, places, aimed)
    return np.where(there.reached[:, None], there.xyz, places)
