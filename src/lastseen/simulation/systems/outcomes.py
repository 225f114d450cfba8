"""Outcomes of a hunt: those that see a target fall tell their colleagues, and each stops hunting when it knows."""

from __future__ import annotations

import math

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import SOUNDS
from ...kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ...vocabulary.events import StandsDown
from ..world.world import World

_SHOUT_REACH, _SOUND_SPEED = 15.0, 343.0
"""Metres within which colleagues hear that a hunt is over, and metres per second of a shout."""
_RADIO = 0.3
"""Seconds that a message by radio takes, in teams that share what they know at once."""
_UNDERSTANDS = 0.5
"""Seconds that a listener takes to understand the message."""
_GUARDS = TEAMS.index("guards")


def spread_outcomes(world: World) -> None:
    """Let watchers learn that targets are out of the game: by sight, by a shout, by radio, or from one they meet."""
    attention = world.attention
    for column in attention.out:
        attention.told[column] = dict.fromkeys(_witnesses(world, column), world.time)
    attention.out.clear()
    for column, due in list(attention.told.items()):
        if world.bodies.mode[world.cast.targets[column]] in (ACTIVE, HIDDEN):
            attention.knows_out[:, column] = False
            del attention.told[column]
            continue
        _tell(world, column, due)
        knows = attention.knows_out[:, column].tolist()
        for row in [row for row, when in due.items() if when <= world.time + 1e-9 and not knows[row]]:
            _stand_down(world, row, column)


def _witnesses(world: World, column: int) -> list[int]:
    """Return the watchers that know at once: they saw it, or did it."""
    target, seen = int(world.cast.targets[column]), world.attention.seen
    by = {event.agent for event in world.earlier if getattr(event, "other", -1) == target}
    by |= {getattr(event, "other", -1) for event in world.earlier if event.agent == target}
    rows = [row for row, other in enumerate(seen) if other == column]
    return sorted({*rows, *(int(world.cast.watcher_row[agent]) for agent in by if agent >= 0)} - {-1})


def _tell(world: World, column: int, due: dict[int, float]) -> None:
    """Add the times at which colleagues of those that know will know; those that know tell it once, or on meeting."""
    attention, watchers, bodies, now = world.attention, world.cast.watchers, world.bodies, world.time
    awake = bodies.mode[watchers] == ACTIVE
    tellers = np.array([row for row, when in due.items() if when <= now + 1e-9 and awake[row]], np.int64)
    awake[list(due)] = False
    rows = np.flatnonzero(awake)
    if not len(rows) or not len(tellers):
        return
    listening, telling, reach = watchers[rows], watchers[tellers], attention.sharing.reach
    metres = np.linalg.norm(bodies.xyz[listening][:, None] - bodies.xyz[telling], axis=2)
    # Those that have just learned it shout.
    within = np.where(attention.knows_out[tellers, column], min(reach, _SHOUT_REACH), _SHOUT_REACH)
    wait = np.where(metres <= within, metres / _SOUND_SPEED, _RADIO if reach == math.inf else math.inf)
    wait[bodies.team[listening][:, None] != bodies.team[telling]] = math.inf
    for row, seconds in zip(rows.tolist(), wait.min(axis=1).tolist()):
        if seconds < math.inf:
            due[row] = now + seconds + _UNDERSTANDS


def _stand_down(world: World, row: int, column: int) -> None:
    """Let a watcher that knows a target is out of the game forget it, and stop hunting if there is no other."""
    attention, agent, target = world.attention, int(world.cast.watchers[row]), int(world.cast.targets[column])
    attention.knows_out[row, column] = True
    hunted = world.knowledge.arrays.source[row, column] != 0 or agent in world.hunt.alerted
    world.knowledge.forget_pairs((row, column))
    attention.acted_on[row, column] = -math.inf
    if attention.seen[row] == column:
        attention.seen[row] = -1
    for stimulus in attention.stimuli:
        if stimulus.kind in SOUNDS and stimulus.about == target and stimulus.number in attention.heard_by:
            attention.heard_by[stimulus.number][row] = False
    for request in world.teamwork.requests.of(agent):
        if request.target == target:
            world.teamwork.requests.withdraw(agent, request.objective)
    if (world.knowledge.arrays.identified[row] == 1).any():
        return  # It hunts another.
    world.hunt.release(agent, world.time)
    world.teamwork.requests.withdraw(agent, "search")
    if hunted and world.cast.side[agent] == _GUARDS:
        world.happened(StandsDown(world.tick, agent, at=world.place_of(agent), other=target))
