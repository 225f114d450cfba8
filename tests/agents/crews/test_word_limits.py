"""Numbers of words and leaves: what is out of range is refused when a tree is read, whichever word it is."""

from __future__ import annotations

import typing
from collections.abc import Iterator
from typing import Any

import pytest

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.behaviour.parameters import Parameter
from lastseen.agents.brains.leaves.registry import brain_leaves
from lastseen.agents.crews.crew_trees import crew_leaves, crew_tree
from lastseen.agents.crews.shipped.general import shipped_words

ROLE = "root: {roles: [{role: {name: a, %s}}]}"
NODE = "root: {sequence: [{%s}, {role: {name: a}}]}"


def _refusal(text: str) -> str:
    with pytest.raises(TreeFileError) as caught:
        crew_tree(parse_trees(text, source="mine.yaml"))
    return str(caught.value)


@pytest.mark.parametrize(
    ("may", "words"),
    [
        ("{is_near: -1}", "'metres' of is_near is -1: expected a number, more than 0"),
        ("{is_near: 0}", "'metres' of is_near is 0: expected a number, more than 0"),
        ("{can_reach: -0.5}", "'metres' of can_reach is -0.5"),
        ("{can_reach: 1.0e+9}", "'metres' of can_reach is 1000000000.0: expected a number, at most 1000"),
        ("{knows_target: -1}", "'within' of knows_target is -1: expected a number, at least 0"),
        ("{is_relieved: {seconds: -3}}", "'seconds' of is_relieved is -3"),
        ("{opens_fight: {shooters: 0}}", "'shooters' of opens_fight is 0"),
        ("[is_calm, {not: {is_near: -1}}]", "'metres' of is_near is -1"),
    ],
)
def test_members_are_asked_for_what_can_be(may: str, words: str) -> None:
    said = _refusal(ROLE % f"may: {may}")
    assert words in said
    assert said.startswith("mine.yaml:1")


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("target_lost: -1", "'seconds' of target_lost is -1"),
        ("target_known: -1", "'within' of target_known is -1"),
        ("lasted: -1", "'seconds' of lasted is -1"),
        ("has_members: 11", "'least' of has_members is 11: expected a whole number, at most 10"),
        ("has_members: 0", "'least' of has_members is 0"),
        ("lost_members: 0", "'least' of lost_members is 0"),
        ("was_notified: {key: x, within: -1}", "'within' of was_notified is -1"),
        ("was_attacked: -1", "'within' of was_attacked is -1"),
        ("lost_from: {role: a, within: -1}", "'within' of lost_from is -1"),
        ("gathered: {role: a, metres: 0}", "'metres' of gathered is 0"),
        ("held_for: {role: a, seconds: -1}", "'seconds' of held_for is -1"),
        ("far_target: {ratio: 0.5}", "'ratio' of far_target is 0.5: expected a number, at least 1"),
        ("far_target: {extra: -1}", "'extra' of far_target is -1"),
        ("far_target: {share: 1.5}", "'share' of far_target is 1.5: expected a number, at most 1"),
        ("go_on: {seconds: -1}", "'seconds' of go_on is -1: expected a number, more than 0"),
        ("go_on: {seconds: 0}", "'seconds' of go_on is 0"),
        ("request: {objective: x, seconds: 0}", "'seconds' of request is 0"),
        ("request: {objective: x, priority: 1.0e+9}", "'priority' of request is 1000000000.0"),
        ("spring: {seconds: -1}", "'seconds' of spring is -1"),
        ("order: {trigger: X, every: -1}", "'every' of order is -1"),
        ("mark_unreachable: {radius: 0}", "'radius' of mark_unreachable is 0"),
        ("mark_unreachable: {seconds: 0}", "'seconds' of mark_unreachable is 0"),
        ("talk_on: {seconds: 0}", "'seconds' of talk_on is 0"),
        ("talk_on: {lines: 0}", "'lines' of talk_on is 0"),
    ],
)
def test_crews_are_asked_for_what_can_be(node: str, words: str) -> None:
    assert words in _refusal(NODE % node)


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("request: {objective: x, seconds: 0}", "'seconds' of request is 0: expected a number, more than 0"),
        ("request: {objective: x, seconds: 1.0e+9}", "'seconds' of request is 1000000000.0"),
        ("request: {objective: x, priority: -1.0e+9}", "'priority' of request is -1000000000.0"),
        ("request: {objective: x, draws: -1}", "'draws' of request is -1"),
        ("request: {objective: x, wants: 1}", "'wants' of request is 1: expected a whole number, at least 2"),
        ("request: {objective: x, wants: 11}", "'wants' of request is 11: expected a whole number, at most 10"),
        ("noticed_by_crew: {key: x, within: -1}", "'within' of noticed_by_crew is -1"),
        ("take_stand: {within: 0}", "'within' of take_stand is 0"),
    ],
)
def test_members_ask_for_what_can_be(node: str, words: str) -> None:
    with pytest.raises(TreeFileError) as caught:
        build_tree(parse_trees(f"root: {{sequence: [{{{node}}}]}}"), brain_leaves())
    assert words in str(caught.value)


@pytest.mark.parametrize("weight", ["1.0e+7", "-1.0e+300"])
def test_weights_beyond_what_scores_can_tell_apart_are_refused(weight: str) -> None:
    said = _refusal(ROLE % f"prefer: {{stays: {weight}}}")
    assert "prefer gives 'stays' a weight of" in said
    assert "give -1000 to 1000" in said


def _numbers() -> Iterator[tuple[str, Parameter]]:
    words, leaves = shipped_words(), crew_leaves().leaves
    tables = (words.members, words.crews, words.places, words.values, words.agents)
    for word in [word for table in tables for word in table.values()]:
        yield from ((word.name, parameter) for parameter in word.parameters)
    for kind in leaves.values():
        yield from ((kind.name, parameter) for parameter in kind.parameters if kind.name != "role")


def _is_number(type_: Any) -> bool:
    plain = typing.get_args(type_)[0] if typing.get_origin(type_) is typing.Annotated else type_
    return plain in (int, float)


def test_every_number_of_a_ready_word_or_leaf_has_limits() -> None:
    numbers = [(name, parameter) for name, parameter in _numbers() if _is_number(parameter.type)]
    assert len(numbers) > 40
    without = [
        f"{name}: {parameter.name}"
        for name, parameter in numbers
        if typing.get_origin(parameter.type) is not typing.Annotated
    ]
    assert not without
