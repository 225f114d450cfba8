"""Slow and obvious: who is in which view, and where can one be when without being seen?"""

from __future__ import annotations

import math

import numpy as np
import shapely

from lastseen.level.level import Level, TileFloor, Tiles
from lastseen.navmesh.query import raycasts


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


def earliest_arrival(xyz, ways, is_seen, start: int, goal: int, steps: int) -> int:
    """The first step in which the goal can be reached over places and time, or -1.

    `ways` are (from, to, steps they take), both ways; `is_seen(place, step)` tells of positions and (whole) steps.
    """
    reached = {(start, 0)}
    leaving = {}
    for begin, end, taken in ways:
        leaving.setdefault(begin, []).append((end, taken))
        leaving.setdefault(end, []).append((begin, taken))
    for step in range(steps + 1):
        here = sorted(place for place, when in reached if when == step)
        if goal in here:
            return step
        for place in here:
            for there, taken in [(place, 1), *leaving.get(place, [])]:
                moments = range(1, taken + 1)
                on_way = ((xyz[place] + (xyz[there] - xyz[place]) * k / taken, step + k) for k in moments)
                if step + taken <= steps and not any(is_seen(at, when) for at, when in on_way):
                    reached.add((there, step + taken))
    return -1


def respects(question, path, substeps=1):
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
