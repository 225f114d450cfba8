"""What has to hold in the world when an agent speaks: by trigger, and for rules that claim more about others."""

from __future__ import annotations

import math
from collections.abc import Callable
from functools import cached_property
from typing import Any

import numpy as np

from lastseen.kernels.arrays.agent_arrays import ACTIVE, BODY, HIDDEN
from lastseen.simulation.world.world import World
from lastseen.vocabulary.events import AlarmRaised, Caught, Said, Scripted, SearchOver

EARSHOT, FEW_METRES = 15.0, 3.0
_MOVES = 1.0
"""Metres that agents may have moved since a rule counted them."""
STAYS = 2.0
"""Seconds for which an agent stays that says it holds a post."""
ANSWERS = 12.0
"""Maximum seconds between a line and the line that answers it."""


class Line:
    """A line at the moment it is said."""

    def __init__(self, world: World, said: Said, past: list[tuple[float, Said]], recent: list[Any]):
        self.world, self.said, self.past, self.recent = world, said, past, recent
        self.agent = said.agent
        self.trigger = str(said.facts.get("bark.trigger", ""))

    @property
    def state(self) -> str:
        return self.world.state_of(self.agent)

    @property
    def row(self) -> int:
        return int(self.world.cast.watcher_row[self.agent])

    @property
    def board(self) -> dict[str, Any]:
        return self.world.minds[self.agent].blackboard

    @property
    def sees(self) -> bool:
        return self.row >= 0 and self.world.attention.seen[self.row] >= 0

    @property
    def knows(self) -> bool:
        return self.row >= 0 and self.world.attention.known[self.row] >= 0

    @property
    def is_seen(self) -> bool:
        """Whether a watcher sees the speaker."""
        return self.world.cast.targets.tolist().index(self.agent) in self.world.attention.seen

    @cached_property
    def away(self) -> Any:
        return np.linalg.norm(self.world.bodies.xyz - self.world.bodies.xyz[self.agent], axis=1)

    @cached_property
    def colleagues(self) -> list[int]:
        """Those that can act, except for the speaker."""
        bodies = self.world.bodies
        alike = (bodies.team == bodies.team[self.agent]) & (bodies.mode == ACTIVE)
        return [one for one in np.flatnonzero(alike).tolist() if one != self.agent]

    @property
    def near(self) -> list[int]:
        return [one for one in self.colleagues if self.away[one] <= EARSHOT + _MOVES]

    @property
    def is_alone(self) -> bool:
        return not any(self.away[one] <= EARSHOT - _MOVES for one in self.colleagues)

    @cached_property
    def crew(self) -> list[int]:
        """The other members of the speaker's crew."""
        numbers = self.world.teamwork.crew_numbers
        own = numbers.get(self.agent)
        return [one for one, crew in numbers.items() if crew == own is not None and one != self.agent]

    def role_of(self, agent: int) -> str:
        given = self.world.teamwork.direction_of(agent)
        return "" if given is None else given.role

    def others_as(self, role: str) -> int:
        return sum(self.role_of(one) == role for one in self.crew)

    @property
    def is_at_post(self) -> bool:
        given = self.world.teamwork.direction_of(self.agent)
        post = None if given is None else given.values.get("watch")
        return post is not None and math.dist(post, self.world.place_of(self.agent)) <= 2.0

    def body_near(self, place: Any) -> bool:
        lying = np.flatnonzero(self.world.bodies.mode == BODY)
        return any(math.dist(self.world.place_of(int(one)), place) <= FEW_METRES for one in lying)

    @property
    def answers(self) -> bool:
        """Whether the one that is answered spoke a moment ago, in earshot of the two."""
        now = self.world.time
        return any(
            one.agent == self.said.other and now - when <= ANSWERS and self.away[one.agent] <= 2 * EARSHOT
            for when, one in self.past
        )

    def happened(self, kind: type, **fields: Any) -> bool:
        """Whether such an event happened in this step or in one of the last seconds."""
        return any(
            isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
            for event in self.recent
        )


def _calm(it: Line) -> bool:
    return it.state in ("patrol", "return", "suspicious") and not it.sees


def _unaware(it: Line) -> bool:
    return not it.sees


