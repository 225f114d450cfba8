"""Hints reorder a tree and open branches; without them it runs as written (chapter 10)."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.behaviour.files.schema import tree_schema
from lastseen.agents.behaviour.files.write import as_yaml
from lastseen.agents.behaviour.hints import Hints
from lastseen.agents.behaviour.leaf import Condition
from lastseen.agents.behaviour.nodes import (
    AlwaysFailure,
    AlwaysSuccess,
    Guard,
    HintedSelector,
    IsHinted,
    ReactiveHintedSelector,
    ReactiveSelector,
    ReactiveSequence,
    Selector,
    SendHint,
    Sequence,
)
from lastseen.agents.behaviour.registry import Registry
from lastseen.agents.behaviour.status import FAILURE, IDLE, SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.agents.behaviour.tree_stack import TreeStack, put_over, take_off
from lastseen.errors import BehaviourError
from specimens.behaviour import Counting, Mind, ticked

KINDS = {"plain": (Selector, HintedSelector), "reactive": (ReactiveSelector, ReactiveHintedSelector)}


def tried(tree: Tree) -> str:
    """Return the names of the leaves in the order in which they are tried when all fail."""
    mind = Mind()
    tree.tick(mind)
    return "".join(name for name in mind.log if not name.startswith(("+", "-")))


@pytest.mark.parametrize("kind", [HintedSelector, ReactiveHintedSelector])
def test_10_5_1_and_2_positive_first_negative_last_each_as_written_neutral_restores(kind):
    tree = Tree(kind([Counting("F", name=name) for name in "ABCDE"]))
    for branch, type_ in (("E", "positive"), ("D", "positive"), ("A", "negative")):
        tree.hints.send(branch, type_)
    assert tried(tree) == "DEBCA"
    for branch in "DEA":
        tree.hints.send(branch, "neutral")
    assert tried(tree) == "ABCDE"


def soldier(*, hint_condition: bool) -> Tree:
    """Build the simple soldier of the chapter: take cover when hurt, attack, else idle."""
    hurt = Condition(lambda mind: mind.blackboard["health"] < 0.3, name="low health")
    may = Selector([hurt, IsHinted(branch="cover")]) if hint_condition else hurt
    return Tree(
        ReactiveHintedSelector(
            [
                Guard(may, Counting("R", name="hides"), name="cover"),
                Counting("R", name="attack"),
                Counting("R", name="idle"),
            ]
        )
    )


@pytest.mark.parametrize(("hint_condition", "does"), [(False, ["attack"]), (True, ["hides"])])
def test_10_5_3_a_hint_opens_a_branch_only_through_a_hint_condition(hint_condition, does):
    tree = soldier(hint_condition=hint_condition)
    tree.hints.send("cover", "positive")
    tree.tick(Mind(blackboard={"health": 1.0}))
    assert [node.label for node in tree.running] == does


@given(st.lists(st.tuples(st.sampled_from(["cover", "attack", "idle"]), st.floats(0.0, 1.0)), min_size=1, max_size=12))
def test_10_5_4_pushed_and_popped_the_base_chooses_as_one_that_never_was_hinted(steps):
    alone, hinted = soldier(hint_condition=True), soldier(hint_condition=True)
    stack, mind = TreeStack(hinted), Mind(blackboard={"health": 1.0})
    for branch, health in steps:
        mind.blackboard["health"] = health
        stack.push(Tree(SendHint(branch=branch, type="negative"), name="above"))
        stack.tick(mind)
        stack.pop(mind)
        alone.tick(mind)
        stack.tick(mind)
        assert hinted.statuses.tolist() == alone.statuses.tolist()


def test_10_5_5_the_top_tree_runs_first_and_hints_at_the_one_right_below_in_the_same_update():
    base = Tree(HintedSelector([Counting("S", name="a"), Counting("S", name="b")]), name="base")
    middle = Tree(HintedSelector([Counting("S", name="b"), Counting("S", name="c")]), name="middle")
    top = Tree(Sequence([Counting("S", name="top"), SendHint(branch="c")]), name="top")
    stack, mind = TreeStack(base), Mind()
    stack.push(middle)
    stack.push(top)
    stack.tick(mind)
    assert [name for name in mind.log if name.isalpha()] == ["top", "c", "a"]


def disguise() -> Tree:
    """Build the upper tree of the chapter, corrected: an attacked agent withdraws the hint in the same tick."""
    return Tree(
        Selector(
            [
                Sequence(
                    [
                        Condition(lambda mind: mind.blackboard["attacked"], name="under attack"),
                        SendHint(branch="patrol", type="neutral"),
                    ]
                ),
                Sequence(
                    [
                        Condition(lambda mind: mind.blackboard["disguised"], name="in disguise"),
                        SendHint(branch="patrol"),
                    ]
                ),
                SendHint(branch="patrol", type="neutral"),
            ]
        ),
        name="disguise",
    )


def test_10_5_6_a_disguise_makes_guards_patrol_until_they_are_attacked():
    calm = Selector([Condition(lambda mind: not mind.blackboard["sees"], name="no enemy"), IsHinted(branch="patrol")])
    base = Tree(
        ReactiveHintedSelector(
            [
                ReactiveSequence([calm, Counting("R", name="walks")], name="patrol"),
                Counting("R", name="attacks"),
            ]
        )
    )
    stack, mind = TreeStack(base), Mind(blackboard={"attacked": False, "disguised": False, "sees": True})
    stack.push(disguise())
    done = []
    for attacked, disguised in ((False, False), (False, True), (False, True), (True, True)):
        mind.blackboard |= {"attacked": attacked, "disguised": disguised}
        stack.tick(mind)
        done.append(base.running[0].label)
    assert done == ["attacks", "walks", "walks", "attacks"]


def test_10_5_7_a_hinter_succeeds_at_once_also_with_nobody_below():
    assert ticked(Tree(SendHint(branch="patrol")), 2) == "SS"


def test_10_5_8_groups_get_hints_of_their_own():
    def member() -> Tree:
        return Tree(HintedSelector([Counting("F", name="hold"), Counting("F", name="attack")]))

    archers, warriors = [member() for _ in range(3)], [member() for _ in range(2)]
    orders = [SendHint(branch="attack", to="archers"), SendHint(branch="attack", type="negative", to="warriors")]
    general = Tree(Sequence(orders), name="general")
    put_over(general, {"archers": archers, "warriors": warriors})
    general.tick(Mind())
    assert [tried(tree) for tree in archers] == ["attackhold"] * 3
    assert [tried(tree) for tree in warriors] == ["holdattack"] * 2
    take_off(general)
    assert [tried(tree) for tree in archers] == ["holdattack"] * 3


scripts = st.lists(st.text("SFR", min_size=1, max_size=5), min_size=1, max_size=5)


@pytest.mark.parametrize("pair", KINDS.values(), ids=KINDS)
@given(scripts=scripts, ticks=st.integers(1, 12), asks=st.booleans())
def test_without_hints_a_tree_runs_exactly_as_written(pair, scripts, ticks, asks):
    logs, statuses, reasons = [], [], []
    for kind in pair:
        leaves = [Counting(script, name=f"{at}") for at, script in enumerate(scripts)]
        if asks and kind is pair[1]:
            children = [*leaves[:-1], Selector([IsHinted(branch="0"), leaves[-1]], name="last")]
        elif asks:
            children = [*leaves[:-1], Selector([AlwaysFailure(), leaves[-1]], name="last")]
        else:
            children = leaves
        tree, mind, kept = Tree(kind(children, name="top")), Mind(), []
        for _ in range(ticks):
            tree.tick(mind)
            kept.append(tree.statuses.tolist())
        logs.append(mind.log)
        statuses.append(kept)
        reasons.append(tree.reasons[0])
    assert (logs[0], statuses[0], reasons[0]) == (logs[1], statuses[1], reasons[1])


def test_what_runs_is_interrupted_when_a_hint_lets_another_take_over():
    first, last = Counting("R", name="first"), Counting("R", name="last")
    tree, mind = Tree(HintedSelector([first, last])), Mind()
    tree.tick(mind)
    tree.hints.send("last", "positive", source="crew 1", reason="you flank")
    tree.tick(mind)
    assert (first.exits, last.entries) == ([IDLE], 1)
    assert tree.reasons[0] == "last: said R (last first, crew 1: you flank)"
    tree.hints.send("first", "positive")
    tree.tick(mind)
    assert (first.entries, last.exits) == (2, [IDLE])


def test_what_runs_goes_on_when_a_hint_leaves_it_in_front():
    first, last = Counting("R", name="first"), Counting("R", name="last")
    tree, mind = Tree(HintedSelector([first, last])), Mind()
    tree.tick(mind)
    tree.hints.send("last", "negative")
    tree.tick(mind)
    assert (first.counts, last.counts) == ((1, 2, 0), (0, 0, 0))


@pytest.mark.parametrize("kind", [HintedSelector, ReactiveHintedSelector])
def test_avoided_never_shuts_a_branch_also_one_that_runs(kind):
    only, other = Counting("R", name="only"), Counting("F", name="other")
    tree, mind = Tree(kind([only, other], avoided="never")), Mind()
    tree.tick(mind)
    tree.hints.send("only", "negative", source="crew 1")
    assert tree.tick(mind) is FAILURE
    assert only.exits == [IDLE]
    assert "only never, crew 1" in tree.reasons[0]


def test_hints_expire_and_the_one_below_holds_again():
    hints = Hints(["a"])
    hints.send("a", "negative", source="weather")
    hints.send("a", "positive", source="crew 1", now=2.0, seconds=3.0)
    assert hints.of("a").source == "crew 1"
    hints.expire(4.9)
    assert hints.of("a").type == "positive"
    hints.expire(5.0)
    assert (hints.of("a").type, hints.of("a").source) == ("negative", "weather")
    hints.withdraw("weather")
    assert hints.of("a") is None
    assert not len(hints)


def test_a_hint_expires_by_the_time_of_the_context():
    tree, mind = Tree(HintedSelector([Counting("F", name="a"), Counting("F", name="b")])), Mind()
    tree.hints.send("b", "positive", seconds=1.0)
    tree.tick(mind)
    mind.time = 1.0
    mind.log.clear()
    tree.tick(mind)
    assert [name for name in mind.log if name in "ab"] == ["a", "b"]
    assert "first" not in tree.reasons[0]


def test_a_condition_on_a_hint_fails_from_the_second_at_which_the_hint_expires():
    tree, mind = Tree(Sequence([IsHinted(branch="b"), Counting("S", name="b")])), Mind()
    tree.hints.send("b", "positive", now=0.0, seconds=1.0)
    for mind.time, status in ((0.9, SUCCESS), (1.0, FAILURE)):
        assert tree.tick(mind) is status


def test_who_says_the_same_again_keeps_its_place_and_changes_nothing():
    hints = Hints(["a"])
    hints.send("a", "positive", source="crew 1")
    hints.send("a", "negative", source="script")
    before = hints.changes
    hints.send("a", "positive", source="crew 1")
    assert (hints.of("a").source, hints.changes) == ("script", before)


def test_replace_lets_a_source_say_this_and_nothing_else():
    hints = Hints(["a", "b"])
    hints.replace("crew 1", {"a": "positive", "elsewhere": "negative"}, reason="ambush")
    hints.replace("crew 1", {"b": "negative"})
    assert (hints.of("a"), hints.of("b").type) == (None, "negative")


def test_reset_forgets_hints():
    tree = Tree(HintedSelector([AlwaysSuccess(name="a"), AlwaysSuccess(name="b")]))
    tree.hints.send("b", "positive")
    tree.reset(Mind())
    tree.tick(Mind())
    assert tree.find("a").status is SUCCESS


@pytest.mark.parametrize(
    ("make", "words"),
    [
        (lambda: Tree(HintedSelector([AlwaysSuccess(), AlwaysSuccess()])), "several branches 'always_success'"),
        (lambda: Tree(HintedSelector([AlwaysSuccess()], avoided="often")), "'often'; give one of last, never"),
        (lambda: Tree(IsHinted(branch="a", type="maybe")), "positive, negative, neutral"),
        (lambda: Tree(SendHint(branch="")), "names no branch"),
        (lambda: Tree(SendHint(branch="a", seconds=-1.0)), "at least 0"),
        (lambda: Hints(["patrol"]).send("patroll", "positive"), "did you mean 'patrol'"),
        (lambda: Hints(["patrol"]).send("patrol", "positiv"), "did you mean 'positive'"),
        (lambda: TreeStack(Tree(AlwaysSuccess())).pop(None), "the base cannot be removed"),
        (lambda: TreeStack(soldier(hint_condition=False)).push(Tree(SendHint(branch="atack"))), "mean 'attack'"),
        (lambda: put_over(Tree(SendHint(branch="a", to="bowmen")), {"archers": []}), "no group 'bowmen'"),
        (lambda: _twice(), "already in the stack"),
    ],
)
def test_what_cannot_be_is_told(make, words):
    with pytest.raises(BehaviourError, match=words.replace("(", r"\(")):
        make()


def _twice() -> None:
    tree = Tree(AlwaysSuccess())
    TreeStack(tree).push(tree)


TEXT = """
trees:
  guard:
    reactive_hinted_selector:
      avoided: never
      children:
        - sequence: {name: fight, children: [{is_hinted: {branch: fight}}, always_success]}
        - wait: {name: idle, seconds: 1}
  general:
    send_hint: {branch: fight, seconds: 2}
"""


def test_files_have_them_and_write_them_again():
    file = parse_trees(TEXT)
    base, general = build_tree(file, Registry()), build_tree(file, Registry(), "general")
    put_over(general, base)
    mind = Mind()
    general.tick(mind)
    assert base.tick(mind) is SUCCESS
    assert parse_trees(as_yaml(file)).trees.keys() == file.trees.keys()
    assert as_yaml(parse_trees(as_yaml(file))) == as_yaml(file)
    named = tree_schema(Registry())["$defs"]["node"]["anyOf"][1]["properties"]
    assert {"hinted_selector", "reactive_hinted_selector", "is_hinted", "send_hint"} <= named.keys()


def test_xml_names_them_as_other_nodes_of_ours():
    file = parse_trees(
        """<root BTCPP_format="4"><BehaviorTree ID="guard"><ReactiveHintedSelector avoided="never">
        <Sequence name="fight"><IsHinted branch="fight"/><AlwaysSuccess/></Sequence><AlwaysSuccess name="idle"/>
        </ReactiveHintedSelector></BehaviorTree></root>""",
        "xml",
    )
    tree = build_tree(file, Registry())
    assert tree.hints.branches == {"fight", "idle"}
    assert tree.tick(Mind()) is SUCCESS
