"""Variables of rules for speech: how each is read from a mind, its world and the chronicle of past events."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from ...kernels.arrays.agent_arrays import ACTIVE, NOTHING
from ...vocabulary.events import (
    AlarmRaised,
    AnyEvent,
    Caught,
    Ended,
    Found,
    Hid,
    Hit,
    Lost,
    Scripted,
    Sees,
    StateChanged,
)
from ...vocabulary.words import AgentState
from ..knowledge.knowledge import SOURCES
from ..rules.language.bindings import Roots
from ..senses.hearing.sounds import SOUNDS
from .mind import Mind, Place
from .place_kinds import PlaceKinds

SIDES = ("guard", "intruder", "civilian")
"""Names of teams in rules, by side."""
FIXED_SIDES = ("loudspeaker", "level")
"""Names in rules of speakers that are no agents."""

_EARSHOT = 15.0
"""Distance in metres within which colleagues count as near."""
_ALARM_SECONDS = 60.0
_MOVING = 0.2
"""Speed in m/s above which an agent moves."""
_DARK = 0.35
"""Light below which a place is dark."""
ALERTNESS = {
    AgentState.SUSPICIOUS: 0.4,
    AgentState.SEARCH: 0.7,
    AgentState.CHASE: 0.9,
    AgentState.ENGAGE: 1.0,
    AgentState.FLEE: 0.9,
    AgentState.RETURN: 0.15,
}
_ABOUT_GOAL = ("HEAR", "FIND_BODY", "MISSING", "RADIO", "DOOR_CHANGED", "SEARCH", "SEARCH_SPOT", "SUSPECT")
_ABOUT_TARGET = ("SEE", "LOSE", "CHASE", "CAUGHT", "ANSWER")
"""Triggers whose place is that of the target; an answer to a question is about the target, not about the speaker."""
_SOURCES = {"sight": "seen", "touch": "seen", "sound": "heard", "told": "told"}


@dataclass(frozen=True)
class Lore:
    """What variables are read from in addition to minds: past events, kinds and names of places, voices of agents.

    `place_light` returns the light of a place, 0 … 1; `sound_way` returns how far sound travels from one place to
    another; `voices` are empty if the rules have none.
    """

    chronicle: Chronicle
    kinds: PlaceKinds
    place_name: Callable[[Place], str]
    place_light: Callable[[Place], float]
    sound_way: Callable[[Place, Place], float]
    voices: tuple[str, ...]


@dataclass(frozen=True)
class Occasion:
    """A reason to speak, from which variables are read."""

    mind: Mind
    lore: Lore
    given: Mapping[str, Any]

    @cached_property
    def target(self) -> int:
        """Column of the target the speaker knows of; -1 if none."""
        world, row = self.mind.world, self.mind.row
        if row < 0 or not len(world.cast.targets) or not world.attention.known:
            return -1
        column = world.attention.known[row]
        return column if column >= 0 and world.knowledge.arrays.source[row, column] != NOTHING else -1

    @cached_property
    def place(self) -> Place:
        """The place spoken about: that of the target, of what was heard or looked at, or else of the speaker.

        For an answer, it is where the answering agent knows the target to be.
        """
        trigger, board = self.given.get("bark.trigger"), self.mind.blackboard
        if trigger == "NOTICE" and board.get("noticed_at"):
            return _point(board["noticed_at"])
        if trigger in _ABOUT_GOAL and board.get("goal"):
            return _point(board["goal"])
        if trigger in _ABOUT_TARGET and self.target >= 0:
            return _point(self.mind.world.knowledge.arrays.xyz[self.mind.row, self.target].tolist())
        return self.mind.xyz

    @cached_property
    def colleagues(self) -> int:
        """Number of colleagues that are near and can act."""
        bodies, own = self.mind.world.bodies, self.mind.number
        near = ((bodies.xyz - bodies.xyz[own]) ** 2).sum(axis=1) <= _EARSHOT**2
        return int(np.count_nonzero(near & (bodies.team == bodies.team[own]) & (bodies.mode == ACTIVE))) - 1

    @cached_property
    def fallen_colleague(self) -> int:
        """The colleague that lies at the place spoken about; -1 if none."""
        bodies = self.mind.world.bodies
        away = np.linalg.norm(bodies.xyz - self.place, axis=1)
        away[(bodies.mode == ACTIVE) | (bodies.team != bodies.team[self.mind.number])] = math.inf
        nearest = int(away.argmin())
        return nearest if away[nearest] <= 1.5 else -1


def _point(values: Any) -> Place:
    x, y, z = values
    return float(x), float(y), float(z)


def _alertness(it: Occasion) -> float:
    sightings, row = it.mind.senses.sightings, it.mind.row
    aware = (
        float(sightings.awareness[row].max()) if sightings is not None and row >= 0 and len(sightings.targets) else 0
    )
    return max(ALERTNESS.get(it.given.get("npc.state", it.mind.state), 0.0), min(aware, 1.0))


def _seconds_in_state(it: Occasion) -> float:
    """Return the seconds in the state spoken about: an agent that gives up speaks about the search it just ended."""
    chronicle, is_over = it.lore.chronicle, it.given.get("npc.state", it.mind.state) != it.mind.state
    return it.mind.time - (chronicle.before if is_over else chronicle.since).get(it.mind.number, 0.0)


def _voice(it: Occasion) -> str | None:
    """Return the voice in the speaker's settings, or else the one drawn for it."""
    drawn = it.lore.voices[it.mind.number] if it.lore.voices else None
    return it.mind.blackboard.get("voice") or drawn


