"""Unmet requests: explain why an agent's request formed no crew."""

from __future__ import annotations

from ...kernels.body_arrays import ACTIVE, HIDDEN
from ..brains.surroundings import Surroundings
from ..requests import Request
from .crews import Crews

__all__ = ["unmet_requests"]


def unmet_requests(crews: Crews, world: Surroundings) -> dict[int, str]:
    """Describe by agent the requests of agents outside all crews, and why they are not met."""
    found: dict[int, str] = {}
    for request in world.requests:
        if request.by in world.crew_numbers or not _can_act(world, request.by):
            continue
        about = f" {world.names[request.target]}" if request.target >= 0 else ""
        words = f"{request.objective}{about} ({request.priority:g}): {_why(crews, world, request)}"
        found[request.by] = f"{found[request.by]}; {words}" if request.by in found else words
    return found


def _why(crews: Crews, world: Surroundings, request: Request) -> str:
    if request.objective not in crews.trees:
        return "no crew does that here"
    if not crews.serves(world, request):
        return f"{world.names[request.target]} is gone"
    team = world.bodies.team
    others = [
        one
        for one in world.requests
        if one.key == request.key
        and one.by != request.by
        and team[one.by] == team[request.by]
        and _can_act(world, one.by)
    ]
    if others:
        return "who else asks for it does something more urgent"
    return "nobody of its team is within reach" if request.draws else "nobody else of its team asks for it"


def _can_act(world: Surroundings, agent: int) -> bool:
    return int(world.bodies.mode[agent]) in (ACTIVE, HIDDEN)
