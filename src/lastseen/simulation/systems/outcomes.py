"""Outcomes of a hunt: those that see a target fall tell their colleagues, and each stops hunting when it knows."""

from __future__ import annotations

import math
from collections.abc import Iterator

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import SOUNDS
from ...conventions import Array, Bools, Floats
from ...kernels.arrays.agent_arrays import ACTIVE, HIDDEN
from ...kernels.senses.knowledge import RADIO, SOUND_SPEED
from ...vocabulary.events import StandsDown
from ..world.world import World

_SHOUT_REACH = 15.0
"""Metres within which colleagues hear that a hunt is over."""
_UNDERSTANDS = 0.34
"""Seconds that a listener takes to understand the message, beyond its reaction."""
_GUARDS = TEAMS.index("guards")


def spread_outcomes(world: World) -> None:
    """Let watchers learn that targets are out of the game: by sight, by a shout, by radio, or from one they meet."""
    attention = world.attention
    for column in attention.out:
        attention.told[column] = dict.fromkeys(_witnesses(world, column), world.time)
    attention.out.clear()
    awake = world.bodies.mode[world.cast.watchers] == ACTIVE
    for column, due in list(attention.told.items()):
        if world.bodies.mode[world.cast.targets[column]] in (ACTIVE, HIDDEN):
            attention.knows_out[:, column] = False
            del attention.told[column]
            continue
        _tell(world, column, due, awake)
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


def _tell(world: World, column: int, due: dict[int, float], awake: Bools) -> None:
    """Add the times at which colleagues of those that know will know; those that know tell it once, or on meeting."""
    attention, now = world.attention, world.time
    if len(due) == len(awake):
        return
    reach, told = attention.sharing.reach, np.array(list(due), np.int64)
    unaware = awake.copy()
    unaware[told] = False
    knows = told[(np.array(list(due.values())) <= now + 1e-9) & awake[told]]
    listeners, tellers = np.flatnonzero(unaware), np.sort(knows)
    if not len(listeners) or not len(tellers):
        return
    shouts = ~attention.knows_out[tellers, column]
    heard = np.where(shouts, _SHOUT_REACH, min(reach, _SHOUT_REACH))
    for row, metres, within in _pairs(world, listeners, tellers, heard):
        wait = metres / SOUND_SPEED if metres <= within else RADIO
        if metres <= within or reach == math.inf:
            reacts = attention.reacting.to_news(np.array([row])).item()
            due[row] = min(due.get(row, math.inf), now + wait + _UNDERSTANDS + reacts)


def _pairs(world: World, listeners: Array, tellers: Array, heard: Floats) -> Iterator[tuple[int, float, float]]:
    """Return pairs of a listener and a teller of one team: the listener, their distance, and the metres of a voice."""
    bodies, watchers = world.bodies, world.cast.watchers
    ears, mouths = bodies.xyz[watchers[listeners]], bodies.xyz[watchers[tellers]]
    team = bodies.team[watchers]
    if world.attention.sharing.reach < math.inf:
        # Few are near each other, so those far off along one axis are dropped before distances are computed.
        close = np.flatnonzero(np.abs(ears[:, :1] - mouths[:, 0]) <= heard)
        rows, columns = np.divmod(close, len(tellers))
        near = np.abs(ears[rows, 1] - mouths[columns, 1]) <= heard[columns]
        rows, columns = rows[near], columns[near]
    else:
        rows, columns = np.divmod(np.arange(len(listeners) * len(tellers)), len(tellers))
    alike = team[listeners[rows]] == team[tellers[columns]]
    rows, columns = rows[alike], columns[alike]
    metres = np.linalg.norm(ears[rows] - mouths[columns], axis=1)
    return zip(listeners[rows].tolist(), metres.tolist(), heard[columns].tolist())


def _stand_down(world: World, row: int, column: int) -> None:
    """Let a watcher that knows a target is out of the game forget it, and stop hunting if there is no other."""
    attention, agent, target = world.attention, int(world.cast.watchers[row]), int(world.cast.targets[column])
    attention.knows_out[row, column] = True
    hunted = world.knowledge.arrays.source[row, column] != 0 or agent in world.hunt.alerted
    world.knowledge.forget_pairs((row, column))
    attention.news.forget((row, column))
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
