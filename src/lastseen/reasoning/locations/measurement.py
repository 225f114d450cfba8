"""Measure criteria over rows of candidates, and estimate what measuring costs."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

import numpy as np

from ...cells.meshed_layout import MeshedLayout
from ...cells.query import nearest_cells
from ...conventions import Array, Bools, Floats, Ids
from ...errors import QueryError, did_you_mean
from ...kernels.arrays.location_arrays import PlaceArrays, Rows
from ...kernels.search.location_measure import (
    FARTHEST,
    MEAN,
    NEAREST,
    measure_angles,
    measure_crowds,
    measure_distances,
    measure_heights,
)
from ...layers.layer import Layer
from ...layers.spread import Reached, Spread
from ...layers.stack import LayerStack
from ...level.features import Zone
from ...level.sight.sight import Sight
from ...navmesh.query import raycasts
from ..zones import inside_zone
from .criteria import Angle, Cover, Criterion, Crowd, Distance, Height, InZone, LayerValue, Lead, PathClearance, Seen
from .query_places import Situation

NEAR_CELL = 2.0
"""Metres from a point within which a cell stands for it when walking."""

_ACROSS = {"nearest": NEAREST, "farthest": FARTHEST, "mean": MEAN}
_RAY_WORK = 10
"""Cost of a line of sight, in distance measurements."""
_NOBODY = -2
"""A number of no asker and of no point's owner."""


class Walks:
    """Walking distances of all cells from the latest sources; loading new ones costs the cells reached."""

    def __init__(self, layout: MeshedLayout):
        self.spread = Spread(layout)
        self.metres: Floats = np.full(len(layout.arrays.cell_grid), np.inf)
        self.work = 0
        self._reached = Reached(np.zeros(0, np.int32), np.zeros(0), np.zeros(0, np.int32))

    def load(self, cells: Array, reach: float) -> Reached:
        """Fill `metres` from source cells; return what was reached. `work` counts all cells ever reached."""
        self.metres[self._reached.cells] = np.inf
        self._reached = self.spread.distances(cells, reach=reach)
        self.metres[self._reached.cells] = self._reached.metres
        self.work += len(self._reached)
        return self._reached


