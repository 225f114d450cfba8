"""Exposure, cover and posts: which cells are seen from where, what hides a body, and where to watch from."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...cells.query import CellSets, cells_within_many
from ...checks import finite_number, instance_of, points_xyz, read_only, real_array, shown, whole_number
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError
from ...kernels.sight.exposure import cover_from_eyes, cover_from_ways, seen_cells
from ...layers.layer import Layer, cell_ids, require_cells, require_layer
from ...level.sight.sight import Sight
from ..input_checks import one_or_each

HEIGHTS = (0.4, 0.8, 1.2, 1.6)
"""Metres above the floor at which a standing body is looked at: four rays, as for cover posts."""
_FARTHEST = 1e4
MOST_EXACT = 14
"""Maximum number of points with an exact minimum: every set of points has its own bit pattern."""


def cells_seen(
    cells: AnyLayout,
    sight: Sight,
    eyes_xyz: Any,
    *,
    reach: Any = 40.0,
    at: float = 1.0,
    heading: Any = None,
    angle: float = 2.0 * math.pi,
) -> CellSets:
    """Return the cells each of `eyes_xyz` (n, 3) sees, as sets of int32 ids; z is the height of the eye itself.

    Parameters
    ----------
    sight : what blocks sight; doors count as they are now.
    reach : metres an eye sees, in space to the cell's floor, one or (n,).
    at : metres above the floor of the point that must be visible: 1.0 is a chest, 0.2 a lying body.
    heading, angle : direction in radians, one or (n,), and full opening angle; None: all around.

    Notes
    -----
    Travis McIntosh, "Human Enemy AI in *The Last of Us*", walks an 8-bit height map; here lines of sight are exact.
    Cells disabled by a cut are left out.
    """
    require_cells(cells, "cells")
    arrays = instance_of(sight, Sight, "sight", "create one with Sight.from_level(level)").arrays
    eyes = points_xyz(eyes_xyz, "eyes_xyz")
    height = finite_number(at, "at", unit="m", low=0.0, high=100.0)
    far = one_or_each(reach, len(eyes), "reach", "metres, at least 0", low=0.0, high=math.inf)
    near = cells_within_many(cells, eyes, far)
    facing, cosine = _views(heading, angle, len(eyes))
    found, start = near.cell.copy(), np.empty(len(eyes) + 1, np.int64)
    count = seen_cells(arrays, cells.arrays.cell_xyz, eyes, facing, cosine, height, near.start, found, start)
    return CellSets(read_only(start), read_only(found[:count].copy()))


def expose(layer: Layer, seen: CellSets) -> Array:
    """Write what eyes see into a layer; return the cells written, int32, ascending.

    A bool layer is the exposure map: whether any eye sees a cell, the union of the single maps. Any other layer gets
    the number of eyes that see a cell added, clamped to its range. `layer.clear(cells)` removes it again.
    """
    require_layer(layer)
    cells = cell_ids(layer.layout, instance_of(seen, CellSets, "seen", "give the result of cells_seen").cell)
    touched, count = np.unique(cells, return_counts=True)
    if layer.dtype == np.bool_:
        layer.values[touched] = True
    else:
        layer.add(touched, count)
    return read_only(touched.astype(np.int32))


def cover_towards(
    cells: AnyLayout,
    sight: Sight,
    which: Any,
    directions: Any,
    *,
    reach: float = 3.0,
    heights: Sequence[float] = HEIGHTS,
    fan: float = math.radians(20.0),
) -> Floats:
    """Return how well cells are covered from threats in a direction, (n, d) float64, 0: open, 1: fully covered.

    Parameters
    ----------
    which : (n,) cell ids, or a mask.
    directions : (d, 2) or (2,): direction of the threats, seen from the cells.
    reach : metres within which cover counts: a wall at the far end of a hall does not.
    heights : metres above the floor of the points to cover.
    fan : total angle in radians over which threats may be spread.

    Notes
    -----
    The share of horizontal rays that are blocked: from each height, straight and to both ends of the fan.
    """
    arrays, places = _bodies(cells, sight, which)
    toward = real_array(directions, "directions", "(x, y), one or several")
    toward = toward[None] if toward.ndim == 1 else toward
    if toward.ndim != 2 or toward.shape[1] != 2 or not np.isfinite(toward).all():
        raise InputError(f"directions have shape {toward.shape}; give (d, 2), finite")
    length = np.hypot(toward[:, 0], toward[:, 1])
    if not (length > 0.0).all():
        raise InputError("a direction is (0, 0); give the direction of the threat, seen from the cell")
    far = finite_number(reach, "reach", unit="m", low=0.0, high=_FARTHEST, open_low=True)
    wide = finite_number(fan, "fan", unit="rad", low=0.0, high=2.0 * math.pi)
    turns = np.array([0.0]) if wide == 0.0 else np.array([-wide / 2.0, 0.0, wide / 2.0])
    out = np.empty((len(places), len(toward)))
    cover_from_ways(arrays, places, toward / length[:, None], _heights(heights), turns, far, out)
    return read_only(out)


def cover_against(
    cells: AnyLayout, sight: Sight, which: Any, eyes_xyz: Any, *, heights: Sequence[float] = HEIGHTS
) -> Floats:
    """Return how much of a body in each cell each eye does not see, (n, m) float64, 0: all is seen, 1: nothing.

    `eyes_xyz` (m, 3) include the height of the eye; the rest is as for `cover_towards`. Against several eyes together,
    take the minimum of a row. The source keeps a post if any ray gets through: its cover is below 1.
    """
    arrays, places = _bodies(cells, sight, which)
    eyes = points_xyz(eyes_xyz, "eyes_xyz")
    out = np.empty((len(places), len(eyes)))
    cover_from_eyes(arrays, places, eyes, _heights(heights), out)
    return read_only(out)


def _bodies(cells: AnyLayout, sight: Sight, which: Any) -> tuple[Any, Floats]:
    require_cells(cells, "cells")
    arrays = instance_of(sight, Sight, "sight", "make one with Sight.from_level(level)").arrays
    return arrays, cells.arrays.cell_xyz[cell_ids(cells, which)].astype(np.float64)


def _heights(values: Any) -> Floats:
    heights = real_array(values, "heights", "metres above the floor")
    if heights.ndim != 1 or not len(heights) or not ((heights >= 0.0) & (heights <= 100.0)).all():
        raise InputError(f"heights are {shown(values)}; give one or more, from 0 to 100 m")
    return np.ascontiguousarray(heights)


def _views(heading: Any, angle: float, count: int) -> tuple[Floats, Floats]:
    """Return the direction of each eye (n, 2) and the cosine of half its opening (n,); -1: all around."""
    wide = finite_number(angle, "angle", unit="rad", low=0.0, open_low=True)
    if heading is None:
        return np.zeros((count, 2)), np.full(count, -1.0)
    turn = one_or_each(heading, count, "heading", "finite radians")
    half = min(wide / 2.0, math.pi)
    return np.column_stack([np.cos(turn), np.sin(turn)]), np.full(count, -1.0 if half >= math.pi else math.cos(half))


@dataclass(frozen=True, eq=False)
class Posts:
    """Cells to stand on and what each watches.

    Attributes
    ----------
    cells : (k,) int32, ordered by the number of points each adds, most first.
    xyz : (k, 3) float64 metres, on the floor.
    watcher : (p,) int32, the post that watches each point, the nearest of several; -1: none.
    watchable : (p,) bool: whether any cell sees it at all.
    fewest : whether fewer posts could not watch as much.
    """

    cells: Ids
    xyz: Floats
    watcher: Ids
    watchable: Bools
    fewest: bool

    def __len__(self) -> int:
        return len(self.cells)


def posts_watching(
    cells: AnyLayout,
    sight: Sight,
    watched_xyz: Any,
    *,
    candidates: Any = None,
    reach: float = 20.0,
    least: float = 0.0,
    eye: float = 1.6,
    at: float = 1.0,
    most: int | None = None,
) -> Posts:
    """Find the fewest cells from which all of `watched_xyz` (p, 3), places on the floor, are seen.

    Parameters
    ----------
    sight : what blocks sight; doors count as they are now.
    candidates : cells (ids or a mask) that may be posts; None: all within `reach` of a point.
    reach, least : maximum and minimum metres between a post and what it watches.
    eye, at : metres above the floor of the eye, and of the point watched.
    most : maximum number of posts; those that watch most come first.

    Notes
    -----
    Up to 14 points the number is minimal; beyond, the post that adds most is taken repeatedly. Of posts that see the
    same, the one whose furthest point is nearest is taken, then the lowest cell.
    """
    require_cells(cells, "cells")
    instance_of(sight, Sight, "sight", "create one with Sight.from_level(level)")
    watched = points_xyz(watched_xyz, "watched_xyz")
    near = finite_number(least, "least", unit="m", low=0.0)
    height = finite_number(at, "at", unit="m", low=0.0, high=100.0)
    limit = len(watched) if most is None else min(whole_number(most, "most"), len(watched))
    may = None if candidates is None else np.unique(cell_ids(cells, candidates))
    # Lines of sight are symmetric: a cell seen from a point sees it.
    seen = cells_seen(cells, sight, watched + np.array([0.0, 0.0, height]), reach=reach, at=eye)
    owner = np.repeat(np.arange(len(watched)), np.diff(seen.start))
    xyz = cells.arrays.cell_xyz
    away = np.linalg.norm(xyz[seen.cell].astype(np.float64) - watched[owner], axis=1)
    keep = away >= near
    if may is not None:
        keep &= np.isin(seen.cell, may)
    owner, away = owner[keep], away[keep]
    every, row = np.unique(seen.cell[keep], return_inverse=True)
    table = np.zeros((len(every), len(watched)), np.bool_)
    table[row, owner] = True
    far = np.zeros(len(every))
    np.maximum.at(far, row, away)
    chosen, fewest = _choose(table, far, limit)
    distance = np.full(table.shape, np.inf)
    distance[row, owner] = away
    return _result(every[chosen].astype(np.int32), xyz, distance[chosen], np.asarray(table.any(axis=0)), fewest)


def _choose(table: Bools, far: Floats, limit: int) -> tuple[Array, bool]:
    """Return rows that together have every point any row has, and whether no fewer rows would do."""
    order = np.lexsort((np.arange(len(far)), far))
    exact = table.shape[1] <= MOST_EXACT
    alike = _codes(table[order]) if exact else table[order]
    _, first = np.unique(alike, axis=0, return_index=True)
    rows = order[np.sort(first)]
    rows = rows[table[rows].any(axis=1)]
    chosen = _fewest(table, rows) if exact else _greedy(table, rows)
    sorted_by_gain = _greedy(table, np.array(chosen, np.int64))
    return np.array(sorted_by_gain[:limit], np.int64), exact and len(sorted_by_gain) <= limit


def _greedy(table: Bools, rows: Array) -> list[int]:
    """Take the row that adds most, repeatedly; of several, the first."""
    missing = table[rows].any(axis=0) if len(rows) else np.zeros(table.shape[1], np.bool_)
    chosen: list[int] = []
    while missing.any():
        gain = (table[rows] & missing).sum(axis=1)
        best = int(rows[np.argmax(gain)])
        chosen.append(best)
        missing &= ~table[best]
    return chosen


def _codes(table: Bools) -> Array:
    """Return the points of each row as bits of one number."""
    return table @ (np.int64(1) << np.arange(table.shape[1], dtype=np.int64))


def _fewest(table: Bools, rows: Array) -> list[int]:
    """Go through all sets of points covered by one, two, three … rows, until one is complete."""
    if not len(rows):
        return []
    codes = _codes(table[rows])
    # A row whose points are a proper subset of another's is never needed.
    needed = ((codes[:, None] | codes[None]) == codes[None]).sum(axis=1) == 1
    rows, codes = rows[needed], codes[needed]
    goal = int(np.bitwise_or.reduce(codes))
    came: dict[int, tuple[int, int]] = {0: (0, -1)}
    front = [0]
    while goal not in came:
        following = []
        for have in front:
            for row, code in zip(rows.tolist(), codes.tolist()):
                both = have | code
                if both not in came:
                    came[both] = (have, row)
                    following.append(both)
        front = following
    chosen = []
    have = goal
    while have:
        have, row = came[have]
        chosen.append(row)
    return chosen[::-1]


def _result(chosen: Ids, xyz: Array, distance: Floats, watchable: Bools, fewest: bool) -> Posts:
    watcher = np.full(distance.shape[1], -1, np.int32)
    if len(chosen):
        nearest = distance.argmin(axis=0)
        seen = np.isfinite(distance.min(axis=0))
        watcher[seen] = nearest[seen]
    spots = xyz[chosen].astype(np.float64)
    return Posts(read_only(chosen), read_only(spots), read_only(watcher), read_only(watchable), fewest)
