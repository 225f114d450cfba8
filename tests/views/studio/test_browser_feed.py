"""A game of the user's own in the page: a toy loop streams frames, and the page shows them, then and later."""

from __future__ import annotations

import math
import threading
from collections.abc import Iterator

import pytest

import lastseen as ls
from lastseen.level.samples import sample
from lastseen.views.studio.session.feeds import empty_feed
from studio.browser import Window
from studio.server import Served, preparing, until

SEES, LOSES = 60, 140
"""Frames in which the guard of the toy loop sees and loses its target."""


@pytest.fixture
def served(tmp_path) -> Iterator[Served]:
    folder = tmp_path / "studio"
    folder.mkdir()
    with preparing(folder, empty_feed) as found:
        until(found.studio.ready.is_set)
        yield found


def play(feed: ls.studio.Feed, frames: int, first: int = 0) -> None:
    """Run a toy loop: a guard walks east, sees a thief, chases it and loses it."""
    for number in range(first, first + frames):
        chases = SEES <= number < LOSES
        place = (3.0 + number / 50.0, 3.0)
        feed.agent(
            "Ames",
            place,
            state="chase" if chases else "patrol",
            why=f"sees the thief {number}" if chases else "nothing to do",
            view=(4.0, 1.2),
            facts={"step": number},
        )
        feed.agent("thief", (6.0, 5.0), heading=1.5, state="sneaking")
        feed.point("last seen", (6.0, 5.0 + number / 100.0))
        feed.line("path", [place, (6.0, 5.0)])
        feed.number("alarm", math.sin(number / 20.0))
        if number in (SEES, LOSES):
            feed.event("sees" if number == SEES else "lost sight", agent="Ames", text=f"frame {number}")
        feed.frame(number / 60.0)


def newest(window: Window, tick: int) -> None:
    window.until(f"lastseenTest.status.ticks > {tick}")


def text(window: Window, selector: str) -> str:
    return window.page.inner_text(selector)


def test_an_earlier_moment_shows_everything_the_game_sent(served, window):
    page = window(served, ready=False)
    page.until("document.querySelector('.story')?.textContent.includes('lastseen.studio.connect()')")
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 200)
        newest(page, 199)
        page.until("lastseenTest.status.running && lastseenTest.tick > 195")
        assert text(page, ".live") == "● Live"
        page.page.click(".story .sentence:has-text('sees – frame 60')")
        page.until(f"lastseenTest.tick === {SEES} && !lastseenTest.status.running")
        ames, thief = page.ask("lastseenTest.agents")
        assert (ames["name"], thief["name"]) == ("Ames", "thief")
        assert ames["x"] == pytest.approx(3.0 + SEES / 50.0, abs=1e-5)
        assert thief["heading"] == pytest.approx(1.5, abs=1e-5)
        marks = page.ask("lastseenTest.marks")
        assert marks["points"] == [{"name": "last seen", "at": [6.0, 5.6, 0.0], "text": ""}]
        assert marks["lines"] == [{"name": "path", "points": [[4.2, 3.0, 0.0], [6.0, 5.0, 0.0]]}]
        assert {"views", "points", "lines", "names", "words"} <= set(page.ask("lastseenTest.overlays"))
        assert page.ask("lastseenTest.bubbles.length") == 1
        page.page.click(".person:has-text('Ames')")
        page.until("document.querySelector('.why')?.textContent.includes('sees the thief 60')")
        assert "chase for 0.0 s" in text(page, ".why")
        assert "1.2 m/s" in text(page, ".why")
        assert text(page, ".why .data tr") == "step\t60"
        page.page.click("[data-panel=numbers]")
        page.until("document.querySelector('[data-number=alarm] output')?.textContent === '0.1411'")
        assert math.sin(SEES / 20.0) == pytest.approx(0.1411, abs=5e-5)


def test_time_can_be_searched_while_the_game_goes_on(served, window):
    page = window(served, ready=False)
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 100)
        newest(page, 99)
        page.page.locator("#map").focus()
        page.key("Home")
        page.until("lastseenTest.tick === 0 && !lastseenTest.status.running")
        play(feed, 100, 100)
        newest(page, 199)
        assert page.ask("lastseenTest.tick") == 0
        assert text(page, ".live") == "Go live"
        page.page.click(".live")
        page.until("lastseenTest.status.running && lastseenTest.tick > 190")
        play(feed, 50, 200)
        page.until("lastseenTest.tick > 240")
        assert [one["kind"] for one in page.ask("lastseenTest.events") if one["kind"] == "reported"] == ["reported"] * 2
    page.until("document.querySelector('.feed-note').textContent === 'not connected'")
    assert page.page.locator(".live").is_hidden()
    page.key("Home")
    page.until("lastseenTest.tick === 0")
    page.key("Space")
    page.until("lastseenTest.tick > 20")


def test_a_pause_right_after_going_live_holds(served, window):
    page = window(served, ready=False)
    space = "document.body.dispatchEvent(new KeyboardEvent('keydown', { key: ' ', code: 'Space', bubbles: true }))"
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 100)
        newest(page, 99)
        page.page.locator("#map").focus()
        page.key("Home")
        page.until("lastseenTest.tick === 0 && !lastseenTest.status.running")
        page.ask(f"[document.querySelector('.live').click(), {space}]")
        page.until("lastseenTest.tick === 99 && !lastseenTest.status.running")
        play(feed, 10, 100)
        newest(page, 109)
        assert not page.ask("lastseenTest.status.running")
        assert page.ask("lastseenTest.tick") == 99
        page.ask(f"[{space}, {space}, {space}]")
        page.until("lastseenTest.status.running && lastseenTest.tick > 105")


