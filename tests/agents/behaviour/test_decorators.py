"""The truth tables of nodes with one child or none, with counting leaves and a clock."""

from __future__ import annotations

import pytest

from lastseen.agents.behaviour.nodes import (
    AlwaysFailure,
    AlwaysRunning,
    AlwaysSuccess,
    Cooldown,
    Delay,
    ForceFailure,
    ForceSuccess,
    HasKey,
    Invert,
    Repeat,
    Retry,
    RunOnce,
    Scored,
    Sequence,
    SetKey,
    SubTree,
    TimeLimit,
    UntilFailure,
    Wait,
)
from lastseen.agents.behaviour.ports import Input, Output
from lastseen.agents.behaviour.status import FAILURE, IDLE, SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError
from specimens.behaviour import Counting, Mind, ticked


@pytest.mark.parametrize(
    ("kind", "script", "answers", "counts", "parameters"),
    [
        (Invert, "RSF", "RFS", (2, 3, 2), {}),
        (ForceSuccess, "RSF", "RSS", (2, 3, 2), {}),
        (ForceFailure, "RSF", "RFF", (2, 3, 2), {}),
        (UntilFailure, "RSSF", "RRRF", (3, 4, 3), {}),
        (SubTree, "RSF", "RSF", (2, 3, 2), {"name": "sub"}),
        (Scored, "RSF", "RSF", (2, 3, 2), {"score": 1.0}),
        (RunOnce, "RFS", "RFFF", (1, 2, 1), {}),
        (Retry, "FRFS", "RRRS", (3, 4, 3), {"attempts": 3}),
        (Retry, "F", "RFRF", (4, 4, 4), {"attempts": 2}),
        (Retry, "FFFFS", "RRRRS", (5, 5, 5), {}),
        (Repeat, "SRSS", "RRRS", (3, 4, 3), {"times": 3}),
        (Repeat, "SFS", "RFRS", (4, 4, 4), {"times": 2}),
        (Repeat, "S", "RRRR", (4, 4, 4), {}),
    ],
)
def test_truth_tables_of_decorators(kind, script, answers, counts, parameters):
    leaf = Counting(script)
    assert ticked(Tree(kind(leaf, **parameters)), len(answers)) == answers
    assert leaf.counts == counts


def test_counts_begin_anew_after_an_interrupt():
    tree, mind = Tree(Repeat(Counting("S"), times=2)), Mind()
    assert ticked(tree, 1, mind) == "R"
    tree.interrupt(mind)
    assert ticked(tree, 2, mind) == "RS"


def test_a_time_limit_interrupts_at_its_time():
    leaf = Counting("R")
    tree = Tree(TimeLimit(leaf, seconds=2.0))
    assert ticked(tree, 6, step=1.0) == "RRFRRF"
    assert (leaf.counts, leaf.exits) == ((2, 4, 2), [IDLE, IDLE])
    assert ticked(Tree(TimeLimit(Counting("RS"), seconds=2.0)), 2, step=1.0) == "RS"
    assert tree.root.why() == "time is up"


def test_a_time_limit_of_nothing_never_begins_its_child():
    leaf = Counting("S")
    assert ticked(Tree(TimeLimit(leaf, seconds=0)), 1) == "F"
    assert leaf.counts == (0, 0, 0)


def test_a_delay_waits_before_each_run():
    leaf = Counting("S")
    assert ticked(Tree(Delay(leaf, seconds=2.0)), 6, step=1.0) == "RRSRRS"
    assert leaf.counts == (2, 2, 2)


def test_a_wait_succeeds_after_its_time():
    assert ticked(Tree(Wait(1.5)), 6, step=0.5) == "RRRSRR"


def test_a_cooldown_fails_until_its_time_has_passed():
    leaf = Counting("RSFS")
    assert ticked(Tree(Cooldown(leaf, seconds=2.0)), 5, step=1.0) == "RSFFS"
    assert leaf.counts == (3, 4, 3)


def test_a_cooldown_after_any_end_and_a_reset():
    tree, mind = Tree(Cooldown(Counting("F"), seconds=9.0, after="end")), Mind()
    assert ticked(tree, 3, mind, step=1.0) == "FFF"
    assert tree.find("F").counts == (1, 1, 1)
    assert tree.root.why() == "not before 9 s"
    tree.reset(mind)
    tree.tick(mind)
    assert tree.find("F").counts == (2, 2, 2)


def test_an_interrupted_child_starts_no_cooldown():
    tree, mind = Tree(Cooldown(Counting("RS"), seconds=9.0, after="end")), Mind()
    tree.tick(mind)
    tree.interrupt(mind)
    assert ticked(tree, 2, mind) == "SF"


def test_times_may_come_from_keys():
    tree, mind = Tree(Wait(Input(key="pause")), outside={"pause": float}), Mind()
    mind.blackboard["pause"] = 1.0
    assert ticked(tree, 3, mind, step=0.5) == "RRS"
    mind.blackboard["pause"] = -1.0
    with pytest.raises(BehaviourError, match=r"key 'pause' holds -1\.0"):
        tree.tick(mind)


@pytest.mark.parametrize("seconds", [-1.0, float("nan"), float("inf"), "1", True, None])
@pytest.mark.parametrize("kind", [TimeLimit, Delay, Cooldown])
def test_times_that_are_none_are_refused(kind, seconds):
    with pytest.raises(BehaviourError, match="give a finite number"):
        Tree(kind(Counting(), seconds=seconds))


@pytest.mark.parametrize(
    "make",
    [
        lambda: Retry(Counting(), attempts=0),
        lambda: Repeat(Counting(), times=-2),
        lambda: Cooldown(Counting(), seconds=1.0, after="never"),
        lambda: Wait(-1.0),
        lambda: Invert("not a node"),
    ],
)
def test_parameters_out_of_range_are_refused(make):
    with pytest.raises(BehaviourError):
        Tree(make())


def test_keys_are_set_and_looked_for():
    tree = Tree(Sequence([SetKey(Output("goal"), 3.0), HasKey(Input(key="goal")), AlwaysSuccess()]))
    mind = Mind()
    assert tree.tick(mind) is SUCCESS
    assert mind.blackboard == {"goal": 3.0}
    tree = Tree(HasKey(Input(key="goal")), outside={"goal": float})
    assert tree.tick(Mind(blackboard={"goal": None})) is FAILURE
    assert tree.tick(Mind()) is FAILURE


def test_answers_that_never_change():
    assert [ticked(Tree(kind()), 2) for kind in (AlwaysSuccess, AlwaysFailure, AlwaysRunning)] == ["SS", "FF", "RR"]
