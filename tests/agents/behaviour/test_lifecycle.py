"""Every node is entered, ticked and exited as often as its docstring says."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.behaviour.leaf import Action, Condition, Leaf
from lastseen.agents.behaviour.nodes import (
    Cooldown,
    Delay,
    ForceFailure,
    ForceSuccess,
    Guard,
    IfThenElse,
    Invert,
    Parallel,
    ParallelAll,
    ReactiveSelector,
    ReactiveSequence,
    ReactiveUtilitySelector,
    Repeat,
    Retry,
    RunOnce,
    Scored,
    Selector,
    Sequence,
    SequenceWithMemory,
    SubTree,
    TimeLimit,
    UntilFailure,
    UtilitySelector,
    WhileDoElse,
)
from lastseen.agents.behaviour.status import FAILURE, IDLE, RUNNING, SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError
from specimens.behaviour import Counting, Mind, ticked


def test_a_leaf_is_entered_once_ticked_while_it_runs_and_exited_with_its_status():
    leaf = Counting("RRS")
    assert ticked(Tree(leaf), 3) == "RRS"
    assert leaf.counts == (1, 3, 1)
    assert leaf.exits == [SUCCESS]


def test_an_interrupted_leaf_is_exited_with_idle_and_entered_again():
    leaf, mind = Counting("R"), Mind()
    tree = Tree(Sequence([Counting("S"), leaf]))
    tree.tick(mind)
    tree.interrupt(mind)
    assert (leaf.counts, leaf.exits, tree.status) == ((1, 1, 1), [IDLE], IDLE)
    tree.interrupt(mind)
    assert leaf.counts == (1, 1, 1)
    tree.tick(mind)
    assert leaf.counts == (2, 2, 1)


def test_statuses_tell_what_was_reached_in_the_last_tick():
    tree = Tree(Selector([Sequence([Counting("SF"), Counting("F")]), Counting("R")]))
    mind = Mind()
    tree.tick(mind)
    assert tree.statuses.tolist() == [RUNNING, FAILURE, SUCCESS, FAILURE, RUNNING]
    tree.tick(mind)
    assert tree.statuses.tolist() == [RUNNING, IDLE, IDLE, IDLE, RUNNING]
    assert tree.statuses.dtype == np.uint8
    with pytest.raises(ValueError, match="read-only"):
        tree.statuses[0] = 1


def test_observers_get_every_change_with_its_reason():
    tree = Tree(
        Selector([Sequence([Counting("S", name="look"), Counting("F", name="shoot")], name="fight")], name="do")
    )
    told: list[tuple[str, str, str, str]] = []
    stop = tree.observe(lambda node, old, new, why: told.append((node.label, str(old), str(new), why)))
    mind = Mind()
    tree.tick(mind)
    assert told == [
        ("look", "idle", "success", "said S"),
        ("shoot", "idle", "failure", "said F"),
        ("fight", "idle", "failure", "shoot: said F"),
        ("do", "idle", "failure", "fight: shoot: said F"),
    ]
    told.clear()
    tree.tick(mind)
    assert told == []
    stop()
    tree.reset(mind)
    assert told == []


def test_observers_are_told_of_interruption_and_of_what_is_no_longer_reached():
    first, last = Counting("FR", name="first"), Counting("R", name="last")
    tree = Tree(ReactiveSelector([first, last]))
    told: list[tuple[str, str, str]] = []
    mind = Mind()
    tree.tick(mind)
    tree.observe(lambda node, old, new, why: told.append((node.label, str(new), why)))
    tree.tick(mind)
    assert told == [("first", "running", "said R"), ("last", "idle", "interrupted")]
    told.clear()
    tree.interrupt(mind)
    assert told == [("first", "idle", "interrupted"), ("reactive_selector", "idle", "interrupted")]


def test_a_node_that_raises_is_named_by_its_path_and_the_tree_waits_for_a_reset():
    mind = Mind()
    tree = Tree(Sequence([Repeat(Counting("!", name="aim"), times=2)], name="root"))
    with pytest.raises(BehaviourError, match=r"root/repeat/aim: raised RuntimeError: out of order") as caught:
        tree.tick(mind)
    assert caught.value.path == "root/repeat/aim"
    assert isinstance(caught.value.__cause__, RuntimeError)
    with pytest.raises(BehaviourError, match="reset it first"):
        tree.tick(mind)
    tree.reset(mind)
    assert tree.statuses.tolist() == [IDLE, IDLE, IDLE]
    assert tree.find("aim").counts == (1, 1, 1)


def test_a_sibling_that_runs_is_exited_by_the_reset_after_an_error():
    beside, mind = Counting("R"), Mind()
    tree = Tree(Parallel([beside, Counting("R!")], name="root"))
    tree.tick(mind)
    with pytest.raises(BehaviourError):
        tree.tick(mind)
    tree.reset(mind)
    assert beside.counts == (1, 2, 1)


def test_functions_are_leaves_with_reasons():
    tree = Tree(
        Sequence(
            [
                Condition(lambda mind: (mind.time < 1.0, f"it is {mind.time:g}"), name="early"),
                Action(lambda mind, pace: (RUNNING, f"at {pace}"), {"pace": 2}, name="walk"),
            ]
        )
    )
    mind = Mind()
    assert tree.tick(mind) is RUNNING
    assert tree.reasons == ("walk: at 2", "it is 0", "at 2")
    assert [node.label for node in tree.running] == ["walk"]


@pytest.mark.parametrize("answer", [None, 1, "yes", IDLE, (True, 3), (True,)])
@pytest.mark.parametrize("form", [Action, Condition])
def test_an_answer_that_is_none_is_an_error(form, answer):
    with pytest.raises(BehaviourError, match=r"^odd: .*return"):
        Tree(form(lambda mind: answer, name="odd")).tick(Mind())


def test_answers_of_numpy_are_conditions_too():
    assert Tree(Condition(lambda mind: np.float64(1.0) > 0.0)).tick(Mind()) is SUCCESS
    assert Tree(Condition(lambda mind: FAILURE)).tick(Mind()) is FAILURE
    assert Tree(Action(lambda mind: True)).tick(Mind()) is SUCCESS
    assert Tree(Action(lambda mind: False)).tick(Mind()) is FAILURE


def test_a_leaf_without_a_tick_says_so():
    class Lazy(Leaf):
        pass

    with pytest.raises(BehaviourError, match="Lazy has no tick"):
        Tree(Lazy()).tick(Mind())


def test_a_leaf_may_be_a_dataclass():
    @dataclass
    class Walk(Leaf):
        pace: float = 1.0

        def tick(self, context):
            return SUCCESS if self.pace > 1.0 else 1 / 0

    tree = Tree(Sequence([Walk(2.0), Walk(2.0), Walk()]))
    assert tree.path(tree.nodes[2]) == "sequence/Walk#2"
    with pytest.raises(BehaviourError, match="sequence/Walk#3: raised ZeroDivisionError"):
        tree.tick(Mind())


def test_an_observer_may_leave_while_it_is_told():
    tree, told = Tree(Sequence([Counting("S"), Counting("S")])), []

    def once(node, old, new, why):
        told.append(node.label)
        leave()

    leave = tree.observe(once)
    tree.observe(lambda node, old, new, why: told.append(f"{node.label} too"))
    tree.tick(Mind())
    leave()
    assert told == ["S", "S too", "S too", "sequence too"]


def test_a_node_stands_in_one_place_of_one_tree():
    leaf = Counting("S")
    with pytest.raises(BehaviourError, match="twice"):
        Tree(Sequence([leaf, leaf]))
    Tree(leaf)
    with pytest.raises(BehaviourError, match="is already part of a tree"):
        Tree(leaf)


def test_a_tree_may_not_be_too_deep_or_too_large():
    node = Counting("S")
    for _ in range(100):
        node = Invert(node)
    with pytest.raises(BehaviourError, match="too large"):
        Tree(node)
    with pytest.raises(BehaviourError, match="too large"):
        Tree(Sequence([Counting("S") for _ in range(10_000)]))


def test_nodes_are_found_by_name():
    tree = Tree(Sequence([Counting("S", name="look"), Counting("S", name="shoot")]))
    assert tree.find("shoot") is tree.nodes[2]
    with pytest.raises(BehaviourError, match=r"no node 'shot' \(did you mean 'shoot'\?\)"):
        tree.find("shot")
    with pytest.raises(BehaviourError, match="the root is 3"):
        Tree(3)


def test_equal_siblings_have_numbered_paths():
    leaves = [Counting("S", name="a"), Counting("S", name="a")]
    tree = Tree(Sequence(leaves, name="r"))
    assert [tree.path(node) for node in tree.nodes] == ["r", "r/a", "r/a#2"]


SCRIPTS = st.text("SFR", min_size=1, max_size=6)
LEAVES = SCRIPTS.map(Counting)


def _grown(children):
    several = st.lists(children, min_size=1, max_size=3)
    scored = st.lists(st.tuples(children, st.sampled_from([0.0, 1.0, 2.0])), min_size=1, max_size=3).map(
        lambda pairs: [Scored(child, score=score) for child, score in pairs]
    )
    three = st.lists(children, min_size=2, max_size=3)
    return st.one_of(
        several.flatmap(
            lambda nodes: st.sampled_from(
                [Sequence, ReactiveSequence, SequenceWithMemory, Selector, ReactiveSelector, Parallel, ParallelAll]
            ).map(lambda kind: kind(nodes))
        ),
        three.flatmap(lambda nodes: st.sampled_from([IfThenElse, WhileDoElse]).map(lambda kind: kind(nodes))),
        st.tuples(children, children).map(lambda pair: Guard(*pair)),
        children.flatmap(
            lambda node: st.sampled_from(
                [
                    lambda: Invert(node),
                    lambda: ForceSuccess(node),
                    lambda: ForceFailure(node),
                    lambda: UntilFailure(node),
                    lambda: Retry(node, attempts=2),
                    lambda: Repeat(node, times=2),
                    lambda: RunOnce(node),
                    lambda: SubTree(node, name="sub"),
                    lambda: TimeLimit(node, seconds=2.0),
                    lambda: Delay(node, seconds=1.0),
                    lambda: Cooldown(node, seconds=2.0, after="end"),
                ]
            ).map(lambda make: make())
        ),
        scored.flatmap(
            lambda nodes: st.sampled_from([UtilitySelector, ReactiveUtilitySelector]).map(lambda kind: kind(nodes))
        ),
    )


@given(st.recursive(LEAVES, _grown, max_leaves=8), st.integers(1, 8), st.integers(0, 8))
def test_in_any_tree_entries_and_exits_pair_up_and_nobody_runs_under_one_who_does_not(root, ticks, stop):
    tree, mind = Tree(root), Mind()
    seen = dict.fromkeys(tree.nodes, IDLE)

    def follow(node, old, new, reason):
        assert seen[node] is old
        assert new is not old
        seen[node] = new

    tree.observe(follow)
    for number in range(ticks):
        tree.tick(mind)
        mind.time += 1.0
        assert tree.statuses.tolist() == [node.status for node in tree.nodes]
        for node in tree.nodes:
            assert seen[node] is node.status
            for child in node.children:
                assert child.status is not RUNNING or node.status is RUNNING
            if isinstance(node, Counting):
                assert node.entries - len(node.exits) == (node.status is RUNNING)
                assert node.ticks >= node.entries
        if number == stop:
            tree.interrupt(mind)
            assert not tree.statuses.any()
    tree.reset(mind)
    assert all(leaf.entries == len(leaf.exits) for leaf in tree.nodes if isinstance(leaf, Counting))