def _searching(it: Line) -> bool:
    return it.state in ("search", "chase") and not it.sees


def _with_crew(it: Line) -> bool:
    return bool(it.crew)


def _fights(it: Line) -> bool:
    return bool(it.crew) and (it.sees or it.knows)


def _doors(it: Line) -> bool:
    middles, goal = it.world.doors.middles, it.board["goal"]
    return any(math.dist(middle, goal) <= FEW_METRES for middle in middles.tolist())


def _is_gone(it: Line) -> bool:
    """Whether something is not where it was, or the speaker looks into that it was not."""
    return it.board["call_kind"] in ("theft", "dark zone")


def _raised(it: Line) -> bool:
    if it.agent < 0:
        return it.happened(AlarmRaised) or it.happened(Scripted, action="alarm")
    return it.body_near(it.world.place_of(it.agent)) or it.sees or it.knows or it.happened(AlarmRaised)


def _is_over(it: Line) -> bool:
    return it.happened(SearchOver) if it.agent < 0 else not it.sees


def _hurt(it: Line) -> bool:
    combat = it.world.combat
    return combat is not None and bool(combat.health[it.agent] < combat.most_health[it.agent])


def _comrade(it: Line) -> int:
    name = it.said.facts.get("ask.name")
    return it.world.names.index(name) if name in it.world.names else -1


def _asks_the_hit(it: Line) -> bool:
    combat, who = it.world.combat, _comrade(it)
    hit = [one for one in it.colleagues if combat is not None and combat.health[one] < combat.most_health[one]]
    return who in hit if who >= 0 else bool(hit)


def _one_is_down(it: Line) -> bool:
    who, bodies = _comrade(it), it.world.bodies
    down = np.flatnonzero((bodies.mode == BODY) & (bodies.team == bodies.team[it.agent]))
    return who in down if who >= 0 else len(down) > 0


def _is_alone(it: Line) -> bool:
    return it.is_alone


TRUE_IF: dict[str, Callable[[Line], bool]] = {
    "NOTICE": _unaware,
    "SUSPECT": lambda it: it.state == "suspicious" and not it.sees,
    "SEE": lambda it: it.sees or it.state == "engage",
    "LOSE": lambda it: not it.sees and it.state in ("chase", "search", "engage", "flee"),
    "CHASE": lambda it: it.state == "chase" and it.knows,
    "REACH_LAST_SEEN": _searching,
    "SEARCH": _searching,
    "SEARCH_SPOT": _searching,
    "HEAR": _unaware,
    "FIND_BODY": lambda it: it.body_near(it.board["goal"] or it.world.place_of(it.agent)),
    "MISSING": _unaware,
    "ALARM": _raised,
    "GIVE_UP": _calm,
    "RETURN": _calm,
    "CHATTER": lambda it: it.state == "patrol" and not it.sees,
    "ANSWER": lambda it: it.answers,
    "DOOR_CHANGED": _doors,
    "THEFT": _is_gone,
    "LIGHT_OFF": _is_gone,
    "CAUGHT": lambda it: it.happened(Caught, agent=it.agent),
    "FLEE": lambda it: it.state == "flee",
    "COWER": lambda it: it.state == "flee",
    "PLEAD": lambda it: it.state == "flee",
    "ORDER_SEARCH": lambda it: bool(it.crew) and not it.sees,
    "ORDER_SPLIT": lambda it: bool(it.crew) and not it.sees,
    "DEBRIEF": lambda it: any(it.away[one] <= EARSHOT for one in it.crew),
    "ANNOUNCE": lambda it: bool(it.crew) and not it.sees,
    "CLEAR": _is_over,
    "RADIO": lambda it: any(it.away[one] > FEW_METRES or it.world.bodies.mode[one] == BODY for one in _team(it)),
    "TAKE_POST": lambda it: it.is_at_post,
    "TALK": _with_crew,
    "TALK_REMARK": lambda it: bool(it.near),
    "TALK_RESUME": _with_crew,
    "ORDER_ATTACK": _with_crew,
    "ORDER_FLANK": lambda it: _fights(it) and any(it.role_of(one) for one in it.crew),
    "ORDER_HOLD": _with_crew,
    "TAUNT": _fights,
    "SPOTTED": lambda it: it.is_seen,
    "SHOOK_OFF": lambda it: not it.is_seen,
    "HURT": _hurt,
    "HIDES": lambda it: it.world.bodies.mode[it.agent] == HIDDEN,
    "ASK_STATUS": _asks_the_hit,
    "MAN_DOWN": _one_is_down,
    "LAST_ONE": lambda it: _is_alone(it) and _one_is_down(it),
    "ORDER_MOVE": lambda it: bool(it.colleagues),
    "ORDER_ADVANCE": lambda it: bool(it.colleagues),
}
"""By trigger, what holds whenever one of its lines is said."""


