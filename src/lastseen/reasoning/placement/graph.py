"""The graph guards walk on: which places see each other, and the length of each link."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, frozen, points_xyz, read_only, thing_of
from ...conventions import Array, Floats, Ids, Progress
from ...kernels.closed_walk import GraphArrays
from ...kernels.segment_gaps import nearest_gaps
from ...level.sight.query import sees
from .ground import GuardGround
from .joints import joined
from .partition import Partition

__all__ = ["SightGraph", "closeness", "graph_of", "sight_graph"]

_CHUNK = 200_000


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
    thing_of(ground, GuardGround, "ground", "create one with GuardGround(level, path)")
    thing_of(partition, Partition, "partition", "create one with partition(ground, smallest, largest)")
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
    """Return how close each line (n, 6) comes to a path: 1 where they touch, falling linearly to 0 at `drop_off` m."""
    gaps = np.empty(len(lines))
    nearest_gaps(np.ascontiguousarray(lines, np.float64), points_xyz(path, "path"), gaps)
    return np.asarray(np.maximum(0.0, 1.0 - gaps / drop_off))
