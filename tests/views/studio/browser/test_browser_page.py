"""The page in a real browser: two tabs, and two themes."""

from __future__ import annotations

import pytest

from lastseen.reasoning.chase import predictors
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


def test_the_legend_of_a_page_that_gets_narrow_makes_room_for_the_modes(rooms, window):
    one = window(rooms)
    one.until("document.querySelector('#legend details').open")
    one.page.set_viewport_size({"width": 390, "height": 844})
    one.until("!document.querySelector('#legend details').open")
    one.until("document.querySelector('#rail').scrollHeight <= document.querySelector('#rail').clientHeight")


class Ahead:
    """A predictor of its own, which has no settings."""

    def predict(self, loss):
        return loss.seen_at + loss.heading


@pytest.fixture
def with_own(tmp_path, monkeypatch):
    monkeypatch.setattr(predictors, "_registered", {})
    predictors.register_predictor(Ahead, "ahead")
    with serving(tmp_path, "rooms") as served:
        yield served


def test_settings_of_floods_are_off_for_other_predictors(with_own, window):
    one = window(with_own)
    one.key("3")
    one.until("document.querySelector('.whatif .result')")
    assert one.page.get_by_label("Heat H", exact=True).is_enabled()
    one.page.get_by_label("Preset", exact=True).select_option("ahead", timeout=10_000)
    one.until("document.querySelector('.whatif .slider input').disabled")
    one.page.get_by_label("Second preset").select_option("article")
    one.until("!document.querySelector('.whatif .slider input').disabled")


@pytest.fixture
def wide(tmp_path):
    floor = "." * 300
    rows = ["#" * 302, *[f"#{floor}#"] * 4, f"#P{floor[1:]}#", *[f"#{floor}#"] * 4, "#" * 302]
    (tmp_path / "wide.txt").write_text("\n".join(["name: Wide", "", "== ground z=0", *rows, ""]))
    with serving(tmp_path, "wide.txt") as served:
        yield served


def test_a_large_level_begins_at_the_player_without_empty_space(wide, window):
    one = window(wide)
    one.until("lastseenTest.project(2, 0)[0] - lastseenTest.project(1, 0)[0] > 13")
    assert 0 < one.ask("lastseenTest.project(0, 0)[0]") < 60


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
