"""Breakpoints on nodes of agents' trees: where to pause the game, also after a tree was edited."""

from __future__ import annotations

from collections import defaultdict, deque
from collections.abc import Iterable, Iterator, Sequence

import numpy as np

from ....agents.behaviour.status import Status
from ....conventions import Array, Bools
from ..protocol.news import BreakpointHit, BreakpointsMoved
from .game import Game

_STEM = "│├└─ "


class Breakpoints:
    """Nodes, by agent, at which to pause: when they begin to run or succeed, and did neither in the step before."""

    def __init__(self) -> None:
        self._nodes: dict[int, tuple[int, ...]] = {}
        self._lines: dict[int, list[str]] = {}

    def set(self, agent: int, nodes: Iterable[int], lines: list[str]) -> None:
        """Replace the breakpoints of an agent, whose tree has these lines."""
        self._nodes.pop(agent, None)
        if found := tuple(sorted(set(nodes))):
            self._nodes[agent], self._lines[agent] = found, lines

    def clear(self) -> None:
        """Remove all breakpoints."""
        self._nodes.clear()

    def follow(self, game: Game) -> Iterator[BreakpointsMoved]:
        """Move breakpoints to the same nodes of trees that replaced others; yield those that moved."""
        for agent, nodes in list(self._nodes.items()):
            before, lines = self._lines[agent], game.tree_lines(agent)
            if lines != before:
                same = matching_nodes(before, lines)
                self.set(agent, [same[node] for node in nodes if node in same], lines)
                yield BreakpointsMoved(agent, list(self._nodes.get(agent, ())), lines)

    def before(self, game: Game) -> Array | None:
        """Return the statuses of all nodes at the step shown, to compare the next one with; None: no breakpoints."""
        if not self._nodes:
            return None
        found = np.array(game.now()[0]["tree"])
        edits = () if game.world is None or not game.is_at_end() else game.world.edits.values()
        for agent in (agent for edit in edits for agent in edit.trees):
            found[agent] = 0  # its new tree starts from the beginning
        return found

    def hit(self, game: Game, before: Array | None) -> BreakpointHit | None:
        """Return the first breakpoint whose node was entered since those statuses, if any."""
        if before is None:
            return None
        entered = _works(np.asarray(game.now()[0]["tree"])) & ~_works(before)
        pairs = ((agent, node) for agent, nodes in sorted(self._nodes.items()) for node in nodes)
        return next(
            (
                BreakpointHit(agent, node, game.shown, self._lines[agent][node].lstrip(_STEM))
                for agent, node in pairs
                if entered[agent, node]
            ),
            None,
        )


def _works(statuses: Array) -> Bools:
    return (statuses == Status.RUNNING.value) | (statuses == Status.SUCCESS.value)


def matching_nodes(before: Sequence[str], after: Sequence[str]) -> dict[int, int]:
    """Return which node of a tree is which of another, both given by their lines.

    Nodes at the same path come first, then equal branches elsewhere, then nodes with the same words.
    """
    found: dict[int, int] = {}
    for names in (_paths, _branches, _words):
        free: defaultdict[str, deque[int]] = defaultdict(deque)
        for number, name in enumerate(names(after)):
            if number not in found.values():
                free[name].append(number)
        for number, name in enumerate(names(before)):
            if number not in found and free[name]:
                found[number] = free[name].popleft()
    return found


def _words(lines: Sequence[str]) -> list[str]:
    return [line.lstrip(_STEM) for line in lines]


def _depth(line: str) -> int:
    return len(line) - len(line.lstrip(_STEM))


def _paths(lines: Sequence[str]) -> list[str]:
    above: list[tuple[int, str]] = []
    found = []
    for line, words in zip(lines, _words(lines)):
        while above and above[-1][0] >= _depth(line):
            above.pop()
        above.append((_depth(line), words))
        found.append("/".join(name for _, name in above))
    return found


def _branches(lines: Sequence[str]) -> list[str]:
    """Return the text of the branch below each node."""
    depths, words = [_depth(line) for line in lines], _words(lines)
    found = []
    for first, depth in enumerate(depths):
        last = next((at for at in range(first + 1, len(lines)) if depths[at] <= depth), len(lines))
        found.append("\n".join(f"{depths[at] - depth} {words[at]}" for at in range(first, last)))
    return found
