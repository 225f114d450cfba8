"""Scenarios edited in the page: what is opened, how faults are located, and that nothing is lost when one is saved."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from lastseen.errors import InputError, LastSeenError
from lastseen.simulation.scenario.reader import parse_scenario, read_scenario, shipped_scenarios
from lastseen.views.studio.editing.level_files import Changed
from lastseen.views.studio.editing.scenario_files import check_scenario, open_scenario, save_scenario
from lastseen.views.studio.protocol.replies import SaveScenario, ScenarioValues
from lastseen.views.studio.session.folder import Folder

TEXT = """\
# Two guards.
level: hall   # a sample
agents:
  - {name: Ames, at: [6, 4]}   # at the door
  - name: Bell
    at: [8, 4]
script:
  # first the bottle
  - {at: 1, do: sound, kind: bottle, place: [9, 9]}
  - {at: 2, do: alarm, place: [9, 9]}
"""


@pytest.fixture
def folder(tmp_path: Path) -> Folder:
    (tmp_path / "two.yaml").write_text(TEXT)
    return Folder(tmp_path)


def saved(folder: Folder, name: str, value: dict, **more: str) -> str:
    opened = open_scenario(folder, "two.yaml", "")
    given = {"text": opened.text, "digest": opened.digest} | more
    save_scenario(folder, SaveScenario(name=name, value=value, **given))
    return (folder.root / name).read_text()


def test_only_what_changed_changes_in_the_file(folder: Folder):
    value = open_scenario(folder, "two.yaml", "").value
    value["agents"][0]["name"] = "Cole"
    value["script"][1]["when"] = {"event": "sees", "agent": "Cole"}
    del value["script"][1]["at"]
    text = saved(folder, "two.yaml", value)
    expected = TEXT.replace("Ames", "Cole").replace("{at: 2, do: alarm", "{do: alarm")
    assert text == expected.replace("{do: alarm, place: [9, 9]}", text.splitlines()[-1].strip(" -"))
    assert "# first the bottle" in text
    assert parse_scenario(text).scenario.script[1].when.event == "sees"


def as_the_page_sends_it(value: Any) -> Any:
    """Return values as JavaScript writes them: 1.0 is 1 there."""
    if isinstance(value, dict):
        return {key: as_the_page_sends_it(one) for key, one in value.items()}
    if isinstance(value, list):
        return [as_the_page_sends_it(one) for one in value]
    return int(value) if isinstance(value, float) and value.is_integer() else value


@pytest.mark.parametrize("name", shipped_scenarios())
def test_shipped_scenarios_open_as_copies_and_are_saved_as_they_are(folder: Folder, name: str):
    opened = open_scenario(folder, name, "")
    assert (opened.digest, opened.file) == ("", f"{name} copy.yaml")
    value = as_the_page_sends_it(opened.value)
    save_scenario(folder, SaveScenario(name=opened.file, value=value, text=opened.text))
    assert (folder.root / opened.file).read_text() == opened.text
    assert not check_scenario(folder, ScenarioValues(opened.file, opened.value)).faults


def test_json_is_written_as_json_and_toml_becomes_a_copy(folder: Folder):
    (folder.root / "one.json").write_text(json.dumps({"level": "hall", "seconds": 5}))
    opened = open_scenario(folder, "one.json", "")
    given = SaveScenario("one.json", {**opened.value, "seconds": 6}, opened.text, opened.digest)
    save_scenario(folder, given)
    assert json.loads((folder.root / "one.json").read_text()) == {"level": "hall", "seconds": 6}
    (folder.root / "three.toml").write_text('level = "hall"\n[[agents]]\nname = "Ames"\nat = [6, 4]\n')
    opened = open_scenario(folder, "three.toml", "")
    assert (opened.file, opened.digest) == ("three copy.yaml", "")
    assert parse_scenario(opened.text).agents[0].at == (6, 4)


def test_a_new_scenario_has_the_agents_of_its_level(folder: Folder):
    opened = open_scenario(folder, "", "warehouse")
    assert [one["name"] for one in opened.value["agents"]] == ["Ames", "Bell", "player"]
    assert parse_scenario(opened.text).agents[2].brain == "runner"
    assert [one.name for one in opened.choices.spawns] == ["Ames", "Bell", "player"]
    assert opened.choices.zones == ["loading dock", "control room"]


def test_faults_have_the_path_of_their_field(folder: Folder):
    value = {
        "level": "hall",
        "agents": [{"name": "Ames", "at": [6, 4], "brain": "gaurd"}],
        "script": [{"do": "alarm", "place": [9, 9], "when": {"event": "hears", "sound": "botle"}}],
        "secnds": 3,
    }
    faults = {tuple(one.path): one.what for one in check_scenario(folder, ScenarioValues("two.yaml", value)).faults}
    assert "did you mean 'guard'" in faults["agents", 0, "brain"]
    assert "did you mean 'bottle'" in faults["script", 0, "when", "sound"]
    assert any("secnds" in what for what in faults.values())


def test_a_changed_file_is_not_replaced(folder: Folder):
    value = open_scenario(folder, "two.yaml", "").value
    with pytest.raises(Changed, match="has changed"):
        saved(folder, "two.yaml", value, digest="another")
    with pytest.raises(Changed, match="already exists"):
        saved(folder, "two.yaml", value, digest="")
    assert (folder.root / "two.yaml").read_text() == TEXT


@pytest.mark.parametrize("name", ["../out.yaml", "/tmp/out.yaml", "a/../../out.yaml", "", ".hidden.yaml", "x\0.yaml"])
def test_names_lead_nowhere_else(folder: Folder, name: str):
    with pytest.raises(LastSeenError):
        save_scenario(folder, SaveScenario(name=name, value={"level": "hall"}))
    with pytest.raises(LastSeenError):
        open_scenario(folder, name, "")
    assert sorted(one.name for one in folder.root.iterdir()) == ["two.yaml"]


def test_a_link_is_not_written_through_and_files_outside_are_not_read(folder: Folder, tmp_path_factory):
    outside = tmp_path_factory.mktemp("outside") / "secret.yaml"
    outside.write_text("root: stand_still\n")
    (folder.root / "link.yaml").symlink_to(outside)
    with pytest.raises(InputError):
        save_scenario(folder, SaveScenario(name="link.yaml", value={"level": "hall"}))
    assert outside.read_text() == "root: stand_still\n"
    value = {"level": "hall", "agents": [{"name": "A", "at": [6, 4], "brain": str(outside)}]}
    faults = check_scenario(folder, ScenarioValues("two.yaml", value)).faults
    assert "is not in the folder" in faults[0].what


def test_values_of_any_kind_are_reported_not_raised(folder: Folder):
    for value in ({}, {"level": 3}, {"level": "hall", "agents": 3}, {"level": "hall", "script": [3]}, {"agents": [{}]}):
        assert check_scenario(folder, ScenarioValues("two.yaml", value)).faults
    read = read_scenario(folder.root / "two.yaml")
    assert len(read.agents) == 2


def test_patrols_of_a_scenario_are_walked_besides_those_of_the_level():
    setting = parse_scenario(
        "level: hall\npatrols: {mine: [[4, 4], [8, 4]]}\nagents: [{name: Ames, at: [4, 4], patrol: mine}]\n"
    )
    assert [patrol.name for patrol in setting.level.patrols] == ["round", "aisle", "mine"]
    with pytest.raises(LastSeenError, match=r"line 2 .patrols.round.*the level has a patrol 'round' already"):
        parse_scenario("level: hall\npatrols: {round: [[4, 4], [8, 4]]}\n")
    with pytest.raises(LastSeenError, match=r"line 2 .patrols"):
        parse_scenario("level: hall\npatrols: {mine: [[4, 4]]}\n")


def test_places_off_the_floor_are_faults_of_their_fields(folder: Folder):
    value = open_scenario(folder, "two.yaml", "").value
    value["agents"][1]["at"] = [-20, 4]
    value["script"][0]["place"] = [0, 99]
    found = check_scenario(folder, ScenarioValues(name="two.yaml", value=value)).faults
    assert [fault.path for fault in found] == [["agents", 1, "at"], ["script", 0, "place"]]
    assert "'Bell' starts off the walkable floor" in found[0].what
    assert "; the nearest is at (" in found[0].advice


def test_a_missing_value_is_a_fault_of_its_field(folder: Folder):
    value = open_scenario(folder, "two.yaml", "").value
    value["script"] = [{"do": "close door", "when": {"event": "enters"}}]
    value["objects"] = [{"name": "lamp", "kind": "switch", "place": [6, 4]}]
    found = check_scenario(folder, ScenarioValues(name="two.yaml", value=value)).faults
    paths = [["script", 0, "door"], ["script", 0, "when", "zone"], ["objects", 0, "zone"]]
    assert sorted(map(str, (fault.path for fault in found))) == sorted(map(str, paths))