class Measures:
    """All measures on one layout; keeps what does not change between queries."""

    def __init__(
        self, layout: MeshedLayout, sight: Sight | None, zones: Sequence[Zone], layers: dict[str, Layer] | LayerStack
    ):
        self.layout, self.sight, self.zones, self.layers = layout, sight, tuple(zones), layers
        self.walks = Walks(layout)
        self._masks: dict[str, Bools] = {}

    def require(self, criterion: Criterion) -> None:
        """Raise for a criterion that needs a layer, zone or sight that is missing, before any work."""
        if isinstance(criterion, LayerValue):
            self._layer(criterion)
        if isinstance(criterion, InZone):
            self._zone(criterion)
        if self.sight is None and (isinstance(criterion, Cover) or getattr(criterion, "line", "") == "sight"):
            advice = ", or line='walking'" if isinstance(criterion, Seen) else ""
            raise QueryError(f"{criterion.title}: give sight=Sight.from_level(level){advice}")

    def work(self, criterion: Criterion, situation: Situation) -> int:
        """Return the cost of measuring one row, in distance measurements."""
        if criterion.points is None:
            return 1
        place = situation.place(criterion.points, criterion)
        points = max(1, len(place.xyz) // max(1, len(place.start) - 1))
        return points * _RAY_WORK * (2 if isinstance(criterion, Cover) else 1) if criterion.cost >= 4 else points

    def end(self, criterion: Criterion, rows: Rows, start: int, work: int, situation: Situation) -> int:
        """Return the row up to which to measure from `start` within this much work.

        Walking distances search the map once for all rows of an asker, so these rows stay together.
        """
        count = len(rows.cell)
        if not (
            isinstance(criterion, PathClearance | Lead)
            or (isinstance(criterion, Distance) and criterion.how == "walking")
        ):
            return min(count, start + max(1, work // self.work(criterion, situation)))
        if isinstance(criterion, Distance) and _is_shared(situation.place(criterion.to, criterion)):
            return count
        return int(np.searchsorted(rows.asker, rows.asker[start], side="right")) if start < count else count

    def measure(self, criterion: Criterion, rows: Rows, situation: Situation, reach: float) -> Floats:
        """Return (r,) float64, the measurement of each row; all can be walked to within `reach` metres."""
        out = np.empty(len(rows.cell))
        if isinstance(criterion, LayerValue):
            out[:] = self._layer(criterion).values[rows.cell]
        elif isinstance(criterion, InZone):
            out[:] = self._zone(criterion)[rows.cell]
        elif isinstance(criterion, PathClearance):
            self._ways(rows, situation.place(criterion.past, criterion), situation, reach, out)
        elif isinstance(criterion, Lead):
            self._leads(criterion, rows, situation, reach, out)
        else:
            assert criterion.points is not None
            place = situation.place(criterion.points, criterion)
            several = len(rows.cell) > 0 and rows.asker[0] != rows.asker[-1]
            if several and _is_shared(place):
                return self._measured_once(criterion, rows, place)
            self._from_points(criterion, rows, place, out)
        return out

    def _measured_once(self, criterion: Criterion, rows: Rows, place: PlaceArrays) -> Floats:
        """Return what does not depend on the asker, measured once for all askers."""
        there = np.zeros(len(rows.xyz), np.bool_)
        there[rows.cell] = True
        cells = np.flatnonzero(there).astype(np.int32)
        once = np.empty(len(cells))
        alone = Rows(cells, np.zeros(len(cells), np.int32), rows.xyz)
        self._from_points(criterion, alone, place, once)
        table = np.empty(len(rows.xyz))
        table[cells] = once
        return table[rows.cell]

    def _from_points(self, criterion: Criterion, rows: Rows, place: PlaceArrays, out: Floats) -> None:
        if isinstance(criterion, Distance):
            if criterion.how == "walking":
                self._walking(criterion, rows, place, out)
            else:
                measure_distances(rows, place, _ACROSS[criterion.across], out)
        elif isinstance(criterion, Angle):
            measure_angles(rows, place, out)
        elif isinstance(criterion, Height):
            measure_heights(rows, place, out)
        elif isinstance(criterion, Crowd):
            measure_crowds(rows, place, criterion.within, out)
        elif isinstance(criterion, Seen):
            self._seen(criterion, rows, place, out)
        elif isinstance(criterion, Cover) and self.sight is not None:
            from ...kernels.search.location_sight import measure_cover

            measure_cover(rows, place, self.sight.arrays, criterion.eye, criterion.crouched, criterion.standing, out)

    def _walking(self, criterion: Distance, rows: Rows, place: PlaceArrays, out: Floats) -> None:
        reach = np.inf if criterion.at_most is None else max(0.0, criterion.at_most)
        cells = nearest_cells(self.layout, place.xyz, NEAR_CELL)
        for asker, part in _parts(rows, shared=_is_shared(place)):
            self.walks.load(_sources(cells, place, asker), reach)
            out[part] = self.walks.metres[rows.cell[part]]

    def _leads(self, criterion: Lead, rows: Rows, situation: Situation, reach: float, out: Floats) -> None:
        place = situation.place(criterion.over, criterion)
        cells = nearest_cells(self.layout, place.xyz, NEAR_CELL)
        starts = nearest_cells(self.layout, situation.askers_xyz, NEAR_CELL)
        for asker, part in _parts(rows, shared=False):
            self.walks.load(starts[asker : asker + 1], reach)
            own = criterion.pace * self.walks.metres[rows.cell[part]]
            self.walks.load(_sources(cells, place, asker), np.inf)
            theirs = self.walks.metres[rows.cell[part]]
            out[part] = np.where(np.isfinite(own), theirs - np.where(np.isfinite(own), own, 0.0), np.nan)

    def _ways(self, rows: Rows, place: PlaceArrays, situation: Situation, reach: float, out: Floats) -> None:
        from ...kernels.search.location_measure import nearest_of_ways

        arrays = self.layout.arrays
        starts = nearest_cells(self.layout, situation.askers_xyz, NEAR_CELL)
        near = np.full(len(arrays.cell_grid), np.nan)
        for asker, part in _parts(rows, shared=False):
            reached = self.walks.load(starts[asker : asker + 1], reach)
            every = Rows(reached.cells.copy(), np.full(len(reached), asker, np.int32), rows.xyz)
            here = np.empty(len(reached))
            measure_distances(every, place, NEAREST, here)
            nearest_of_ways(arrays, reached.cells, self.walks.metres, here, near)
            out[part] = near[rows.cell[part]]
            near[reached.cells] = np.nan

    def _seen(self, criterion: Seen, rows: Rows, place: PlaceArrays, out: Floats) -> None:
        within = np.inf if criterion.within is None else criterion.within
        if criterion.line == "walking":
            self._on_straight_walks(rows, place, within, out)
        elif self.sight is not None:
            from ...kernels.search.location_sight import measure_seen

            measure_seen(rows, place, self.sight.arrays, criterion.eye, criterion.at, within, out)

    def _on_straight_walks(self, rows: Rows, place: PlaceArrays, within: float, out: Floats) -> None:
        """Fill in the share of points from which a straight walk leads to the place."""
        for asker, part in _parts(rows, shared=_is_shared(place)):
            group = 0 if len(place.start) == 2 else asker
            points = np.arange(int(place.start[group]), int(place.start[group + 1]))
            points = points[place.owner[points] != asker]
            ends = rows.xyz[rows.cell[part]].astype(np.float64)
            seen = np.zeros(len(ends))
            for point in points.tolist():
                near = np.flatnonzero(np.linalg.norm(ends - place.xyz[point], axis=1) <= within)
                starts = np.repeat(place.xyz[point][None], len(near), axis=0)
                seen[near] += raycasts(self.layout.mesh, starts, ends[near]).outcome == 0
            out[part] = seen / max(1, len(points))

    def _layer(self, criterion: LayerValue) -> Layer:
        if criterion.layer in self.layers:
            layer: Layer = self.layers[criterion.layer]
            return layer
        names = [one if isinstance(one, str) else one.name for one in self.layers]
        have = ", ".join(map(repr, names)) or "none"
        raise QueryError(f"no layer {criterion.layer!r}{did_you_mean(criterion.layer, names)}; layers given: {have}")

    def _zone(self, criterion: InZone) -> Bools:
        if criterion.zone not in self._masks:
            drawn = [zone for zone in self.zones if criterion.zone in (zone.name, zone.kind)]
            names = sorted({name for zone in self.zones for name in (zone.name, zone.kind) if name})
            if not drawn:
                have = ", ".join(map(repr, names)) or "none; give level="
                raise QueryError(f"no zone {criterion.zone!r}{did_you_mean(criterion.zone, names)}; zones: {have}")
            self._masks[criterion.zone] = np.any(
                [inside_zone(zone, self.layout.arrays.cell_xyz) for zone in drawn], axis=0
            )
        return self._masks[criterion.zone]


def _sources(cells: Ids, place: PlaceArrays, asker: int) -> Ids:
    """Return the cells of the points that count for an asker."""
    group = 0 if len(place.start) == 2 else asker
    span = slice(int(place.start[group]), int(place.start[group + 1]))
    found: Ids = cells[span][(cells[span] >= 0) & (place.owner[span] != asker)]
    return found


def _is_shared(place: PlaceArrays) -> bool:
    """Return whether all points count for all askers alike."""
    return len(place.start) == 2 and not (place.owner >= 0).any()


def _parts(rows: Rows, *, shared: bool) -> Iterator[tuple[int, slice]]:
    """Yield each asker and the slice of its rows; `_NOBODY` and all rows if askers share the answer."""
    if shared:
        yield _NOBODY, slice(0, len(rows.cell))
        return
    ends = np.append(np.flatnonzero(np.diff(rows.asker)) + 1, len(rows.asker))
    start = 0
    for end in ends.tolist():
        if end > start:
            yield int(rows.asker[start]), slice(start, end)
        start = end
