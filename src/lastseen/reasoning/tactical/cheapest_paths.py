"""Find the cheapest paths over the cells, straightened over the navmesh."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.meshed_layout import MeshedLayout, standing_cells
from ...cells.query import nearest_cells
from ...checks import instance_of, points_xyz, read_only
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError, QueryError
from ...kernels.arrays.belief_arrays import Rays
from ...kernels.walk.cost_field import FieldArrays
from ...kernels.walk.cost_path import CostWork, cheapest_ways
from ...kernels.walk.cost_shortcut import shorten_ways
from ...layers.layer import cell_ids, require_cells
from ...navmesh.query import find_paths, heights_at
from ..input_checks import one_or_each
from .cost_field import NO_COST, CostField

NEAREST = 1.5
"""Metres from a place within which a cell stands for it."""
_SLACK = 0.01
"""Share by which a straight line may cost more than the steps it replaces, which sample the field at cells only."""
_STEP = 0.27
"""Cell sizes between samples of the field along a line. Links to neighbours, straight or diagonal, get an even number
of samples: one in the middle of a diagonal would be on the corner of two other cells, and count their cost."""
_START_OFF, _GOAL_OFF = 3, 4
COST_PATH_REASONS = ("reached", "no_path", "too_costly", "start_off_mesh", "goal_off_mesh")
"""Results of a search for a path; `CostPaths.reason` holds indices into this.

