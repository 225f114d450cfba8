"""The page in a real browser: two tabs, keys only, themes, and names that look like HTML."""

from __future__ import annotations

import pytest

from studio_server import serving

HOSTILE = '<img src=x onerror="document.title=1">'


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


def test_keys_alone_choose_modes_people_and_help(rooms, window):
    one = window(rooms)
    one.key("?")
    one.until("document.querySelector('#help').open")
    one.key("Escape")
    one.until("!document.querySelector('#help').open")
    one.key("2")
    one.until("lastseenTest.mode === 'watch'")
    for _ in range(60):
        one.key("Tab")
        if one.ask("document.activeElement.classList.contains('person')"):
            break
    one.key("Enter")
    one.until("lastseenTest.selected?.kind === 'agent'")
    one.key("Escape")
    one.until("lastseenTest.selected === null")


def test_dark_and_light_differ_on_the_map(rooms, window):
    one = window(rooms, color_scheme="dark")
    assert one.ask("document.documentElement.dataset.theme") == "dark"
    one.keep()
    one.page.get_by_label("Light or dark").click()
    one.until("document.documentElement.dataset.theme === 'light'")
    assert one.changed() > 100_000


@pytest.mark.parametrize("overlay", ["views", "patrols", "names", "cells"])
def test_an_overlay_changes_the_map_and_leaves_it_as_it_was(rooms, window, overlay):
    one = window(rooms)
    chip = one.page.locator(f'[data-overlay="{overlay}"]')
    pressed = chip.get_attribute("aria-pressed")
    one.until("!lastseenTest.status.running")
    one.keep()
    chip.click()
    one.until(f"lastseenTest.overlays.includes('{overlay}') === {str(pressed != 'true').lower()} || null")
    assert one.changed() > 100
    chip.click()
    one.until(f"lastseenTest.overlays.includes('{overlay}') === {pressed}")
    assert one.changed() == 0


def test_names_are_never_read_as_html(tmp_path, window):
    text = "name: NAME\n\n== ground z=0\n########\n#P....E#\n########\n".replace("NAME", HOSTILE)
    (tmp_path / "hostile.txt").write_text(text)
    with serving(tmp_path, "hostile.txt") as served:
        one = window(served)
        assert one.ask("document.querySelectorAll('img').length") == 0
        assert HOSTILE in one.ask("document.title") + one.ask("document.body.textContent")
