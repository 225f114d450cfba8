"""Find the openings through which agents can leave an area, and where they lead."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np

from ...cells.query import CellSets
from ...checks import finite_number, read_only, thing_of
from ...conventions import Array, Bools, Floats, Ids
from ...kernels.cells.minimum_cut import cluster_links, label_parts
from .area import Area, cells_about, local_links
from .chords import chords_of_steps


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
    thing_of(area, Area, "area", "create one with area_of, area_within or area_reached")
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
    direction = np.array([way for _, way in place]).reshape(-1, 2)
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
    way = steps.mean(axis=0)
    length = float(np.hypot(way[0], way[1]))
    # Prefer straight links to slanted ones: they cross the opening at right angles.
    at = int(np.lexsort((np.hypot(steps[:, 0], steps[:, 1]).round(6), away.round(6)))[0])
    nearby = np.flatnonzero(away <= away[at] + 0.75)
    at = int(nearby[np.argmin(np.hypot(steps[nearby, 0], steps[nearby, 1]).round(6))])
    return at, way / length if length > 1e-9 else steps[at] / max(float(np.hypot(*steps[at])), 1e-9)


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
