"""A crew: several agents with a common objective, and the events about its members, roles and places."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ..behaviour.tree import Tree
from ..brains.surroundings import Surroundings
from ..directions import Direction
from .grouping import Key

__all__ = ["Crew", "take_role", "tell_crew", "tell_place", "tell_role"]

_REMEMBERED = 40
"""Log entries a crew keeps."""


@dataclass(eq=False)
class Crew:
    """Members of a crew, their objective and their directions.

    Attributes
    ----------
    number : identifier; never reused.
    seat : index among the present crews, from 0; a new crew takes the lowest free one.
    key : team, objective, target and matter of the members' requests.
    members : ascending; `leader` is one of them.
    tree, blackboard : the crew's behaviour tree and its memory.
    given : each member's last direction.
    since, thinks_at : seconds at which it was formed, and at which it next thinks.
    lost : members that can no longer act, in the order they were lost.
    lost_as : by lost member, its role and the time of the loss in seconds.
    is_disbanded : whether its tree ended it at the last tick.
    log : (seconds, text) of decisions, oldest first.
    """

    number: int
    seat: int
    key: Key
    members: tuple[int, ...]
    leader: int
    tree: Tree
    blackboard: dict[str, Any]
    since: float
    thinks_at: float = 0.0
    given: dict[int, Direction] = field(default_factory=dict)
    lost: list[int] = field(default_factory=list)
    lost_as: dict[int, tuple[str, float]] = field(default_factory=dict)
    is_disbanded: bool = False
    log: deque[tuple[float, str]] = field(default_factory=lambda: deque(maxlen=_REMEMBERED))

    @property
    def objective(self) -> str:
        """The objective."""
        return self.key[1]

    @property
    def target(self) -> int:
        """Number of the target agent, -1 if there is none."""
        return self.key[2]

    @property
    def matter(self) -> int:
        """Number of the stimulus it is about, -1 if there is none."""
        return self.key[3]

    @property
    def name(self) -> str:
        """Display name."""
        return f"crew {self.number} ({self.objective})"

    def note(self, now: float, words: str) -> None:
        """Add a decision to the log."""
        self.log.append((now, words))


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
    world.teamwork.directions[member] = None
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
