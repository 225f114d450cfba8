"""The scenario editor in a real browser: agents, patrols, triggers, faults at their fields, undo, save and run."""

from __future__ import annotations

import pytest

from lastseen.simulation.scenario.reader import read_scenario
from studio.server import serving

TEXT = """\
# A night in the yard.
level: yard
seconds: 20 # short
agents:
  - {name: Ames, at: [3, 20], heading: 3.14, patrol: ""} # looks away
  - {name: Vera, brain: runner, at: [14, 10]}
script:
  # the alarm
  - {at: 1, do: alarm, place: [16, 18]}
"""


@pytest.fixture
def night(tmp_path):
    (tmp_path / "night.yaml").write_text(TEXT)
    with serving(tmp_path, "night.yaml") as served:
        yield served


@pytest.fixture
def one(night, window):
    one = window(night)
    one.key("8")
    one.until("lastseenTest.scenario?.isReady && lastseenTest.scenario.faults?.length === 0")
    return one


def pixel(one, x: float, y: float) -> tuple[float, float]:
    box = one.page.locator("#map").bounding_box()
    px, py = one.ask(f"lastseenTest.project({x}, {y})")
    return box["x"] + px, box["y"] + py


def put(one, field: str, text: str) -> None:
    """Type into a field, and leave it."""
    place = one.page.locator(f"[data-key='{field}']")
    place.fill(text)
    place.press("Tab")


def test_agents_are_moved_and_added_on_the_map_and_changes_undone(one):
    one.page.mouse.move(*pixel(one, 14, 10))
    one.page.mouse.down()
    one.page.mouse.move(*pixel(one, 18, 11), steps=4)
    one.page.mouse.up()
    one.until("Math.abs(lastseenTest.scenario.value.agents[1].at[0] - 18) < 0.3")
    one.page.get_by_role("button", name="Add agent").click()
    one.page.mouse.click(*pixel(one, 30, 20))
    one.until("lastseenTest.scenario.value.agents.length === 3")
    added = one.ask("lastseenTest.scenario.value.agents[2]")
    assert added["name"] == "guard 1"
    assert abs(added["at"][0] - 30) < 0.3
    one.page.locator("#map").focus()
    one.key("Control+z")
    one.until("lastseenTest.scenario.value.agents.length === 2")
    one.key("Control+z")
    one.until("lastseenTest.scenario.value.agents[1].at[0] === 14 && !lastseenTest.scenario.isDirty")
    one.key("Control+Shift+z")
    one.until("lastseenTest.scenario.isDirty")


def test_a_patrol_is_drawn_for_the_selected_agent(one):
    one.page.mouse.click(*pixel(one, 3, 20))
    one.until("lastseenTest.scenario.selected === 0")
    one.page.get_by_role("button", name="Draw patrol").click()
    for x, y in ((3, 20), (3, 15), (5, 15)):
        one.page.mouse.click(*pixel(one, x, y))
    one.key("Enter")
    one.until("lastseenTest.scenario.value.patrols?.['patrol 1']?.length === 3")
    assert one.ask("lastseenTest.scenario.value.agents[0].patrol") == "patrol 1"
    one.until("lastseenTest.scenario.faults?.length === 0")


def test_a_row_gets_a_trigger_and_its_faults_are_shown_at_their_fields(one):
    one.page.get_by_role("button", name="Add row").click()
    one.page.locator("[data-key='script.1.do']").select_option("close door")
    one.page.locator("[data-key='script.1.when']").select_option("enters")
    one.until("lastseenTest.scenario.faults?.length === 2")
    put(one, "script.1.when.zone", "cuort")
    put(one, "script.1.door", "door 1")
    fault = one.page.locator("[data-field='script.1.when.zone'] .wrong")
    fault.filter(has_text="did you mean 'court'").wait_for()
    put(one, "script.1.when.zone", "court")
    one.until("lastseenTest.scenario.faults?.length === 0")
    assert fault.count() == 0
    assert one.ask("lastseenTest.scenario.value.script[1]") == {
        "do": "close door",
        "when": {"event": "enters", "zone": "court"},
        "door": "door 1",
    }


