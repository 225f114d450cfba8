"""Voices: the agents of a world as speakers."""

from __future__ import annotations

import math
from collections.abc import Callable, Container, Hashable, Iterable, Mapping
from typing import Any

import numpy as np

from ...kernels.arrays.agent_arrays import ACTIVE
from ...rng import generator
from ...vocabulary.words import AgentState
from ..rules.language.bindings import Bindings, Entry
from ..rules.language.rule import Database
from ..rules.speech.utterance import Bark
from .bark_variables import SIDES, VARIABLES, Chronicle, Lore, Occasion
from .mind import Mind, Place
from .place_kinds import PlaceKinds
from .surroundings import Surroundings

URGENCY = {
    **dict.fromkeys(("CHATTER",), 0),
    **dict.fromkeys(("RETURN", "GIVE_UP", "TALK", "TALK_RESUME", "CLEAR"), 1),
    **dict.fromkeys(("NOTICE", "HEAR", "DOOR_CHANGED", "SEARCH", "SEARCH_SPOT", "COWER"), 2),
    **dict.fromkeys(("SUSPECT", "MISSING", "REACH_LAST_SEEN", "RADIO", "ANNOUNCE"), 3),
    **dict.fromkeys(("ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF"), 3),
    **dict.fromkeys(("TAKE_POST", "TALK_REMARK", "TAUNT"), 2),
    **dict.fromkeys(("ORDER_ATTACK", "ORDER_FLANK", "ORDER_HOLD"), 4),
    **dict.fromkeys(("LOSE", "CHASE"), 4),
    **dict.fromkeys(("SEE", "FIND_BODY", "ALARM", "FLEE", "PLEAD"), 5),
    **dict.fromkeys(("CAUGHT",), 6),
}
"""Urgency by trigger; a more urgent line interrupts others. Ours."""

_PATIENCE = {"GIVE_UP": 4.0, "FIND_BODY": 4.0, "MISSING": 3.0, "CAUGHT": 3.0, "SUSPECT": 2.0, "HEAR": 1.5}
_PATIENCE |= dict.fromkeys(("ORDER_SEARCH", "ORDER_SPLIT", "DEBRIEF", "ANNOUNCE", "TAKE_POST"), 3.0)
_PATIENCE |= dict.fromkeys(("RADIO", "CLEAR"), 5.0)
_PATIENCE |= dict.fromkeys(("TALK", "TALK_REMARK", "TALK_RESUME"), 2.0)
"""Seconds for which lines about changes wait for silence; others are said at once or not at all."""
_USUAL = 2
_CALM = AgentState.PATROL.number
_QUIET = (15.0, 45.0)
"""Minimum and maximum seconds between two reasons for small talk of an agent on patrol."""


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
    ):
        self._world, self._minds = world, minds
        self.chronicle = Chronicle()
        kinds, voices = PlaceKinds(world.level, world.sight), _voices(database, world.cast.seed, len(minds))
        self._lore = Lore(self.chronicle, kinds, place_name, place_light or (lambda _: 1.0), sound_way, voices)
        self._facts = facts or {}
        self._bindings = _bound(database, self._facts)
        self._speakers = world.cast.watchers.tolist()
        self._chance = generator(world.cast.seed, "small talk")
        self._talks_at = self._chance.uniform(*_QUIET, len(minds))

    @property
    def sides(self) -> tuple[str, ...]:
        """Names of all teams."""
        return SIDES

    def speakers(self) -> Iterable[Hashable]:
        """Return the numbers of all watchers; intruders do not speak."""
        return self._speakers

    def name(self, speaker: Hashable) -> str:
        """Return an agent's name."""
        return self._minds[_number(speaker)].name

    def side(self, speaker: Hashable) -> str:
        """Return an agent's team."""
        return SIDES[self._world.cast.side[_number(speaker)]]

    def place(self, speaker: Hashable) -> Place:
        """Return an agent's position."""
        x, y, z = self._world.bodies.xyz[speaker].tolist()  # type: ignore[call-overload]
        return x, y, z

    def within(self, place: Place, metres: float) -> Iterable[Hashable]:
        """Return the speakers within a distance of a place, with a margin because `math.dist` rounds differently."""
        offset = self._world.bodies.xyz[self._world.cast.watchers] - place
        near = (offset * offset).sum(axis=1) <= (metres + 1e-6) ** 2
        return [self._speakers[row] for row in np.flatnonzero(near).tolist()]

    def can_speak(self, speaker: Hashable) -> bool:
        """Return whether an agent can act."""
        return bool(self._world.bodies.mode[_number(speaker)] == ACTIVE)

    def facts(self, speaker: Hashable, given: Mapping[str, Any]) -> Callable[[str], Any]:
        """Return a function that looks up variables for an agent."""
        occasion = Occasion(self._minds[_number(speaker)], self._lore, given)
        return self._bindings.facts(given, occasion=occasion, blackboard=occasion.mind.blackboard, facts=self._facts)

    def bark(self, agent: int, trigger: str, state: str | None = None) -> Bark:
        """Return a reason to speak; `state` is the agent's state at that time, by default the present one."""
        state = self._world.state_of(agent) if state is None else state
        facts = {"bark.trigger": trigger, "npc.state": state}
        return Bark(agent, facts, urgency=URGENCY.get(trigger, _USUAL), patience=_PATIENCE.get(trigger, 0.0))

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
