"""Investigation: take, follow up and close calls, and inspect what cannot be identified yet."""

from __future__ import annotations

import math

from ....vocabulary.events import Investigates, SearchBegins, Suspects
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...senses.vision.sightings import BANDS
from ..facts import AT_CALL, AT_PAST_CALL, CALLED, NOTICES, woken_by
from ..mind import Mind

__all__ = [
    "OF_CALLS",
    "PATIENCE",
    "CalmDown",
    "CloseCall",
    "JoinSearch",
    "ShutDoor",
    "Stare",
    "StartSearch",
    "Suspect",
    "TakeCall",
    "is_called",
    "is_suspicious",
    "notices_something",
]

PATIENCE = 60.0
"""Seconds for which one is on its way to a call, at most."""
OF_CALLS: dict[str, type] = {
    "goal": tuple,
    "call": int,
    "call_kind": str,
    "call_hostile": bool,
    "call_about": int,
    "call_until": float,
}
"""Keys in which one who takes something on keeps what it is."""


@woken_by(CALLED | AT_CALL | AT_PAST_CALL)
def is_called(mind: Mind, kind: str = "", hostile: bool = False) -> tuple[bool, str]:
    """Is there something it should look into: a noise, a changed thing, a colleague who does not answer?

    `kind`: only what is of this kind; `hostile`: only what an enemy is expected behind. Once it looks into something,
    it goes on until that is done, even if the noise has long died away.
    """
    board = mind.blackboard
    at_it = board["call"] >= 0 and mind.state == "suspicious" and mind.time < board["call_until"]
    if at_it and (not kind or board["call_kind"] == kind) and (not hostile or board["call_hostile"]):
        return True, f"looks into a {board['call_kind']}"
    number = mind.attention.calls[mind.require_watcher()]
    if number < 0:
        return False, "nothing calls"
    stimulus = mind.attention.stimuli.get(number)
    if stimulus is None:
        return False, "nothing calls"
    if (kind and stimulus.kind != kind) or (hostile and stimulus.nature != "hostile"):
        return False, f"a {stimulus.kind} calls"
    x, y, z = stimulus.xyz.tolist()
    return True, f"{stimulus.kind} {mind.distance_to((x, y, z)):.0f} m away"


class TakeCall(Leaf):
    """Takes on the stimulus that calls and writes its place to "goal"; FAILURE where another one has it."""

    kind = "take_call"
    writes = OF_CALLS

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Claim it."""
        number = mind.attention.calls[mind.require_watcher()]
        stimulus = mind.attention.stimuli.get(number)
        if stimulus is None or not mind.attention.stimuli.claim(number, mind.number):
            self.reason = "somebody else looks into it"
            return FAILURE
        x, y, z = stimulus.xyz.tolist()
        mind.blackboard.update(
            goal=(x, y, z),
            call=number,
            call_kind=stimulus.kind,
            call_hostile=stimulus.nature == "hostile",
            call_about=stimulus.about,
            call_until=mind.time + PATIENCE,
        )
        self.reason = stimulus.kind
        mind.world.happened(Investigates(mind.world.tick, mind.number, at=(x, y, z), stimulus=stimulus.kind))
        return SUCCESS


class CloseCall(Leaf):
    """Is done with what it looked into: nobody needs to go there any more. Always SUCCESS."""

    kind = "close_call"
    reads = {"call": int}  # noqa: RUF012
    writes = {"call": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Take it off the board."""
        number = mind.blackboard["call"]
        if mind.attention.stimuli.get(number) is not None:
            mind.attention.stimuli.remove(number)
        mind.blackboard["call"] = -1
        return SUCCESS


