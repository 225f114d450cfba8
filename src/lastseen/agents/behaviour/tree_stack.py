"""Stacked trees: upper trees only send hints to those below (chapter 10).

Without the upper trees, those below run as written.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from ...checks import instance_of, shown
from ...errors import BehaviourError, did_you_mean
from .nodes.hinted import SendHint
from .status import Status
from .tree import Tree


def put_over(upper: Tree, below: Tree | Mapping[str, Sequence[Tree]], *, source: str = "") -> None:
    """Send the hints of one tree to those below: to one tree, or to groups of trees by name.

    `source` names the sender in the reasons of the trees below; default: the name of the upper tree.

    Raises
    ------
    BehaviourError
        A hint addresses a missing group, or a branch that no tree of its group has; `path` names the node.
    """
    upper = instance_of(upper, Tree, "upper", "give a Tree")
    groups = {"": (below,)} if isinstance(below, Tree) else {name: tuple(trees) for name, trees in below.items()}
    for trees in groups.values():
        for tree in trees:
            if instance_of(tree, Tree, "below", "give trees") is upper:
                raise BehaviourError(f"{upper.name or 'the tree'} cannot be put over itself; build a second one")
    senders = [node for node in upper.nodes if isinstance(node, SendHint)]
    for node in senders:
        _check(node, groups, upper.path(node))
    for node in senders:
        node.source = source or upper.name or "above"
        node.below = {name: tuple(tree.hints for tree in trees) for name, trees in groups.items()}


def _check(node: SendHint, groups: Mapping[str, Sequence[Tree]], path: str) -> None:
    if node.to and node.to not in groups:
        close = did_you_mean(node.to, groups)
        raise BehaviourError(f"no group {node.to!r}{close} below; there are {', '.join(groups) or 'none'}", path)
    receivers = groups[node.to] if node.to else [tree for trees in groups.values() for tree in trees]
    known = {branch for tree in receivers for branch in tree.hints.branches}
    if receivers and node.branch not in known:
        close = did_you_mean(node.branch, known)
        raise BehaviourError(
            f"no branch {node.branch!r}{close} below takes hints; there are {', '.join(sorted(known)) or 'none'}", path
        )


def take_off(upper: Tree) -> None:
    """Stop a tree from sending hints, and withdraw those it sent."""
    for node in instance_of(upper, Tree, "upper", "give a Tree").nodes:
        if isinstance(node, SendHint):
            for group in node.below.values():
                for hints in group:
                    hints.withdraw(node.source)
            node.below = {}


class TreeStack:
    """The trees of one agent, the base first; each sends hints to the one directly below it.

    Examples
    --------
    >>> from lastseen.agents.behaviour.nodes import AlwaysSuccess, HintedSelector, SendHint
    >>> base = Tree(HintedSelector([AlwaysSuccess(name="patrol"), AlwaysSuccess(name="hide")]))
    >>> stack = TreeStack(base)
    >>> stack.push(Tree(SendHint(branch="hide"), name="scared"))
    >>> stack.tick(None).name, base.reasons[0]
    ('SUCCESS', 'hide (hide first, scared)')
    """

    def __init__(self, base: Tree):
        self.trees = [instance_of(base, Tree, "base", "give a Tree")]

    def push(self, tree: Tree) -> None:
        """Put a tree on top."""
        if any(tree is other for other in self.trees):
            raise BehaviourError(f"{shown(tree)} is already in the stack; build a second one")
        put_over(tree, self.trees[-1])
        self.trees.append(tree)

    def pop(self, context: Any) -> Tree:
        """Remove and return the top tree: its running nodes end, and its hints are withdrawn."""
        if len(self.trees) == 1:
            raise BehaviourError("the base cannot be removed; a stack has at least one tree")
        tree = self.trees.pop()
        tree.interrupt(context)
        take_off(tree)
        return tree

    def tick(self, context: Any) -> Status:
        """Tick all trees, the top one first, so that hints arrive before a tree runs; return the base's status."""
        for tree in reversed(self.trees):
            status = tree.tick(context)
        return status

    def __len__(self) -> int:
        return len(self.trees)
