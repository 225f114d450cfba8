"""Choose routes that together cover most, and see no more of the intended path than guards placed one by one."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from ...conventions import Ids
from ...kernels.guard_choice import Aims, PoolArrays, choose_in_turn, swap_guards
from .candidates import Candidate
from .guard_kinds import GuardKind

__all__ = ["choose_together", "pool_arrays"]

_ROUNDS = 100
"""Maximum number of rounds of swaps; a handful is typical."""
_SAME = 1e-12


def choose_together(pool: Sequence[Candidate], first: int, floor: int, spare: float) -> Ids:
    """Choose guards that see as much of the floor as possible, at some time and at any moment, and little of the path.

    The first guards of the pool are an initial choice: guards placed one by one. Another is taken only if it sees no
    less of the floor, by either measure, and, unless `spare` is 0, no more of the path. Swaps improve that choice, and
    a second one made guard by guard for what each adds; the better one is returned.

    Parameters
    ----------
    pool : guards to choose from; each of the first is replaced by one of the same kind.
    first : number of guards, at the start of the pool.
    floor : number of samples on the floor; the rest are on the path.
    spare : penalty for seeing all of the path, relative to seeing all of the floor.

    Returns
    -------
    (first,) int32, numbers of guards in the pool.
    """
    arrays = pool_arrays(pool, floor)
    chosen = np.arange(first, dtype=np.int32)
    bounds = _bounds(arrays, chosen, floor, spare)
    value = swap_guards(arrays, bounds, chosen, _ROUNDS)
    other, free = chosen.copy(), bounds._replace(fewest=0, least_mean=0.0)
    if choose_in_turn(arrays, free, arrays.kind[:first].copy(), other):
        found = swap_guards(arrays, bounds, other, _ROUNDS)
        if found > value and _within(_bounds(arrays, other, floor, spare), bounds):
            return other
    return chosen


def _bounds(arrays: PoolArrays, chosen: Ids, floor: int, spare: float) -> Aims:
    """Return the measures of a choice as bounds for others; the path is bounded only if it counts."""
    fewest = sum(map(int.bit_count, np.bitwise_or.reduce(arrays.floor[chosen]).tolist()))
    hidden = arrays.hidden[chosen].prod(axis=0)
    most_path = 1.0 - float(hidden[floor:].mean()) if spare > 0.0 else 1.0
    return Aims(floor, spare, fewest, 1.0 - float(hidden[:floor].mean()), most_path)


def _within(found: Aims, bounds: Aims) -> bool:
    enough = found.fewest >= bounds.fewest and found.least_mean >= bounds.least_mean - _SAME
    return enough and found.most_path <= bounds.most_path + _SAME


def pool_arrays(pool: Sequence[Candidate], floor: int) -> PoolArrays:
    """Return what guards see as bits of the floor and shares of the path."""
    kinds: dict[GuardKind, int] = {}
    kind = [kinds.setdefault(one.route.kind, len(kinds)) for one in pool]
    shares = np.array([one.share for one in pool])
    bits = np.zeros((len(pool), -(-floor // 64) * 64), bool)
    bits[:, :floor] = shares[:, :floor] > 0.0
    words = np.packbits(bits, axis=1, bitorder="little").view(np.uint64)
    alone = np.ascontiguousarray(shares[:, :floor].mean(axis=1))
    return PoolArrays(words, 1.0 - shares, alone, np.array(kind, np.int32), np.array([p.place for p in pool], np.int32))
