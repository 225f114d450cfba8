"""Fleeing: from those one sees, to places picked for it; and slipping out."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import Query
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..mind import Mind
from ..ready import place_query

__all__ = [
    "ChooseEscape",
    "ChooseExit",
    "ChooseRefuge",
    "Crouch",
    "Hide",
    "LeaveHiding",
    "is_hidden",
    "is_hunted",
    "is_in_danger",
]

Answer = tuple[bool, str]

_FEARED = 8.0
"""Seconds for which one who saw danger still runs."""


def is_in_danger(mind: Mind, within: float = _FEARED) -> Answer:
    """Does it see an intruder, or has it done so within so many seconds?"""
    column = mind.world.known[mind.require_watcher()]
    if column < 0:
        return False, "sees no danger"
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    return age <= within, f"saw {mind.world.target_name(column)} {age:.1f} s ago"


def is_hunted(mind: Mind, within: float = 18.0) -> Answer:
    """Is a guard that knows of it in sight and near, or was it a moment ago?"""
    threats = _threats(mind, within)
    if len(threats):
        mind.blackboard["hunted"] = mind.time
        return True, f"{len(threats)} after it"
    age = mind.time - mind.blackboard.get("hunted", -math.inf)
    return age <= 2.0, f"was seen {age:.1f} s ago" if math.isfinite(age) else "nobody is after it"


def is_hidden(mind: Mind) -> Answer:
    """Is it in a hiding place?"""
    hidden = bool(mind.world.hidden_in[mind.number] >= 0)
    return hidden, "in a hiding place" if hidden else "in the open"


def _threats(mind: Mind, within: float) -> Any:
    """Return the places of watchers in sight that are after it, (n, 3)."""
    world = mind.world
    row = world.targets.tolist().index(mind.number)
    seen = np.flatnonzero(world.spotted[row]) if len(world.spotted) else np.zeros(0, int)
    after = [
        watcher
        for watcher in seen.tolist()
        if world.state[world.watchers[watcher]] in (2, 3) or world.seen[watcher] == row or world.noticed[watcher] == row
    ]
    places = world.bodies.xyz[world.watchers[after]]
    return places[np.linalg.norm(places - world.bodies.xyz[mind.number], axis=1) <= within]


class _Choose(Leaf):
    """Picks a place by a query and writes it to "goal"; FAILURE where there is none."""

    query_name = ""
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._query: Query = place_query(self.query_name)

    def threats(self, mind: Mind) -> Any:
        """Return the places it runs from, (n, 3)."""
        raise NotImplementedError

    def tick(self, mind: Mind) -> Status:
        """Ask once."""
        threats = self.threats(mind)
        if not len(threats):
            threats = np.array([mind.blackboard.get("threat", mind.xyz)])
        mind.blackboard["threat"] = tuple(threats[0].tolist())
        picker: Picker = mind.world.picker
        choice = picker.pick(self._query, np.array(mind.xyz), places={"threats": threats})
        self.reason = choice.why()
        if choice.cell < 0:
            return FAILURE
        x, y, z = choice.xyz[0].tolist()
        mind.blackboard["goal"] = (x, y, z)
        mind.tell("runs to", f"{mind.name} runs to ({x:.1f}, {y:.1f})", at=(x, y, z), data={"why": self.reason})
        return SUCCESS


class ChooseRefuge(_Choose):
    """Picks where a civilian is safe from the intruders it knows of."""

    kind = "choose_refuge"
    query_name = "refuge"

    def threats(self, mind: Mind) -> Any:
        """Return the places of intruders it knows of."""
        know = mind.world.knowledge.arrays
        return know.xyz[mind.row][know.source[mind.row] != 0]


class ChooseEscape(_Choose):
    """Picks where a runner gets out of sight of those after it."""

    kind = "choose_escape"
    query_name = "escape"

    def threats(self, mind: Mind) -> Any:
        """Return the places of those after it."""
        return _threats(mind, 30.0)


class ChooseExit(Leaf):
    """Writes the nearest exit of the level to "goal"; FAILURE where there is none."""

    kind = "choose_exit"
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Choose."""
        exits = [marker.xyz for marker in mind.world.level.markers if marker.kind == "exit"]
        if not exits:
            self.reason = "the level has no exit"
            return FAILURE
        mind.blackboard["goal"] = min(exits, key=mind.distance_to)
        return SUCCESS


class Crouch(Leaf):
    """Stays low, for as long as nothing else is to be done."""

    kind = "crouch"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Stay low."""
        mind.stand()
        mind.world.orders.arrays.stance[mind.number] = 1
        return RUNNING


class Hide(Leaf):
    """Goes to the nearest hiding place within reach and into it; FAILURE where there is none."""

    kind = "hide"

    def __init__(self, *, within: float = 12.0, name: str = ""):
        self.within, self.name = within, name

    def tick(self, mind: Mind) -> Status:
        """Go on."""
        if mind.world.hidden_in[mind.number] >= 0:
            return SUCCESS
        places = enumerate(mind.world.level.hiding_places)
        away = sorted((mind.distance_to(place.xyz), number) for number, place in places)
        if not away or away[0][0] > self.within:
            self.reason = "no hiding place near"
            return FAILURE
        metres, number = away[0]
        mind.go(mind.world.level.hiding_places[number].xyz, "run")
        if metres <= 1.4 or mind.has_arrived:
            mind.act("hide", number)
        return FAILURE if mind.is_stopped else RUNNING


class LeaveHiding(Leaf):
    """Comes out of hiding. Always SUCCESS."""

    kind = "leave_hiding"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Come out."""
        mind.act("leave hiding")
        return SUCCESS
