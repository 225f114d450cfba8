"""The words of a tree for recordings: which nodes may say something else of themselves than in the step before."""

from __future__ import annotations

from collections.abc import Iterable

from ..agents.behaviour.status import IDLE, RUNNING
from ..agents.behaviour.tree import Tree

__all__ = ["TreeWords"]


class TreeWords:
    """Follows the reasons of one tree from step to step.

    Asking all nodes that were reached costs half as much as the step itself, and hardly any of them has something new
    to say. Words change only with a status, of which observers are told, or with the reason of a node, which its tree
    keeps a list of; and with those the words of the parents.
    """

    def __init__(self, tree: Tree):
        self._nodes = tree.nodes
        self._reworded = tree.follow_reasons()
        self._is_new = True
        self._above = [-1] * len(tree)
        for node in tree.nodes:
            for child in node.children:
                self._above[child.index] = node.index

    def news(self, *, changed: bool) -> Iterable[tuple[int, str]]:
        """Return number and words of nodes that may say something else than after the tick before the last.

        `changed`: whether the last tick changed any status. Parents that go on are left out: their children say why.
        """
        if changed or self._is_new:
            self._is_new = False
            return self._said(range(len(self._nodes)))
        return self._said(self._with_parents()) if self._reworded else ()

    def _said(self, numbers: Iterable[int]) -> list[tuple[int, str]]:
        found = []
        for number in numbers:
            node = self._nodes[number]
            if node.status is not IDLE and not (node.children and node.status is RUNNING):
                found.append((number, node.why()))
        return found

    def _with_parents(self) -> list[int]:
        """Return nodes with new reasons and all above them: a parent gives the reason of a child as its own."""
        found = set()
        for number in self._reworded:
            at = number
            while at >= 0 and at not in found:
                found.add(at)
                at = self._above[at]
        return sorted(found)
