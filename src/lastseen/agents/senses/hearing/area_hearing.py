"""Hearing over an area graph: the sum of distances between chokes, chosen greedily."""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....checks import frozen, point_xyz, thing_of, whole_number
from ....compilation.preparation import prepare
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ..arguments import things_of
from .hearing_case import FAIR, HEAR, ORDINARY, Ears, Fairness, Heard, HearingCase, fairness_of
from .sounds import Sound


@dataclass(frozen=True, eq=False)
class Choke:
    """A door or window between two areas, at `xyz`; sound passes both."""

    one: int
    other: int
    xyz: Any

    def __post_init__(self) -> None:
        whole_number(self.one, "one")
        whole_number(self.other, "other")
        object.__setattr__(self, "xyz", frozen(point_xyz(self.xyz, "xyz of a choke")))


@dataclass(frozen=True, eq=False)
class AreaGraph:
    """Areas, numbered from 0, and the chokes between them.

    Notes
    -----
    Chapter 28, equation 28.1. The way through areas is the one through the fewest, of those the one through lower
    numbers: the source leaves that open.
    """

    chokes: tuple[Choke, ...]
    _beside: dict[int, dict[int, Floats]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        beside: dict[int, dict[int, list[Floats]]] = {}
        object.__setattr__(self, "chokes", things_of(self.chokes, Choke, "chokes"))
        for choke in self.chokes:
            for near, far in ((choke.one, choke.other), (choke.other, choke.one)):
                beside.setdefault(near, {}).setdefault(far, []).append(choke.xyz)
        stacked = {
            near: {far: np.array(places) for far, places in sorted(ways.items())} for near, ways in beside.items()
        }
        object.__setattr__(self, "_beside", stacked)

    def way(self, start: int, goal: int) -> tuple[int, ...]:
        """Which areas lead from one to another, both included? Empty: none do."""
        start, goal = whole_number(start, "start"), whole_number(goal, "goal")
        before = {start: start}
        front = [start]
        while front and goal not in before:
            following = []
            for area in front:
                for other in self._beside.get(area, ()):
                    if other not in before:
                        before[other] = area
                        following.append(other)
            front = following
        if goal not in before:
            return ()
        way = [goal]
        while way[-1] != start:
            way.append(before[way[-1]])
        return tuple(reversed(way))

    def distance(self, source: Any, source_area: int, listener: Any, listener_area: int) -> float:
        """How far does a sound come? Metres; infinite where no way leads through the areas."""
        return self.route(source, source_area, listener, listener_area)[0]

    def route(self, source: Any, source_area: int, listener: Any, listener_area: int) -> tuple[float, Floats]:
        """How far does a sound come, and from where does it reach the listener: the last choke, or the source?"""
        here, ear = point_xyz(source, "source"), point_xyz(listener, "listener")
        way = self.way(source_area, listener_area)
        if not way:
            return np.inf, here
        total = 0.0
        for one, other in itertools.pairwise(way):
            places = self._beside[one][other]
            metres = np.sqrt(((places - here) ** 2).sum(axis=1))
            nearest = int(metres.argmin())
            total += float(metres[nearest])
            here = places[nearest]
        return total + float(np.sqrt(((ear - here) ** 2).sum())), here


@dataclass(frozen=True, eq=False)
class AreaHearing:
    """Sounds come from choke to choke of an area graph, straight within an area (chapter 28).

    Parameters
    ----------
    area_of : gives the area of each position (n, 3) as (n,) whole numbers, -1: in none, where nothing is heard.
    """

    graph: AreaGraph
    area_of: Callable[[Floats], Array]
    fairness: Fairness = FAIR

    def __post_init__(self) -> None:
        fairness_of(self.fairness)
        thing_of(self.graph, AreaGraph, "graph", "give AreaGraph(chokes)")
        if not callable(self.area_of):
            raise InputError("area_of must be a function from positions (n, 3) to areas (n,)")
        prepare(*HEAR)

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: SightArrays | None = None,  # noqa: ARG002 - areas say all; the interface is that of all models
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`?"""
        case = HearingCase.of(sounds, bodies, listeners, ears)
        from_area, to_area = self.area_of(case.xyz), self.area_of(case.ears)
        metres, direction = np.full(case.reach.shape, np.inf), case.towards.copy()
        for number, i in np.argwhere(case.away <= case.reach):
            if from_area[number] < 0 or to_area[i] < 0:
                continue
            here, ear = case.xyz[number], case.ears[i]
            metres[number, i], last = self.graph.route(here, int(from_area[number]), ear, int(to_area[i]))
            flat = float(np.hypot(*(last - ear)[:2]))
            direction[number, i] = (last - ear)[:2] / flat if flat > 0.0 else 0.0
        return case.heard(metres, direction, self.fairness)
