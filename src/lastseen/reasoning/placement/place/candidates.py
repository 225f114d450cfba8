"""Candidate routes: draw them with what they see, and choose those that together cover most."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

import numpy as np

from ....conventions import Floats, Ids
from ....kernels.placement.guard_choice import Aims, PoolArrays, choose_in_turn, swap_guards
from ..coverage import Watch
from ..guard_ground import GuardGround
from ..guard_kinds import GuardKind
from ..guard_routes import GuardRoute
from ..placement_settings import PlacementSettings
from .sight_graph import SightGraph, closeness
from .walks import Walk, Walker

_TURNS = tuple(math.pi * eighth / 4.0 for eighth in range(8))


class Candidates:
    """Draws routes on a packed level together with what they see.

    Attributes
    ----------
    walker : draws closed walks within the cost limits.
    watch : samples of floor and path.
    worth : (samples,) value of seeing each sample: 1 / n for floor, less near the path, and negative on the path.
    """

    def __init__(
        self, ground: GuardGround, graph: SightGraph, settings: PlacementSettings, watch: Watch | None = None
    ) -> None:
        self.walker = Walker(ground, graph, settings)
        self.watch = Watch(ground) if watch is None else watch
        places, path = self.watch.places, self.watch.path
        near = closeness(np.hstack([places, places]), ground.path, self.walker.lengths.drop_off)
        spared = np.full(len(path), -settings.spare_path / len(path))
        self.worth: Floats = np.concatenate([(1.0 - near) / len(places), spared])

    def draw(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, GuardRoute, Floats]:
        """Draw a route and what it sees; a guard that stays faces the most valuable direction."""
        walk, ways = self._ways(kind, random)
        best = ways[int(np.argmax([one.share @ self.worth for one in ways]))]
        return walk, best.route, best.share

    def draw_all(self, kind: GuardKind, random: np.random.Generator) -> list[Candidate]:
        """Draw a route, or a place with all directions to face."""
        return self._ways(kind, random)[1]

    def _ways(self, kind: GuardKind, random: np.random.Generator) -> tuple[Walk, list[Candidate]]:
        walk, route = self.walker.draw(kind, random)
        ways = [route]
        if route.stays and kind.opening < 2.0 * math.pi:
            ways = [replace(route, heading=route.heading + turn) for turn in _TURNS]
        return walk, [Candidate(way, self.watch.share(way), walk.place) for way in ways]


class Candidate(NamedTuple):
    """A guard to choose: its route, what it sees (samples,), and its place if it stays, else -1."""

    route: GuardRoute
    share: Floats
    place: int


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
