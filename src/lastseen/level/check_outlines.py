"""Check outlines: enough points, some area, no self-intersection, holes inside, ramps flat."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from ..conventions import Array, Floats
from ..errors import Fault
from .check_numbers import where
from .floor_plans import Plans
from .level import Floor, Level

SMALLEST_AREA = 1e-6
"""Square metres; below it an outline is a line or a point."""
FLATNESS = 0.01
"""Metres a corner may lie off the plane of its floor."""


@dataclass(frozen=True)
class Ring:
    """A closed line to check: its owner, its points (n, 2 or 3), its required orientation (0: either)."""

    owner: str
    points: Floats
    turn: int = 0


def outline_faults(level: Level) -> list[Fault]:
    """Return the faults of the footprints of obstacles, cover, doors and zones."""
    rings = [
        Ring(where(group, index, thing.name), thing.outline_xy)
        for group in ("obstacles", "cover", "doors", "zones")
        for index, thing in enumerate(getattr(level, group))
    ]
    return ring_faults(rings)[0]


def floor_faults(floors: Sequence[Floor], group: str) -> list[Fault]:
    """Return the faults of floors and ramps: their rings, orientation, holes and flatness."""
    rings = []
    owner = []
    for index, floor in enumerate(floors):
        name = where(group, index, floor.name)
        rings.append(Ring(name, floor.outline_xyz, turn=1))
        rings += [Ring(name + f" hole {number}", hole, turn=-1) for number, hole in enumerate(floor.holes_xyz)]
        owner += [index] * (1 + len(floor.holes_xyz))
    faults, bad = ring_faults(rings)
    broken = {owner[number] for number in bad}
    sound = [index for index in range(len(floors)) if index not in broken]
    if sound:
        names = [where(group, index, floors[index].name) for index in sound]
        good = Plans([floors[index] for index in sound])
        faults += [_invalid(good.polygons[row], names[row]) for row in np.flatnonzero(~good.valid).tolist()]
        faults += _flatness_faults(good, names)
    return faults


def ring_faults(rings: Sequence[Ring]) -> tuple[list[Fault], list[int]]:
    """Return the faults of closed lines, and the indices of those that bound no proper area."""
    faults: list[Fault] = []
    enough = [number for number, ring in enumerate(rings) if len(ring.points) >= 3]
    bad = sorted(set(range(len(rings))) - set(enough))
    for number in bad:
        ring = rings[number]
        what = f"the outline has {len(ring.points)} points"
        faults.append(Fault(what, "draw at least 3", ring.owner, _place(ring.points)))
    if not enough:
        return faults, bad
    lengths = np.array([len(rings[number].points) for number in enough])
    places = np.concatenate([rings[number].points[:, :2] for number in enough])
    whose = np.repeat(np.arange(len(enough)), lengths)
    polygons = shapely.polygons(shapely.linearrings(places, indices=whose))
    valid = shapely.is_valid(polygons)
    area = shapely.area(polygons)
    flat = (area < SMALLEST_AREA) & (valid | (shapely.area(shapely.convex_hull(polygons)) < SMALLEST_AREA))
    for row in np.flatnonzero(flat | ~valid).tolist():
        ring = rings[enough[row]]
        bad.append(enough[row])
        if flat[row]:
            advice = "draw its points around an area, or remove it"
            faults.append(Fault("the outline has no area", advice, ring.owner, _place(ring.points)))
        else:
            faults.append(_invalid(polygons[row], ring.owner))
    turn = np.array([rings[number].turn for number in enough])
    against = turn * np.where(shapely.is_ccw(shapely.get_exterior_ring(polygons)), 1, -1) < 0
    for row in np.flatnonzero(against & valid & ~flat).tolist():
        ring = rings[enough[row]]
        bad.append(enough[row])
        advice = f"order its points {'counter-clockwise' if ring.turn > 0 else 'clockwise'}"
        faults.append(Fault("the outline runs the wrong way", advice, ring.owner, _place(ring.points)))
    return faults + _repeats(rings, enough, lengths), bad


def _repeats(rings: Sequence[Ring], enough: list[int], lengths: Array) -> list[Fault]:
    """Warn of consecutive duplicate points."""
    places = np.concatenate([rings[number].points[:, :2] for number in enough])
    start = np.concatenate([[0], np.cumsum(lengths)])
    following = np.arange(1, len(places) + 1)
    following[start[1:] - 1] = start[:-1]
    twice = np.flatnonzero((places == places[following]).all(axis=1))
    row = np.searchsorted(start, twice, side="right") - 1
    faults = []
    for number in np.unique(row).tolist():
        first = int(twice[row == number][0])
        ring = rings[enough[number]]
        what = f"it has consecutive duplicate points ({int((row == number).sum())})"
        at = tuple(places[first].tolist())
        faults.append(Fault(what, "remove the duplicates", ring.owner, at, severity="warning"))
    return faults


def _place(points: Floats) -> tuple[float, ...] | None:
    return tuple(points[0].tolist()) if len(points) else None


_REASONS = (
    ("self-intersection", "the outline crosses or touches itself", "move its points apart"),
    ("hole lies outside", "a hole lies outside its outline", "move the hole inside, or remove it"),
    ("nested", "a hole lies inside another hole", "remove the inner one; draw floor inside a hole as a separate floor"),
    ("interior is disconnected", "the holes cut the floor into pieces", "draw each piece as a separate floor"),
    ("duplicate rings", "two holes are identical", "remove one"),
)


def _invalid(polygon: shapely.Polygon, owner: str) -> Fault:
    """Return the fault for a polygon that shapely finds invalid, at the position it names."""
    reason = str(shapely.is_valid_reason(polygon))
    place = re.search(r"\[(\S+) (\S+)", reason)
    at = (float(place[1]), float(place[2].rstrip("]"))) if place else None
    for start, what, advice in _REASONS:
        if start in reason.lower():
            return Fault(what, advice, owner, at)
    return Fault(f"the outline is invalid: {reason.partition('[')[0].lower()}", "draw it again", owner, at)


def _flatness_faults(plans: Plans, names: Sequence[str]) -> list[Fault]:
    """Report for each floor that is not flat the corner farthest off its plane, and the height it should have."""
    right = plans.heights(plans.owner, plans.points[:, :2])
    off = np.abs(plans.points[:, 2] - right)
    faults = []
    for row in np.unique(plans.owner[off > FLATNESS]).tolist():
        own = np.flatnonzero(plans.owner == row)
        worst = int(own[off[own].argmax()])
        kind = plans.floors[row].kind
        what = f"the {kind} is not flat: this corner is {off[worst]:.3g} m off its plane"
        advice = f"set z to {right[worst]:.6g}, or cut the {kind} into triangles"
        faults.append(Fault(what, advice, names[row], tuple(plans.points[worst].tolist())))
    return faults
