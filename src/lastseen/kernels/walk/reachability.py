"""Reachability of faces and positions over links."""

from __future__ import annotations

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import inner, jit
from ..mesh.point_location import closest_on_face, face_under


@inner
def closest_reachable(mesh: MeshArrays, face: int, x: float, y: float, z: float) -> tuple[int, float, float, float]:
    """Return the face reachable from `face` that is nearest to a point, and its nearest point."""
    seen = np.zeros(len(mesh.face_start), np.bool_)
    queue = np.empty(64, np.int64)
    queue[0], waiting, done = face, 1, 0
    seen[face] = True
    best, best_face, best_x, best_y, best_z = np.inf, np.int64(face), x, y, z
    while done < waiting:
        here = queue[done]
        away, px, py, pz = closest_on_face(mesh, here, x, y, z, best)
        if away < best:
            best, best_face, best_x, best_y, best_z = away, here, px, py, pz
        done += 1
        start, count = np.int64(mesh.link_start[here]), np.int64(mesh.link_count[here])
        if waiting + count > len(queue):
            longer = np.empty(2 * len(queue) + count, np.int64)
            for k in range(waiting):  # numba takes seconds longer to compile slices
                longer[k] = queue[k]
            queue = longer
        for link in range(start, start + count):
            other = np.int64(mesh.link_face[link])
            if not seen[other]:
                seen[other] = True
                queue[waiting] = other
                waiting += 1
    return best_face, best_x, best_y, best_z


@jit
def pairs_meet(
    mesh: MeshArrays,
    component: Array,
    starts: Array,
    goals: Array,
    below: float,
    above: float,
    marks: Array,
    found: Array,
) -> None:
    """Fill `found` with whether the positions of each pair are connected by a walkable path.

    Different values of `component` are never connected; without `marks` they alone decide. If there are cuts, two
    floods in `marks` (F,) int32, zeros on entry, grow towards each other, the smaller first: a pair costs about twice
    its smaller side, or the faces between the two. Floods leave plus or minus the number of their pair, so nothing is
    cleared.
    """
    queues = np.empty((2, 64), np.int64)
    ends, heads = np.zeros(2, np.int64), np.zeros(2, np.int64)
    for i in range(len(starts)):
        start = np.int64(face_under(mesh, starts[i, 0], starts[i, 1], starts[i, 2], below, above))
        goal = np.int64(face_under(mesh, goals[i, 0], goals[i, 1], goals[i, 2], below, above))
        found[i] = False
        if start < 0 or goal < 0:
            continue
        if component[mesh.face_parent[start]] != component[mesh.face_parent[goal]]:
            continue
        if start == goal or len(marks) == 0:
            found[i] = True
            continue
        queues[0, 0], queues[1, 0] = start, goal
        heads[0], heads[1], ends[0], ends[1] = 0, 0, 1, 1
        marks[start], marks[goal] = i + 1, -i - 1
        while heads[0] < ends[0] and heads[1] < ends[1] and not found[i]:
            side = 0 if ends[0] <= ends[1] else 1
            own = i + 1 if side == 0 else -i - 1
            here = queues[side, heads[side]]
            heads[side] += 1
            first, count = np.int64(mesh.link_start[here]), np.int64(mesh.link_count[here])
            if ends[side] + count > queues.shape[1]:
                longer = np.empty((2, 2 * queues.shape[1] + count), np.int64)
                for k in range(queues.shape[1]):
                    longer[0, k], longer[1, k] = queues[0, k], queues[1, k]
                queues = longer
            for link in range(first, first + count):
                other = np.int64(mesh.link_face[link])
                if marks[other] == -own:
                    found[i] = True
                    break
                if marks[other] != own:
                    marks[other] = own
                    queues[side, ends[side]] = other
                    ends[side] += 1
