"""Find every fault of a level at once, each with its location and advice."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import shapely

from ..conventions import Array, Bools, Floats
from ..errors import Fault
from .check_meshes import face_faults, soup_faults, tile_faults, winding_faults
from .check_numbers import extent_faults, name_faults, unwritable, value_faults, where
from .check_outlines import SMALLEST_AREA, floor_faults, outline_faults
from .floor_plans import FloorIndex, Plans, floor_index
from .level import Floors, Level, Tiles, TriangleSoup

SHOWN = 20
"""Faults reported per group of places off the floor; the rest are only counted."""


def find_faults(level: Level) -> tuple[Fault, ...]:
    """Return all faults of a level, errors before warnings.

    Checks, in this order: numbers that are not finite; outlines that cross themselves, have no area or too few
    points; holes outside their outline; ramps that are not flat; bad triangles and faces; values out of range;
    duplicate or missing names; a level with nothing to walk on; overlapping floors; things off the floor; flipped
    triangles. Positions are checked only if all shapes are sound.
    """
    with np.errstate(over="ignore", invalid="ignore", divide="ignore"):
        faults = list(shape_faults(level))
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
                faults += floor_faults(surface.polygons, "floors")
            elif isinstance(surface, Tiles):
                faults += tile_faults(surface)
                faults += floor_faults(surface.ramps, "ramps")
            elif isinstance(surface, TriangleSoup):
                faults += soup_faults(surface)
            else:
                faults += face_faults(surface)
            faults += outline_faults(level)
    return tuple(faults)


def _place_faults(level: Level) -> list[Fault]:
    """Return the faults of positions, for a level whose parts are sound on their own."""
    nothing = _nothing_to_walk_on(level)
    if nothing:
        return nothing
    floors = floor_index(level.surface)
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
    """Report spawns and patrol stops (errors), hiding places and markers (warnings) with no floor below them."""
    stops = [
        (where("patrols", index, patrol.name) + f" stop {number}", stop.xyz)
        for index, patrol in enumerate(level.patrols)
        for number, stop in enumerate(patrol.stops)
    ]
    spawns = [(where("spawns", i, spawn.name or spawn.who), spawn.xyz) for i, spawn in enumerate(level.spawns)]
    hiding = [(where("hiding_places", i, spot.name), spot.xyz) for i, spot in enumerate(level.hiding_places)]
    markers = [(where("markers", i, marker.name or marker.kind), marker.xyz) for i, marker in enumerate(level.markers)]
    groups = (
        ("spawn", spawns, "error"),
        ("patrol stop", stops, "error"),
        ("hiding place", hiding, "warning"),
        ("marker", markers, "warning"),
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
