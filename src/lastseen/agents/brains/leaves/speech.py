"""Speech and state: say lines, give rules a reason to speak, raise the alarm."""

from __future__ import annotations

from ....checks import shown
from ....errors import BehaviourError, did_you_mean
from ....vocabulary.events import StateChanged
from ....vocabulary.words import AgentState
from ...behaviour.parameters import one_of
from ...behaviour.status import SUCCESS, Status
from ..mind import Mind
from ..surroundings import STATES, State
from .brain_leaf import BrainLeaf, leaf

_CALL_TRIGGERS = {
    "body": "FIND_BODY",
    "missing colleague": "MISSING",
    "open door": "DOOR_CHANGED",
    "shut door": "DOOR_CHANGED",
    "theft": "THEFT",
    "dark zone": "LIGHT_OFF",
}
"""Triggers by kind of call; all other calls are HEAR."""


@leaf
class Be(BrainLeaf):
    """Change the agent's state, which pictures and colleagues see. Always SUCCESS."""

    kind = "be"

    def __init__(self, *, state: State, name: str = ""):
        if state not in STATES:
            allowed = one_of(STATES)
            raise BehaviourError(f"state is {shown(state)}{did_you_mean(state, STATES)}; give {allowed}")
        self.state, self.name = state, name

    def details(self) -> str:
        """Return the state."""
        return self.state

    def tick(self, mind: Mind) -> Status:
        """Change the state and report it once."""
        before = AgentState(mind.state)
        if mind.be(self.state):
            now = AgentState(self.state)
            mind.world.happened(StateChanged(mind.world.tick, mind.number, before=before, state=now))
        return SUCCESS


@leaf
class Say(BrainLeaf):
    """Say a line. Always SUCCESS."""

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


@leaf
class Bark(BrainLeaf):
    """Give the agent a reason to speak: the scenario's rules find a line, or let others speak. Always SUCCESS.

    Without a trigger, the agent speaks about its call: HEAR, DOOR_CHANGED, MISSING, FIND_BODY, THEFT or LIGHT_OFF.
    """

    kind = "bark"

    def __init__(self, *, trigger: str = "", name: str = ""):
        self.trigger, self.name = trigger, name

    def details(self) -> str:
        """Return the trigger."""
        return self.trigger

    def tick(self, mind: Mind) -> Status:
        """Ask for a line."""
        self.reason = self.trigger or _CALL_TRIGGERS.get(mind.blackboard["call_kind"], "HEAR")
        mind.bark(self.reason)
        return SUCCESS


@leaf
class Alarm(BrainLeaf):
    """Shout to call colleagues within earshot, at most once per `every` seconds. Always SUCCESS.

    One of several that see an intruder shouts, the nearest: an agent that knows of the alarm is silent until it has
    returned to its patrol.
    """

    kind = "alarm"

    def __init__(self, *, every: float = 8.0, name: str = ""):
        self.every, self.name = every, name
        self.forget()

    def forget(self) -> None:
        """Allow the next shout at once."""
        self._last = -1e9

    def tick(self, mind: Mind) -> Status:
        """Shout, unless it did so recently or knows that the alarm was raised."""
        attention = mind.attention
        if attention.knows_alarm(mind.row, attention.cause_of(mind.world.cast, mind.blackboard, mind.number)):
            self.reason = "knows of the alarm"
        elif mind.time - self._last >= self.every:
            self.reason, self._last = "", mind.time
            mind.act("alarm")
        return SUCCESS
