"""Grow a random tree through space and time along unseen paths."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays, SightArrays
from ..jit import jit
from .space_time_floor import AskArrays, Point, RayRoom, cast, metres_straight, ray_room
from .space_time_nodes import (
    BRIEF,
    TreeArrays,
    add_node,
    aim,
    look_from_node,
    nearest_at_bend,
    nearest_node,
    node_at,
    steps_needed,
)
from .space_time_views import ViewArrays

_LEGS = 8  # most walks to one sample; a new one begins where the floor bends
_PART = 0.7  # share walked of the distance to where the agent would be seen


@jit
def _extend(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    ray: RayRoom,
    tree: TreeArrays,
    count: int,
    n: int,
    there: Point,
    face: int,
    need: float,
    step: float,
    mood: float,
    caught: Array,
) -> int:
    """Go from node n in `need` steps: at once, after waiting, or evenly until `step`; add the first unseen walk.

    Return the number of nodes. If it has not grown, `caught` (5,) holds the moment, the guard and the share of the walk
    at which the first attempt was seen, and the steps at which it left and would have arrived; the moment is -1 if
    there was no time.
    """
    here, left = node_at(tree, n), tree.step[n]
    caught[0] = -1.0
    if left + need > step + BRIEF:
        return count
    for manner in range(3):
        # Half of the samples hurry first, a quarter each wait or stroll first, so that paths differ.
        kind = (manner + (0 if mood < 0.5 else 1 if mood < 0.75 else 2)) % 3
        if kind > 0 and step - left <= need + BRIEF:
            continue
        leave, arrive = left, max(step, left + need)
        if kind == 0:
            arrive = left + need
        elif kind == 1:
            leave = left + (8.0 * mood) % 1.0 * (step - need - left)
            arrive = leave + need
        if leave > left:
            moment, guard = look_from_node(sight, views, mesh, ask, ray, tree, n, left, leave, here)
            if moment >= 0:
                if caught[0] < 0.0:
                    caught[0], caught[1], caught[2], caught[3], caught[4] = moment, guard, 0.0, leave, arrive
                continue
        moment, guard = look_from_node(sight, views, mesh, ask, ray, tree, n, leave, arrive, there)
        if moment >= 0:
            if caught[0] < 0.0:
                caught[0], caught[1], caught[3], caught[4] = moment, guard, leave, arrive
                caught[2] = (moment - leave * ask.steps[0]) / ((arrive - leave) * ask.steps[0])
            continue
        parent = n
        if leave > left:
            parent = count
            count = add_node(tree, count, here, leave, n, tree.face[n])
        return add_node(tree, count, there, arrive, parent, face)
    return count


@jit
def _point_on(
    mesh: MeshArrays, ask: AskArrays, ray: RayRoom, tree: TreeArrays, n: int, there: Point, share: float
) -> Point:
    """Return the point on the floor after a share of a walkable line from node n."""
    here = node_at(tree, n)
    place = (
        here[0] + share * (there[0] - here[0]),
        here[1] + share * (there[1] - here[1]),
        here[2] + share * (there[2] - here[2]),
    )
    if ask.flat:
        return place
    cast(mesh, ask, ray, here, tree.face[n], place)
    return place[0], place[1], ray.point[0, 2]


@jit
def _part(
    mesh: MeshArrays, ask: AskArrays, ray: RayRoom, tree: TreeArrays, count: int, n: int, there: Point, caught: Array
) -> int:
    """Walk part of the line on which the agent was `caught`, stopping well before; return the number of nodes."""
    leave, arrive = caught[3], caught[4]
    stop = leave + _PART * ((caught[0] - 1.0) / ask.steps[0] - leave)
    if caught[2] <= 0.0 or stop <= leave:
        return count
    place = _point_on(mesh, ask, ray, tree, n, there, (stop - leave) / (arrive - leave))
    here = node_at(tree, n)
    if metres_straight(mesh, ask, ray, here, tree.face[n], place) < 0.0:
        return count
    parent = n
    if leave > tree.step[n]:
        parent = count
        count = add_node(tree, count, here, leave, n, tree.face[n])
    return add_node(tree, count, place, stop, parent, np.int64(ray.stop[0]))


@jit
def _finish(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    ray: RayRoom,
    tree: TreeArrays,
    count: int,
    n: int,
) -> int:
    """Try to go straight from node n to the goal, at once or after waiting; return the number of nodes."""
    here, goal = node_at(tree, n), (ask.ends[1, 0], ask.ends[1, 1], ask.ends[1, 2])
    metres = metres_straight(mesh, ask, ray, here, tree.face[n], goal)
    if metres < 0.0:
        return count
    need, leave = steps_needed(ask, metres), tree.step[n]
    for _ in range(ask.steps[2]):
        if leave + need > ask.steps[1]:
            return count
        if look_from_node(sight, views, mesh, ask, ray, tree, n, leave, leave + need, goal)[0] < 0:
            parent = n
            if leave > tree.step[n]:
                parent = count
                count = add_node(tree, count, here, leave, n, tree.face[n])
            return add_node(tree, count, goal, leave + need, parent, ask.faces[1])
        later = leave + ask.steps[3]
        if later > ask.steps[1]:
            return count
        if look_from_node(sight, views, mesh, ask, ray, tree, n, leave, later, here)[0] >= 0:
            return count
        leave = later
    return count


@jit
def grow_tree(
    sight: SightArrays,
    views: ViewArrays,
    mesh: MeshArrays,
    ask: AskArrays,
    samples: Array,
    sees: Array,
    tree: TreeArrays,
    caught: Array,
) -> tuple[int, int, int]:
    """Grow one tree; return its number of nodes, whether the last is the goal (1 or 0), and the number of sightings.

    Parameters
    ----------
    samples : (n, 6) x, y, z on the floor; share of the time, 0 … 1; mood, 0 … 1, which sets how to go first; number of
        the bend at the sample, -1: none.
    sees : (m, m) uint8, whether a straight walk connects two bends; bend 0 is the start.
    caught : (n, 5) where walks were abandoned because the agent was seen: moment, x, y, z, guard.
    """
    ray = ray_room()
    how, seen = np.empty(5), 0
    stands = np.empty(len(tree.step), np.int64)
    stands[0] = 0
    count = add_node(tree, 0, (ask.ends[0, 0], ask.ends[0, 1], ask.ends[0, 2]), 0, -1, ask.faces[0])
    for s in range(len(samples)):
        place = (samples[s, 0], samples[s, 1], samples[s, 2])
        step = 1.0 + samples[s, 3] * (ask.steps[1] - 1)
        bend, n = np.int64(samples[s, 5]), -1
        if bend >= 0:
            n = nearest_at_bend(ask, tree, count, place, step, stands, sees[bend])
        if n < 0:
            n = nearest_node(ask, tree, count, place, step)
        if n < 0:
            continue
        before = count
        for leg in range(_LEGS):
            there, face, metres, cut = aim(mesh, ask, ray, tree, n, place, step)
            if face < 0:
                break
            need, mood = steps_needed(ask, metres), 0.0 if cut else samples[s, 4]
            grown = _extend(sight, views, mesh, ask, ray, tree, count, n, there, face, need, step, mood, how)
            if grown == count and how[0] >= 0.0:
                if leg == 0:
                    caught[seen, 0], caught[seen, 4] = how[0], how[1]
                    caught[seen, 1], caught[seen, 2], caught[seen, 3] = _point_on(
                        mesh, ask, ray, tree, n, there, how[2]
                    )
                    seen += 1
                cut, grown = False, _part(mesh, ask, ray, tree, count, n, there, how)
            if grown == count:
                break
            there_now = bend >= 0 and tree.xyz[grown - 1, 0] == place[0] and tree.xyz[grown - 1, 1] == place[1]
            for new in range(count, grown):
                stands[new] = stands[n]
            stands[grown - 1] = bend if there_now else -1
            count, n = grown, grown - 1
            if not cut or count + 2 * (len(samples) - s) + 3 > len(tree.step):
                break
        if count == before:
            continue
        grown = _finish(sight, views, mesh, ask, ray, tree, count, count - 1)
        if grown > count:
            return grown, 1, seen
    # Try a straight walk from the start last: tried first, every tree would return it wherever it succeeds.
    grown = _finish(sight, views, mesh, ask, ray, tree, count, 0)
    return grown, 1 if grown > count else 0, seen
