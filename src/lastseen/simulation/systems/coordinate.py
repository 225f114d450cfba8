"""Coordinate: what guards do together; here the search they share."""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import STATES
from ...kernels.body_arrays import ACTIVE
from ..world import World

__all__ = ["coordinate"]

_SEARCH, _CHASE = STATES.index("search"), STATES.index("chase")


def coordinate(world: World) -> None:
    """Let the search go on around those who take part."""
    state, bodies = world.state, world.bodies
    for agent in world.hunt.members:
        if state[agent] != _SEARCH or bodies.mode[agent] != ACTIVE:
            world.hunt.leave(agent)
    looking = np.flatnonzero(((state == _SEARCH) | (state == _CHASE)) & (bodies.mode == ACTIVE))
    was_on = world.hunt.is_on(world.time)
    world.hunt.advance(world.step, world.time, bodies.xyz[looking], bodies.gaze[looking])
    if was_on and not world.hunt.is_on(world.time + world.step):
        world.happened("search over", text="the search is over")
