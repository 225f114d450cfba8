"""Slots: places round a target, spread evenly, that one can walk to it from in a straight line."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from ...cells.query import cells_at
from ...checks import finite_number, points_xyz, read_only, real_array, shown, whole_number
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError
from ...kernels.raycast import cast_rays
from ...kernels.slot_choice import take_slots
from ...layers.layer import require_cells
from ...navmesh.locate import heights_at, nearest_many, tolerances
from ...navmesh.navmesh import AnyMesh
from ...navmesh.results import RAY_OUTCOMES
from ..chase.layouts import MeshedLayout

__all__ = ["SLOT_REASONS", "Slots", "slots_around", "straight_walks", "walks_from"]

SLOT_REASONS = ("placed", "turned", "widened", "walled", "crowded", "target_off_mesh")
"""Why a slot is where it is, or is missing; `Slots.reason` holds indices into this.

placed: at its own angle on the first ring. turned: on the first ring at another angle. widened: on a wider ring.
walled: nothing free at any angle it may turn to, on any ring. crowded: what is free is too near to other places.
"""

_PLACED, _TURNED, _WIDENED, _WALLED, _CROWDED, _OFF = range(6)
_PER_SLOT = 4
"""Angles of a ring for each slot: turning goes in quarters of the angle between slots."""
MOST_SLOTS = 64
_REACHED, _OFF_MESH, _OTHER_FLOOR = map(RAY_OUTCOMES.index, ("reached", "off_mesh", "other_floor"))
_SNAP = 2.0
"""Metres from the mesh within which a target is taken to stand on it."""


@dataclass(frozen=True, eq=False)
class Slots:
    """Places round n targets, `count` each.

    Attributes
    ----------
    xyz : (n, count, 3) float64, metres, on the floor; NaN where there is none.
    cell : (n, count) int32, the cell there; -1: none.
    angle : (n, count) float64, radians counter-clockwise from +x, seen from the target; NaN where there is none.
    radius : (n, count) float64, metres from the target in plan; NaN where there is none.
    reason : (n, count) uint8, index into `SLOT_REASONS`.
    """

    xyz: Floats
    cell: Ids
    angle: Floats
    radius: Floats
    reason: Array

    def __len__(self) -> int:
        return len(self.xyz)

    @property
    def found(self) -> Bools:
        """(n, count) bool: is there a place?"""
        return self.reason <= _WIDENED

    def why(self, target: int, slot: int) -> str:
        """Why is this slot where it is, or missing? One of `SLOT_REASONS`."""
        return SLOT_REASONS[int(self.reason[target, slot])]


def slots_around(
    cells: MeshedLayout,
    target_xyz: Any,
    count: int,
    radius: float,
    *,
    heading: Any = 0.0,
    apart: float = 0.8,
    rings: int = 3,
    widening: float = 0.75,
    turn: float = math.pi,
    avoid_xyz: Any = (),
) -> Slots:
    """Where can `count` stand round each of `target_xyz` (n, 3), evenly, with a straight walk to it?

    Parameters
    ----------
    cells : a `CellLayout`, or a `LiveLayout`: nobody is put behind a closed door or into a crate.
    radius : metres from the target, more than 0.
    heading : radians where the first slot lies, one or (n,): give the direction the first comes from.
    apart : least metres between any two places of a target, and from `avoid_xyz`.
    rings : how many rings are tried, each `widening` metres wider than the one before.
    turn : radians a slot may be turned away from its own angle where that is blocked.
    avoid_xyz : (a, 3) places nobody is put near: where others stand already.

    Notes
    -----
    On a ring every slot takes its own angle first, then those without a place turn by quarters of the angle between
    slots, nearest first, left before right. Slots of different targets do not know of one another.
    """
    require_cells(cells)
    targets = points_xyz(target_xyz, "target_xyz")
    count = whole_number(count, "count", low=1)
    if count > MOST_SLOTS:
        raise InputError(f"count is {shown(count)}; give at most {MOST_SLOTS}")
    radius = finite_number(radius, "radius", unit="m", low=0.0, high=1e3, open_low=True)
    apart = finite_number(apart, "apart", unit="m", low=0.0, high=1e3)
    rings = whole_number(rings, "rings", low=1)
    if rings > MOST_SLOTS:
        raise InputError(f"rings is {shown(rings)}; give at most {MOST_SLOTS}")
    wider = finite_number(widening, "widening", unit="m", low=0.0, high=1e3)
    facing = real_array(heading, "heading", "radians, one number or one for each target")
    if facing.shape not in ((), (len(targets),)) or not np.isfinite(facing).all():
        raise InputError(f"heading is {shown(heading)}; give finite radians, one or one for each of {len(targets)}")
    angles = _PER_SLOT * count
    turns = min(int(finite_number(turn, "turn", unit="rad", low=0.0) / (2.0 * math.pi / angles) + 1e-9), angles // 2)
    ring = _Rings(cells, targets, np.full(len(targets), facing), angles)
    avoid = points_xyz(avoid_xyz, "avoid_xyz")
    xyz = np.full((len(targets), count, 3), np.nan)
    turned, number = np.zeros((len(targets), count), np.int64), np.full((len(targets), count), -1, np.int64)
    any_free = np.zeros((len(targets), count), np.bool_)
    for step in range(rings):
        waiting = np.flatnonzero(ring.on_mesh & (number < 0).any(axis=1))
        if not len(waiting):
            break
        # Most rings have all of their own angles free: the others are not even looked at then.
        for only_own in (True, False):
            free, points = ring.cast(waiting, radius + step * wider, only_own)
            take_slots(free, points, waiting, 0 if only_own else turns, apart, avoid, xyz, turned, number, step)
            any_free[waiting] |= _free_near(free, count, 0 if only_own else turns)
            waiting = waiting[(number[waiting] < 0).any(axis=1)]
            if not len(waiting):
                break
    return _result(cells, ring.floor, xyz, turned, number, any_free, ring.on_mesh)


def straight_walks(cells: MeshedLayout, target_xyz: Any, xyz: Any) -> tuple[Bools, Floats]:
    """To which of `xyz` (n, 3) is there a straight walk from a target? (n,) bool; and (n, 3), them on the floor.

    What slots that were moved along with their target are asked before anybody is sent there.
    """
    require_cells(cells)
    return walks_from(cells, points_xyz([target_xyz], "target_xyz"), points_xyz(xyz, "xyz"))


def walks_from(cells: MeshedLayout, target: Floats, places: Floats) -> tuple[Bools, Floats]:
    """Return what `straight_walks` does for a target (1, 3) and places (n, 3) float64 that have been checked."""
    outcome, where = _walked(cells.mesh, np.repeat(target, len(places), axis=0), places)
    # All start from one place: they are off the mesh together.
    if not len(outcome) or outcome[0] != _OFF_MESH:
        return _arrived(outcome), where
    floor, on_mesh = _floor(cells, target)
    outcome, where = _walked(cells.mesh, np.repeat(floor, len(places), axis=0), places)
    return _arrived(outcome) & on_mesh, where


def _walked(mesh: AnyMesh, starts: Floats, ends: Floats) -> tuple[Array, Floats]:
    """Return how straight walks (n, 3) end, (n,) in `RAY_OUTCOMES`, and where (n, 3): unchecked `raycasts`."""
    count = len(starts)
    outcome, xyz, unknown = np.empty(count, np.uint8), np.empty((count, 3)), np.full(count, -1, np.int32)
    unused = np.empty(count), np.empty((count, 2)), np.empty(count, np.int32)
    cast_rays(mesh.arrays, starts, ends, unknown, *tolerances(mesh, None, None), False, outcome, xyz, *unused)
    return outcome, xyz


def _floor(cells: MeshedLayout, targets: Floats) -> tuple[Floats, Bools]:
    """Return where on the floor targets are (n, 3), and which of them are on it at all (n,)."""
    floor, height = targets.copy(), heights_at(cells.mesh, targets)
    off = np.isnan(height)
    floor[:, 2] = np.where(off, targets[:, 2], height)
    if off.any():
        near = nearest_many(cells.mesh, targets[off], _SNAP)
        floor[off] = np.where(near.found[:, None], near.xyz, targets[off])
        off[off] = ~near.found
    return floor, ~off


class _Rings:
    """Straight walks from targets to even angles round them."""

    def __init__(self, cells: MeshedLayout, targets: Floats, heading: Floats, angles: int):
        self.mesh, self.angles = cells.mesh, angles
        self.floor, self.on_mesh = _floor(cells, targets)
        turn = heading[:, None] + 2.0 * np.pi * np.arange(angles) / angles
        self.way = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)

    def cast(self, rows: Array, radius: float, only_own: bool) -> tuple[Bools, Floats]:
        """Return which angles of a ring are free (r, c), and where they are (r, c, 3); or slots' own angles only."""
        step = _PER_SLOT if only_own else 1
        way = self.way[rows, ::step]
        starts = np.repeat(self.floor[rows], way.shape[1], axis=0)
        outcome, where = _walked(self.mesh, starts, starts + radius * way.reshape(-1, 3))
        free = np.zeros((len(rows), self.angles), np.bool_)
        points = np.zeros((len(rows), self.angles, 3))
        free[:, ::step] = _arrived(outcome).reshape(len(rows), -1)
        points[:, ::step] = where.reshape(len(rows), -1, 3)
        return free, points


