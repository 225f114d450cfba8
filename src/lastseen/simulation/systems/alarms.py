"""Alarms: of several agents that see an intruder one shouts, the nearest."""

from __future__ import annotations

import numpy as np

from ...agents.brains.surroundings import AlarmCause
from ...agents.senses.hearing.sounds import SOUNDS, sound
from ...kernels.arrays.agent_arrays import ACTIVE
from ...vocabulary.events import AlarmRaised
from ..world.world import World

_WAITS = 0.6
"""Seconds for which an agent lets a colleague shout that is nearer to what it has seen."""
_SHOUT = "shout"
_REACH = SOUNDS[_SHOUT].radius


def plan_alarm(world: World, agent: int) -> None:
    """Let an agent shout: at once if it is nearest to what it has seen, else after the others have had the time to."""
    cause = world.attention.cause_of(world.cast, world.minds[agent].blackboard, agent)
    waits = world.time + (_WAITS if _is_behind(world, agent, cause) else 0.0)
    world.acts.wants_alarm.setdefault(agent, (waits, cause))


def raise_alarms(world: World) -> None:
    """Let agents shout whose time it is, unless they know of the alarm by now or are out of action."""
    for agent, (due, cause) in list(world.acts.wants_alarm.items()):
        if world.time < due - 1e-9:
            continue
        del world.acts.wants_alarm[agent]
        row = int(world.cast.watcher_row[agent])
        if world.bodies.mode[agent] != ACTIVE or world.attention.knows_alarm(row, cause):
            continue
        world.acts.alarms[agent] = cause
        world.senses.sounds.append(sound(_SHOUT, world.place_of(agent), created=world.time, made_by=agent))
        world.happened(AlarmRaised(world.tick, agent, at=world.place_of(agent)))


def _is_behind(world: World, agent: int, cause: AlarmCause) -> bool:
    """Return whether a colleague within the reach of a shout is nearer to the target that an agent has seen."""
    row, (kind, target) = int(world.cast.watcher_row[agent]), cause
    if row < 0 or kind != "target":
        return False
    place = world.knowledge.arrays.xyz[row, world.cast.targets.tolist().index(target)]
    watchers, bodies = world.cast.watchers, world.bodies
    away = np.linalg.norm(bodies.xyz[watchers] - place, axis=1)
    near = np.linalg.norm(bodies.xyz[watchers] - bodies.xyz[agent], axis=1) <= _REACH
    alike = (bodies.team[watchers] == bodies.team[agent]) & (bodies.mode[watchers] == ACTIVE)
    is_before = (away < away[row]) | ((away == away[row]) & (np.arange(len(away)) < row))
    return bool((near & alike & is_before).any())
