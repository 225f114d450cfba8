"""Skipping resting branches gives the same results as running them."""

from __future__ import annotations

import random
from types import SimpleNamespace

import pytest

from lastseen.agents.behaviour.leaf import Action, Condition, Leaf
from lastseen.agents.behaviour.node import LASTING, Node
from lastseen.agents.behaviour.nodes import (
    ForceFailure,
    ForceSuccess,
    Guard,
    Invert,
    ReactiveHintedSelector,
    ReactiveSelector,
    ReactiveSequence,
    Sequence,
)
from lastseen.agents.behaviour.status import FAILURE, RUNNING, SUCCESS, Status
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError

FACTS = 4
"""Facts that wake conditions while they hold; the one after them is lasting."""
LASTS = LASTING & -LASTING


class Note(Leaf):
    """A leaf that acts only while its fact holds."""

    def __init__(self, at: int, name: str):
        self.at, self.name = at, name
        self.woken_by = 2 << at

    def tick(self, mind: SimpleNamespace) -> Status:
        if mind.holds[self.at]:
            mind.done.append(self.name)
        return SUCCESS


class Quiet(Leaf):
    """A leaf that never acts."""

    woken_by = 2

    def tick(self, mind: SimpleNamespace) -> Status:
        return SUCCESS


def condition(at: int, name: str) -> Condition:
    """Return a condition with one constant result while its fact does not hold, and varying ones while it does."""

    def ask(mind: SimpleNamespace) -> tuple[bool, str]:
        mind.asked += 1
        return (mind.yes[at], f"by chance {mind.words}") if mind.holds[at] else (False, "no")

    ask.woken_by = 2 << at  # type: ignore[attr-defined]
    return Condition(ask, name=name)


def lasting(name: str) -> Condition:
    """Return a condition with one result while the lasting fact holds, and another while it does not."""

    def ask(mind: SimpleNamespace) -> tuple[bool, str]:
        mind.asked += 1
        return (True, "for long") if mind.holds[FACTS] else (False, "not yet")

    ask.woken_by = LASTS  # type: ignore[attr-defined]
    return Condition(ask, name=name)


def never_resting(name: str, *, writes: bool = False) -> Condition:
    """Return a condition that is asked at every tick; one that writes makes a fact follow its answer."""

    def ask(mind: SimpleNamespace) -> tuple[bool, str]:
        mind.asked += 1
        mind.order.append(name)
        if writes and mind.writes:
            mind.holds[3] = not mind.holds[3]
        return mind.opened[name], f"{name} {mind.words}"

    return Condition(ask, name=name, writes={"key": int} if writes else None)


def act(name: str) -> Action:
    def work(mind: SimpleNamespace) -> Status:
        mind.done.append(name)
        at = mind.breaks
        if at >= 0:
            mind.holds[at] = not mind.holds[at]  # facts may change within a tick
        return mind.does

    return Action(work, name=name)


def tree_of(selector: type[Node], *, asks: bool = False) -> Tree:
    """Return a tree; one that `asks` has conditions that never rest before, among and below its branches."""
    branches: list[Node] = [
        Guard(condition(0, "first"), act("one"), name="branch 0"),
        Guard(Invert(condition(1, "inverted")), Guard(condition(2, "second"), act("two")), name="branch 1"),
        ForceFailure(Sequence([Note(0, "note 0"), Note(3, "note 3")]), name="branch 2"),
        ReactiveSequence([condition(3, "third"), Note(1, "note 1"), act("three")], name="branch 3"),
        ReactiveSelector([Guard(condition(2, "again"), act("four")), condition(1, "last asked")], name="branch 4"),
        Guard(lasting("lasts"), ReactiveSequence([Invert(Invert(lasting("still"))), act("stay")]), name="branch 5"),
    ]
    talk = ForceSuccess(Sequence([condition(2, "meets"), act("talk")]))
    steps: list[Node] = [talk, act("walk")]
    if asks:
        steps.insert(1, Invert(never_resting("barred")))
        branches.insert(0, Guard(never_resting("called", writes=True), act("zero"), name="branch called"))
        branches.insert(3, Guard(never_resting("free"), Guard(never_resting("sent"), act("five")), name="branch free"))
    round_ = Sequence([ReactiveSequence(steps)], name="round")
    return Tree(selector([*branches, round_, Action(lambda _: RUNNING, name="stand")], name="root"))


class Unshortened:
    """Runs a whole tree at every tick."""

    def run(self, mind: object) -> bool:
        return False

    def look(self, mind: object, seen: bytearray) -> None:
        pass


class Mind(SimpleNamespace):
    @property
    def facts(self) -> int:
        return sum(LASTS if at == FACTS else 2 << at for at, holds in enumerate(self.holds) if holds)


class Restless(SimpleNamespace):
    """A mind without facts, so that everything is run at every tick."""


def make(kind: type[SimpleNamespace]) -> SimpleNamespace:
    return kind(
        holds=[False] * (FACTS + 1),
        yes=[True] * (FACTS + 1),
        does=RUNNING,
        words=0,
        breaks=-1,
        done=[],
        asked=0,
        opened=dict.fromkeys(("called", "barred", "free", "sent"), False),
        writes=False,
        order=[],
        time=0.0,
        blackboard={},
    )


