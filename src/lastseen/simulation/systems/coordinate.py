"""Coordinate: advance the search that guards share."""

from __future__ import annotations

import numpy as np

from ...kernels.arrays.agent_arrays import ACTIVE
from ...reasoning.search.coordinator.searchers import SearchEvent
from ...vocabulary.events import (
    GivesUp,
    InvestigatorMissing,
    PhaseAdvanced,
    Place,
    SearchEnd,
    SearchEnded,
    SearchOver,
    SearchStarted,
)
from ...vocabulary.words import AgentState
from ..world.world import World

_SEARCH, _CHASE = AgentState.SEARCH.number, AgentState.CHASE.number
_GLANCES = 0.1
"""Seconds between two looks for openings next to the path."""


def coordinate(world: World) -> None:
    """Advance the search around its participants."""
    state, bodies, hunt = world.state, world.bodies, world.hunt
    searching = ((state == _SEARCH) | (state == _CHASE)) & (bodies.mode == ACTIVE)
    # A chasing guard takes part in a coordinated search, but has no destination on the influence map.
    stays = searching if hunt.coordinator is not None else searching & (state == _SEARCH)
    for agent in hunt.members:
        if not stays[agent]:
            hunt.leave(agent, world.time)
    was_on = hunt.is_on(world.time)
    if was_on and hunt.released and not searching.any() and not hunt.alerted:
        hunt.call_off(world.time)
    looking = np.flatnonzero(searching)
    if was_on and hunt.gaps is not None and world.tick % max(1, round(_GLANCES / world.step)) == 0:
        moving = (bodies.velocity_xy**2).sum(axis=1) > 0.25
        hunt.watch_gaps(looking.tolist(), bodies.xyz, bodies.heading, moving, world.time)
    jumped = world.time - world.acts.jumped.get(hunt.target, -np.inf) <= world.knowledge.grace
    truth = bodies.xyz[hunt.target] if world.knowledge.grace > 0.0 and hunt.target >= 0 and not jumped else None
    events = hunt.advance(world.step, world.time, looking.tolist(), bodies.xyz[looking], bodies.gaze[looking], truth)
    for event in events:
        _report(world, event)
    if was_on and not hunt.is_on(world.time + world.step):
        world.happened(SearchOver(world.tick))


def _report(world: World, event: SearchEvent) -> None:
    """Report what the coordinator did, except searched spots, which the next actions of searchers show."""
    if event.kind == "spot searched":
        return
    at: Place | None = None
    if event.xyz is not None:
        x, y, z = event.xyz.tolist()
        at = (x, y, z)
    tick, searcher, why = world.tick, event.searcher, event.reason
    match event.kind:
        case "search started":
            world.happened(SearchStarted(tick, searcher, at=at, mode=event.mode or "aggressive"))
        case "phase advanced":
            world.happened(PhaseAdvanced(tick, searcher, at=at))
        case "investigator missing":
            world.happened(InvestigatorMissing(tick, searcher, at=at))
        case "search ended":
            world.happened(SearchEnded(tick, searcher, reason=why or SearchEnd.CALLED_OFF))
        case "gives up":
            world.happened(GivesUp(tick, searcher, at=at, reason=why))
