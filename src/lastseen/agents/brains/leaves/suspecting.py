"""Suspecting: something is there that one cannot identify yet; look longer, then go and see."""

from __future__ import annotations

import math

from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ...perception.sightings import BANDS
from ..facts import NOTICES, woken_by
from ..mind import Mind

__all__ = ["CalmDown", "Stare", "Suspect", "is_suspicious", "notices_something"]

_INVESTIGATE = BANDS.index("investigate")
_PATIENCE = 30.0
"""Seconds for which one is on its way to see, at most."""

Answer = tuple[bool, str]


@woken_by(NOTICES)
def notices_something(mind: Mind, keeps: float = 1.0) -> Answer:
    """Does it see something it cannot identify yet, or did it a moment ago: no longer than `keeps` seconds?"""
    world, board = mind.world, mind.blackboard
    column = world.noticed[mind.require_watcher()]
    if column < 0:
        when = board["noticed"]
        if when == -math.inf:
            return False, "notices nothing"
        age = mind.time - when
        return age <= keeps, f"noticed something {age:.1f} s ago"
    assert world.sightings is not None
    board["target"], board["noticed"] = column, mind.time
    board["noticed_at"] = world.places[int(world.targets[column])]
    return True, f"notices something, {float(world.sightings.awareness[mind.row, column]):.0%} sure"


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
        world = mind.world
        column = world.noticed[mind.require_watcher()]
        assert world.sightings is not None
        if column >= 0 and world.sightings.band[mind.row, column] >= _INVESTIGATE:
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
        mind.tell("suspects", f"{mind.name} goes to see what is there", at=place)
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
