"""Trees of a world for recordings: statuses of all nodes, and reasons that may have changed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence

import numpy as np

from ...agents.behaviour.node import Node
from ...agents.behaviour.status import IDLE, RUNNING, Status
from ...agents.behaviour.tree import Tree
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
    """

    def __init__(self, trees: Sequence[Tree | None], texts: list[Text]):
        self._trees = tuple(trees)
        self._statuses = status_table(trees).copy()
        self._fresh = [set(range(0 if tree is None else len(tree))) for tree in trees]
        """Numbers of nodes of each tree whose status or reason has changed since the last call of `news`."""
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
        """Return the reasons that may have changed since the last call.

        Running parents are left out, as their children give the reason.
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
    """Return the number of the parent of each node; -1 for the root."""
    above = [-1] * len(tree)
    for node in tree.nodes:
        for child in node.children:
            above[child.index] = node.index
    return above


def _with_parents(numbers: Iterable[int], above: Sequence[int]) -> list[int]:
    """Return nodes and all their ancestors, as a parent adopts the reason of a child."""
    found = set()
    for number in numbers:
        at = number
        while at >= 0 and at not in found:
            found.add(at)
            at = above[at]
    return sorted(found)