def _arrived(outcome: Array) -> Bools:
    """Did each walk arrive? On whichever floor: it got there on foot."""
    return np.asarray((outcome == _REACHED) | (outcome == _OTHER_FLOOR))


def _free_near(free: Bools, count: int, turns: int) -> Bools:
    """Return (r, count): is any angle a slot may turn to free?"""
    own = np.arange(count) * _PER_SLOT
    near = (own[:, None] + np.arange(-turns, turns + 1)[None]) % free.shape[1]
    return np.asarray(free[:, near].any(axis=2), np.bool_)


def _result(
    cells: MeshedLayout, floor: Floats, xyz: Floats, turned: Array, ring: Array, any_free: Bools, on_mesh: Bools
) -> Slots:
    reason = np.where(ring > 0, _WIDENED, np.where(turned != 0, _TURNED, _PLACED))
    reason = np.where(ring < 0, np.where(any_free, _CROWDED, _WALLED), reason)
    reason[~on_mesh] = _OFF
    found = ring >= 0
    cell = np.full(ring.shape, -1, np.int32)
    cell[found] = cells_at(cells, xyz[found])
    away = (xyz - floor[:, None])[..., :2]
    angle = np.arctan2(away[..., 1], away[..., 0])
    radius, code = np.hypot(away[..., 0], away[..., 1]), reason.astype(np.uint8)
    return Slots(read_only(xyz), read_only(cell), read_only(angle), read_only(radius), read_only(code))
