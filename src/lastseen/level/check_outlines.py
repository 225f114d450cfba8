"""Are outlines sound: enough points, some area, no crossing of themselves, holes inside, ramps flat?"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from ..conventions import Array, Floats
from ..errors import Fault
from .check_arrays import where
from .level import Floor, Level

__all__ = ["SMALLEST_AREA", "floor_faults", "height_on", "outline_faults", "plane_of", "ring_faults"]

SMALLEST_AREA = 1e-6
"""Square metres; below it an outline is a line or a point."""
FLATNESS = 0.01
"""Metres a corner may lie off the plane of its floor."""


@dataclass(frozen=True)
class Ring:
    """A closed line to look at: whose it is, and its points (n, 2 or 3)."""

    owner: str
    points: Floats


def outline_faults(level: Level) -> list[Fault]:
    """Return the faults of the footprints of obstacles, cover, doors and zones."""
    rings = [
        Ring(where(group, index, thing.name), thing.outline_xy)
        for group in ("obstacles", "cover", "doors", "zones")
        for index, thing in enumerate(getattr(level, group))
    ]
    return ring_faults(rings)[0]


def floor_faults(floors: Sequence[Floor], group: str) -> list[Fault]:
    """Return the faults of floors and ramps: their rings, their holes, their flatness."""
    rings = []
    owner = []
    for index, floor in enumerate(floors):
        name = where(group, index, floor.name)
        rings.append(Ring(name, floor.outline_xyz))
        rings += [Ring(f"{name} hole {number}", hole) for number, hole in enumerate(floor.holes_xyz)]
        owner += [index] * (1 + len(floor.holes_xyz))
    faults, bad = ring_faults(rings)
    broken = {owner[number] for number in bad}
    sound = [(index, floor) for index, floor in enumerate(floors) if index not in broken]
    for index, floor in sound:
        name = where(group, index, floor.name)
        faults += _turn_faults(floor, name) + _flatness_faults(floor, name)
    return faults + _hole_faults(sound, group)


def ring_faults(rings: Sequence[Ring]) -> tuple[list[Fault], list[int]]:
    """Return the faults of closed lines, and the numbers of those that bound no proper area."""
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
    return faults + _repeats(rings, enough, lengths), bad


def _repeats(rings: Sequence[Ring], enough: list[int], lengths: Array) -> list[Fault]:
    """Warn of points that stand twice in a row."""
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
        what = f"{int((row == number).sum())} points stand twice in a row"
        at = tuple(places[first].tolist())
        faults.append(Fault(what, "remove the second", ring.owner, at, severity="warning"))
    return faults


def _place(points: Floats) -> tuple[float, ...] | None:
    return tuple(points[0].tolist()) if len(points) else None


_REASONS = (
    ("self-intersection", "the outline crosses or touches itself", "move the points so that its sides meet nowhere"),
    ("hole lies outside", "a hole lies outside its outline", "move the hole inside, or remove it"),
    ("nested", "a hole lies inside another hole", "remove the inner one; draw floor inside a hole as its own"),
    ("interior is disconnected", "the holes cut the floor in pieces", "draw each piece as a floor of its own"),
    ("duplicate rings", "two holes are the same", "remove one"),
)


def _invalid(polygon: shapely.Polygon, owner: str) -> Fault:
    """Return the fault for a polygon that shapely does not take, at the place it names."""
    reason = str(shapely.is_valid_reason(polygon))
    place = re.search(r"\[(\S+) (\S+)", reason)
    at = (float(place[1]), float(place[2].rstrip("]"))) if place else None
    for start, what, advice in _REASONS:
        if start in reason.lower():
            return Fault(what, advice, owner, at)
    return Fault(f"the outline is unsound: {reason.partition('[')[0].lower()}", "draw it anew", owner, at)


def _turn_faults(floor: Floor, name: str) -> list[Fault]:
    """Return a fault where the outline runs clockwise or a hole counter-clockwise."""
    faults = []
    for ring, turn, what in [(floor.outline_xyz, 1, "outline"), *((hole, -1, "hole") for hole in floor.holes_xyz)]:
        x, y = ring[:, 0], ring[:, 1]
        if turn * (np.dot(x, np.roll(y, -1)) - np.dot(y, np.roll(x, -1))) < 0:
            way = "counter-clockwise" if turn > 0 else "clockwise"
            faults.append(Fault(f"the {what} runs the wrong way", f"order its points {way}", name, _place(ring)))
    return faults


def plane_of(points: Floats) -> tuple[Floats, Floats]:
    """Return a point and the normal (Newell's) of the plane of an outline (n, 3)."""
    centre = points.mean(axis=0)
    around = points - centre
    return centre, np.cross(around, np.roll(around, -1, axis=0)).sum(axis=0)


def height_on(plane: tuple[Floats, Floats], xy: Array) -> Array:
    """Return z of the plane at positions (..., 2)."""
    centre, normal = plane
    return centre[2] - ((xy - centre[:2]) @ normal[:2]) / normal[2]


def _flatness_faults(floor: Floor, name: str) -> list[Fault]:
    points = np.concatenate([floor.outline_xyz, *floor.holes_xyz])
    plane = plane_of(floor.outline_xyz)
    right = height_on(plane, points[:, :2])
    off = np.abs(points[:, 2] - right)
    worst = int(off.argmax())
    if off[worst] <= FLATNESS:
        return []
    what = f"the {floor.kind} is not flat: this corner is {off[worst]:.3g} m off its plane"
    advice = f"set z to {right[worst]:.6g}, or cut the {floor.kind} into triangles"
    return [Fault(what, advice, name, tuple(points[worst].tolist()))]


def _hole_faults(floors: Sequence[tuple[int, Floor]], group: str) -> list[Fault]:
    faults = []
    for index, floor in floors:
        if floor.holes_xyz:
            polygon = shapely.Polygon(floor.outline_xyz[:, :2], [hole[:, :2] for hole in floor.holes_xyz])
            if not polygon.is_valid:
                faults.append(_invalid(polygon, where(group, index, floor.name)))
    return faults
