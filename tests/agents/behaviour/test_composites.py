"""The truth tables of nodes with several children, with counting leaves."""

from __future__ import annotations

import pytest

from lastseen.agents.behaviour.leaf import Condition
from lastseen.agents.behaviour.nodes import (
    Guard,
    IfThenElse,
    Parallel,
    ParallelAll,
    ReactiveSelector,
    ReactiveSequence,
    ReactiveUtilitySelector,
    Scored,
    Selector,
    Sequence,
    SequenceWithMemory,
    Switch,
    UtilitySelector,
    WhileDoElse,
)
from lastseen.agents.behaviour.ports import Input
from lastseen.agents.behaviour.status import FAILURE, IDLE, SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError
from specimens.behaviour import Counting, Mind, ticked


def played(kind, scripts, ticks, **parameters):
    """Return the statuses of a node over scripted leaves, and (entries, ticks, exits) of each leaf."""
    leaves = [Counting(script) for script in scripts]
    answers = ticked(Tree(kind(leaves, **parameters)), ticks)
    return answers, [leaf.counts for leaf in leaves]


@pytest.mark.parametrize(
    ("kind", "scripts", "answers", "counts"),
    [
        (Sequence, ["S", "RS", "S"], "RS", [(1, 1, 1), (1, 2, 1), (1, 1, 1)]),
        (Sequence, ["S", "RF", "S"], "RF", [(1, 1, 1), (1, 2, 1), (0, 0, 0)]),
        (Sequence, ["S", "FS"], "FS", [(2, 2, 2), (2, 2, 2)]),
        (ReactiveSequence, ["S", "RS", "S"], "RS", [(2, 2, 2), (1, 2, 1), (1, 1, 1)]),
        (ReactiveSequence, ["SF", "R"], "RF", [(2, 2, 2), (1, 1, 1)]),
        (ReactiveSequence, ["SR", "R"], "RR", [(2, 2, 1), (1, 1, 1)]),
        (SequenceWithMemory, ["S", "FS", "S"], "FSS", [(2, 2, 2), (3, 3, 3), (2, 2, 2)]),
        (SequenceWithMemory, ["S", "RFS"], "RFS", [(1, 1, 1), (2, 3, 2)]),
        (Selector, ["F", "RS", "F"], "RS", [(1, 1, 1), (1, 2, 1), (0, 0, 0)]),
        (Selector, ["F", "F"], "FF", [(2, 2, 2), (2, 2, 2)]),
        (Selector, ["F", "RF", "S"], "RS", [(1, 1, 1), (1, 2, 1), (1, 1, 1)]),
        (ReactiveSelector, ["F", "RS"], "RS", [(2, 2, 2), (1, 2, 1)]),
        (ReactiveSelector, ["F", "RF"], "RF", [(2, 2, 2), (1, 2, 1)]),
        (ReactiveSelector, ["FS", "R"], "RS", [(2, 2, 2), (1, 1, 1)]),
        (ReactiveSelector, ["FRF", "R"], "RRR", [(2, 3, 2), (2, 2, 1)]),
        (IfThenElse, ["S", "RS", "S"], "RS", [(1, 1, 1), (1, 2, 1), (0, 0, 0)]),
        (IfThenElse, ["F", "S", "RF"], "RF", [(1, 1, 1), (0, 0, 0), (1, 2, 1)]),
        (IfThenElse, ["RF", "S"], "RF", [(1, 2, 1), (0, 0, 0)]),
        (WhileDoElse, ["SF", "R", "RS"], "RRS", [(3, 3, 3), (1, 1, 1), (1, 2, 1)]),
        (WhileDoElse, ["SF", "R"], "RF", [(2, 2, 2), (1, 1, 1)]),
        (WhileDoElse, ["RS", "S"], "RS", [(1, 2, 1), (1, 1, 1)]),
        (ParallelAll, ["RS", "F"], "RF", [(1, 2, 1), (1, 1, 1)]),
        (ParallelAll, ["RRS", "S"], "RRS", [(1, 3, 1), (1, 1, 1)]),
        (Parallel, ["RS", "S"], "RS", [(1, 2, 1), (1, 1, 1)]),
        (Parallel, ["R", "RF", "R"], "RF", [(1, 2, 1), (1, 2, 1), (1, 1, 1)]),
    ],
)
def test_truth_tables(kind, scripts, answers, counts):
    assert played(kind, scripts, len(answers)) == (answers, counts)


