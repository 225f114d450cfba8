"""Close off an area: find the fewest cells to hold so that no agent gets out."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...checks import finite_number, read_only, shown, thing_of, whole_number
from ...conventions import Array, Floats, Ids
from ...errors import InputError, QueryError
from ...kernels.cells.minimum_cut import TOO_MANY, TOUCHING, fewest_cells, label_parts
from .area import Area, LocalLinks, local_links
from .chords import chords_of_steps

CLOSING_REASONS = ("closed", "touching", "too_many")
"""closed: these cells keep everyone in. touching: the inner area reaches out of the outer one, so nothing lies between.
too_many: it takes more cells than allowed, as on open ground."""


@dataclass(frozen=True, eq=False)
class Closing:
    """The fewest cells between an inner area and the outside.

    Attributes
    ----------
    reason : one of `CLOSING_REASONS`.
    cells : (n,) int32, ascending; empty if there is no answer, or no way out anyway.
    place : (n,) int32, number of the narrow place each cell belongs to; linked cells share one.
    xyz : (p, 3) float64 metres, where each place is narrowest.
    width : (p,) float64 metres from wall to wall there; infinite: wider than `widest`.
    """

    reason: str
    cells: Ids
    place: Ids
    xyz: Floats
    width: Floats


def cells_closing(inner: Area, outer: Area, *, near: str = "outside", most: int = 64, widest: float = 10.0) -> Closing:
    """Return the fewest cells of `outer` to hold so that no agent gets from `inner` out of `outer`.

    Parameters
    ----------
    near : of several smallest sets, prefer the one nearest to the "outside" (time to get there) or "inside".
    most : maximum number of cells.
    widest : maximum width in metres that is measured.

    Notes
    -----
    Exact: the number of paths that share no cell equals the number of cells needed (Menger). Cells of `inner` itself
    are never returned. The cost grows with the cells of `outer` times the size of the answer.
    """
    for name, area in (("inner", inner), ("outer", outer)):
        thing_of(area, Area, name, "create one with area_of, area_within or area_reached")
    if not isinstance(near, str) or near not in ("outside", "inside"):
        raise InputError(f"near is {shown(near)}; give 'outside' or 'inside'")
    most = min(whole_number(most, "most"), 1 << 30)
    widest = finite_number(widest, "widest", unit="m", low=0.1, high=1e3)
    if inner.layout.arrays.cell_grid is not outer.layout.arrays.cell_grid:
        raise QueryError("inner and outer are areas of different layouts; create both from the same layout")
    beyond = np.unique(local_links(outer.layout, outer.cells).outer)
    every = np.union1d(np.union1d(outer.cells, beyond), inner.cells).astype(np.int32)
    links = local_links(outer.layout, every)
    source = np.isin(every, inner.cells)
    sink = ~source & ~np.isin(every, outer.cells)
    if near == "outside":
        links, source, sink = links.reversed(), sink, source
    cut = np.zeros(len(every), np.bool_)
    count = int(fewest_cells(links.start, links.other, source, sink, most, cut))
    if count in (TOUCHING, TOO_MANY) or not np.isin(inner.cells, outer.cells).all():
        reason = "too_many" if count == TOO_MANY else "touching"
        return Closing(reason, *_nothing())
    return _closed(outer, every, links, np.flatnonzero(cut), widest)


def _nothing() -> tuple[Ids, Ids, Floats, Floats]:
    none = read_only(np.zeros(0, np.int32))
    return none, none, read_only(np.zeros((0, 3))), read_only(np.zeros(0))


def _closed(outer: Area, every: Ids, links: LocalLinks, cut: Array, widest: float) -> Closing:
    cells = every[cut]
    if not len(cells):
        return Closing("closed", *_nothing())
    own = local_links(outer.layout, cells)
    place = np.empty(len(cells), np.int32)
    label_parts(own.start, own.other, place)
    middle, width = _narrowest(outer, every, links, cut, place, widest)
    return Closing("closed", read_only(cells), read_only(place), read_only(middle), read_only(width))


def _narrowest(
    outer: Area, every: Ids, links: LocalLinks, cut: Array, place: Ids, widest: float
) -> tuple[Floats, Floats]:
    """Return where places are narrowest and how wide there, across the steps into and out of their cells."""
    arrays = outer.layout.arrays
    xyz, grid = arrays.cell_xyz[every].astype(np.float64), arrays.cell_grid[every].astype(np.int64)
    other = np.concatenate([links.other[links.start[row] : links.start[row + 1]] for row in cut.tolist()])
    repeats = links.start[cut + 1] - links.start[cut]
    one, owner = np.repeat(cut, repeats), np.repeat(place, repeats)
    # Ignore steps along the place itself.
    leaving = ~np.isin(other, cut)
    one, other, owner = one[leaving], other[leaving], owner[leaving]
    chords = chords_of_steps(outer.layout.mesh, xyz[one], xyz[other], widest)
    slanted = np.abs(grid[one, :2] - grid[other, :2]).sum(axis=1) != 1
    middle, width = np.empty((int(place.max()) + 1, 3)), np.full(int(place.max()) + 1, np.inf)
    # Slanted steps cut corners, which are not the place: they count only if no straight one found an edge.
    order = np.lexsort((chords.width.round(6), slanted & np.isfinite(chords.width), np.isinf(chords.width), owner))
    for number in range(len(middle)):
        rows = np.flatnonzero(place == number)
        own = order[owner[order] == number]
        if len(own) and np.isfinite(chords.width[own[0]]):
            middle[number], width[number] = chords.middle[own[0]], chords.width[own[0]]
        else:
            spots = xyz[cut[rows]]
            middle[number] = spots[int(np.argmin(np.linalg.norm(spots - spots.mean(axis=0), axis=1).round(6)))]
    return middle, width
