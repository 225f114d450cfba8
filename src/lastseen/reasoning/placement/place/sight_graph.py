"""The graph guards walk on: which places see each other, and the links up stairs and through narrow doors."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ....checks import finite_number, frozen, instance_of, points_xyz, read_only
from ....conventions import Array, Floats, Ids, Progress
from ....kernels.placement.closed_walk import GraphArrays
from ....kernels.placement.path_distance import nearest_gaps
from ....level.sight.query import sees
from ....navmesh.query import find_path
from ..guard_ground import GuardGround, several_paths
from .partition import Partition

_CHUNK = 200_000
_NEXT, _ROUNDS = 4, 6
"""Number of neighbouring parts that paths are searched to from each part, and of repetitions."""
_MOST_PARTS = 120
"""Maximum number of parts to join, largest first; the rest are specks."""


@dataclass(frozen=True, eq=False)
class SightGraph:
    """The pseudo-intersection graph of a partition: an edge between any two centres that see each other.

    Attributes
    ----------
    places : (n, 3) float64: the centres, then corners of paths that join parts which do not see each other.
    pairs : (E, 2) int32 numbers of places, the lower first.
    length : (E,) float64 metres.
    arrays : the same by centre, for kernels.
    lines : (E, 6) float64, both ends of each edge.
    """

    partition: Partition
    places: Floats
    pairs: Ids
    length: Floats
    arrays: GraphArrays
    lines: Floats

    @property
    def degree(self) -> Array:
        """(n,) int64: number of links from each place."""
        return np.diff(self.arrays.start.astype(np.int64))


def sight_graph(
    ground: GuardGround, partition: Partition, *, eye_height: float = 1.6, progress: Progress = None
) -> SightGraph:
    """Connect centres that see each other from eyes at `eye_height`, along a line that can also be walked straight.

    Closed doors block sight. Parts of the graph that do not see each other, such as storeys, are joined if an agent can
    walk from one to the other: the corners of the shortest path become places too.
    """
    instance_of(ground, GuardGround, "ground", "create one with GuardGround(level, path)")
    instance_of(partition, Partition, "partition", "create one with partition(ground, smallest, largest)")
    eye_height = finite_number(eye_height, "eye_height", unit="m", low=0.0, high=100.0)
    centres, count = partition.centres, len(partition)
    up = np.array([0.0, 0.0, eye_height])
    one, other = np.triu_indices(count, 1)
    seen = np.zeros(len(one), np.bool_)
    for first in range(0, len(one), _CHUNK):
        part = slice(first, first + _CHUNK)
        begin, end = centres[one[part]], centres[other[part]]
        clear = sees(ground.sight, begin + up, end + up).copy()
        clear[clear] = ground.walkable(begin[clear], end[clear])
        seen[part] = clear
        if progress is not None:
            progress("lines of sight", min(1.0, (first + _CHUNK) / len(one)))
    pairs = np.column_stack([one[seen], other[seen]]).astype(np.int32)
    return graph_of(partition, *joined(ground, centres, pairs))


def graph_of(partition: Partition, places: Floats, pairs: Ids) -> SightGraph:
    """Return the graph with these places and edges."""
    begin, end = places[pairs[:, 0]], places[pairs[:, 1]]
    numbers = np.arange(len(pairs))
    source = np.concatenate([pairs[:, 0], pairs[:, 1]])
    target, edge = np.concatenate([pairs[:, 1], pairs[:, 0]]), np.concatenate([numbers, numbers])
    order = np.lexsort((target, source))
    start = np.searchsorted(source[order], np.arange(len(places) + 1))
    arrays = GraphArrays(
        read_only(start.astype(np.uint32)),
        read_only(target[order].astype(np.uint32)),
        read_only(edge[order].astype(np.uint32)),
    )
    length = np.linalg.norm(end - begin, axis=1)
    lines = frozen(np.hstack([begin, end]))
    return SightGraph(partition, frozen(places), frozen(pairs, np.int32), read_only(length), arrays, lines)


def closeness(lines: Any, path: Any, drop_off: float) -> Floats:
    """Return how close each line (n, 6) comes to a path: 1 where they touch, falling linearly to 0 at `drop_off` m.

    Of several paths, the nearest counts.
    """
    paths = several_paths(path)
    gaps = np.empty((len(paths), len(lines)))
    for one, row in zip(paths, gaps):
        nearest_gaps(np.ascontiguousarray(lines, np.float64), points_xyz(one, "path"), row)
    return np.asarray(np.maximum(0.0, 1.0 - gaps.min(axis=0) / drop_off))


def joined(ground: GuardGround, places: Floats, pairs: Ids) -> tuple[Floats, Ids]:
    """Return places and edges with the corners of shortest paths between separate parts added, as few as needed.

    Parts that no walk connects stay separate; guards open doors that are not locked.
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
    for _, begin, end, corners in sorted(_paths_between(ground, places, part), key=lambda path: path[:3]):
        if part[begin] == part[end]:
            continue
        part[part == part[end]] = part[begin]
        chain = np.r_[begin, count + np.arange(len(corners)), end]
        all_places.append(corners)
        all_pairs.append(np.sort(np.column_stack([chain[:-1], chain[1:]]), axis=1).astype(np.int32))
        count += len(corners)
    return np.concatenate(all_places), np.concatenate(all_pairs)


def _paths_between(ground: GuardGround, places: Floats, part: Array) -> list[tuple[float, int, int, Floats]]:
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
    paths = []
    for begin, end in sorted(asked):
        path = find_path(ground.mesh, places[begin], places[end], on_floor=True)
        if path.reached and len(path.points_xyz) > 1:
            paths.append((path.length, begin, end, path.points_xyz[1:-1]))
    return paths


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