def _team(it: Line) -> list[int]:
    bodies = it.world.bodies
    return [one for one in np.flatnonzero(bodies.team == bodies.team[it.agent]).tolist() if one != it.agent]


RULES_TRUE_IF: dict[str, Callable[[Line], bool]] = {
    "search ordered to one door": lambda it: len(it.crew) == 1,
    "search ordered with a crowd": lambda it: it.others_as("hold") + (it.role_of(it.agent) == "hold") >= 2,
    "search ordered after a body": lambda it: it.others_as("hold") >= 1 or it.role_of(it.agent) == "hold",
    "split ordered to one": lambda it: len(it.crew) == 1,
    "split ordered for a friend": lambda it: len(it.crew) >= 2,
    "order to cut off": lambda it: it.others_as("cut off") >= 1,
    "order to cut off on the stairs": lambda it: it.others_as("cut off") >= 1,
    "order to hold the door": lambda it: it.others_as("cut off") >= 1,
    "order to guard the exit": lambda it: it.others_as("cut off") >= 1,
    "order to wait at the door": lambda it: it.others_as("hold") >= 1,
    "search after a body, together": lambda it: bool(it.near),
    "attack ordered to one": lambda it: len(it.crew) >= 1,
    "attack ordered to several": lambda it: len(it.crew) >= 2,
    "call it off in company": lambda it: bool(it.near),
    "give up in company": lambda it: bool(it.near),
    "give up alone": _is_alone,
}
"""By rule, what its lines claim beyond their trigger: how many others there are, and what they do."""


class Truth:
    """Checks every line of a run when it is said.

    Attributes
    ----------
    lies : lines that were not true, with the time, the speaker and its trigger.
    """

    def __init__(self) -> None:
        self.lies: list[str] = []
        self._past: list[tuple[float, Said]] = []
        self._recent: list[tuple[float, Any]] = []
        self._posts: dict[int, tuple[float, Any, str]] = {}

    def check(self, world: World) -> None:
        """Check the lines of the step that has just run."""
        now = world.time
        self._recent = [one for one in self._recent if now - one[0] <= 6.0] + [(now, event) for event in world.events]
        self._check_posts(world)
        for event in world.events:
            if isinstance(event, Said) and event.rule:
                line = Line(world, event, self._past, [one for _, one in self._recent])
                what = f"{now:.1f} s, {event.agent} as {line.trigger} by {event.rule!r}: {event.line}"
                if not self._is_true(line):
                    self.lies.append(what)
                elif line.trigger == "TAKE_POST":
                    self._posts[event.agent] = now + STAYS, world.place_of(event.agent), what
                self._past.append((now, event))

    def _is_true(self, line: Line) -> bool:
        if not line.trigger:  # Rules of a game with triggers of its own.
            return True
        return TRUE_IF[line.trigger](line) and RULES_TRUE_IF.get(line.said.rule, lambda _: True)(line)

    def _check_posts(self, world: World) -> None:
        """Note those that leave the post that they said they hold, unless they saw somebody or were called off."""
        for agent, (until, place, what) in list(self._posts.items()):
            row = int(world.cast.watcher_row[agent])
            if world.time > until or world.attention.seen[row] >= 0 or world.state_of(agent) in ("engage", "chase"):
                del self._posts[agent]
            elif math.dist(world.place_of(agent), place) > FEW_METRES:
                self.lies.append(f"left at {world.time:.1f} s: {what}")
                del self._posts[agent]
