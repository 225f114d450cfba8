"""Check whether the walk between two places is much longer than the straight line."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from ...checks import finite_number, points_xyz, read_only, thing_of
from ...conventions import Array, Bools, Floats
from ...errors import InputError
from ...navmesh.query import find_paths, raycasts, reachable_many
from .cheapest_routes import CheapestWays

DETOUR_REASONS = ("straight", "near", "far", "no_way", "off_mesh")
"""Results of a comparison; `Detours.reason` holds indices into this.

straight: the straight line can be walked. near: slightly longer. far: longer than allowed. no_way: there is none.
off_mesh: one of the ends is not on the mesh.
"""

_STRAIGHT, _NEAR, _FAR, _NO_WAY, _OFF = range(5)
_STRETCH = 1.2
"""A walk from cell to cell is at most this factor longer than the shortest; in between, the mesh decides."""
_ENDS = 2.0
"""Cell sizes by which a walk may be longer because of where its ends are within their cells."""
_OFF_ROUTE = 3
"""Route reasons from this value on mean that an end is off the mesh."""


@dataclass(frozen=True, eq=False)
class Detours:
    """Walks compared with straight lines, for n pairs.

    Attributes
    ----------
    straight : (n,) float64 metres in space.
    length : (n,) float64 metres of the walk; at most `limit` if near, infinite if given up.
    limit : (n,) float64 maximum metres of a walk.
    far : (n,) bool: the walk is longer than that, or there is none.
    reason : (n,) uint8, index into `DETOUR_REASONS`.
    touched : (n,) int64, cells that were visited.
    """

    straight: Floats
    length: Floats
    limit: Floats
    far: Bools
    reason: Array
    touched: Array

    def __len__(self) -> int:
        return len(self.reason)

    def why(self, index: int) -> str:
        """Return how this walk compares, one of `DETOUR_REASONS`."""
        return DETOUR_REASONS[int(self.reason[index])]


def detours(ways: CheapestWays, start_xyz: Any, goal_xyz: Any, *, ratio: float = 2.0, extra: float = 5.0) -> Detours:
    """Check whether the walk of each pair (n, 3) exceeds `ratio` times the straight line plus `extra` metres.

    Pairs with a straight walk need no search; a search ends when every path must be too long. A walk about as long as
    allowed is measured on the mesh, so that cells do not decide.
    """
    thing_of(ways, CheapestWays, "ways", "create it once with CheapestWays(layout)")
    starts, goals = points_xyz(start_xyz, "start_xyz"), points_xyz(goal_xyz, "goal_xyz")
    if len(starts) != len(goals):
        raise InputError(f"there are {len(starts)} starts and {len(goals)} goals; give one goal per start")
    ratio = finite_number(ratio, "ratio", low=1.0, high=1e6)
    extra = finite_number(extra, "extra", unit="m", low=0.0, high=1e9)
    straight = np.linalg.norm(goals - starts, axis=1)
    limit = ratio * straight + extra
    mesh = ways.layout.mesh
    reason = np.full(len(starts), _STRAIGHT, np.uint8)
    length, touched = straight.copy(), np.zeros(len(starts), np.int64)
    rows = np.flatnonzero(~raycasts(mesh, starts, goals).reached)
    joined = reachable_many(mesh, starts[rows], goals[rows])
    apart = rows[~joined]
    if len(apart):
        off = raycasts(mesh, starts[apart], starts[apart]).outcome + raycasts(mesh, goals[apart], goals[apart]).outcome
        reason[apart], length[apart] = np.where(off > 0, _OFF, _NO_WAY), np.inf
    rows = rows[joined]
    if len(rows):
        _search(ways, starts, goals, rows, limit, reason, length, touched)
    far = reason >= _FAR
    return Detours(*map(read_only, (straight, length, limit, far, reason, touched)))


def _search(
    ways: CheapestWays,
    starts: Floats,
    goals: Floats,
    rows: Array,
    limit: Floats,
    reason: Array,
    length: Floats,
    touched: Array,
) -> None:
    """Fill in how walks over cells compare; those about as long as the limit are measured on the mesh."""
    slack = _ENDS * float(ways.layout.arrays.size_xyz[0])
    routes = ways.find(starts[rows], goals[rows], most=limit[rows] * _STRETCH + slack, straight=False)
    touched[rows] = routes.touched
    fine = routes.reached & (routes.length <= limit[rows])
    reason[rows], length[rows] = np.where(fine, _NEAR, _FAR), np.where(fine, routes.length, np.inf)
    # The mesh also decides where no cell stands for an end.
    doubtful = rows[(routes.reached & ~fine) | (routes.reason >= _OFF_ROUTE)]
    if len(doubtful):
        exact = find_paths(ways.layout.mesh, starts[doubtful], goals[doubtful])
        near = exact.reached & (exact.length <= limit[doubtful])
        reason[doubtful] = np.where(near, _NEAR, _FAR)
        length[doubtful] = np.where(near, exact.length, np.inf)
