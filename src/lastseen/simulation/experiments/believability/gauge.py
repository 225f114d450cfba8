"""The gauge of a run: counts what breaks the illusion that guards are people, step by step."""

from __future__ import annotations

import math

import numpy as np

from ....agents.brains.relations import TEAMS
from ....conventions import Ids
from ....kernels.arrays.agent_arrays import ACTIVE, HIDDEN, TOLD
from ....vocabulary.events import (
    AlarmRaised,
    GivesUp,
    Investigates,
    Lost,
    PlaceChanged,
    RoleChanged,
    Said,
    Sees,
    StateChanged,
)
from ....vocabulary.words import AgentState
from ...world.world import World

_GUARDS, _INTRUDERS = TEAMS.index("guards"), TEAMS.index("intruders")
_BUSY = (AgentState.ENGAGE, AgentState.CHASE, AgentState.SEARCH)
_BUSY_NUMBERS = [state.number for state in _BUSY]
SHORT = 1.0
"""Seconds within which a loss that ends was none."""
TOGETHER, EARSHOT = 0.3, 12.0
"""Seconds and metres within which two barks of different guards are heard at once."""
SOUND, RADIO = 343.0, 0.2
"""Metres per second of a shout, and seconds that a message by radio takes at least."""
_NEWS = 1.0
"""Seconds by which a record must be newer than what its receiver knew to be news."""
STALE = 5.0
"""Seconds after which a stimulus noticed during a hunt is no reason to investigate."""
READY = 1.0
"""Seconds that members of a new crew may take until they close in."""
_WALK, _AT_PLACE, _AT_TARGET = 1.5, 1.0, 3.0
"""Metres per second of a walk, and metres from its place or its target within which a member need not run."""
_HAD = 10.0
"""Seconds after which a role that a guard lost no longer counts as one it had."""
_TALK = "talk"
"""The objective whose roles change with every turn of a conversation, as they should."""


