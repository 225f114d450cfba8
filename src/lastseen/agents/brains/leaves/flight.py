"""Flight: escape to chosen places, double back, crouch, and hide."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import Query
from ....vocabulary.events import RunsTo
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..facts import KNOWS, woken_by
from ..mind import Mind
from ..shipped_brains import place_query

__all__ = [
    "ChooseEscape",
    "ChooseExit",
    "ChooseRefuge",
    "ChooseWayBack",
    "Crouch",
    "Hide",
    "LeaveHiding",
    "ShakeOff",
    "is_hidden",
    "is_hunted",
    "is_in_danger",
    "is_watched",
    "was_hunted",
]

Answer = tuple[bool, str]

_FEARED = 8.0
"""Seconds for which one who saw danger still runs."""
_WAY_IN, _THERE = 6.0, 1.5
"""Metres from where one started within which an exit is where one came in, and from a goal at which one was there."""


@woken_by(KNOWS)
def is_in_danger(mind: Mind, within: float = _FEARED) -> Answer:
    """Does it see an intruder, or has it done so within so many seconds?"""
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "sees no danger"
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    return age <= within, f"saw {mind.world.target_name(column)} {age:.1f} s ago"


def is_hunted(mind: Mind, within: float = 18.0) -> Answer:
    """Is a guard that knows of it in sight and near, or was it a moment ago?"""
    threats = _after(mind, within)
    age = mind.time - mind.blackboard["hunted"]
    if threats:
        if age > _FEARED:
            mind.blackboard["hunted_at"] = mind.xyz
        mind.blackboard["hunted"] = mind.time
        return True, f"{len(threats)} after it"
    return age <= 2.0, f"was seen {age:.1f} s ago" if math.isfinite(age) else "nobody is after it"


def was_hunted(mind: Mind, within: float = 15.0) -> Answer:
    """Was somebody after it, no longer ago than so many seconds, whom it has not shaken off for good?"""
    age = mind.time - mind.blackboard["hunted"]
    return age <= within, f"was seen {age:.1f} s ago" if math.isfinite(age) else "nobody was after it"


def is_watched(mind: Mind, within: float = 20.0) -> Answer:
    """Does it see anybody near who might see it, whether they are after it or not?"""
    count = len(_in_sight(mind, within))
    return count > 0, f"{count} in sight" if count else "nobody in sight"


def _in_sight(mind: Mind, within: float) -> Any:
    """Return the places of all watchers it sees, (n, 3)."""
    world = mind.world
    row = world.cast.targets.tolist().index(mind.number)
    spotted = mind.senses.spotted
    places = world.bodies.xyz[world.cast.watchers[spotted[row]]] if len(spotted) else np.zeros((0, 3))
    return places[np.linalg.norm(places - world.bodies.xyz[mind.number], axis=1) <= within]


def _after(mind: Mind, within: float) -> list[int]:
    """Return the numbers of the watchers in sight that are after it."""
    world = mind.world
    if not len(mind.senses.spotted):
        return []
    row, (x, y, z) = world.cast.targets.tolist().index(mind.number), mind.xyz
    rows = mind.senses.spotted[row].nonzero()[0]
    if not len(rows):
        return []
    numbers, places = world.cast.watchers[rows], world.snapshot.places
    seen, noticed = mind.attention.seen, mind.attention.noticed
    found = []
    for watcher, number, state in zip(rows.tolist(), numbers.tolist(), world.state[numbers].tolist()):
        if state in (2, 3) or seen[watcher] == row or noticed[watcher] == row:
            there = places[number]
            dx, dy, dz = there[0] - x, there[1] - y, there[2] - z
            if math.sqrt(dx * dx + dy * dy + dz * dz) <= within:
                found.append(number)
    return found


class _Choose(Leaf, ABC):
    """Picks a place by a query and writes it to "goal"; FAILURE where there is none."""

    query_name = ""
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._query: Query = place_query(self.query_name)

    @abstractmethod
    def threats(self, mind: Mind) -> Any:
        """Return the places it runs from, (n, 3)."""

    def more_places(self, mind: Mind) -> dict[str, Any]:  # noqa: ARG002
        """Return other points the query names."""
        return {}

    def tick(self, mind: Mind) -> Status:
        """Ask once."""
        threats = self.threats(mind)
        if not len(threats):
            threats = np.array([mind.blackboard.get("threat", mind.xyz)])
        mind.blackboard["threat"] = tuple(threats[0].tolist())
        picker: Picker = mind.world.reasoning.picker
        places = {"threats": threats} | self.more_places(mind)
        choice = picker.pick(self._query, np.array(mind.xyz), places=places)
        self.reason = choice.why()
        if choice.cell < 0:
            return FAILURE
        x, y, z = choice.xyz[0].tolist()
        mind.blackboard["goal"] = (x, y, z)
        mind.decided = self.reason
        mind.world.happened(RunsTo(mind.world.tick, mind.number, at=(x, y, z), query=self.query_name))
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
        """Return the places of those after it, else of all it sees."""
        after = _after(mind, 30.0)
        return mind.world.bodies.xyz[after] if after else _in_sight(mind, 30.0)


class ChooseWayBack(ChooseEscape):
    """Picks a place near where it was seen, to which there is a way that keeps clear of those after it."""

    kind = "choose_way_back"
    query_name = "double_back"

    def more_places(self, mind: Mind) -> dict[str, Any]:
        """Return where it was seen."""
        return {"came_from": np.array([mind.blackboard["hunted_at"] or mind.xyz])}


class ShakeOff(Leaf):
    """Feels safe again: those who were after it no longer count. Always SUCCESS."""

    kind = "shake_off"
    writes = {"hunted": float}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Forget."""
        mind.blackboard["hunted"] = -math.inf
        return SUCCESS