@pytest.mark.parametrize(
    ("scripts", "successes", "failures", "answers"),
    [
        (["R", "S", "R"], 1, 3, "S"),
        (["R", "F", "S"], 2, 3, "RR"),
        (["R", "F", "F"], 2, 3, "F"),
        (["F", "F", "S"], 1, -1, "S"),
        (["F", "F", "F"], 1, -1, "F"),
        (["S", "RS", "F"], -2, -1, "RS"),
    ],
)
def test_parallel_waits_for_its_counts(scripts, successes, failures, answers):
    assert played(Parallel, scripts, len(answers), successes=successes, failures=failures)[0] == answers


def test_parallel_all_fails_at_its_number_of_failures():
    assert played(ParallelAll, ["F", "S", "S"], 1, failures=2)[0] == "S"
    assert played(ParallelAll, ["F", "F", "S"], 1, failures=2)[0] == "F"
    assert played(ParallelAll, ["F", "F", "S"], 1, failures=-1)[0] == "S"


@pytest.mark.parametrize(
    "make",
    [
        lambda leaves: Parallel(leaves, successes=4),
        lambda leaves: Parallel(leaves, failures=0),
        lambda leaves: Parallel(leaves, successes=-4),
        lambda leaves: ParallelAll(leaves, failures=4),
        lambda leaves: Sequence([]),
        lambda leaves: IfThenElse(leaves[:1]),
        lambda leaves: WhileDoElse([*leaves, Counting()]),
        lambda leaves: UtilitySelector(leaves),
        lambda leaves: ReactiveUtilitySelector(leaves),
        lambda leaves: ReactiveUtilitySelector([Scored(leaves[0], score=1.0)], margin=-1.0),
        lambda leaves: UtilitySelector([Scored(leaves[0], score=float("nan"))]),
        lambda leaves: Switch(leaves, on=Input(1), cases=["1"]),
        lambda leaves: Switch(leaves, on=Input(1), cases=["1", 1]),
        lambda leaves: Guard(*leaves[:2], otherwise="maybe"),
    ],
)
def test_nodes_that_cannot_work_are_refused_when_the_tree_is_built(make):
    with pytest.raises(BehaviourError):
        Tree(make([Counting(), Counting(), Counting()]))


def test_an_interrupted_sequence_with_memory_goes_on_and_a_reset_one_begins_anew():
    leaves, mind = [Counting("S"), Counting("R")], Mind()
    tree = Tree(SequenceWithMemory(leaves))
    tree.tick(mind)
    tree.interrupt(mind)
    tree.tick(mind)
    assert [leaf.entries for leaf in leaves] == [1, 2]
    tree.reset(mind)
    tree.tick(mind)
    assert [leaf.entries for leaf in leaves] == [2, 3]


def test_what_takes_over_is_ticked_before_the_other_is_exited():
    mind = Mind()
    tree = Tree(ReactiveSelector([Counting("FR", name="high"), Counting("R", name="low")]))
    tree.tick(mind)
    mind.log.clear()
    tree.tick(mind)
    assert mind.log == ["+high", "high", "-low"]


def test_a_guard_asks_before_every_tick_and_interrupts():
    condition, child = Counting("SSF"), Counting("R")
    assert ticked(Tree(Guard(condition, child)), 3) == "RRF"
    assert (condition.counts, child.counts, child.exits) == ((3, 3, 3), (1, 2, 1), [IDLE])
    assert ticked(Tree(Guard(Counting("SF"), Counting("R"), otherwise="success")), 2) == "RS"
    assert ticked(Tree(Guard(Counting("SR"), Counting("R"))), 2) == "RR"
    assert ticked(Tree(Guard(Counting("S"), Counting("SF"))), 2) == "SF"


