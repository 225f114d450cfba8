"""Breakpoints on nodes of agents' trees: where to pause the game."""

from __future__ import annotations

from collections.abc import Iterable

import numpy as np

from ....agents.behaviour.status import Status
from ....conventions import Array, Bools
from ..protocol.news import BreakpointHit
from .game import Game


class Breakpoints:
    """Nodes, by agent, at which to pause: when they begin to run or succeed, and did neither in the step before."""

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[int, ...]] = {}

    def set(self, agent: int, nodes: Iterable[int]) -> None:
        """Replace the breakpoints of an agent."""
        self._nodes.pop(agent, None)
        if found := tuple(sorted(set(nodes))):
            self._nodes[agent] = found

    def clear(self) -> None:
        """Remove all breakpoints."""
        self._nodes.clear()

    def before(self, game: Game) -> Array | None:
        """Return the statuses of all nodes at the step shown, to compare the next one with; None: no breakpoints."""
        return np.array(game.now()[0]["tree"]) if self._nodes else None

    def hit(self, game: Game, before: Array | None) -> BreakpointHit | None:
        """Return the first breakpoint whose node was entered since those statuses, if any."""
        if before is None:
            return None
        entered = _works(np.asarray(game.now()[0]["tree"])) & ~_works(before)
        pairs = ((agent, node) for agent, nodes in sorted(self._nodes.items()) for node in nodes)
        return next((BreakpointHit(*pair, game.shown) for pair in pairs if entered[pair]), None)


def _works(statuses: Array) -> Bools:
    return (statuses == Status.RUNNING.value) | (statuses == Status.SUCCESS.value)
