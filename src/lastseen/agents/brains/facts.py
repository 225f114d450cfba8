"""Facts that wake leaves: a tree skips a leaf while none of the facts it names holds (`Node.woken_by`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from .mind import Mind

__all__ = [
    "ALERTED",
    "AWAITS",
    "AWAY",
    "CALLED",
    "FIGHTS",
    "IN_CREW",
    "KNOWS",
    "LOST",
    "NOTICES",
    "REQUESTS",
    "SEES",
    "TALKS",
    "WAITS",
    "facts_of",
    "woken_by",
]

SEES, KNOWS, LOST, NOTICES, CALLED, ALERTED = (1 << bit for bit in range(1, 7))
"""The agent sees, knows of or has lost an intruder, has noticed something, is called to something, or has reason to
search without knowing of an intruder."""
AWAY, AWAITS, IN_CREW, REQUESTS, FIGHTS, WAITS, TALKS = (1 << bit for bit in range(7, 14))
"""The agent is not on its patrol, awaits a colleague, belongs to a crew or has a role; crews read requests; there is
combat; by its settings the agent waits after a loss, or talks on its patrol."""

_NEVER = -math.inf

Function = TypeVar("Function", bound=Callable[..., Any])


def woken_by(facts: int) -> Callable[[Function], Function]:
    """Declare that a condition always gives the same answer, and writes nothing, while none of these facts holds."""

    def note(function: Function) -> Function:
        function.woken_by = facts  # type: ignore[attr-defined]
        return function

    return note


def facts_of(mind: Mind) -> int:
    """Return the facts that hold for a mind now, as bits; all of them for an agent that is no watcher."""
    row, number, world, board = mind.row, mind.number, mind.world, mind.blackboard
    if row < 0:
        return -1
    found, now = 0, world.time
    if world.seen[row] >= 0:
        found = SEES
    if world.known[row] >= 0:
        found |= KNOWS
    if world.lost[row] >= 0:
        found |= LOST
    if world.noticed[row] >= 0 or board["noticed"] != _NEVER or board["suspects_until"] > now:
        found |= NOTICES
    if world.calls[row] >= 0 or board["call"] >= 0:
        found |= CALLED
    if number in world.hunt.alerted:
        found |= ALERTED
    if world.state[number]:
        found |= AWAY
    if board["awaited"] >= 0 or board["worries_until"] > now:
        found |= AWAITS
    if (world.directions and world.directions[number] is not None) or number in world.crew_numbers:
        found |= IN_CREW
    if world.requests.is_read:
        found |= REQUESTS
    if world.combat is not None:
        found |= FIGHTS
    if board["approach"]:
        found |= WAITS
    if board["talks"]:
        found |= TALKS
    return found
