"""Find every fault of a level at once, each with its location and advice."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import shapely

from ..checks import expect
from ..conventions import Array, Bools, Floats
from ..errors import Fault
from .check_meshes import face_faults, soup_faults, tile_faults, winding_faults
from .check_numbers import extent_faults, name_faults, platform_faults, unwritable, value_faults, where
from .floor_plans import FloorIndex, Plans, floor_index
from .level import Floor, Floors, Level, Tiles, TriangleSoup, whole_surface

SMALLEST_AREA = 1e-6
"""Square metres; below it an outline is a line or a point."""
FLATNESS = 0.01
"""Metres a corner may lie off the plane of its floor."""
SHOWN = 20
"""Faults reported per group of places off the floor; the rest are only counted."""


def find_faults(level: Level) -> tuple[Fault, ...]:
    """Return all faults of a level, errors before warnings.

    Checks, in this order: numbers that are not finite; outlines that cross themselves, have no area or too few
    points; holes outside their outline; ramps that are not flat; bad triangles and faces; values out of range;
    duplicate or missing names; a level with nothing to walk on; overlapping floors; things off the floor; flipped
    triangles. Positions are checked only if all shapes are sound.
    """
    expect(level, Level, "level")
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        faults = list(shape_faults(level))
        faults += platform_faults(level)
        sound = not any(fault.severity == "error" for fault in faults)
        faults += value_faults(level)
        faults += name_faults(level)
        if sound:
            faults += _place_faults(level)
            if isinstance(level.surface, TriangleSoup):
                faults += winding_faults(level.surface)
    return tuple(sorted(faults, key=lambda fault: fault.severity != "error"))


def shape_faults(level: Level) -> tuple[Fault, ...]:
    """Return the faults each part of the level has on its own, wherever it stands."""
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        faults = unwritable(level)
        surface = level.surface
        if not faults:
            faults += extent_faults(level)
            if isinstance(surface, Floors):
                faults += _floor_faults(surface.polygons, "floors")
            elif isinstance(surface, Tiles):
                faults += tile_faults(surface)
                faults += _floor_faults(surface.ramps, "ramps")
            elif isinstance(surface, TriangleSoup):
                faults += soup_faults(surface)
            else:
                faults += face_faults(surface)
            faults += _outline_faults(level)
            faults += _floor_faults(level.platforms, "platforms")
    return tuple(faults)


@dataclass(frozen=True)
class _Ring:
    """A closed line to check: its owner, its points (n, 2 or 3), its required orientation (0: either)."""

    owner: str
    points: Floats
    turn: int = 0


def _outline_faults(level: Level) -> list[Fault]:
    """Return the faults of the footprints of obstacles, cover, doors and zones."""
    rings = [
        _Ring(where(group, index, thing.name), thing.outline_xy)
        for group in ("obstacles", "cover", "doors", "zones")
        for index, thing in enumerate(getattr(level, group))
    ]
    return _ring_faults(rings)[0]


def _floor_faults(floors: Sequence[Floor], group: str) -> list[Fault]:
    """Return the faults of floors and ramps: their rings, orientation, holes and flatness."""
    rings = []
    owner = []
    for index, floor in enumerate(floors):
        name = where(group, index, floor.name)
        rings.append(_Ring(name, floor.outline_xyz, turn=1))
        rings += [_Ring(name + f" hole {number}", hole, turn=-1) for number, hole in enumerate(floor.holes_xyz)]
        owner += [index] * (1 + len(floor.holes_xyz))
    faults, bad = _ring_faults(rings)
    broken = {owner[number] for number in bad}
    sound = [index for index in range(len(floors)) if index not in broken]
    if sound:
        names = [where(group, index, floors[index].name) for index in sound]
        good = Plans([floors[index] for index in sound])
        faults += [_invalid(good.polygons[row], names[row]) for row in np.flatnonzero(~good.valid).tolist()]
        faults += _flatness_faults(good, names)
    return faults


def _ring_faults(rings: Sequence[_Ring]) -> tuple[list[Fault], list[int]]:
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


def _repeats(rings: Sequence[_Ring], enough: list[int], lengths: Array) -> list[Fault]:
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


def _place_faults(level: Level) -> list[Fault]:
    """Return the faults of positions, for a level whose parts are sound on their own."""
    nothing = _nothing_to_walk_on(level)
    if nothing:
        return nothing
    floors = floor_index(whole_surface(level))
    return [*_overlaps(level), *_off_the_floor(level, floors), *_blocked_or_floating(level, floors)]


def _nothing_to_walk_on(level: Level) -> list[Fault]:
    surface = level.surface
    if isinstance(surface, Floors):
        empty = not surface.polygons
    elif isinstance(surface, Tiles):
        empty = not any(floor.passable.any() for floor in surface.floors) and not surface.ramps
    else:
        empty = not len(surface.triangles if isinstance(surface, TriangleSoup) else surface.corners)
    if empty:
        return [Fault("the level has nothing to walk on", "draw a floor")]
    if isinstance(surface, Floors) and _all_covered(level, surface):
        return [Fault("obstacles cover every floor of this level", "leave some floor free", at=_first(surface))]
    return []


def _first(floors: Floors) -> tuple[float, ...]:
    return tuple(floors.polygons[0].outline_xyz[0].tolist())


def _all_covered(level: Level, floors: Floors) -> bool:
    """Return whether obstacles leave nothing of any floor; skip the test if their total area is too small."""
    polygons = Plans(floors.polygons).polygons
    things = (*level.obstacles, *level.cover)
    blocks = [shapely.Polygon(thing.outline_xy) for thing in things]
    if not blocks or shapely.area(blocks).sum() < shapely.area(polygons).max():
        return False
    for floor, polygon in zip(floors.polygons, polygons, strict=True):
        low, high = floor.outline_xyz[:, 2].min(), floor.outline_xyz[:, 2].max()
        pairs = zip(things, blocks, strict=True)
        over = [block for thing, block in pairs if thing.z <= low + 0.5 and thing.z + thing.height > high]
        if not over or shapely.area(shapely.difference(polygon, shapely.union_all(over))) > SMALLEST_AREA:
            return False
    return True


def _overlaps(level: Level) -> Iterator[Fault]:
    """Warn of floors of the same storey that overlap at the same height."""
    if not isinstance(level.surface, Floors):
        return
    floors = level.surface.polygons
    plans = Plans(floors)
    pairs = shapely.STRtree(plans.polygons).query(plans.polygons, predicate="intersects")
    one, other = pairs[:, pairs[0] < pairs[1]]
    storey = np.array([floor.storey for floor in floors])
    one, other = one[storey[one] == storey[other]], other[storey[one] == storey[other]]
    common = shapely.intersection(plans.polygons[one], plans.polygons[other])
    area = shapely.area(common)
    real = area > 1e-4
    one, other, area = one[real], other[real], area[real]
    middle = shapely.get_coordinates(shapely.point_on_surface(common[real]))
    height = plans.heights(one, middle)
    level_with = np.abs(height - plans.heights(other, middle)) < 0.05
    for row in np.flatnonzero(level_with).tolist():
        a, b = int(one[row]), int(other[row])
        what = f"it overlaps {where('floors', b, floors[b].name)} by {area[row]:.3g} m²"
        advice = "draw them side by side, or give them different storeys"
        at = (*middle[row].tolist(), float(height[row]))
        yield Fault(what, advice, where("floors", a, floors[a].name), at, "warning")


def _off_the_floor(level: Level, floors: FloorIndex) -> Iterator[Fault]:
    """Report spawns and patrol stops (errors), hiding places, markers and traps (warnings) with no floor below them."""
    stops = [
        (where("patrols", index, patrol.name) + f" stop {number}", stop.xyz)
        for index, patrol in enumerate(level.patrols)
        for number, stop in enumerate(patrol.stops)
    ]
    spawns = [(where("spawns", i, spawn.name or spawn.who), spawn.xyz) for i, spawn in enumerate(level.spawns)]
    hiding = [(where("hiding_places", i, spot.name), spot.xyz) for i, spot in enumerate(level.hiding_places)]
    markers = [(where("markers", i, marker.name or marker.kind), marker.xyz) for i, marker in enumerate(level.markers)]
    traps = [(where("traps", i, trap.name), trap.xyz) for i, trap in enumerate(level.traps)]
    groups = (
        ("spawn", spawns, "error"),
        ("patrol stop", stops, "error"),
        ("hiding place", hiding, "warning"),
        ("marker", markers, "warning"),
        ("trap", traps, "warning"),
    )
    for what, places, severity in groups:
        xyz = np.array([place for _, place in places], dtype=np.float64).reshape(-1, 3)
        off = np.flatnonzero(~floors.covers(xyz)).tolist()
        for number in off[:SHOWN]:
            nearest = floors.nearest(xyz[number])
            advice = f"move it to ({', '.join(f'{v:.6g}' for v in nearest)})" if len(nearest) else "move it"
            at = tuple(xyz[number].tolist())
            yield Fault(f"the {what} is off the floor", advice, places[number][0], at, severity)
        if len(off) > SHOWN:
            yield Fault(f"and {len(off) - SHOWN} more {what}s off the floor", "move them too", severity=severity)


def _blocked_or_floating(level: Level, floors: FloorIndex) -> Iterator[Fault]:
    """Report spawns inside obstacles (errors), and obstacles and doors that touch no floor (warnings)."""
    for group in ("obstacles", "cover", "doors"):
        things = getattr(level, group)
        if not things:
            continue
        outlines = np.array([shapely.Polygon(thing.outline_xy) for thing in things])
        low = np.array([thing.z for thing in things], dtype=np.float64)
        high = low + [thing.height for thing in things]
        for index in np.flatnonzero(~floors.touches(outlines, low, high)).tolist():
            thing = things[index]
            at = (*thing.outline_xy[0].tolist(), float(thing.z))
            advice = "move it onto a floor, correct its z, or remove it"
            yield Fault("it touches no floor", advice, where(group, index, thing.name), at, "warning")
        if group != "doors":
            yield from _inside(level, group, outlines, low, high)


def _inside(level: Level, group: str, outlines: Array, low: Floats, high: Floats) -> Iterator[Fault]:
    if not level.spawns:
        return
    xyz = np.array([spawn.xyz for spawn in level.spawns], dtype=np.float64)
    spawn, thing = shapely.STRtree(outlines).query(shapely.points(xyz[:, :2]), predicate="within")
    # The feet must be within its height; anything low enough to step onto (0.3 m) does not count.
    blocked: Bools = (xyz[spawn, 2] > low[thing] - 1.0) & (xyz[spawn, 2] + 0.3 < high[thing])
    for index, block in zip(spawn[blocked].tolist(), thing[blocked].tolist(), strict=True):
        one = level.spawns[index]
        other = where(group, block, getattr(level, group)[block].name)
        name = where("spawns", index, one.name or one.who)
        yield Fault(f"the spawn is inside {other}", "move one of them", name, tuple(xyz[index].tolist()))
