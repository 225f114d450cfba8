"""The page in a real browser: two tabs, and two themes."""

from __future__ import annotations

import pytest

from studio.server import serving


@pytest.fixture
def rooms(tmp_path):
    with serving(tmp_path, "rooms") as served:
        yield served


def test_two_tabs_show_one_game(rooms, window):
    one = window(rooms)
    other = one.open()
    one.until("lastseenTest.agents.length > 0", page=other)
    one.page.bring_to_front()
    one.key(".")
    one.until("lastseenTest.status.ticks === 2")
    one.until("lastseenTest.status.ticks === 2", page=other)
    assert one.ask("lastseenTest.status.digest") == one.ask("lastseenTest.status.digest", other)


def test_dark_and_light_differ_on_the_map(rooms, window):
    one = window(rooms, color_scheme="dark")
    assert one.ask("document.documentElement.dataset.theme") == "dark"
    one.keep()
    one.page.get_by_label("Light or dark").click()
    one.until("document.documentElement.dataset.theme === 'light'")
    assert one.changed() > 100_000


@pytest.mark.long
def test_chips_show_their_keys_on_laptops(rooms, window):
    one = window(rooms)
    for width in (1280, 1366, 1920):
        one.page.set_viewport_size({"width": width, "height": 768})
        one.until(f"innerWidth === {width}")
        shown = one.ask("""[...document.querySelectorAll('.chip')].map((chip) => {
          const key = chip.querySelector('kbd').getBoundingClientRect();
          const bar = chip.parentElement.getBoundingClientRect();
          return key.width > 4 && key.left >= bar.left && key.right <= bar.right + 0.5;
        })""")
        assert shown == [True] * 13, width
    # The list of levels and scenarios takes what room is left.
    assert one.ask("document.querySelector('#top select.runs').offsetWidth") > 180


@pytest.mark.long
def test_time_waits_until_somebody_looks_again(rooms, window):
    one = window(rooms)
    one.key("Space")
    one.until("lastseenTest.status.running && lastseenTest.newestTick > 3")
    one.page.close()
    other = window(rooms)
    other.hears("Paused at")
    assert not other.ask("lastseenTest.status.running")
    # One that does not go away by itself.
    other.page.evaluate("document.querySelector('#notices').innerHTML = '<p class=\"notice lasting\">Paused</p>'")
    other.page.locator("select.runs").select_option("level:corridor")
    other.until("document.querySelector('#notices .lasting') === null")