def _distance(it: Occasion) -> float | None:
    if it.target < 0:
        return None
    return it.mind.distance_to(_point(it.mind.world.knowledge.arrays.xyz[it.mind.row, it.target].tolist()))


def _since_seen(it: Occasion) -> float | None:
    if it.target < 0:
        return None
    seen = it.mind.time - float(it.mind.attention.acted_on[it.mind.row, it.target])
    return seen if math.isfinite(seen) else None


def _speed(it: Occasion) -> str | None:
    if it.target < 0:
        return None
    speed = float(it.mind.world.knowledge.arrays.speed[it.mind.row, it.target])
    return "still" if speed < 0.3 else "walking" if speed < 2.6 else "running"


def _source(it: Occasion) -> str | None:
    if it.target < 0:
        return None
    return _SOURCES[SOURCES[it.mind.world.knowledge.arrays.source[it.mind.row, it.target]]]


def _times_lost(it: Occasion) -> int:
    losses, targets = it.lore.chronicle.losses, it.mind.world.cast.targets
    return losses[it.mind.number, int(targets[it.target])] if it.target >= 0 else 0


def _light(it: Occasion) -> str:
    return "dark" if it.lore.place_light(it.place) < _DARK else "lit"


def _age(it: Occasion) -> float | None:
    if it.target < 0:
        return None
    age = it.mind.time - float(it.mind.world.knowledge.arrays.time[it.mind.row, it.target])
    return age if math.isfinite(age) else None


def _has_seen(it: Occasion) -> bool:
    row, acted_on = it.mind.row, it.mind.attention.acted_on
    return row >= 0 and bool(np.isfinite(acted_on[row]).any())


def _sound(it: Occasion) -> str | None:
    kind = it.mind.blackboard.get("call_kind", "")
    return kind if kind in SOUNDS else None


def _sound_distance(it: Occasion) -> float | None:
    """Return the distance of the sound spoken about; the places of earlier sounds are not kept."""
    if it.given.get("bark.trigger") != "HEAR" or _sound(it) is None:
        return None
    metres = it.lore.sound_way(it.place, it.mind.xyz)
    return metres if math.isfinite(metres) else None


def _name(it: Occasion) -> str | None:
    if it.given.get("bark.trigger") not in ("FIND_BODY", "MISSING", "RADIO") or it.fallen_colleague < 0:
        return ""
    return it.mind.world.names[it.fallen_colleague]


def _health(it: Occasion) -> float:
    """Return the share of health left; 1 where nobody fights."""
    combat, own = it.mind.world.combat, it.mind.number
    return 1.0 if combat is None else float(combat.health[own] / combat.most_health[own])


def _danger(it: Occasion) -> str | None:
    """Return what happened to a comrade where the speaker does not go, nearest to it; None if it shuns no place."""
    dangers = it.mind.world.losses.dangers.get(it.mind.number)
    return min(dangers, key=lambda one: math.dist(one.xyz, it.mind.xyz)).blow if dangers else None


def _direction(key: str) -> Callable[[Occasion], Any]:
    """Return a reader of one key of the speaker's direction; None without one."""

    def read(it: Occasion) -> Any:
        given = it.mind.direction
        return None if given is None else given.values.get(key)

    return read


def _gender(it: Occasion) -> str | None:
    """Return the gender of the target that the speaker means, which the scenario may give."""
    cast = it.mind.world.cast
    return cast.genders[int(cast.targets[it.target])] if it.target >= 0 and cast.genders else None


def _crew_role(it: Occasion) -> str:
    given = it.mind.direction
    return "" if given is None else given.role


def _crew_size(it: Occasion) -> int:
    return len(_crew_of(it))


def _crew_of(it: Occasion) -> list[int]:
    """Return the members of the speaker's crew."""
    numbers = it.mind.teamwork.crew_numbers
    own = numbers.get(it.mind.number)
    return [] if own is None else [member for member, crew in numbers.items() if crew == own]


def _crew_as(role: str) -> Callable[[Occasion], int]:
    """Return a function that counts the members of the speaker's crew with a role."""

    def count(it: Occasion) -> int:
        given = map(it.mind.teamwork.direction_of, _crew_of(it))
        return sum(one is not None and one.role == role for one in given)

    return count


