"""Guards that a reactive selector passes over are as if each had been entered."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from lastseen.agents.behaviour.leaf import Action, Condition
from lastseen.agents.behaviour.node import Node
from lastseen.agents.behaviour.nodes import Guard, ReactiveHintedSelector, ReactiveSelector
from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError

NO, NOT_AT_ALL, YES = (False, "no"), (False, "not at all"), (True, "yes")
"""Constant answers, as those of functions that return a literal; others are made again at each tick."""


class Entered(Guard):
    """A guard that selectors do not know as one, so they enter it at every tick."""


def tree_of(kind: type[Guard], selector: type[Node]) -> Tree:
    def ask(at: int):
        return lambda mind: mind.answers[at]

    branches = [
        kind(
            Condition(ask(at), name=f"condition {at}"), Action(lambda mind: mind.does, name="act"), name=f"branch {at}"
        )
        for at in range(4)
    ]
    return Tree(selector([*branches, Action(lambda _: RUNNING, name="last")], name="root"))


def answer(draw: random.Random) -> tuple[bool, str]:
    chosen = draw.choice((NO, NO, NO, NO, NOT_AT_ALL, YES, None))
    return (draw.random() < 0.2, f"by chance {draw.randrange(3)}") if chosen is None else chosen


@pytest.mark.parametrize("selector", [ReactiveSelector, ReactiveHintedSelector])
def test_statuses_words_and_what_observers_hear_are_those_of_guards_that_are_entered(selector: type[Node]) -> None:
    draw = random.Random(14)
    trees = tree_of(Guard, selector), tree_of(Entered, selector)
    heard: tuple[list[object], list[object]] = [], []
    for tree, told in zip(trees, heard):
        tree.observe(lambda node, old, new, why, told=told: told.append((node.index, old, new, why)))
    mind = SimpleNamespace(answers=[NO] * 4, does=SUCCESS, time=0.0, blackboard={})
    for _ in range(600):
        at = draw.randrange(4)
        mind.answers[at], mind.does = answer(draw), draw.choice((SUCCESS, FAILURE, RUNNING))
        if selector is ReactiveHintedSelector and draw.random() < 0.05:
            for tree in trees:
                tree.hints.send(f"branch {at}", "positive" if at % 2 else "negative", now=mind.time, seconds=2.0)
        if draw.random() < 0.05:
            for tree in trees:
                tree.interrupt(mind)
        assert len({tree.tick(mind) for tree in trees}) == 1
        ours, theirs = trees
        assert (ours.status_bytes, ours.reasons) == (theirs.status_bytes, theirs.reasons)
        mind.time += 0.1
    assert heard[0] == heard[1]
    assert len(heard[0]) > 500


def test_a_condition_that_raises_is_named() -> None:
    tree = tree_of(Guard, ReactiveSelector)
    mind = SimpleNamespace(answers=[NO] * 4, does=SUCCESS, time=0.0, blackboard={})
    tree.tick(mind)
    mind.answers = mind.answers[:2]
    with pytest.raises(BehaviourError) as raised:
        tree.tick(mind)
    assert raised.value.path == "root/branch 2/condition 2"
    assert tree.find("branch 2").status is RUNNING


def test_reasons_that_change_without_a_status_are_followed() -> None:
    tree = tree_of(Guard, ReactiveSelector)
    reworded = tree.follow_reasons()
    mind = SimpleNamespace(answers=[NO] * 4, does=SUCCESS, time=0.0, blackboard={})
    tree.tick(mind)
    tree.tick(mind)
    assert reworded == []
    mind.answers[1] = NOT_AT_ALL
    tree.tick(mind)
    assert reworded == [tree.find("condition 1").index]
    tree.tick(mind)
    assert reworded == []