too_costly: every path costs more than allowed.
"""


class CheapestPaths:
    """Finds paths over one layout; keeps its work arrays, so that a call costs what it touches.

    Parameters
    ----------
    layout : a `CellLayout`, or a `LiveLayout`, whose closed doors and cuts are respected as of the call.

    Notes
    -----
    Travis McIntosh, "Human Enemy AI in *The Last of Us*": "cost of an edge += scale × integral of the bitmap along it".
    Use one per thread: a call during another call on the same object raises `QueryError`.
    """

    def __init__(self, layout: MeshedLayout):
        count = require_cells(layout)
        self.layout = layout
        self._busy = threading.Lock()
        self._base: Floats = np.zeros(count)
        self._way: Array = np.empty(count, np.uint32)
        self._work = CostWork(
            cost=np.full(count, np.inf),
            extra=np.empty(count),
            before=np.empty(count, np.int32),
            place=np.empty(count, np.int32),
            heap=np.empty(count, np.uint32),
            key=np.empty(count),
            touched=np.empty(count, np.uint32),
        )
        self._rays = Rays(
            ends=np.zeros((2, 1, 3)),
            face=np.zeros(1, np.int32),
            outcome=np.zeros(1, np.uint8),
            point=np.zeros((1, 3)),
            fraction=np.zeros(1),
            normal=np.zeros((1, 2)),
        )

    def find(
        self,
        start_xyz: Any,
        goal_xyz: Any,
        field: CostField = NO_COST,
        *,
        most: Any = np.inf,
        straight: bool = True,
        on_floor: bool = False,
    ) -> CostPaths:
        """Return the cheapest path of each pair of places (n, 3).

        Parameters
        ----------
        field : extra costs of places.
        most : maximum cost, one or (n,): a search ends as soon as every path must cost more.
        straight : straighten the path where that is walkable and costs no more; else it goes from cell to cell.
        on_floor : also return the points where the path crosses between faces, so that it follows ramps and steps.

        Notes
        -----
        The cost is measured along the cells, which on open floor is up to 8 % more than along a straight line.
        """
        starts, goals = points_xyz(start_xyz, "start_xyz"), points_xyz(goal_xyz, "goal_xyz")
        if len(starts) != len(goals):
            raise InputError(f"there are {len(starts)} starts and {len(goals)} goals; give one goal per start")
        for name, flag in (("straight", straight), ("on_floor", on_floor)):
            instance_of(flag, bool, name, "give True or False")
        limit = _limit(most, len(starts))
        ends, places = self._placed(np.concatenate([starts, goals]))
        (begin, end), (starts, goals) = np.split(ends, 2), np.split(places, 2)
        with self._lent(field) as arrays:
            reason, cost, touched, cell_start, cells = self._search(arrays, begin, end, limit)
            point_start, points = self._points(starts, goals, cell_start, cells)
            if straight and len(points):
                point_start, points = self._straight(arrays, point_start, points)
        reason[begin < 0], reason[(begin >= 0) & (end < 0)] = _START_OFF, _GOAL_OFF
        length, point_start, points = self._walked(reason, point_start, points, on_floor)
        found = (reason, cost, length, point_start, points, cell_start, cells, touched)
        return CostPaths(*map(read_only, found))

    def between(
        self, start_cells: Any, goal_cells: Any, field: CostField = NO_COST, *, most: Any = np.inf
    ) -> CostPaths:
        """Return the cheapest path of each pair of cells (n,), like `find`, but from cell to cell and without points.

        `length` equals the cost here. For callers that need the costs of many paths only.
        """
        begin, end = cell_ids(self.layout, start_cells), cell_ids(self.layout, goal_cells)
        if len(begin) != len(end):
            raise InputError(f"there are {len(begin)} starts and {len(end)} goals; give one goal per start")
        with self._lent(field) as arrays:
            reason, cost, touched, start, cells = self._search(arrays, begin, end, _limit(most, len(begin)))
        none = np.zeros(len(begin) + 1, np.int64), np.zeros((0, 3))
        return CostPaths(*map(read_only, (reason, cost, cost.copy(), *none, start, cells, touched)))

    @contextmanager
    def _lent(self, field: CostField) -> Iterator[FieldArrays]:
        """Lend the work arrays to one call at a time, with the field's cells written into them."""
        instance_of(field, CostField, "field", "give a CostField")
        if len(field.cells) and int(field.cells.max()) >= len(self._base):
            raise QueryError(
                f"the field has cell {int(field.cells.max())}, but this layout has {len(self._base)}; create the field "
                "from a layer of the same layout"
            )
        if not self._busy.acquire(blocking=False):
            raise QueryError("this CheapestPaths is in use by another thread; create one for each thread")
        try:
            np.add.at(self._base, field.cells, field.costs)
            yield FieldArrays(self._base, field.shapes, field.bars)
        finally:
            self._base[field.cells] = 0.0
            self._busy.release()

    def _placed(self, places: Floats) -> tuple[Ids, Floats]:
        """Return the cell an agent stands in at each place, or the nearest one (-1: off the mesh), and its position.

        An agent that is not on the floor gets the position of its cell.
        """
        found = np.array(standing_cells(self.layout, places))
        missing = np.flatnonzero(found < 0)
        if len(missing):
            found[missing] = nearest_cells(self.layout, places[missing], NEAREST)
        off = np.flatnonzero(np.isnan(heights_at(self.layout.mesh, places)) & (found >= 0))
        if len(off):
            places = places.copy()
            places[off] = self.layout.arrays.cell_xyz[found[off]]
        return found, places

    def _search(self, field: FieldArrays, begin: Ids, end: Ids, most: Floats) -> tuple[Array, ...]:
        count = len(begin)
        reason, cost = np.empty(count, np.uint8), np.empty(count)
        touched, start = np.empty(count, np.int64), np.empty(count + 1, np.int64)
        cells = cheapest_ways(
            self.layout.arrays, field, begin, end, most, self._work, self._way, reason, cost, touched, start
        )
        return reason, cost, touched, start, cells

    def _points(self, starts: Floats, goals: Floats, cell_start: Array, cells: Ids) -> tuple[Array, Floats]:
        """Return the points of each path: its start, the positions of its cells, its goal."""
        count = np.diff(cell_start)
        there = np.flatnonzero(count)
        point_start = np.concatenate([[0], np.cumsum(np.where(count > 0, count + 2, 0))])
        points = np.empty((int(point_start[-1]), 3))
        inner = np.ones(len(points), np.bool_)
        inner[point_start[there]] = inner[point_start[there + 1] - 1] = False
        points[inner] = self.layout.arrays.cell_xyz[cells]
        points[point_start[there]], points[point_start[there + 1] - 1] = starts[there], goals[there]
        return point_start, points

    def _straight(self, field: FieldArrays, point_start: Array, points: Floats) -> tuple[Array, Floats]:
        agent = self.layout.mesh.body
        keep = np.empty(len(points), np.bool_)
        step = _STEP * float(self.layout.arrays.size_xyz[0])
        mesh, cells = self.layout.mesh.arrays, self.layout.arrays
        shorten_ways(mesh, cells, field, points, point_start, step, _SLACK, agent.height, agent.climb, self._rays, keep)
        return np.concatenate([[0], np.cumsum(keep)])[point_start], points[keep]

    def _walked(
        self, reason: Array, point_start: Array, points: Floats, on_floor: bool
    ) -> tuple[Floats, Array, Floats]:
        """Return lengths on the floor, and the points with the bends of links that are not straight."""
        length = np.where(reason == 0, 0.0, np.inf)
        last = np.zeros(len(points), np.bool_)
        last[point_start[1:][np.diff(point_start) > 0] - 1] = True
        legs = np.flatnonzero(~last)
        if not len(legs):
            return length, point_start, points
        walks = find_paths(self.layout.mesh, points[legs], points[legs + 1], on_floor=on_floor)
        owner = np.searchsorted(point_start, legs, side="right") - 1
        np.add.at(length, owner, walks.length)
        if on_floor or int(walks.point_start[-1]) > 2 * len(legs):
            return length, *_joined(walks.point_start, walks.points_xyz, owner, len(length))
        return length, point_start, points


