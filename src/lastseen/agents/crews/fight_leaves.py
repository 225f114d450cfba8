"""Leaves of trees of fighting crews: abandon an area, give an order."""

from __future__ import annotations

from ..behaviour.leaf import Leaf
from ..behaviour.status import FAILURE, SUCCESS, Status
from ..directions import ORDER
from ..limits import Metres, Seconds, Spell
from .crew_mind import CrewMind

__all__ = ["MarkUnreachable", "Order"]


class MarkUnreachable(Leaf):
    """Abandon the area around the target for a while, so that all crews avoid it (`target_unreachable`).

    SUCCESS; FAILURE if no member knows where the target is.
    """

    kind = "mark_unreachable"

    def __init__(self, *, radius: Metres = 4.0, seconds: Spell = 30.0, name: str = ""):
        self.radius, self.seconds, self.name = radius, seconds, name

    def details(self) -> str:
        """Return radius and duration."""
        return f"{self.radius:g} m, {self.seconds:g} s"

    def tick(self, mind: CrewMind) -> Status:
        """Mark the area, with the reason."""
        place = mind.known.place
        if place is None:
            self.reason = "nobody knows where it is"
            return FAILURE
        lost = [mind.name_of(member) for member, (_, when) in mind.crew.lost_as.items() if mind.time - when <= 1.0]
        self.reason = f"{', '.join(lost)} did not get through" if lost else "nobody got there in time"
        mind.ground.given_up.mark(place, mind.time, radius=self.radius, seconds=self.seconds, reason=self.reason)
        text = f"{mind.crew.name} gives up the area round {mind.name_of(mind.crew.target)}: {self.reason}"
        mind.crew.note(mind.time, text)
        data = {"crew": mind.crew.number, "radius": self.radius, "seconds": self.seconds, "why": self.reason}
        mind.tell("unreachable", text, other=mind.crew.target, at=place, data=data)
        return SUCCESS


class Order(Leaf):
    """Let the leader give an order, at most once per interval, as a trigger of its rules. Always SUCCESS.

    With `role`, members of that role say it in turn instead. The order is a notice that their own trees read
    (`say_as_told`).
    """

    kind = "order"

    def __init__(self, *, trigger: str, every: Seconds = 10.0, role: str = "", name: str = ""):
        self.trigger, self.every, self.role, self.name = trigger, every, role, name
        self.forget()

    def details(self) -> str:
        """Return the trigger."""
        return self.trigger

    def forget(self) -> None:
        """Restart the turns."""
        self._count = 0

    def tick(self, mind: CrewMind) -> Status:
        """Post the order."""
        key = ORDER + self.trigger
        known = mind.notice(key)
        if known is not None and mind.time - known[1] < self.every:
            return SUCCESS
        able = [one for one in mind.members if mind.role_of(one) == self.role] if self.role else [mind.crew.leader]
        if not able:
            self.reason = f"nobody is {self.role}"
            return SUCCESS
        speaker = able[self._count % len(able)]
        self._count += 1
        mind.notify(key, (self.trigger, speaker))
        mind.crew.note(mind.time, f"{mind.name_of(speaker)} says {self.trigger}")
        self.reason = f"{mind.name_of(speaker)} says it"
        return SUCCESS
