"""Slow and obvious: who is in which view, and where can one be when without being seen?"""

from __future__ import annotations

import heapq
import math

import numpy as np
import shapely

from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.query import heights_at, raycasts


def tile_level(rows: list[str]) -> Level:
    """Return a level of 1 m tiles, its last row at y = 0: `.` is floor."""
    return Level(Tiles((TileFloor(np.array([[mark != "#" for mark in row] for row in reversed(rows)])),)))


def wall_shape(rows: list[str]) -> shapely.Geometry:
    """Return the blocked tiles and all that lies around the map."""
    tall, wide = len(rows), len(rows[0])
    free = [
        shapely.box(column, tall - 1 - row, column + 1, tall - row)
        for row, line in enumerate(rows)
        for column, mark in enumerate(line)
        if mark != "#"
    ]
    return shapely.difference(shapely.box(-50, -50, wide + 50, tall + 50), shapely.union_all(free))


def in_view(walls: shapely.Geometry, pose, kind, place) -> bool:
    """Whether a guard in a pose sees a place, on one flat floor: by angles, and by how much wall is in the way."""
    x, y, _, heading = pose
    dx, dy = place[0] - x, place[1] - y
    if math.hypot(dx, dy) > kind.view_distance:
        return False
    if kind.view_angle < 2 * math.pi and (dx or dy):
        aside = abs(math.remainder(math.atan2(dy, dx) - heading, 2 * math.pi))
        if aside > kind.view_angle / 2:
            return False
    return shapely.intersection(shapely.LineString([(x, y), place[:2]]), walls).length < 1e-6


def seen(walls: shapely.Geometry, routes, place, seconds: float) -> bool:
    return any(in_view(walls, route.pose_at(seconds), route.kind, place) for route in routes)


def earliest_arrival(xyz, ways, pace: float, is_seen, start: int, goal: int, last: int) -> float | None:
    """When the goal can be reached over places and real time, in moments; None: not up to the last.

    Whoever is at a place goes over `ways` (from, to; both ways) at `pace` metres a moment, when it comes and at every
    moment; nothing is left out because it seems needless. `is_seen(place, moment)` tells of positions at whole moments.
    """
    beside = {}
    for begin, end in ways:
        beside.setdefault(begin, []).append(end)
        beside.setdefault(end, []).append(begin)
    coming, stays = [(0.0, start)], set()

    def leave(place, left):
        for there in beside.get(place, []):
            arrival = left + float(np.linalg.norm(xyz[there] - xyz[place])) / pace
            moments = range(math.floor(left + 1e-9) + 1, math.floor(arrival + 1e-9) + 1)
            share = [(moment, min(1.0, (moment - left) / (arrival - left))) for moment in moments]
            if arrival <= last and not any(is_seen(xyz[place] + (xyz[there] - xyz[place]) * s, m) for m, s in share):
                heapq.heappush(coming, (arrival, there))

    for moment in range(last + 1):
        while coming and coming[0][0] <= moment + 1e-9:
            time, place = heapq.heappop(coming)
            if place == goal and not is_seen(xyz[goal], math.ceil(time - 1e-9)):
                return time
            if place not in stays and place != goal:
                stays.add(place)
                leave(place, time)
        stays = {place for place in stays if not is_seen(xyz[place], moment)}
        for place in sorted(stays):
            leave(place, float(moment))
    return None


def feet_on_floor(mesh, path, every):
    """When and where is somebody on a way, (n,) and (n, 3), put on the floor: followed step by step from its start."""
    when = np.arange(0.0, path[-1, 3] + 1e-9, every)
    feet = np.stack([np.interp(when, path[:, 3], path[:, axis]) for axis in range(3)], axis=1)
    up = np.linspace(-mesh.body.climb, mesh.body.climb, 9)
    height = feet[0, 2]
    for row in feet:
        asked = np.column_stack([np.full((len(up), 2), row[:2]), height + up])
        found = heights_at(mesh, asked, below=0.2, above=0.2)
        found = found[np.isfinite(found)]
        assert len(found), f"no floor at {row} near {height}"
        height = row[2] = found[np.abs(found - height).argmin()]
    return when, feet


def respects_on_floor(question, path, every=0.05):
    """Whether somebody put on the floor is unseen whenever guards look, and never faster than it can; off by how much.

    A step up or down, steeper than any floor one walks on, takes no time.
    """
    when, feet = feet_on_floor(question.ground.mesh, path, every)
    told = np.stack([np.interp(when, path[:, 3], path[:, axis]) for axis in range(3)], axis=1)
    apart = np.diff(feet, axis=0)
    plan = np.hypot(apart[:, 0], apart[:, 1])
    rise = np.where(np.abs(apart[:, 2]) > 1.2 * plan, 0.0, apart[:, 2])
    fast = np.hypot(plan, rise) / np.diff(when)
    looks = np.abs(when / question.settings.step - np.round(when / question.settings.step)) < 1e-6
    unseen = (question.views.seen(feet[looks], when[looks]) < 0).all()
    return bool(unseen), float(fast.max(initial=0.0)), float(np.abs(told - feet)[:, 2].max())


def respects(question, path, substeps=None):
    """Whether a way keeps to the floor, to top speed, to time, and out of every view at every sampled moment."""
    apart, taken = np.linalg.norm(np.diff(path[:, :3], axis=0), axis=1), np.diff(path[:, 3])
    straight = raycasts(question.ground.mesh, path[:-1, :3], path[1:, :3]).reached
    return bool(
        np.array_equal(path[0], [*question.start, 0.0])
        and np.array_equal(path[-1, :3], question.goal)
        and (taken > 0.0).all()
        and (apart <= taken * question.settings.speed + 1e-6).all()
        and straight.all()
        and path[-1, 3] <= question.settings.seconds + 1e-9
        and question.views.first_seen(path, substeps=substeps) is None
    )