def test_a_guard_tells_what_decided():
    mind = Mind()
    tree = Tree(Guard(Condition(lambda m: (m.time < 1, "late"), name="early"), Counting("R", name="work")))
    tree.tick(mind)
    assert tree.root.why() == "work: said R"
    mind.time = 2.0
    tree.tick(mind)
    assert tree.root.why() == "early: late"


def test_a_switch_follows_its_key():
    leaves = [Counting("R", name="a"), Counting("R", name="b"), Counting("R", name="rest")]
    tree, mind = Tree(Switch(leaves, on=Input(key="mode"), cases=["calm", 2]), start={"mode": "calm"}), Mind()
    for mode in ("calm", "calm", 2, "2", SUCCESS, "odd"):
        mind.blackboard["mode"] = mode
        tree.tick(mind)
    assert [leaf.counts for leaf in leaves] == [(1, 2, 1), (1, 2, 1), (1, 2, 0)]
    assert mind.log[-4:] == ["-b", "+rest", "rest", "rest"]


def utility(kind, scores, scripts, **parameters):
    leaves = [Counting(script, name=str(at)) for at, script in enumerate(scripts)]
    mind = Mind()
    children = [Scored(leaf, score=lambda m, at=at: m.blackboard["scores"][at]) for at, leaf in enumerate(leaves)]
    mind.blackboard["scores"] = list(scores)
    return Tree(kind(children, **parameters)), mind, leaves


def test_the_highest_score_is_tried_first_then_the_next():
    for kind in (UtilitySelector, ReactiveUtilitySelector):
        tree, mind, _ = utility(kind, [1.0, 3.0, 2.0, 0.0], "SFSS")
        assert tree.tick(mind) is SUCCESS
        assert [word for word in mind.log if word.isdigit()] == ["1", "2"]
        tree, mind, _ = utility(kind, [2.0, 2.0, -1.0], "FFS")
        assert tree.tick(mind) is FAILURE
        assert [word for word in mind.log if word.isdigit()] == ["0", "1"]
        tree, mind, _ = utility(kind, [0.0], "S")
        assert tree.tick(mind) is FAILURE
        assert tree.root.why() == "no score above 0"


def test_a_utility_selector_stays_with_what_runs_and_a_reactive_one_does_not():
    tree, mind, leaves = utility(UtilitySelector, [1.0, 2.0], "RR")
    tree.tick(mind)
    mind.blackboard["scores"] = [3.0, 2.0]
    tree.tick(mind)
    assert [leaf.counts for leaf in leaves] == [(0, 0, 0), (1, 2, 0)]
    tree, mind, leaves = utility(ReactiveUtilitySelector, [1.0, 2.0], "RR")
    tree.tick(mind)
    mind.blackboard["scores"] = [3.0, 2.0]
    tree.tick(mind)
    assert [leaf.counts for leaf in leaves] == [(1, 1, 0), (1, 1, 1)]
    mind.blackboard["scores"] = [0.0, 0.0]
    assert tree.tick(mind) is FAILURE
    assert leaves[0].exits == [IDLE]


def test_a_margin_keeps_two_close_scores_from_wavering():
    tree, mind, _ = utility(ReactiveUtilitySelector, [1.0, 1.1], "RR", margin=0.5)
    for scores in ([1.0, 1.1], [1.3, 1.1], [1.6, 1.1], [1.7, 1.1], [1.7, 2.1], [1.6, 2.2]):
        mind.blackboard["scores"] = scores
        tree.tick(mind)
    assert mind.log == ["+1", "1", "1", "1", "+0", "0", "-1", "0", "+1", "1", "-0"]


def test_a_score_that_is_no_number_is_an_error():
    tree, mind, _ = utility(UtilitySelector, ["much"], "S")
    with pytest.raises(BehaviourError, match="score of scored is 'much'"):
        tree.tick(mind)
