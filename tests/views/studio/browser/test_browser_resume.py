"""A run that is repeated, in a real browser: the page says how far it is, and calls it off by button or key."""

from __future__ import annotations

import pytest

from studio.browser import SIZE
from studio.server import serving


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("resume"), "corridor") as found:
        with found.page() as page:
            page.say("step", ticks=40)
            page.settle()
        yield found


@pytest.mark.parametrize("how", ["button", "Escape"])
def test_a_repeated_run_is_called_off_and_nothing_is_lost(served, tab, gate, how):
    one = tab(served)
    one.key("End")
    one.until("lastseenTest.tick === 40 && lastseenTest.events.length > 0")
    told = one.ask("[lastseenTest.events, lastseenTest.story, lastseenTest.status.digest]")
    one.key("Home")
    for _ in range(15):
        one.key(".")
    one.until("lastseenTest.status.tick === 15")
    one.key("Enter")
    box = one.page.locator(".repeating")
    box.wait_for()
    assert "up to 0:00.5" in box.inner_text()
    one.page.set_viewport_size({"width": 390, "height": 844})
    assert box.get_by_role("button", name="Cancel").bounding_box()["height"] < 44.0  # one line
    one.page.set_viewport_size(SIZE)
    if how == "button":
        box.get_by_role("button", name="Cancel").click()
    else:
        one.key("Escape")
    with served.page() as page:  # it was heard before the run goes on
        page.ask("cell", "cell", cell=1)
    gate.set()
    one.until("lastseenTest.status.repeating === null && document.querySelector('.repeating').hidden")
    assert one.ask("[lastseenTest.status.tick, lastseenTest.status.ticks]") == [15, 41]
    one.key("End")
    one.until("lastseenTest.tick === 40 && lastseenTest.status.tick === 40")
    assert one.ask("[lastseenTest.events, lastseenTest.story, lastseenTest.status.digest]") == told


def test_going_on_takes_away_the_bar_and_what_came_later(served, tab, gate):
    one = tab(served)
    one.key("Home")
    one.key(".")
    one.until("lastseenTest.status.tick === 1")
    one.key("Enter")
    one.page.locator(".repeating").wait_for()
    gate.set()
    one.until("lastseenTest.status.ticks === 2 && document.querySelector('.repeating').hidden")
    assert one.ask("lastseenTest.events.every(({ tick }) => tick <= 1)")
    with served.page() as page:
        page.say("step", ticks=39)
        assert page.settle()["ticks"] == 41
