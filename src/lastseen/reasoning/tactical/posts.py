"""Choose as few posts as possible so that every exit is watched."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.layout import AnyLayout
from ...checks import finite_number, points_xyz, read_only, thing_of, whole_number
from ...conventions import Array, Bools, Floats, Ids
from ...layers.layer import cell_ids, require_cells
from ...level.sight.sight import Sight
from .exposure import cells_seen

MOST_EXACT = 14
"""Maximum number of points with an exact minimum: every set of points has its own bit pattern."""


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
    require_cells(cells)
    thing_of(sight, Sight, "sight", "create one with Sight.from_level(level)")
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
