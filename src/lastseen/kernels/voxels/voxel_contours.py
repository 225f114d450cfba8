"""Trace the outlines of regions: chains of voxel corners between two regions, or between a region and a wall."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..jit import jit

NONE = np.int32(-1)

# An edge is one side of an open span: side 0 faces east, 1 north, 2 west, 3 south. It runs with its region to the
# left, so side d begins at the corner between the sides d - 1 and d.


@jit
def _holds(start: Array, region: Array, column: int, own: int) -> bool:
    """Return whether region `own` has a span in the column."""
    found = False
    for s in range(start[np.uint32(column)], start[np.uint32(column + 1)]):
        found |= region[np.uint32(s)] == own
    return found


@jit
def find_edges(
    start: Array, column_of: Array, link: Array, region: Array, width: int, depth: int
) -> tuple[Array, Array, Array, Array]:
    """Find the sides of open spans at which their region ends.

    Returns
    -------
    side : (E,) uint32, `4 * span + direction`.
    following : (E,) int32, the next edge around the region.
    twin : (E,) int32, the same edge seen from the region beyond; -1 at walls.
    node : (E,) bool, whether the edge's first corner must be kept: another region begins, or the region's
        outline touches itself there.
    """
    edge_of = np.full(4 * len(link), NONE, np.int32)
    count = 0
    for s in range(len(link)):
        for d in range(4):
            n = link[np.uint32(s), d]
            if n < 0 or region[np.uint32(n)] != region[np.uint32(s)]:
                edge_of[np.uint32(4 * s + d)] = count
                count += 1
    side = np.empty(count, np.uint32)
    following, twin = np.empty(count, np.int32), np.full(count, NONE, np.int32)
    node = np.zeros(count, np.bool_)
    for h in range(len(edge_of)):
        e = edge_of[np.uint32(h)]
        if e < 0:
            continue
        i = np.uint32(e)
        s, d = h >> 2, h & 3
        side[i] = h
        beyond = link[np.uint32(s), d]
        if beyond >= 0:
            twin[i] = edge_of[np.uint32(4 * beyond + (d ^ 2))]
        left = (d + 1) & 3
        if edge_of[np.uint32(4 * s + left)] >= 0:
            onward = edge_of[np.uint32(4 * s + left)]
            # If the cell across the corner belongs to the same region, the outline touches itself at this corner.
            x = int(column_of[np.uint32(s)]) % width + (1, -1, -1, 1)[d]
            y = int(column_of[np.uint32(s)]) // width + (1, 1, -1, -1)[d]
            if 0 <= x < width and 0 <= y < depth and _holds(start, region, y * width + x, region[np.uint32(s)]):
                node[np.uint32(onward)] = True
                if twin[i] >= 0:
                    node[np.uint32(twin[i])] = True
        else:
            ahead = link[np.uint32(s), left]
            onward = edge_of[np.uint32(4 * ahead + d)]
            if onward < 0:
                across = link[np.uint32(ahead), d]
                onward = edge_of[np.uint32(4 * across + ((d + 3) & 3))]
        following[i] = onward
    for e in range(count):
        onward = following[np.uint32(e)]
        one, other = twin[np.uint32(e)], twin[np.uint32(onward)]
        if one < 0 and other < 0:
            continue
        if one < 0 or other < 0 or following[np.uint32(other)] != one:
            node[np.uint32(onward)] = True
    return side, following, twin, node


@jit
def _corner_xy(h: int, column_of: Array, width: int) -> tuple[int, int]:
    """Return the voxel corner where a side begins."""
    column, d = int(column_of[np.uint32(h >> 2)]), h & 3
    return column % width + (1, 1, 0, 0)[d], column // width + (0, 1, 1, 0)[d]


@jit
def _southernmost(side: Array, following: Array, edge: int, column_of: Array, width: int) -> int:
    """Return the edge of a closed outline that begins farthest south, then farthest west: always a true corner."""
    best = current = edge
    best_x, best_y = _corner_xy(int(side[edge]), column_of, width)
    while True:
        current = np.uint32(following[current])
        if current == edge:
            return best
        x, y = _corner_xy(int(side[current]), column_of, width)
        if y < best_y or (y == best_y and x < best_x):
            best, best_x, best_y = current, x, y


@jit
def find_chains(
    side: Array, following: Array, twin: Array, node: Array, region: Array, column_of: Array, width: int
) -> tuple[Array, Array, Array]:
    """Cut outlines into chains of edges from node to node; a border between two regions becomes one chain.

    Returns
    -------
    chain_start : (C + 1,) uint32; chain_edge : edges of each chain in order, seen from the lower region.
    chain_of : (E,) int32, chain of each edge; -1 on the side that does not own its chain.

    An outline without a node is given one, on both sides (`node` is modified).
    """
    count = len(side)
    chain_of = np.full(count, NONE, np.int32)
    chain_start = np.empty(count + 1, np.uint32)
    chain_edge = np.empty(count, np.uint32)
    chains, used = 0, 0
    for sweep in range(2):
        for e in range(count):
            i = np.uint32(e)
            if chain_of[i] >= 0 or (sweep == 0 and not node[i]):
                continue
            mate = twin[i]
            if mate >= 0 and region[side[np.uint32(mate)] >> np.uint32(2)] < region[side[i] >> np.uint32(2)]:
                continue
            if sweep == 1:
                i = _southernmost(side, following, i, column_of, width)
                mate = twin[i]
                node[i] = True
                if mate >= 0:
                    node[np.uint32(following[np.uint32(mate)])] = True
            chain_start[np.uint32(chains)] = used
            current = i
            while True:
                chain_of[current] = chains
                chain_edge[np.uint32(used)] = current
                used += 1
                current = np.uint32(following[current])
                if node[current]:
                    break
            chains += 1
    chain_start[np.uint32(chains)] = used
    return chain_start[: chains + 1], chain_edge[:used], chain_of


@jit
def _corner(link: Array, floor: Array, s: int, d: int) -> tuple[float, int]:
    """Return the mean floor height around the corner where side `d` of `s` begins, and the lowest span id there."""
    before = (d + 3) & 3
    one, other = link[np.uint32(s), d], link[np.uint32(s), before]
    across = NONE
    if one >= 0:
        across = link[np.uint32(one), before]
    if across < 0 and other >= 0:
        across = link[np.uint32(other), d]
    total, count, least = float(floor[np.uint32(s)]), 1, np.int32(s)
    for n in (one, other, across):
        if n >= 0:
            total += float(floor[np.uint32(n)])
            count += 1
            least = min(least, n)
    return total / count, least


@jit
def chain_corners(
    chain_start: Array, chain_edge: Array, side: Array, following: Array, column_of: Array, link: Array, floor: Array,
    width: int,
) -> tuple[Array, Array, Array]:  # fmt: skip
    """List the voxel corners along each chain, its last one included.

    Chain `c` has the rows `chain_start[c] + c` to `chain_start[c + 1] + c`, both included.

    Returns
    -------
    corner_xy : (K, 2) int32 voxels; corner_z : (K,) float64 metres; corner_span : (K,) int32, identifies the layer.
    """
    chains = len(chain_start) - 1
    total = len(chain_edge) + chains
    xy, z, span = np.empty((total, 2), np.int32), np.empty(total, np.float64), np.empty(total, np.int32)
    row = np.uint32(0)
    for c in range(chains):
        begin, end = int(chain_start[np.uint32(c)]), int(chain_start[np.uint32(c + 1)])
        for k in range(begin, end + 1):
            if k < end:
                h = int(side[chain_edge[np.uint32(k)]])
            else:
                h = int(side[np.uint32(following[chain_edge[np.uint32(end - 1)]])])
            xy[row, 0], xy[row, 1] = _corner_xy(h, column_of, width)
            z[row], span[row] = _corner(link, floor, h >> 2, h & 3)
            row += np.uint32(1)
    return xy, z, span


@jit
def find_rings(
    side: Array, following: Array, twin: Array, node: Array, region: Array, chain_of: Array, chain_start: Array,
    keep: Array,
) -> tuple[Array, Array, Array, Array]:  # fmt: skip
    """Join the kept corners into closed outlines.

    Returns
    -------
    ring_start : (R + 1,) uint32; ring_corner : rows of corners, first not repeated; ring_region : (R,) int32.
    ring_end : for each corner, the chain row at which the stretch that starts there ends.
    """
    count = len(side)
    seen = np.zeros(count, np.bool_)
    ring_start, ring_region = np.empty(count + 1, np.uint32), np.empty(count, np.int32)
    ring_corner, ring_end = np.empty(2 * keep.sum() + 1, np.uint32), np.empty(2 * keep.sum() + 1, np.uint32)
    rings, used = 0, np.uint32(0)
    for e in range(count):
        if seen[np.uint32(e)] or not node[np.uint32(e)]:
            continue
        ring_start[np.uint32(rings)] = used
        ring_region[np.uint32(rings)] = region[side[np.uint32(e)] >> np.uint32(2)]
        current = np.uint32(e)
        while not seen[current]:
            c, way = chain_of[current], 1
            if c < 0:
                c, way = chain_of[np.uint32(twin[current])], -1
            row = int(chain_start[np.uint32(c)]) + c
            stop = int(chain_start[np.uint32(c + 1)]) + c
            if way < 0:
                row, stop = stop, row
            while row != stop:
                ring_corner[used] = row
                row += way
                while not keep[np.uint32(row)]:
                    row += way
                ring_end[used] = row
                used += np.uint32(1)
            while True:
                seen[current] = True
                current = np.uint32(following[current])
                if node[current]:
                    break
        rings += 1
    ring_start[np.uint32(rings)] = used
    return ring_start[: rings + 1], ring_corner[:used], ring_end[:used], ring_region[:rings]
