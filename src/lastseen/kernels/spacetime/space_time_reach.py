"""Find all places, and the times at them, that an agent can reach without ever being in view."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays, SightArrays
from ..jit import jit
from .space_time_floor import AskArrays, Point, RayRoom, length, look_on_floor, metres_straight, ray_room
from .space_time_lines import LeashArrays, keeps_near
from .space_time_queue import pop_arrival, push_arrival, with_room
from .space_time_views import ViewArrays, look_at, seen_by

_SAME = 1e-9  # moments: an event this little before a look counts as simultaneous
_STAY, _AHEAD, _HIT, _WAITS = 0, 1, 2, 3  # columns of _Known.number
_STAYS, _HERE, _FRONT, _COMING = 0, 1, 2, 3  # entries of _Known.count
_PLACE, _SINCE, _PARENT, _LEFT = 0, 1, 2, 3  # columns of stays; arrivals have the first two the other way round


class PlaceArrays(NamedTuple):
    """N places and K straight walks between them, each in both directions."""

    xyz: Array  # float64 (N, 3)  where an agent at the place is looked for
    face: Array  # int32 (N,)  base face below, -1: not known
    start: Array  # uint32 (N + 1,)
    place: Array  # uint32 (K,)  where a walk leads
    moments: Array  # float64 (K,)  duration at top speed


class _Known(NamedTuple):
    """Present state of N places."""

    number: Array  # int64 (N, 4)  present stay, -1: none; last look computed; last look that saw it; 1: in the front
    hope: Array  # float64 (N,)  next expected arrival, infinite: none
    here: Array  # int64 (N,)  places where the agent can be now
    front: Array  # int64 (N,)  places of `here` from which some adjacent place is to be tried again
    count: Array  # int64 (4,)  stays; places in `here`; places in the front; future arrivals


@jit
def _known(count: int) -> _Known:
    number, hope = np.empty((count, 4), np.int64), np.empty(count)
    for p in range(count):
        number[p, _STAY], number[p, _AHEAD], number[p, _HIT], number[p, _WAITS] = -1, -1, -1, 0
        hope[p] = np.inf
    return _Known(number, hope, np.empty(count, np.int64), np.empty(count, np.int64), np.zeros(4, np.int64))


@jit
def _place(places: PlaceArrays, p: int) -> Point:
    return places.xyz[p, 0], places.xyz[p, 1], places.xyz[p, 2]


@jit
def _feet(places: PlaceArrays, ask: AskArrays, p: int) -> Point:
    return places.xyz[p, 0], places.xyz[p, 1], places.xyz[p, 2] - ask.pace[1]


@jit
def _queue(known: _Known, p: int) -> None:
    """Put a place into the front."""
    if known.number[p, _WAITS] == 0:
        known.number[p, _WAITS] = 1
        known.front[known.count[_FRONT]] = p
        known.count[_FRONT] += 1


@jit
def _wake(places: PlaceArrays, known: _Known, p: int) -> None:
    """Queue the occupied places next to a place, so that walks from them to it are tried again."""
    for way in range(np.uint64(places.start[p]), np.uint64(places.start[p + 1])):
        adjacent = np.int64(places.place[way])
        if known.number[adjacent, _STAY] >= 0:
            _queue(known, adjacent)


@jit
def _next_seen(
    sight: SightArrays, views: ViewArrays, places: PlaceArrays, known: _Known, p: int, now: int, until: int
) -> int:
    """Return the first moment after `now` and up to `until` at which a place is seen, or -1; each is computed once."""
    hit, moment = known.number[p, _HIT], max(known.number[p, _AHEAD], now)
    if hit > now:
        return hit if hit <= until else -1
    last = len(views.look) - 1
    while moment < min(until, last):
        moment += 1
        guard, free = look_at(sight, views, moment, places.xyz[p, 0], places.xyz[p, 1], places.xyz[p, 2], 0.0)
        if guard >= 0:
            known.number[p, _AHEAD], known.number[p, _HIT] = moment, moment
            _wake(places, known, p)
            return moment
        moment = min(moment + free, last)
    known.number[p, _AHEAD] = max(moment, known.number[p, _AHEAD])
    return -1


@jit
def _expected(
    sight: SightArrays, views: ViewArrays, places: PlaceArrays, known: _Known, p: int, now: int, arrival: float
) -> bool:
    """Return whether the agent can be at a place by `arrival` anyway, and stay there unseen until then."""
    if known.number[p, _STAY] < 0 and known.hope[p] > arrival + _SAME:
        return False
    return _next_seen(sight, views, places, known, p, now, np.int64(arrival + _SAME)) < 0


@jit
def _come(known: _Known, heap: Array, arrival: float, p: int, parent: int, left: float) -> Array:
    """Add an arrival; return the heap, which is a copy if it was full."""
    size = known.count[_COMING]
    heap = with_room(heap, size)
    heap[size, 0], heap[size, 1], heap[size, _PARENT], heap[size, _LEFT] = arrival, p, parent, left
    push_arrival(heap, size + 1)
    known.count[_COMING] += 1
    known.hope[p] = arrival
    return heap


@jit
def _straight_on(
    mesh: MeshArrays, ask: AskArrays, places: PlaceArrays, leash: LeashArrays, ray: RayRoom, origin: int, q: int
) -> float:
    """Return the metres of a straight walk from one place to another, -1.0 if there is none."""
    start, end = _feet(places, ask, origin), _feet(places, ask, q)
    if not keeps_near(leash, start, end):
        return -1.0
    return metres_straight(mesh, ask, ray, start, places.face[origin], end)


@jit
def link_metres(mesh: MeshArrays, ask: AskArrays, places: PlaceArrays, out: Array) -> None:
    """Write the metres of each straight walk between adjacent places to `out` (K,); only `ask.pace[1:]` is used.

    Over a bend of the floor it is the straight line's length.
    """
    ray = ray_room()
    for p in range(len(places.xyz)):
        here = _feet(places, ask, p)
        for way in range(places.start[p], places.start[p + 1]):
            there = _feet(places, ask, np.int64(places.place[way]))
            metres = metres_straight(mesh, ask, ray, here, places.face[p], there)
            out[way] = metres if metres >= 0.0 else length(here, there)


@jit
def _leave(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    places: PlaceArrays,
    leash: LeashArrays,
    ray: RayRoom,
    known: _Known,
    stays: Array,
    heap: Array,
    p: int,
    now: float,
) -> Array:
    """Go from a place to all adjacent ones that are reached unseen and earlier; return the heap of arrivals.

    After an arrival, also try to go straight on from the place before. The place remains in the front if another try
    may succeed.
    """
    stay, last = known.number[p, _STAY], len(views.look) - 1
    here, moment = _feet(places, ask, p), np.int64(now + _SAME)
    before, again = -1, False
    if leash.hold[0] >= 0.0 and stays[stay, _SINCE] >= now - _SAME and stays[stay, _PARENT] >= 0.0:
        before = np.int64(stays[stay, _PARENT])
    origin = np.int64(stays[max(before, 0), _PLACE])
    first = _feet(places, ask, origin)
    for way in range(np.uint64(places.start[p]), np.uint64(places.start[p + 1])):
        q = np.int64(places.place[way])
        there = _feet(places, ask, q)
        if before >= 0:
            left = stays[stay, _LEFT]
            arrival = left + length(first, there) * ask.steps[0] / ask.pace[0]
            if arrival >= now and arrival <= last + _SAME:
                if _expected(sight, views, places, known, q, moment, arrival):
                    continue
                metres = _straight_on(mesh, ask, places, leash, ray, origin, q)
                arrival = left + metres * ask.steps[0] / ask.pace[0]
                if (
                    metres >= 0.0
                    and arrival <= last + _SAME
                    and (ask.flat or not _expected(sight, views, places, known, q, moment, arrival))
                    and look_on_floor(sight, views, mesh, ask, ray, places.face[origin], left, arrival, first, there)[0]
                    < 0
                ):
                    heap = _come(known, heap, arrival, q, before, left)
                    continue
        arrival = now + places.moments[way]
        if arrival > last + _SAME:
            continue
        if (
            not _expected(sight, views, places, known, q, moment, arrival)
            and look_on_floor(sight, views, mesh, ask, ray, places.face[p], now, arrival, here, there)[0] < 0
        ):
            heap = _come(known, heap, arrival, q, stay, now)
        again |= known.number[q, _STAY] < 0 or known.number[q, _HIT] > moment
    if again or before >= 0:
        _queue(known, p)
    return heap


@jit
def _look(sight: SightArrays, views: ViewArrays, places: PlaceArrays, known: _Known, moment: int, far: int) -> None:
    """End the stays at places that guards see at a moment. Looks up to `far` moments ahead are computed."""
    kept = 0
    for i in range(known.count[_HERE]):
        p = known.here[i]
        if _next_seen(sight, views, places, known, p, moment - 1, moment + far) == moment:
            known.number[p, _STAY] = -1
        else:
            known.here[kept] = p
            kept += 1
    known.count[_HERE] = kept


@jit
def _stay(known: _Known, stays: Array, p: int, since: float, parent: float, left: float) -> Array:
    """Begin a stay; return all stays, which are a copy if the array was full."""
    count = known.count[_STAYS]
    stays = with_room(stays, count)
    stays[count, _PLACE], stays[count, _SINCE], stays[count, _PARENT], stays[count, _LEFT] = p, since, parent, left
    known.number[p, _STAY] = count
    known.here[known.count[_HERE]] = p
    known.count[_STAYS] += 1
    known.count[_HERE] += 1
    return stays


@jit
def _arrive(
    sight: SightArrays, views: ViewArrays, places: PlaceArrays, known: _Known, stays: Array, heap: Array, goal: int
) -> Array:
    """Process the earliest arrival; return the stays.

    No stay begins if there is one at the place already, or at the goal if the next look sees it.
    """
    size = known.count[_COMING]
    pop_arrival(heap, size)
    known.count[_COMING] -= 1
    time, p = heap[size - 1, 0], np.int64(heap[size - 1, 1])
    if known.hope[p] <= time:
        known.hope[p] = np.inf
    if known.number[p, _STAY] >= 0:
        return stays
    x, y, z = _place(places, p)
    if p == goal and seen_by(sight, views, np.int64(math.ceil(time - _SAME)), x, y, z) >= 0:
        _wake(places, known, p)
        return stays
    return _stay(known, stays, p, time, heap[size - 1, _PARENT], heap[size - 1, _LEFT])


@jit
def reach_places(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    places: PlaceArrays,
    leash: LeashArrays,
    start: int,
    goal: int,
) -> tuple[Array, int]:
    """Return all unseen stays at places, in the order they begin, and whether the last is at the goal.

    The agent waits at a place or leaves it, on arrival or at a step (of `ask.steps[0]` moments): at top speed straight
    to an adjacent place, or, without a stop, straight on from the place before. Time is continuous; guards look at
    moments. Of all paths to a stay (at a place, from one look that sees it to the next) only the earliest is kept,
    because an agent that arrives early can wait. At the goal, the next look must not see the agent either.

    A stay is a row of 4: place; its beginning, in moments; the stay before it, -1 at the start; when that one is left.

    Parameters
    ----------
    ask : only `pace` and `steps[0]` are used.
    leash : limit of straight walks that lead beyond adjacent places.
    start : a place that is not seen at moment 0.
    """
    ray, known = ray_room(), _known(len(places.xyz))
    stays, heap, leaving = np.empty((1024, 4)), np.empty((1024, 4)), np.empty(1, np.int64)
    far = np.int64(2)
    for moments in places.moments:
        far = max(far, np.int64(moments) + 2)
    stays = _stay(known, stays, start, 0.0, -1.0, 0.0)
    leaving[0], now, moment = start, 0.0, -1
    while start != goal and moment < len(views.look):
        for p in leaving:
            if known.number[p, _STAY] >= 0:
                heap = _leave(sight, views, mesh, ask, places, leash, ray, known, stays, heap, p, now)
        if known.count[_COMING] > 0 and heap[0, 0] <= moment + 1 + _SAME:
            count, now = known.count[_STAYS], heap[0, 0]
            stays = _arrive(sight, views, places, known, stays, heap, goal)
            leaving = known.here[known.count[_HERE] - (known.count[_STAYS] - count) : known.count[_HERE]].copy()
            if len(leaving) and leaving[0] == goal:
                break
            continue
        if known.count[_HERE] == 0 and known.count[_COMING] == 0:
            break
        moment += 1
        now = np.float64(moment)
        _look(sight, views, places, known, moment, far)
        if moment % ask.steps[0] != 0:
            leaving = known.front[:0]
            continue
        leaving = known.front[: known.count[_FRONT]].copy()
        known.count[_FRONT] = 0
        for p in leaving:
            known.number[p, _WAITS] = 0
    count = known.count[_STAYS]
    return stays[:count], 1 if stays[count - 1, _PLACE] == goal else 0
