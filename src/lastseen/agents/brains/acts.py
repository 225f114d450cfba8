"""Results of acts: hiding places in use, powers, decoys, and agents that hold others."""

from __future__ import annotations

import math
from dataclasses import dataclass, field

from ...conventions import Array
from ..bodies.orders import Act

BLINK_REACH = 8.0
"""Metres that a blink reaches."""


@dataclass(frozen=True)
class Decoy:
    """A decoy: its place, and the time in seconds at which it vanishes."""

    xyz: tuple[float, float, float]
    until: float


@dataclass(frozen=True)
class Possession:
    """An agent that another has control of, and the time in seconds at which that ends."""

    host: int
    until: float


@dataclass(kw_only=True)
class Acts:
    """Results of acts. Written by `act`.

    Attributes
    ----------
    hidden_in : (n,) int32, number of the hiding place an agent is in; -1: none.
    powers : by agent, the powers it has; empty: none has any.
    rested : by power and agent, the time in seconds from which it can be used again.
    decoys : by agent, the decoy that watchers see instead of it.
    jumped : by agent, the time in seconds at which it was last moved from one place to another at once.
    stopper : the agent for which alone time goes on; -1: it goes on for all.
    stop_steps, stood_still : steps for which time still stands still, and those for which it has done so far.
    possessed : by agent, the agent that it has control of.
    dazed : by agent that was possessed, the time in seconds at which it comes to.
    woken : agents that come to in the next step.
    alarms : by agent, what it last raised the alarm about.
    wants_alarm : by agent that is about to raise it, the time in seconds at which it does, and what about.
    outside : acts of agents moved from outside. An inbox: inputs append, `act` empties it.
    """

    hidden_in: Array
    outside: list[tuple[int, Act]] = field(default_factory=list)
    powers: tuple[tuple[str, ...], ...] = ()
    rested: dict[tuple[str, int], float] = field(default_factory=dict)
    decoys: dict[int, Decoy] = field(default_factory=dict)
    jumped: dict[int, float] = field(default_factory=dict)
    stopper: int = -1
    stop_steps: int = 0
    stood_still: int = 0
    possessed: dict[int, Possession] = field(default_factory=dict)
    dazed: dict[int, float] = field(default_factory=dict)
    woken: list[int] = field(default_factory=list)
    alarms: dict[int, tuple[str, int]] = field(default_factory=dict)
    wants_alarm: dict[int, tuple[float, tuple[str, int]]] = field(default_factory=dict)

    @property
    def suspended(self) -> list[int]:
        """Agents whose own mind does nothing: possessed ones, and those that have not come to yet."""
        if not self.possessed and not self.dazed:
            return []
        return [*(one.host for one in self.possessed.values()), *self.dazed]

    def body_of(self, agent: int) -> int:
        """Return the agent whose body an agent moves: its own, or one that it possesses."""
        return self.possessed[agent].host if agent in self.possessed else agent

    def can_use(self, agent: int, power: str, now: float) -> bool:
        """Return whether an agent has a power and need not wait for it."""
        has = bool(self.powers) and power in self.powers[agent]
        return has and now >= self.rested.get((power, agent), -math.inf)
