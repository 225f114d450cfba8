"""Orders: what a mind wants its body to do next. Without orders, a body stands still."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, get_args

import numpy as np

from ...kernels.arrays.agent_arrays import OrderArrays

Gait = Literal["sneak", "walk", "run"]

SPEEDS: dict[Gait, float] = {"sneak": 1.0, "walk": 1.6, "run": 4.5}
"""Speeds of gaits in m/s. Ours: the sources give none."""

Power = Literal["blink", "decoy", "trap", "time_stop", "possess", "travel"]

ActKind = Literal[
    "alarm",
    "appear",
    "blink",
    "catch",
    "close door",
    "decoy",
    "hide",
    "hurl",
    "leave",
    "leave hiding",
    "open door",
    "possess",
    "put down",
    "set trap",
    "shoot",
    "stop time",
    "strike",
    "throw",
    "travel",
    "use",
    "use spot",
]
ACTS: tuple[ActKind, ...] = get_args(ActKind)

ACTED_ON: dict[ActKind, str] = {
    "appear": "agent",
    "catch": "target",
    "close door": "door",
    "hide": "hiding place",
    "open door": "door",
    "put down": "object",
    "shoot": "agent",
    "strike": "agent",
    "use": "object",
    "use spot": "hiding place",
}
"""What the number of an act refers to."""


@dataclass(frozen=True)
class Act:
    """An act in this step, with the number of the agent, door, object or place it applies to, or a point.

    `seconds` is how long an object is used; None: as usual.
    """

    kind: ActKind
    number: int = -1
    xyz: tuple[float, float, float] | None = None
    seconds: float | None = None


@dataclass
class Orders:
    """The orders of all agents in one step: arrays for movement, lists for single acts.

    `lines` are spoken verbatim; `barks` are reasons to speak, for which rules find lines, with the agent's state.
    """

    arrays: OrderArrays
    acts: list[tuple[int, Act]] = field(default_factory=list)
    lines: list[tuple[int, str]] = field(default_factory=list)
    barks: list[tuple[int, str, str]] = field(default_factory=list)

    @classmethod
    def none(cls, count: int) -> Orders:
        """Return orders by which all agents stand."""
        return cls(
            OrderArrays(
                goal_xyz=np.zeros((count, 3)),
                going=np.zeros(count, np.uint8),
                speed=np.zeros(count),
                face=np.full(count, np.nan),
                gaze=np.full(count, np.nan),
                stance=np.zeros(count, np.uint8),
                toward=np.full(count, -1, np.int32),
            )
        )

    def halt(self, agent: int) -> None:
        """Order an agent to stop."""
        self.arrays.going[agent] = 0

    def crouch(self, agent: int) -> None:
        """Order an agent to crouch."""
        self.arrays.stance[agent] = 1

    def forget_acts(self) -> None:
        """Begin a new step: drop single acts, which were carried out or refused, and keep goals."""
        self.acts.clear()
        self.lines.clear()
        self.barks.clear()
