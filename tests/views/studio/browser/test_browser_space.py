"""The 3D view in a real browser: it shows level, cells, layers and agents, turns, zooms, pans and cuts off storeys."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from lastseen.views.studio.answers.replay_page import replay_page
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage_opening import opened, request_for
from specimens.recordings import LOST, recorded
from studio.map import rgb
from studio.server import serving

STALL = "GPU stall due to ReadPixels"  # of browsers that draw without a graphics card
NO_WEBGL = """const get = HTMLCanvasElement.prototype.getContext;
HTMLCanvasElement.prototype.getContext = function (kind, ...more) {
  return kind === "webgl2" ? null : get.call(this, kind, ...more);
};"""
PLACE = "(({ x, y, z, yaw, pitch, distance }) => ({ x, y, z, yaw, pitch, distance }))(lastseenTest.space)"
LOSE = "document.querySelector('#space').getContext('webgl2').getExtension('WEBGL_lose_context').loseContext()"
FINE = (
    "(({ clientWidth: w, clientHeight: h }) => lastseenTest.space.pixels === 4 * w * h)(document.querySelector('#map'))"
)


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("space"), "house") as found:
        yield found


def in_space(window, served, **options):
    """A page that shows the 3D view, in the mode Watch."""
    one = window(served, **({"color_scheme": "light"} | options))
    one.excused = STALL
    one.key("2")
    one.key("9")
    one.until("lastseenTest.space?.triangles > 0")
    rests(one)
    return one


def rests(one) -> None:
    """Wait until the fine picture is drawn, and no other follows."""
    before = -1
    while (now := one.ask("lastseenTest.space.pictures")) != before:
        before = now
        one.frames(15)
        one.until(FINE)


def from_above(one) -> None:
    """Look straight down."""
    for _ in range(5):
        one.key("Alt+ArrowUp")
    one.until("lastseenTest.space.pitch > 1.5")
    one.key("f")
    rests(one)


def screen(one) -> np.ndarray:
    """The colours of the map and what is below it, as seen."""
    data = one.page.locator("#stage").screenshot()
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"), float)


def colours(one, places) -> np.ndarray:
    picture, pixels = screen(one), np.round(one.pixels(places)).astype(int)
    return picture[pixels[:, 1], pixels[:, 0]]


def show_only(one, *names: str) -> None:
    for chip in one.page.locator("[data-overlay]").all():
        if (chip.get_attribute("aria-pressed") == "true") != (chip.get_attribute("data-overlay") in names):
            chip.click()


def seen_cells(served, z: float, above: float = 0.3) -> np.ndarray:
    """Middles of cells near a height."""
    cells = served.studio.director.game.stage.layout.arrays.cell_xyz.astype(float)
    return cells[np.abs(cells[:, 2] - z) < above]


def test_a_key_and_a_button_switch_between_map_and_space(house, window):
    one = in_space(window, house)
    assert one.ask("lastseenTest.overlays[0]") == "space"
    assert one.page.locator("#space").is_visible()
    one.page.locator("[data-view=deep]").click()
    one.until("lastseenTest.space === null")
    assert not one.page.locator("#space").is_visible()
    one.page.locator("[data-view=deep]").click()
    one.until("lastseenTest.space")
    one.key("4")  # the editor draws on the map
    one.until("lastseenTest.space === null && lastseenTest.edit")
    one.key("2")
    one.until("lastseenTest.space")


def test_floors_are_light_and_cells_have_the_colours_of_the_legend(house, window):
    one = in_space(window, house)
    show_only(one)
    upstairs = seen_cells(house, 3.0)[::3]
    floor = rgb(one.module("colours.js", "it.theme.ink.floor"))
    from_above(one)
    plain = np.abs(colours(one, upstairs) - floor).max(axis=1) < 20
    assert plain.mean() > 0.7  # the rest is behind agents and signs
    one.page.select_option("select.layer", "height")
    one.until("lastseenTest.overlays.includes('height') && lastseenTest.space.cells > 0")
    rests(one)
    legend = np.array(one.module("colours.js", "it.onFloor('field', 1)"), float)
    coloured = np.abs(colours(one, upstairs[plain]) - legend).max(axis=1) < 25
    assert coloured.mean() > 0.8


def test_the_navmesh_cells_and_links_are_drawn_on_request(house, window):
    one = in_space(window, house)
    show_only(one)
    rests(one)
    before = screen(one)
    for name in ("mesh", "cells", "links"):
        show_only(one, name)
        one.until(f"lastseenTest.overlays.includes('{name}')")
        rests(one)
        assert (np.abs(screen(one) - before).max(axis=2) > 10).sum() > 2_000, name
    show_only(one)
    rests(one)
    assert (np.abs(screen(one) - before).max(axis=2) > 10).sum() < 50


def test_dragging_turns_wheels_zoom_and_the_right_button_pans(house, window):
    one = in_space(window, house)
    before = one.ask(PLACE)
    mouse, box = one.page.mouse, one.page.locator("#map").bounding_box()
    x, y = box["x"] + 200, box["y"] + 80
    mouse.move(x, y)
    mouse.down()
    mouse.move(x + 100, y + 20, steps=4)
    mouse.up()
    turned = one.ask(PLACE)
    assert turned["yaw"] == pytest.approx(before["yaw"] - 0.75)
    assert turned["pitch"] == pytest.approx(before["pitch"] + 0.15)
    assert [turned[name] for name in ("x", "y", "distance")] == [before[name] for name in ("x", "y", "distance")]
    mouse.wheel(0, -300)
    one.until(f"lastseenTest.space.distance < {0.8 * before['distance']}")
    zoomed = one.ask(PLACE)
    mouse.down(button="right")
    mouse.move(x - 60, y, steps=3)
    mouse.up(button="right")
    panned = one.ask(PLACE)
    assert np.hypot(panned["x"] - zoomed["x"], panned["y"] - zoomed["y"]) > 1.0
    assert panned["yaw"] == zoomed["yaw"]
    one.key("f")
    one.until(f"Math.abs(lastseenTest.space.distance - {before['distance']}) < 8")


def test_keys_turn_tilt_pan_and_zoom(house, window):
    one = in_space(window, house)
    before = one.ask(PLACE)
    for key, name, sign in (("Alt+ArrowLeft", "yaw", -1), ("Alt+ArrowUp", "pitch", 1), ("+", "distance", -1)):
        one.key(key)
        assert np.sign(one.ask(PLACE)[name] - before[name]) == sign, key
    now = one.ask(PLACE)
    one.key("ArrowRight")
    moved = one.ask(PLACE)
    assert np.hypot(moved["x"] - now["x"], moved["y"] - now["y"]) > 0.5


def test_fingers_turn_and_pinch(house, window):
    one = in_space(window, house, has_touch=True)
    before = one.ask(PLACE)
    box = one.page.locator("#map").bounding_box()
    touch = one.context.new_cdp_session(one.page)

    def fingers(kind: str, *places: tuple[float, float]) -> None:
        points = [{"x": box["x"] + x, "y": box["y"] + y, "id": number} for number, (x, y) in enumerate(places)]
        touch.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": points})

    fingers("touchStart", (200, 100))
    fingers("touchMove", (260, 100))
    fingers("touchEnd")
    one.until(f"lastseenTest.space.yaw < {before['yaw'] - 0.3}")
    fingers("touchStart", (200, 100))
    fingers("touchStart", (200, 100), (300, 100))
    fingers("touchMove", (150, 100), (350, 100))
    fingers("touchEnd")
    one.until(f"lastseenTest.space.distance < {0.7 * before['distance']}")


def test_storeys_above_the_chosen_one_are_cut_off(house, window):
    one = in_space(window, house)
    show_only(one)
    upstairs = seen_cells(house, 3.0)[::5]
    rests(one)
    whole = colours(one, upstairs)
    one.page.get_by_role("button", name="0", exact=True).click()
    one.until("lastseenTest.space.cut < 3")
    rests(one)
    assert (np.abs(colours(one, upstairs) - whole).max(axis=1) > 8).mean() > 0.5
    assert "≤" in one.page.locator("#cut output").inner_text()
    one.key("0")
    one.until("lastseenTest.space.cut === null")
    rests(one)
    np.testing.assert_allclose(colours(one, upstairs), whole, atol=3)
    one.page.locator("#cut input").fill("1.5")
    one.until("lastseenTest.space.cut === 1.5")
    one.page.locator("#cut input").press("End")
    one.until("lastseenTest.space.cut === null")


def test_cells_and_agents_are_selected_by_click(house, window):
    one = in_space(window, house)
    box = one.page.locator("#map").bounding_box()
    for number, agent in enumerate(one.ask("lastseenTest.agents")):
        x, y = one.pixels([[agent["x"], agent["y"], agent["z"] + 1.0]])[0]
        one.page.mouse.click(box["x"] + x, box["y"] + y)
        assert one.ask("lastseenTest.selected") == {"kind": "agent", "number": number}
    layout = house.studio.director.game.stage.layout
    cells = np.flatnonzero(np.abs(layout.arrays.cell_xyz[:, 2] - 3.0) < 0.3)[::17]
    found = []
    for cell, (x, y) in zip(cells, one.pixels(layout.arrays.cell_xyz[cells])):
        one.page.mouse.click(box["x"] + x, box["y"] + y)
        found.append((one.ask("lastseenTest.selected") or {}).get("cell") == cell)
    assert len(found) >= 3
    assert np.mean(found) > 0.7  # the others are behind signs


def test_a_link_reopens_the_view(house, window):
    one = in_space(window, house)
    one.key("Alt+ArrowLeft")
    one.page.locator("#cut input").fill("2.0")
    one.until("lastseenTest.space.cut === 2")
    before = one.ask(PLACE)
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.locator(".share summary").click()
    one.page.get_by_role("button", name="Copy link").click()
    one.hears("Copied: link.")
    link = one.page.evaluate("navigator.clipboard.readText()")
    other = window(link)
    other.excused = STALL
    other.until("lastseenTest.space?.triangles > 0 && lastseenTest.space.cut === 2")
    assert other.ask(PLACE) == pytest.approx(before, abs=0.01)


@pytest.mark.parametrize("space", ["", "x", "1,2,3", "1,2,3,4,5,-6,0", "NaN,0,0,0,1,9,0", "0,0,0,0,99,1e9,0"])
def test_a_damaged_link_shows_the_usual_view(house, window, space):
    address = f"http://{house.host}/?token=the%20token%20of%20these%20tests#view=whole&mode=watch&space={space}"
    one = window(address)
    one.excused = STALL
    one.until("lastseenTest.space?.triangles > 0")
    assert all(np.isfinite(value) for value in one.ask(PLACE).values())


def test_agents_move_while_the_game_runs_and_nothing_is_drawn_while_it_rests(house, window):
    one = in_space(window, house)
    before = one.ask("lastseenTest.space.pictures")
    one.keep()
    one.key("Space")
    one.until(f"lastseenTest.space.pictures > {before + 20} && lastseenTest.status.tick > 30")
    one.pause()
    rests(one)
    before = one.ask("lastseenTest.space.pictures")
    one.page.mouse.move(500, 300)
    one.frames(30)
    assert one.ask("lastseenTest.space.pictures") == before
    assert one.changed() > 100  # names and signs follow
    rests(one)
    show_only(one)
    rests(one)
    for number, agent in enumerate(one.ask("lastseenTest.agents")):
        colour = rgb(one.module("colours.js", f"it.agentColour({number}, 'patrol')"))
        [[x, y]] = np.round(one.pixels([[agent["x"], agent["y"], agent["z"] + 1.0]])).astype(int)
        near = screen(one)[y - 6 : y + 7, x - 6 : x + 7].reshape(-1, 3)
        way = near / np.maximum(1.0, np.linalg.norm(near, axis=1, keepdims=True))
        assert (way @ (colour / np.linalg.norm(colour))).max() > 0.97, agent["name"]


def test_the_theme_changes_the_picture(house, window):
    one = in_space(window, house)
    light = screen(one)
    one.page.get_by_label("Light or dark theme").click()
    rests(one)
    assert screen(one).mean() < light.mean() - 60


def test_a_screenshot_holds_what_is_below_the_map(house, window):
    one = in_space(window, house)
    one.page.locator(".share summary").click()
    with one.page.expect_download() as download:
        one.page.get_by_role("button", name="Screenshot (PNG)").click()
    picture = np.asarray(Image.open(download.value.path()).convert("RGBA"))
    assert (picture[..., 3] == 255).all()
    assert len(np.unique(picture[..., :3].reshape(-1, 3), axis=0)) > 50


def test_without_webgl_the_page_says_so_and_the_map_goes_on(house, window):
    one = window(house, ready=False)
    one.context.add_init_script(NO_WEBGL)
    one.page.reload()
    one.until("lastseenTest.agents.length > 0")
    one.key("9")
    one.page.get_by_text("needs WebGL2").wait_for()
    assert one.ask("lastseenTest.space") is None
    one.keep()
    one.key("+")
    assert one.changed() > 1_000


def test_a_lost_graphics_card_leaves_the_map(house, window):
    one = in_space(window, house)
    one.page.evaluate(LOSE)
    one.page.get_by_text("stopped drawing").wait_for()
    one.until("lastseenTest.space === null")
    assert one.page.locator("[data-view=deep]").get_attribute("aria-pressed") == "false"


def test_a_replay_from_disk_has_the_view_as_well(tmp_path, window):
    recorded(LOST, tmp_path / "run.rec")
    place = tmp_path / "replay.html"
    place.write_bytes(replay_page(opened(Folder(tmp_path), request_for("run.rec")), 0, 60))
    one = in_space(window, place.as_uri())
    before = one.ask("lastseenTest.space.pictures")
    one.key("Space")
    one.until(f"lastseenTest.space.pictures > {before + 10}")


@pytest.mark.data
def test_a_dungeon_of_twenty_thousand_cells_is_shown(tmp_path, window, data):
    (tmp_path / "dungeon.obj").write_bytes((data / "recast" / "dungeon.obj").read_bytes())
    agents = "agents: [{name: Ames, at: [25.4, -3.8, 10]}, {name: Bell, at: [16.1, 45.7, 10]}]"
    (tmp_path / "dungeon.yaml").write_text(f"level: dungeon.obj\ncell: 0.3\n{agents}\n")
    with serving(tmp_path, "dungeon.yaml") as served:
        one = in_space(window, served)
        show_only(one, "cells", "mesh")
        one.until("lastseenTest.space.cells > 20000 && lastseenTest.space.faces > 0")
        assert one.ask("lastseenTest.space.triangles") == 10_133
