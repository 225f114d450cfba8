"""Which rules of a compiled handler does a value of a variable leave? Answers as whole numbers, one bit a rule."""

from __future__ import annotations

import bisect
from itertools import pairwise
from typing import Any

from .compile import CompiledHandler

__all__ = ["Masks"]

_EXACT = 1 << 53
"""Whole numbers up to here are floats, too."""


class Masks:
    """Rows of a compiled handler as whole numbers: an "and" of a thousand rules is one operation of Python."""

    def __init__(self, handler: CompiledHandler):
        data = [int.from_bytes(row.tobytes(), "little") for row in handler.rows]
        starts, cuts = handler.row_start.tolist(), handler.cut_start.tolist()
        self._rows = [data[low:high] for low, high in pairwise(starts)]
        self._cuts = [handler.cuts[low:high].tolist() for low, high in pairwise(cuts)]
        self.everybody = (1 << len(handler)) - 1
        self._is_text = [spec.type == "str" for spec in handler.specs]
        self._known = [self._by_value(number, handler) for number in range(len(handler.variables))]

    def _by_value(self, variable: int, handler: CompiledHandler) -> dict[Any, int] | None:
        """Return the rules each value leaves where there are few values: no search is needed for these."""
        spec = handler.specs[variable]
        if spec.type == "enum":
            return {name: self.left(variable, float(place)) for place, name in enumerate(spec.names)}
        return {each: self.left(variable, float(each)) for each in (False, True)} if spec.type == "bool" else None

    def left_of(self, variable: int, value: Any) -> int | None:
        """Return the rules that a value leaves, if it is of the plain kind; None: it is not, look closer."""
        kind = type(value)
        known = self._known[variable]
        if known is not None:
            return known.get(value) if kind is str or kind is bool else None
        if (kind is not float and kind is not int) or value != value or self._is_text[variable]:
            return None
        if kind is int and not -_EXACT <= value <= _EXACT:
            return None
        cuts = self._cuts[variable]
        place = bisect.bisect_left(cuts, value)
        return self._rows[variable][2 * place + (place < len(cuts) and cuts[place] == value)]

    def left(self, variable: int, value: float) -> int:
        """Return the rules that a value of a variable leaves; NaN: not known."""
        rows = self._rows[variable]
        if value != value:
            return rows[-1]
        cuts = self._cuts[variable]
        place = bisect.bisect_left(cuts, value)
        on_it = place < len(cuts) and cuts[place] == value
        return rows[2 * place + on_it]