class Gauge:
    """Count what happens in one run.

    Attributes
    ----------
    guards : numbers of the guards.
    minutes : guard-minutes so far, over guards that can act.
    hunted : guard-seconds of fighting, chasing and searching after the last target was out of the game.
    out : seconds at which that was; infinite: not yet.
    losses, short, floods : losses of sight, those that ended within `SHORT` seconds, and predictions begun.
    changes : roles and places given to guards that had one, except for turns in conversations.
    alarms, causes : alarms raised, and what for.
    fast : news that reached a guard sooner than a shout or the radio could.
    barks : pairs of barks at once within earshot.
    again : investigations of what a guard had searched for already, or had heard during a hunt long ago.
    twice : reports of giving up that repeat one.
    fighting, idle : guard-seconds in crews that attack, and those spent standing or walking far from place and target.
    """

    def __init__(self, world: World):
        self.guards: Ids = np.flatnonzero(world.cast.side == _GUARDS).astype(np.int32)
        self._intruders = np.flatnonzero(world.cast.side == _INTRUDERS)
        self._had_target = self._is_out(world) is False
        self.minutes = self.hunted = self.fighting = self.idle = 0.0
        self.out = math.inf
        self.losses = self.short = self.floods = self.changes = self.alarms = 0
        self.fast = self.barks = self.again = self.twice = 0
        self.causes: set[tuple[str, int]] = set()
        self._lost: dict[tuple[int, int], float] = {}
        self._had: dict[int, float] = {}
        self._chases: dict[int, object] = {}
        self._said: list[tuple[float, int, np.ndarray]] = []
        self._gave_up: set[int] = set()
        self._searched: set[tuple[int, int]] = set()
        self._heard: dict[tuple[int, int], tuple[float, bool]] = {}
        self._known = world.knowledge.arrays.time.copy()

    def note(self, world: World) -> None:
        """Record a step after it has run."""
        now = world.time - world.step
        up = self.guards[world.bodies.mode[self.guards] == ACTIVE]
        self.minutes += len(up) * world.step / 60.0
        if self.out == math.inf and self._had_target and self._is_out(world):
            self.out = now
        if self.out < math.inf:
            self.hunted += int(np.isin(world.state[up], _BUSY_NUMBERS).sum()) * world.step
        self._note_stimuli(world, now)
        for event in world.events:
            self._take(world, event, now)
        self._note_floods(world)
        self._note_news(world, now)
        self._note_attacks(world)

    def _is_out(self, world: World) -> bool:
        """Return whether no intruder is left in the game."""
        return not np.isin(world.bodies.mode[self._intruders], (ACTIVE, HIDDEN)).any()

    def _take(self, world: World, event: object, now: float) -> None:
        match event:
            case Lost():
                self.losses += 1
                self._lost[event.agent, event.other] = now
            case Sees():
                since = self._lost.pop((event.agent, event.other), -math.inf)
                self.short += now - since <= SHORT
            case RoleChanged() | PlaceChanged() if event.objective != _TALK:
                given = bool(event.role)
                self.changes += given and now - self._had.get(event.agent, -math.inf) <= _HAD
                self._had[event.agent] = math.inf if given else now
            case AlarmRaised():
                self.alarms += 1
                self.causes.add(_cause(world, event.agent))
            case Said() if event.agent in self.guards and event.at is not None and event.turn <= 1:
                self._bark(now, event.agent, np.asarray(event.at))
            case GivesUp():
                self._give_up(event.agent)
            case StateChanged() if event.state in _BUSY and event.before not in _BUSY:
                self._gave_up.discard(event.agent)
            case Investigates():
                self._investigate(world, event.agent, now)

    def _bark(self, now: float, agent: int, at: np.ndarray) -> None:
        self._said = [one for one in self._said if now - one[0] <= TOGETHER + 1e-9]
        for _, other, place in self._said:
            self.barks += other != agent and float(np.linalg.norm(place - at)) <= EARSHOT
        self._said.append((now, agent, at))

    def _give_up(self, agent: int) -> None:
        """Note that an agent gave up: what it has heard so far, it has searched for."""
        self.twice += agent in self._gave_up
        self._gave_up.add(agent)
        self._searched |= {(agent, number) for one, number in self._heard if one == agent}

    def _note_stimuli(self, world: World, now: float) -> None:
        """Note when each guard heard each stimulus, and whether it was hunting then."""
        for number, heard in world.attention.heard_by.items():
            for row in np.flatnonzero(heard).tolist():
                agent = int(world.cast.watchers[row])
                self._heard.setdefault((agent, number), (now, int(world.state[agent]) in _BUSY_NUMBERS))

    def _investigate(self, world: World, agent: int, now: float) -> None:
        number = world.minds[agent].blackboard["call"]
        since, hunting = self._heard.get((agent, number), (now, False))
        self.again += (agent, number) in self._searched or (hunting and now - since > STALE)

    def _note_floods(self, world: World) -> None:
        """Count predictions: each belongs to a new chase of its agent."""
        for agent in self.guards.tolist():
            chase = world.minds[agent].blackboard.get("chase")
            if chase is not None and chase is not self._chases.get(agent):
                self._chases[agent] = chase
                self.floods += 1

    def _note_news(self, world: World, now: float) -> None:
        """Count records from colleagues that are younger than their way to the guard takes."""
        know, before = world.knowledge.arrays, self._known
        rows, columns = np.nonzero((know.source == TOLD) & (know.time > before + _NEWS))
        self._known = know.time.copy()
        if not len(rows):
            return
        feet = world.bodies.xyz[world.cast.watchers]
        for row, column in zip(rows.tolist(), columns.tolist()):
            first_hand = (know.time[:, column] >= know.time[row, column]) & (know.source[:, column] != TOLD)
            tellers = np.flatnonzero(first_hand)
            metres = np.linalg.norm(feet[tellers] - feet[row], axis=1).min() if len(tellers) else 0.0
            needs = metres / SOUND if metres <= EARSHOT else RADIO
            self.fast += bool(now - know.time[row, column] < needs - 1e-9)

    def _note_attacks(self, world: World) -> None:
        """Count the time of members of crews that fight, and how long they only stand."""
        crews = world.teamwork.crews
        for crew in crews.standing.values() if crews is not None else ():
            target = crew.target
            if crew.objective != "fight" or target < 0 or world.bodies.mode[target] != ACTIVE:
                continue
            if world.time - crew.since <= READY:
                continue
            for member in crew.members:
                if world.bodies.mode[member] == ACTIVE:
                    self.fighting += world.step
                    self.idle += world.step * _idles(world, member, target)


def _idles(world: World, member: int, target: int) -> bool:
    """Return whether a member stands or walks although it is far from its place and the target."""
    bodies, direction = world.bodies, world.teamwork.direction_of(member)
    if float(np.hypot(*bodies.velocity_xy[member])) >= _WALK or (direction and direction.role == "reserve"):
        return False
    if world.combat is not None and (member in world.combat.blows or world.combat.waits(member, world.time) > 0.0):
        return False
    feet, place = bodies.xyz[member], direction.values.get("stand") if direction is not None else None
    if float(np.linalg.norm(bodies.xyz[target] - feet)) <= _AT_TARGET:
        return False
    return place is None or float(np.linalg.norm(np.asarray(place) - feet)) > _AT_PLACE


def _cause(world: World, agent: int) -> tuple[str, int]:
    """Return what an agent raises the alarm about: the target it sees, or what it was called to."""
    row = int(world.cast.watcher_row[agent])
    if row >= 0 and world.attention.seen[row] >= 0:
        return "target", world.attention.seen[row]
    return "call", int(world.minds[agent].blackboard.get("call_about", -1))
