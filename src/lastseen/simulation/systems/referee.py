"""End an episode: a target escaped, every guard is calm again, or the time limit is reached.

The last system of a step, so that it judges what all the others did.
"""

from __future__ import annotations

import numpy as np

from ...agents.brains.relations import TEAMS
from ...kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ...vocabulary.words import AgentState, EndReason
from ..world.world import World
from .speak import award

EXIT_REACH = 1.2
"""Metres from an exit at which a target has escaped."""
_CALM = [AgentState.PATROL.number, AgentState.RETURN.number]


def referee(world: World) -> None:
    """End the episode for a named reason, if there is one."""
    ends = world.scenario.ends
    if EndReason.ESCAPED in ends:
        _escape(world)
    if EndReason.ALL_CALM in ends and world.episode.alarmed and not world.hunt.is_on(world.time):
        state = world.state[world.cast.watchers][world.bodies.mode[world.cast.watchers] == ACTIVE]
        if np.isin(state, _CALM).all():
            world.end(EndReason.ALL_CALM)
    world.episode.alarmed |= any(column >= 0 for column in world.attention.seen) or world.hunt.is_on(world.time)
    if world.time + world.step >= world.scenario.seconds - 1e-9:
        world.end(EndReason.TIME_OVER, seconds=world.scenario.seconds)
    if world.ending is not None:
        award(world)


def _escape(world: World) -> None:
    exits = world.episode.exits
    if not len(exits):
        return
    for agent in np.flatnonzero(world.cast.side == TEAMS.index("intruders")).tolist():
        if world.bodies.mode[agent] not in (ACTIVE, HIDDEN) or agent in world.acts.possessed:
            continue
        if np.linalg.norm(exits - world.bodies.xyz[agent], axis=1).min() <= EXIT_REACH:
            world.end(EndReason.ESCAPED, agent)
