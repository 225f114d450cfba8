"""Masks: the rules of a compiled handler that survive a value of a variable, as integers with one bit per rule."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import pairwise
from typing import Any

from .compile import CompiledHandler

_EXACT = 1 << 53
"""Integers up to this magnitude are exact as floats."""

Finder = Callable[[Any], int | None]
"""Returns the rules that survive a value of the expected Python type; None if the value needs a closer look."""


class Masks:
    """Rows of a compiled handler as integers, so that one Python operation intersects a thousand rules.

    Attributes
    ----------
    everybody : all rules.
    finders : one per variable; every query calls them.
    """

    def __init__(self, handler: CompiledHandler):
        data = [int.from_bytes(row.tobytes(), "little") for row in handler.rows]
        starts, cuts = handler.row_start.tolist(), handler.cut_start.tolist()
        self._rows = [data[low:high] for low, high in pairwise(starts)]
        self._cuts = [handler.cuts[low:high].tolist() for low, high in pairwise(cuts)]
        self.everybody = (1 << len(handler)) - 1
        self.finders: list[Finder] = [self._finder(number, handler) for number in range(len(handler.variables))]

    def _finder(self, variable: int, handler: CompiledHandler) -> Finder:
        spec = handler.specs[variable]
        if spec.type == "enum":
            return _by_text({name: self.left(variable, float(place)) for place, name in enumerate(spec.names)}, None)
        if spec.type == "str":
            known = {text: self.left(variable, float(number)) for text, number in handler.texts.items()}
            return _by_text(known, self.left(variable, -1.0))
        if spec.type == "bool":
            return _by_truth(self.left(variable, 0.0), self.left(variable, 1.0))
        return _by_number(self._cuts[variable], self._rows[variable])

    def left(self, variable: int, value: float) -> int:
        """Return the rules that survive a value of a variable; NaN means unknown."""
        rows = self._rows[variable]
        return rows[-1] if value != value else rows[_cell(self._cuts[variable], value)]


def _cell(cuts: list[float], value: float) -> int:
    place = bisect_left(cuts, value)
    return 2 * place + (place < len(cuts) and cuts[place] == value)


def _by_text(known: Mapping[str, int], other: int | None) -> Finder:
    def find(value: Any) -> int | None:
        return known.get(value, other) if type(value) is str else None

    return find


def _by_truth(no: int, yes: int) -> Finder:
    def find(value: Any) -> int | None:
        return yes if value is True else no if value is False else None

    return find


def _by_number(cuts: list[float], rows: list[int]) -> Finder:
    ends = [*cuts, None]  # No value equals the sentinel after the last cut.

    def find(value: Any) -> int | None:
        kind = type(value)
        if kind is float:
            if value != value:
                return None
        elif kind is not int or not -_EXACT <= value <= _EXACT:
            return None
        place = bisect_left(cuts, value)
        return rows[2 * place + (ends[place] == value)]

    return find
