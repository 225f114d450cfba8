"""Random walks on a weighted graph that always return home within a cost limit."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import jit


class GraphArrays(NamedTuple):
    """An undirected graph of N nodes and E edges; node u has entries `start[u] … start[u + 1] - 1` of the others."""

    start: Array  # uint32 (N + 1,)
    neighbour: Array  # uint32 (2 E,)
    edge: Array  # uint32 (2 E,)


@jit
def costs_home(graph: GraphArrays, weight: Array, home: int, out: Array) -> None:
    """Fill `out` with the cost of the cheapest path from each node to `home`; infinite: none (Dijkstra's algorithm).

    No heap is used, as the graphs are dense: nodes that all see each other have nearly as many edges as pairs.
    """
    one = np.uint64(1)
    count = np.uint64(len(out))
    done = np.zeros(count, np.bool_)
    out[:] = math.inf
    out[home] = 0.0
    for _ in range(count):
        least, u = math.inf, count
        for k in range(count):
            if not done[k] and out[k] < least:
                least, u = out[k], k
        if u == count:
            return
        done[u] = True
        for a in range(np.uint64(graph.start[u]), np.uint64(graph.start[u + one])):
            v = np.uint64(graph.neighbour[a])
            out[v] = min(out[v], least + weight[graph.edge[a]])


@jit
def closed_walk(
    graph: GraphArrays, weight: Array, home_cost: Array, home: int, most: float, random: Array, out: Array
) -> tuple[int, float]:
    """Fill `out` with the nodes of a closed walk from `home`; return how many, and the cost of the walk.

    From u, a neighbour v is drawn uniformly among those with: cost so far + weight(u, v) + home_cost[v] <= most. Away
    from home there always is one, the next on the cheapest path back, so the walk ends at home when no edge is
    affordable.

    Parameters
    ----------
    home_cost : (N,) as `costs_home` gives it.
    random : (k,) numbers from 0 to below 1, one per step; after the last the walk takes the cheapest path home.
    out : (k + N + 1,) int32.
    """
    one = np.uint64(1)
    u, cost, count = np.uint64(home), 0.0, np.uint64(1)
    out[0] = home
    for k in range(np.uint64(len(random))):
        allowed = 0
        first, last = np.uint64(graph.start[u]), np.uint64(graph.start[u + one])
        for a in range(first, last):
            if cost + weight[graph.edge[a]] + home_cost[graph.neighbour[a]] <= most:
                allowed += 1
        if allowed == 0:
            break
        drawn = min(int(random[k] * allowed), allowed - 1)
        for a in range(first, last):
            step = weight[graph.edge[a]]
            if cost + step + home_cost[graph.neighbour[a]] <= most:
                if drawn == 0:
                    u, cost = np.uint64(graph.neighbour[a]), cost + step
                    break
                drawn -= 1
        out[count] = u
        count += one
    while u != np.uint64(home):
        best, along = math.inf, np.uint64(0)
        for a in range(np.uint64(graph.start[u]), np.uint64(graph.start[u + one])):
            whole = weight[graph.edge[a]] + home_cost[graph.neighbour[a]]
            if whole < best:
                best, along = whole, a
        cost += weight[graph.edge[along]]
        u = np.uint64(graph.neighbour[along])
        out[count] = u
        count += one
    return int(count), cost
