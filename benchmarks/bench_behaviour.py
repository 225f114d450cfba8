"""Behaviour trees: the tick of a guard's tree against the same tree in py_trees."""

from __future__ import annotations

import importlib.util
from collections.abc import Iterator
from typing import Any

from lastseen.agents.behaviour.leaf import Action, Condition
from lastseen.agents.behaviour.node import Node
from lastseen.agents.behaviour.nodes import ReactiveSelector, ReactiveSequence
from lastseen.agents.behaviour.status import RUNNING
from lastseen.agents.behaviour.tree import Tree

from .harness import Comparison

TICKS = 100
"""Ticks a call, so that a call is long against the clock."""


class Mind:
    """Which of the ten branches may run: another one every few ticks, so that branches begin and are interrupted."""

    time = 0.0
    turn = 0

    def __init__(self) -> None:
        self.blackboard: dict[str, Any] = {}


def comparisons() -> Iterator[Comparison | str]:
    if importlib.util.find_spec("py_trees") is None:
        yield "py_trees is not installed: make bench-peers"
    else:
        yield _against_py_trees("tick of 43 nodes, every condition asked", turning=False)
        yield _against_py_trees("tick of 43 nodes, branches taking over", turning=True)


def _against_py_trees(name: str, *, turning: bool) -> Comparison:
    ours, theirs, mind = _our_tree(), _their_tree(), Mind()
    assert len(ours) == sum(1 for _ in theirs[0].iterate()) == 43

    def tick_ours(number: int) -> None:
        for turn in range(TICKS):
            mind.turn = (number + turn) // 3 % 20 if turning else 99
            ours.tick(mind)

    def tick_theirs(number: int) -> None:
        for turn in range(TICKS):
            theirs[1].turn = (number + turn) // 3 % 20 if turning else 99
            theirs[0].tick_once()

    return Comparison(name, tick_ours, tick_theirs, 0.2, "py_trees", items=TICKS, peer_items=TICKS)


def _our_tree() -> Tree:
    branches: list[Node] = [
        ReactiveSequence(
            [
                Condition(lambda _: True, name="awake"),
                Condition(lambda mind, at=at: mind.turn == at, name="called"),
                Action(lambda _: RUNNING, name="act"),
            ],
            name=f"branch {at}",
        )
        for at in range(10)
    ]
    return Tree(ReactiveSelector([*branches, Action(lambda _: RUNNING, name="patrol"), Action(lambda _: True)]))


def _their_tree() -> tuple[Any, Mind]:
    import py_trees
    from py_trees.behaviour import Behaviour
    from py_trees.common import Status

    mind = Mind()

    class Awake(Behaviour):  # type: ignore[misc]
        def update(self) -> Status:
            return Status.SUCCESS

    class Called(Behaviour):  # type: ignore[misc]
        at = 0

        def update(self) -> Status:
            return Status.SUCCESS if mind.turn == self.at else Status.FAILURE

    class Act(Behaviour):  # type: ignore[misc]
        def update(self) -> Status:
            return Status.RUNNING

    root = py_trees.composites.Selector("root", memory=False)
    for at in range(10):
        branch = py_trees.composites.Sequence(f"branch {at}", memory=False)
        called = Called("called")
        called.at = at
        branch.add_children([Awake("awake"), called, Act("act")])
        root.add_child(branch)
    root.add_children([Act("patrol"), Awake("done")])
    return root, mind
