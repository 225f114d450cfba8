"""Slow and obvious versions of what layers compute."""

from __future__ import annotations

import heapq
import math


def links_of(layout):
    """Links that may be walked, as {cell: [(other, metres)]}."""
    arrays = layout.arrays
    bit = lambda field, i: field[i >> 3] >> (i & 7) & 1  # noqa: E731
    ways = {cell: [] for cell in range(len(arrays.cell_grid)) if not bit(arrays.disabled, cell)}
    for cell in ways:
        for link in range(arrays.link_start[cell], arrays.link_start[cell + 1]):
            other = int(arrays.link_cell[link])
            if other in ways and not bit(arrays.blocked, link):
                ways[cell].append((other, float(arrays.link_length[link])))
    return ways


def distances(layout, sources, reach=math.inf):
    """Dijkstra with a heap of pairs: {cell: metres}."""
    return distances_over(links_of(layout), sources, reach)


def distances_over(ways, sources, reach=math.inf):
    """The same over links that are known."""
    waiting = [(0.0, source) for source in sources if source in ways]
    heapq.heapify(waiting)
    found = {}
    while waiting:
        metres, cell = heapq.heappop(waiting)
        if cell in found:
            continue
        found[cell] = metres
        for other, length in ways[cell]:
            if metres + length <= reach:
                heapq.heappush(waiting, (metres + length, other))
    return found


def influence(layout, sources, strengths, worth, reach, combine):
    """{cell: value}, each source spread on its own."""
    total = {}
    for source, strength in zip(sources, strengths):
        for cell, metres in distances(layout, [source], reach).items():
            value = strength * worth(metres)
            total[cell] = value if cell not in total else combine(total[cell], value)
    return total


def best(scores, count, *, allowed, positions, spacing=0.0):
    """Repeatedly take the best allowed cell that keeps its distance."""
    chosen = []
    for cell in sorted(allowed, key=lambda cell: (-scores[cell], cell)):
        near = any(math.dist(positions[cell], positions[other]) < spacing for other in chosen)
        if not near and len(chosen) < count:
            chosen.append(cell)
    return chosen


def saturate(value, low, high):
    """As an integer layer holds it."""
    return round(min(max(value, low), high))
