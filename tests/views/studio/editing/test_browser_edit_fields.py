"""Levels drawn in a real browser: properties that are typed, stops of patrols, faults where they are."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lastseen.level.read import read_level
from studio.pen import begin, draw_two_rooms

HOSTILE = '<img src=x onerror="document.title=1">'


@pytest.mark.long
def test_properties_are_typed_and_written(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    pen.key("d")
    pen.drag((8.5, 2), (8.5, 3.5))
    panel = pen.window.page.locator(".chosen")
    panel.get_by_label("Name").fill(HOSTILE)
    panel.get_by_label("Name").press("Enter")
    panel.get_by_label("Height").fill("2.25")
    panel.get_by_label("Height").press("Enter")
    panel.get_by_label("Locked").check()
    assert pen.last()["properties"] == {"z": 0, "height": 2.25, "name": HOSTILE, "locked": True}
    pen.key("Escape", "v")
    pen.click((12, 3))
    panel.get_by_label("Width").fill("10")
    panel.get_by_label("Width").press("Enter")
    assert pen.ring(1) == [(9, 0), (19, 0), (19, 6), (9, 6)]
    pen.window.page.get_by_label("Level name").fill(HOSTILE)
    pen.window.page.get_by_label("Level name").press("Enter")
    pen.key("Escape", "Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    level = read_level(Path(rooms.folder) / pen.edit["file"])
    assert (level.name, level.doors[0].name, level.doors[0].locked) == (HOSTILE, HOSTILE, True)
    pen.window.page.locator(".things summary").click()
    assert pen.window.page.locator(".thing", has_text=HOSTILE).count() == 1
    assert pen.window.ask("document.querySelectorAll('img').length") == 0


def test_a_trap_is_placed_with_its_effect_and_saved(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (14, 8))
    pen.key("t")
    pen.click((5, 4))
    panel = pen.window.page.locator(".chosen")
    panel.get_by_label("Effect").select_option("snare")
    panel.get_by_label("Holds for").fill("2.5")
    panel.get_by_label("Holds for").press("Enter")
    panel.get_by_label("Set by").fill("guards")
    panel.get_by_label("Set by").press("Enter")
    pen.key("Escape", "Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    (trap,) = read_level(Path(rooms.folder) / "level.geojson").traps
    assert (trap.xyz[:2], trap.team, trap.effect, trap.seconds) == ((5, 4), "guards", "snare", 2.5)


@pytest.mark.long
def test_a_platform_is_drawn_saved_and_opened_again(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (4, 6))
    pen.drag((8, 0), (12, 6))
    pen.key("b")
    pen.drag((4, 2), (8, 4))
    panel = pen.window.page.locator(".chosen")
    for label, word in (("Name", "bridge"), ("Position", "down")):
        panel.get_by_label(label).fill(word)
        panel.get_by_label(label).press("Enter")
    panel.get_by_label("Present at start").uncheck()
    pen.key("Escape", "Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    (bridge,) = read_level(Path(rooms.folder) / "level.geojson").platforms
    assert (bridge.name, bridge.at, bridge.present) == ("bridge", "down", False)
    assert bridge.outline_xyz[:, :2].tolist() == [[4, 2], [8, 2], [8, 4], [4, 4]]
    pen.say("Play level")
    pen.window.until("lastseenTest.mode === 'play'")
    pen.key("4")
    pen.window.until("lastseenTest.edit.isReady")
    assert pen.kinds() == ["floor", "floor", "platform"]


def test_stops_wait_and_turn_and_go_with_their_points(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (14, 8))
    pen.key("r")
    pen.click((1, 1), (9, 1), (9, 6), (1, 6))
    pen.key("Enter", "v")
    panel = pen.window.page.locator(".chosen")
    pen.click((9, 1))
    panel.get_by_label("Stop 2").select_option("wait")
    panel.get_by_label("Wait time").fill("4")
    panel.get_by_label("Wait time").press("Enter")
    pen.click((9, 6))
    panel.get_by_label("Stop 3").select_option("turn")
    panel.get_by_label("Facing").fill("90")
    panel.get_by_label("Facing").press("Enter")
    panel.get_by_label("At the end").select_option("stop")
    pen.key("Escape")
    pen.click((1, 6))
    pen.key("Delete")
    pen.drag((5, 1), (5, 3))
    pen.key("Escape", "]", "Control+z")
    assert pen.faults() == []
    pen.key("Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    (patrol,) = read_level(Path(rooms.folder) / "level.geojson").patrols
    assert [stop.xyz[:2] for stop in patrol.stops] == [(1, 1), (5, 3), (9, 1), (9, 6)]
    assert [(stop.action, stop.seconds) for stop in patrol.stops[1:3]] == [("move", 0), ("wait", 4)]
    assert (patrol.stops[3].action, patrol.loop_to) == ("turn", None)
    assert patrol.stops[3].heading == pytest.approx(np.pi / 2, abs=1e-5)
    pen.key("]")
    assert pen.ring() == [(2.5, 7.5), (4.5, 3.5), (2.5, -0.5), (7.5, -0.5)]


def test_a_fault_is_marked_where_it_is_until_it_is_mended(rooms, window):
    pen = begin(window, rooms, color_scheme="light")
    pen.key("l")
    pen.drag((0, 0), (8, 6))
    pen.key("g")
    pen.click((10, 8))
    (fault,) = pen.faults()
    assert (fault["severity"], fault["at"], fault["id"]) == ("error", [10, 8, 0], pen.last()["id"])
    spot = [*pen.window.ask("lastseenTest.project(10, 8)"), 24]
    assert pen.red(spot) > 100
    pen.key("v", "Escape")
    pen.say("Play level")
    pen.window.hears("Fix the errors first")
    pen.window.page.locator(".fault").click()
    assert pen.edit["selected"] == [fault["id"]]
    pen.window.until("document.querySelectorAll('.more .unit small').length === 4")
    assert pen.window.page.locator(".more .unit small").all_text_contents() == ["m/s", "°/s", "°", "m"]
    pen.drag((10, 8), (4, 3))
    assert pen.faults() == []
    assert pen.red(spot) == 0
    assert pen.window.page.get_by_text("No problems").is_visible()
