"""Trees of crews in files: what is read, and what is refused with its line."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.agents.behaviour.files.definition import TreeFileError
from lastseen.agents.behaviour.files.read import parse_trees
from lastseen.agents.behaviour.files.schema import tree_schema
from lastseen.agents.crews.crew_trees import (
    crew_leaves,
    crew_tree,
    crew_tree_text,
    leaves_with,
    roles_of,
    shipped_crew_trees,
    shipped_crews,
)
from lastseen.agents.crews.roles.vocabulary import RoleWords
from lastseen.agents.crews.shipped.general import shipped_words
from lastseen.errors import BehaviourError, InputError
from lastseen.views.cli.trees.tree_commands import command

TREE = """trees:
  fight:
    roles:
      - role:
          name: melee
{}
"""


def _role(*lines: str) -> str:
    return TREE.format("\n".join(f"          {line}" for line in lines))


def test_a_role_is_read_with_all_it_says() -> None:
    text = _role(
        "least: 1",
        "most: 3",
        "may: [sees_target, {can_reach: {metres: 20}}, {not: is_leader}]",
        "prefer: {near_place: 1.0, stays: 0.5}",
        "places: {slots: {around: target, radius: 1.5}}",
        "directions: {stand: place, face: target, gait: run, attack: true, follow: leader, say: ORDER}",
        "until: {any: [target_lost, {lasted: 20}]}",
    )
    (role,) = roles_of(crew_tree(parse_trees(text)))
    assert (role.label, role.needs, role.takes) == ("melee", 1, 3)
    assert [word.name for word in role.may.words()] == ["sees_target", "can_reach", "is_leader"]
    assert role.may.parts[1].parameters == {"metres": 20.0}
    assert [(word.name, weight) for word, weight in role.prefer] == [("near_place", 1.0), ("stays", 0.5)]
    assert set(role.directions) == {"stand", "face", "gait", "attack", "follow", "say"}
    assert role.until is not None
    assert role.until.form == "any"


@pytest.mark.parametrize(
    ("line", "words"),
    [
        ("least: 3\n          most: 2", "least is 3 and most is 2"),
        ("most: 11", "most <= 10"),
        ("may: [sees_targett]", "did you mean 'sees_target'"),
        ("may: [{can_reach: {meters: 3}}]", "has no parameter 'meters'"),
        ("may: [is_leader, {not: is_leader}]", "nobody can take this role"),
        (
            "may: [is_leader, {all: [{not: is_leader}, is_calm]}]",
            "'may' can never hold for one member (is_leader, is_calm)",
        ),
        ("may: [is_leader, {not: {any: [is_leader, is_calm]}}]", "nobody can take this role"),
        ("may: [has_melee, has_ranged]", "nobody can take this role"),
        ("may: [{has_role: melee}, {has_role: other}]", "nobody can take this role"),
        ("least: 2\n          may: [is_calm, is_leader]", "least is 2, but is_leader holds for at most 1 member"),
        ("least: 2\n          may: {any: [is_leader, is_leader]}", "is_leader holds for at most 1 member"),
        ("least: 2\n          may: {not: {not: is_leader}}", "is_leader holds for at most 1 member"),
        (
            "least: 2\n          may: {any: [[is_leader, is_calm], {not: {any: [{not: is_leader}, is_calm]}}]}",
            "is_leader holds for at most 1",
        ),
        ("may: [{is_near: 5}, {not: {is_near: 10}}]", "'may' can never hold for one member (is_near)"),
        ("may: [is_near, {not: {is_near: 15}}]", "nobody can take this role"),
        ("may: [{can_reach: 5}, {not: {can_reach: 5.5}}]", "nobody can take this role"),
        ("may: [{knows_target: 5}, {not: {knows_target: 6}}]", "nobody can take this role"),
        ("may: {any: []}", "'any' is []; give a list"),
        ("may: 7", "is not a condition"),
        ("prefer: {near_plaice: 1}", "did you mean 'near_place'"),
        ("prefer: {near_place: far}", "prefer"),
        ("places: {slots: {radius: 2}, exits: {}}", "has 2 words"),
        ("places: {slotz: {}}", "did you mean 'slots'"),
        ("places: {slots: {radius: -1}}", "'radius' of slots is -1: expected a number, more than 0"),
        ("places: {slots: {count: 0}}", "'count' of slots is 0: expected a whole number, at least 1"),
        ("places: {firing: {near: -5}}", "'near' of firing is -5"),
        ("places: {ways_out: {radius: 0}}", "'radius' of ways_out is 0"),
        ("directions: {hints: 5}", "hints is 5; give a table of branches of members' trees"),
        ("directions: {hints: [directed]}", "hints is ['directed']; give a table"),
        ("directions: {hints: {directed: positiv}}", "hints says 'positiv' (did you mean 'positive'?) of 'directed'"),
        ("directions: {hints: {directed: 3}}", "give 'positive', 'negative' or 'neutral'"),
        ("directions: {stand: place}", "the role has no 'places'"),
        ("directions: {gait: hop}", "give one of"),
        ("directions: {stand: nowhere}", "'stand' is 'nowhere'"),
        ("directions: {stand: [1, two]}", "[x, y]"),
        ("directions: {attack: perhaps}", "'attack' is 'perhaps'"),
        ("directions: {stand: $here}", "write its value instead"),
        ("until: [target_lots]", "did you mean 'target_lost'"),
        (
            "until: [target_seen, {not: target_seen}]",
            "'until' can never hold (target_seen), so the role would never end",
        ),
        ("who: everybody", "no parameter 'who'"),
    ],
)
def test_what_a_role_cannot_say_is_refused_with_its_line(line: str, words: str) -> None:
    with pytest.raises(TreeFileError) as caught:
        crew_tree(parse_trees(_role(line), source="mine.yaml"))
    assert words in str(caught.value)
    assert str(caught.value).startswith("mine.yaml:4")


def test_more_needed_than_a_crew_can_have_is_refused() -> None:
    text = "root:\n  roles:\n    - role: {name: a, least: 6}\n    - role: {name: b, least: 5}\n"
    with pytest.raises(TreeFileError, match="need 11 members; a crew has at most 10"):
        crew_tree(parse_trees(text))


def test_two_roles_for_the_one_who_leads_are_refused_and_what_can_be_is_not() -> None:
    roles = [f"    - role: {{name: {name}, may: [is_leader, is_calm]}}\n" for name in "ab"]
    with pytest.raises(TreeFileError, match="require is_leader need 2 members, but it holds for at most 1"):
        crew_tree(parse_trees("root:\n  roles:\n" + "".join(roles)))
    for may in (
        "{any: [is_leader, {not: is_leader}]}",
        "[{not: has_melee}, {not: has_ranged}]",
        "{any: [is_leader, is_calm]}",
    ):
        assert roles_of(crew_tree(parse_trees(_role(f"may: {may}", "least: 2"))))


def test_two_roles_of_one_name_and_what_is_no_role_are_refused() -> None:
    with pytest.raises(TreeFileError, match="two roles 'a'"):
        crew_tree(parse_trees("root:\n  roles:\n    - role: {name: a}\n    - role: {name: a}\n"))
    with pytest.raises(TreeFileError, match="is not a role"):
        crew_tree(parse_trees("root:\n  roles: [target_seen]\n"))


def test_ready_trees_can_be_had_built_and_copied() -> None:
    assert {"fight", "chase"} <= set(shipped_crews())
    for name, file in shipped_crew_trees().items():
        assert roles_of(crew_tree(file)), name
        assert crew_tree_text(name).startswith("# ")
    with pytest.raises(InputError, match="did you mean 'fight'"):
        crew_tree_text("figth")


def test_a_program_may_add_words_of_its_own() -> None:
    words = RoleWords().include(shipped_words())

    @words.member
    def is_brave(mind: object, member: int, least: float = 0.5) -> bool:
        return bool(mind) and member > least

    (role,) = roles_of(crew_tree(parse_trees(_role("may: [{is_brave: 0.8}]")), leaves_with(words)))
    assert role.may.parts[0].parameters == {"least": 0.8}
    with pytest.raises(BehaviourError, match="already"):
        words.member(is_brave)
    with pytest.raises(BehaviourError, match="already"):
        words.include(shipped_words())
    with pytest.raises(TreeFileError, match="no condition on members 'is_brave'"):
        crew_tree(parse_trees(_role("may: [is_brave]")))


def test_the_schema_of_tree_files_knows_roles() -> None:
    schema = tree_schema(crew_leaves())
    nodes = schema["$defs"]["node"]["anyOf"][1]["properties"]
    assert "role" in nodes
    assert "children" in nodes["roles"]["anyOf"][0]["properties"]


def test_the_command_checks_trees_of_crews(tmp_path: Path) -> None:
    wrong = tmp_path / "mine.yaml"
    wrong.write_text(_role("least: 3", "most: 2"))
    run = CliRunner().invoke(command, ["check", str(wrong), "--leaves", "crews"])
    assert run.exit_code != 0
    assert "least is 3 and most is 2" in run.output
    ready = CliRunner().invoke(command, ["show", "fight", "--leaves", "crews"])
    assert ready.exit_code == 0, ready.output
    assert "press [role] (1 to 2)" in ready.output


def own_words() -> RoleWords:
    words = RoleWords().include(shipped_words())

    @words.value
    def beside(mind: object, member: int, xyz: object, metres: float = 1.0, left: bool = False) -> tuple[float, ...]:
        return float(member), metres, float(left)

    return words


@pytest.mark.parametrize(
    ("written", "told"),
    [
        ("beside", (3.0, 1.0, 0.0)),
        ("{beside: 2.5}", (3.0, 2.5, 0.0)),
        ("{beside: {metres: 4, left: true}}", (3.0, 4.0, 1.0)),
    ],
)
def test_values_of_directions_take_parameters(written: str, told: tuple[float, ...]) -> None:
    tree = crew_tree(parse_trees(_role(f"directions: {{stand: {written}}}")), leaves_with(own_words()))
    assert roles_of(tree)[0].directions["stand"].of(None, 3, None) == told  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("written", "words"),
    [
        ("{besid: 1}", "did you mean 'beside'"),
        ("{beside: {meters: 1}}", "did you mean 'metres'"),
        ("{here: {metres: 1}}", "metres"),
        ("{here: {}, target: {}}", "give a place"),
        ("{beside: far}", "metres"),
    ],
)
def test_parameters_of_values_that_are_not_there_are_refused(written: str, words: str) -> None:
    with pytest.raises(TreeFileError, match=words):
        crew_tree(parse_trees(_role(f"directions: {{stand: {written}}}")), leaves_with(own_words()))
