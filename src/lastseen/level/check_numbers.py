"""Check that the numbers of a level are finite and in range, and that names refer to something."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator
from dataclasses import fields, is_dataclass
from typing import Any

import numpy as np

from ..conventions import Array
from ..errors import Fault, PartLabel, did_you_mean
from ..vocabulary.words import TrapEffect
from .level import ConvexFaces, Floors, Level, Surface, Tiles, TriangleSoup

FARTHEST = 1e7
FAR = 1e5
"""Metres from the origin: beyond FARTHEST nothing is a level; beyond FAR, 32-bit tables lose centimetres."""
SMALLEST = 1.0
WIDEST_TRAP = 10.0
"""Largest radius of a trap in metres."""


def where(group: str, index: int, name: str = "") -> PartLabel:
    """Return the label of one part of a level: `doors[2] (front)`."""
    return PartLabel(f"{group}[{index}]" + (f" ({name})" if name else ""), group, index)


def unwritable(level: Level) -> list[Fault]:
    """Return what no file can hold: numbers that are not finite, wrong shapes, corners without a vertex."""
    faults = list(_walk(level.surface, ""))
    for group in fields(level):
        if group.name not in ("surface", "name", "source"):
            faults += _walk(getattr(level, group.name), group.name)
    return faults or _index_faults(level.surface)


def _walk(value: Any, place: str, field: str = "") -> Iterator[Fault]:
    """Yield the faults of every number under `value`, however deeply nested."""
    if isinstance(value, np.ndarray):
        yield from _array_faults(value, place, field)
    elif is_dataclass(value):
        for part in fields(value):
            yield from _walk(getattr(value, part.name), place, part.name)
    elif isinstance(value, tuple):
        wanted = {"xyz": 3, "origin_xy": 2}.get(field)
        if wanted:
            if len(value) != wanted or not all(isinstance(v, float | int | np.number) for v in value):
                yield Fault(f"its position is {value!r}", f"give {wanted} numbers in metres", place)
            elif not all(map(np.isfinite, value)):
                yield Fault(f"its position is {_shown(value)}", "give finite coordinates in metres", place)
            return
        for index, part in enumerate(value):
            group = field if field not in ("polygons", "holes_xyz") else {"polygons": "floors"}.get(field, "hole")
            inner: str = where(group or place, index, "" if group else getattr(part, "name", ""))
            if group and place:
                inner = place + f" {inner}"
            yield from _walk(part, inner, field if isinstance(part, np.ndarray) else "")
    elif isinstance(value, float | np.floating) and not np.isfinite(value):
        yield Fault(f"its {field} is {value:g}", "give a finite number", place)


def _array_faults(array: Array, place: str, field: str) -> Iterator[Fault]:
    columns = 3 if field.endswith("_xyz") or field == "triangles" else 2 if field.endswith("_xy") else None
    dimensions = 2 if columns or field == "passable" else 1
    if array.ndim != dimensions or (columns and array.shape[1] != columns):
        wanted = f"(n, {columns})" if columns else f"{dimensions} dimensions"
        yield Fault(f"{field} has shape {array.shape}", f"it must be {wanted}", place)
    elif array.dtype.kind == "f" and not np.isfinite(array).all():
        bad = ~np.isfinite(array.reshape(len(array), -1)).all(axis=1)
        row = int(np.flatnonzero(bad)[0])
        more = f" (and {int(bad.sum()) - 1} more)" if bad.sum() > 1 else ""
        value = _shown(np.atleast_1d(array[row]).tolist())
        yield Fault(f"{field}[{row}] is {value}{more}", "give finite numbers", place)


def _shown(values: Any) -> str:
    return "(" + ", ".join(f"{value:g}" for value in values) + ")"


def _index_faults(surface: Surface) -> list[Fault]:
    """Return the faults of vertex indices and face starts."""
    if not isinstance(surface, TriangleSoup | ConvexFaces):
        return []
    corners = surface.triangles if isinstance(surface, TriangleSoup) else surface.corners
    count = len(surface.vertices_xyz)
    faults = []
    if corners.size and not (corners.min() >= 0 and corners.max() < count):
        what = f"corners use vertices {corners.min()} to {corners.max()}; there are {count}"
        faults.append(Fault(what, f"use vertices 0 to {count - 1}"))
    if isinstance(surface, ConvexFaces):
        starts = surface.face_start
        if not len(starts) or starts[0] != 0 or starts[-1] != len(corners) or (np.diff(starts) < 0).any():
            advice = f"it must rise from 0 to {len(corners)}, the number of corners"
            faults.append(Fault("face_start does not divide the corners into faces", advice))
    return faults


def points_of(surface: Surface) -> Array:
    """Return points that span the walkable surface, (n, 3)."""
    if isinstance(surface, Floors):
        return np.concatenate([np.zeros((0, 3)), *(floor.outline_xyz for floor in surface.polygons)])
    if isinstance(surface, Tiles):
        corners = [floor.outline_xyz for floor in surface.ramps]
        for grid in surface.floors:
            low = np.array([*grid.origin_xy, grid.z], np.float64)
            rows, columns = grid.passable.shape
            corners.append(np.array([low, low + np.array([columns, rows, 0]) * grid.tile]))
        return np.concatenate([np.zeros((0, 3)), *corners])
    return surface.vertices_xyz


def extent_faults(level: Level) -> list[Fault]:
    """Return the faults of a level that is far too large, far away, or under a metre wide: probably wrong units."""
    points = points_of(level.surface)
    if not len(points):
        return []
    farthest = points[np.abs(points).max(axis=1).argmax()]
    reach = float(np.abs(farthest).max())
    at = tuple(farthest.tolist())
    if reach > FARTHEST:
        return [Fault(f"a point lies {reach:.3g} m from the origin", "give coordinates in metres", at=at)]
    if reach > FAR:
        advice = "move the level to the origin: 32-bit positions are coarse that far out"
        return [Fault(f"the level lies {reach:.3g} m from the origin", advice, at=at, severity="warning")]
    size = float(np.ptp(points[:, :2], axis=0).max())
    if size < SMALLEST:
        advice = "coordinates are in metres, not degrees or kilometres: scale it up"
        return [Fault(f"the whole level is {size:.3g} m wide", advice, at=at, severity="warning")]
    return []


def value_faults(level: Level) -> list[Fault]:
    """Return heights, speeds, angles and counts that are out of range."""
    faults = [*_outlined(level), *_spots(level), *_patrols(level), *_paths(level)]
    floors = getattr(level.surface, "polygons", ()) or getattr(level.surface, "ramps", ())
    for index, floor in enumerate(floors):
        if floor.storey < 0:
            name = where("floors", index, floor.name)
            faults.append(Fault(f"its storey is {floor.storey}", "count storeys from 0 at the bottom", name))
        if floor.kind not in ("floor", "ramp", "stairs"):
            name = where("floors", index, floor.name)
            faults.append(Fault(f"its kind is {floor.kind!r}", "use floor, ramp or stairs", name))
    return faults


def _outlined(level: Level) -> Iterator[Fault]:
    for group in ("obstacles", "cover", "doors", "zones"):
        for index, thing in enumerate(getattr(level, group)):
            if thing.height <= 0:
                at = tuple(thing.outline_xy[0].tolist()) if len(thing.outline_xy) else None
                what = f"its height is {thing.height:g} m"
                yield Fault(what, "give more than 0, or remove it", where(group, index, thing.name), at)


def _spots(level: Level) -> Iterator[Fault]:
    for index, spot in enumerate(level.hiding_places):
        if spot.capacity < 1:
            name = where("hiding_places", index, spot.name)
            yield Fault(f"its capacity is {spot.capacity}", "give at least 1", name, spot.xyz)
    for index, trap in enumerate(level.traps):
        label = where("traps", index, trap.name)
        if not 0.0 < trap.radius <= WIDEST_TRAP:
            advice = f"give more than 0 and at most {WIDEST_TRAP:g} m"
            yield Fault(f"its radius is {trap.radius:g} m", advice, label, trap.xyz)
        if trap.seconds < 0.0:
            yield Fault(f"it holds for {trap.seconds:g} s", "give 0 or more", label, trap.xyz)
        if trap.effect not in TrapEffect.texts():
            what = f"its effect is {trap.effect!r}{did_you_mean(trap.effect, TrapEffect.texts())}"
            yield Fault(what, f"use {', '.join(TrapEffect.texts())}", label, trap.xyz)
    limits = {"speed": math.inf, "turn_speed": math.inf, "view_angle": 2 * math.pi, "view_distance": math.inf}
    for index, spawn in enumerate(level.spawns):
        for field, high in limits.items():
            value = getattr(spawn, field)
            # A full turn converted from degrees may exceed 2 pi by rounding.
            if value is not None and (value < 0 or value > high * (1 + 1e-9)):
                allowed = "give 0 or more" if high == math.inf else "give radians from 0 to 2 pi"
                name = where("spawns", index, spawn.name or spawn.who)
                yield Fault(f"its {field} is {value:g}", f"{allowed}, or leave it out", name, spawn.xyz)


def _patrols(level: Level) -> Iterator[Fault]:
    for index, patrol in enumerate(level.patrols):
        name = where("patrols", index, patrol.name)
        count = len(patrol.stops)
        if not count:
            yield Fault("the patrol has no stops", "add stops, or remove it", name)
        elif patrol.loop_to is not None and not 0 <= patrol.loop_to < count:
            what = f"it loops to stop {patrol.loop_to}, but has {count} stops"
            yield Fault(what, f"set loop_to to 0 … {count - 1}, or to none", name, patrol.stops[-1].xyz)
        for number, stop in enumerate(patrol.stops):
            if stop.seconds < 0:
                advice = "give 0 or more"
                yield Fault(f"stop {number} waits {stop.seconds:g} s", advice, name, stop.xyz)
            if stop.action not in ("move", "wait", "turn", "use"):
                yield Fault(f"stop {number} has action {stop.action!r}", "use move, wait, turn or use", name, stop.xyz)
            if (stop.action == "use") != bool(stop.object):
                what = f"stop {number} has the action {stop.action!r} and the object {stop.object!r}"
                yield Fault(what, "name the object that is used, and only there", name, stop.xyz)


def _paths(level: Level) -> Iterator[Fault]:
    for index, path in enumerate(level.paths):
        name = where("paths", index, path.name)
        count = len(path.points_xyz)
        at = tuple(path.points_xyz[0].tolist()) if count else None
        if count < 2:
            yield Fault(f"the path has {count} points", "give at least 2, or remove it", name, at)
        if len(path.seconds) not in (0, count):
            advice = "give one time for each point, or none"
            yield Fault(f"the path has {count} points but {len(path.seconds)} times", advice, name, at)
        elif (path.seconds[1:] < path.seconds[:-1]).any():
            yield Fault("the times of the path run backwards", "give increasing seconds", name, at)


def platform_faults(level: Level) -> list[Fault]:
    """Return platforms on a mesh, without a name, in a position named twice, or in two positions at once."""
    faults = []
    if level.platforms and not isinstance(level.surface, Floors | Tiles):
        faults.append(
            Fault("the level is a mesh with platforms", "draw its floor as polygons or tiles, or remove them")
        )
    known: set[tuple[str, str]] = set()
    there: set[str] = set()
    for index, piece in enumerate(level.platforms):
        label = where("platforms", index, piece.name)
        if not piece.name:
            faults.append(Fault("the platform has no name", "name it, so that it can be moved", label))
        elif (piece.name, piece.at) in known:
            what = f"two platforms {piece.name!r} are in position {piece.at!r}"
            faults.append(Fault(what, "give each position of a platform its own `at`", label))
        elif piece.present and piece.name in there:
            what = f"the platform {piece.name!r} is present in two positions"
            faults.append(Fault(what, "set `present` to false in all but one", label))
        known.add((piece.name, piece.at))
        there |= {piece.name} if piece.present else set()
    return faults


def name_faults(level: Level) -> list[Fault]:
    """Return references to unknown patrols, and duplicate names."""
    faults = []
    known = {patrol.name for patrol in level.patrols if patrol.name}
    for index, spawn in enumerate(level.spawns):
        if spawn.patrol and spawn.patrol not in known:
            what = f"it follows patrol {spawn.patrol!r}, which does not exist{did_you_mean(spawn.patrol, known)}"
            name = where("spawns", index, spawn.name or spawn.who)
            advice = f"name one of: {', '.join(sorted(known)[:10])}" if known else "draw it, or remove the reference"
            faults.append(Fault(what, advice, name, spawn.xyz))
    for group in ("patrols", "doors", "hiding_places", "spawns"):
        counts = Counter(thing.name for thing in getattr(level, group) if thing.name)
        for name, count in counts.items():
            if count > 1:
                # A spawn refers to its patrol only by name. Doors also have numbers: opening or closing one by a name
                # that several share is rejected at that call. The others are never looked up by name.
                severity = "error" if group == "patrols" else "warning"
                what = f"{count} {group.replace('_', ' ')} are named {name!r}"
                last = max(index for index, thing in enumerate(getattr(level, group)) if thing.name == name)
                faults.append(Fault(what, "give each its own name", PartLabel("", group, last), severity=severity))
    return faults
