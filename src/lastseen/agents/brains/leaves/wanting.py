"""Wanting: a role that one of a side has, and that members ask for by themselves, with a crew or without."""

from __future__ import annotations

import math

from ....errors import BehaviourError, InputError, did_you_mean
from ...behaviour.leaf import Leaf
from ...behaviour.status import FAILURE, SUCCESS, Status
from ...role_desk import HELD_ROLES, AskedRoles, RoleKind
from ..mind import Mind

__all__ = ["GetsRole"]


class GetsRole(Leaf):
    """Asks for a role that one of its side has at a time: SUCCESS while it has it, else FAILURE.

    Ask in every tick: who asks no more gives it back. `role`: one of the chapter, or any other with its `mode`: "first
    come", or "ideal only", for which who is nearest to the target it knows of is ideal.

    Notes
    -----
    Chapter 34: request, acknowledge, release.
    """

    kind = "gets_role"

    def __init__(self, *, role: str, mode: str = "", name: str = ""):
        if not role or (not mode and role not in HELD_ROLES):
            known = ", ".join(HELD_ROLES)
            raise BehaviourError(f"no role {role!r}{did_you_mean(role, HELD_ROLES)}; give one of {known}, or a mode")
        try:
            self._kind = RoleKind(mode) if mode else HELD_ROLES[role]  # type: ignore[arg-type]
        except InputError as error:
            raise BehaviourError(f"role {role!r}: {error}") from None
        self.role, self.name = role, name

    def details(self) -> str:
        """Return which."""
        return self.role

    def tick(self, mind: Mind) -> Status:
        """Bid, and ask."""
        asked = mind.world.desks.setdefault(int(mind.world.bodies.team[mind.number]), AskedRoles())
        cost = _metres(mind)
        if asked.ask(mind.number, self.role, self._kind, cost, mind.time):
            self.reason = f"is {self.role}"
            return SUCCESS
        holder = asked.desk.holder(self.role)
        self.reason = f"{mind.world.names[holder]} is {self.role}" if holder >= 0 else f"nobody is {self.role} yet"
        return FAILURE


def _metres(mind: Mind) -> float:
    """Return how far it is from the target it knows of; infinite: it knows of none."""
    column = mind.world.known[mind.row] if mind.row >= 0 and mind.world.known else -1
    if column < 0:
        return math.inf
    x, y, z = mind.world.knowledge.arrays.xyz[mind.row, column].tolist()
    return mind.distance_to((x, y, z))
