"""Directed: how a member asks for a crew, and obeys what it suggests. Without a crew nothing of this does anything."""

from __future__ import annotations

import math
from collections.abc import Iterator
from typing import Any

from ....errors import BehaviourError
from ...behaviour.leaf import FunctionLeaf, Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...behaviour.tree import Tree
from ...directions import ORDER
from ...limits import Crowd, FromZero, Metres, Priority, Seconds, Spell
from ..facts import IN_CREW, REQUESTS, woken_by
from ..mind import Mind, Place

__all__ = ["Notify", "Request", "SayAsTold", "TakeStand", "has_direction", "noticed_by_crew", "obeyed_keys"]

Answer = tuple[bool, str]

_OF_CONDITIONS = {"may_attack": ("attack",), "may_search": ("search",)}
"""Keys that conditions of the ready brains read; one of a program's own has them in its attribute `obeys`."""


def _notices(mind: Mind) -> dict[str, tuple[Any, float]]:
    """Return what its crew and the other members let it know, whether it has a role or not; nothing without a crew."""
    crew = mind.teamwork.crew_numbers.get(mind.number)
    return {} if crew is None else mind.teamwork.notices.get(crew, {})


@woken_by(IN_CREW)
def has_direction(mind: Mind, role: str = "", key: str = "") -> Answer:
    """Does a crew suggest something: in a role, or under a key with a value that is not false? Left out: anything."""
    given = mind.direction
    if given is None:
        return False, "no crew wants anything of it"
    if role and given.role != role:
        return False, f"is {given.role}"
    if key and not given.values.get(key):
        return False, f"is {given.role}, told {'not to' if given.values.get(key) is False else 'nothing of'} {key}"
    return True, given.reason


@woken_by(IN_CREW)
def noticed_by_crew(mind: Mind, key: str, within: Seconds = 5.0) -> Answer:
    """Has its crew let it know something under a key, no longer ago than so many seconds?"""
    found = _notices(mind).get(key)
    if found is None or not found[0]:
        return False, f"nobody told of {key}"
    age = mind.time - found[1]
    return age <= within, f"told of {key} {age:.1f} s ago"


class Request(Leaf):
    """Asks for something to be done together, about the target it has in mind, for so many seconds. Always SUCCESS.

    Those of a team who ask for the same about the same target become a crew. `about: nobody`: about no target; `call`:
    about what it looks into: who lies there or is missing, and the place. Others of the team within `draws` metres
    are drawn in by radio, the nearest, until there are as many as it `wants`.
    """

    kind = "request"
    woken_by = REQUESTS

    def __init__(
        self,
        *,
        objective: str,
        priority: Priority = 1.0,
        seconds: Spell = 1.0,
        about: str = "target",
        draws: FromZero = 0.0,
        wants: Crowd = 10,
        name: str = "",
    ):
        if about not in ("target", "nobody", "call"):
            raise BehaviourError(f"about is {about!r}; give 'target', 'nobody' or 'call'")
        self.draws, self.wants = draws, wants
        self.objective, self.priority, self.seconds, self.name = objective, priority, seconds, name
        self.about = about

    def details(self) -> str:
        """Return what for."""
        return self.objective

    def tick(self, mind: Mind) -> Status:
        """Post it, or renew it."""
        if mind.teamwork.requests.is_read:
            target, matter, place = self._about(mind)
            mind.teamwork.requests.ask(mind.number, self, target, now=mind.time, place=place, matter=matter)
        return SUCCESS

    def _about(self, mind: Mind) -> tuple[int, int, Place | None]:
        """Return whom it is about, else which stimulus, and where that is."""
        world, board = mind.world, mind.blackboard
        if self.about == "call":
            number = board["call_about"] - (len(world.doors.shut) if board["call_kind"] == "body" else 0)
            somebody = board["call_kind"] in ("body", "missing colleague")
            return number if somebody else -1, -1 if somebody else board["call"], board.get("goal")
        column = board.get("target", -1) if self.about == "target" else -1
        return int(world.cast.targets[column]) if column >= 0 else -1, -1, None


