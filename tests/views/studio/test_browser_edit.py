"""Levels drawn in a real browser: all tools, undo, copies, faults where they are, saved, kept over a reload, played."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen.level.read import read_level
from lastseen.level.samples import sample
from lastseen.level.write import to_geojson
from lastseen.views.cli.main import cli
from lastseen.views.studio.tracing import traced
from studio_browser import DRAWN, Window
from studio_server import serving

HOSTILE = '<img src=x onerror="document.title=1">'
CHECKED = "lastseenTest.edit.faults !== null"
# How red a disc of the map is: pixels of the colour of errors within so many of a place.
RED = """([x, y, reach]) => {
  const map = document.querySelector("#map");
  const ratio = map.width / map.clientWidth;
  const ink = new OffscreenCanvas(map.width, map.height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const { data } = ink.getImageData((x - reach) * ratio, (y - reach) * ratio, 2 * reach * ratio, 2 * reach * ratio);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] - data[at + 1] > 90 && data[at] - data[at + 2] > 90) count++;
  return count;
}"""


class Pen:
    """A hand with a mouse on the drawing; places are metres."""

    def __init__(self, window: Window):
        self.window, self.mouse = window, window.page.mouse

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        box = self.window.page.locator("#map").bounding_box()
        right, down = self.window.ask(f"lastseenTest.project({x}, {y})")
        return box["x"] + right, box["y"] + down

    def click(self, *places: tuple[float, float]) -> None:
        for place in places:
            self.mouse.click(*self.pixel(*place))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.mouse.move(*self.pixel(*start))
        self.mouse.down()
        self.mouse.move(*self.pixel((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        self.mouse.move(*self.pixel(*end))
        self.mouse.up()

    def key(self, *names: str) -> None:
        for name in names:
            self.window.key(name)

    @property
    def edit(self) -> dict:
        return self.window.ask("lastseenTest.edit")

    def kinds(self) -> list[str]:
        return [feature["kind"] for feature in self.edit["features"]]

    def last(self) -> dict:
        return self.edit["features"][-1]

    def ring(self, number: int = -1) -> list[tuple[float, float]]:
        return [(x, y) for x, y, _ in self.edit["features"][number]["parts"][0]]

    def faults(self) -> list[dict]:
        self.window.until(CHECKED)
        return self.edit["faults"]

    def red(self, spot: list[float]) -> int:
        self.window.page.evaluate(DRAWN)
        return self.window.page.evaluate(RED, spot)

    def say(self, label: str) -> None:
        self.window.page.get_by_role("button", name=label, exact=True).click()

    def file(self, entry: str) -> None:
        self.window.page.locator(".file-menu summary").click()
        self.window.page.locator(".file-menu .entry", has_text=entry).click()


@pytest.fixture
def rooms(tmp_path):
    with serving(tmp_path, "rooms") as served:
        yield served


def begin(window, served, *, fresh: bool = True, **options: object) -> Pen:
    one = window(served, **options)
    one.key("4")
    one.until("lastseenTest.edit.isReady")
    pen = Pen(one)
    if fresh:
        pen.file("New level")
        one.until("lastseenTest.edit.source === 'new level'")
    return pen


def draw_two_rooms(pen: Pen) -> None:
    pen.key("l")
    pen.drag((0, 0), (8, 6))
    pen.drag((9, 0), (15, 6))
    pen.drag((8, 2), (9, 3.5))


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

    pen.say("Play this")
    pen.window.until("lastseenTest.mode === 'play' && lastseenTest.agents.length === 2")
    names = {agent["name"] for agent in pen.window.ask("lastseenTest.agents")}
    assert names == {guard.name, player.name}
    assert pen.window.page.locator("select").first.input_value() == "level:two rooms.geojson"


def test_every_change_can_be_taken_back_and_made_again(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    whole = pen.edit["features"]
    assert pen.edit["undo"] == ["draw floor"] * 3
    for count in (2, 1, 0):
        pen.key("Control+z")
        assert len(pen.edit["features"]) == count
    assert not pen.edit["isDirty"]
    pen.click((1, 1), (2, 1), (2, 2))
    pen.key("Control+z", "Control+z", "Control+z")
    assert pen.edit["features"] == []
    pen.key("Control+Shift+Z", "Control+Shift+Z", "Control+y")
    assert pen.edit["features"] == whole
    assert pen.edit["redo"] == 0
    pen.key("v")
    pen.click((3, 3))
    pen.drag((3, 3), (3, 4))
    assert pen.edit["undo"][3:] == ["move"]
    pen.key("ArrowLeft", "ArrowLeft")
    assert pen.ring(0)[0] == (-1.0, 1.0)
    assert pen.edit["undo"][3:] == ["move", "move"]
    pen.key("Control+z", "Control+z")
    assert pen.edit["features"] == whole


def test_things_are_selected_copied_and_removed(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    pen.key("g")
    pen.click((12, 1))
    pen.key("r")
    pen.click((12, 1), (14, 1), (14, 3))
    pen.key("Enter", "v")
    pen.drag((11, 0.2), (14.8, 3.6))
    assert len(pen.edit["selected"]) == 2
    pen.key("Control+c")
    pen.mouse.move(*pen.pixel(3, 3))
    pen.key("Control+v")
    guard, patrol = pen.edit["features"][-2:]
    assert (guard["properties"]["name"], patrol["properties"]["name"]) == ("guard 2", "patrol 2")
    assert guard["properties"]["patrol"] == "patrol 2"
    assert guard["parts"][0][0] == [2.0, 2.0, 0.0]
    pen.key("Control+d")
    assert len(pen.edit["features"]) == 9
    pen.key("Control+x")
    assert len(pen.edit["features"]) == 7
    pen.key("Control+a")
    assert len(pen.edit["selected"]) == 7
    pen.key("Escape", "Tab")
    assert pen.edit["selected"] == [pen.edit["features"][0]["id"]]
    pen.key("Shift+Tab", "Delete")
    assert pen.kinds() == ["floor"] * 3 + ["spawn", "patrol", "spawn"]
    assert pen.faults()[0]["what"].startswith("it follows patrol")


def test_outlines_are_shaped_by_their_corners_and_catch_one_another(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (8, 6))
    pen.drag((10, 0), (14, 6))
    pen.key("v")
    pen.click((12, 3))
    pen.drag((10, 6), (8.1, 5.9))
    assert pen.ring()[3] == (8.0, 6.0)
    pen.drag((12, 0), (12, -2))
    assert pen.ring() == [(10, 0), (12, -2), (14, 0), (14, 6), (8, 6)]
    pen.key("Delete")
    assert pen.ring() == [(10, 0), (14, 0), (14, 6), (8, 6)]
    pen.mouse.move(*pen.pixel(14, 6))
    pen.window.page.keyboard.down("Alt")
    pen.drag((14, 6), (14.13, 6.21))
    pen.window.page.keyboard.up("Alt")
    assert pen.ring()[2] == pytest.approx((14.13, 6.21), abs=0.04)
    assert pen.ring()[2] != (14.0, 6.0)
    pen.key("u")
    pen.drag((2, 2), (4, 4))
    assert [len(part) for part in pen.edit["features"][0]["parts"]] == [4, 4]
    assert pen.faults() == []
    pen.key("v", "Escape")
    pen.click((1, 1))
    pen.drag((4, 4), (9.5, 9.5))
    assert [fault["id"] for fault in pen.faults() if fault["severity"] == "error"] == [pen.edit["features"][0]["id"]]


def test_walls_and_doors_go_on_from_where_axes_end(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (14, 9))
    pen.key("w")
    pen.drag((7, 1), (7, 3.5))
    pen.key("d")
    pen.drag((7, 3.5), (7, 5))
    pen.key("w")
    pen.drag((7, 5), (7, 8))
    pen.drag((7, 2), (10, 2))  # from the middle of another
    rings = [np.array(pen.ring(number)) for number in (1, 2, 3, 4)]
    for ring, low, high in zip(rings[:3], (0.9, 3.5, 4.9), (3.6, 5.0, 8.1)):
        np.testing.assert_allclose([ring.min(axis=0), ring.max(axis=0)], [[6.9, low], [7.1, high]], atol=1e-6)
    np.testing.assert_allclose([rings[3].min(axis=0), rings[3].max(axis=0)], [[6.9, 1.9], [10.1, 2.1]], atol=1e-6)
    pen.key("o")  # blocks catch corners
    pen.drag((7.1, 3.6), (9, 4.5))
    np.testing.assert_allclose(np.array(pen.ring()).min(axis=0), [7.1, 3.6], atol=1e-6)


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
    pen.say("Play this")
    pen.window.until("lastseenTest.mode === 'play' && document.querySelectorAll('#rail .floor').length === 4")


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
    pen.say("Play this")
    assert pen.window.page.locator(".notice.wrong").is_visible()
    pen.window.page.locator(".fault").click()
    assert pen.edit["selected"] == [fault["id"]]
    pen.drag((10, 8), (4, 3))
    assert pen.faults() == []
    assert pen.red(spot) == 0
    assert pen.window.page.get_by_text("No faults").is_visible()


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
    pen.window.page.get_by_label("Name of the level").fill(HOSTILE)
    pen.window.page.get_by_label("Name of the level").press("Enter")
    pen.key("Escape", "Control+s")
    pen.window.page.locator(".ask button.main").click()
    pen.window.until("lastseenTest.edit.digest")
    level = read_level(Path(rooms.folder) / pen.edit["file"])
    assert (level.name, level.doors[0].name, level.doors[0].locked) == (HOSTILE, HOSTILE, True)
    pen.window.page.locator(".things summary").click()
    assert pen.window.page.locator(".thing", has_text=HOSTILE).count() == 1
    assert pen.window.ask("document.querySelectorAll('img').length") == 0


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
    panel.get_by_label("Waits").fill("4")
    panel.get_by_label("Waits").press("Enter")
    pen.click((9, 6))
    panel.get_by_label("Stop 3").select_option("turn")
    panel.get_by_label("Faces").fill("90")
    panel.get_by_label("Faces").press("Enter")
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


def test_unsaved_work_survives_a_reload(rooms, window):
    pen = begin(window, rooms, fresh=False)
    pen.key("c")
    pen.drag((2.2, 2.2), (3.2, 3.2))
    drawn = pen.edit
    assert drawn["isDirty"]
    # A name that is still being typed is work, too.
    pen.window.page.locator(".chosen input[type=text]").first.click()
    pen.window.page.keyboard.type("Crate")
    for answer in ("Take it up", "Throw it away"):
        pen.window.page.reload()
        pen.window.until("lastseenTest.agents.length > 0")
        pen.key("4")
        pen.say(answer)
        pen.window.until("lastseenTest.edit.isReady")
        found = pen.edit
        expected = len(drawn["features"]) - (answer != "Take it up")
        assert len(found["features"]) == expected
        assert found["isDirty"] == (answer == "Take it up")
        if found["isDirty"]:
            assert [one["properties"].get("name") for one in found["features"]][-1] == "Crate"
            assert [one["parts"] for one in found["features"]] == [one["parts"] for one in drawn["features"]]
            assert (found["file"], found["title"]) == (drawn["file"], drawn["title"])


def test_an_own_file_keeps_every_bit_and_the_changes_of_others(rooms, window):
    place = Path(rooms.folder) / "house.geojson"
    place.write_bytes(to_geojson(sample("house")))
    pen = begin(window, rooms, fresh=False)
    pen.file("Open")
    pen.window.page.locator(".choice", has_text="house.geojson").click()
    pen.window.until("lastseenTest.edit.source === 'house.geojson'")
    pen.window.page.get_by_label("Name of the level").fill("My house")
    pen.window.page.get_by_label("Name of the level").press("Enter")
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
    # Whoever is named by the map is found by the same numbers here, on the same side of the picture.
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


def test_keys_alone_draw_shape_and_select(rooms, window):
    pen = begin(window, rooms)
    pen.key("l", "Enter", "g", "Enter", "Shift+ArrowUp", "r", "Enter", "v", ".", "Insert", "ArrowDown")
    floor, guard, patrol = pen.edit["features"]
    (left, low), (right, _), (_, high), _ = [point[:2] for point in floor["parts"][0]]
    x, y, _ = guard["parts"][0][0]
    assert (right - left, high - low, x) == (6, 4, (left + right) / 2)
    assert y == (low + high) / 2 + 5
    assert [fault["id"] for fault in pen.faults()] == [guard["id"]]
    assert patrol["parts"][0] == [[x, y - 5, 0], [x + 0.5, y - 5.5, 0], [x + 1, y - 5, 0]]
    pen.key("Escape", "Escape", "Tab", "Tab", "Shift+ArrowDown")
    assert pen.edit["selected"] == [guard["id"]]
    assert pen.faults() == []
    pen.key("?")
    assert pen.window.page.get_by_text("Hiding place", exact=True).is_visible()
