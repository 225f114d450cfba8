"""Investigation: take, follow up and close calls, and inspect what cannot be identified yet.

A call is a stimulus that an agent should look into: a noise, a changed object, a missing colleague.
"""

from __future__ import annotations

import math
from typing import Any

from ....vocabulary.events import Investigates, SearchBegins, Suspects
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...senses.vision.sightings import BANDS
from ..facts import AT_CALL, AT_PAST_CALL, CALLED, NOTICES
from ..mind import Mind, as_place
from ..surroundings import GLIMPSES_SUSPECT
from .brain_leaf import GOAL_PLACE, TARGET, Answer, MovingLeaf, action, condition, leaf

PATIENCE = 60.0
"""Seconds for which an agent is on its way to a call, at most."""
_SUSPICION = 30.0
"""Seconds for which an agent is on its way to something it noticed, at most."""
CALL_KEYS: dict[str, type] = {
    "goal": tuple,
    "call": int,
    "call_kind": str,
    "call_hostile": bool,
    "call_about": int,
    "call_until": float,
}
"""Blackboard keys that describe the call an agent has taken."""
_INVESTIGATE = BANDS.index("investigate")


@condition(CALLED | AT_CALL | AT_PAST_CALL)
def is_called(mind: Mind, kind: str = "", hostile: bool = False) -> Answer:
    """Return whether there is a call the agent should look into.

    `kind` limits it to calls of this kind, `hostile` to those behind which an enemy is expected. An agent that has
    taken a call stays with it until it is closed, even if the noise ended long ago.
    """
    board = mind.blackboard
    at_it = board["call"] >= 0 and mind.state == "suspicious" and mind.time < board["call_until"]
    if at_it and (not kind or board["call_kind"] == kind) and (not hostile or board["call_hostile"]):
        return True, f"looks into a {board['call_kind']}"
    number = mind.attention.calls[mind.require_watcher()]
    stimulus = mind.attention.stimuli.get(number) if number >= 0 else None
    if stimulus is None:
        return False, "nothing calls"
    if (kind and stimulus.kind != kind) or (hostile and stimulus.nature != "hostile"):
        return False, f"a {stimulus.kind} calls"
    return True, f"{stimulus.kind} {mind.distance_to(as_place(stimulus.xyz)):.0f} m away"


@action(writes=CALL_KEYS)
def take_call(mind: Mind) -> tuple[Status, str]:
    """Take the call and write its place to "goal"; FAILURE if another agent has taken it."""
    number = mind.attention.calls[mind.require_watcher()]
    stimulus = mind.attention.stimuli.get(number)
    if stimulus is None or not mind.attention.stimuli.claim(number, mind.number):
        return FAILURE, "another agent looks into it"
    place = as_place(stimulus.xyz)
    mind.blackboard.update(
        goal=place,
        call=number,
        call_kind=stimulus.kind,
        call_hostile=stimulus.nature == "hostile",
        call_about=stimulus.about,
        call_until=mind.time + PATIENCE,
    )
    mind.world.happened(Investigates(mind.world.tick, mind.number, at=place, stimulus=stimulus.kind))
    return SUCCESS, stimulus.kind


@action(reads={"call": int}, writes={"call": int})
def close_call(mind: Mind) -> Status:
    """Close the call, so that no agent goes there any more. Always SUCCESS."""
    number = mind.blackboard["call"]
    if mind.attention.stimuli.get(number) is not None:
        mind.attention.stimuli.remove(number)
    mind.blackboard["call"] = -1
    return SUCCESS


@action(reads={"call_kind": str, "call_about": int})
def shut_door(mind: Mind) -> Any:
    """Shut the door the agent was called to, at once or when nothing stands in it any more. Always SUCCESS."""
    if mind.blackboard["call_kind"] != "open door":
        return SUCCESS
    mind.act("close door", mind.blackboard["call_about"])
    return SUCCESS, "shuts the door"


