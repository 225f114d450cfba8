"""Meshes in the editor, in a real browser: guards and exits are placed on them, saved next to them, and played."""

from __future__ import annotations

import json

import pytest

from lastseen.level.read import read_level
from studio.pen import Pen, begin
from studio.server import serving

HALL = """\
v 0 5 0\nv 10 5 0\nv 10 5 -8\nv 0 5 -8\nv 16 8 0\nv 16 8 -8\nv 24 8 0\nv 24 8 -8
f 1 2 3\nf 1 3 4\nf 2 5 6\nf 2 6 3\nf 5 7 8\nf 5 8 6
"""
"""A floor of 10 m x 8 m at z = 5, a ramp up to z = 8 at x = 16, and a floor from there to x = 24."""


@pytest.fixture
def hall(tmp_path):
    (tmp_path / "hall.obj").write_text(HALL)
    with serving(tmp_path, "hall.obj") as served:
        yield served


def place_guard_and_exit(pen: Pen) -> None:
    pen.key("g")
    pen.drag((13, 4), (11, 4))
    pen.key("x")
    pen.click((22, 6))


def test_a_guard_and_an_exit_are_placed_on_a_mesh_saved_and_played(hall, window, tmp_path):
    pen = begin(window, hall, fresh=False)
    start = pen.edit
    assert (start["mesh"], start["file"], start["title"]) == ("hall.obj", "hall.overlay.geojson", "hall")
    assert start["backdrop"]
    assert start["features"] == []
    assert not start["isDirty"]
    place_guard_and_exit(pen)
    pen.key("z")
    pen.drag((18, 1), (21, 3))
    pen.key("r")
    pen.click((13, 4), (2, 4), (2, 2))
    pen.key("Enter")
    assert pen.kinds() == ["spawn", "marker", "zone", "patrol"]
    assert pen.faults() == []
    assert pen.edit["isDirty"]
    pen.key("Control+s")
    pen.window.until("lastseenTest.edit.digest && !lastseenTest.edit.isDirty")
    assert pen.edit["source"] == "hall.obj"
    level = read_level(tmp_path / "hall.obj")
    assert level.spawns[0].xyz == (13.0, 4.0, 6.5)
    assert level.spawns[0].patrol == level.patrols[0].name
    assert level.markers[0].xyz == (22.0, 6.0, 8.0)
    assert [stop.xyz for stop in level.patrols[0].stops] == [(13, 4, 6.5), (2, 4, 5), (2, 2, 5)]
    assert len(level.zones) == 1
    assert "surface" not in json.loads((tmp_path / "hall.overlay.geojson").read_text())["lastseen"]
    assert sorted(path.name for path in tmp_path.iterdir()) == ["hall.obj", "hall.overlay.geojson"]

    pen.say("Play level")
    pen.window.until("lastseenTest.mode === 'play' && lastseenTest.agents.length === 2")
    assert level.spawns[0].name in {agent["name"] for agent in pen.window.ask("lastseenTest.agents")}
    assert pen.window.page.locator("select").first.input_value() == "level:hall.obj"


def test_what_lies_on_a_slope_is_shown_on_its_own_storey(window, tmp_path):
    upper = "v 0 9 0\nv 8 9 0\nv 8 9 -8\nv 0 9 -8\nf 9 10 11\nf 9 11 12\n"
    (tmp_path / "hall.obj").write_text(HALL + upper)
    with serving(tmp_path, "hall.obj") as served:
        pen = begin(window, served, fresh=False)
        assert len(pen.edit["storeys"]) == 2
        place_guard_and_exit(pen)
        pen.key("PageUp", "x")
        pen.click((3, 3))
        pen.key("Control+s")
        pen.window.until("lastseenTest.edit.digest")
        assert [one.xyz for one in read_level(tmp_path / "hall.obj").markers] == [(22, 6, 8), (3, 3, 9)]
        pen.window.page.reload()
        pen.window.until("lastseenTest.agents.length > 0")
        pen.key("4")
        pen.window.until("lastseenTest.edit.isReady")
        # The exit at z = 8 is nearer to the height of the upper storey, but that has no floor there.
        pen.window.until("document.body.innerText.includes('Objects on this floor (2)')")
        pen.key("PageUp")
        pen.window.until("document.body.innerText.includes('Objects on this floor (1)')")


def test_playing_saves_what_is_placed(hall, window, tmp_path):
    pen = begin(window, hall, fresh=False)
    place_guard_and_exit(pen)
    assert pen.faults() == []
    pen.say("Play level")
    pen.window.until("lastseenTest.mode === 'play' && lastseenTest.agents.length === 2")
    assert len(read_level(tmp_path / "hall.obj").spawns) == 1
    # Back in the editor it is the same drawing, and its changes can still be undone.
    pen.key("4")
    pen.window.until("lastseenTest.edit.isReady")
    assert pen.kinds() == ["spawn", "marker"]
    pen.key("Control+z")
    assert pen.kinds() == ["spawn"]
    assert pen.edit["isDirty"]


def test_the_backdrop_cannot_be_selected_changed_or_added_to(hall, window, tmp_path):
    pen = begin(window, hall, fresh=False)
    before = pen.edit["backdrop"]
    pen.click((5, 4))
    pen.drag((-1, -1), (25, 9))
    pen.key("Control+a", "Delete", "Tab")
    assert pen.edit["selected"] == []
    for key in "lum":
        pen.key(key)
        assert pen.edit["tool"] == "select"
    page = pen.window.page
    assert not page.locator("[data-tool=floor].tool").is_visible()
    assert page.locator("[data-tool=guard].tool").is_visible()
    assert page.locator(".level-title").is_disabled()
    assert pen.edit["backdrop"] == before
    assert not pen.edit["isDirty"]
    # Something off the mesh is an error, and is not played.
    pen.key("g")
    pen.click((5, 9.5))
    (fault,) = pen.faults()
    assert fault["id"] == pen.last()["id"]
    pen.say("Play level")
    pen.window.until("document.body.innerText.includes('Fix the errors first')")
    assert not (tmp_path / "hall.overlay.geojson").exists()


def test_unsaved_objects_survive_a_reload_and_a_foreign_change_is_asked_about(hall, window, tmp_path):
    pen = begin(window, hall, fresh=False)
    place_guard_and_exit(pen)
    pen.window.page.reload()
    pen.window.until("lastseenTest.agents.length > 0")
    pen.key("4")
    pen.say("Restore")
    pen.window.until("lastseenTest.edit.isReady")
    found = pen.edit
    assert (found["mesh"], found["isDirty"], pen.kinds()) == ("hall.obj", True, ["spawn", "marker"])
    assert found["backdrop"]
    other = '{"type": "FeatureCollection", "features": []}'
    (tmp_path / "hall.overlay.geojson").write_text(other)
    pen.key("Control+s")
    pen.window.page.locator(".ask").wait_for()
    assert pen.window.page.get_by_role("button", name="Save as …", exact=True).count() == 0
    assert (tmp_path / "hall.overlay.geojson").read_text() == other
    pen.say("Replace")
    pen.window.until("lastseenTest.edit.digest && !lastseenTest.edit.isDirty")
    assert len(read_level(tmp_path / "hall.obj").spawns) == 1
    # A level with floors can be drawn after it.
    pen.file("New level")
    pen.window.until("lastseenTest.edit.source === 'new level'")
    pen.key("l")
    assert (pen.edit["tool"], pen.edit["mesh"], pen.edit["backdrop"]) == ("floor", "", None)
