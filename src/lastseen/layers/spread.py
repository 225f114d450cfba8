"""Propagation: walking distances from sources, and the influence they have on cells."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from ..cells.layout import AnyLayout
from ..checks import finite_number, instance_of, read_only, real_array, real_number, shown
from ..conventions import Array, Floats, Ids
from ..errors import InputError, QueryError
from ..kernels.cells.layer_spread import add_influence, distances_from
from ..kernels.cells.tile_spread import SIDES, Links, SpreadArrays, list_neighbours
from .layer import Layer, cell_ids, require_cells, require_layer, require_same_cells, saturated


@dataclass(frozen=True)
class Falloff:
    """Fall-off of influence with walking distance; created by `linear`, `power` or `exponential`.

    At distance d a source of strength s contributes `s * (1 - (d / reach) ** exponent)`,
    or `s * 0.5 ** (d / halving)` if `halving` is given; beyond `reach` metres nothing.
    """

    reach: float
    exponent: float = 1.0
    halving: float = 0.0

    def __post_init__(self) -> None:
        reach = finite_number(self.reach, "reach", unit="m", low=0.0, high=1e9, open_low=True)
        exponent = finite_number(self.exponent, "exponent", low=0.0, high=64.0, open_low=True)
        halving = finite_number(self.halving, "halving", unit="m", low=0.0, high=1e9)
        for name, number in (("reach", reach), ("exponent", exponent), ("halving", halving)):
            object.__setattr__(self, name, number)

    @classmethod
    def linear(cls, reach: float) -> Falloff:
        """Fade evenly from full strength to 0 at `reach` metres: where an agent can be within a given time."""
        return cls(reach)

    @classmethod
    def power(cls, reach: float, exponent: float = 4.0) -> Falloff:
        """Stay near full strength, then fall to 0 at `reach` metres: what an agent can attack."""
        return cls(reach, exponent)

    @classmethod
    def exponential(cls, halving: float, reach: float | None = None) -> Falloff:
        """Halve every `halving` metres, ending at `reach` (by default after eight halvings)."""
        halving = finite_number(halving, "halving", unit="m", low=0.0, high=1e8, open_low=True)
        return cls(8.0 * halving if reach is None else reach, halving=halving)


@dataclass(frozen=True, eq=False)
class Reached:
    """Cells within reach of the sources, nearest first.

    Attributes
    ----------
    cells : (n,) int32.
    metres : (n,) float64, walked along links from the nearest source.
    source : (n,) int32, index of that source among those given.
    """

    cells: Ids
    metres: Floats
    source: Ids

    def __len__(self) -> int:
        return len(self.cells)


class Spread:
    """Search outwards from cells of one layout; reuses its work arrays, so that a call costs only what it reaches.

    Follows unblocked links between enabled cells, as they are at the time of the call.
    Use one per thread: concurrent calls on the same object raise `QueryError`.
    """

    def __init__(self, layout: AnyLayout):
        count = require_cells(layout)
        self.layout = layout
        self._busy = threading.Lock()
        length = layout.arrays.link_length
        width, buckets = _buckets(length)
        neighbour = _neighbours(layout)
        blocked = layout.arrays.blocked
        # Only live layouts can change these bits; those of a frozen layout stay as they are.
        self._may_block = blocked.flags.writeable or blocked.base is not None or bool(blocked.any())
        waiting, chained = (count + 1, 0) if len(neighbour) else (0, count)
        self._work = SpreadArrays(
            distance=np.full(count, np.inf),
            origin=np.full(count, -1, np.int32),
            following=np.empty(chained, np.uint32),
            previous=np.empty(chained, np.uint32),
            bucket=np.zeros(buckets, np.uint32),
            width=np.array([width, length.min(initial=np.inf), length.max(initial=0.0)]),
            neighbour=neighbour,
            # Distances in a queue never decrease, so a tile enters each queue only once.
            queue_cell=np.empty((2, waiting), np.uint32),
            queue_metres=np.empty((2, waiting)),
            ahead=np.zeros(1, np.int64),
            reached=np.empty(count, np.uint32),
            total=np.zeros(count),
            touched=np.empty(count, np.uint32),
            marked=np.zeros(count, np.uint8),
        )

    def distances(self, sources: Any, *, reach: float = np.inf) -> Reached:
        """Return the walking distance from the nearest of `sources` (cell ids) to every cell within `reach` metres.

        Disabled sources are ignored; unreachable cells are not in the result.
        """
        start = cell_ids(self.layout, sources).astype(np.uint32)
        reach = real_number(reach, "reach", "0 or more metres")
        if not reach >= 0.0:
            raise InputError(f"reach is {reach:g} m; give 0 or more metres")
        with self._alone():
            found = distances_from(self._links(), start, reach, self._work)
        return Reached(*map(read_only, found))

    def influence(
        self,
        layer: Layer,
        sources: Any,
        falloff: Falloff,
        *,
        strengths: Any = 1.0,
        combine: Literal["max", "sum"] = "max",
    ) -> Ids:
        """Add the influence of `sources` to `layer`; return the cells written (int32, unsorted, read-only).

        Parameters
        ----------
        strengths : influence of a source at its own cell; one number, or one for each source. At least 0 for "max".
        combine : "max": the strongest source counts; "sum": they add up. The present value of a cell counts as one more
            source; results are clipped to the layer's range and rounded to its dtype.

        Notes
        -----
        `layer.clear(cells)` with the cells returned undoes the call on a clear layer, at the cost of what it touched.
        Walking distance replaces straight distance in the influence formulas of Dave Mark, "Modular Tactical Influence
        Maps", so that influence does not pass through walls.
        """
        require_same_cells(self.layout, require_layer(layer).layout, layer.name)
        instance_of(falloff, Falloff, "falloff", "give Falloff.linear, power or exponential")
        start = cell_ids(self.layout, sources).astype(np.uint32)
        strength = self._strengths(strengths, len(start), combine)
        shape = falloff.reach, falloff.exponent, falloff.halving
        with self._alone():
            count = add_influence(self._links(), start, strength, *shape, combine == "sum", self._work)
            cells = self._work.touched[:count].astype(np.int32)
            self._work.marked[cells] = 0
            felt = self._work.total[cells]
        held = layer.values[cells].astype(np.float64)
        layer.values[cells] = saturated(held + felt if combine == "sum" else np.maximum(held, felt), layer)
        return read_only(cells)

    @contextmanager
    def lend(self) -> Iterator[tuple[Links, SpreadArrays]]:
        """Lend the links and the work arrays to a kernel that spreads on its own and resets them afterwards."""
        with self._alone():
            yield self._links(), self._work

    @contextmanager
    def _alone(self) -> Iterator[None]:
        """Reserve the work arrays for one call at a time: kernels release the GIL."""
        if not self._busy.acquire(blocking=False):
            raise QueryError("this Spread is in use by another thread; create one Spread per thread")
        try:
            yield
        finally:
            self._busy.release()

    def _links(self) -> Links:
        arrays = self.layout.arrays
        blocked = arrays.blocked if self._may_block else arrays.blocked[:0]
        return Links(arrays.link_start, arrays.link_cell, arrays.link_length, arrays.disabled, blocked)

    def _strengths(self, strengths: Any, count: int, combine: str) -> Floats:
        if not isinstance(combine, str) or combine not in ("max", "sum"):
            raise InputError(f"combine is {shown(combine)}; give 'max' or 'sum'")
        given = real_array(strengths, "strengths", "one number, or one for each source")
        if given.shape not in ((), (count,)):
            raise InputError(f"strengths have shape {given.shape}; give one number, or one for each of {count} sources")
        if not np.isfinite(given).all() or (combine == "max" and (given < 0.0).any()):
            allowed = "at least 0" if combine == "max" else "finite"
            raise InputError(f"strengths must be {allowed} to combine by {combine!r}, got {given.min():g}")
        return np.full(count, given)


def _buckets(length: Array) -> tuple[float, int]:
    """Return the width of a bucket in metres and the number of buckets needed for links of these lengths.

    A bucket must be narrower than the shortest link, so that no cell in it can bring another one closer; a sixteenth of
    the longest leaves few cells to sort in each.
    """
    longest = float(length.max(initial=0.0)) or 1.0
    width = min(0.999 * float(length.min(initial=longest)), longest / 16.0)
    return width, 1 << int(longest / width + 2.0).bit_length()


def _neighbours(layout: AnyLayout) -> Array:
    """Return the rows of `list_neighbours` if links have only two lengths, as on tile maps; else none."""
    arrays = layout.arrays
    length = arrays.link_length
    none = np.empty((0, SIDES), np.int16)
    shorter = float(length.min(initial=np.inf))
    if len(length) == 0 or not ((length == shorter) | (length == length.max())).all():
        return none
    furthest = list_neighbours(arrays.link_start, arrays.link_cell, length, shorter, none)
    if furthest < 0:
        return none
    narrow = furthest <= np.iinfo(np.int16).max
    neighbour = np.zeros((len(arrays.link_start) - 1, SIDES), np.int16 if narrow else np.int32)
    list_neighbours(arrays.link_start, arrays.link_cell, length, shorter, neighbour)
    return neighbour
