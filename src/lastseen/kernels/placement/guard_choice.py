"""Choice of guards that together see most of the floor and little of the intended path."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..jit import inner, jit

_SAME = 1e-12
"""Gains up to this are rounding errors."""
_NOBODY = -1


class PoolArrays(NamedTuple):
    """C guards to choose from, and what each sees of N samples of the floor followed by M samples of the path."""

    floor: Array  # uint64 (C, W): bits of the floor's samples, set if seen at some time
    hidden: Array  # float64 (C, N + M): share of its round in which it does not see a sample, 0 … 1
    alone: Array  # float64 (C,): mean share of the floor it sees at any moment
    kind: Array  # int32 (C,)
    place: Array  # int32 (C,): place of a stationary guard, which no two may share; -1: it walks


class Aims(NamedTuple):
    """Aims of a choice. Its value, in shares 0 … 1: floor seen at some time + at any moment - spare * path seen."""

    samples: int  # N, samples of the floor
    spare: float
    fewest: int  # samples of the floor that must be seen at some time
    least_mean: float  # share of the floor that must be seen at any moment
    most_path: float  # share of the path that may be seen at any moment


@inner
def count_bits(word: np.uint64) -> int:
    """Return the number of set bits: counted in pairs, fours, then bytes, which one product adds up."""
    word = word - ((word >> np.uint64(1)) & np.uint64(0x5555555555555555))
    word = (word & np.uint64(0x3333333333333333)) + ((word >> np.uint64(2)) & np.uint64(0x3333333333333333))
    word = (word + (word >> np.uint64(4))) & np.uint64(0x0F0F0F0F0F0F0F0F)
    return int((word * np.uint64(0x0101010101010101)) >> np.uint64(56))


@jit
def choose_in_turn(pool: PoolArrays, aims: Aims, kinds: Array, out: Array) -> bool:
    """Fill `out` (G,) int32 greedily: for each slot of `kinds` (G,), the guard that adds most to those before it.

    The gain of a guard never grows as others are added. If the path does not count, the result is therefore at least
    half of the optimum, and 63 % with one kind (Fisher, Nemhauser and Wolsey). Bounds on the floor apply to complete
    choices: set none here. Returns False if no guard for some slot keeps within the bound on the path.
    """
    floor, hidden = np.empty(pool.floor.shape[1], np.uint64), np.empty(pool.hidden.shape[1])
    out[:] = _NOBODY
    for slot in range(len(kinds)):
        _add_up(pool, out, slot, floor, hidden)
        out[slot], _ = _best(pool, aims, out, slot, kinds[slot], floor, hidden)
        if out[slot] == _NOBODY:
            return False
    return True


@jit
def swap_guards(pool: PoolArrays, aims: Aims, chosen: Array, rounds: int) -> float:
    """Replace chosen guards (G,) by better ones, slot by slot, until none is better; return the value of the choice.

    Only guards within the bounds are taken, so a choice within them stays there and never becomes worse.
    """
    floor, hidden = np.empty(pool.floor.shape[1], np.uint64), np.empty(pool.hidden.shape[1])
    value = -np.inf
    for _ in range(rounds):
        changed = False
        for slot in range(len(chosen)):
            _add_up(pool, chosen, slot, floor, hidden)
            now = np.uint64(chosen[slot])
            value = _value(pool, aims, now, _floor_seen(pool, now, floor), hidden)[0]
            better, found = _best(pool, aims, chosen, slot, pool.kind[now], floor, hidden)
            if better != _NOBODY and found > value + _SAME:
                chosen[slot], value, changed = better, found, True
        if not changed:
            break
    return value


@jit
def _add_up(pool: PoolArrays, chosen: Array, but: int, floor: Array, hidden: Array) -> None:
    """Fill `floor` (W,) and `hidden` (N + M,) with what the chosen guards see, except the one in slot `but`."""
    floor[:] = np.uint64(0)
    hidden[:] = 1.0
    for slot in range(len(chosen)):
        if slot == but or chosen[slot] == _NOBODY:
            continue
        guard = np.uint64(chosen[slot])
        for w in range(np.uint64(len(floor))):
            floor[w] |= pool.floor[guard, w]
        for k in range(np.uint64(len(hidden))):
            hidden[k] *= pool.hidden[guard, k]


@jit
def _best(
    pool: PoolArrays, aims: Aims, chosen: Array, slot: int, kind: int, floor: Array, hidden: Array
) -> tuple[int, float]:
    """Return the best guard of a kind for a slot and its value, given what the others see and leave hidden."""
    mean, path = _unseen(aims, hidden)
    anyway = (1.0 - mean) - aims.spare * (1.0 - path)
    best, best_guard = -np.inf, _NOBODY
    for c in range(np.uint64(len(pool.kind))):
        if pool.kind[c] != kind:
            continue
        seen = _floor_seen(pool, c, floor)
        # Upper bound: it sees only what the others do not, and nothing of the path.
        if seen < aims.fewest or seen / aims.samples + pool.alone[c] + anyway < best:
            continue
        value, of_floor, of_path = _value(pool, aims, c, seen, hidden)
        inside = of_floor >= aims.least_mean - _SAME and of_path <= aims.most_path + _SAME
        if value > best and inside and _free(pool, chosen, slot, c):
            best, best_guard = value, int(c)
    return best_guard, best


@jit
def _free(pool: PoolArrays, chosen: Array, slot: int, guard: np.uint64) -> bool:
    """Return whether a guard is in no other slot and its place is not taken."""
    for other in range(len(chosen)):
        if other == slot or chosen[other] == _NOBODY:
            continue
        taken = np.uint64(chosen[other])
        if taken == guard or (pool.place[guard] >= 0 and pool.place[taken] == pool.place[guard]):
            return False
    return True


@jit
def _floor_seen(pool: PoolArrays, guard: np.uint64, floor: Array) -> int:
    """Return the number of samples of the floor seen by a guard together with those that see `floor`."""
    seen = 0
    for w in range(np.uint64(len(floor))):
        seen += count_bits(floor[w] | pool.floor[guard, w])
    return seen


@jit
def _unseen(aims: Aims, hidden: Array) -> tuple[float, float]:
    """Return the shares of floor and path that are hidden at any moment."""
    floor, path = 0.0, 0.0
    for k in range(np.uint64(aims.samples)):
        floor += hidden[k]
    for k in range(np.uint64(aims.samples), np.uint64(len(hidden))):
        path += hidden[k]
    return floor / aims.samples, path / (len(hidden) - aims.samples)


@jit
def _value(pool: PoolArrays, aims: Aims, guard: np.uint64, seen: int, hidden: Array) -> tuple[float, float, float]:
    """Return the value of a guard added to those that leave `hidden`, and the shares of floor and path seen.

    `seen` is the number of floor samples they see together at some time.
    """
    floor, path = 0.0, 0.0
    for k in range(np.uint64(aims.samples)):
        floor += hidden[k] * pool.hidden[guard, k]
    for k in range(np.uint64(aims.samples), np.uint64(len(hidden))):
        path += hidden[k] * pool.hidden[guard, k]
    of_floor, of_path = 1.0 - floor / aims.samples, 1.0 - path / (len(hidden) - aims.samples)
    return seen / aims.samples + of_floor - aims.spare * of_path, of_floor, of_path
