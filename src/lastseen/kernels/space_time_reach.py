"""Where can one be, and when, without ever being in a view? All of it, over places and time."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .bits import bit, set_bit
from .jit import jit
from .sight_arrays import SightArrays
from .space_time_views import ViewArrays, first_look

__all__ = ["PlaceArrays", "reach_places", "trace_places"]


class PlaceArrays(NamedTuple):
    """Places and straight ways between them, each way there and back. N places, K ways."""

    xyz: Array  # float64 (N, 3)  where somebody there is looked for
    start: Array  # uint32 (N + 1,)
    place: Array  # uint32 (K,)  where a way leads
    steps: Array  # uint32 (K,)  steps of time it takes, at least 1


@jit
def _at(places: PlaceArrays, p: int) -> tuple[float, float, float]:
    return places.xyz[p, 0], places.xyz[p, 1], places.xyz[p, 2]


@jit
def reach_places(
    sight: SightArrays,
    views: ViewArrays,
    places: PlaceArrays,
    start: int,
    goal: int,
    substeps: int,
    reached: Array,
    spotted: Array,
) -> int:
    """Fill in where one can be step by step; return the step the goal is reached, or -1.

    One waits a step, or goes a way at even speed, and is asked for in every moment on it: `substeps` a step.

    Parameters
    ----------
    start : a place nobody sees at step 0.
    goal : a place, or -1 to go on to the last step.
    reached : (T + 1, (N + 7) // 8) uint8 zeros; bit p of row k is set where one can be at place p at step k.
    spotted : the same; set where somebody arriving at p at step k was found to be seen.
    """
    one = np.uint64(1)
    last = len(reached) - 1
    set_bit(reached[0], start)
    for k in range(last + 1):
        if goal >= 0 and bit(reached[k], goal):
            return k
        if k == last:
            return -1
        for byte in range(np.uint64(reached.shape[1])):
            if reached[k, byte] == 0:
                continue
            for p in range(byte * np.uint64(8), byte * np.uint64(8) + np.uint64(8)):
                if not bit(reached[k], p):
                    continue
                here = _at(places, p)
                _go(sight, views, k, k + 1, here, here, p, substeps, reached, spotted)
                for a in range(np.uint64(places.start[p]), np.uint64(places.start[p + one])):
                    there = np.uint64(places.place[a])
                    arrival = k + np.int64(places.steps[a])
                    if arrival <= last:
                        _go(sight, views, k, arrival, here, _at(places, there), there, substeps, reached, spotted)
    return -1


@jit
def _go(
    sight: SightArrays,
    views: ViewArrays,
    k: int,
    arrival: int,
    here: tuple[float, float, float],
    there: tuple[float, float, float],
    p: int,
    substeps: int,
    reached: Array,
    spotted: Array,
) -> None:
    """Mark that one can be at place p on `arrival`, unless that is known, or one would be seen."""
    if bit(reached[arrival], p) or bit(spotted[arrival], p):
        return
    moment, _ = first_look(sight, views, k * substeps, arrival * substeps, here, there)
    if moment < 0:
        set_bit(reached[arrival], p)
    elif moment == arrival * substeps:
        set_bit(spotted[arrival], p)


@jit
def trace_places(
    sight: SightArrays,
    views: ViewArrays,
    places: PlaceArrays,
    goal: int,
    arrival: int,
    substeps: int,
    reached: Array,
    out: Array,
) -> int:
    """Write a way to `goal`, last first, as place and step, (T + 1, 2) int32; return its length.

    Places are entered as early as they can be, so waiting is done where one arrives.
    """
    one = np.uint64(1)
    p, k, count = np.uint64(goal), arrival, 0
    out[0, 0], out[0, 1] = goal, arrival
    while k > 0:
        count += 1
        here = _at(places, p)
        before, came = p, -1
        if bit(reached[k - 1], p) and first_look(sight, views, (k - 1) * substeps, k * substeps, here, here)[0] < 0:
            came = k - 1
        else:
            for a in range(np.uint64(places.start[p]), np.uint64(places.start[p + one])):
                other = np.uint64(places.place[a])
                left = k - np.int64(places.steps[a])
                if left < 0 or not bit(reached[left], other):
                    continue
                if first_look(sight, views, left * substeps, k * substeps, _at(places, other), here)[0] < 0:
                    before, came = other, left
                    break
        if came < 0:
            return count
        p, k = before, came
        out[count, 0], out[count, 1] = p, k
    return count + 1
