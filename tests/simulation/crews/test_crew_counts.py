"""Roles that no member can ever get: too few places, or each waits for another; told of when a scenario is read."""

from __future__ import annotations

from pathlib import Path

import pytest

from lastseen.level.samples import sample
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
  - {name: Dane, at: [5, 8], patrol: ""}
  - {name: you, brain: puppet, at: [20, 9]}
script:
  - {at: 0.5, do: request, agents: [Ames, Bell, Cole, Dane], objective: dance, target: you, seconds: 60}
"""
ROLE = "root:\n  roles:\n    - role: {name: lead, least: 0}\n    - role: {name: a, %s}\n"
EXITS = [marker.name for marker in sample("hall").markers if marker.kind == "exit"]


def _said(folder: Path, tree: str, text: str = SCENARIO) -> str:
    """Return what is wrong with the scenario when its crew has this tree; empty: nothing."""
    return said_of(folder, text, dance=tree)


@pytest.mark.parametrize(
    ("role", "words"),
    [
        (
            "least: 3, places: {slots: {count: 2}}",
            "least is 3, but slots finds at most 2 places, one per member; lower it, or let slots find more",
        ),
        ("least: 2, places: {slots: {count: 2}}", ""),
        ("least: 0, most: 4, places: {slots: {count: 2}}", ""),
        (
            "least: 2, places: {slots: {radius: 1.5, rings: 1, apart: 4.3}}",
            "least is 2, but slots finds at most 1 place",
        ),
        ("least: 2, places: {slots: {radius: 1.5, rings: 1, apart: 4.2}}", ""),
        ("least: 2, places: {slots: {radius: 1.5, rings: 3, apart: 8.5}}", "slots finds at most 1 place"),
        ("least: 1, places: {slots: {radius: 1.5, rings: 3, apart: 8.5}}", ""),
        ("least: 2, places: {guess: {}}", "guess finds at most 1 place"),
        ("least: 3, places: {gathering: {count: 2}}", "gathering finds at most 2 places"),
        ("least: 3, places: {overlooks: {count: 2}}", "overlooks finds at most 2 places"),
        ("least: 3, places: {covered: {count: 2}}", "covered finds at most 2 places"),
        ("least: 0, places: {firing: {near: 9, far: 5}}", "least is 0, but firing finds at most 0 places"),
        ("least: 1, places: {firing: {near: 5, far: 9}}", ""),
    ],
)
def test_more_needed_than_there_can_be_places_is_refused(tmp_path: Path, role: str, words: str) -> None:
    said = _said(tmp_path, ROLE % role)
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "dance.yaml:4: " in said


@pytest.mark.parametrize("places", ["{markers: {kind: exit}}", "{exits: {}}"])
def test_more_needed_than_the_level_has_marked_is_refused(tmp_path: Path, places: str) -> None:
    count = len(EXITS)
    assert 1 <= count <= 3
    said = _said(tmp_path, ROLE % f"least: {count + 1}, places: {places}")
    what = f"role 'a' needs {count + 1} places, one per member; {places[1:].split(':')[0]} finds {count} in this level"
    assert what in said
    assert "dance.yaml:4: " in said
    assert "lower its 'least'" in said
    assert not _said(tmp_path, ROLE % f"least: {count}, places: {places}")
    assert not _said(tmp_path, ROLE % f"least: 0, most: {count + 1}, places: {places}")


def test_markers_of_another_kind_than_their_names_say_are_missed(tmp_path: Path) -> None:
    named = {marker.name: marker.kind for marker in sample("yard").markers}
    assert named["exit 1"] == "exit"
    assert named["ambush 1"] == "ambush"
    role = ROLE % "places: {markers: {kind: exit, names: [%s]}}"
    assert not _said(tmp_path, role % "exit 1", SCENARIO.replace("level: hall", "level: yard"))
    said = _said(tmp_path, role % "ambush 1", SCENARIO.replace("level: hall", "level: yard"))
    assert "role 'a' needs 1 place, one per member; markers finds 0 in this level" in said
    said = _said(tmp_path, ROLE % "places: {markers: {kind: exitt}}")
    assert "no marker kind 'exitt'" in said
    assert "in this level" not in said, "told of once"


@pytest.mark.parametrize(
    ("directions", "words"),
    [
        (
            "{stand: [1.0e+9, 4]}",
            "role 'a' sends members to (1e+09, 4), which is outside the level; it extends from (0, 0) to (",
        ),
        ("{watch: [8, -20, 0]}", "role 'a' sends members to (8, -20), which is outside the level"),
        ("{stand: [8, 4], face: [8, -20]}", ""),
    ],
)
def test_places_off_the_level_are_refused_but_for_looking_there(tmp_path: Path, directions: str, words: str) -> None:
    said = _said(tmp_path, ROLE % f"directions: {directions}")
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "dance.yaml:4: " in said


@pytest.mark.parametrize(
    ("roles", "words"),
    [
        (
            ["a, may: {has_role: a}"],
            "dance.yaml:3: role 'a' requires a member that already has 'a', which no member can get first",
        ),
        (
            ["a, may: {has_role: b}", "b, may: {has_role: a}"],
            "dance.yaml:3: role 'a' requires a member that already has 'b', which no member can get first",
        ),
        (["a, least: 0, may: {has_role: a}"], "role 'a' requires a member"),
        (
            ["a, may: [{any: [{has_role: b}, {has_role: a}]}, is_calm]", "b, may: {has_role: b}"],
            "role 'a' requires a member",
        ),
        (["a, may: {any: [{has_role: a}, is_leader]}"], ""),
        (["a, may: {not: {has_role: a}}"], ""),
        (["a, may: {has_role: b}", "b, least: 0"], ""),
        (["a, may: {has_role: b}", "b, may: {any: [{has_role: a}, is_calm]}"], ""),
    ],
)
def test_roles_that_wait_for_one_another_are_refused(tmp_path: Path, roles: list[str], words: str) -> None:
    said = _said(tmp_path, "root:\n  roles:\n" + "".join(f"    - role: {{name: {role}}}\n" for role in roles))
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "let its 'may' hold for a member without a role" in said


def test_a_role_of_another_branch_may_be_waited_for(tmp_path: Path) -> None:
    other = "    - role: {name: %s, may: {has_role: a}}\n"
    tree = "root:\n  selector:\n    - sequence: [target_lost, {role: {name: a}}]\n" + other
    assert not _said(tmp_path, tree % "a")
    assert not _said(tmp_path, tree % "b")


def test_roles_of_one_name_in_two_branches_are_told_of_with_their_own_lines(tmp_path: Path) -> None:
    tree = "root:\n  selector:\n    - role: {name: a, least: %d}\n    - role: {name: a, least: %d}\n"
    assert "dance.yaml:3: role 'a' needs 5" in _said(tmp_path, tree % (5, 1))
    assert "dance.yaml:4: role 'a' needs 5" in _said(tmp_path, tree % (1, 5))
