"""Hearing: who hears what, from how far, how loud and from which side."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np

from ....cells.layout import AnyLayout
from ....cells.query import cells_at, nearest_cells
from ....checks import finite_number, points_xyz, read_only
from ....compilation.preparation import prepare
from ....conventions import Floats, Ids
from ....kernels.arrays.agent_arrays import BodyArrays
from ....kernels.arrays.level_arrays import SightArrays
from ....kernels.senses.hearing_path import hear_along_cells
from ....layers.spread import Spread
from .hearing_case import FAIR, HEAR, ORDINARY, Ears, Fairness, Heard, HearingCase, fairness_of
from .sounds import Sound

_ALONG_CELLS = (
    "cells.cell_access.cells_of_points",
    "cells.nearby_cells.nearest_cells_of_points",
    "senses.hearing_path.hear_along_cells",
)


class HearingModel(Protocol):
    """Anything that can say who hears what."""

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ...,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`?"""
        ...


@dataclass(frozen=True, eq=False)
class PathHearing:
    """Sounds come along the walkable cells, through open doors and round corners (chapter 28).

    With `sight` given, sounds also come straight where one can see, through windows for example.

    Parameters
    ----------
    layout : cells, or the live layout whose doors open and close.
    fairness : see `Fairness`.
    look : metres along the way after which its direction is taken.

    Notes
    -----
    The source sums distances between the chokes of an area graph, chosen greedily; the walk along cells is the
    shortest instead, to within a cell and the 8 % by which steps between cells exceed a straight line.
    """

    layout: AnyLayout
    fairness: Fairness = FAIR
    look: float = 3.0
    _spread: Spread = field(init=False, repr=False)

    def __post_init__(self) -> None:
        fairness_of(self.fairness)
        finite_number(self.look, "look", unit="m", low=0.0, high=1e6)
        object.__setattr__(self, "_spread", Spread(self.layout))
        prepare(*HEAR, *_ALONG_CELLS, cells=len(self.layout.arrays.cell_grid))

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`?"""
        case = HearingCase.of(sounds, bodies, listeners, ears)
        metres, direction = self._metres(case.xyz, case.ears, case.reach, case.away)
        if sight is not None:
            straight = case.open_share(sight, 0.0) > 0.0
            metres[straight] = case.away[straight]
            direction[straight] = case.towards[straight]
        return case.heard(metres, direction, self.fairness)

    def distances(self, points: Any, ears_xyz: Any, reach: float) -> Floats:
        """How far does sound come from each point (s, 3) to each ear (n, 3)? (s, n) metres, infinite beyond `reach`."""
        points, listening = points_xyz(points, "points"), points_xyz(ears_xyz, "ears_xyz")
        reaches = np.full((len(points), len(listening)), finite_number(reach, "reach", unit="m", low=0.0, high=1e6))
        away = np.sqrt(((points[:, None] - listening[None]) ** 2).sum(axis=2))
        metres = self._metres(points, listening, reaches, away)[0]
        metres[metres > reaches] = np.inf
        return metres

    def _metres(self, points: Floats, listening: Floats, reach: Floats, away: Floats) -> tuple[Floats, Floats]:
        """Return metres (s, n) and directions (s, n, 2); one spread for each point that anybody could hear."""
        metres = np.full(reach.shape, np.inf)
        direction = np.zeros((*reach.shape, 2))
        if not (away <= reach).any():
            return metres, direction
        with self._spread.lend() as (links, work):
            hear_along_cells(
                self.layout.arrays,
                links,
                work,
                _cells_of(self.layout, points),
                points,
                _cells_of(self.layout, listening),
                listening,
                reach,
                away,
                self.look,
                metres,
                direction,
            )
        return metres, direction


@dataclass(frozen=True, eq=False)
class RadiusHearing:
    """Everybody within the radius hears it, unless walls hide the source completely (chapter 33).

    Parameters
    ----------
    fairness : see `Fairness`.
    aside : metres beside and above the source to which more rays go: one that passes is enough.
    muffle : 0 …, how much further away a sound seems for each share of it that is hidden; the source leaves it open.
    """

    fairness: Fairness = FAIR
    aside: float = 0.5
    muffle: float = 0.0

    def __post_init__(self) -> None:
        fairness_of(self.fairness)
        finite_number(self.aside, "aside", unit="m", low=0.0, high=10.0)
        finite_number(self.muffle, "muffle", low=0.0, high=100.0)
        prepare(*HEAR)

    def listen(
        self,
        sounds: Sequence[Sound],
        bodies: BodyArrays,
        listeners: Any,
        ears: Ears = ORDINARY,
        *,
        sight: SightArrays | None = None,
    ) -> Heard:
        """Who of `listeners` (rows of the table of bodies) hears which of `sounds`? Without `sight` nothing hides."""
        case = HearingCase.of(sounds, bodies, listeners, ears)
        metres = case.away
        if sight is not None:
            share = case.open_share(sight, self.aside)
            metres = np.where(share > 0.0, metres * (1.0 + self.muffle * (1.0 - share)), np.inf)
        return case.heard(metres, case.towards, self.fairness)


def _cells_of(layout: AnyLayout, points: Floats) -> Ids:
    """Return the cell under each point, or near it: who stands in a door frame or on a rim hears too."""
    found = cells_at(layout, points)
    lost = np.flatnonzero(found < 0)
    if len(lost):
        found = found.copy()
        found[lost] = nearest_cells(layout, points[lost], 2.0)
    return read_only(found)
