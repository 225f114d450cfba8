"""A crew: several agents with a common objective, and the events about its members, roles and places."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

from ...vocabulary.events import CrewChange, CrewChanged, Departure, PlaceChanged, RoleChanged, RoleLoss
from ..behaviour.tree import Tree
from ..brains.surroundings import Surroundings
from ..directions import Direction
from .grouping import Key


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


def report_direction(world: Surroundings, crew: Crew, member: int, before: Direction | None) -> None:
    """Report the new role of a member, or its new place in the same role, if either has changed."""
    given = crew.given[member]
    keeps_role = before is not None and before.role == given.role
    if before is not None and keeps_role and before.slot == given.slot:
        return
    world.teamwork.role_reasons[world.tick, member] = given.reason
    values: dict[str, Any] = {"at": given.values.get("stand"), "crew": crew.number, "objective": crew.objective}
    values |= {"role": given.role, "slot": given.slot}
    if before is not None and keeps_role:
        world.happened(PlaceChanged(world.tick, member, before=before.slot, **values))
    else:
        was, watch = "" if before is None else before.role, given.values.get("watch")
        world.happened(RoleChanged(world.tick, member, before=was, watch=watch, **values))


def take_role(
    world: Surroundings,
    crew: Crew,
    member: int,
    loss: RoleLoss,
    departure: Departure | None = None,
    lost: tuple[int, ...] = (),
) -> None:
    """Take away a member's role, if it has one, and report why."""
    given = crew.given.pop(member, None)
    world.teamwork.directions[member] = None
    if given is not None:
        world.happened(
            RoleChanged(
                world.tick,
                member,
                crew=crew.number,
                objective=crew.objective,
                before=given.role,
                loss=loss,
                departure=departure,
                lost=lost,
            )
        )


def report_crew(
    world: Surroundings,
    crew: Crew,
    change: CrewChange,
    members: tuple[int, ...],
    agent: int | None = None,
    reason: Departure | None = None,
    lost: tuple[int, ...] = (),
) -> None:
    """Report that a crew was formed, changed or ended; `agent` is the agent concerned, by default the leader."""
    world.happened(
        CrewChanged(
            world.tick,
            crew.leader if agent is None else agent,
            other=crew.target,
            crew=crew.number,
            seat=crew.seat,
            objective=crew.objective,
            change=change,
            members=members,
            leader=crew.leader,
            reason=reason,
            lost=lost,
        )
    )
