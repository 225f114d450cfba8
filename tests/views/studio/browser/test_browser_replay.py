"""A replay opened from disk in a real browser: it plays, scrubs and explains, and makes no requests."""

from __future__ import annotations

import pytest

from specimens.recordings import LOST
from studio.server import write_replay

IN_ONE_BREATH = """(keys) => {
  const pressed = (key) => new KeyboardEvent("keydown", { key, shiftKey: true, bubbles: true });
  for (const key of keys) document.querySelector(".lanes").dispatchEvent(pressed(key));
}"""
HOSTILE = '</script><img src=x onerror="document.title=1">'


@pytest.fixture(scope="module")
def replay(tmp_path_factory):
    return write_replay(tmp_path_factory.mktemp("browser_replay"), LOST)


def test_it_opens_plays_and_ends(replay, window):
    one = window(replay)
    assert one.ask("location.protocol") == "file:"
    assert one.ask("lastseenTest.status.ticks") == 526
    assert one.ask("lastseenTest.mode") == "watch"
    assert one.ask("lastseenTest.story[0]") == "Ames noticed something."
    one.keep()
    one.page.get_by_label("Speed").select_option("4")
    one.key("Space")
    one.until("lastseenTest.status.running && lastseenTest.tick > 20")
    one.page.locator(".lanes").focus()
    # In one breath, so that the run goes on meanwhile: keys count from where the one before led to.
    one.page.evaluate(IN_ONE_BREATH, ["End", "ArrowLeft"])
    for tick in (495, 465):
        one.until(f"lastseenTest.tick === {tick} && !lastseenTest.status.running")
        one.key("Shift+ArrowLeft")
    one.until("lastseenTest.tick === 435")
    one.key("Space")
    one.until("!lastseenTest.status.running && lastseenTest.status.ended?.reason === 'all calm'")
    assert one.ask("lastseenTest.status.tick") == 525
    assert one.changed() > 200
    one.key("r")
    one.until("lastseenTest.status.tick === 0")


@pytest.fixture
def one(replay, tab):
    """The replay at its first step."""
    found = tab(replay)
    found.key("Home")
    found.until("lastseenTest.tick === 0 && lastseenTest.status.tick === 0")
    return found


def test_scrubbing_there_and_back_shows_the_same(one):
    box = one.page.locator(".lanes").bounding_box()
    middle = box["x"] + box["width"] * 0.5, box["y"] + 6
    one.page.mouse.click(*middle)
    one.until("lastseenTest.tick > 100 && lastseenTest.tick === lastseenTest.status.tick")
    tick = one.ask("lastseenTest.tick")
    one.keep()
    one.key("End")
    one.until("lastseenTest.tick === 525")
    one.key(",")
    one.until("lastseenTest.tick === 524")
    assert one.changed() > 200
    one.page.mouse.click(*middle)
    one.until(f"lastseenTest.tick === {tick}")
    assert one.changed() == 0


def test_it_says_why(one):
    one.page.get_by_text("Ames noticed something.").click()
    one.until("lastseenTest.tick > 0 && lastseenTest.tick === lastseenTest.status.tick")
    one.page.locator(".person").first.click()
    one.page.get_by_text("What it knows").wait_for()
    assert "suspicious" in one.page.locator(".who").inner_text()
    one.page.locator("#side .back").click()
    one.page.get_by_text("Ames looked around, found nothing.").click()
    one.until("lastseenTest.tick > 60")
    one.page.locator(".person").first.click()
    one.page.locator(".tree .node.success").first.wait_for()
    assert "search" in one.page.locator(".who").inner_text()


@pytest.mark.parametrize("overlay", ["mesh", "links", "ways", "cells"])
def test_overlays_are_drawn_without_a_server(one, overlay):
    one.page.locator(".lanes").focus()
    for tick in (30, 60, 90, 120):  # the guard is on its way then
        one.key("Shift+ArrowRight")
        one.until(f"lastseenTest.tick === {tick}")
    one.keep()
    one.page.locator(f'[data-overlay="{overlay}"]').click()
    one.until(f"lastseenTest.overlays.includes('{overlay}')")
    assert one.changed() > 30
    one.page.locator(f'[data-overlay="{overlay}"]').click()


def test_surveyed_layers_are_shown_and_told_without_a_server(one):
    menu = one.ask("[...document.querySelectorAll('select.layer option')].map(({ value }) => value)")
    assert {"heat", "exposure", "danger", "noise", "hiding", "walk", "guards", "light", "clearance"} <= {*menu}
    one.page.select_option("select.layer", "walk")
    one.until("lastseenTest.overlays.includes('walk')")
    assert "m" in one.page.locator("#legend [data-layer=walk]").inner_text()
    for key in ("Shift+ArrowRight", "Shift+ArrowRight"):
        one.key(key)
    told = "document.querySelector('#side [data-layer=walk] td:last-child').textContent"
    near = one.until(f"/^[\\d.]+ m$/.test({told}) && {told}")
    one.keep()
    one.key("End")
    one.until(f"lastseenTest.tick === 525 && {told} !== '{near}'")  # the runner has gone elsewhere
    assert one.changed() > 1000
    # The runner is gone at the end: no distance is left to show, and none is listed.
    one.until("!document.querySelector('#legend [data-layer=walk]')")
    one.page.select_option("select.layer", "")


def test_what_needs_a_server_is_not_offered(one):
    assert one.ask("[...document.querySelectorAll('[data-mode]')].map((node) => node.dataset.mode)") == ["watch"]
    for key in "1345":
        one.key(key)
    assert one.ask("lastseenTest.mode") == "watch"
    one.page.locator(".share summary").click()
    words = one.page.locator(".share .menu").inner_text()
    assert "Screenshot" in words
    assert not [word for word in ("GIF", "HTML", "Save") if word in words]
    one.page.locator(".share summary").click()


def test_a_stretch_with_hostile_names(tmp_path, window):
    text = LOST.replace("name: lost", f"name: '{HOSTILE}'").replace("name: Ames", f"name: '{HOSTILE}'")
    one = window(write_replay(tmp_path, text, 60, 119))
    assert one.ask("lastseenTest.status.ticks") == 60
    assert one.ask("document.querySelectorAll('img').length") == 0
    assert one.ask("document.title") == f"{HOSTILE} · lastseen"
    assert one.ask("lastseenTest.agents[0].name") == HOSTILE
