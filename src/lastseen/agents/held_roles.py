"""Roles that agents request themselves, acknowledge and release, like those of the combat coordinator of chapter 34.

Crews assign roles by their trees. These are for behaviours that want a role of their own accord: the agent that shoots
because it happens to see the target, or the one with the shortest path around the flank.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Literal

from ..checks import finite_number, instance_of, real_number, table_of, text_of, whole_number
from ..errors import InputError, did_you_mean


@dataclass(frozen=True)
class RoleKind:
    """How a role is granted.

    Attributes
    ----------
    mode : "first come" grants it to the first agent that requests it; "ideal only" to the one with the lowest bid of
        the last tick, and refuses all others even if the role is free.
    seconds : time in which the role must be acknowledged before it is free again, 0 … 3600.
    """

    mode: Literal["first come", "ideal only"] = "first come"
    seconds: float = 0.5

    def __post_init__(self) -> None:
        if text_of(self.mode, "mode") not in ("first come", "ideal only"):
            raise InputError(f"mode is {self.mode!r}; give 'first come' or 'ideal only'")
        finite_number(self.seconds, "seconds to acknowledge", unit="s", low=0.0, high=3600.0)


HELD_ROLES = {
    "flanker": RoleKind("ideal only"),
    "approacher": RoleKind("ideal only"),
    "investigator": RoleKind("ideal only"),
    "stay up and aimer": RoleKind(),
    "opportunistic shooter": RoleKind(),
}
"""The roles of the chapter, which gives the modes of the flanker and the opportunistic shooter; the others are ours."""


class RoleDesk:
    """Grants roles, each to one agent at a time.

    Examples
    --------
    >>> desk = RoleDesk()
    >>> desk.request(3, "opportunistic shooter", 0.0), desk.request(4, "opportunistic shooter", 0.0)
    (True, False)
    """

    def __init__(self, kinds: Mapping[str, RoleKind] | None = None):
        self.kinds: dict[str, RoleKind] = table_of(HELD_ROLES if kinds is None else kinds, "kinds")
        for name, kind in self.kinds.items():
            text_of(name, "name of a role")
            instance_of(kind, RoleKind, f"role {name}", "give RoleKind(…)")
        self._holder: dict[str, tuple[int, float, bool]] = {}
        self._bids: dict[str, dict[int, float]] = {}
        self._ideal: dict[str, int] = {}

    def _kind(self, role: str) -> RoleKind:
        if text_of(role, "role") not in self.kinds:
            raise InputError(f"no role {role!r}{did_you_mean(role, self.kinds)}; there are {', '.join(self.kinds)}")
        return self.kinds[role]

    def bid(self, agent: int, role: str, cost: float) -> None:
        """Bid for a role in this tick with its cost in any unit; the lowest bidder is the ideal candidate."""
        self._kind(role)
        if math.isnan(real_number(cost, "cost")):
            raise InputError(f"the cost of {role} for {agent} is not a number; give one, or infinity if it cannot")
        self._bids.setdefault(role, {})[whole_number(agent, "agent")] = float(cost)

    def settle(self, now: float, alive: Collection[int] | None = None) -> None:
        """Begin a tick: find the ideal candidates among the bids, and free unacknowledged roles and those of agents
        that are not `alive`."""
        self._ideal = {
            role: min(bids, key=lambda agent: (bids[agent], agent))
            for role, bids in self._bids.items()
            if min(bids.values()) < math.inf
        }
        self._bids = {}
        for role, (agent, since, sure) in list(self._holder.items()):
            late = not sure and now - since > self.kinds[role].seconds
            if late or (alive is not None and agent not in alive):
                del self._holder[role]

    def request(self, agent: int, role: str, now: float) -> bool:
        """Request a role; return whether the agent has it now."""
        kind, agent = self._kind(role), whole_number(agent, "agent")
        if role in self._holder:
            return self._holder[role][0] == agent
        if kind.mode == "ideal only" and self._ideal.get(role) != agent:
            return False
        self._holder[role] = (agent, now, False)
        return True

    def acknowledge(self, agent: int, role: str) -> bool:
        """Acknowledge a role; return whether the agent still has it."""
        self._kind(role)
        holder = self._holder.get(role)
        if holder is None or holder[0] != agent:
            return False
        self._holder[role] = (agent, holder[1], True)
        return True

    def release(self, agent: int, role: str = "") -> None:
        """Give back one role, or all; roles of other agents are not affected."""
        for name in [role] if text_of(role, "role") else list(self._holder):
            self._kind(name)
            if self._holder.get(name, (-1,))[0] == agent:
                del self._holder[name]

    def holder(self, role: str) -> int:
        """Return the agent that has a role; -1 if none."""
        self._kind(role)
        return self._holder[role][0] if role in self._holder else -1


class AskedRoles:
    """The roles of one team, for trees that request a role in every tick while they want it.

    An agent that did not request its role in the previous tick loses it. With "ideal only" the first tick is for bids.
    """

    def __init__(self) -> None:
        self.desk = RoleDesk()
        self._at = -math.inf
        self._asking: dict[str, set[int]] = {}

    def ask(self, agent: int, role: str, kind: RoleKind, cost: float, now: float) -> bool:
        """Bid for a role and request it in this tick; return whether the agent has it."""
        if now > self._at:
            self._begin(now)
        self.desk.kinds.setdefault(role, kind)
        self._asking.setdefault(role, set()).add(agent)
        self.desk.bid(agent, role, cost)
        return self.desk.request(agent, role, now) and self.desk.acknowledge(agent, role)

    def _begin(self, now: float) -> None:
        for role in self.desk.kinds:
            holder = self.desk.holder(role)
            if holder >= 0 and holder not in self._asking.get(role, ()):
                self.desk.release(holder, role)
        self._at, self._asking = now, {}
        self.desk.settle(now)