def _limit(most: Any, count: int) -> Floats:
    return one_or_each(most, count, "most", "costs", low=-np.inf, high=np.inf)


def _joined(start: Array, points: Floats, owner: Array, count: int) -> tuple[Array, Floats]:
    """Return the points of consecutive walks, each end once, and where the points of each owner start."""
    keep = np.ones(len(points), np.bool_)
    follows = np.flatnonzero((owner[1:] == owner[:-1]) & (np.diff(start)[1:] > 0)) + 1
    keep[start[follows]] = False
    row = np.repeat(owner, np.diff(start))[keep]
    return np.searchsorted(row, np.arange(count + 1)), points[keep]


@dataclass(frozen=True, eq=False)
class CostPath:
    """A path from place to place.

    Attributes
    ----------
    points_xyz : (p, 3) float64: start, bends, goal; straight lines between them are walkable. Empty without a path.
    cells : (c,) int32, the cells of the search, from start to goal.
    cost : metres plus what the field adds along the cells; infinite without a path.
    length : metres walked along the points, on the floor; infinite without a path.
    reached : whether there is a path.
    reason : one of `COST_PATH_REASONS`.
    """

    points_xyz: Floats
    cells: Ids
    cost: float
    length: float
    reached: bool
    reason: str


@dataclass(frozen=True, eq=False)
class CostPaths:
    """`CostPath` for n pairs, as arrays; `paths[i]` gives one of them.

    `reason` (n,) uint8, `cost` and `length` (n,) metres; points of pair `i` are
    `points_xyz[point_start[i]:point_start[i + 1]]`, its cells likewise; `touched` (n,) cells the search visited.
    """

    reason: Array
    cost: Floats
    length: Floats
    point_start: Array
    points_xyz: Floats
    cell_start: Array
    cells: Ids
    touched: Array

    def __len__(self) -> int:
        return len(self.reason)

    @property
    def reached(self) -> Bools:
        """(n,) bool: whether there is a path."""
        return self.reason == 0

    def __getitem__(self, index: int) -> CostPath:
        index = range(len(self))[index]
        reason = COST_PATH_REASONS[int(self.reason[index])]
        return CostPath(
            self.points_xyz[self.point_start[index] : self.point_start[index + 1]],
            self.cells[self.cell_start[index] : self.cell_start[index + 1]],
            float(self.cost[index]),
            float(self.length[index]),
            reason == "reached",
            reason,
        )

    def __iter__(self) -> Iterator[CostPath]:
        return (self[index] for index in range(len(self)))
