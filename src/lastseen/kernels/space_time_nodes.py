"""Nodes of a tree through space and time: which is near, where does one get from it, who sees that?"""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from ..conventions import Array
from .jit import jit
from .mesh_arrays import MeshArrays
from .raycast import REACHED, cast_rays
from .sight_arrays import SightArrays
from .space_time_views import ViewArrays, first_look

__all__ = [
    "AskArrays",
    "Point",
    "RayRoom",
    "TreeArrays",
    "add_node",
    "aim",
    "cast",
    "look_on_way",
    "nearest_at_bend",
    "nearest_node",
    "node_at",
    "ray_room",
    "steps_needed",
]

Point = tuple[float, float, float]

_SHORT = 0.05  # metres: a shorter way is not worth a node
_AWAY = 0.01  # metres kept from a wall that was run into
_LATE = 0.1  # what a metre one could have gone meanwhile counts, when a parent is chosen
_EARLY = 4.0  # what a metre beyond one's reach counts


class AskArrays(NamedTuple):
    """Who goes where: all that stays the same from tree to tree."""

    ends: Array  # float64 (2, 3)  start and goal, on the floor
    faces: Array  # int32 (2,)  base faces they stand on
    pace: Array  # float64 (4,)  metres a step; height somebody is looked for; floor may lie below, above
    steps: Array  # int64 (4,)  moments a step; the last step; tries to leave for the goal, and steps between them


class TreeArrays(NamedTuple):
    """Nodes of a tree, in the order they grew; node 0 is the start. Room for 2 a sample and 3 more."""

    xyz: Array  # float64 (n, 3)  on the floor
    step: Array  # int64 (n,)
    parent: Array  # int64 (n,)
    face: Array  # int32 (n,)


class RayRoom(NamedTuple):
    """Room for one ray; see `ray_room`."""

    start: Array
    end: Array
    face: Array
    outcome: Array
    point: Array
    fraction: Array
    normal: Array
    stop: Array


@jit
def ray_room() -> RayRoom:
    """Return room for one ray."""
    return RayRoom(
        np.empty((1, 3)),
        np.empty((1, 3)),
        np.empty(1, np.int32),
        np.empty(1, np.uint8),
        np.empty((1, 3)),
        np.empty(1),
        np.empty((1, 2)),
        np.empty(1, np.int32),
    )


@jit
def cast(mesh: MeshArrays, ask: AskArrays, ray: RayRoom, start: Point, face: int, end: Point) -> float:
    """Return the share of a straight way that can be walked; 1.0 only where it arrives on its end's floor."""
    ray.start[0, 0], ray.start[0, 1], ray.start[0, 2] = start
    ray.end[0, 0], ray.end[0, 1], ray.end[0, 2] = end
    ray.face[0] = face
    cast_rays(
        mesh,
        ray.start,
        ray.end,
        ray.face,
        ask.pace[2],
        ask.pace[3],
        False,
        ray.outcome,
        ray.point,
        ray.fraction,
        ray.normal,
        ray.stop,
    )
    if ray.outcome[0] == REACHED:
        return 1.0
    return min(ray.fraction[0], 0.999999)


@jit
def node_at(tree: TreeArrays, n: int) -> Point:
    """Return where a node is, on the floor."""
    return tree.xyz[n, 0], tree.xyz[n, 1], tree.xyz[n, 2]


@jit
def add_node(tree: TreeArrays, count: int, place: Point, step: int, parent: int, face: int) -> int:
    """Append a node; return how many there are now."""
    tree.xyz[count, 0], tree.xyz[count, 1], tree.xyz[count, 2] = place
    tree.step[count], tree.parent[count], tree.face[count] = step, parent, face
    return count + 1


@jit
def _plan(start: Point, end: Point) -> float:
    return math.hypot(end[0] - start[0], end[1] - start[1])


@jit
def _length(start: Point, end: Point) -> float:
    return math.sqrt((end[0] - start[0]) ** 2 + (end[1] - start[1]) ** 2 + (end[2] - start[2]) ** 2)


@jit
def steps_needed(ask: AskArrays, start: Point, end: Point) -> int:
    """Return how many steps a way takes at top speed."""
    return max(1, np.int64(math.ceil(_length(start, end) / ask.pace[0] - 1e-9)))


@jit
def look_on_way(
    sight: SightArrays, views: ViewArrays, ask: AskArrays, first: int, last: int, start: Point, end: Point
) -> tuple[int, int]:
    """Return `first_look` for feet on the floor and steps."""
    up, each = ask.pace[1], ask.steps[0]
    return first_look(
        sight,
        views,
        np.float64(first * each),
        np.float64(last * each),
        (start[0], start[1], start[2] + up),
        (end[0], end[1], end[2] + up),
    )


@jit
def _cost(far: float, could: float) -> float:
    """Return what a way `far` costs where one could go `could` metres meanwhile."""
    return far + _LATE * (could - far) if far <= could else far + _EARLY * (far - could)


@jit
def nearest_node(ask: AskArrays, tree: TreeArrays, count: int, place: Point, step: int) -> int:
    """Return the node from which a sample is nearest in space and time, or -1: time never runs back."""
    best, chosen = math.inf, -1
    for n in range(np.uint64(count)):
        if tree.step[n] >= step:
            continue
        far = math.hypot(place[0] - tree.xyz[n, 0], place[1] - tree.xyz[n, 1])
        could = (step - tree.step[n]) * ask.pace[0]
        cost = _cost(far, could)
        if cost < best:
            best, chosen = cost, np.int64(n)
    return chosen


@jit
def nearest_at_bend(
    ask: AskArrays, tree: TreeArrays, count: int, place: Point, step: int, stands: Array, sees: Array
) -> int:
    """Return the node from which a bend is nearest, of those at bends there is a straight way from, or -1.

    As `nearest_node`, but neither walls nor floors lie in between.

    Parameters
    ----------
    stands : (n,) int64, at which bend each node is, -1: none.
    sees : (m,) uint8, from which bends one can walk straight to this one.
    """
    best, chosen = math.inf, -1
    for n in range(np.uint64(count)):
        if tree.step[n] >= step or stands[n] < 0 or not sees[stands[n]]:
            continue
        cost = _cost(_length(node_at(tree, np.int64(n)), place), (step - tree.step[n]) * ask.pace[0])
        if cost < best:
            best, chosen = cost, np.int64(n)
    return chosen


@jit
def aim(
    mesh: MeshArrays, ask: AskArrays, ray: RayRoom, tree: TreeArrays, n: int, place: Point, step: int
) -> tuple[Point, int]:
    """Return where one gets from node n towards a sample, within reach and before any wall; its face, -1: nowhere."""
    here = node_at(tree, n)
    far = _plan(here, place)
    could = (step - tree.step[n]) * ask.pace[0]
    share = min(1.0, could / far) if far > 0.0 else 1.0
    there = (here[0] + share * (place[0] - here[0]), here[1] + share * (place[1] - here[1]), place[2])
    gone = cast(mesh, ask, ray, here, tree.face[n], there)
    if gone < 1.0:
        gone = max(0.0, gone - _AWAY / max(far * share, _AWAY))
        if gone * far * share < _SHORT:
            return here, -1
        stop = (here[0] + gone * (there[0] - here[0]), here[1] + gone * (there[1] - here[1]), ray.point[0, 2])
        if cast(mesh, ask, ray, here, tree.face[n], stop) < 1.0:
            return here, -1
    elif far * share < _SHORT:
        return here, -1
    return (ray.point[0, 0], ray.point[0, 1], ray.point[0, 2]), np.int64(ray.stop[0])
