"""Flight: escape to chosen places, double back, crouch and hide."""

from __future__ import annotations

import math
from abc import ABC, abstractmethod
from typing import Any

import numpy as np

from ....reasoning.locations.picker import Picker
from ....reasoning.locations.query import Query
from ....vocabulary.events import RunsTo
from ....vocabulary.words import AgentState
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..facts import KNOWS
from ..mind import Mind, as_place
from ..shipped_brains import place_query
from .brain_leaf import GOAL_PLACE, Answer, BrainLeaf, action, condition, leaf

_FEARED = 8.0
"""Seconds for which an agent that saw danger keeps running."""
_WAY_IN, _THERE = 6.0, 1.5
"""Metres from the start within which an exit is the one the agent came in by, and within which a goal is reached."""
_HUNTING = (AgentState.CHASE.number, AgentState.ENGAGE.number)


@condition(KNOWS)
def is_in_danger(mind: Mind, within: float = _FEARED) -> Answer:
    """Return whether the agent sees an intruder or did so in the last `within` seconds."""
    column = mind.attention.known[mind.require_watcher()]
    if column < 0:
        return False, "sees no danger"
    age = mind.time - float(mind.world.knowledge.arrays.time[mind.row, column])
    return age <= within, f"saw {mind.world.target_name(column)} {age:.1f} s ago"


@condition()
def is_hunted(mind: Mind, within: float = 18.0) -> Answer:
    """Return whether a guard that has noticed the agent is in sight and near, or was a moment ago."""
    threats = _hunters(mind, within)
    age = mind.time - mind.blackboard["hunted"]
    if threats:
        if age > _FEARED:
            mind.blackboard["hunted_at"] = mind.xyz
        mind.blackboard["hunted"] = mind.time
        return True, f"{len(threats)} after it"
    return age <= 2.0, f"was seen {age:.1f} s ago" if math.isfinite(age) else "nobody is after it"


@condition()
def was_hunted(mind: Mind, within: float = 15.0) -> Answer:
    """Return whether the agent was hunted in the last `within` seconds and has not shaken off its hunters."""
    age = mind.time - mind.blackboard["hunted"]
    return age <= within, f"was seen {age:.1f} s ago" if math.isfinite(age) else "nobody was after it"


@condition()
def is_watched(mind: Mind, within: float = 20.0) -> Answer:
    """Return whether any watcher is in sight within this distance, whether it hunts the agent or not."""
    count = len(_in_sight(mind, within))
    return count > 0, f"{count} in sight" if count else "nobody in sight"


def _in_sight(mind: Mind, within: float) -> Any:
    """Return the positions of all watchers the agent sees, (n, 3)."""
    world = mind.world
    row = world.cast.targets.tolist().index(mind.number)
    spotted = mind.senses.spotted
    places = world.bodies.xyz[world.cast.watchers[spotted[row]]] if len(spotted) else np.zeros((0, 3))
    return places[np.linalg.norm(places - world.bodies.xyz[mind.number], axis=1) <= within]


def _hunters(mind: Mind, within: float) -> list[int]:
    """Return the watchers in sight that hunt the agent."""
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
        if state in _HUNTING or seen[watcher] == row or noticed[watcher] == row:
            there = places[number]
            dx, dy, dz = there[0] - x, there[1] - y, there[2] - z
            if math.sqrt(dx * dx + dy * dy + dz * dz) <= within:
                found.append(number)
    return found


class _Choose(BrainLeaf, ABC):
    """Choose a place by a query and write it to "goal"; FAILURE if there is none."""

    query_name = ""
    writes = GOAL_PLACE

    def __init__(self, *, name: str = ""):
        self.name = name
        self._query: Query = place_query(self.query_name)

    @abstractmethod
    def threats(self, mind: Mind) -> Any:
        """Return the positions to run from, (n, 3)."""

    def more_places(self, mind: Mind) -> dict[str, Any]:  # noqa: ARG002
        """Return other points that the query uses, by name."""
        return {}

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
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
        mind.blackboard["goal"] = goal = as_place(choice.xyz[0])
        mind.decided = self.reason
        mind.world.happened(RunsTo(mind.world.tick, mind.number, at=goal, query=self.query_name))
        return SUCCESS


@leaf
class ChooseRefuge(_Choose):
    """Write to "goal" a place where a civilian is safe from the intruders it knows of; FAILURE if there is none."""

    kind = "choose_refuge"
    query_name = "refuge"

    def threats(self, mind: Mind) -> Any:
        """Return the last known positions of intruders."""
        know = mind.world.knowledge.arrays
        return know.xyz[mind.row][know.source[mind.row] != 0]


@leaf
class ChooseEscape(_Choose):
    """Write to "goal" a place where the agent is out of its hunters' sight; FAILURE if there is none."""

    kind = "choose_escape"
    query_name = "escape"

    def threats(self, mind: Mind) -> Any:
        """Return the positions of the hunters in sight, or of all watchers in sight if there are none."""
        hunters = _hunters(mind, 30.0)
        return mind.world.bodies.xyz[hunters] if hunters else _in_sight(mind, 30.0)


@leaf
class ChooseWayBack(ChooseEscape):
    """Write to "goal" a place near where the agent was seen, with a path that avoids its hunters; else FAILURE."""

    kind = "choose_way_back"
    query_name = "double_back"

    def more_places(self, mind: Mind) -> dict[str, Any]:
        """Return where the agent was seen."""
        return {"came_from": np.array([mind.blackboard["hunted_at"] or mind.xyz])}


@action(writes={"hunted": float})
def shake_off(mind: Mind) -> Status:
    """Feel safe again: forget all hunters. Always SUCCESS."""
    mind.blackboard["hunted"] = -math.inf
    return SUCCESS


@leaf
class ChooseExit(BrainLeaf):
    """Write to "goal" the marker named by the setting `to`, or else the nearest exit; FAILURE if there is none.

    An agent that started at that exit came for something: it first goes to a marker of kind "goal", if there is one.
    """

    kind = "choose_exit"
    reads = {"to": str}  # noqa: RUF012
    writes = GOAL_PLACE
    _has_been = False

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
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


@condition()
def is_hidden(mind: Mind) -> Answer:
    """Return whether the agent is in a hiding place."""
    hidden = bool(mind.world.acts.hidden_in[mind.number] >= 0)
    return hidden, "in a hiding place" if hidden else "in the open"


@leaf
class Crouch(BrainLeaf):
    """Crouch; always RUNNING."""

    kind = "crouch"

    def tick(self, mind: Mind) -> Status:
        """Stay low."""
        mind.stand()
        mind.world.orders.crouch(mind.number)
        return RUNNING


@leaf
class Hide(BrainLeaf):
    """Go to the nearest hiding place within this many metres and enter it; FAILURE if there is none."""

    kind = "hide"

    def __init__(self, *, within: float = 12.0, name: str = ""):
        self.within, self.name = within, name

    def tick(self, mind: Mind) -> Status:
        """Go on, or enter."""
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


@action()
def leave_hiding(mind: Mind) -> Status:
    """Come out of hiding. Always SUCCESS."""
    mind.act("leave hiding")
    return SUCCESS