def test_a_place_off_the_floor_is_a_fault_of_its_field(one):
    put(one, "agents.0.at", "[20, 6.5]")
    fault = one.page.locator("[data-field='agents.0.at'] .wrong")
    fault.filter(has_text="'Ames' starts off the walkable floor").wait_for()
    put(one, "agents.0.at", "[3, 20]")
    one.until("lastseenTest.scenario.faults?.length === 0")


def test_an_added_row_and_an_agent_chosen_on_the_map_are_brought_into_view(one):
    for _ in range(6):
        one.page.get_by_role("button", name="Add row").click()
    seen = """(() => { const box = document.querySelector("SECTION").getBoundingClientRect();
      const panel = document.querySelector(".scenario").closest("aside").getBoundingClientRect();
      return box.height > 0 && box.top >= panel.top - 1 && box.bottom <= panel.bottom + 1; })()"""
    one.until(seen.replace("SECTION", "[data-row='6']"))
    one.page.mouse.click(*pixel(one, 3, 20))
    one.until(seen.replace("SECTION", "[data-agent='0']"))


def test_saving_keeps_comments_and_running_shows_the_change(one, night):
    put(one, "script.0.at", "0.5")
    put(one, "agents.0.name", "Bell")
    one.page.get_by_role("button", name="Run").click()
    one.until("lastseenTest.status.ticks > 20 && lastseenTest.agents[0].name === 'Bell'")
    text = (night.folder / "night.yaml").read_text()
    assert text == TEXT.replace("at: 1,", "at: 0.5,").replace("Ames", "Bell")
    assert read_scenario(night.folder / "night.yaml").scenario.script[0].at == 0.5
    assert one.ask("lastseenTest.scenario.isDirty") is False
    one.until("lastseenTest.events.some(({ kind }) => kind === 'script')")


def test_a_file_changed_elsewhere_is_not_replaced_without_asking(one, night):
    put(one, "script.0.at", "2")
    (night.folder / "night.yaml").write_text(TEXT.replace("short", "longer"))
    one.page.locator("button.save").click()
    one.page.locator("dialog", has_text="has changed since you opened it").wait_for()
    one.page.get_by_role("button", name="Cancel").click()
    assert "longer" in (night.folder / "night.yaml").read_text()
    one.until("lastseenTest.scenario.isDirty")


def test_a_level_that_was_only_looked_at_leaves_no_draft(rooms, window):
    for _ in range(2):
        one = window(rooms)
        one.key("8")
        one.until("lastseenTest.scenario?.isReady")
        assert not one.ask("lastseenTest.scenario.isDirty")
        assert one.page.locator("dialog[open]").count() == 0
        one.page.reload()
        one.until("lastseenTest.agents.length > 0")
        assert not one.ask("Object.keys(localStorage).some((key) => key.includes('draft.scenario'))")


def test_unsaved_work_is_restored_from_its_draft(one, night, window):
    put(one, "agents.0.name", "Cole")
    one.until("Object.keys(localStorage).some((key) => key.includes('draft.scenario'))")
    one.page.close(run_before_unload=False)
    again = window(night)
    again.key("8")
    again.page.get_by_role("button", name="Restore").click()
    again.until("lastseenTest.scenario?.value.agents?.[0].name === 'Cole' && lastseenTest.scenario.isDirty")


def test_a_level_begins_a_new_scenario_with_its_agents(rooms, window):
    one = window(rooms)
    one.key("8")
    one.until("lastseenTest.scenario?.isReady && lastseenTest.scenario.faults?.length === 0")
    assert [agent["name"] for agent in one.ask("lastseenTest.scenario.value.agents")] == ["Ames", "player"]
    place = one.page.locator("[data-key='agents.0.at']")
    assert (place.input_value(), place.get_attribute("placeholder")[:1]) == ("", "["), "where its spawn is"
    one.page.locator("button.save").click()
    one.until("lastseenTest.scenario.digest")
    assert read_scenario(rooms.folder / "rooms scenario.yaml").scenario.level == "rooms"
