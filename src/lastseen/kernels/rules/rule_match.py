"""Find the rule that fires: a row of bits per variable and value, "and" over the variables, the first bit left."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import jit


class RuleArrays(NamedTuple):
    """Arrays of a compiled handler; see `CompiledHandler` in `agents/rules/engine/compile.py`."""

    cut_start: Array  # uint32 (V + 1,)
    cuts: Array  # float64
    row_start: Array  # uint32 (V + 1,)
    rows: Array  # uint64 (…, W)


@jit
def _cell(cuts: Array, low: np.uint64, high: np.uint64, value: float) -> np.uint64:
    """Return the cell of a value among cuts[low:high]: 2k for values up to the k-th cut; callers add 1 on a cut."""
    first, one = low, np.uint64(1)
    while low < high:
        middle = (low + high) >> one
        if cuts[middle] < value:
            low = middle + one
        else:
            high = middle
    return (low - first) << one


@jit
def first_rules(rules: RuleArrays, facts: Array, allowed: Array, found: Array) -> None:
    """Fill `found` (n,) with the first rule each row of `facts` (n, V) float64 satisfies, -1: none.

    `allowed` (W,) uint64 holds the rules that may fire; NaN marks unknown facts.
    """
    words = np.uint64(rules.rows.shape[1])
    variables = np.uint64(len(rules.cut_start) - 1)
    left = np.empty(words, np.uint64)
    zero, one = np.uint64(0), np.uint64(1)
    for n in range(np.uint64(len(facts))):
        for w in range(words):
            left[w] = allowed[w]
        for v in range(variables):
            value = facts[n, v]
            low, high = np.uint64(rules.cut_start[v]), np.uint64(rules.cut_start[v + one])
            row = np.uint64(rules.row_start[v])
            if np.isnan(value):
                row = np.uint64(rules.row_start[v + one]) - one
            else:
                cell = _cell(rules.cuts, low, high, value)
                at = low + (cell >> one)
                if at < high and rules.cuts[at] == value:
                    cell += one
                row += cell
            any_left = zero
            for w in range(words):
                left[w] &= rules.rows[row, w]
                any_left |= left[w]
            if any_left == zero:
                break
        found[n] = -1
        for w in range(words):
            if left[w] != zero:
                bits, place = left[w], np.int64(w) * 64
                lowest = bits & (~bits + one)
                while lowest > one:
                    lowest >>= one
                    place += 1
                found[n] = place
                break
