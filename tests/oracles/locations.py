"""Location queries in plain Python, one candidate at a time."""

from __future__ import annotations

import heapq
import itertools
import math


def rate(curve, value):
    """What a curve makes of a number."""
    if math.isnan(value):
        return 0.0
    return curve.low + (curve.high - curve.low) * _share(curve, value)


def _share(curve, value):
    if curve.at_least is not None:
        return float(value >= curve.at_least)
    if curve.at_most is not None:
        return float(value <= curve.at_most)
    if curve.inverse is not None:
        return 1.0 if value <= 0 else 0.0 if math.isinf(value) else 1.0 / (1.0 + value / curve.inverse)
    if curve.points is not None:
        return _between(curve.points, value)
    none, full = curve.linear or curve.smoothstep
    part = min(1.0, max(0.0, (value - none) / (full - none)))
    return part if curve.linear else part * part * (3 - 2 * part)


def _between(knots, value):
    if value <= knots[0][0]:
        return knots[0][1]
    for (x0, y0), (x1, y1) in itertools.pairwise(knots):
        if value <= x1:
            return y0 + (y1 - y0) * (value - x0) / (x1 - x0)
    return knots[-1][1]


def walks(layout, source):
    """Metres and the cells of all shortest walks' predecessors, by Dijkstra."""
    arrays = layout.arrays
    metres, before, waiting = {source: 0.0}, {source: set()}, [(0.0, source)]
    while waiting:
        here, cell = heapq.heappop(waiting)
        if here > metres[cell]:
            continue
        for link in range(int(arrays.link_start[cell]), int(arrays.link_start[cell + 1])):
            other, further = int(arrays.link_cell[link]), here + float(arrays.link_length[link])
            if further < metres.get(other, math.inf):
                metres[other], before[other] = further, {cell}
                heapq.heappush(waiting, (further, other))
            elif further == metres[other]:
                before[other].add(cell)
    return metres, before


def score(query, ratings):
    """One score of a candidate from what its criteria's curves gave (None: no curve)."""
    scored = [(one.weight, rating) for one, rating in zip(query.criteria, ratings) if rating is not None]
    if not scored:
        return 1.0
    if query.combine == "product":
        return math.prod(rating**weight for weight, rating in scored)
    return sum(weight * rating for weight, rating in scored) / sum(weight for weight, _ in scored)


def choose(xyz, scores, count, spacing):
    """The best, struck out with what is near, and so on."""
    left = {place for place, one in enumerate(scores) if one > 0.0}
    chosen = []
    while left and len(chosen) < count:
        best = max(left, key=lambda place: (scores[place], -place))
        chosen.append(best)
        left = {place for place in left if place != best and math.dist(xyz[place], xyz[best]) >= spacing}
    return chosen
