"""A crew: several agents with one objective."""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass, field
from typing import Any

from ..behaviour.tree import Tree
from ..directions import Direction
from .grouping import Key

__all__ = ["Crew"]

_REMEMBERED = 40
"""Reasons a crew keeps."""


@dataclass(eq=False)
class Crew:
    """Members, what they are after, and what they were told.

    Attributes
    ----------
    number : of the crew; never used again.
    seat : its place among the crews there are now, from 0 up: that of a crew that ended is taken by the next one.
    key : team, objective, target and matter: what its members asked for.
    members : ascending; `leader` is one of them.
    tree, blackboard : how it decides, and what that remembers.
    given : what each member was told last.
    since, thinks_at : seconds when it was formed, and from which on it thinks again.
    lost : members that can act no more, in the order they were lost.
    lost_as : by member that was lost, the role it had and the second.
    is_disbanded : whether its tree ended it when it thought last.
    log : (seconds, words), what it decided, oldest first.
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
        """What it is after."""
        return self.key[1]

    @property
    def target(self) -> int:
        """Number of the agent it is about; -1: nobody."""
        return self.key[2]

    @property
    def matter(self) -> int:
        """Number of the stimulus it is about; -1: none."""
        return self.key[3]

    @property
    def name(self) -> str:
        """What it is called in words."""
        return f"crew {self.number} ({self.objective})"

    def note(self, now: float, words: str) -> None:
        """Write down what was decided."""
        self.log.append((now, words))
