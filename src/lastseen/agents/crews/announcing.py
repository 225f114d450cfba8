"""Announcements: events about crews, their members, roles and places."""

from __future__ import annotations

from ..brains.surroundings import Surroundings
from .crew import Crew

__all__ = ["take_role", "tell_crew", "tell_place", "tell_role"]


def tell_role(world: Surroundings, crew: Crew, member: int, before: str) -> None:
    """Report the role a member was given; `before` is its previous role."""
    given = crew.given[member]
    text = f"{world.names[member]}: {given.reason}"
    crew.note(world.time, text)
    stand = given.values.get("stand")
    world.happened(
        "role",
        member,
        text,
        at=stand,
        data={
            "crew": crew.number,
            "objective": crew.objective,
            "given": given.role,
            "before": before,
            "why": given.reason,
            "slot": given.slot,
            "values": {key: value for key, value in given.values.items() if key != "hints"},
        },
    )


def tell_place(world: Surroundings, crew: Crew, member: int, before: int) -> None:
    """Report that a member keeps its role but gets another place."""
    given = crew.given[member]
    text = f"{world.names[member]} changes its place: {given.reason}"
    crew.note(world.time, text)
    data = {"crew": crew.number, "objective": crew.objective, "role": given.role, "why": given.reason}
    data |= {"slot": given.slot, "before": before}
    world.happened("place", member, text, at=given.values.get("stand"), data=data)


def take_role(world: Surroundings, crew: Crew, member: int, why: str) -> None:
    """Take away a member's role, if it has one, and report why."""
    given = crew.given.pop(member, None)
    world.directions[member] = None
    if given is None:
        return
    text = f"{world.names[member]} is no longer {given.role}: {why}"
    crew.note(world.time, text)
    data = {"crew": crew.number, "objective": crew.objective, "given": "", "before": given.role, "why": why}
    world.happened("role", member, text, data=data)


def tell_crew(
    world: Surroundings, crew: Crew, what: str, text: str, members: list[int], agent: int | None = None
) -> None:
    """Report that a crew was formed, changed or ended; `agent` is the agent concerned, by default the leader."""
    crew.note(world.time, text)
    data = {
        "crew": crew.number,
        "seat": crew.seat,
        "objective": crew.objective,
        "what": what,
        "members": members,
        "leader": crew.leader,
    }
    world.happened("crew", crew.leader if agent is None else agent, text, other=crew.target, data=data)