class ShutDoor(Leaf):
    """Shuts the door it was called to, as it was before; always SUCCESS."""

    kind = "shut_door"
    reads = {"call_kind": str, "call_about": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Shut it, or have it fall shut once nobody stands in it."""
        if mind.blackboard["call_kind"] == "open door":
            mind.act("close door", mind.blackboard["call_about"])
            self.reason = "shuts the door"
        return SUCCESS


class StartSearch(Leaf):
    """Begins a search at "goal" for somebody nobody has seen yet; always SUCCESS."""

    kind = "start_search"
    reads = {"goal": tuple}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Begin."""
        hunt, place = mind.world.hunt, mind.blackboard["goal"]
        hunt.alert(mind.number)
        hunt.perceive(place, mind.time, sure=False, agents=[mind.number], places=[mind.xyz])
        mind.world.happened(SearchBegins(mind.world.tick, mind.number, at=place))
        return SUCCESS


class JoinSearch(Leaf):
    """Takes part in the search it was called to, if there is one; always SUCCESS."""

    kind = "join_search"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Join."""
        if mind.world.hunt.is_on(mind.time):
            mind.world.hunt.alert(mind.number)
            self.reason = "joins the search"
        return SUCCESS


_INVESTIGATE = BANDS.index("investigate")
_PATIENCE = 30.0
"""Seconds for which one is on its way to see, at most."""

Answer = tuple[bool, str]


@woken_by(NOTICES)
def notices_something(mind: Mind, keeps: float = 1.0) -> Answer:
    """Does it see something it cannot identify yet, or did it a moment ago: no longer than `keeps` seconds?"""
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


@woken_by(NOTICES)
def is_suspicious(mind: Mind, keeps: float = 1.0) -> Answer:
    """Does it notice something, or is it on its way to see what that was?"""
    noticed = notices_something(mind, keeps)
    if noticed[0] or mind.time >= mind.blackboard["suspects_until"]:
        return noticed
    return True, "goes to see what that was"


class Stare(Leaf):
    """Stops and turns towards what it notices: that makes it surer.

    | what it notices                                     | status  |
    |-----------------------------------------------------|---------|
    | has been worth a look for `seconds`                 | SUCCESS |
    | has been there for `at_most` seconds, however faint | SUCCESS |
    | else                                                | RUNNING |
    """

    kind = "stare"
    reads = {"noticed_at": tuple}  # noqa: RUF012

    def __init__(self, *, seconds: float = 2.0, at_most: float = 6.0, name: str = ""):
        self.seconds, self.at_most, self.name = seconds, at_most, name

    def enter(self, mind: Mind) -> None:
        """Start the clocks."""
        self._begun, self._worth = mind.time, math.inf

    def tick(self, mind: Mind) -> Status:
        """Turn to it."""
        heading = mind.heading_to(mind.blackboard["noticed_at"])
        mind.stand()
        mind.look(heading)
        mind.face(heading)
        column = mind.attention.noticed[mind.require_watcher()]
        assert mind.senses.sightings is not None
        if column >= 0 and mind.senses.sightings.band[mind.row, column] >= _INVESTIGATE:
            self._worth = min(self._worth, mind.time)
        enough = mind.time - self._worth >= self.seconds or mind.time - self._begun >= self.at_most
        return SUCCESS if enough else RUNNING

    def exit(self, mind: Mind, status: Status) -> None:  # noqa: ARG002
        """Look ahead again."""
        mind.stand()


class Suspect(Leaf):
    """Makes up its mind to go and see: writes the place to "goal"; FAILURE where it noticed nothing."""

    kind = "suspect"
    reads = {"noticed_at": tuple}  # noqa: RUF012
    writes = {"goal": tuple, "suspects_until": float}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Decide."""
        place = mind.blackboard["noticed_at"]
        if not place:
            return FAILURE
        mind.blackboard["goal"] = place
        mind.blackboard["suspects_until"] = mind.time + _PATIENCE
        mind.world.happened(Suspects(mind.world.tick, mind.number, at=place))
        return SUCCESS


class CalmDown(Leaf):
    """Has seen enough: what it noticed is forgotten. Always SUCCESS."""

    kind = "calm_down"
    writes = {"suspects_until": float, "noticed": float}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Forget."""
        mind.blackboard["suspects_until"] = mind.blackboard["noticed"] = -math.inf
        return SUCCESS
