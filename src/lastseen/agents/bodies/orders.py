"""Orders: what a mind wants its body to do next. Standing still is what happens without any."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal

import numpy as np

from ...kernels.arrays.agent_arrays import OrderArrays

Gait = Literal["sneak", "walk", "run"]

SPEEDS: dict[Gait, float] = {"sneak": 1.0, "walk": 1.6, "run": 4.5}
"""Metres per second of a gait. Ours: the sources give none."""

ActKind = Literal[
    "alarm",
    "catch",
    "close door",
    "hide",
    "leave",
    "leave hiding",
    "open door",
    "shoot",
    "strike",
    "throw",
    "use spot",
    "wake",
]


@dataclass(frozen=True)
class Act:
    """One thing to be done in this step: to whom or what (number of agent, door or place), or where."""

    kind: ActKind
    number: int = -1
    xyz: tuple[float, float, float] | None = None


@dataclass
class Orders:
    """All agents' orders of one step: columns for moving, lists for what happens once.

    `lines` are said as they are; `barks` are reasons to speak, for which rules find the words, with what the agent was
    up to as it had them.
    """

    arrays: OrderArrays
    acts: list[tuple[int, Act]] = field(default_factory=list)
    lines: list[tuple[int, str]] = field(default_factory=list)
    barks: list[tuple[int, str, str]] = field(default_factory=list)

    @classmethod
    def none(cls, count: int) -> Orders:
        """Everybody stands."""
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
        """Let an agent stay where it is."""
        self.arrays.going[agent] = 0

    def crouch(self, agent: int) -> None:
        """Let an agent stay low."""
        self.arrays.stance[agent] = 1

    def forget_acts(self) -> None:
        """Begin a new step: what was wanted once is done or refused; goals stay."""
        self.acts.clear()
        self.lines.clear()
        self.barks.clear()
