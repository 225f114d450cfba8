"""Find chokepoints of a layout: narrow places whose closing cuts paths, or makes them long."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.meshed_layout import MeshedLayout
from ...checks import finite_number, point_xyz, read_only
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.cells.minimum_cut import label_parts
from ...layers.layer import enabled_cells, require_cells
from .cheapest_paths import CheapestPaths
from .chords import Chords, chords_of_steps
from .cost_field import CostField

_ALIKE = 0.25
"""Metres: passages whose widths differ by less count as equally wide."""
_TURNS = 8
"""Number of distinct directions: chords across a passage and across the next corner are not one."""
_BEYOND = 0.35
"""Metres a closed chord extends into the walls: steps bend around the frames of doors."""
_FURTHER = 4.0
"""Multiple of `detour` up to which the way around is measured."""
_NO_WAY = 1
_MARGIN = 8.0
"""Metres beyond a radius to which passages are followed, so that their middles are found."""
_LEVEL = 1.5
"""Metres above and below its ends within which a closed chord blocks the way."""


@dataclass(frozen=True, eq=False)
class Chokepoints:
    """Narrow places, narrowest first.

    Attributes
    ----------
    xyz : (n, 3) float64 metres, in the passage, on the floor.
    ends : (n, 2, 3) float64, both ends of the narrowest line across.
    width : (n,) float64 metres from wall to wall.
    sides : (n, 2) int32, a cell on each side.
    way_round : (n,) float64 metres from side to side when it is closed; infinite: none, or over four times `detour`.
    cuts : (n,) bool: there is no other way.
    """

    xyz: Floats
    ends: Floats
    width: Floats
    sides: Ids
    way_round: Floats
    cuts: Bools

    def __len__(self) -> int:
        return len(self.xyz)


def find_chokepoints(
    cells: MeshedLayout,
    *,
    widest: float = 2.5,
    detour: float = 20.0,
    apart: float = 2.0,
    least: float = 8.0,
    around: Any = None,
    radius: float = 20.0,
) -> Chokepoints:
    """Find the narrow places of a layout that agents have to pass.

    Parameters
    ----------
    widest : maximum metres from wall to wall.
    detour : metres; a place with another way of at most this length from side to side does not count.
    apart : metres between any two.
    least : area in m² of the smallest part worth cutting off: corners of rooms and niches are smaller.
    around, radius : a place (x, y[, z]) and straight-line metres to search within; None: everywhere.

    Notes
    -----
    Kevin Dill, "Spatial Reasoning for Strategic Decision Making": neighbours that are not mutually reachable without
    the place, searched to a limited depth. A passage of even width has one chokepoint, in its middle. The cost grows
    with the whole layout, so call it once and again when doors change; or pass `around`, which looks only within the
    radius plus 8 m: a longer passage has its middle elsewhere.
    """
    require_cells(cells, "cells")
    widest = finite_number(widest, "widest", unit="m", low=0.1, high=1e3)
    detour = finite_number(detour, "detour", unit="m", low=0.0, high=1e5)
    apart = finite_number(apart, "apart", unit="m", low=0.0, high=1e4)
    least = finite_number(least, "least", unit="m²", low=0.0, high=1e9)
    one, other = _steps(cells)
    xyz = cells.arrays.cell_xyz
    place = None if around is None else point_xyz(around, "around")
    reach = finite_number(radius, "radius", unit="m", low=0.0, high=1e6)
    if place is not None:
        near = np.linalg.norm(xyz - place, axis=1) <= reach + _MARGIN
        both = near[one] & near[other]
        one, other = one[both], other[both]
    chords = chords_of_steps(cells.mesh, xyz[one].astype(np.float64), xyz[other].astype(np.float64), widest)
    narrow = np.flatnonzero(np.isfinite(chords.width))
    rows = _middles(chords, narrow, one, other)
    if place is not None:
        rows = rows[np.linalg.norm(chords.middle[rows] - place, axis=1) <= reach]
    return _tested(cells, chords, rows, one, other, (apart, detour, least))


def _steps(cells: MeshedLayout) -> tuple[Ids, Ids]:
    """Return the links that are open now, each once, from the lower cell to the higher."""
    arrays = cells.arrays
    count = len(arrays.cell_grid)
    one = np.repeat(np.arange(count), arrays.link_start[1:].astype(np.int64) - arrays.link_start[:-1])
    other = arrays.link_cell.astype(np.int64)
    link = np.arange(len(other))
    free, open_cell = arrays.blocked[link >> 3] >> (link & 7).astype(np.uint8) & 1 == 0, enabled_cells(cells)
    keep = free & open_cell[one] & open_cell[other]
    low, high = np.minimum(one, other)[keep], np.maximum(one, other)[keep]
    key = np.unique(low * count + high)
    return (key // count).astype(np.int32), (key % count).astype(np.int32)


def _middles(chords: Chords, narrow: Array, one: Ids, other: Ids) -> Array:
    """Return the step in the middle of each passage, a chain of consecutive steps of equal width."""
    across = (chords.ends[narrow, 1] - chords.ends[narrow, 0])[:, :2]
    turned = np.rint(np.arctan2(across[:, 1], across[:, 0]) / np.pi * _TURNS).astype(np.int64) % _TURNS
    step = np.floor(chords.width[narrow] / _ALIKE).astype(np.int64) * _TURNS + turned
    # A place is a cell at one width, seen from one side; steps join the places at their two ends.
    high = int(step.max(initial=0)) + 1
    ends = np.concatenate([one[narrow], other[narrow]]).astype(np.int64) * high + np.tile(step, 2)
    known, place = np.unique(ends, return_inverse=True)
    first, second = place[: len(narrow)], place[len(narrow) :]
    order = np.argsort(first, kind="stable")
    start = np.searchsorted(first[order], np.arange(len(known) + 1))
    label = np.empty(len(known), np.int32)
    count = label_parts(start, second[order].astype(np.int32), label)
    part = label[first]
    members = np.bincount(part, minlength=count)
    centre = (
        np.column_stack([np.bincount(part, chords.middle[narrow, axis], minlength=count) for axis in range(3)])
        / np.maximum(members, 1)[:, None]
    )
    away = np.linalg.norm(chords.middle[narrow] - centre[part], axis=1).round(6)
    best = np.lexsort((narrow, chords.width[narrow].round(6), away, part))
    _, at = np.unique(part[best], return_index=True)
    return narrow[best[at]]


class _Closed:
    """Finds the ways from side to side of a chord that is closed."""

    def __init__(self, cells: MeshedLayout, chords: Chords, one: Ids, other: Ids, detour: float, least: float):
        self._paths = CheapestPaths(cells)
        self._chords, self._sides = chords, np.stack([one, other], axis=1)
        self._detour, self._beyond = detour, cells.mesh.body.radius + _BEYOND
        self._fewest = least / float(cells.arrays.size_xyz[0] * cells.arrays.size_xyz[1])

    def way_round(self, row: int) -> tuple[float, bool]:
        """Return the metres around a chord, and whether there is no way at all; (0, False): not a chokepoint."""
        left, right = self._chords.ends[row]
        across = (right - left) / max(float(np.linalg.norm(right - left)), 1e-9) * self._beyond
        bar = CostField.barred([left - across], [right + across], height=_LEVEL)
        sides, cuts = self._sides[row], False
        # A failed search has reached every cell on its side.
        for start, goal in (sides, sides[::-1]):
            found = self._paths.between(start, goal, bar, most=self._detour)
            shut = found.reason[0] == _NO_WAY
            if found.reached[0] or (shut and found.touched[0] < self._fewest):
                return 0.0, False
            cuts = cuts or bool(shut)
        if cuts:
            return np.inf, True
        found = self._paths.between(sides[0], sides[1], bar, most=_FURTHER * self._detour)
        return float(found.cost[0]), bool(found.reason[0] == _NO_WAY)


def _tested(
    cells: MeshedLayout, chords: Chords, rows: Array, one: Ids, other: Ids, settings: tuple[float, float, float]
) -> Chokepoints:
    """Keep, narrowest first and apart from each other, places without a short way around."""
    apart, detour, least = settings
    closed = _Closed(cells, chords, one, other, detour, least)
    kept, length, cuts = list[int](), list[float](), list[bool]()
    middles = np.empty((len(rows), 3))
    for row in rows[np.lexsort((rows, chords.width[rows].round(6)))].tolist():
        away = middles[: len(kept)] - chords.middle[row]
        if len(kept) and float((away * away).sum(axis=1).min()) < apart * apart:
            continue
        metres, shut = closed.way_round(row)
        if metres > 0.0:
            middles[len(kept)] = chords.middle[row]
            kept.append(row)
            length.append(metres)
            cuts.append(shut)
    place = np.array(kept, np.int64)
    return Chokepoints(
        xyz=read_only(chords.middle[place]),
        ends=read_only(chords.ends[place]),
        width=read_only(chords.width[place]),
        sides=read_only(np.stack([one[place], other[place]], axis=1)),
        way_round=read_only(np.array(length, np.float64)),
        cuts=read_only(np.array(cuts, np.bool_)),
    )
