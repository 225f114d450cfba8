"""Links in a real browser: they reopen what was open, the moment, the floor, the place and what is selected."""

from __future__ import annotations

import re

import pytest

from studio.server import serving

OPEN = "document.querySelector('#top select').value"
FLOOR = "document.querySelector('#rail .floor[aria-pressed=\"true\"]').textContent"


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("links"), "house") as found:
        with found.page() as page:
            page.say("step", ticks=40)
            page.say("save", name="run")
            page.until("saved")
        yield found


def copied(one) -> str:
    """Copy the link as a reader does."""
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.locator(".share summary").click()
    one.page.get_by_role("button", name="Copy link").click()
    one.hears("Copied: link.")
    return one.page.evaluate("navigator.clipboard.readText()")


def open_level(served, **what: str) -> None:
    with served.page() as page:
        page.say("open", **what)
        page.until("hello")


def test_a_link_reopens_the_recording_the_step_the_floor_the_place_and_the_cell(served, window):
    open_level(served, recording="run.rec")
    one = window(served)
    one.until("lastseenTest.status.ticks === 41")
    one.page.get_by_role("button", name="1", exact=True).click()
    for key in ("Home", ".", ".", ".", "+", "ArrowRight", "Shift+ArrowDown", "Shift+ArrowRight"):
        one.key(key)
    one.until("lastseenTest.tick === 3 && lastseenTest.selected?.kind === 'cell'")
    one.page.select_option("select.layer", "height")
    seen = "[lastseenTest.selected.cell, lastseenTest.scale.toFixed(1), lastseenTest.project(0, 0).map(Math.round)]"
    before, link = one.ask(seen), copied(one)
    assert "token=" in link
    one.page.close()

    open_level(served, level="rooms")
    other = window(link)
    other.until("lastseenTest.status.ticks === 41 && lastseenTest.tick === 3 && lastseenTest.selected")
    assert other.ask(FLOOR) == "1"
    assert other.ask(seen) == before
    assert other.ask("lastseenTest.mode") == "watch"
    other.until("lastseenTest.layer === 'height' && lastseenTest.overlays.includes('height')")
    assert "#" not in other.ask("location.href")  # a reload does not go back to it
    assert other.page.locator(".notice.wrong").count() == 0


def test_a_link_put_into_an_open_page_is_followed_and_says_what_is_not_here(served, window):
    open_level(served, level="rooms")
    one = window(served)
    link = f"{one.address}#level=house&difficulty=hard&mode=watch&tick=77&view=whole&floor=0&stack=1&cell=5&show=names"
    one.page.evaluate("(link) => { location.href = link; }", link)
    one.until(f"{OPEN} === 'level:house' && lastseenTest.selected?.cell === 5")
    one.until("lastseenTest.tilt === 1 && lastseenTest.mode === 'watch'")
    one.page.get_by_text("This link belongs to another run: moment not found.").wait_for()
    assert one.ask("document.querySelector('[aria-label=Difficulty]').value") == "hard"
    assert one.ask(
        "[...document.querySelectorAll('.chip[aria-pressed=\"true\"]')].map((chip) => chip.dataset.overlay)"
    ) == ["names"]
    one.page.evaluate("(link) => { location.href = link; }", re.sub("cell=5", "cell=999999", link))
    one.page.get_by_text("moment and cell not found").wait_for()
    one.page.evaluate("() => { location.hash = 'recording=gone.rec&tick=3&view=1,2,30&agent=0'; }")
    one.page.get_by_text("there is no file 'gone.rec'").wait_for()
    assert one.ask(f"[{OPEN}, lastseenTest.selected]") == ["level:house", None]
