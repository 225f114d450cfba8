"""Find slots around a target: evenly spread places with a straight walk to it."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cache
from typing import Any

import numpy as np

from ...cells.meshed_layout import MeshedLayout
from ...cells.query import cells_at
from ...checks import finite_number, points_xyz, read_only, shown, whole_number
from ...conventions import Array, Bools, Floats, Ids
from ...errors import InputError
from ...kernels.bodies.slot_rings import WIDENED, poll_rings, walks_to
from ...kernels.mesh.point_location import faces_under
from ...layers.layer import require_cells
from ...navmesh.query import nearest_many, tolerances
from ..input_checks import one_or_each

SLOT_REASONS = ("placed", "turned", "widened", "walled", "crowded", "target_off_mesh")
"""Reasons for where a slot is, or why it is missing; `Slots.reason` holds indices into this.

placed: at its own angle on the first ring. turned: on the first ring at another angle. widened: on a wider ring.
walled: nothing free at any angle it may turn to, on any ring. crowded: free places are too close to others.
"""

_PER_SLOT = 4
"""Angles of a ring per slot: a slot turns in quarters of the angle between slots."""
MOST_SLOTS = 64
WIDENING = 0.75
"""Default metres by which a ring is wider than the one before."""
_SNAP = 2.0
"""Metres from the mesh within which a target counts as standing on it."""


@dataclass(frozen=True, eq=False)
class Slots:
    """Places around n targets, `count` each.

    Attributes
    ----------
    xyz : (n, count, 3) float64, metres, on the floor; NaN if there is none.
    cell : (n, count) int32, the cell there; -1: none.
    angle : (n, count) float64, radians counter-clockwise from +x, seen from the target; NaN if there is none.
    radius : (n, count) float64, metres from the target in plan; NaN if there is none.
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
        """(n, count) bool: whether there is a place."""
        return self.reason <= WIDENED

    def why(self, target: int, slot: int) -> str:
        """Return why this slot is where it is, or missing, one of `SLOT_REASONS`."""
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
    widening: float = WIDENING,
    turn: float = math.pi,
    avoid_xyz: Any = (),
) -> Slots:
    """Find places for `count` agents around each of `target_xyz` (n, 3), evenly, with a straight walk to it.

    Parameters
    ----------
    cells : a `CellLayout`, or a `LiveLayout`: no slot is put behind a closed door or into a crate.
    radius : metres from the target, more than 0.
    heading : angle of the first slot in radians, one or (n,): give the direction the first agent comes from.
    apart : minimum metres between any two places of a target, and from `avoid_xyz`.
    rings : number of rings to try, each `widening` metres wider than the one before.
    turn : radians by which a slot may turn from its own angle if that is blocked.
    avoid_xyz : (a, 3) places to keep away from: where others already stand.

    Notes
    -----
    On a ring every slot takes its own angle first; then those without a place turn by quarters of the angle between
    slots, nearest first, counter-clockwise before clockwise. Slots of different targets are independent.
    """
    require_cells(cells, "cells")
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
    facing = one_or_each(heading, len(targets), "heading", "finite radians")
    angles = _PER_SLOT * count
    turns = min(int(finite_number(turn, "turn", unit="rad", low=0.0) / (2.0 * math.pi / angles) + 1e-9), angles // 2)
    floor, on_mesh = _floor(cells, targets)
    directions = _directions(facing, angles)
    avoid = points_xyz(avoid_xyz, "avoid_xyz")
    shape = radius, wider, rings, turns, apart
    xyz, reason = _polled(cells, floor, on_mesh, directions, shape, avoid, count)
    found = reason <= WIDENED
    cell = np.full(reason.shape, -1, np.int32)
    cell[found] = cells_at(cells, xyz[found])
    away = (xyz - floor[:, None])[..., :2]
    angle, metres = np.arctan2(away[..., 1], away[..., 0]), np.hypot(away[..., 0], away[..., 1])
    return Slots(read_only(xyz), read_only(cell), read_only(angle), read_only(metres), read_only(reason))


def polled_slots(
    cells: MeshedLayout, target: Floats, count: int, radius: float, apart: float, rings: int
) -> tuple[Floats, Array]:
    """Return where `slots_around` puts slots around a target (1, 3), and why: their `xyz` and `reason`, unchecked.

    A cheaper form for crews, which call it in every thought.
    """
    floor, on_mesh = _floor(cells, target)
    shape = radius, WIDENING, rings, _PER_SLOT * count // 2, apart
    xyz, reason = _polled(cells, floor, on_mesh, _even(_PER_SLOT * count), shape, np.zeros((0, 3)), count)
    return xyz[0], reason[0]


def _polled(
    cells: MeshedLayout,
    floor: Floats,
    on_mesh: Bools,
    directions: Floats,
    shape: tuple[float, float, int, int, float],
    avoid: Floats,
    count: int,
) -> tuple[Floats, Array]:
    """Return places (n, count, 3) and reasons (n, count); `shape` is radius, widening, rings, turns, apart."""
    mesh = cells.mesh
    xyz, reason = np.empty((len(floor), count, 3)), np.empty((len(floor), count), np.uint8)
    poll_rings(mesh.arrays, floor, on_mesh, directions, *shape, avoid, *tolerances(mesh, None, None), xyz, reason)
    return xyz, reason


def _directions(heading: Floats, angles: int) -> Floats:
    """Return unit vectors (n, angles, 3) to even angles, starting at headings (n,)."""
    turn = heading[:, None] + 2.0 * np.pi * np.arange(angles) / angles
    return np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=-1)


@cache
def _even(angles: int) -> Floats:
    """Return those of one target, starting at +x; read-only."""
    return _directions(np.zeros(1), angles)


def straight_walks(cells: MeshedLayout, target_xyz: Any, xyz: Any) -> tuple[Bools, Floats]:
    """Return to which of `xyz` (n, 3) a straight walk leads from a target, (n,) bool; and (n, 3), them on the floor.

    Use it to check slots that moved with their target before sending an agent there.
    """
    require_cells(cells, "cells")
    return walks_from(cells, points_xyz([target_xyz], "target_xyz"), points_xyz(xyz, "xyz"))


def walks_from(cells: MeshedLayout, target: Floats, places: Floats) -> tuple[Bools, Floats]:
    """Return what `straight_walks` does for a checked target (1, 3) and checked places (n, 3) float64."""
    mesh = cells.mesh
    free, where = np.empty(len(places), np.bool_), np.empty((len(places), 3))
    body = tolerances(mesh, None, None)
    if not walks_to(mesh.arrays, target, 0, places, *body, free, where):
        floor, on_mesh = _floor(cells, target)
        walks_to(mesh.arrays, floor, 0, places, *body, free, where)
        free &= on_mesh
    return free, where


def _floor(cells: MeshedLayout, targets: Floats) -> tuple[Floats, Bools]:
    """Return where on the floor targets are (n, 3), and which of them are on it at all (n,)."""
    mesh = cells.mesh
    floor, height, face = targets.copy(), np.empty(len(targets)), np.empty(len(targets), np.int32)
    faces_under(mesh.arrays, targets, *tolerances(mesh, None, None), face, height)
    off = np.isnan(height)
    if not off.any():
        floor[:, 2] = height
    else:
        floor[~off, 2] = height[~off]
        near = nearest_many(mesh, targets[off], _SNAP)
        floor[off] = np.where(near.found[:, None], near.xyz, targets[off])
        off[off] = ~near.found
    return floor, ~off
