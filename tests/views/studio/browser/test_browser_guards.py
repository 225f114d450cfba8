"""Guards in a real browser: a path is drawn, guards placed round it with rounds and views, sneaked past, and saved."""

from __future__ import annotations

import json

import numpy as np
import pytest

from lastseen.navmesh.query import raycasts
from studio.server import serving

PLACES = [[2.5, 9.0, 0.0], [12.0, 9.0, 0.0], [22.0, 9.0, 0.0]]


@pytest.fixture
def hall(tmp_path):
    with serving(tmp_path, "hall") as served:
        yield served


def rgb(text: str) -> np.ndarray:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], float)


def near(window, middle, colour, reach: int = 4) -> int:
    side = np.arange(-reach, reach + 1)
    pixels = np.array(middle) + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)
    return int((np.abs(np.array(window.colours(pixels), float) - colour).max(axis=1) < 30).sum())


def test_a_path_is_drawn_guards_placed_sneaked_past_and_saved(hall, window):
    one = window(hall, accept_downloads=True, color_scheme="light")
    one.key("7")
    one.until("lastseenTest.mode === 'guards'")
    assert one.page.locator("[data-act=place]").is_disabled()
    assert {style(one, act) for act in ("place", "verify", "save")} == {("0.45", "default")}
    assert style(one, "load") == ("1", "pointer")
    box = one.page.locator("#map").bounding_box()
    for x, y in one.pixels([*PLACES, PLACES[0]]):
        one.page.mouse.click(box["x"] + x, box["y"] + y)
    one.until("lastseenTest.guards.path.length === 4")
    one.key("Backspace")
    one.until("lastseenTest.guards.path.length === 3")
    assert style(one, "place") == ("1", "pointer")
    accent = rgb(one.module("colours.js", "it.theme.ink.accent"))
    assert all(near(one, place, accent) > 20 for place in one.pixels(PLACES))
    one.page.get_by_label("Guards", exact=True).fill("2")
    one.page.locator("[data-act=place]").click()
    one.until("lastseenTest.guards.guards === 2")
    one.page.locator("#map").focus()
    one.key("Space")
    one.until("!lastseenTest.guards.playing")
    with one.page.expect_download() as download:
        one.page.locator("[data-act=save]").click()
    saved = json.loads(download.value.path().read_text())
    assert (download.value.suggested_filename, len(saved["features"])) == ("guards.geojson", 2)
    (hall.studio.folder.root / "mine.geojson").write_bytes(download.value.path().read_bytes())
    one.key("]")
    one.key("]")
    one.until("lastseenTest.guards.chosen === 1")
    assert one.page.locator("[data-guard='1']").get_attribute("aria-pressed") == "true"
    one.page.locator("[data-guard='0']").press("Enter")
    one.until("lastseenTest.guards.chosen === 0")
    one.page.get_by_label("Guards file").fill("mine.geojson")
    one.page.locator("[data-act=load]").click()
    one.until("lastseenTest.guards.isLoaded && !lastseenTest.guards.busy")
    assert one.page.evaluate("lastseenTest.guards.guards") == 2
    one.page.get_by_label("Guards", exact=True).fill("40")
    one.page.locator("[data-act=place]").click()
    one.page.get_by_text("Guards: at most 12").first.wait_for()
    one.page.locator("[data-act=cancel]").click()
    one.page.get_by_label("Guards", exact=True).fill("2")
    one.page.locator("[data-act=place]").click()
    one.until("!lastseenTest.guards.isLoaded && !lastseenTest.guards.busy")
    one.keep()
    one.page.locator("[data-act=verify]").click()
    success = one.until("lastseenTest.guards.success")
    assert one.changed() > 500, "ways are drawn"
    told = one.page.locator(".plan").inner_text()
    assert f"succeeded\t{success['hits']} of 20" in told
    assert "time limit\t60 s" in told
    assert "solvable\tyes" in told
    assert "intended path\tcan be walked unseen: " in told
    assert "exact search\tearliest arrival" in told
    one.page.locator("#map").focus()
    one.keep()
    one.key("Space")
    one.until("lastseenTest.guards.at > 1")
    assert one.changed() > 200, "they move"
    one.page.locator("[data-act=play]").click()
    one.until("lastseenTest.mode === 'play' && lastseenTest.agents.length > 0")
    names = [spec.name for spec in hall.studio.director.game.stage.setting.agents]
    assert names[:2] == ["guard 1", "guard 2"] or names[1:] == ["guard 1", "guard 2"]
    one.key("2")
    one.until("lastseenTest.mode === 'watch'")