@pytest.mark.parametrize("asks", [False, True])
@pytest.mark.parametrize("calm", [0.0, 0.85])
@pytest.mark.parametrize("selector", [ReactiveSelector, ReactiveHintedSelector])
def test_statuses_words_and_what_observers_hear_are_those_of_branches_that_are_run(
    selector: type[Node], calm: float, asks: bool
) -> None:
    draw = random.Random(14)
    trees, minds = tuple(tree_of(selector, asks=asks) for _ in range(2)), (make(Mind), make(Restless))
    trees[1]._shortcut = Unshortened()  # type: ignore[assignment]
    heard: tuple[list[object], list[object]] = [], []
    for tree, told in zip(trees, heard):
        tree.observe(lambda node, old, new, why, told=told: told.append((node.index, old, new, why)))
    for _ in range(3000):
        at, changes, hints = draw.randrange(FACTS + 1), draw.random(), draw.random()
        does, breaks = draw.choice((SUCCESS, FAILURE, RUNNING, RUNNING)), draw.choice((-1, -1, -1, at))
        if draw.random() < calm:  # the running leaf continues, ends, or changes the facts
            changes, hints, does, breaks = 1.0, 0.5, draw.choice((RUNNING, RUNNING, RUNNING, does)), -1
        for tree, mind in zip(trees, minds):
            if changes < 0.3:
                mind.holds[at], mind.yes[at] = changes < 0.12, changes < 0.06
            elif calm and changes < 0.9:
                mind.holds[:FACTS] = [False] * FACTS
            mind.does, mind.breaks, mind.words = does, breaks, at
            mind.writes = 0.4 < hints < 0.45
            if 0.1 < hints < 0.2:
                mind.opened[sorted(mind.opened)[at % 4]] = hints < 0.13
            if selector is ReactiveHintedSelector and hints < 0.03:
                tree.hints.send(f"branch {at}", "positive" if at % 2 else "negative", now=mind.time, seconds=2.0)
            if hints > 0.98:
                tree.interrupt(mind)
            mind.time += 0.1
        assert len({tree.tick(mind) for tree, mind in zip(trees, minds)}) == 1
        ours, theirs = trees
        assert (ours.status_bytes, ours.reasons) == (theirs.status_bytes, theirs.reasons)
        assert minds[0].holds == minds[1].holds
    assert heard[0] == heard[1]
    assert minds[0].done == minds[1].done
    assert minds[0].order == minds[1].order
    assert len(heard[0]) > 1000
    assert minds[0].asked < 0.8 * minds[1].asked


def test_the_leaf_and_conditions_that_never_rest_are_all_that_runs(monkeypatch: pytest.MonkeyPatch) -> None:
    tree, mind = tree_of(ReactiveHintedSelector, asks=True), make(Mind)
    for _ in range(3):
        tree.tick(mind)
    runs = []
    monkeypatch.setattr(type(tree.root), "run", lambda *_: runs.append(1))
    mind.order.clear()
    for _ in range(5):
        tree.tick(mind)
    assert (runs, mind.order[:3], tree.running[0].label) == ([], ["called", "free", "barred"], "walk")


def test_nothing_is_asked_while_no_fact_holds() -> None:
    tree, mind = tree_of(ReactiveHintedSelector), make(Mind)
    tree.tick(mind)
    before = mind.asked
    for _ in range(5):
        tree.tick(mind)
    assert (before > 0, mind.asked) == (True, before)
    mind.holds[0] = True
    tree.tick(mind)
    assert mind.asked == before + 1


def test_nothing_is_asked_while_a_lasting_fact_holds() -> None:
    tree, mind = tree_of(ReactiveHintedSelector), make(Mind)
    mind.holds[FACTS] = True
    for _ in range(3):
        tree.tick(mind)
    before = mind.asked
    for _ in range(5):
        tree.tick(mind)
    assert (tree.running[0].label, mind.asked) == ("stay", before)
    mind.holds[FACTS] = False
    tree.tick(mind)
    assert (tree.running[0].label, mind.asked > before) == ("walk", True)


def test_a_subclass_of_a_node_does_not_rest_by_itself() -> None:
    class Twice(Sequence):
        pass

    asked = condition(0, "asked")
    assert Sequence([asked]).can_rest()
    assert not Twice([condition(0, "asked")]).can_rest()


def test_a_subclass_with_work_of_its_own_does_not_rest_unless_it_says_so() -> None:
    class Counted(Quiet):
        def tick(self, mind: SimpleNamespace) -> Status:
            mind.done.append("counted")
            return SUCCESS

    class Renamed(Quiet):
        pass

    assert (Quiet().can_rest(), Renamed().can_rest(), Counted().can_rest()) == (True, True, False)


def test_a_condition_that_raises_is_named() -> None:
    tree, mind = tree_of(ReactiveSelector), make(Mind)
    tree.tick(mind)
    mind.holds[0], mind.yes = True, []
    with pytest.raises(BehaviourError) as raised:
        tree.tick(mind)
    assert raised.value.path == "root/branch 0/first"
    assert tree.find("branch 0").status is RUNNING


def test_reasons_that_change_without_a_status_are_followed() -> None:
    tree, mind = tree_of(ReactiveSelector), make(Mind)
    reworded = set[int]()
    tree.follow_reasons(reworded)
    tree.tick(mind)
    tree.tick(mind)
    assert reworded == set()
    mind.holds[0], mind.yes[0] = True, False
    tree.tick(mind)
    assert reworded == {tree.find("first").index}
    reworded.clear()
    tree.tick(mind)
    assert reworded == set()