_OF: dict[str, Callable[[Occasion], Any]] = {
    "npc.role": lambda it: SIDES[it.mind.world.cast.side[it.mind.number]],
    "npc.state": lambda it: it.mind.state,
    "npc.voice": _voice,
    "npc.name": lambda it: it.mind.name,
    "npc.alertness": _alertness,
    "npc.seconds_in_state": _seconds_in_state,
    "npc.searches": lambda it: it.lore.chronicle.searches[it.mind.number],
    "npc.has_seen": _has_seen,
    "npc.raised_alarm": lambda it: it.mind.number in it.lore.chronicle.alarmed,
    "npc.colleagues_near": lambda it: it.colleagues,
    "npc.alone": lambda it: it.colleagues == 0,
    "target.known": lambda it: it.target >= 0,
    "target.seconds_since_seen": _since_seen,
    "target.age": _age,
    "target.distance": _distance,
    "target.speed": _speed,
    "target.source": _source,
    "target.times_lost": _times_lost,
    "target.gender": _gender,
    "place.kind": lambda it: it.lore.kinds.at(it.place),
    "place.name": lambda it: it.lore.place_name(it.place),
    "place.light": _light,
    "place.outdoors": lambda it: it.lore.kinds.is_outdoors(it.place),
    "sound.type": _sound,
    "sound.distance": _sound_distance,
    "npc.moving": lambda it: bool(np.hypot(*it.mind.world.bodies.velocity_xy[it.mind.number]) > _MOVING),
    "npc.health": _health,
    "ask.name": _name,
    "crew.role": _crew_role,
    "crew.size": _crew_size,
    "crew.posted": _crew_as("hold"),
    "crew.ahead": _crew_as("cut off"),
    "squad.size": lambda it: it.mind.world.losses.size(it.mind.number),
    "squad.losses": lambda it: it.mind.world.losses.count(it.mind.number),
    "danger.kind": _danger,
    "talk.topic": _direction("topic"),
    "talk.turn": _direction("turn"),
}


_OF_LEVEL: dict[str, Callable[[Chronicle], Any]] = {
    "level.alarm": lambda of: of.now - of.alarm <= _ALARM_SECONDS,
    "level.alarms": lambda of: of.alarms,
    "level.caught": lambda of: of.catches > 0,
    "level.catches": lambda of: of.catches,
    "level.body_found": lambda of: of.bodies > 0,
    "level.sightings": lambda of: of.sightings,
    "level.losses": lambda of: sum(of.losses.values()),
    "level.hits": lambda of: of.hits,
    "level.hidden": lambda of: of.hidden,
    "level.ending": lambda of: of.ending or None,
    "time.seconds": lambda of: of.now,
}
"""Variables that loudspeakers and the level itself know as well."""


def _reader(read: Callable[[Any], Any], root: str) -> Callable[[Roots], Any]:
    def found(roots: Roots) -> Any:
        it = roots.get(root)
        return None if it is None else read(it)

    return found


VARIABLES: dict[str, Callable[[Roots], Any]] = {path: _reader(read, "occasion") for path, read in _OF.items()}
VARIABLES |= {path: _reader(read, "level") for path, read in _OF_LEVEL.items()}
"""Readers of variables by path: from an occasion, which only agents have, or from the past of the level."""

GIVEN = ("move.trigger", "attack.kind", "attack.distance", "hit.kind", "hit.behind")
"""Variables that come with the reason for a move."""


class Chronicle:
    """Counts and times of past events.

    Attributes
    ----------
    since, before : seconds at which each agent's present and previous state began; 0 at the start.
    searches, losses : number of searches by agent, and of losses by agent and target.
    alarm, alarmed : seconds at which the alarm was last raised, -inf if never, and the agents that have raised it.
    alarms, sightings, hits, catches, bodies, hidden : number of alarms, of times a target was seen, of hits, of agents
        caught, of bodies found, and of times an agent hid.
    ending : reason for which the episode ended; empty while it goes on.
    now : seconds of the last step noted.
    """

    def __init__(self) -> None:
        self.since: dict[int, float] = {}
        self.before: dict[int, float] = {}
        self.searches: Counter[int] = Counter()
        self.losses: Counter[tuple[int, int]] = Counter()
        self.alarm: float = -math.inf
        self.alarmed: set[int] = set()
        self.alarms: int = 0
        self.sightings: int = 0
        self.hits: int = 0
        self.catches: int = 0
        self.bodies: int = 0
        self.hidden: int = 0
        self.ending: str = ""
        self.now: float = 0.0

    def note(self, events: Iterable[AnyEvent], now: float) -> None:
        """Record the events of a step."""
        self.now = now
        for event in events:
            match event:
                case StateChanged():
                    self.before[event.agent] = self.since.get(event.agent, 0.0)
                    self.since[event.agent] = now
                    if event.state == "search":
                        self.searches[event.agent] += 1
                case Sees():
                    self.sightings += 1
                case Lost():
                    self.losses[event.agent, event.other] += 1
                case AlarmRaised() | Scripted(action="alarm"):
                    self.alarm = now
                    self.alarms += 1
                    self.alarmed.add(event.agent)
                case Caught():
                    self.catches += 1
                case Found(thing="body"):
                    self.bodies += 1
                case Hit():
                    self.hits += 1
                case Hid():
                    self.hidden += 1
                case Ended():
                    self.ending = event.reason
