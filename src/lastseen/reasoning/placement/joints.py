"""Join parts of a level whose places do not see each other: up stairs, through narrow doors."""

from __future__ import annotations

import numpy as np
import shapely

from ...conventions import Array, Floats, Ids
from ...level.features import Door
from ...navmesh.query import find_path
from .ground import GuardGround

__all__ = ["joined"]

_REACH = 0.05
_NEXT, _ROUNDS = 4, 6
"""Number of neighbouring parts that paths are searched to from each part, and of repetitions."""
_MOST_PARTS = 120
"""Maximum number of parts to join, largest first; the rest are specks."""


def joined(ground: GuardGround, places: Floats, pairs: Ids) -> tuple[Floats, Ids]:
    """Return places and edges with the corners of shortest paths between separate parts added, as few as needed.

    Parts that no walk connects, or only through a locked door, stay separate; guards open other doors.
    """
    for _ in range(_ROUNDS):
        before = len(pairs)
        places, pairs = _joined_once(ground, places, pairs)
        if len(pairs) == before:
            break
    return places, pairs


def _joined_once(ground: GuardGround, places: Floats, pairs: Ids) -> tuple[Floats, Ids]:
    """Join parts with their neighbours."""
    part = _parts(len(places), pairs)
    all_places, all_pairs, count = [places], [pairs], len(places)
    for _, begin, end, corners in sorted(_ways(ground, places, part), key=lambda way: way[:3]):
        if part[begin] == part[end]:
            continue
        part[part == part[end]] = part[begin]
        chain = np.r_[begin, count + np.arange(len(corners)), end]
        all_places.append(corners)
        all_pairs.append(np.sort(np.column_stack([chain[:-1], chain[1:]]), axis=1).astype(np.int32))
        count += len(corners)
    return np.concatenate(all_places), np.concatenate(all_pairs)


def _ways(ground: GuardGround, places: Floats, part: Array) -> list[tuple[float, int, int, Floats]]:
    """Return the shortest walkable paths from parts to their neighbours: length, both ends, corners between."""
    names, size = np.unique(part, return_counts=True)
    names = names[np.argsort(-size, kind="stable")][:_MOST_PARTS]
    members = [np.flatnonzero(part == name) for name in names]
    asked: set[tuple[int, int]] = set()
    for one, mine in enumerate(members):
        nearest = []
        for other, theirs in enumerate(members):
            if other != one:
                apart = np.linalg.norm(places[mine][:, None] - places[theirs][None], axis=2)
                near, far = np.unravel_index(int(apart.argmin()), apart.shape)
                ends = sorted((int(mine[near]), int(theirs[far])))
                nearest.append((float(apart.min()), ends[0], ends[1]))
        asked |= {(begin, end) for _, begin, end in sorted(nearest)[:_NEXT]}
    ways = []
    for begin, end in sorted(asked):
        way = find_path(ground.mesh, places[begin], places[end], on_floor=True)
        if way.reached and len(way.points_xyz) > 1 and not _through_locked(ground, way.points_xyz):
            ways.append((way.length, begin, end, way.points_xyz[1:-1]))
    return ways


def _through_locked(ground: GuardGround, way: Floats) -> bool:
    line = shapely.LineString(way[:, :2])
    low, high = float(way[:, 2].min()), float(way[:, 2].max())
    return any(door.locked and not door.open and _meets(door, line, low, high) for door in ground.level.doors)


def _meets(door: Door, line: shapely.LineString, low: float, high: float) -> bool:
    return (
        door.z - _REACH < high + 1.0
        and door.z + door.height > low
        and line.intersects(shapely.Polygon(door.outline_xy))
    )


def _parts(count: int, pairs: Ids) -> Array:
    """Return the part each place belongs to, the lowest number of a place it is joined with, (n,) int64."""
    part = np.arange(count)
    while True:
        least = part.copy()
        np.minimum.at(least, pairs[:, 0], part[pairs[:, 1]])
        np.minimum.at(least, pairs[:, 1], part[pairs[:, 0]])
        least = least[least]
        if np.array_equal(least, part):
            return part
        part = least
