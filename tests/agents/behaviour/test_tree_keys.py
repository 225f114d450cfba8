"""Keys and ports: checked when a tree is built, renamed by subtrees, read and written when it runs."""

from __future__ import annotations

from typing import Any, ClassVar, Literal

import pytest

from lastseen.agents.behaviour.keys import fits
from lastseen.agents.behaviour.leaf import Action, Condition, Leaf
from lastseen.agents.behaviour.nodes import Sequence, SetKey, SubTree, Switch, Wait
from lastseen.agents.behaviour.ports import Input, Output
from lastseen.agents.behaviour.status import SUCCESS
from lastseen.agents.behaviour.tree import Tree
from lastseen.errors import BehaviourError
from specimens.behaviour import Counting, Mind


class Put(Leaf):
    """Writes a value to a port."""

    def __init__(self, goal: Output[float], value: Any = 1.0):
        self.goal, self.value = Output(goal.key, type=type(value)), value

    def tick(self, context):
        self.goal.write(context, self.value)
        return SUCCESS


class Take(Leaf):
    """Reads a value from a port and logs it."""

    def __init__(self, goal: Input[float], wanted: Any = float):
        self.goal = Input(key=goal.key, type=wanted)

    def tick(self, context):
        context.log.append(self.goal.read(context))
        return SUCCESS


def test_what_is_written_is_read():
    mind = Mind()
    tree = Tree(Sequence([Put(Output("goal"), 2.0), Take(Input(key="goal"))]))
    assert tree.tick(mind) is SUCCESS
    assert mind.log == [2.0]
    assert tree.keys == {"goal": float}


def test_ports_are_found_however_a_node_keeps_its_attributes():
    put, take = Put(Output("goal"), 2.0), Take(Input(key="goal"))
    vars(put)["more"] = "a table of attributes of its own"
    take.__dict__ = dict(vars(take))
    assert [list(node.ports()) for node in (put, take)] == [["goal"], ["goal"]]
    assert Tree(Sequence([put, take])).keys == {"goal": float}


def test_a_key_nobody_writes_is_refused_with_its_place_and_a_close_name():
    with pytest.raises(BehaviourError, match=r"sequence/Take: reads key 'gaol', .*did you mean 'goal'") as caught:
        Tree(Sequence([Put(Output("goal")), Take(Input(key="gaol"))]))
    assert caught.value.path == "sequence/Take"


@pytest.mark.parametrize(
    ("written", "wanted"), [("text", float), (True, int), (1.5, int), (None, float), (3, str), (3, Literal["a"])]
)
def test_a_key_of_another_type_is_refused(written, wanted):
    with pytest.raises(BehaviourError, match="but sequence/Put writes"):
        Tree(Sequence([Put(Output("goal"), written), Take(Input(key="goal"), wanted)]))


def test_two_writers_of_unlike_types_are_refused():
    with pytest.raises(BehaviourError, match=r"writes int to key 'goal', but .* writes str"):
        Tree(Sequence([Put(Output("goal"), 3), Put(Output("goal"), "three")]))


def test_keys_may_come_from_outside_or_have_a_start():
    tree = Tree(Take(Input(key="goal")), outside={"goal": int})
    assert tree.tick(Mind(blackboard={"goal": 3})) is SUCCESS
    tree = Tree(Take(Input(key="goal")), start={"goal": 4.0})
    mind = Mind(blackboard=tree.blackboard())
    tree.tick(mind)
    assert mind.log == [4.0]
    with pytest.raises(BehaviourError, match="as float, but the agent writes str"):
        Tree(Take(Input(key="goal")), outside={"goal": str})


def test_a_key_read_before_it_is_written_is_an_error_that_names_it():
    tree = Tree(Sequence([Take(Input(key="goal")), Put(Output("goal"))]))
    with pytest.raises(BehaviourError, match="sequence/Take: nothing has been written to key 'goal' yet"):
        tree.tick(Mind())


def test_keys_nodes_name_themselves_are_checked_too():
    class Looks(Counting):
        reads: ClassVar = {"target": int}

    with pytest.raises(BehaviourError, match="reads key 'target', which is never written; there are no keys"):
        Tree(Looks())
    Tree(Looks(), outside={"target": int})
    Tree(Sequence([Action(lambda mind: True, writes={"target": int}), Looks()]))
    with pytest.raises(BehaviourError, match="as int, but sequence/see writes str"):
        Tree(Sequence([Action(lambda mind: True, name="see", writes={"target": str}), Looks()]))
    with pytest.raises(BehaviourError, match="light"):
        Tree(Condition(lambda mind: True, name="dark", reads={"light": float}))


