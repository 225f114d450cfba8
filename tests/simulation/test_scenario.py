"""Scenario files: what they may say, and how their faults are told."""

from __future__ import annotations

import contextlib
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lastseen.errors import LastSeenError, ScenarioError
from lastseen.level.level import Level
from lastseen.simulation.scenario.reader import parse_scenario, read_scenario, setting_of
from lastseen.simulation.scenario.scenario import AgentSpec, Scenario
from lastseen.simulation.world.setup import make_world


def test_without_agents_everybody_the_level_spawns_takes_part() -> None:
    setting = parse_scenario("level: warehouse\n")
    assert [(spec.name, spec.brain) for spec in setting.agents] == [
        ("Ames", "guard"),
        ("Bell", "guard"),
        ("player", "runner"),
    ]
    assert setting.agents[0].patrol == "aisles"


def test_files_named_in_a_scenario_are_seen_from_its_folder(tmp_path: Path) -> None:
    Level.sample("rooms").write(tmp_path / "mine.geojson")
    (tmp_path / "dull.yaml").write_text("root: stand_still\n")
    (tmp_path / "one.toml").write_text(
        'level = "mine.geojson"\n[[agents]]\nname = "Ames"\nbrain = "dull.yaml"\nteam = "guards"\n'
    )
    setting = read_scenario(tmp_path / "one.toml")
    assert len(setting.level.doors) == 1
    assert make_world(setting).names == ("Ames",)


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("level: warehuose\n", "line 1.*no level 'warehuose' .did you mean 'warehouse'"),
        ("level: rooms\nstep: 0\n", "line 2"),
        ("level: rooms\nstepp: 1\n", "line 2.*did you mean 'step'"),
        ("level: rooms\nvision: zone\n", "line 2.*did you mean 'zones'"),
        ("level: rooms\nchase: beleif\n", "line 2.*did you mean 'belief'"),
        ("level: rooms\nagents:\n  - {name: A, at: [1, 1], brain: gard}\n", "line 3.*did you mean 'guard'"),
        ("level: rooms\nagents:\n  - {name: A}\n", "line 3.*has no place"),
        ("level: rooms\nagents:\n  - {name: A, at: [1]}\n", "line 3"),
        ("level: rooms\nagents:\n  - {name: A, at: [1, 1], patrol: east}\n", "no patrol 'east'"),
        ("level: rooms\nagents:\n  - {name: A, at: [2, 2]}\n  - {name: A, at: [3, 3]}\n", "line 4.*already"),
        ("level: rooms\nagents:\n  - {name: A, at: [2, 2], settings: {patrl: x}}\n", "did you mean 'patrol'"),
        ("level: rooms\nscript:\n  - {at: 1, do: sound, kind: botle, place: [1, 1]}\n", "did you mean 'bottle'"),
        ("level: rooms\nscript:\n  - {at: 1, do: open door, door: dor 1}\n", "did you mean 'door 1'"),
        ("level: rooms\nscript:\n  - {at: 1, do: fell}\n", "line 3.*needs 'agent'"),
        ("level: rooms\nscript:\n  - {at: 1, do: dance}\n", "line 3"),
        ("level: rooms\nscript:\n  - {at: -1, do: fell, agent: player}\n", "line 3"),
        ("level: [1]\n", "line 1"),
        ("", "empty"),
        ("level: rooms\nlevel: rooms\n", "duplicate key 'level'"),
    ],
)
def test_faults_name_file_line_and_what_was_meant(text: str, words: str) -> None:
    with pytest.raises(ScenarioError, match=words) as caught:
        parse_scenario(text, source="mine.yaml")
    assert str(caught.value).startswith("mine.yaml")


def test_all_faults_are_told_at_once() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario("level: rooms\nvision: zone\nchase: beleif\n")
    assert len(caught.value.faults) == 2


FAULTY = """
level: rooms
step: 0
vision: zone
colour: red
agents:
  - {name: Ames, at: here, brain: gaurd}
  - {name: Bell, at: [2, 2], speed: fast, vison: zones, team: gards}
  - {at: [3, 3]}
  - nobody
script:
  - {at: -1, do: fell, agent: Ames}
  - {at: 1, do: sound, kind: botle, place: [1, 1]}
  - {at: 1, do: dance}
  - {at: 1, do: fell, agent: Bel}
  - {at: 1, do: place, agent: Bell, place: there}
"""


