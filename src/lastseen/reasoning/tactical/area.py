"""Areas: sets of cells with an inside and an outside."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.layout import CellLayout
from ...cells.live import LiveLayout
from ...cells.meshed_layout import MeshedLayout, start_cells
from ...cells.query import cells_within, cells_within_many
from ...checks import finite_number, instance_of, point_xyz, read_only
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError
from ...kernels.cells.minimum_cut import label_parts
from ...layers.layer import cell_ids, is_enabled, require_cells
from ...layers.spread import Spread

NEAREST = 2.0
"""Metres from a place within which a cell stands for it."""
_FARTHEST = 1e4


@dataclass(frozen=True, eq=False)
class Area:
    """Some cells of a layout that were open when the area was made.

    Attributes
    ----------
    layout : the layout of the cells.
    cells : (n,) int32, ascending, none of them disabled.
    """

    layout: MeshedLayout
    cells: Ids

    def __len__(self) -> int:
        return len(self.cells)

    def holds(self, cells: Any) -> Bools:
        """Return which of these cells (ids) lie in it, (m,) bool."""
        return read_only(_where(self.cells, cell_ids(self.layout, cells)) >= 0)


@dataclass(frozen=True, eq=False)
class LocalLinks:
    """Open links of some cells, numbered within them.

    Attributes
    ----------
    start, other : links between the n cells, (n + 1,) int64 and int32.
    inner, outer : (b,) int32, links that leave: the number of the cell they start in, the id of the cell they lead to.
    """

    start: Array
    other: Ids
    inner: Ids
    outer: Ids

    def reversed(self) -> LocalLinks:
        """Return the links in the other direction, without those that leave."""
        count = len(self.start) - 1
        origin = np.repeat(np.arange(count, dtype=np.int32), np.diff(self.start))
        order = np.argsort(self.other, kind="stable")
        start = np.searchsorted(self.other[order], np.arange(count + 1))
        return LocalLinks(start, origin[order], self.inner[:0], self.outer[:0])


def local_links(layout: MeshedLayout, cells: Ids) -> LocalLinks:
    """Return the links of cells (ascending ids) that are open now."""
    arrays = layout.arrays
    first = arrays.link_start[cells].astype(np.int64)
    count = arrays.link_start[cells.astype(np.int64) + 1].astype(np.int64) - first
    ends = np.cumsum(count)
    link = np.arange(ends[-1] if len(ends) else 0) + np.repeat(first - (ends - count), count)
    origin = np.repeat(np.arange(len(cells), dtype=np.int32), count)
    to = arrays.link_cell[link].astype(np.int32)
    free = (arrays.blocked[link >> 3] >> (link & 7).astype(np.uint8) & 1 == 0) & is_enabled(layout, to)
    free &= is_enabled(layout, cells)[origin]
    origin, to = origin[free], to[free]
    other = _where(cells, to)
    inside = other >= 0
    start = np.searchsorted(origin[inside], np.arange(len(cells) + 1))
    return LocalLinks(start, other[inside], origin[~inside], to[~inside])


def _where(cells: Ids, ids: Ids) -> Ids:
    """Return the index of each of `ids` in `cells` (ascending), -1: absent."""
    if not len(cells):
        return np.full(len(ids), -1, np.int32)
    at = np.minimum(np.searchsorted(cells, ids), len(cells) - 1)
    return np.where(cells[at] == ids, at, -1).astype(np.int32)


def cells_about(layout: MeshedLayout, points: Floats, radius: float) -> Ids:
    """Return the cells within `radius` metres of any of `points` (n, 3), ascending."""
    return np.unique(cells_within_many(layout, points, radius).cell)


def area_of(cells: MeshedLayout, which: Any) -> Area:
    """Return the area of these cells (ids or a mask), without those that a cut disables."""
    require_cells(cells, "cells")
    ids = np.unique(cell_ids(cells, which))
    return Area(cells, read_only(ids[is_enabled(cells, ids)]))


def area_within(cells: MeshedLayout, centre_xyz: Any, radius: float) -> Area:
    """Return the cells within `radius` metres of a place that can be walked to without leaving that radius.

    Cells as near but behind a wall are not part of it.
    """
    require_cells(cells, "cells")
    centre = point_xyz(centre_xyz, "centre_xyz")
    radius = finite_number(radius, "radius", unit="m", low=0.0, high=_FARTHEST, open_low=True)
    own = start_cells(cells, centre[None], np.array([NEAREST]), "centre_xyz")
    near = np.unique(np.append(cells_within(cells, centre, radius), own))
    links = local_links(cells, near)
    label = np.empty(len(near), np.int32)
    label_parts(links.start, links.other, label)
    return Area(cells, read_only(near[label == label[_where(near, own)[0]]]))


def area_reached(walk: Spread, centre_xyz: Any, *, seconds: float, speed: float = 4.0) -> Area:
    """Return where a target can be that was at a place this many seconds ago and runs at `speed` m/s.

    Parameters
    ----------
    walk : `Spread(layout)` of a layout with its mesh; it keeps its work arrays between calls.
    """
    layout = instance_of(walk, Spread, "walk", "create one with Spread(layout)").layout
    if not isinstance(layout, CellLayout | LiveLayout):
        raise InputError("the Spread has cells without a mesh; create it from a CellLayout or a LiveLayout")
    centre = point_xyz(centre_xyz, "centre_xyz")
    gone = finite_number(seconds, "seconds", unit="s", low=0.0, high=1e6)
    pace = finite_number(speed, "speed", unit="m/s", low=0.0, high=1e3)
    own = start_cells(layout, centre[None], np.array([NEAREST]), "centre_xyz")
    return Area(layout, read_only(np.sort(walk.distances(own, reach=gone * pace).cells)))
