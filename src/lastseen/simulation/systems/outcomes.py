"""Outcomes of a hunt: those that see a target fall tell their colleagues, and each stops hunting when it knows."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator

import numpy as np

from ...agents.brains.relations import TEAMS
from ...agents.senses.hearing.sounds import SOUNDS
from ...conventions import Array
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
    pairs = _Pairs(world)
    for column, due in list(attention.told.items()):
        if world.bodies.mode[world.cast.targets[column]] in (ACTIVE, HIDDEN):
            attention.knows_out[:, column] = False
            del attention.told[column]
            continue
        _tell(world, column, due, pairs)
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


def _tell(world: World, column: int, due: dict[int, float], pairs: _Pairs) -> None:
    """Add the times at which colleagues of those that know will know; those that know tell it once, or on meeting."""
    attention, now = world.attention, world.time
    if len(due) == len(world.cast.watchers):
        return
    know, reach = [row for row, when in due.items() if when <= now + 1e-9], attention.sharing.reach
    for row, teller, metres in pairs.between(due, know):
        shouts = not attention.knows_out[teller, column]
        if metres <= (_SHOUT_REACH if shouts else min(reach, _SHOUT_REACH)):
            wait = metres / _SOUND_SPEED
        elif reach == math.inf:
            wait = _RADIO
        else:
            continue
        due[row] = min(due.get(row, math.inf), now + wait + _UNDERSTANDS)


class _Pairs:
    """Pairs of awake watchers of one team that may tell each other something, found when first asked for."""

    def __init__(self, world: World):
        self._world, watchers = world, world.cast.watchers
        self._awake = world.bodies.mode[watchers] == ACTIVE
        self._found: tuple[Array, Array, Array] | None = None

    def between(self, told: Iterable[int], tellers: list[int]) -> Iterator[tuple[int, int, float]]:
        """Return pairs of a watcher that has not been told and a teller, with their distance in metres."""
        listens, tells = self._awake.copy(), np.zeros(len(self._awake), np.bool_)
        listens[list(told)], tells[tellers] = False, True
        tells &= self._awake
        if not listens.any() or not tells.any():
            return iter(())
        if self._found is None:
            self._found = self._find()
        rows, others, metres = self._found
        met = listens[rows] & tells[others]
        return zip(rows[met].tolist(), others[met].tolist(), metres[met].tolist())

    def _find(self) -> tuple[Array, Array, Array]:
        bodies, rows = self._world.bodies, np.flatnonzero(self._awake)
        agents = self._world.cast.watchers[rows]
        places, team = bodies.xyz[agents], bodies.team[agents]
        close = team[:, None] == team
        if self._world.attention.sharing.reach < math.inf:
            # Few are near each other, so those far off along one axis are dropped before distances are computed.
            close &= np.abs(places[:, :1] - places[:, 0]) <= _SHOUT_REACH
            close &= np.abs(places[:, 1:2] - places[:, 1]) <= _SHOUT_REACH
        one, other = np.nonzero(close)
        return rows[one], rows[other], np.linalg.norm(places[one] - places[other], axis=1)


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
