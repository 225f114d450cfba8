"""The article's flood in plain Python, word by word: every warm cell is cooled in every step, nothing is lazy."""

from __future__ import annotations

import heapq
import math
from dataclasses import dataclass, field

from lastseen.navmesh.query import raycast


@dataclass
class PlainFlood:
    value: dict[int, int]
    barrier_order: list[int]
    heated: list[int]
    steps: int
    reason: str
    heated_in: dict[int, int] = field(default_factory=dict)

    @property
    def warm(self) -> dict[int, int]:
        return {cell: value for cell, value in self.value.items() if value > 0}

    @property
    def barrier(self) -> set[int]:
        return {cell for cell, value in self.value.items() if value == -1}


def neighbours_of(arrays) -> dict[int, list[int]]:
    """Cells one can step to, without disabled ones and blocked links."""

    def is_set(bits, index):
        return bool(bits[index >> 3] >> (index & 7) & 1)

    found = {}
    for cell in range(len(arrays.cell_grid)):
        links = range(int(arrays.link_start[cell]), int(arrays.link_start[cell + 1]))
        others = [int(arrays.link_cell[k]) for k in links if not is_set(arrays.blocked, k)]
        found[cell] = [other for other in others if not is_set(arrays.disabled, other)]
    return found


def plain_flood(position, neighbours, start, heading, settings, closed=frozenset()) -> PlainFlood:
    """`position` cell -> (x, y, z); `neighbours` cell -> cells; `heading` a unit vector or None.

    `closed` cells turn to -2 when heat comes to them, unless the barrier has them by then.
    """
    value = dict.fromkeys(neighbours, 0)

    def is_behind(one, other):
        if settings.behind == "cone":
            one = start
        way = [b - a for a, b in zip(position[one], position[other])]
        length = math.sqrt(sum(c * c for c in way))
        if length == 0:
            return False
        ahead = sum(c * h for c, h in zip(way, heading)) / length
        if settings.behind == "strict":
            return ahead < -1e-4
        if settings.behind == "inclusive":
            return ahead <= 1e-4
        return ahead <= 1e-4 - math.cos(settings.cone)

    def is_in_reach(cell):
        if settings.barrier_reach is None:
            return True
        x, y = (b - a for a, b in zip(position[start][:2], position[cell][:2]))
        metres = {
            "circle": math.hypot(x, y),
            "square": max(abs(x), abs(y)),
            "strip": abs(x * heading[1] - y * heading[0]),
        }
        return metres[settings.barrier_shape] <= settings.barrier_reach + 1e-4

    spent = set()

    def is_untouched(cell):
        return value[cell] == 0 and cell not in spent

    def may_bar(cell):
        return is_untouched(cell) or (settings.claims == "warm" and value[cell] >= 0)

    value[start] = settings.hot
    last_heated, last_barred = [start], []
    heated_in = {start: 0}
    if heading is not None and any(heading) and settings.barrier in ("momentum", "both"):
        for other in neighbours[start]:
            if may_bar(other) and is_behind(start, other) and is_in_reach(other):
                value[other] = -1
                last_barred.append(other)
    heated, total, steps = [], 1, 0
    while True:
        if steps == settings.max_steps:
            return PlainFlood(value, [], heated, steps, "max_steps", heated_in)
        fresh = []
        for cell in last_heated:
            if value[cell] > 0:
                fresh += [other for other in neighbours[cell] if is_untouched(other) and other not in fresh]
        value |= {cell: -2 for cell in fresh if cell in closed}
        fresh = [cell for cell in fresh if cell not in closed]
        if not fresh:
            return PlainFlood(value, [], heated, steps, "no_cells", heated_in)
        too_many = len(fresh) > settings.max_heated
        too_many |= settings.max_total is not None and total + len(fresh) > settings.max_total
        if too_many and settings.excess == "undone":
            return PlainFlood(value, [], heated, steps, "too_many", heated_in)
        steps += 1
        for cell in value:
            if value[cell] > 0:
                value[cell] -= 1
                if value[cell] == 0 and settings.cooled == "spent":
                    spent.add(cell)
        for cell in fresh:
            value[cell] = settings.hot
            heated_in[cell] = steps
        barred = []
        for cell in last_barred:
            for other in neighbours[cell]:
                if may_bar(other) and is_behind(cell, other) and is_in_reach(other):
                    value[other] = -1
                    barred.append(other)
        heated.append(len(fresh))
        total += len(fresh)
        last_heated, last_barred = fresh, barred
        if too_many:
            return PlainFlood(value, [], heated, steps, "too_many", heated_in)


def plain_mean(flood: PlainFlood, position, settings, worth=None):
    """The weighted mean of the warm cells, coordinate by coordinate; None where nothing is warm."""
    weight = {}
    for cell, value in flood.warm.items():
        front = 1 if flood.heated_in[cell] == 0 else flood.heated[flood.heated_in[cell] - 1]
        weight[cell] = {"value": value, "even": 1, "front": value / front}[settings.weights]
        weight[cell] *= 1.0 if worth is None else worth[cell]
    total = sum(weight.values())
    if total == 0:
        return None
    return tuple(sum(weight[cell] * position[cell][axis] for cell in weight) / total for axis in range(3))


