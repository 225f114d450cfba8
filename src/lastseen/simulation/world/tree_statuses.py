"""Trees of a world for recordings: statuses of all nodes, and reasons that may have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...agents.behaviour.node import Node
from ...agents.behaviour.status import IDLE, RUNNING, Status
from ...agents.behaviour.tree import Tree
from ...agents.brains.mind import Mind
from ...conventions import Array

Text = tuple[int, int, str]
"""Row of a tree, number of a node, and its reason."""


class TreeWords:
    """Track the reasons of nodes from step to step.

    Reading the reasons of all visited nodes would cost half as much as the step itself, and hardly any change. A reason
    changes only with a status, which observers receive, or when a node sets it, which enters the node in a set; the
    reasons of its parents change with it.

    Parameters
    ----------
    trees : one for each row, or None.
    texts : receives a text whenever a status changes.
    room : number of nodes to record of each tree, at least those of the largest, for trees that are replaced.
    """

    def __init__(self, trees: Sequence[Tree | None], texts: list[Text], room: int = 0):
        self._trees = list(trees)
        self._texts = texts
        now = status_table(trees)
        self.room = max(room, now.shape[1])
        self._statuses = np.zeros((len(now), self.room), np.uint8)
        self._statuses[:, : now.shape[1]] = now
        self._outdated: list[Text] = []
        self._fresh = [set(range(0 if tree is None else len(tree))) for tree in trees]
        """Numbers of nodes of each tree whose status or reason has changed since the last call of `news`."""
        self._live = [np.zeros(0, np.uint8) if tree is None else tree.live_statuses for tree in trees]
        self._decided = [""] * len(self._trees)
        self._above = [[] if tree is None else _parents(tree) for tree in trees]
        for row in range(len(self._trees)):
            self._follow(row)

    def _follow(self, row: int) -> None:
        if (tree := self._trees[row]) is not None:
            tree.observe(_observer(row, self._texts, self._fresh[row]))
            tree.follow_reasons(self._fresh[row])

    def replace(self, row: int, tree: Tree) -> None:
        """Follow another tree, with at most `room` nodes; reasons of the old one no longer count."""
        before = self._trees[row]
        self._outdated += [(row, number, "") for number in range(0 if before is None else len(before))]
        self._trees[row], self._fresh[row], self._above[row] = tree, set(range(len(tree))), _parents(tree)
        self._statuses[row], self._live[row] = 0, tree.live_statuses
        self._follow(row)

    def statuses(self) -> Array:
        """Return the status of every node as `status_table` does; the array changes with the next call."""
        for row, fresh in enumerate(self._fresh):
            if fresh:
                self._statuses[row, : len(self._live[row])] = self._live[row]
        return self._statuses

    def news(self) -> list[Text]:
        """Return the reasons that may have changed since the last call.

        Running parents are left out, as their children give the reason.
        """
        found, self._outdated = self._outdated, []
        for row, fresh in enumerate(self._fresh):
            if fresh and (tree := self._trees[row]) is not None:
                found += [(row, node.index, node.why()) for node in _with_parents(fresh, tree.nodes, self._above[row])]
                fresh.clear()
        return found

    def decisions(self, minds: Sequence[Mind]) -> list[Mind]:
        """Return the minds that have decided otherwise since the last call."""
        before, self._decided = self._decided, [mind.decided for mind in minds]
        if before == self._decided:
            return []
        return [mind for mind, old in zip(minds, before) if mind.decided != old]


def status_table(trees: Sequence[Tree | None]) -> Array:
    """Return the status of every node of every tree, padded to the largest: (trees, nodes) uint8."""
    rows = [b"" if tree is None else tree.status_bytes for tree in trees]
    widest = max(map(len, rows), default=0)
    table = b"".join([row.ljust(widest, b"\0") for row in rows])
    return np.frombuffer(table, np.uint8).reshape(len(rows), widest)


def _observer(row: int, texts: list[Text], fresh: set[int]) -> Callable[[Node, Status, Status, str], None]:
    def note(node: Node, old: Status, new: Status, reason: str) -> None:  # noqa: ARG001
        fresh.add(node.index)
        if new is IDLE or (new is RUNNING and node.children):  # the others are asked for news
            texts.append((row, node.index, reason))

    return note


def _parents(tree: Tree) -> list[int]:
    """Return the number of the parent of each node; -1 for the root."""
    above = [-1] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            above[child.index] = node.index
    return above


def _with_parents(numbers: Iterable[int], nodes: Sequence[Node], above: Sequence[int]) -> list[Node]:
    """Return visited nodes and their ancestors, as a parent adopts the reason of a child; not those that run."""
    found: dict[int, Node] = {}
    for number in numbers:
        at = number
        while at >= 0 and at not in found:
            node = nodes[at]
            if node.status is RUNNING:
                if not node.children:
                    found[at] = node
                break  # so do its ancestors
            if node.status is not IDLE:
                found[at] = node
            at = above[at]
    return [found[at] for at in sorted(found)] if len(found) > 1 else list(found.values())
