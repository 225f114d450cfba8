"""Roles: several roles of one crew, given out together."""

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
    """Gives out all its roles at every tick, so that the sum of scores is the highest there is.

    | the roles under it                     | roles                                            |
    |----------------------------------------|--------------------------------------------------|
    | one cannot have as many as it needs    | FAILURE; nobody is told anything by this node     |
    | all are over                           | SUCCESS                                          |
    | else                                   | RUNNING                                          |

    Members it tells nothing, and all of them once it is left, go by their own trees.
    """

    kind = "roles"

    def __init__(self, children: typing.Sequence[Node], *, name: str = ""):
        super().__init__(children, name=name)

    def check(self) -> None:
        """Refuse what is no role, names that stand twice, and more needed than a crew can have."""
        super().check()
        names: set[str] = set()
        for child in self.children:
            if not isinstance(child, Role):
                raise BehaviourError(f"{child.label} under {self.label} is no role; put it beside, not under it")
            if child.label in names:
                raise BehaviourError(f"there are two roles {child.label!r} under {self.label}; name them apart")
            names.add(child.label)
        needed = sum(child.needs for child in self.children if isinstance(child, Role))
        if needed > LARGEST:
            raise BehaviourError(f"the roles under {self.label} need {needed} members; a crew has at most {LARGEST}")
        self._check_narrow()

    def _check_narrow(self) -> None:
        """Refuse roles that together need more members than a word all of them want can hold of."""
        needed: Counter[str] = Counter()
        for role in [child for child in self.children if isinstance(child, Role)]:
            word = role.may.narrowest()
            if word is None:
                continue
            needed[word.name] += role.needs
            if needed[word.name] > (word.most or 0):
                what = f"the roles under {self.label} that want {word.name} need {needed[word.name]} members"
                raise BehaviourError(f"{what}; it holds of {word.most} at most: let one of them do without")

    def enter(self, context: Any) -> None:  # noqa: ARG002
        """No role is over yet."""
        for child in self.children:
            child.forget()

    def tick(self, mind: CrewMind) -> Status:
        """Give out the roles."""
        roles = [child for child in self.children if isinstance(child, Role)]
        share_out(mind, roles)
        found = [role.run(mind) for role in roles]
        if FAILURE in found:
            for role in roles:
                role.interrupt(mind)
            return FAILURE
        return SUCCESS if all(status is SUCCESS for status in found) else RUNNING