def nearest_warm(flood: PlainFlood, position, point) -> int:
    def away(cell):
        return sum((a - b) ** 2 for a, b in zip(position[cell], point))

    return min(sorted(flood.warm), key=away)


def walking_distances(arrays, neighbours, source) -> dict[int, float]:
    """Metres walked along links from a cell to every cell it reaches."""
    found, waiting = {}, [(0.0, source)]
    while waiting:
        metres, cell = heapq.heappop(waiting)
        if cell in found:
            continue
        found[cell] = metres
        for link in range(int(arrays.link_start[cell]), int(arrays.link_start[cell + 1])):
            other = int(arrays.link_cell[link])
            if other in neighbours[cell] and other not in found:
                heapq.heappush(waiting, (metres + float(arrays.link_length[link]), other))
    return found


def closed_cells(layout, neighbours, start, guard_cell, guard_at, view, run, settings) -> set[int]:
    """Cells of a belief flood that are never heated, asked one by one; `view` is (heading, angle, distance)."""
    arrays = layout.arrays
    runner = walking_distances(arrays, neighbours, start)
    guard = walking_distances(arrays, neighbours, guard_cell)
    heading, angle, distance = view
    closed = set()
    for cell, metres in runner.items():
        if guard.get(cell, math.inf) < metres + settings.lead:
            closed.add(cell)
            continue
        way = arrays.cell_xyz[cell].astype(float) - guard_at
        length = math.hypot(way[0], way[1])
        ahead = way[0] * heading[0] + way[1] * heading[1] >= math.cos(angle / 2) * length
        if metres > run + settings.slack and length <= distance and ahead:
            hit = raycast(layout.mesh, guard_at, arrays.cell_xyz[cell])
            if hit.reached:
                closed.add(cell)
    return closed - {start}


def plain_sight(arrays, neighbours, source, distance) -> set[int]:
    """Cells seen from a cell: ring by ring, each through the cell before it on the line."""
    column, row = (int(c) for c in arrays.cell_grid[source][:2])
    seen, ring = {source}, 0
    while True:
        ring += 1
        fresh = set()
        for cell in seen:
            px, py = (int(c) - o for c, o in zip(arrays.cell_grid[cell][:2], (column, row)))
            if max(abs(px), abs(py)) != ring - 1:
                continue
            for other in neighbours[cell]:
                x, y = (int(c) - o for c, o in zip(arrays.cell_grid[other][:2], (column, row)))
                on_line = all(abs(p - c * (ring - 1) / ring) <= 0.5 + 1e-12 for p, c in ((px, x), (py, y)))
                way = arrays.cell_xyz[other].astype(float) - arrays.cell_xyz[source].astype(float)
                if max(abs(x), abs(y)) == ring and on_line and math.hypot(way[0], way[1]) <= distance:
                    fresh.add(other)
        if not fresh - seen:
            return seen
        seen |= fresh


def plain_look(layout, neighbours, flood, here, settings) -> int:
    """Where a destination moves on to, once, to see more floor; -1: it stays. Asked of every cell near by."""
    floor = set(neighbours) - set(flood.closed.tolist())
    return _look_on(layout, neighbours, flood, here, settings, settings.look_reach, settings.look_area, floor)


def plain_corner(layout, neighbours, flood, here, settings) -> int:
    """Where a destination before a corner moves on to; -1: it stays, as it sees most warm floor ahead."""
    arrays, warm = layout.arrays, set(flood.warm.tolist())
    walked = walking_distances(arrays, neighbours, flood.start)
    seen = plain_sight(arrays, neighbours, here, settings.look_distance)
    near = _near(layout, neighbours, flood, here, settings.look_distance)
    ahead = {cell for cell in near & warm - {here} if walked.get(cell, math.inf) > walked[here]}
    close = any(_apart(layout, here, cell) <= settings.corner for cell in ahead - seen)
    if not close or len(ahead - seen) <= len(ahead & seen):
        return -1
    return _look_on(layout, neighbours, flood, here, settings, settings.corner, 3.0, warm)


def _apart(layout, one, other) -> float:
    return math.dist(layout.arrays.cell_xyz[one].tolist(), layout.arrays.cell_xyz[other].tolist())


def _near(layout, neighbours, flood, here, reach) -> set[int]:
    """Open cells connected to a cell by others that are as near."""
    barred = {*flood.closed.tolist(), *flood.barrier.tolist()}
    near, waiting = {here}, [here]
    while waiting:
        for other in neighbours[waiting.pop()]:
            if other not in near and other not in barred and _apart(layout, here, other) <= reach:
                near.add(other)
                waiting.append(other)
    return near


def _look_on(layout, neighbours, flood, here, settings, reach, area, counted) -> int:
    arrays = layout.arrays
    walked = walking_distances(arrays, neighbours, flood.start)
    seen = plain_sight(arrays, neighbours, here, settings.look_distance)
    shown = {
        cell: len((plain_sight(arrays, neighbours, cell, settings.look_distance) - seen) & counted)
        for cell in _near(layout, neighbours, flood, here, reach) - {here}
        if walked.get(cell, math.inf) >= walked[here]
    }
    most = max(shown.values(), default=0)
    best = min((cell for cell, count in shown.items() if count == most), default=-1)
    return best if most and most * float(arrays.size_xyz[0] * arrays.size_xyz[1]) >= area else -1
