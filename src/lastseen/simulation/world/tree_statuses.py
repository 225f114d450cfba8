"""The trees of a world for recordings: the statuses of all nodes, and what may say something else than before."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...agents.behaviour.node import Node
from ...agents.behaviour.status import IDLE, RUNNING, Status
from ...agents.behaviour.tree import Tree
from ...conventions import Array

Text = tuple[int, int, str]
"""Row of a tree, number of a node, and what it says."""


class TreeWords:
    """Follows the nodes of trees from step to step.

    Asking all nodes that were reached costs half as much as the step itself, and hardly any of them has something new
    to say. Words change only with a status, of which observers are told, or with the reason of a node, which enters
    itself in a set; and with those the words of the parents.

    Parameters
    ----------
    trees : one for each row, or None.
    texts : receives a text at each change of a status.
    """

    def __init__(self, trees: Sequence[Tree | None], texts: list[Text]):
        self._trees = tuple(trees)
        self._statuses = status_table(trees).copy()
        self._fresh = [set(range(0 if tree is None else len(tree))) for tree in trees]
        """Numbers of the nodes of each tree whose status or reason has changed since `news` was asked."""
        self._above = [[] if tree is None else _parents(tree) for tree in trees]
        for row, (tree, fresh) in enumerate(zip(trees, self._fresh)):
            if tree is not None:
                tree.observe(_observer(row, texts, fresh))
                tree.follow_reasons(fresh)

    def statuses(self) -> Array:
        """Return the status of every node as `status_table` does; the array changes with the next call."""
        for row, fresh in enumerate(self._fresh):
            if fresh and (tree := self._trees[row]) is not None:
                self._statuses[row, : len(tree)] = tree.statuses
        return self._statuses

    def news(self) -> list[Text]:
        """Return the words of nodes that may say something else than when this was asked before.

        Parents that go on are left out: their children say why.
        """
        found: list[Text] = []
        for row, fresh in enumerate(self._fresh):
            if fresh and (tree := self._trees[row]) is not None:
                for number in _with_parents(fresh, self._above[row]):
                    node = tree.nodes[number]
                    if node.status is not IDLE and not (node.children and node.status is RUNNING):
                        found.append((row, number, node.why()))
                fresh.clear()
        return found


def status_table(trees: Sequence[Tree | None]) -> Array:
    """Return the status of every node of every tree, padded to the largest: (trees, nodes) uint8."""
    rows = [b"" if tree is None else tree.status_bytes for tree in trees]
    widest = max(map(len, rows), default=0)
    table = b"".join([row.ljust(widest, b"\0") for row in rows])
    return np.frombuffer(table, np.uint8).reshape(len(rows), widest)


def _observer(row: int, texts: list[Text], fresh: set[int]) -> Callable[[Node, Status, Status, str], None]:
    def note(node: Node, old: Status, new: Status, reason: str) -> None:  # noqa: ARG001
        texts.append((row, node.index, reason))
        fresh.add(node.index)

    return note


def _parents(tree: Tree) -> list[int]:
    """Return the number of the node above each node; -1: the root has none."""
    above = [-1] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            above[child.index] = node.index
    return above


def _with_parents(numbers: Iterable[int], above: Sequence[int]) -> list[int]:
    """Return nodes and all above them: a parent gives the reason of a child as its own."""
    found = set()
    for number in numbers:
        at = number
        while at >= 0 and at not in found:
            found.add(at)
            at = above[at]
    return sorted(found)