def test_subtrees_have_keys_of_their_own():
    mind = Mind()

    def part(value):
        return SubTree(Sequence([Put(Output("goal"), value), Take(Input(key="goal"))]), name="part")

    tree = Tree(Sequence([part(1.0), part(2.0)]))
    tree.tick(mind)
    assert mind.log == [1.0, 2.0]
    assert mind.blackboard == {"sequence/part/goal": 1.0, "sequence/part#2/goal": 2.0}
    with pytest.raises(BehaviourError, match="'goal', which is never written"):
        Tree(Sequence([part(1.0), Take(Input(key="goal"))]))


def test_ports_join_a_key_inside_to_one_outside_through_several_trees():
    mind = Mind()
    inmost = SubTree(Take(Input(key="c")), name="inmost", ports={"c": Input(key="b")})
    inner = SubTree(inmost, name="inner", ports={"b": Input(key="a")})
    Tree(Sequence([Put(Output("a"), 7.0), inner])).tick(mind)
    assert mind.log == [7.0]
    assert mind.blackboard == {"a": 7.0}


def test_a_port_may_hold_a_value():
    tree = Tree(SubTree(Take(Input(key="goal")), name="sub", ports={"goal": 5.0}))
    mind = Mind(blackboard=tree.blackboard())
    tree.tick(mind)
    assert mind.log == [5.0]
    with pytest.raises(BehaviourError, match="as float, but the agent writes str"):
        Tree(SubTree(Take(Input(key="goal")), name="sub", ports={"goal": "far"}))


def test_a_shared_subtree_uses_the_keys_around_it():
    mind = Mind()
    Tree(Sequence([Put(Output("goal"), 3.0), SubTree(Take(Input(key="goal")), name="sub", share=True)])).tick(mind)
    assert mind.log == [3.0]


def test_a_port_that_is_not_used_is_told_and_refused_where_a_key_is_missing():
    assert Tree(SubTree(Counting(), name="sub", ports={"gaol": 1.0})).unused_ports == (
        ("sub", "port 'gaol' is not used in sub"),
    )
    with pytest.raises(BehaviourError, match="port 'gaol' is not used in sub"):
        Tree(SubTree(Take(Input(key="goal")), name="sub", ports={"gaol": 1.0}))


def test_a_port_that_belongs_to_the_agent_is_refused():
    with pytest.raises(BehaviourError, match="a key of the agent"):
        Tree(SubTree(Take(Input(key="goal")), name="sub", ports={"goal": 1.0}), outside={"goal": float})


def test_parameters_of_functions_and_nodes_follow_keys():
    mind = Mind()
    walk = Action(lambda m, pace, place: m.log.append((pace, place)) or True, {"pace": 2, "place": Input(key="goal")})
    inside = Sequence(
        [walk, Wait(Input(key="pause")), Switch([Counting(), Counting()], on=Input(key="mode"), cases=[1])]
    )
    ports = {"goal": Input(key="noise"), "pause": 0.0, "mode": 1}
    tree = Tree(Sequence([SetKey(Output("noise"), "door"), SubTree(inside, name="sub", ports=ports)]))
    mind.blackboard = tree.blackboard()
    assert tree.tick(mind) is SUCCESS
    assert mind.log[0] == (2, "door")


@pytest.mark.parametrize(
    ("given", "wanted", "answer"),
    [
        (int, float, True),
        (float, int, False),
        (bool, int, False),
        (bool, bool, True),
        (str, Any, True),
        (Any, str, True),
        (int, int | None, True),
        (int | None, int, False),
        (int | bool, int | bool | str, True),
        (Literal["a"], str, True),
        (Literal[1], str, False),
        (list[int], list[float], True),
        (list[str], list[float], False),
        (list[int], list, True),
        (tuple[float, float], tuple[float, float, float], False),
        (KeyError, LookupError, True),
        (LookupError, KeyError, False),
        (dict, list, False),
        (int, object, True),
    ],
)
def test_which_types_fit(given, wanted, answer):
    assert fits(given, wanted) is answer
