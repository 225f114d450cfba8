"""Find the exits of an area and where they lead, and the fewest cells that close it off."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...cells.query import CellSets
from ...checks import finite_number, instance_of, read_only, shown, whole_number
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError, QueryError
from ...kernels.cells.minimum_cut import TOO_MANY, TOUCHING, cluster_links, fewest_cells, label_parts
from .area import Area, LocalLinks, cells_about, local_links
from .chords import chords_of_steps

CLOSING_REASONS = ("closed", "touching", "too_many")
"""closed: these cells keep everyone in. touching: the inner area reaches out of the outer one, so nothing lies between.
too_many: it takes more cells than allowed, as on open ground."""


@dataclass(frozen=True, eq=False)
class Exits:
    """Openings of an area, ordered by the lowest cell they leave.

    Attributes
    ----------
    xyz : (n, 3) float64, metres, on the floor, in the opening.
    direction : (n, 2) float64, unit vector outwards.
    width : (n,) float64 metres from wall to wall; infinite: wider than `widest`.
    ends : (n, 2, 3) float64, the two ends of the narrowest line across; the place itself if it is wider.
    leads_to : (n,) int32: exits with the same number lead to the same part outside.
    beyond : (n,) float64, square metres of that part within `look` metres.
    goes_on : (n,) bool: the part extends beyond `look` metres; otherwise it is a dead end.
    inner, outer : cells on both sides of each exit.
    """

    xyz: Floats
    direction: Floats
    width: Floats
    ends: Floats
    leads_to: Ids
    beyond: Floats
    goes_on: Bools
    inner: CellSets
    outer: CellSets

    def __len__(self) -> int:
        return len(self.xyz)


def exits_of(area: Area, *, widest: float = 8.0, look: float = 15.0) -> Exits:
    """Find the openings through which agents can leave an area.

    Parameters
    ----------
    widest : metres; wider openings are split into several, as on open ground.
    look : metres beyond an exit that are explored to find where it leads.

    Notes
    -----
    Links that leave the area belong to one exit if cells on both sides of them are linked. Doors that are closed now
    are not exits.
    """
    instance_of(area, Area, "area", "create one with area_of, area_within or area_reached")
    widest = finite_number(widest, "widest", unit="m", low=0.1, high=1e3)
    look = finite_number(look, "look", unit="m", low=0.0, high=1e4)
    layout = area.layout
    around = local_links(layout, area.cells)
    outside = np.unique(around.outer)
    both = np.union1d(area.cells, outside).astype(np.int32)
    links = local_links(layout, both)
    inner = np.searchsorted(both, area.cells)[around.inner].astype(np.int64)
    outer = np.searchsorted(both, around.outer).astype(np.int64)
    xyz = layout.arrays.cell_xyz[both].astype(np.float64)
    groups = _openings(layout.arrays.cell_grid[both], xyz, links.start, links.other, inner, outer, widest)
    groups.sort(key=lambda rows: (int(inner[rows].min()), int(outer[rows].min())))
    place = [_place(xyz, inner[rows], outer[rows]) for rows in groups]
    chosen = np.array([rows[at] for rows, (at, _) in zip(groups, place)], np.int64)
    direction = np.array([outward for _, outward in place]).reshape(-1, 2)
    middle = chords_of_steps(layout.mesh, xyz[inner[chosen]], xyz[outer[chosen]], widest)
    leads_to, beyond, goes_on = _beyond(area, both, outer, groups, middle.middle, look)
    return Exits(
        xyz=read_only(middle.middle),
        direction=read_only(direction),
        width=read_only(middle.width),
        ends=read_only(middle.ends),
        leads_to=read_only(leads_to),
        beyond=read_only(beyond),
        goes_on=read_only(goes_on),
        inner=_sets(both, inner, groups),
        outer=_sets(both, outer, groups),
    )


def _openings(
    grid: Array, xyz: Floats, start: Array, other: Ids, inner: Array, outer: Array, widest: float
) -> list[Array]:
    """Return the links of each opening; openings that are too wide are halved until they are not."""
    waiting, done = [np.arange(len(inner))], list[Array]()
    while waiting:
        rows = waiting.pop()
        if not len(rows):
            continue
        pair = np.argsort(grid[inner[rows], 0], kind="stable")
        label = np.empty(len(rows), np.int64)
        count = cluster_links(pair, grid, start, other, inner[rows], outer[rows], label)
        for number in range(count):
            part = rows[label == number]
            middle = (xyz[inner[part], :2] + xyz[outer[part], :2]) / 2.0
            low, high = middle.min(axis=0), middle.max(axis=0)
            axis = int((high - low).argmax())
            first = middle[:, axis] <= (low[axis] + high[axis]) / 2.0
            if (high - low)[axis] <= widest or first.all():
                done.append(part)
            else:
                waiting += [part[first], part[~first]]
    return done


def _place(xyz: Floats, inner: Array, outer: Array) -> tuple[int, Floats]:
    """Return the link nearest to the middle of an opening, and the direction outwards."""
    middle = (xyz[inner] + xyz[outer]) / 2.0
    away = np.linalg.norm(middle - middle.mean(axis=0), axis=1)
    steps = (xyz[outer] - xyz[inner])[:, :2]
    outward = steps.mean(axis=0)
    length = float(np.hypot(outward[0], outward[1]))
    # Prefer straight links to slanted ones: they cross the opening at right angles.
    at = int(np.lexsort((np.hypot(steps[:, 0], steps[:, 1]).round(6), away.round(6)))[0])
    nearby = np.flatnonzero(away <= away[at] + 0.75)
    at = int(nearby[np.argmin(np.hypot(steps[nearby, 0], steps[nearby, 1]).round(6))])
    return at, outward / length if length > 1e-9 else steps[at] / max(float(np.hypot(*steps[at])), 1e-9)


def _beyond(
    area: Area, both: Ids, outer: Array, groups: list[Array], places: Floats, look: float
) -> tuple[Ids, Floats, Bools]:
    """Return the part outside that each exit leads to, its size and whether it continues."""
    layout = area.layout
    near = np.setdiff1d(np.union1d(cells_about(layout, places, look), both[outer]), area.cells).astype(np.int32)
    links = local_links(layout, near)
    label = np.empty(len(near), np.int32)
    label_parts(links.start, links.other, label)
    first = np.array([int(both[outer[rows]].min()) for rows in groups], np.int32)
    part = label[np.searchsorted(near, first)] if len(near) else np.zeros(0, np.int32)
    size = np.bincount(label, minlength=1) * float(layout.arrays.size_xyz[0] * layout.arrays.size_xyz[1])
    leaves = np.zeros(len(size), np.bool_)
    # A part continues if it has a link out of the explored cells, other than back into the area.
    onward = ~area.holds(links.outer) if len(links.outer) else np.zeros(0, np.bool_)
    leaves[label[links.inner[onward]]] = True
    _, leads_to = np.unique(part, return_inverse=True)
    return leads_to.astype(np.int32), size[part].astype(np.float64), leaves[part]


def _sets(both: Ids, end: Array, groups: list[Array]) -> CellSets:
    parts = [np.unique(both[end[rows]]) for rows in groups]
    start = np.concatenate([[0], np.cumsum([len(part) for part in parts])]).astype(np.int64)
    cells = np.concatenate(parts).astype(np.int32) if parts else np.zeros(0, np.int32)
    return CellSets(read_only(start), read_only(cells))


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
        instance_of(area, Area, name, "create one with area_of, area_within or area_reached")
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