def test_points_and_lines_are_switched_off_by_name(served, window):
    page = window(served, ready=False)
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 5)
        newest(page, 4)
        page.page.click(".live")
        page.key("Space")
        page.until("!lastseenTest.status.running")
        page.keep()
        page.page.click("[data-mark='path']")
        assert page.page.get_attribute("[data-mark='path']", "aria-pressed") == "false"
        assert page.changed() > 100
        page.page.click("[data-mark='path']")
        page.until("document.querySelector(\"[data-mark='path']\").getAttribute('aria-pressed') === 'true'")
        assert page.changed() < 100
        assert page.page.locator("[data-overlay=cells]").count() == 0
        assert page.page.locator("[data-mode]").count() == 1


def test_agents_that_appear_later_and_names_that_are_hostile(served, window):
    page = window(served, ready=False)
    nasty = "<img src=x onerror=alert(1)>"
    with ls.studio.connect(nasty, address=served.address) as feed:
        for number in range(120):
            if number < 80:
                feed.agent("first", (number / 10.0, 0.0))
            if number >= 40:
                feed.agent(nasty, (0.0, 30.0), state=nasty, why=nasty, facts={nasty: nasty})
            if number == 80:
                feed.remove("first")
                feed.event(nasty, agent=nasty, text=nasty)
                feed.point(nasty, (0.0, 0.0))
                feed.number(nasty, 1.0)
            feed.frame(number / 60.0)
        newest(page, 119)
        page.until("lastseenTest.agents.length === 2 && lastseenTest.marks.points.length === 1")
        page.until(f"lastseenTest.story.some((one) => one.includes({nasty!r}))")
        page.page.click(".person >> nth=1")
        page.until("document.querySelector('.why h3') !== null")
        page.page.click("[data-panel=numbers]")
        page.until("document.querySelector('.number') !== null")
        assert page.page.locator("img").count() == 0
        page.until("lastseenTest.agents[0].mode === 3")  # gone


def test_a_saved_feed_opens_again(served, window):
    page = window(served, ready=False)
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 100)
        newest(page, 99)
        page.page.click("summary:has-text('Share')")
        assert page.page.locator(".entry:has-text('GIF')").is_hidden()
        page.page.fill("[aria-label='Recording name']", "mine")
        page.page.click("text=Save recording")
        page.hears("Saved mine.rec")
    page.page.select_option("#top select", "recording:mine.rec")
    page.until("lastseenTest.status.ticks >= 100 && lastseenTest.agents.length === 2 && !lastseenTest.feed.connected")
    page.page.click(".story .sentence:has-text('sees – frame 60')")
    page.until(f"lastseenTest.tick === {SEES} && lastseenTest.marks.points.length === 1")
    assert len(page.ask("lastseenTest.feed.series.alarm")) == 100


def test_a_level_opens_from_a_live_view(served, window):
    page = window(served, ready=False)
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 10)
        newest(page, 9)
        assert page.page.locator("[data-panel=bake]").is_hidden(), "a live view has nothing to bake"
        page.page.select_option("#top select", "level:corridor")
        page.until("lastseenTest.status.mode === 'play' && !document.querySelector('[data-panel=bake]').hidden")
    assert served.studio.director.game.stage.difficulty == "normal"


def test_the_page_is_back_when_the_studio_is_restarted(tmp_path, window):
    folder = tmp_path / "studio"
    folder.mkdir()
    stopping = threading.Event()

    def loop(feed: ls.studio.Feed) -> None:
        number = 0
        while not stopping.wait(0.01):
            play(feed, 1, number)
            number += 1

    with preparing(folder, empty_feed) as served:
        feed = ls.studio.connect("toy", level=sample("rooms"), address=served.address)
        thread = threading.Thread(target=loop, args=(feed,), daemon=True)
        thread.start()
        page = window(served, ready=False)
        page.excused = "ERR_CONNECTION_REFUSED"
        page.until("lastseenTest.status.running && lastseenTest.agents.length === 2")
    with preparing(folder, empty_feed, port=served.port):
        page.until("document.querySelector('#banner').hidden && lastseenTest.status.running && lastseenTest.tick > 30")
        before = page.ask("lastseenTest.tick")
        page.until(f"lastseenTest.tick > {before} + 20")
        stopping.set()
        thread.join()
        feed.close()
        page.page.close()


def test_on_a_phone_live_can_be_pressed(served, window):
    with ls.studio.connect("toy", level=sample("rooms"), address=served.address) as feed:
        play(feed, 40)
        one = window(served, has_touch=True, is_mobile=True)
        one.page.set_viewport_size({"width": 390, "height": 844})
        one.until("lastseenTest.status.ticks >= 40")
        one.key("Home")
        one.until("lastseenTest.tick === 0")
        live = one.page.get_by_role("button", name="Live").bounding_box()
        assert live["y"] + live["height"] <= 844
        one.page.get_by_role("button", name="Live").tap()
        one.until("lastseenTest.tick === lastseenTest.status.ticks - 1")
