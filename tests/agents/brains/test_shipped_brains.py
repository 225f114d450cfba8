"""Shipped brains can be built, copied and found by name."""

from __future__ import annotations

import pytest

from lastseen.agents.behaviour.files.build import build_tree
from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees, read_trees
from lastseen.agents.brains.leaves.registry import BLACKBOARD, brain_leaves
from lastseen.agents.brains.leaves.speech import Be
from lastseen.agents.brains.relations import TEAMS
from lastseen.agents.brains.shipped_brains import BRAINS, brain_text, place_query, shipped_brain
from lastseen.errors import BehaviourError, InputError


@pytest.mark.parametrize("name", BRAINS)
def test_a_brain_builds_and_a_copy_of_its_file_is_the_same_tree(name, tmp_path):
    copy = tmp_path / "mine.yaml"
    copy.write_text(brain_text(name), encoding="utf-8")
    mine = build_tree(read_trees(copy), brain_leaves())
    assert mine.as_text(live=False) == build_tree(shipped_brain(name), brain_leaves()).as_text(live=False)
    assert BRAINS[name] in TEAMS


def test_every_leaf_says_what_it_does_and_keys_have_the_types_of_their_start():
    registry = brain_leaves()
    assert all(kind.summary for kind in registry.leaves.values())
    assert {key: type(value) for key, value in BLACKBOARD.items()} == {key: registry.keys[key] for key in BLACKBOARD}


def test_a_state_nobody_can_be_in_is_refused_when_the_tree_is_built():
    text = "trees:\n  odd:\n    sequence:\n      - stand_still\n      - be: {state: serch}\n"
    words = r"text:5: .*be: 'state' of be is 'serch' \(did you mean 'search'\?\); give 'patrol', .* or 'down'"
    with pytest.raises(TreeFileError, match=words):
        build_tree(parse_trees(text), brain_leaves())
    with pytest.raises(BehaviourError, match=r"'nonsense'; give 'patrol', 'suspicious'"):
        Be(state="nonsense")  # type: ignore[arg-type]


def test_places_to_flee_to_are_queries():
    for name in ("refuge", "escape"):
        assert place_query(name).criteria


def test_an_unknown_brain_is_named_with_a_close_one():
    with pytest.raises(InputError, match="did you mean 'guard'"):
        shipped_brain("gaurd")