def test_types_and_names_of_all_entries_are_told_together_and_counted_from_one() -> None:
    with pytest.raises(ScenarioError) as caught:
        parse_scenario(FAULTY)
    found = {fault.where: fault.what for fault in caught.value.faults}
    assert len(found) == len(caught.value.faults)
    for where, what in {
        "line 3 (step)": "expected a number, more than 0",
        "line 4 (vision)": "no vision 'zone' (did you mean 'zones'?)",
        "line 5 (colour)": "unknown key 'colour'",
        "line 7 (agents['Ames'].at)": "expected a list or null, got text",
        "line 7 (agents['Ames'].brain)": "no brain or tree file 'gaurd' (did you mean 'guard'?)",
        "line 8 (agents['Bell'].speed)": "expected a number or null, got text",
        "line 8 (agents['Bell'].vison)": "unknown key 'vison' (did you mean 'vision'?)",
        "line 8 (agents['Bell'].team)": "no team 'gards' (did you mean 'guards'?)",
        "line 9 (agents[3])": "the key 'name' is missing",
        "line 10 (agents[4])": "expected keys and values, got text",
        "line 12 (script[1].at)": "expected a number, at least 0",
        "line 13 (script[2].kind)": "no sound 'botle' (did you mean 'bottle'?)",
        "line 14 (script[3].do)": "unknown value 'dance'",
        "line 15 (script[4].agent)": "no agent 'Bel' (did you mean 'Bell'?)",
        "line 16 (script[5].place)": "expected a list or null, got text",
    }.items():
        assert found.pop(where).startswith(what), where
    assert not found


def test_faults_of_a_scenario_made_in_code_are_named_the_same_way() -> None:
    wrong = Scenario("rooms", (AgentSpec("Ames", "gaurd", at=(2.0, 2.0), speed=-1.0),), step=0.0)
    with pytest.raises(ScenarioError) as caught:
        setting_of(wrong)
    assert [fault.where for fault in caught.value.faults] == ["step", "agents['Ames'].speed", "agents['Ames'].brain"]


def test_an_agent_off_the_floor_is_refused() -> None:
    with pytest.raises(ScenarioError, match=r"line 3 \(agents\['A'\]\.at\) at .*'A' starts off the walkable floor"):
        make_world(parse_scenario("level: rooms\nagents:\n  - {name: A, at: [-50, 2]}\n"))


def test_a_faulty_tree_is_told_with_its_own_line(tmp_path: Path) -> None:
    (tmp_path / "bad.yaml").write_text("root:\n  sequence:\n    - go_too\n")
    (tmp_path / "one.yaml").write_text("level: rooms\nagents:\n  - {name: A, at: [2, 2], brain: bad.yaml}\n")
    with pytest.raises(ScenarioError, match=r"bad\.yaml:3.*did you mean 'go_to'"):
        read_scenario(tmp_path / "one.yaml")


@given(st.text(max_size=80) | st.from_regex(r"level: rooms\n(agents|script|seed|ends|step): .{0,20}\n", fullmatch=True))
def test_no_text_leaves_the_error_tree(text: str) -> None:
    with contextlib.suppress(LastSeenError):
        parse_scenario(text)


def test_a_scenario_made_in_code_is_checked_like_a_file() -> None:
    ames = AgentSpec("Ames", at=(4.0, 4.0))
    assert setting_of(Scenario("corridor", (ames,), seed=3)).agents == (ames,)
    for wrong, words in (
        (Scenario("corridor", step=0.0), "step"),
        (Scenario("corridor", seconds=float("nan")), "seconds"),
        (Scenario("corridor", agents=("Ames",)), "agents"),  # type: ignore[arg-type]
        (Scenario("corridor", agents=(object(),)), "object"),  # type: ignore[arg-type]
        (Scenario("coridor"), "did you mean 'corridor'"),
    ):
        with pytest.raises(ScenarioError, match=words):
            setting_of(wrong)


@pytest.mark.parametrize(
    ("row", "words"),
    [
        (
            "{at: 1, do: set, agent: Ames, key: patrol_aat, value: 3}",
            "(script[1].key): no key 'patrol_aat' (did you mean 'patrol_at'",
        ),
        ("{at: 1, do: set, value: 3}", "(script[1]): 'set' needs 'fact', or 'agent' and 'key'; add `fact: …`"),
        ("{at: 1, do: set, agent: you, key: call, value: 3}", "(script[1].key): 'you' is a puppet, which has no keys"),
        ("{at: 1, do: alarm, place: [6, 4], seconds: 4}", "(script[1].seconds): 'alarm' has no 'seconds'; remove it; "),
        (
            "{at: 1, do: weather, kind: fog, zone: yard}",
            "(script[1].zone): 'weather' has no 'zone'; remove it; 'zone' b",
        ),
    ],
)
def test_rows_with_what_their_action_does_not_have_are_refused(row: str, words: str) -> None:
    agents = "agents: [{name: Ames, at: [6, 4]}, {name: you, brain: puppet, at: [6, 3]}]"
    with pytest.raises(ScenarioError) as raised:
        parse_scenario(f"level: rooms\n{agents}\nscript:\n  - {row}\n")
    assert f"line 4 {words}" in str(raised.value)


def test_a_required_value_that_is_invalid_is_not_called_missing_too() -> None:
    with pytest.raises(ScenarioError) as raised:
        parse_scenario("level: rooms\nobjects: [{name: a, kind: alarrm, place: [6, 4]}]\n")
    assert "did you mean 'alarm'" in str(raised.value)
    assert "missing" not in str(raised.value)
