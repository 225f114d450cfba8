"""Voices: the agents of a world as speakers."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

import numpy as np

from ...kernels.arrays.agent_arrays import ACTIVE
from ...rng import generator
from ...vocabulary.events import AlarmRaised, AnyEvent, Attacks, Hid, Hit, Lost, Scripted, SearchOver, Sees
from ...vocabulary.words import AgentState
from ..knowledge.losses import Plight
from ..rules.language.bindings import Bindings, Entry
from ..rules.language.rule import Database
from ..rules.speech.utterance import Bark
from .bark_variables import ALERTNESS, FIXED_SIDES, SIDES, VARIABLES, Chronicle, Lore, Occasion
from .mind import Mind, Place
from .place_kinds import PlaceKinds
from .surroundings import Surroundings

URGENCY = {
    **dict.fromkeys(("CHATTER",), 0),
    **dict.fromkeys(("RETURN", "GIVE_UP", "TALK", "TALK_RESUME", "CLEAR"), 1),
    **dict.fromkeys(("NOTICE", "HEAR", "DOOR_CHANGED", "THEFT", "LIGHT_OFF", "SEARCH", "SEARCH_SPOT", "COWER"), 2),
    **dict.fromkeys(("SUSPECT", "MISSING", "REACH_LAST_SEEN", "RADIO", "ANNOUNCE"), 3),
    **dict.fromkeys(("ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF"), 3),
    **dict.fromkeys(("TAKE_POST", "TALK_REMARK", "TAUNT", "HIDES", "SHOOK_OFF"), 2),
    **dict.fromkeys(("SPOTTED", "HURT", "ASK_STATUS"), 3),
    **dict.fromkeys(("ORDER_ATTACK", "ORDER_FLANK", "ORDER_HOLD"), 4),
    **dict.fromkeys(("ORDER_MOVE", "ORDER_ADVANCE", "MAN_DOWN"), 5),
    **dict.fromkeys(("LOSE", "CHASE"), 4),
    **dict.fromkeys(("SEE", "FIND_BODY", "ALARM", "FLEE", "PLEAD"), 5),
    **dict.fromkeys(("CAUGHT", "LAST_ONE"), 6),
}
"""Urgency by trigger; a more urgent line interrupts others. Ours."""

_PATIENCE = {"GIVE_UP": 4.0, "FIND_BODY": 4.0, "MISSING": 3.0, "CAUGHT": 3.0, "SUSPECT": 2.0, "HEAR": 1.5}
_PATIENCE |= dict.fromkeys(("ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF", "ANNOUNCE"), 3.0)
_PATIENCE |= dict.fromkeys(("RADIO", "CLEAR"), 5.0)
_PATIENCE |= dict.fromkeys(("TALK", "TALK_REMARK", "TALK_RESUME"), 2.0)
_PATIENCE |= dict.fromkeys(("MAN_DOWN", "ORDER_HOLD"), 3.0)
_PATIENCE |= {"LAST_ONE": 5.0, "ASK_STATUS": 1.0, "ORDER_MOVE": 2.0, "ORDER_ADVANCE": 2.0}
"""Seconds for which lines about changes wait for silence; others are said at once or not at all."""
_USUAL = 2
_CALM = AgentState.PATROL.number
_QUIET = (15.0, 45.0)
"""Minimum and maximum seconds between two reasons for small talk of an agent on patrol."""
_IDLE = (6.0, 20.0)
"""Minimum and maximum seconds between two idle variations of an agent on patrol."""
_EARSHOT = 15.0
"""Metres that a voice carries, around corners."""


class Voices:
    """The speakers of a world, for speech; see `Company`.

    Parameters
    ----------
    database : rules whose variables are bound to `VARIABLES`, and `blackboard.<key>` to the key of a brain.
    place_name : function from a place to its name in a sentence, such as "the yard"; empty if it has none.
    place_light : function from a place to its light, 0 … 1; default: all places are lit.
    sound_way : function from two places to how far sound travels between them in metres, infinite if it does not;
        default: the straight-line distance.
    facts : values set by the level designer, by path, for all agents; read when they are needed, as a script may
        change them.
    groups : by agent, the groups whose rules come before those of its side.
    loudspeakers : their places, by name. They and the level itself, the last of all, are speakers after the agents.

    Attributes
    ----------
    chronicle : past events.
    """

    def __init__(
        self,
        world: Surroundings,
        minds: list[Mind],
        database: Database,
        *,
        place_name: Callable[[Place], str],
        place_light: Callable[[Place], float] | None = None,
        sound_way: Callable[[Place, Place], float] = math.dist,
        facts: Mapping[str, Any] | None = None,
        groups: Sequence[tuple[str, ...]] = (),
        loudspeakers: Mapping[str, Place] | None = None,
    ):
        self._world, self._minds = world, minds
        self.chronicle = Chronicle()
        kinds, voices = PlaceKinds(world.level, world.sight), _voices(database, world.cast.seed, len(minds))
        self._lore = Lore(self.chronicle, kinds, place_name, place_light or (lambda _: 1.0), sound_way, voices)
        self._facts = facts or {}
        self._bindings = _bound(database, self._facts)
        self._groups = groups or ((),) * len(minds)
        self._fixed = [(name, "loudspeaker", place) for name, place in (loudspeakers or {}).items()]
        self._fixed.append(("level", "level", (0.0, 0.0, 0.0)))
        self._chance = generator(world.cast.seed, "small talk")
        self._talks_at = self._chance.uniform(*_QUIET, len(minds))
        self._moods = generator(world.cast.seed, "idle variations")
        self._idles_at = self._moods.uniform(*_IDLE, len(minds))

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of all teams, and of speakers that are no agents."""
        return SIDES + FIXED_SIDES

    @property
    def level(self) -> int:
        """The speaker that is the level itself, to which achievements are granted."""
        return len(self._minds) + len(self._fixed) - 1

    @property
    def loudspeakers(self) -> range:
        """The speakers that are loudspeakers."""
        return range(len(self._minds), self.level)

    def speakers(self) -> Iterable[Hashable]:
        """Return the numbers of all agents, then those of other speakers."""
        return range(self.level + 1)

    def name(self, speaker: Hashable) -> str:
        """Return a speaker's name."""
        number = _number(speaker)
        return self._minds[number].name if number < len(self._minds) else self._fixed[number - len(self._minds)][0]

    def side(self, speaker: Hashable) -> str:
        """Return an agent's side, or the kind of another speaker."""
        number = _number(speaker)
        if number < len(self._minds):
            return SIDES[self._world.cast.side[number]]
        return self._fixed[number - len(self._minds)][1]

    def groups(self, speaker: Hashable) -> tuple[str, ...]:
        """Return the groups whose rules come before those of the side."""
        number = _number(speaker)
        return self._groups[number] if number < len(self._minds) else ()

    def place(self, speaker: Hashable) -> Place:
        """Return a speaker's position."""
        number = _number(speaker)
        if number >= len(self._minds):
            return self._fixed[number - len(self._minds)][2]
        x, y, z = self._world.bodies.xyz[number].tolist()
        return x, y, z

    def within(self, place: Place, metres: float) -> Iterable[Hashable]:
        """Return the agents within a distance of a place, with a margin because `math.dist` rounds differently."""
        offset = self._world.bodies.xyz - place
        return np.flatnonzero((offset * offset).sum(axis=1) <= (metres + 1e-6) ** 2).tolist()

    def can_speak(self, speaker: Hashable) -> bool:
        """Return whether an agent can act; other speakers always can."""
        number = _number(speaker)
        return number >= len(self._minds) or bool(self._world.bodies.mode[number] == ACTIVE)

    def still_means(self, speaker: Hashable, given: Mapping[str, Any]) -> bool:
        """Return whether what an agent wanted to say is not overtaken: it is no more alarmed than it was then."""
        number = _number(speaker)
        if number >= len(self._minds) or "npc.state" not in given:
            return True
        now, then = AgentState(self._world.state_of(number)), AgentState(given["npc.state"])
        return ALERTNESS.get(now, 0.0) <= ALERTNESS.get(then, 0.0)

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:
        """Return a function that looks up variables for a speaker."""
        number, roots = _number(speaker), {"level": self.chronicle, "facts": self._facts}
        self.chronicle.now = self._world.time
        if number < len(self._minds):
            occasion = Occasion(self._minds[number], self._lore, given)
            roots |= {"occasion": occasion, "blackboard": occasion.mind.blackboard}
        return self._bindings.facts(given, **roots)

    def bark(self, agent: int, trigger: str, state: str | None = None) -> Bark:
        """Return a reason to speak; `state` is the agent's state at that time, by default the present one."""
        state = self._world.state_of(agent) if state is None else state
        facts = {"bark.trigger": trigger, "npc.state": state}
        return Bark(agent, facts, urgency=URGENCY.get(trigger, _USUAL), patience=_PATIENCE.get(trigger, 0.0))

    def squad_talk(self, plights: Iterable[Plight]) -> list[Bark]:
        """Return reasons to speak about comrades, each for the witness nearest to one that is within earshot of it."""
        found = []
        for plight in plights:
            place, is_down = self.place(plight.agent), not self.can_speak(plight.agent)
            able = [one for one in plight.witnesses if self.can_speak(one)]
            if plight.trigger == "MAN_DOWN":
                near = sorted(able, key=lambda one: math.dist(self.place(one), place))
            elif is_down:
                continue
            else:
                near = [one for one in able if self._lore.sound_way(self.place(one), place) <= _EARSHOT]
            if near:
                is_last = plight.trigger == "MAN_DOWN" and self._is_last(near[0])
                bark = self.bark(near[0], "LAST_ONE" if is_last else plight.trigger)
                facts = {**bark.facts, "ask.name": self.name(plight.agent)}
                found.append(replace(bark, facts=facts, about=plight.agent))
        return found

    def _is_last(self, agent: int) -> bool:
        """Return whether an agent knows that it is the last of its squad, and no other colleague is near."""
        return self._world.losses.is_last(agent) and not Occasion(self._minds[agent], self._lore, {}).colleagues

    def small_talk(self, now: float, busy: Container[int] = ()) -> list[Bark]:
        """Return reasons for small talk of agents on patrol for which it is due and that are not `busy`."""
        if now < self._talks_at.min():
            return []
        found = []
        for agent in np.flatnonzero(self._talks_at <= now).tolist():
            self._talks_at[agent] = now + self._chance.uniform(*_QUIET)
            calm = self._world.state[agent] == _CALM and agent not in busy
            if calm and self._world.cast.watcher_row[agent] >= 0:
                found.append(self.bark(agent, "CHATTER"))
        return found

    def moves(self, events: Iterable[AnyEvent], now: float) -> list[Bark]:
        """Return reasons to do something: to attack, to react to a hit, to vary what an idle agent does."""
        found = []
        for event in events:
            if isinstance(event, Attacks):
                away = math.dist(self.place(event.agent), self.place(event.other))
                found.append(self._move(event.agent, "ATTACK", {"attack.kind": event.blow, "attack.distance": away}))
            elif isinstance(event, Hit):
                facts = {"hit.kind": event.blow, "hit.behind": self._is_behind(event)}
                found.append(self._move(event.other, "HIT", facts))
        return found + [self._move(agent, "IDLE", {}) for agent in self._idle(now)]

    def _move(self, agent: int, trigger: str, facts: dict[str, Any]) -> Bark:
        return Bark(agent, {"move.trigger": trigger, "npc.state": self._world.state_of(agent), **facts})

    def _is_behind(self, hit: Hit) -> bool:
        (x, y, _), (ox, oy, _) = self.place(hit.other), self.place(hit.agent)
        away = math.atan2(oy - y, ox - x) - float(self._world.bodies.heading[hit.other])
        return abs(math.remainder(away, math.tau)) > math.pi / 2.0

    def _idle(self, now: float) -> list[int]:
        """Return the agents on patrol for which a variation is due."""
        if now < self._idles_at.min():
            return []
        due = np.flatnonzero(self._idles_at <= now).tolist()
        self._idles_at[due] = now + self._moods.uniform(*_IDLE, len(due))
        return [one for one in due if self._world.state[one] == _CALM]

    def asides(self, events: Iterable[AnyEvent]) -> list[Bark]:
        """Return reasons for intruders to say something to themselves, and for loudspeakers to announce something."""
        found = []
        for event in events:
            agent, trigger = _ASIDES.get(type(event), lambda _: (-1, ""))(event)
            if agent >= 0 and self.side(agent) == "intruder" and not (trigger == "SHOOK_OFF" and self._is_seen(agent)):
                found.append(self.bark(agent, trigger))
            alarm = isinstance(event, AlarmRaised) or (isinstance(event, Scripted) and event.action == "alarm")
            call = "ALARM" if alarm else "CLEAR" if isinstance(event, SearchOver) else ""
            if call and self.loudspeakers:
                found.append(Bark(self._loudspeaker_near(event), {"bark.trigger": call}))
        return found

    def _is_seen(self, agent: int) -> bool:
        """Return whether any watcher sees an agent."""
        targets = self._world.cast.targets.tolist()
        return agent in targets and targets.index(agent) in self._world.attention.seen

    def _loudspeaker_near(self, event: AnyEvent) -> int:
        place = getattr(event, "at", None)
        return min(self.loudspeakers, key=lambda one: math.dist(self.place(one), place) if place else 0.0)


_ASIDES: dict[type, Callable[[Any], tuple[int, str]]] = {
    Sees: lambda event: (event.other, "SPOTTED"),
    Lost: lambda event: (event.other, "SHOOK_OFF"),
    Hit: lambda event: (event.other, "HURT"),
    Hid: lambda event: (event.agent, "HIDES"),
}
"""By kind of event, the intruder it concerns and its trigger."""


def _bound(database: Database, facts: Mapping[str, Any]) -> Bindings:
    bindings = Bindings(database)
    for path in database.variables:
        if path in VARIABLES:
            bindings.bind(path, VARIABLES[path])
        elif path.startswith("blackboard."):
            bindings.bind(path, Entry(path.removeprefix("blackboard."), of="blackboard"))
    for path in facts.keys() & database.variables.keys():
        bindings.bind(path, Entry(path, of="facts"), again=True)
    return bindings


def _voices(database: Database, seed: int, count: int) -> tuple[str, ...]:
    spec = database.variables.get("npc.voice")
    if spec is None or not spec.names:
        return ()
    return tuple(spec.names[number] for number in generator(seed, "voices").integers(len(spec.names), size=count))


def _number(speaker: Hashable) -> int:
    assert isinstance(speaker, int)
    return speaker