class Notify(Leaf):
    """Lets its crew know something, under a key. Always SUCCESS; without a crew nobody hears of it."""

    kind = "notify"

    def __init__(self, *, key: str, value: float | str | bool = True, name: str = ""):
        self.key, self.value, self.name = key, value, name

    def details(self) -> str:
        """Return what."""
        return f"{self.key}: {self.value}"

    def tick(self, mind: Any) -> Status:
        """Write it down."""
        self.write(mind)
        return SUCCESS

    def write(self, mind: Any) -> None:
        """Write it where the crew reads it; the leaf of crews' own trees has it written where members do."""
        crew = mind.teamwork.crew_numbers.get(mind.number)
        if crew is not None:
            mind.teamwork.notify(crew, self.key, self.value, mind.time)


class TakeStand(Leaf):
    """Goes to the place its crew suggests, at the gait it suggests, and faces what it should face.

    `key`: under which the place is: "stand", or "watch" for what is less urgent.

    | its direction                    | status  |
    |----------------------------------|---------|
    | names a place                    | RUNNING, also once it is there |
    | names none, or there is none     | FAILURE |
    | leads where there is no way to   | FAILURE |
    """

    kind = "take_stand"
    obeys = ("stand", "gait", "face")

    def __init__(self, *, key: str = "stand", within: Metres = 0.4, name: str = ""):
        self.key, self.within, self.name = key, within, name
        self.obeys = (key, "gait", "face")

    def tick(self, mind: Mind) -> Status:
        """Go on, or stand."""
        given = mind.direction
        place: Place | None = None if given is None else given.values.get(self.key)
        if given is None or place is None:
            self.reason = "no place to stand"
            return FAILURE
        face: Place | None = given.values.get("face")
        away = mind.distance_to(place)
        self.reason = f"{given.reason}; {away:.1f} m to go"
        if away > self.within:
            mind.go(place, given.values.get("gait", "run"))
            if mind.is_stopped:
                self.reason = "no way there"
                return FAILURE
            if not mind.has_arrived:
                if face is not None:
                    mind.look(mind.heading_to(face))  # who goes to its place keeps an eye on it
                return RUNNING
        self.reason = f"{given.reason}; there"
        mind.stand()
        if face is not None:
            heading = mind.heading_to(face)
            mind.face(heading)
            mind.look(heading)
        return RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Stop."""
        mind.stand()


class SayAsTold(Leaf):
    """Has the reason to speak that its crew suggests, once for every role it is given. Always SUCCESS.

    Who leads, or whom else the crew's tree lets give an order, gives it once.
    """

    kind = "say_as_told"
    woken_by = IN_CREW
    obeys = ("say", "topic", "turn")

    def __init__(self, *, name: str = ""):
        self.name = name
        self.forget()

    def forget(self) -> None:
        """Speak again."""
        self._said: tuple[int, str, float] | None = None
        self._ordered: dict[str, float] = {}

    def tick(self, mind: Mind) -> Status:
        """Speak, if it has not yet."""
        given = mind.direction
        told = None if given is None else (given.crew, given.role, given.since)
        if given is not None and given.values.get("say") and told != self._said:
            self._said = told
            self.reason = str(given.values["say"])
            mind.bark(self.reason)
        for key, (order, when) in _notices(mind).items():
            if key.startswith(ORDER) and order[1] == mind.number and when > self._ordered.get(key, -math.inf):
                self._ordered[key] = when
                self.reason = str(order[0])
                mind.bark(self.reason)
        return SUCCESS


def obeyed_keys(tree: Tree) -> frozenset[str]:
    """Return the keys of directions that the leaves of a tree read: those in their `obeys`, and what they ask for."""
    return frozenset(key for node in tree.nodes for key in _keys_of(node))


def _keys_of(node: Any) -> Iterator[str]:
    yield from getattr(node, "obeys", ())
    if not isinstance(node, FunctionLeaf):
        return
    yield from getattr(node.function, "obeys", ())
    yield from _OF_CONDITIONS.get(node.function.__name__, ())
    if node.function is has_direction:
        key = node.parameters.get("key")
        found = getattr(key, "value", key)
        if isinstance(found, str) and found:
            yield found
