"""Objects in a real browser: their signs on the map and in the legend, and their rows in the scenario editor."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.simulation.scenario.reader import read_scenario
from studio.map import around, how_many, rgb
from studio.server import serving

TEXT = """\
level: rooms
seconds: 20
ends: []
objects:
  - {name: bench, kind: workbench, place: [6, 2]}
  - {name: jewel, kind: item, place: [9, 8], seconds: 0.5}
agents:
  - {name: Rook, brain: thief, at: [9, 6], tasks: [{use: jewel, to: [3, 6]}], patrol: ""}
"""


@pytest.fixture
def one(tmp_path, window):
    (tmp_path / "shop.yaml").write_text(TEXT)
    with serving(tmp_path, "shop.yaml") as served:
        yield window(served)


def inked(one, x: float, y: float, ink: str) -> int:
    """Return how many of the pixels around a place have one of the page's inks."""
    spot = one.ask(f"lastseenTest.project({x}, {y})")
    found = np.array(one.colours(around(np.array(spot), 9)))
    return how_many(found, rgb(one.module("colours.js", f"it.theme.ink['{ink}']")))


def test_objects_are_drawn_where_they_are_and_explained_in_the_legend(one):
    one.pause()
    one.until("lastseenTest.objects.length === 2")
    words = one.page.locator("#legend").inner_text()
    assert "workbench" in words
    assert "item" in words
    assert inked(one, 6, 2, "door") > 20
    one.key("Space")
    one.until("lastseenTest.objects[1].state === 1")
    one.pause()
    one.still()
    at = one.ask("lastseenTest.objects[1].at")
    assert abs(at[0] - 3) < 1.3
    assert inked(one, at[0], at[1], "flag") > 20
    assert inked(one, 9, 8, "door") == 0


def test_the_editor_adds_an_object_where_one_clicks_and_shows_faults_at_its_fields(one, tmp_path):
    one.key("8")
    one.until("lastseenTest.scenario?.isReady && lastseenTest.scenario.faults?.length === 0")
    one.page.get_by_role("button", name="Add object").click()
    box = one.page.locator("#map").bounding_box()
    px, py = one.ask("lastseenTest.project(14, 7)")
    one.page.mouse.click(box["x"] + px, box["y"] + py)
    one.until("lastseenTest.scenario.value.objects.length === 3")
    one.page.locator("[data-key='objects.2.kind']").select_option("switch")
    one.until("lastseenTest.scenario.faults?.length === 1")
    assert "a switch needs 'zone'" in one.page.locator("[data-object='2'] .wrong").inner_text()
    one.page.locator("[data-key='objects.2.kind']").select_option("alarm")
    name = one.page.locator("[data-key='objects.2.name']")
    name.fill("bell")
    name.press("Tab")
    one.until("lastseenTest.scenario.faults?.length === 0")
    one.page.get_by_role("button", name="Add row").click()
    one.page.locator("[data-key='script.0.do']").select_option("alarm")
    one.page.locator("[data-key='script.0.when']").select_option("uses")
    one.until("lastseenTest.scenario.faults?.length === 2")
    for field, text in (("script.0.when.object", "bell"), ("script.0.place", "3, 3")):
        place = one.page.locator(f"[data-key='{field}']")
        place.fill(text)
        place.press("Tab")
    one.until("lastseenTest.scenario.faults?.length === 0")
    one.page.locator("#map").focus()
    one.key("Control+s")
    one.until("!lastseenTest.scenario.isDirty")
    scenario = read_scenario(tmp_path / "shop.yaml").scenario
    assert (scenario.objects[2].name, scenario.objects[2].kind) == ("bell", "alarm")
    assert scenario.script[0].when.object == "bell"
