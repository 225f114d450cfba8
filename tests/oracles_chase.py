"""The article's flood in plain Python, word by word: every warm cell is cooled in every step, nothing is lazy."""

from __future__ import annotations

import math
from dataclasses import dataclass, field


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


def plain_flood(position, neighbours, start, heading, settings) -> PlainFlood:
    """`position` cell -> (x, y, z); `neighbours` cell -> cells; `heading` a unit vector or None."""
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

    spent = set()

    def is_untouched(cell):
        return value[cell] == 0 and cell not in spent

    def may_bar(cell):
        return is_untouched(cell) or (settings.claims == "warm" and value[cell] >= 0)

    value[start] = settings.hot
    last_heated, last_barred = [start], []
    heated_in = {start: 0}
    if heading is not None and any(heading) and settings.barrier == "momentum":
        for other in neighbours[start]:
            if may_bar(other) and is_behind(start, other):
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
                if may_bar(other) and is_behind(cell, other):
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
