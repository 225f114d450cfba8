"""Roles: several roles of one crew, assigned together."""

from __future__ import annotations

import typing
from collections import Counter
from typing import Any

from ....errors import BehaviourError
from ...behaviour.node import Composite, Node
from ...behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from ..crew_mind import CrewMind
from ..grouping import LARGEST
from .role import Role
from .sharing_out import share_out

__all__ = ["Roles"]


class Roles(Composite):
    """Assign all its roles at every tick so that the total score is maximal.

    | the roles under it                     | roles                                            |
    |----------------------------------------|--------------------------------------------------|
    | one cannot have as many as it needs    | FAILURE; this node gives no directions           |
    | all are over                           | SUCCESS                                          |
    | otherwise                              | RUNNING                                          |

    Members without a direction, and all members once the node is left, follow their own trees.
    """

    kind = "roles"

    def __init__(self, children: typing.Sequence[Node], *, name: str = ""):
        super().__init__(children, name=name)

    def check(self) -> None:
        """Reject children that are not roles, duplicate names, and more members than a crew can have."""
        super().check()
        names: set[str] = set()
        for child in self.children:
            if not isinstance(child, Role):
                raise BehaviourError(f"{child.label} under {self.label} is not a role; move it out of {self.label}")
            if child.label in names:
                raise BehaviourError(f"there are two roles {child.label!r} under {self.label}; give each a unique name")
            names.add(child.label)
        needed = sum(child.needs for child in self.children if isinstance(child, Role))
        if needed > LARGEST:
            raise BehaviourError(f"the roles under {self.label} need {needed} members; a crew has at most {LARGEST}")
        self._check_narrow()

    def _check_narrow(self) -> None:
        """Reject roles that together need more members than a word they all require can hold for."""
        needed: Counter[str] = Counter()
        for role in [child for child in self.children if isinstance(child, Role)]:
            word = role.may.narrowest()
            if word is None:
                continue
            needed[word.name] += role.needs
            if needed[word.name] > (word.most or 0):
                what = f"the roles under {self.label} that require {word.name} need {needed[word.name]} members"
                raise BehaviourError(f"{what}, but it holds for at most {word.most}; let one of them do without it")

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """Mark all roles as not over."""
        for child in self.children:
            child.forget()

    def tick(self, mind: CrewMind) -> Status:
        """Assign the roles."""
        roles = [child for child in self.children if isinstance(child, Role)]
        share_out(mind, roles)
        found = [role.run(mind) for role in roles]
        if FAILURE in found:
            for role in roles:
                role.interrupt(mind)
            return FAILURE
        return SUCCESS if all(status is SUCCESS for status in found) else RUNNING
