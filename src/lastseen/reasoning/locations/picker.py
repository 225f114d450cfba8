"""The picker runs queries on one layout."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np

from ...cells.meshed_layout import MeshedLayout
from ...cells.query import cells_within_many, nearest_cells
from ...checks import expect, real_array, shown
from ...compilation.preparation import prepare
from ...conventions import Array, Floats
from ...errors import InputError, QueryError
from ...kernels.arrays.location_arrays import Rows
from ...layers.layer import Layer, cell_ids, enabled_cells, is_enabled, require_cells, require_same_cells
from ...layers.stack import LayerStack
from ...level.level import Level
from ...level.sight.sight import Sight
from .choice import Choice, Choices
from .measurement import NEAR_CELL, Measures
from .query import Query
from .query_places import Place, Situation, places_of, situation_of
from .query_run import Candidates, Plan, QueryRun

MOST_ROWS = 50_000_000
"""Limit on candidates of all askers together: some 2 GB with four criteria."""

_MOST_PLANS = 256
_KERNELS = (
    "cells.nearby_cells.cells_within_radius",
    "cells.nearby_cells.nearest_cells_of_points",
    "cells.layer_spread.distances_from",
    "search.location_choice.pick_rows",
    "search.location_measure.measure_angles",
    "search.location_measure.measure_crowds",
    "search.location_measure.measure_distances",
    "search.location_measure.measure_heights",
    "search.location_rating.rate_rows",
    "search.location_measure.nearest_of_ways",
    "walk.raycast.cast_rays",
    "cells.tile_spread.list_neighbours",
)
_LOOKS = ("search.location_sight.measure_cover", "search.location_sight.measure_seen")


class Picker:
    """Picks places on one layout that satisfy a query.

    Parameters
    ----------
    cells : a layout, frozen or live; in a live one, cells disabled at the time of the query are not candidates.
    level : source of zones and named points (`places_of`).
    sight : for `Seen` and `Cover`.
    layers : a stack, or some layers, for `LayerValue`; their values are read when a query reaches them.

    Notes
    -----
    Use one per thread: work arrays are kept between queries.
    """

    def __init__(
        self,
        cells: MeshedLayout,
        *,
        level: Level | None = None,
        sight: Sight | None = None,
        layers: LayerStack | Sequence[Layer] = (),
    ):
        require_cells(cells, "cells")
        if level is not None:
            expect(level, Level, "level")
        if sight is not None:
            expect(sight, Sight, "sight")
        self.layout = cells
        known = layers if isinstance(layers, LayerStack) else _by_name(cells, layers)
        self._measures = Measures(cells, sight, () if level is None else level.zones, known)
        named = {} if level is None else places_of(level)
        self._fixed = situation_of(None, named, {}).places
        self._plans: dict[int, Plan] = {}
        prepare(*_KERNELS, *(() if sight is None else _LOOKS), cells=len(cells.arrays.cell_grid))

    def pick(
        self,
        query: Query,
        asker: Any = None,
        *,
        places: Mapping[str, Any] | None = None,
        candidates: Any = None,
        random: Any = None,
    ) -> Choice:
        """Pick places for one asker at `asker` (x, y, z), or without an asker; see `pick_many`."""
        place = None if asker is None else asker if isinstance(asker, Place) else Place(asker)
        if place is not None and len(place.xyz) != 1:
            raise InputError(f"pick takes one asker, got {len(place.xyz)}; use pick_many")
        run = self.start(query, place, places=places, candidates=candidates, random=random)
        run.advance()
        return run.result()[0]

    def pick_many(
        self,
        query: Query,
        askers: Any,
        *,
        places: Mapping[str, Any] | None = None,
        candidates: Any = None,
        random: Any = None,
    ) -> Choices:
        """Pick places for each of the askers.

        Parameters
        ----------
        askers : (n, 3) or (n, 2) metres, or a `Place` with headings.
        places : points by name: (m, 3), (m, 2), one point, or a `Place`.
        candidates : cells (ids or a mask) to choose from; None: all, or those near the asker.
        random : for random picks: a numpy Generator, or (n, count) numbers 0 … 1.
        """
        run = self.start(query, askers, places=places, candidates=candidates, random=random)
        run.advance()
        return run.result()

    def start(
        self,
        query: Query,
        askers: Any = None,
        *,
        places: Mapping[str, Any] | None = None,
        candidates: Any = None,
        random: Any = None,
    ) -> QueryRun:
        """Start a query that the caller runs across frames: call `advance(work)` until it is done. See `pick_many`."""
        if not isinstance(query, Query):
            raise InputError(f"query is {shown(query)}; give a Query, or read_query(file)")
        situation, plan = situation_of(askers, places, self._fixed), self._plan(query)
        for points, criterion in plan.named:
            situation.place(points, criterion)
        for criterion in plan.special:
            self._measures.require(criterion)
        numbers = _numbers(query, situation.count, random)
        return QueryRun(plan, self._measures, situation, self._candidates(plan, situation, candidates), numbers)

    def _plan(self, query: Query) -> Plan:
        """Return the plan of a query, cached by identity because hashing a query takes longer."""
        plan = self._plans.get(id(query))
        if plan is None:
            if len(self._plans) >= _MOST_PLANS:
                self._plans.clear()
            plan = self._plans[id(query)] = Plan(query)
        return plan

    def _candidates(self, plan: Plan, situation: Situation, given: Any) -> Candidates:
        arrays = self.layout.arrays
        if given is not None:
            cells = np.unique(cell_ids(self.layout, given)).astype(np.int32)
            return Candidates(self._each(cells[is_enabled(self.layout, cells)], situation.count))
        near, walked = plan.near, plan.walked
        if near is not None and np.isfinite(near[1]):
            sets = cells_within_many(self.layout, situation.askers_xyz, max(0.0, near[1]))
            if situation.count == 1:
                cells = np.sort(sets.cell)
                return Candidates(Rows(cells, np.zeros(len(cells), np.int32), arrays.cell_xyz))
            asker = np.repeat(np.arange(situation.count, dtype=np.int32), np.diff(sets.start))
            order = np.lexsort((sets.cell, asker))
            return Candidates(Rows(sets.cell[order], asker, arrays.cell_xyz))
        if walked is not None:
            return self._walked(walked[0], max(0.0, walked[1]), situation)
        return Candidates(self._each(np.flatnonzero(enabled_cells(self.layout)).astype(np.int32), situation.count))

    def _each(self, cells: Array, count: int) -> Rows:
        """Return the same cells for every asker."""
        if len(cells) * count > MOST_ROWS:
            raise QueryError(
                f"{count} askers with {len(cells)} candidates each exceed {MOST_ROWS} in total; "
                "split the askers, or limit the distance to the asker with at_most"
            )
        asker = np.repeat(np.arange(count, dtype=np.int32), len(cells))
        return Rows(np.tile(cells, count), asker, self.layout.arrays.cell_xyz)

    def _walked(self, number: int, reach: float, situation: Situation) -> Candidates:
        """Return what each asker can walk to, with the metres."""
        starts = nearest_cells(self.layout, situation.askers_xyz, NEAR_CELL)
        cells, askers, metres = [], [], []
        for asker, cell in enumerate(starts.tolist()):
            reached = self._measures.walks.spread.distances([cell] if cell >= 0 else [], reach=reach)
            order = np.argsort(reached.cells)
            cells.append(reached.cells[order])
            metres.append(reached.metres[order])
            askers.append(np.full(len(reached), asker, np.int32))
        rows = Rows(_joined(cells, np.int32), _joined(askers, np.int32), self.layout.arrays.cell_xyz)
        return Candidates(rows, {number: _joined(metres, np.float64)})


def _joined(parts: list[Array], dtype: Any) -> Array:
    return np.concatenate(parts) if parts else np.zeros(0, dtype)


def _by_name(cells: MeshedLayout, layers: Any) -> dict[str, Layer]:
    if not isinstance(layers, Sequence) or not all(isinstance(layer, Layer) for layer in layers):
        raise InputError(f"layers is {shown(layers)}; give a LayerStack or a list of layers")
    for layer in layers:
        require_same_cells(cells, layer.layout, layer.name)
    return {layer.name: layer for layer in layers}


def _numbers(query: Query, count: int, random: Any) -> Floats:
    shape = (count, query.pick.count)
    if query.pick.rule == "best":
        return np.zeros(shape)
    if random is None:
        raise InputError(
            f"the rule {query.pick.rule!r} picks at random; "
            "give random=generator(seed, name) from lastseen.rng, or numbers"
        )
    if isinstance(random, np.random.Generator):
        return random.random(shape)
    allowed = f"numbers of shape {shape}, 0 or more and less than 1"
    numbers = real_array(random, "random", allowed)
    if numbers.size != count * query.pick.count or not ((numbers >= 0.0) & (numbers < 1.0)).all():
        raise InputError(f"random is {shown(random)}; give {allowed}")
    return np.ascontiguousarray(numbers.reshape(shape))
