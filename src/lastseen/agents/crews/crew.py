"""A crew: several agents with a common objective."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ..behaviour.tree import Tree
from ..directions import Direction
from .grouping import Key

__all__ = ["Crew"]

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
