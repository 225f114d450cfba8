"""Hiding: into places made for it, out again, or just low."""

from __future__ import annotations

from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..mind import Mind

__all__ = ["Crouch", "Hide", "LeaveHiding", "is_hidden"]


def is_hidden(mind: Mind) -> tuple[bool, str]:
    """Is it in a hiding place?"""
    hidden = bool(mind.world.hidden_in[mind.number] >= 0)
    return hidden, "in a hiding place" if hidden else "in the open"


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
