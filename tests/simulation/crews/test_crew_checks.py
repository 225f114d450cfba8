"""Crews that cannot work are told of when a scenario is read: with the file, the line, and what is allowed."""

from __future__ import annotations

from pathlib import Path

import pytest
from click.testing import CliRunner

from lastseen.agents.crews.crew_trees import leaves_with
from lastseen.agents.crews.roles.vocabulary import Candidate, RoleWords
from lastseen.agents.crews.shipped.general import shipped_words
from lastseen.errors import ScenarioError
from lastseen.simulation.scenario.reader import parse_scenario
from lastseen.views.cli.app.main import cli
from specimens.crews import said_of

SCENARIO = """
level: hall
seconds: 5
ends: []
crews: {dance: dance.yaml}
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: Cole, at: [5, 9], patrol: ""}
  - {name: you, brain: puppet, at: [20, 9]}
script:
  - {at: 0.5, do: request, agents: [Ames, Bell, Cole], objective: dance, seconds: 60, priority: 9}
"""
ROLE = "root:\n  roles:\n    - role: {name: lead, least: 0}\n    - role: {name: a, %s}\n"


def _said(folder: Path, tree: str, text: str = SCENARIO) -> str:
    """Return what is wrong with a scenario whose crew has this tree; empty: nothing."""
    return said_of(folder, text, dance=tree)


ARMED = SCENARIO.replace("ends: []", "ends: []\ncombat: true")
GUN = ARMED.replace("{name: Cole,", "{name: Cole, attack: ranged,")


@pytest.mark.parametrize(
    ("text", "role", "words"),
    [
        (
            SCENARIO,
            "may: [has_ranged]",
            "role 'a' cannot be taken by any agent in this scenario: it requires has_ranged",
        ),
        (
            SCENARIO,
            "may: [has_melee]",
            "there are 3: Ames, Bell, Cole; change its 'may', or give an agent what it requires",
        ),
        (ARMED, "may: [has_ranged]", "role 'a' cannot be taken by any agent"),
        (ARMED, "may: [has_melee]", ""),
        (ARMED, "may: {any: [has_ranged, is_leader]}", ""),
        (ARMED, "may: [has_ranged], least: 0", ""),
        (GUN, "may: [has_ranged, is_calm]", ""),
        (GUN, "may: [has_ranged], least: 2", "role 'a' needs 2 members that can take it; there is 1: Cole"),
        (SCENARIO, "least: 3", ""),
        (
            SCENARIO,
            "least: 4",
            "role 'a' needs 4 members that can take it; there are 3: Ames, Bell, Cole; lower its 'least'",
        ),
        (SCENARIO.replace(", Cole]", "]"), "least: 3", "there are 2: Ames, Bell"),
        (SCENARIO.replace("agents: [Ames, Bell, Cole]", "agents: [Ames], draws: 50"), "least: 3", ""),
        (SCENARIO, "may: [is_leader], least: 2", "is_leader holds for at most 1 member"),
    ],
)
def test_a_role_nobody_can_take_is_refused(tmp_path: Path, text: str, role: str, words: str) -> None:
    said = _said(tmp_path, ROLE % role, text)
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "dance.yaml:4: " in said


def test_roles_that_cannot_be_filled_together_are_refused(tmp_path: Path) -> None:
    tree = "root: {roles: [{role: {name: a, least: %d}}, {role: {name: b, least: 2, may: has_melee}}]}"
    said = _said(tmp_path, tree % 2, GUN)
    assert (
        "role 'a' is assigned together with others: 'a' and 'b' need 4 members that can take them; there are 3" in said
    )
    assert not _said(tmp_path, tree % 1, GUN)
    # One who is good for two roles is needed in the one nobody else can have.
    both = "root: {roles: [{role: {name: a, least: 1}}, {role: {name: b, least: 2, may: {not: has_ranged}}}]}"
    assert not _said(tmp_path, both, GUN)
    alone = "root: {sequence: [{role: {name: a, least: 3}}, {role: {name: b, least: 3}}]}"
    assert not _said(tmp_path, alone, GUN), "one after another they are other members' again"


