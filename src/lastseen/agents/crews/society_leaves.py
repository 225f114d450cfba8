"""Leaves of searching and social crews: continue, disband, begin a search, ignore a noise."""

from __future__ import annotations

from ..behaviour.leaf import Leaf
from ..behaviour.status import SUCCESS, Status
from ..limits import Spell
from .crew_mind import CrewMind
from .society import called_to, spot_of

__all__ = ["BeginSearch", "Disband", "GoOn", "ShrugOff"]


class GoOn(Leaf):
    """Keep the crew together for more seconds by renewing all its members' requests. Always SUCCESS.

    The crew lasts for as long as its tree ticks this leaf, whatever its members are doing; members with a more urgent
    request still leave.
    """

    kind = "go_on"

    def __init__(self, *, seconds: Spell = 2.0, name: str = ""):
        self.seconds, self.name = seconds, name

    def details(self) -> str:
        """Return the duration."""
        return f"seconds: {self.seconds:g}"

    def tick(self, mind: CrewMind) -> Status:
        """Renew existing requests and post missing ones."""
        board, (_, objective, target, matter) = mind.world.requests, mind.crew.key
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


class Disband(Leaf):
    """End the crew by withdrawing all its members' requests. Always SUCCESS."""

    kind = "disband"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Withdraw the requests."""
        for member in mind.members:
            mind.world.requests.withdraw(member, mind.crew.objective)
        mind.crew.is_disbanded = True
        mind.crew.note(mind.time, "disbands")
        return SUCCESS


class BeginSearch(Leaf):
    """Begin a search at the crew's place for all members, and resolve the call to look there.

    Always SUCCESS.
    """

    kind = "begin_search"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Begin the search."""
        world, place = mind.world, spot_of(mind)
        for member in mind.members:
            found = called_to(mind, member)
            if found is not None and found.kind in ("body", "missing colleague", "shout"):
                world.stimuli.remove(found.number)
            world.hunt.alert(member)
        feet = world.bodies.xyz[list(mind.members)]
        world.hunt.perceive(place, mind.time, sure=False, agents=mind.members, places=feet)
        mind.tell("search begins", f"{mind.crew.name} begins a search", at=place)
        return SUCCESS


class ShrugOff(Leaf):
    """Ignore stimuli that call members unless an enemy is expected behind them, and remove them. Always SUCCESS."""

    kind = "shrug_off"

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: CrewMind) -> Status:
        """Remove the distractions."""
        for member in mind.members:
            found = called_to(mind, member)
            if found is not None and found.nature == "distraction":
                mind.world.stimuli.remove(found.number)
                text = f"{mind.name_of(member)} thinks nothing of a {found.kind}"
                data = {"kind": found.kind, "crew": mind.crew.number}
                mind.world.happened("shrugs off", member, text, at=tuple(found.xyz.tolist()), data=data)
        return SUCCESS
