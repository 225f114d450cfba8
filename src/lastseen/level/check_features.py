"""Check that values are in range and that names refer to something."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterator

from ..errors import Fault, did_you_mean
from .check_arrays import where
from .level import Level

__all__ = ["name_faults", "value_faults"]


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
            if stop.action not in ("move", "wait", "turn"):
                yield Fault(f"stop {number} has action {stop.action!r}", "use move, wait or turn", name, stop.xyz)


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
                faults.append(Fault(what, "give each its own name", severity=severity))
    return faults