def test_words_of_a_programs_own_say_who_can_ever_be_meant(tmp_path: Path) -> None:
    words = RoleWords().include(shipped_words())

    def can_be(one: Candidate, who: str) -> bool:
        return one.name == who

    words.member(lambda mind, member, who: mind.name_of(member) == who, name="is_named", among=can_be)
    for name, is_there in (("Bell", True), ("Bel", False), ("you", False)):
        (tmp_path / "dance.yaml").write_text(ROLE % f"may: [{{is_named: {name}}}]")
        if is_there:
            assert parse_scenario(SCENARIO, folder=tmp_path, crew_leaves=leaves_with(words)).crews
            continue
        with pytest.raises(ScenarioError, match="cannot be taken by any agent in this scenario: it requires is_named"):
            parse_scenario(SCENARIO, folder=tmp_path, crew_leaves=leaves_with(words))


@pytest.mark.parametrize(
    ("role", "words"),
    [
        (
            "directions: {hints: {serch: positive}}",
            "hints at 'serch' (did you mean 'search'?), a branch its possible members lack",
        ),
        ("directions: {hints: {search: positiv}}", "hints says 'positiv' (did you mean 'positive'?) of 'search'"),
        ("directions: {hints: 5}", "hints is 5; give a table of branches of members' trees: 'positive', 'negative'"),
        ("directions: {hints: [search]}", "hints is ['search']; give a table"),
        ("directions: {hints: {search: negative, directed: neutral}}", ""),
        ("places: {markers: {names: [nowhere]}}", "markers: no marker 'nowhere'"),
        ("places: {markers: {kind: nowhere}}", "markers: no marker kind 'nowhere'; there are exit"),
        ("places: {markers: {kind: exit}}", ""),
        ("places: {guess: {predictor: belif}}", "guess: no predictor 'belif' (did you mean 'belief'?)"),
        ("places: {slots: {radius: -1}}", "'radius' of slots is -1"),
        ("places: {slots: {count: 0}}", "'count' of slots is 0"),
        ("may: [{has_role: leed}]", "has_role: no role 'leed' (did you mean 'lead'?); there are a, lead"),
        ("until: {gathered: {role: nosuch}}", "gathered: no role 'nosuch'"),
        ("until: {role_is: {role: lead, state: serch}}", "role_is: no state 'serch' (did you mean 'search'?)"),
        ("until: {target_in_zone: {zone: court}}", "target_in_zone: no zone 'court'"),
        ("until: {was_notified: {key: done}}", "reads the notice 'done', which is never posted; post it"),
        ("directions: {say: ORDER_ATTAK}", "role 'a': no trigger 'ORDER_ATTAK' (did you mean 'ORDER_ATTACK'?)"),
        ("directions: {say: ORDER_ATTACK}", ""),
        (
            "directions: {dance: true}",
            "role 'a' gives the direction 'dance', which none of its possible members reads; their brains read attack",
        ),
    ],
)
def test_what_a_role_names_has_to_be_there(tmp_path: Path, role: str, words: str) -> None:
    said = _said(tmp_path, ROLE % role)
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "dance.yaml:4: " in said


