"""Saying what one is up to, and letting others know."""

from __future__ import annotations

from ....checks import shown
from ....errors import BehaviourError, did_you_mean
from ....vocabulary.events import StateChanged
from ....vocabulary.words import AgentState
from ...behaviour.leaf import Leaf
from ...behaviour.parameters import one_of
from ...behaviour.status import SUCCESS, Status
from ..mind import Mind
from ..surroundings import STATES, State

__all__ = ["Alarm", "Bark", "Be", "Say"]

_OF_CALLS = {
    "body": "FIND_BODY",
    "missing colleague": "MISSING",
    "open door": "DOOR_CHANGED",
    "shut door": "DOOR_CHANGED",
}
"""What there is to say of what one looks into; of all else that it was heard."""


class Be(Leaf):
    """Is up to something else from now on: what pictures and colleagues see. Always SUCCESS."""

    kind = "be"

    def __init__(self, *, state: State, name: str = ""):
        if state not in STATES:
            allowed = one_of(STATES)
            raise BehaviourError(f"state is {shown(state)}{did_you_mean(state, STATES)}; give {allowed}")
        self.state, self.name = state, name

    def details(self) -> str:
        """Return what."""
        return self.state

    def tick(self, mind: Mind) -> Status:
        """Tell the world, once."""
        before = AgentState(mind.state)
        if mind.be(self.state):
            now = AgentState(self.state)
            mind.world.happened(StateChanged(mind.world.tick, mind.number, before=before, state=now))
        return SUCCESS


class Say(Leaf):
    """Says a line. Always SUCCESS."""

    kind = "say"

    def __init__(self, *, line: str, name: str = ""):
        self.line, self.name = line, name

    def details(self) -> str:
        """Return the line."""
        return repr(self.line)

    def tick(self, mind: Mind) -> Status:
        """Say it."""
        mind.say(self.line)
        return SUCCESS


class Bark(Leaf):
    """Has a reason to speak: the scenario's rules find a line for it, or let others speak. Always SUCCESS.

    Without a trigger it speaks of what it looks into: HEAR, DOOR_CHANGED, MISSING or FIND_BODY.
    """

    kind = "bark"

    def __init__(self, *, trigger: str = "", name: str = ""):
        self.trigger, self.name = trigger, name

    def details(self) -> str:
        """Return the trigger."""
        return self.trigger

    def tick(self, mind: Mind) -> Status:
        """Ask for a line."""
        self.reason = self.trigger or _OF_CALLS.get(mind.blackboard["call_kind"], "HEAR")
        mind.bark(self.reason)
        return SUCCESS


class Alarm(Leaf):
    """Calls out, so that colleagues in earshot come, once in `every` seconds. Always SUCCESS."""

    kind = "alarm"

    def __init__(self, *, every: float = 8.0, name: str = ""):
        self.every, self.name = every, name
        self._last = -1e9

    def forget(self) -> None:
        """Be ready to call again."""
        self._last = -1e9

    def tick(self, mind: Mind) -> Status:
        """Call, unless it did so a moment ago."""
        if mind.time - self._last >= self.every:
            self._last = mind.time
            mind.make_sound("shout")
            mind.act("alarm")
        return SUCCESS
