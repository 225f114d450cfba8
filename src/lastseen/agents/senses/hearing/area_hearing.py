"""Hearing over an area graph, by the sum of distances between greedily chosen chokes."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any

import numpy as np

from ....checks import frozen, instance_of, point_xyz, whole_number
from ....compilation.preparation import prepare
from ....conventions import Array, Floats
from ....errors import InputError
from ....kernels.arrays.level_arrays import SightArrays
from ....reasoning.tactical.environment import fewest_areas
from ..arguments import things_of
from .hearing import FAIR, HEAR, Fairness, HearingCase, MeasuredHearing


@dataclass(frozen=True, eq=False)
class Choke:
    """A door or window between areas `one` and `other`, at `xyz`, through which sound passes."""

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
    Chapter 28, equation 28.1. A path passes the fewest areas possible, and of these those with lower numbers; the
    source leaves this open.
    """

    chokes: tuple[Choke, ...]
    _adjacent: dict[int, dict[int, Floats]] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        chokes: dict[int, dict[int, list[Floats]]] = {}
        object.__setattr__(self, "chokes", things_of(self.chokes, Choke, "chokes"))
        for choke in self.chokes:
            for near, far in ((choke.one, choke.other), (choke.other, choke.one)):
                chokes.setdefault(near, {}).setdefault(far, []).append(choke.xyz)
        stacked = {
            near: {far: np.array(places) for far, places in sorted(areas.items())} for near, areas in chokes.items()
        }
        object.__setattr__(self, "_adjacent", stacked)

    def way(self, start: int, goal: int) -> tuple[int, ...]:
        """Return the areas on the path from one area to another, both included; empty if there is none."""
        start, goal = whole_number(start, "start"), whole_number(goal, "goal")
        return fewest_areas(start, goal, lambda area: self._adjacent.get(area, ()))

    def distance(self, source: Any, source_area: int, listener: Any, listener_area: int) -> float:
        """Return how far a sound travels to a listener in metres; infinite if there is no path through the areas."""
        return self.route(source, source_area, listener, listener_area)[0]

    def route(self, source: Any, source_area: int, listener: Any, listener_area: int) -> tuple[float, Floats]:
        """Return how far a sound travels, and the point it reaches the listener from: the last choke, or the source."""
        here, ear = point_xyz(source, "source"), point_xyz(listener, "listener")
        areas = self.way(source_area, listener_area)
        if not areas:
            return np.inf, here
        total = 0.0
        for one, other in itertools.pairwise(areas):
            places = self._adjacent[one][other]
            metres = np.sqrt(((places - here) ** 2).sum(axis=1))
            nearest = int(metres.argmin())
            total += float(metres[nearest])
            here = places[nearest]
        return total + float(np.sqrt(((ear - here) ** 2).sum())), here


@dataclass(frozen=True, eq=False)
class AreaHearing(MeasuredHearing):
    """Sounds travel from choke to choke of an area graph, straight within an area (chapter 28).

    Parameters
    ----------
    area_of : function from positions (n, 3) to areas (n,); -1 is no area, where nothing is heard.
    """

    graph: AreaGraph
    area_of: Callable[[Floats], Array]
    fairness: Fairness = FAIR

    def __post_init__(self) -> None:
        self._check_fairness()
        instance_of(self.graph, AreaGraph, "graph", "give AreaGraph(chokes)")
        if not callable(self.area_of):
            raise InputError("area_of must be a function from positions (n, 3) to areas (n,)")
        prepare(*HEAR)

    def _paths(self, case: HearingCase, sight: SightArrays | None) -> tuple[Floats, Floats]:  # noqa: ARG002
        from_area, to_area = self.area_of(case.xyz), self.area_of(case.ears)
        metres, direction = np.full(case.reach.shape, np.inf), case.towards.copy()
        for number, i in np.argwhere(case.away <= case.reach):
            if from_area[number] < 0 or to_area[i] < 0:
                continue
            here, ear = case.xyz[number], case.ears[i]
            metres[number, i], last = self.graph.route(here, int(from_area[number]), ear, int(to_area[i]))
            flat = float(np.hypot(*(last - ear)[:2]))
            direction[number, i] = (last - ear)[:2] / flat if flat > 0.0 else 0.0
        return metres, direction