def style(window, act: str) -> tuple[str, str]:
    read = "it => [getComputedStyle(it).opacity, getComputedStyle(it).cursor]"
    return tuple(window.page.locator(f"[data-act={act}]").evaluate(read))


def test_a_guard_looks_where_its_view_is_drawn(hall, window):
    one = window(hall, color_scheme="light")
    one.key("7")
    box = one.page.locator("#map").bounding_box()
    for x, y in one.pixels(PLACES):
        one.page.mouse.click(box["x"] + x, box["y"] + y)
    one.page.locator("#map").focus()
    one.key("Space")
    # Why a file, or a path, was refused stays in the panel until another path is drawn.
    one.page.locator("[data-act=load]").click()
    refused = one.page.locator(".guards-panel .wrong")
    refused.get_by_text("guards.geojson").wait_for()
    one.page.evaluate("document.querySelectorAll('.notice').forEach((it) => it.remove())")
    assert refused.is_visible()
    one.key("Backspace")
    one.until("lastseenTest.guards.path.length === 2")
    assert refused.count() == 0
    one.page.get_by_label("Guards", exact=True).fill("1")
    one.page.get_by_label("Guard type").select_option("standing")
    one.page.locator("[data-act=place]").click()
    one.until("lastseenTest.guards.guards === 1")
    guard = next(iter(hall.studio.director.placing._plans.values())).placement.routes[0]
    x, y, z, heading = guard.pose_at(0.0)
    ahead = [[x + 2.0 * np.cos(heading), y + 2.0 * np.sin(heading), z]]
    behind = [[x - 1.5 * np.cos(heading), y - 1.5 * np.sin(heading), z]]
    colour = rgb(one.module("colours.js", "it.guardColour(0)"))
    floor = rgb(one.module("colours.js", "it.theme.ink.floor"))
    seen, unseen = (np.array(one.colours(one.pixels(place)), float)[0] for place in (ahead, behind))
    np.testing.assert_allclose(seen, floor + 0.28 * (colour - floor), atol=14)
    assert np.abs(unseen - seen).max() > 20


def test_clicks_are_joined_by_shortest_paths(tmp_path, window):
    with serving(tmp_path, "warehouse") as served:
        one = window(served, color_scheme="light")
        one.key("7")
        one.until("lastseenTest.mode === 'guards'")
        box = one.page.locator("#map").bounding_box()
        # Through walls, then next to the level, without waiting for an answer.
        for x, y in one.pixels([[2.5, 2.5, 0.0], [42.5, 27.5, 0.0], [20.0, -0.8, 0.0]]):
            one.page.mouse.click(box["x"] + x, box["y"] + y)
        one.until("lastseenTest.guards.clicks.length === 3")
        first = one.page.evaluate("lastseenTest.guards.path")
        counts = one.page.evaluate("lastseenTest.guards.clicks")
        assert len(first) > 5
        assert counts[0] == 1
        assert counts[2] == len(first)
        mesh = served.studio.director.game.stage.layout.mesh
        assert raycasts(mesh, np.array(first[:-1]), np.array(first[1:])).reached.all()
        one.page.get_by_text("onto the floor").wait_for()
        one.page.get_by_text("The path joins 3 clicks").wait_for()
        one.key("Backspace")
        one.until(f"lastseenTest.guards.path.length === {counts[1]}")
        one.page.get_by_label("Guards", exact=True).fill("1")
        one.page.locator("[data-act=place]").click()
        one.until("lastseenTest.guards.guards === 1")
        assert one.page.evaluate("lastseenTest.guards.refused") == ""