class ChooseExit(Leaf):
    """Writes to "goal" the marker that the setting `to` names, else the nearest exit; FAILURE where there is none.

    Who started beside that exit came for something: where the level has a marker of kind "goal" it goes there first.
    """

    kind = "choose_exit"
    reads = {"to": str}  # noqa: RUF012
    writes = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name
        self._has_been = False

    def tick(self, mind: Mind) -> Status:
        """Choose."""
        to, markers = mind.blackboard["to"], mind.world.level.markers
        exits = [marker.xyz for marker in markers if (marker.name == to if to else marker.kind == "exit")]
        if not exits:
            self.reason = f"the level has no {to or 'exit'}"
            return FAILURE
        place = min(exits, key=mind.distance_to)
        goals = [marker.xyz for marker in markers if marker.kind == "goal"]
        home = mind.world.cast.home[mind.number].tolist()
        if goals and not to and not self._has_been and math.dist(home, place) <= _WAY_IN:
            errand = min(goals, key=mind.distance_to)
            self._has_been = mind.distance_to(errand) <= _THERE
            place = place if self._has_been else errand
        mind.blackboard["goal"] = place
        return SUCCESS


def is_hidden(mind: Mind) -> tuple[bool, str]:
    """Is it in a hiding place?"""
    hidden = bool(mind.world.acts.hidden_in[mind.number] >= 0)
    return hidden, "in a hiding place" if hidden else "in the open"


class Crouch(Leaf):
    """Stays low, for as long as nothing else is to be done."""

    kind = "crouch"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Stay low."""
        mind.stand()
        mind.world.orders.crouch(mind.number)
        return RUNNING


class Hide(Leaf):
    """Goes to the nearest hiding place within reach and into it; FAILURE where there is none."""

    kind = "hide"

    def __init__(self, *, within: float = 12.0, name: str = ""):
        self.within, self.name = within, name

    def tick(self, mind: Mind) -> Status:
        """Go on."""
        if mind.world.acts.hidden_in[mind.number] >= 0:
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
