"""Levels drawn in a real browser: saved, checked and played; unsaved work is kept."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.level.read import read_level
from lastseen.level.samples import sample
from lastseen.level.tile_outlines import traced
from lastseen.level.write import to_geojson
from lastseen.views.cli.app.main import cli
from studio.pen import CHECKED, begin, draw_two_rooms


def test_a_level_is_drawn_saved_checked_and_played(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    pen.key("o")
    pen.click((2, 4), (3.5, 4), (3.5, 5), (2, 5))
    pen.key("Enter", "c")
    pen.drag((11, 3), (13, 4))
    pen.key("d")
    pen.drag((8.5, 2), (8.5, 3.5))
    pen.key("h")
    pen.click((14.5, 5.5))
    pen.key("g")
    pen.drag((12, 1), (12, 3))
    pen.key("p")
    pen.click((1, 1))
    pen.key("x")
    pen.click((14.5, 0.5))
    pen.key("r")
    pen.click((12, 1), (10, 1), (10, 5), (14, 5))
    pen.key("Enter")
    assert pen.faults() == []
    drawn = pen.edit
    assert pen.kinds() == ["floor"] * 3 + ["obstacle", "cover", "door", "hide", "spawn", "spawn", "marker", "patrol"]

    pen.key("Control+s")
    pen.window.page.locator(".ask input").fill("two rooms")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    place = Path(rooms.folder) / "two rooms.geojson"
    level = read_level(place)
    assert CliRunner().invoke(cli, ["level", "check", str(place)]).exit_code == 0
    outlines = [floor.outline_xyz.tolist() for floor in level.surface.polygons]
    assert outlines == [feature["parts"][0] for feature in drawn["features"][:3]]
    assert level.obstacles[0].outline_xy.tolist() == [[2, 4], [3.5, 4], [3.5, 5], [2, 5]]
    assert level.cover[0].outline_xy.tolist() == [[11, 3], [13, 3], [13, 4], [11, 4]]
    np.testing.assert_allclose(level.doors[0].outline_xy, [[8.6, 2], [8.6, 3.5], [8.4, 3.5], [8.4, 2]])
    guard, player = level.spawns
    assert (guard.xyz, guard.who, guard.patrol) == ((12.0, 1.0, 0.0), "guard", level.patrols[0].name)
    assert guard.heading == pytest.approx(np.pi / 2, abs=1e-5)
    assert (player.who, level.hiding_places[0].xyz, level.markers[0].kind) == ("player", (14.5, 5.5, 0.0), "exit")
    assert [stop.xyz[:2] for stop in level.patrols[0].stops] == [(12, 1), (10, 1), (10, 5), (14, 5)]

    pen.say("Play level")
    pen.window.until("lastseenTest.mode === 'play' && lastseenTest.agents.length === 2")
    names = {agent["name"] for agent in pen.window.ask("lastseenTest.agents")}
    assert names == {guard.name, player.name}
    assert pen.window.page.locator("select").first.input_value() == "level:two rooms.geojson"


def test_unsaved_work_survives_a_reload(rooms, window):
    pen = begin(window, rooms, fresh=False)
    pen.key("c")
    pen.drag((2.2, 2.2), (3.2, 3.2))
    drawn = pen.edit
    assert drawn["isDirty"]
    # A name that is still being typed is work, too.
    pen.window.page.locator(".chosen input[type=text]").first.click()
    pen.window.page.keyboard.type("Crate")
    for answer in ("Restore", "Discard"):
        pen.window.page.reload()
        pen.window.until("lastseenTest.agents.length > 0")
        pen.key("4")
        pen.say(answer)
        pen.window.until("lastseenTest.edit.isReady")
        found = pen.edit
        expected = len(drawn["features"]) - (answer != "Restore")
        assert len(found["features"]) == expected
        assert found["isDirty"] == (answer == "Restore")
        if found["isDirty"]:
            assert [one["properties"].get("name") for one in found["features"]][-1] == "Crate"
            assert [one["parts"] for one in found["features"]] == [one["parts"] for one in drawn["features"]]
            assert (found["file"], found["title"]) == (drawn["file"], drawn["title"])


def test_work_thrown_away_is_not_offered_again(rooms, window):
    pen = begin(window, rooms, fresh=False)
    pen.key("c")
    pen.drag((2.2, 2.2), (3.2, 3.2))
    # The server hears of it later than it is asked what was left.
    held = []
    pen.window.page.route("**/api/draft/drop*", lambda route: held.append(route))
    pen.window.page.reload()
    pen.window.until("lastseenTest.agents.length > 0")
    pen.key("4")
    pen.say("Discard")
    pen.window.until("lastseenTest.edit.isReady")
    assert not pen.edit["isDirty"]
    assert held
    for route in held:
        route.continue_()


def test_an_own_file_keeps_every_bit_and_the_changes_of_others(rooms, window):
    place = Path(rooms.folder) / "house.geojson"
    place.write_bytes(to_geojson(sample("house")))
    pen = begin(window, rooms, fresh=False)
    pen.file("Open")
    pen.window.page.locator(".choice", has_text="house.geojson").click()
    pen.window.until("lastseenTest.edit.source === 'house.geojson'")
    pen.window.page.get_by_label("Level name").fill("My house")
    pen.window.page.get_by_label("Level name").press("Enter")
    pen.key("Escape", "Control+s")
    pen.window.until("!lastseenTest.edit.isDirty")
    ours = json.loads(place.read_bytes())
    assert ours["lastseen"]["name"] == "My house"
    assert ours["features"] == json.loads(to_geojson(sample("house")))["features"]

    theirs = to_geojson(traced(sample("rooms")))
    place.write_bytes(theirs)
    pen.key("c")
    pen.drag((1, 1), (2, 2))
    pen.key("Control+s")
    pen.say("Cancel")
    assert place.read_bytes() == theirs
    assert pen.edit["isDirty"]
    pen.key("Control+s")
    pen.say("Replace")
    pen.window.until("!lastseenTest.edit.isDirty")
    assert len(read_level(place).cover) == len(sample("house").cover) + 1


def test_a_drawing_is_played_without_saving_it(rooms, window):
    one = window(rooms)
    people = one.ask("lastseenTest.agents.map(({ x, y, pixel }) => [x, y, pixel])")
    one.page.close()
    pen = begin(window, rooms, fresh=False)
    assert pen.edit["file"] == "rooms copy.geojson"
    # Agents have the same coordinates here as on the map, on the same side of the picture.
    drawn = sorted(thing["parts"][0][0][:2] for thing in pen.edit["features"] if thing["kind"] == "spawn")
    np.testing.assert_allclose(drawn, sorted([x, y] for x, y, _ in people), atol=0.3)
    heights = [pen.window.ask(f"lastseenTest.project({x}, {y})")[1] for x, y, _ in people]
    assert np.argsort(heights).tolist() == np.argsort([pixel[1] for _, _, pixel in people]).tolist()
    assert len({round(height) for height in heights}) == 2
    pen.key("g")
    pen.click((3, 3))
    pen.window.until(CHECKED)
    pen.key("Control+Enter")
    pen.window.until("lastseenTest.mode === 'play' && lastseenTest.agents.length === 3")
    assert list(Path(rooms.folder).iterdir()) == []
    pen.key("4")
    assert pen.edit["isDirty"]
    assert pen.kinds().count("spawn") == 3


@pytest.mark.long
def test_a_second_floor_is_reached_by_a_ramp(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (6, 4))
    pen.key("m")
    pen.drag((6, 0), (12, 2))
    pen.window.page.get_by_title("Add a floor above").click()
    pen.key("l")
    pen.drag((12, 0), (16, 4))
    pen.key("g")
    pen.click((14, 2))
    assert pen.edit["storeys"] == [0, 3]
    assert {point[2] for point in pen.edit["features"][1]["parts"][0]} == {0, 3}
    assert pen.last()["parts"][0][0] == [14, 2, 3]
    assert pen.faults() == []
    pen.key("PageDown", "v", "Control+a")
    assert len(pen.edit["selected"]) == 2
    pen.key("Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    level = read_level(Path(rooms.folder) / "level.geojson")
    assert [(floor.kind, floor.storey) for floor in level.surface.polygons] == [("floor", 0), ("ramp", 0), ("floor", 1)]
    pen.say("Play level")
    pen.window.until("lastseenTest.mode === 'play' && document.querySelectorAll('#rail .floor').length === 4")