@pytest.mark.parametrize(
    ("node", "words"),
    [
        ("order: {trigger: NO_SUCH}", "dance.yaml:3: order: no trigger 'NO_SUCH'"),
        ("order: {trigger: ORDER_ATTACK, role: b}", "dance.yaml:3: order: no role 'b'; there are a"),
        ("order: {trigger: ORDER_ATTACK, role: a}", ""),
        ("target_in_zone: {kind: nosuch}", "dance.yaml:3: target_in_zone: no zone kind 'nosuch'"),
        ("lost_from: nosuch", "dance.yaml:3: lost_from: no role 'nosuch'"),
        ("was_notified: {key: nosuch}", "dance.yaml:3: reads the notice 'nosuch', which is never posted"),
        ("notify: {key: hello}", "dance.yaml:3: posts the notice 'hello', which neither this tree nor a member reads"),
        ("sequence: [{notify: {key: hello}}, {was_notified: {key: hello}}]", ""),
    ],
)
def test_what_the_other_nodes_name_has_to_be_there(tmp_path: Path, node: str, words: str) -> None:
    said = _said(tmp_path, f"root:\n  sequence:\n    - {node}\n    - roles: [{{role: {{name: a}}}}]\n")
    assert words in said
    assert bool(words) == bool(said)


def test_a_marker_a_ready_tree_needs_is_missed_too(tmp_path: Path) -> None:
    text = SCENARIO.replace("dance: dance.yaml", "ambush: ambush").replace("objective: dance", "objective: ambush")
    assert "ambush.yaml:13: markers: no marker kind 'ambush'" in _said(tmp_path, "", text)


def test_who_reads_nothing_cannot_be_told_though_others_could(tmp_path: Path) -> None:
    text = SCENARIO.replace('patrol: ""', "brain: puppet, team: guards") + "\n"
    text = text.replace("  - {name: you, brain: puppet,", "  - {name: Dane,")
    tree = ROLE % "directions: {stand: [20, 10], gait: run}"
    said = _said(tmp_path, tree, text)
    assert (
        "role 'a' gives the direction 'stand', which none of its possible members reads; their brains read nothing"
        in said
    )
    assert not _said(tmp_path, tree, text.replace(", Cole]", ", Dane]"))


FIRST = "root: {sequence: [{request: {objective: b, priority: 50}}, {roles: [{role: {name: ra}}]}]}"
SECOND = "root: {roles: [{role: {name: rb}}]}"
MEMBER = """root:
  reactive_selector:
    - guard:
        - has_direction: {role: ROLE}
        - sequence: [{request: {objective: a, about: nobody, priority: 90}}, {wait: {seconds: 0.05}}]
    - wait: {seconds: 0.1}
"""


@pytest.mark.parametrize(("role", "is_circle"), [("rb", True), ("ra", False), ("other", False)])
def test_a_circle_through_a_members_own_tree_is_refused(tmp_path: Path, role: str, is_circle: bool) -> None:
    text = SCENARIO.replace("{dance: dance.yaml}", "{a: dance.yaml, b: b.yaml}").replace('patrol: ""', "brain: m.yaml")
    (tmp_path / "b.yaml").write_text(SECOND)
    (tmp_path / "m.yaml").write_text(MEMBER.replace("ROLE", role))
    said = _said(tmp_path, FIRST, text.replace("objective: dance", "objective: a"))
    assert is_circle == bool(said)
    if is_circle:
        assert "crews request one another in a cycle: a → b → a" in said
        assert "m.yaml:5, by a member 'rb'" in said


def test_agents_that_cannot_be_read_are_told_of_and_not_missed(tmp_path: Path) -> None:
    said = _said(tmp_path, ROLE % "least: 3", SCENARIO.replace("{name: Cole, at: [5, 9]", "{name: Cole, at: 5"))
    assert "Cole" in said
    assert "least" not in said
    said = _said(tmp_path, ROLE % "least: 3", SCENARIO.replace(", Cole]", ", Cool]"))
    assert "no agent 'Cool'" in said
    assert "least" not in said


def test_the_command_tells_it_and_ends_with_2(tmp_path: Path) -> None:
    assert _said(tmp_path, ROLE % "may: [has_ranged]")
    run = CliRunner().invoke(cli, ["run", str(tmp_path / "mine.yaml")])
    assert run.exit_code == 2
    assert "cannot be taken by any agent in this scenario" in run.output
    assert "Traceback" not in run.output
