"""Requests that lead nowhere: circles through members' trees, and scripts' requests that can never make a crew."""

from __future__ import annotations

from pathlib import Path

import pytest

from specimens.crews import said_of

SCENARIO = """level: hall
seconds: 5
ends: []
crews: {dance: dance.yaml}
agents:
  - {name: Ames, at: [6, 8], patrol: ""}
  - {name: Bell, at: [6, 10], patrol: ""}
  - {name: Cole, at: [5, 9], patrol: ""}
  - {name: you, brain: puppet, at: [20, 9]}
script:
"""
DANCE = "root: {roles: [{role: {name: a, least: 0, directions: {stand: [8, 4]}}}]}"


def _said(folder: Path, text: str, **trees: str) -> str:
    """Return what is wrong with a scenario beside which these trees lie; empty: nothing."""
    return said_of(folder, text, **{"dance": DANCE, **trees})


WATCH = "root: {roles: [{role: {name: b, least: 0, directions: {watch: [8, 4], attack: false}}}]}"
MEMBER = """root:
  reactive_selector:
    - guard:
        - FIRST
        - sequence: [{request: {objective: watch, about: nobody, priority: 9}}, take_stand]
    - guard:
        - SECOND
        - sequence: [{request: {objective: dance, about: nobody, priority: 10}}, {take_stand: {key: watch}}]
    - guard: [may_attack, stand_still]
    - stand_still
"""


@pytest.mark.parametrize(
    ("first", "second", "words"),
    [
        ("{has_direction: {key: stand}}", "{has_direction: {key: watch}}", "m.yaml:5, by a member told 'stand' as 'a'"),
        ("{has_direction: {role: a}}", "{has_direction: {key: watch}}", "m.yaml:5, by a member 'a'"),
        ("{has_direction: {role: a, key: stand}}", "has_direction", "m.yaml:8, by a member 'b'"),
        ("{sequence: [{has_direction: {key: stand}}]}", "{has_direction: b}", "m.yaml:8, by a member 'b'"),
        ("{has_direction: {key: stand}}", "{has_direction: {key: attack}}", ""),
        ("{has_direction: {key: stand}}", "{has_direction: {role: b, key: stand}}", ""),
        ("{has_direction: {key: stand}}", "{sequence: [{has_direction: b}, {has_direction: {key: stand}}]}", ""),
    ],
)
def test_a_circle_by_what_members_are_told_is_refused(tmp_path: Path, first: str, second: str, words: str) -> None:
    text = SCENARIO.replace("{dance: dance.yaml}", "{dance: dance.yaml, watch: watch.yaml}")
    text = text.replace('patrol: ""', "brain: m.yaml")
    text += "  - {at: 0.5, do: request, agents: [Ames, Bell, Cole], objective: dance, seconds: 1}\n"
    member = MEMBER.replace("FIRST", first).replace("SECOND", second)
    said = _said(tmp_path, text, watch=WATCH, m=member)
    assert words in said
    assert bool(words) == bool(said)
    assert not said or "crews request one another in a cycle: dance → watch → dance" in said


@pytest.mark.parametrize(
    ("requests", "words"),
    [
        (
            ["agents: [Ames]"],
            "line 11 (script[1].agents): no other agent in the team of 'Ames' can request 'dance' with it",
        ),
        (["agents: [Ames, Ames]"], "'Ames' is named twice; name each once"),
        (["agents: [Ames, you]"], "no other agent in the team of 'Ames' can request 'dance' with it"),
        (["agents: [Ames, Bell, you]"], "no other agent in the team of 'you' can request"),
        (["agents: [Ames, Bell], seconds: 0"], "line 11 (script[1].seconds): a request for 0 s never counts"),
        (
            ["agents: [Ames], target: you", "agents: [Bell], target: Cole"],
            "no other agent in the team of 'Bell' can request",
        ),
        (["agents: [you], draws: 30"], "a crew has at least 2 members"),
        (["agents: [Ames, Bell]"], ""),
        (["agents: [Ames], draws: 30"], ""),
        (["agents: [Ames]", "agents: [Bell], draws: 20"], ""),
        (["agents: [Ames], target: you", "agents: [Bell], target: you"], ""),
    ],
)
def test_a_request_of_a_script_that_never_makes_a_crew_is_refused(
    tmp_path: Path, requests: list[str], words: str
) -> None:
    lines = [f"  - {{at: 0.5, do: request, objective: dance, {one}}}\n" for one in requests]
    said = _said(tmp_path, SCENARIO + "".join(lines))
    assert words in said
    assert bool(words) == bool(said)


def test_one_whom_brains_or_other_crews_join_may_ask_alone(tmp_path: Path) -> None:
    asks = "root: {sequence: [{request: {objective: dance, about: nobody}}, {has_direction: {key: stand}}, take_stand]}"
    alone = SCENARIO + "  - {at: 0.5, do: request, agents: [Ames], objective: dance}\n"
    assert "no other agent" in _said(tmp_path, alone)
    assert not _said(tmp_path, alone.replace('[6, 10], patrol: ""', "[6, 10], brain: m.yaml"), m=asks)
    leads = "root: {sequence: [{request: {objective: dance}}, {role: {name: r, least: 0}}]}"
    both = alone.replace("{dance: dance.yaml}", "{dance: dance.yaml, first: first.yaml}")
    both += "  - {at: 1, do: request, agents: [Bell, Cole], objective: first}\n"
    assert not _said(tmp_path, both, first=leads)


def test_who_is_not_there_is_told_of_once(tmp_path: Path) -> None:
    said = _said(tmp_path, SCENARIO + "  - {at: 0.5, do: request, agents: [Ames, Bel], objective: dance}\n")
    assert "no agent 'Bel'" in said
    assert "no other agent" not in said
    said = _said(tmp_path, SCENARIO + "  - {at: 0.5, do: request, agents: [Ames, Bell], objective: danse}\n")
    assert "no crew 'danse' (did you mean 'dance'?)" in said
    said = _said(
        tmp_path, SCENARIO + "  - {at: 0.5, do: request, agents: [Ames, Bell], objective: dance, target: yo}\n"
    )
    assert "no agent 'yo' (did you mean 'you'?)" in said


def test_requests_where_there_are_no_crews_are_refused(tmp_path: Path) -> None:
    text = SCENARIO.replace("crews: {dance: dance.yaml}\n", "")
    said = _said(tmp_path, text + "  - {at: 0.5, do: request, agents: [Ames, Bell], objective: dance}\n")
    assert "line 10 (script[1]): 'request' in a scenario without crews; add `crews: true`, or remove it" in said
    said = _said(tmp_path, text + "  - {at: 0.5, do: end request, agents: [Ames, Bell]}\n")
    assert "'end request' in a scenario without crews" in said
