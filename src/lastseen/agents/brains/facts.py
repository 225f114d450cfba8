"""Facts that wake leaves: a tree skips a leaf while none of the facts it names holds (`Node.woken_by`)."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import TYPE_CHECKING, Any, TypeVar

from ...vocabulary.words import AgentState

if TYPE_CHECKING:
    from .mind import Mind

SEES, KNOWS, LOST, NOTICES, CALLED, ALERTED = (1 << bit for bit in range(1, 7))
"""The agent sees, knows of or has lost an intruder, has noticed something, has a call it has not taken, or has reason
to search without knowing of an intruder."""
AWAY, AWAITS, IN_CREW, REQUESTS, FIGHTS, WAITS, TALKS, SEES_ANOTHER = (1 << bit for bit in range(7, 15))
"""The agent is neither on its patrol nor on its way back, awaits a colleague, belongs to a crew or has a role; crews
read requests; there is combat; by its settings the agent waits after a loss, or talks on its patrol; it sees an
intruder other than its target."""
KEEPS_OFF = 1 << 15
"""The agent has to warn off or escort another, or is warned off itself."""
OBJECTS = 1 << 16
"""There are objects, and the agent knows of an intruder or an alarm rings."""
STINGS, SHUNS = 1 << 17, 2.0
"""A swarm is after an agent, or the agent has seen one in the last `SHUNS` seconds."""
SEES_TARGET, RETURNS, AT_CALL, AT_PAST_CALL = (1 << bit for bit in range(18, 22))
"""Lasting facts (see `LASTING`): the agent sees its target; it is on its way back to its patrol; it looks into its only
call, or into one that has expired."""
DANGER = 1 << 22
"""The agent remembers a region in which a comrade was shot or went down."""

_NEVER = -math.inf
_PATROL, _SUSPICIOUS, _RETURN = AgentState.PATROL.number, AgentState.SUSPICIOUS.number, AgentState.RETURN.number

Function = TypeVar("Function", bound=Callable[..., Any])


def woken_by(facts: int) -> Callable[[Function], Function]:
    """Declare that a condition always gives the same answer, and writes nothing, while none of these facts holds."""

    def note(function: Function) -> Function:
        function.woken_by = facts  # type: ignore[attr-defined]
        return function

    return note


def facts_of(mind: Mind) -> int:
    """Return the facts that hold for a mind now, as bits; all of them for an agent that is not a watcher."""
    row, number, world, board = mind.row, mind.number, mind.world, mind.blackboard
    if row < 0:
        return -1
    found, now = 0, world.time
    attention, teamwork = mind.attention, mind.teamwork
    seen = attention.seen[row]
    if seen >= 0:
        found = SEES | (SEES_TARGET if seen == board.get("target") else SEES_ANOTHER)
    if attention.known[row] >= 0:
        found |= KNOWS
    if attention.lost[row] >= 0:
        found |= LOST
    if attention.noticed[row] >= 0 or board["noticed"] != _NEVER or board["suspects_until"] > now:
        found |= NOTICES
    called, call, state = attention.calls[row], board["call"], world.state.item(number)
    if state != _SUSPICIOUS or call < 0 or now >= board["call_until"] or (called >= 0 and called != call):
        if called >= 0:
            found |= CALLED
    else:
        found |= AT_PAST_CALL if called < 0 or attention.stimuli.get(called) is None else AT_CALL
    if number in world.hunt.alerted:
        found |= ALERTED
    if state != _PATROL:
        found |= RETURNS if state == _RETURN else AWAY
    if board["awaited"] >= 0 or board["worries_until"] > now:
        found |= AWAITS
    if (teamwork.directions and teamwork.directions[number] is not None) or number in teamwork.crew_numbers:
        found |= IN_CREW
    territory = world.territory
    if territory is not None and (number in territory.keeper or mind.is_warned):
        found |= KEEPS_OFF
    objects = world.objects
    if objects is not None and (found & KNOWS or objects.ringing(now)):
        found |= OBJECTS
    if world.swarms is not None and (world.swarms.attack or now - board["swarmed"] <= SHUNS):
        found |= STINGS
    if teamwork.requests.is_read:
        found |= REQUESTS
    if world.combat is not None:
        found |= FIGHTS
    if number in world.losses.dangers:
        found |= DANGER
    if board["approach"]:
        found |= WAITS
    if board["talks"]:
        found |= TALKS
    return found
