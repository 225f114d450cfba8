"""Flight: escape to chosen places, double back, crouch and hide."""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from ....cells.query import nearest_cells
from ....conventions import Ids
from ....layers.spread import Spread
from ....level.sight.query import sees
from ....vocabulary.words import AgentState
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...bodies.orders import Power
from ..facts import KNOWS, SHUNS, STINGS
from ..mind import Mind, as_place
from .brain_leaf import GOAL_PLACE, Answer, BrainLeaf, action, condition, leaf

_FEARED = 8.0
"""Seconds for which an agent that saw danger keeps running."""
_WAY_IN, _THERE = 6.0, 1.5
"""Metres from the start within which an exit is the one the agent came in by, and within which a goal is reached."""
_EYE = np.array([[0.0, 0.0, 1.2]])
"""Height of looks at swarms in metres."""
_HUNTING = (AgentState.CHASE.number, AgentState.ENGAGE.number)


@condition(STINGS)
def is_swarmed(mind: Mind, within: float = 6.0) -> Answer:
    """Return whether a swarm that would sting the agent is in sight and after it or another, or was 2 s ago."""
    world, team = mind.world, int(mind.world.bodies.team[mind.number])
    eye = np.array(mind.xyz) + _EYE
    for swarm in () if world.swarms is None else world.swarms.feared_by(team):
        away = np.linalg.norm(swarm.xyz - mind.xyz, axis=1)
        nearest = int(away.argmin())
        if away[nearest] <= within and sees(world.sight, eye, swarm.xyz[[nearest]] + _EYE)[0]:
            mind.blackboard["swarmed"] = mind.time
            return True, f"{swarm.name} {away[nearest]:.0f} m away"
    age = mind.time - mind.blackboard["swarmed"]
    return age <= SHUNS, f"saw a swarm {age:.1f} s ago" if age <= SHUNS else "no swarm near"


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


def spotted_rows(mind: Mind) -> Any:
    """Return the rows of the watchers that the agent sees, whichever way it faces, (n,)."""
    if not len(mind.senses.spotted):
        return np.zeros(0, np.int64)
    return mind.senses.spotted[mind.world.cast.targets.tolist().index(mind.number)].nonzero()[0]


def enemy_rows(mind: Mind) -> Any:
    """Return the rows of the watchers that the agent sees and that are hostile to it, (n,)."""
    rows, relations = spotted_rows(mind), mind.world.relations
    if not relations.is_mixed or not len(rows):
        return rows
    return rows[relations.hostile[rows, mind.world.cast.targets.tolist().index(mind.number)]]


def _in_sight(mind: Mind, within: float) -> Any:
    """Return the positions of all watchers the agent sees, (n, 3)."""
    world = mind.world
    places = world.bodies.xyz[world.cast.watchers[enemy_rows(mind)]]
    return places[np.linalg.norm(places - world.bodies.xyz[mind.number], axis=1) <= within]


def _hunters(mind: Mind, within: float) -> list[int]:
    """Return the watchers in sight that hunt the agent."""
    world, rows = mind.world, enemy_rows(mind)
    if not len(rows):
        return []
    row, (x, y, z) = world.cast.targets.tolist().index(mind.number), mind.xyz
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


def threats_in_sight(mind: Mind) -> Any:
    """Return the positions of the hunters an intruder sees, or of all watchers in sight if there are none, (n, 3)."""
    hunters = _hunters(mind, 30.0)
    return mind.world.bodies.xyz[hunters] if hunters else _in_sight(mind, 30.0)


@condition()
def can_use(mind: Mind, power: Power = "blink") -> Answer:
    """Return whether the agent has a power, such as "blink", and need not wait for it."""
    can = mind.world.acts.can_use(mind.number, power, mind.time)
    return can, f"can use {power}" if can else f"cannot use {power} now"


@action(reads=GOAL_PLACE)
def blink(mind: Mind) -> Status:
    """Blink to "goal", if the agent can. Always SUCCESS."""
    mind.act("blink", place=mind.blackboard["goal"])
    return SUCCESS


@action()
def leave_decoy(mind: Mind) -> Status:
    """Leave a decoy here, if the agent can. Always SUCCESS."""
    mind.act("decoy")
    return SUCCESS


@action()
def set_trap(mind: Mind) -> Status:
    """Set a trap here, if the agent can. Always SUCCESS."""
    mind.act("set trap")
    return SUCCESS


@action()
def stop_time(mind: Mind) -> Status:
    """Stop time for all others, if the agent can. Always SUCCESS."""
    mind.act("stop time")
    return SUCCESS


