"""Investigating: taking on what calls for a look, and being done with it."""

from __future__ import annotations

from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ..mind import Mind

__all__ = ["CloseCall", "TakeCall"]


class TakeCall(Leaf):
    """Takes on the stimulus that calls and writes its place to "goal"; FAILURE where another one has it."""

    kind = "take_call"
    writes = {"goal": tuple, "call": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Claim it."""
        number = mind.world.calls[mind.require_watcher()]
        stimulus = mind.world.stimuli.get(number)
        if stimulus is None or not mind.world.stimuli.claim(number, mind.number):
            self.reason = "somebody else looks into it"
            return FAILURE
        x, y, z = stimulus.xyz.tolist()
        mind.blackboard["goal"], mind.blackboard["call"] = (x, y, z), number
        self.reason = stimulus.kind
        mind.tell(
            "investigates", f"{mind.name} looks into a {stimulus.kind}", at=(x, y, z), data={"kind": stimulus.kind}
        )
        return SUCCESS


class CloseCall(Leaf):
    """Is done with what it looked into: nobody needs to go there any more. Always SUCCESS."""

    kind = "close_call"
    reads = {"call": int}  # noqa: RUF012

    def __init__(self, *, name: str = ""):
        self.name = name

    def tick(self, mind: Mind) -> Status:
        """Take it off the board."""
        number = mind.blackboard["call"]
        if mind.world.stimuli.get(number) is not None:
            mind.world.stimuli.remove(number)
        return SUCCESS