@action(reads=GOAL_PLACE)
def start_search(mind: Mind) -> Status:
    """Begin a search at "goal" for a target that no agent has seen yet. Always SUCCESS."""
    hunt, place = mind.world.hunt, mind.blackboard["goal"]
    hunt.alert(mind.number)
    hunt.perceive(place, mind.time, sure=False, agents=[mind.number], places=[mind.xyz])
    mind.world.happened(SearchBegins(mind.world.tick, mind.number, at=place))
    return SUCCESS


@action()
def join_search(mind: Mind) -> Any:
    """Join the search the agent was called to, if there is one. Always SUCCESS."""
    if not mind.world.hunt.is_on(mind.time):
        return SUCCESS
    mind.world.hunt.alert(mind.number)
    return SUCCESS, "joins the search"


@condition(NOTICES, writes=TARGET)
def notices_something(mind: Mind, keeps: float = 1.0) -> Answer:
    """Return whether the agent sees something it cannot identify yet, or did in the last `keeps` seconds."""
    world, board = mind.world, mind.blackboard
    column = mind.attention.noticed[mind.require_watcher()]
    if column < 0:
        when = board["noticed"]
        if when == -math.inf:
            return False, "notices nothing"
        age = mind.time - when
        return age <= keeps, f"noticed something {age:.1f} s ago"
    assert mind.senses.sightings is not None
    board["target"], board["noticed"] = column, mind.time
    board["noticed_at"] = world.snapshot.places[int(world.cast.targets[column])]
    return True, f"notices something, {float(mind.senses.sightings.awareness[mind.row, column]):.0%} sure"


@condition(NOTICES, writes=TARGET)
def is_suspicious(mind: Mind, keeps: float = 1.0) -> Answer:
    """Return whether the agent notices something, or is on its way to look into it."""
    noticed = notices_something(mind, keeps)
    if noticed[0] or mind.time >= mind.blackboard["suspects_until"]:
        return noticed
    return True, "goes to see what that was"


@leaf
class Stare(MovingLeaf):
    """Stop and turn to what the agent notices, which makes it surer.

    | what it notices                                     | status  |
    |-----------------------------------------------------|---------|
    | has been worth a look for `seconds`                 | SUCCESS |
    | was glimpsed three times within some seconds        | SUCCESS |
    | has been there for `at_most` seconds, however faint | SUCCESS |
    | otherwise                                           | RUNNING |
    """

    kind = "stare"
    reads = {"noticed_at": tuple}  # noqa: RUF012

    def __init__(self, *, seconds: float = 2.0, at_most: float = 6.0, name: str = ""):
        self.seconds, self.at_most, self.name = seconds, at_most, name

    def enter(self, mind: Mind) -> None:
        """Start the timers."""
        self._begun, self._worth = mind.time, math.inf

    def tick(self, mind: Mind) -> Status:
        """Turn to it."""
        mind.stand()
        mind.turn(mind.heading_to(mind.blackboard["noticed_at"]))
        column = mind.attention.noticed[mind.require_watcher()]
        assert mind.senses.sightings is not None
        if column >= 0 and mind.senses.sightings.band[mind.row, column] >= _INVESTIGATE:
            self._worth = min(self._worth, mind.time)
        enough = mind.time - self._worth >= self.seconds or mind.time - self._begun >= self.at_most
        enough |= bool(mind.attention.glimpses[mind.row].max(initial=0.0) >= GLIMPSES_SUSPECT)
        return SUCCESS if enough else RUNNING


@action(reads={"noticed_at": tuple}, writes={"goal": tuple, "suspects_until": float})
def suspect(mind: Mind) -> Status:
    """Decide to look into what was noticed: write its place to "goal"; FAILURE if nothing was noticed."""
    place = mind.blackboard["noticed_at"]
    if not place:
        return FAILURE
    mind.blackboard["goal"] = place
    mind.blackboard["suspects_until"] = mind.time + _SUSPICION
    mind.world.happened(Suspects(mind.world.tick, mind.number, at=place))
    return SUCCESS


@action(writes={"suspects_until": float, "noticed": float})
def calm_down(mind: Mind) -> Status:
    """Forget what was noticed. Always SUCCESS."""
    mind.blackboard["suspects_until"] = mind.blackboard["noticed"] = -math.inf
    return SUCCESS
