"""Guards in pursuit: see, follow and lose a runner, run to a predicted place and look around."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from ...conventions import Array
from ..arrays.level_arrays import MeshArrays
from ..jit import jit
from ..walk.raycast import REACHED, cast_rays

PURSUE, RUN, LOOK = 0, 1, 2
UNDER_WAY, LOST, GAVE_UP, ALIVE, NEVER_LOST = 0, 1, 2, 3, 4


class PursuitRules(NamedTuple):
    """Abilities of guards, in metres and time steps."""

    stride: float  # metres a guard runs in one step
    view_distance: float
    view_cosine: float  # of half the opening
    near: float  # metres within which it sees in all directions
    look_distance: float  # view distance while looking around
    keep: float  # distance a guard that sees the runner keeps to it
    delay: int  # steps unseen until the runner counts as lost
    look: int  # steps spent looking around
    patience: int  # steps within which the first loss must occur
    alive: int  # steps after the first loss at which a chase counts as alive
    below: float  # tolerance of the floor below and above a position
    above: float


class Guards(NamedTuple):
    """G guards, each pursuing the runner of an episode; changed in place."""

    episode: Array  # int32 (G,)
    step: Array  # int32 (G,)  current step
    mode: Array  # int8 (G,)  PURSUE, RUN or LOOK
    status: Array  # int8 (G,)
    xyz: Array  # float64 (G, 3)
    facing: Array  # float64 (G, 2)  unit vector
    seen_step: Array  # int32 (G,)  step in which it last saw the runner
    seen_xyz: Array  # float64 (G, 3)
    looked: Array  # int32 (G,)  steps spent looking around
    way_at: Array  # int64 (G,)  next point of its path in `points`
    way_end: Array  # int64 (G,)
    losses: Array  # int32 (G,)  how often it lost the runner
    first_loss: Array  # int32 (G,)  step, -1: not yet
    found: Array  # int32 (G,)  step in which it saw the runner again after the first loss, -1: never
    metres: Array  # float64 (G,)  distance run after the first loss, until the runner is seen or lost again


class SightRay(NamedTuple):
    """Buffers for one ray cast on the mesh."""

    ends: Array  # float64 (2, 1, 3)
    face: Array  # int32 (1,)
    outcome: Array  # uint8 (1,)
    point: Array  # float64 (1, 3)
    fraction: Array  # float64 (1,)
    normal: Array  # float64 (1, 2)


@jit
def _sees(mesh: MeshArrays, ray: SightRay, rules: PursuitRules, guards: Guards, g: int, target: Array) -> bool:
    """Return whether guard g sees a place: it is near, within its view, and a straight line to it is walkable."""
    dx, dy = target[0] - guards.xyz[g, 0], target[1] - guards.xyz[g, 1]
    length = np.sqrt(dx * dx + dy * dy)
    if guards.mode[g] == LOOK:
        if length > rules.look_distance:
            return False
    elif length > rules.near:
        ahead = dx * guards.facing[g, 0] + dy * guards.facing[g, 1]
        if length > rules.view_distance or ahead < rules.view_cosine * length:
            return False
    for axis in range(3):
        ray.ends[0, 0, axis] = guards.xyz[g, axis]
        ray.ends[1, 0, axis] = target[axis]
    ray.face[0] = -1
    cast_rays(
        mesh,
        ray.ends[0],
        ray.ends[1],
        ray.face,
        rules.below,
        rules.above,
        False,
        ray.outcome,
        ray.point,
        ray.fraction,
        ray.normal,
        ray.face,
    )
    return ray.outcome[0] == REACHED


@jit
def _towards(guards: Guards, g: int, target: Array, stride: float) -> float:
    """Move guard g straight towards a place by at most `stride` metres; return what is left of the stride."""
    dx, dy = target[0] - guards.xyz[g, 0], target[1] - guards.xyz[g, 1]
    dz = target[2] - guards.xyz[g, 2]
    length = np.sqrt(dx * dx + dy * dy + dz * dz)
    flat = np.sqrt(dx * dx + dy * dy)
    if flat > 1e-9:
        guards.facing[g, 0], guards.facing[g, 1] = dx / flat, dy / flat
    if length <= stride:
        for axis in range(3):
            guards.xyz[g, axis] = target[axis]
        return stride - length
    share = stride / length
    guards.xyz[g, 0] += share * dx
    guards.xyz[g, 1] += share * dy
    guards.xyz[g, 2] += share * dz
    return 0.0


@jit
def _act(rules: PursuitRules, guards: Guards, g: int, points: Array) -> None:
    """Advance guard g by one time step: run or look around."""
    mode = guards.mode[g]
    if mode == PURSUE:
        stride = rules.stride
        if guards.seen_step[g] == guards.step[g]:
            dx, dy = guards.seen_xyz[g, 0] - guards.xyz[g, 0], guards.seen_xyz[g, 1] - guards.xyz[g, 1]
            stride = min(stride, max(np.sqrt(dx * dx + dy * dy) - rules.keep, 0.0))
        _towards(guards, g, guards.seen_xyz[g], stride)
        return
    if mode == LOOK:
        guards.looked[g] += 1
        return
    left = rules.stride
    while left > 0.0 and guards.way_at[g] < guards.way_end[g]:
        before = left
        left = _towards(guards, g, points[guards.way_at[g]], left)
        if guards.losses[g] == 1:
            guards.metres[g] += before - left
        if left > 0.0:
            guards.way_at[g] += 1
    if guards.way_at[g] >= guards.way_end[g]:
        guards.mode[g] = LOOK
        guards.looked[g] = 0


@jit
def pursue_all(
    mesh: MeshArrays, tracks: Array, points: Array, rules: PursuitRules, guards: Guards, ray: SightRay
) -> None:
    """Let every active guard run until it loses its runner or its episode ends; `status` tells which.

    `tracks` (E, T, 3): position of each runner at each step. Guards in mode RUN follow `points[way_at:way_end]`.
    """
    last = tracks.shape[1] - 1
    for g in range(len(guards.episode)):
        while guards.status[g] == UNDER_WAY:
            now = guards.step[g]
            target = tracks[guards.episode[g], now]
            if _sees(mesh, ray, rules, guards, g, target):
                if guards.mode[g] != PURSUE and guards.losses[g] == 1:
                    guards.found[g] = now
                guards.mode[g] = PURSUE
                guards.seen_step[g] = now
                for axis in range(3):
                    guards.seen_xyz[g, axis] = target[axis]
            pursuing = guards.mode[g] == PURSUE
            if guards.losses[g] > 0 and pursuing and now >= guards.first_loss[g] + rules.alive:
                guards.status[g] = ALIVE
            elif pursuing and now - guards.seen_step[g] >= rules.delay:
                guards.status[g] = LOST
                guards.losses[g] += 1
                if guards.losses[g] == 1:
                    guards.first_loss[g] = now
            elif guards.losses[g] == 0 and now >= rules.patience:
                guards.status[g] = NEVER_LOST
            elif (guards.mode[g] == LOOK and guards.looked[g] >= rules.look) or now >= last:
                guards.status[g] = GAVE_UP
            else:
                _act(rules, guards, g, points)
                guards.step[g] = now + 1
