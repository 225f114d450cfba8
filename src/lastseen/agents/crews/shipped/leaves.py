"""Leaves of crew trees: continue or disband, begin a search, ignore a noise, abandon an area, give an order."""

from __future__ import annotations

from ....vocabulary.events import SearchBegins, ShrugsOff, Unreachable
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...directions import ORDER
from ...limits import Metres, Seconds, Timespan
from ..crew_mind import CrewMind
from .society import called_to, spot_of


class GoOn(Leaf):
    """Keep the crew together for more seconds by renewing all its members' requests. Always SUCCESS.

    The crew lasts for as long as its tree ticks this leaf, whatever its members are doing; members with a more urgent
    request still leave.
    """

    kind = "go_on"

    def __init__(self, *, seconds: Timespan = 2.0, name: str = ""):
        self.seconds, self.name = seconds, name

    def details(self) -> str:
        """Return the duration."""
        return f"seconds: {self.seconds:g}"

    def tick(self, mind: CrewMind) -> Status:
        """Renew existing requests and post missing ones."""
        board, (_, objective, target, matter) = mind.world.teamwork.requests, mind.crew.key
        same = [one for one in board if one.key == mind.crew.key[1:] and one.by in mind.members]
        if not same:
            return SUCCESS
        for member in mind.members:
            if not board.renew(member, objective, target, seconds=self.seconds, now=mind.time, matter=matter):
                board.post(
                    member,
                    objective,
                    target,
                    priority=same[0].priority,
                    seconds=self.seconds,
                    now=mind.time,
                    place=same[0].place,
                    matter=matter,
                )
        return SUCCESS


def disband(mind: CrewMind) -> Status:
    """End the crew by withdrawing all its members' requests. Always SUCCESS."""
    for member in mind.members:
        mind.world.teamwork.requests.withdraw(member, mind.crew.objective)
    mind.crew.is_disbanded = True
    return SUCCESS


def begin_search(mind: CrewMind) -> Status:
    """Begin a search at the crew's place for all members, and resolve the call to look there. Always SUCCESS."""
    world, place = mind.world, spot_of(mind)
    for member in mind.members:
        found = called_to(mind, member)
        if found is not None and found.kind in ("body", "missing colleague", "shout"):
            world.attention.stimuli.remove(found.number)
        world.hunt.alert(member)
    feet = world.bodies.xyz[list(mind.members)]
    world.hunt.perceive(place, mind.time, sure=False, agents=mind.members, places=feet)
    crew = mind.crew
    world.happened(SearchBegins(world.tick, crew.leader, at=place, crew=crew.number, objective=crew.objective))
    return SUCCESS


def shrug_off(mind: CrewMind) -> Status:
    """Ignore stimuli that call members unless an enemy is expected behind them, and remove them. Always SUCCESS."""
    for member in mind.members:
        found = called_to(mind, member)
        if found is not None and found.nature == "distraction":
            mind.world.attention.stimuli.remove(found.number)
            x, y, z = found.xyz.tolist()
            tick, crew = mind.world.tick, mind.crew.number
            mind.world.happened(ShrugsOff(tick, member, at=(x, y, z), stimulus=found.kind, crew=crew))
    return SUCCESS


class MarkUnreachable(Leaf):
    """Abandon the area around the target for a while, so that all crews avoid it (`target_unreachable`).

    SUCCESS; FAILURE if no member knows where the target is.
    """

    kind = "mark_unreachable"

    def __init__(self, *, radius: Metres = 4.0, seconds: Timespan = 30.0, name: str = ""):
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
        world, crew = mind.world, mind.crew
        lost = tuple(member for member, (_, when) in crew.lost_as.items() if mind.time - when <= 1.0)
        names = ", ".join(map(mind.name_of, lost))
        self.reason = f"{names} did not get through" if lost else "no one got there in time"
        mind.paths.given_up.mark(place, mind.time, radius=self.radius, seconds=self.seconds, reason=self.reason)
        world.happened(
            Unreachable(
                world.tick,
                crew.leader,
                at=place,
                other=crew.target,
                crew=crew.number,
                objective=crew.objective,
                radius=self.radius,
                seconds=self.seconds,
                lost=lost,
            )
        )
        return SUCCESS


class GiveOrder(Leaf):
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
        self.reason = f"{mind.name_of(speaker)} says it"
        return SUCCESS