@action()
def possess(mind: Mind) -> Status:
    """Take control of the nearest agent of another team in reach, or let go of it. Always SUCCESS."""
    mind.act("possess")
    return SUCCESS


@action()
def travel(mind: Mind) -> Status:
    """Travel to the same place in the other state of the level, if the agent can. Always SUCCESS."""
    mind.act("travel")
    return SUCCESS


@condition()
def is_possessing(mind: Mind) -> Answer:
    """Return whether the agent has control of another."""
    host = mind.world.acts.body_of(mind.number)
    return host != mind.number, "moves by itself" if host == mind.number else f"is in {mind.world.names[host]}"


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
        to, exits = mind.blackboard["to"], _exits(mind)
        if not exits:
            self.reason = f"the level has no {to or 'exit'}"
            return FAILURE
        place = min(exits, key=mind.distance_to)
        goals = [marker.xyz for marker in mind.world.level.markers if marker.kind == "goal"]
        home = mind.world.cast.home[mind.number].tolist()
        if goals and not to and not self._has_been and math.dist(home, place) <= _WAY_IN:
            errand = min(goals, key=mind.distance_to)
            self._has_been = mind.distance_to(errand) <= _THERE
            place = place if self._has_been else errand
        mind.blackboard["goal"] = place
        return SUCCESS


def _exits(mind: Mind) -> list[tuple[float, float, float]]:
    """Return the exits of the level, or the markers that the agent is to go to."""
    to, markers = mind.blackboard["to"], mind.world.level.markers
    return [marker.xyz for marker in markers if (marker.name == to if to else marker.kind == "exit")]


@leaf
class ChooseCrossing(BrainLeaf):
    """Write to "goal" the nearest place where travelling to the other state of the level leads on to the exit.

    On from there the exit is reached by walking, or by travelling again. FAILURE if no travel is needed, or none helps.
    With `anywhere`, it is the nearest place that has floor in both states.
    """

    kind = "choose_crossing"
    reads = {"to": str}  # noqa: RUF012
    writes = GOAL_PLACE

    def __init__(self, *, anywhere: bool = False, name: str = ""):
        self.anywhere, self.name = anywhere, name

    def tick(self, mind: Mind) -> Status:
        """Choose once."""
        world, exits = mind.world, _exits(mind)
        if world.level_states is None or not exits:
            self.reason = "the level has one state only" if exits else "the level has no exit"
            return FAILURE
        walk, twin = Spread(world.cells), world.level_states.twin
        here = walk.distances(_cells_at(mind, [mind.xyz]))
        beyond = np.flatnonzero(twin >= 0) if self.anywhere else walk.distances(_cells_at(mind, exits)).cells
        if not len(here) or (here.cells[0] in beyond and not self.anywhere):
            self.reason = "no travel is needed"
            return FAILURE
        while True:
            leading = np.flatnonzero(np.isin(twin, beyond))
            crossing = np.isin(here.cells, leading)
            wider = np.union1d(beyond, walk.distances(leading.astype(np.int32)).cells)
            if crossing.any() or len(wider) == len(beyond):
                break
            beyond = wider
        if not crossing.any():
            self.reason = "no state leads to the exit"
            return FAILURE
        best = int(np.where(crossing, here.metres, np.inf).argmin())
        mind.blackboard["goal"] = as_place(world.cells.arrays.cell_xyz[here.cells[best]])
        what = "there is floor in the other state" if self.anywhere else "the other state leads to the exit"
        self.reason = mind.decided = f"{here.metres[best]:.0f} m to where {what}"
        return SUCCESS


def _cells_at(mind: Mind, places: list[tuple[float, float, float]]) -> Ids:
    found = nearest_cells(mind.world.cells, np.array(places), 2.0)
    return found[found >= 0]


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
        known = mind.blackboard.get("known_guards")
        guards = [] if known is None else known.xyz[known.lately(mind.time)].tolist()
        places = enumerate(mind.world.level.hiding_places)
        away = sorted((mind.distance_to(place.xyz), number, place.xyz) for number, place in places)
        # A guard that is known to be nearer would see the agent climb in.
        away = [one for one in away if all(math.dist(guard, one[2]) > one[0] for guard in guards)]
        if not away or away[0][0] > self.within:
            self.reason = "no hiding place near"
            return FAILURE
        metres, number, place = away[0]
        mind.go(place, "run")
        if metres <= 1.4 or mind.has_arrived:
            mind.act("hide", number)
        return FAILURE if mind.is_stopped else RUNNING


@action()
def leave_hiding(mind: Mind) -> Status:
    """Come out of hiding. Always SUCCESS."""
    mind.act("leave hiding")
    return SUCCESS
