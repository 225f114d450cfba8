"""The panel Bake in a real browser: sliders bake again, what is baked is drawn, and the command is copied."""

from __future__ import annotations

import pytest

from studio.server import serving


@pytest.fixture(scope="module")
def house(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("bake"), "house") as found:
        yield found


@pytest.fixture
def one(house, window):
    page = window(house, color_scheme="light")
    page.key("2")
    page.page.locator("[data-panel=bake]").click()
    page.until("lastseenTest.bake.result && lastseenTest.bake.shown === lastseenTest.bake.number")
    return page


def slide(one, name: str, value: float) -> None:
    one.page.locator(f"[data-bake={name}]").fill(str(value))


def number(one, name: str) -> str:
    return one.page.locator(f"[data-number={name}] td").nth(1).inner_text()


def test_the_panel_begins_with_the_game_and_sliders_bake_again(one, house):
    own = house.studio.director.game.stage.layout
    assert number(one, "cells") == f"{len(own):,}"
    assert [one.page.locator(f"[data-bake={name}]").input_value() for name in ("cell", "radius", "slope")] == [
        "1",
        "0.3",
        "45",
    ]
    one.keep()
    slide(one, "cell", 0.5)
    one.until("lastseenTest.bake.result.cell === 0.5 && lastseenTest.bake.shown === lastseenTest.bake.number")
    assert one.changed() > 1_000
    assert one.ask("lastseenTest.bake.result.cells") > 3 * len(own)
    assert "+" in one.page.locator("[data-number=cells] td").nth(2).inner_text()
    assert one.ask("['mesh', 'cells'].every((name) => lastseenTest.overlays.includes(name))")
    area = one.ask("lastseenTest.bake.result.area")
    slide(one, "radius", 0.7)
    one.until("lastseenTest.bake.result.radius === 0.7")
    assert one.ask("lastseenTest.bake.result.area") < area
    one.page.locator("[data-act=reset]").click()
    one.until(f"lastseenTest.bake.result.cells === {len(own)} && lastseenTest.bake.result.radius === 0.3")


def test_only_the_last_of_many_moves_is_baked_and_shown(one):
    before = one.ask("lastseenTest.bake.number")
    for value in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75, 0.8):
        slide(one, "cell", value)
    one.until("lastseenTest.bake.result.cell === 0.8 && lastseenTest.bake.shown === lastseenTest.bake.number")
    assert one.ask("lastseenTest.bake.number") < before + 7


def test_the_command_is_copied(one):
    slide(one, "climb", 0.2)
    one.until("lastseenTest.bake.result.climb === 0.2")
    one.context.grant_permissions(["clipboard-read", "clipboard-write"])
    one.page.locator("[data-act=copy]").click()
    one.hears("Copied: command.")
    wanted = "lastseen bake house -o house.cells --cell 1 --radius 0.3 --climb 0.2 --slope 45"
    assert one.page.evaluate("navigator.clipboard.readText()") == wanted
    assert one.page.locator("code.command").inner_text() == wanted


def test_an_error_is_shown_in_the_panel_and_the_last_result_stays(one):
    before = one.ask("lastseenTest.bake.shown")
    slide(one, "radius", 1.5)
    slide(one, "slope", 0)
    one.page.locator("[data-bake=radius]").evaluate("(node) => { node.max = 9; node.value = 9; }")
    one.page.locator("[data-bake=radius]").dispatch_event("input")
    one.until("document.querySelector('.bake .wrong')")
    assert one.ask("lastseenTest.bake.shown") == before
    assert one.page.locator(".notice.wrong").count() == 0


def test_leaving_the_panel_shows_the_game_again(one):
    one.key("Escape")
    one.until("lastseenTest.bake.shown === null && !lastseenTest.overlays.includes('mesh')")


def test_the_result_is_shown_in_space(one):
    one.excused = "GPU stall due to ReadPixels"
    one.page.locator("#map").focus()
    one.key("9")
    one.until("lastseenTest.space?.triangles > 0 && lastseenTest.space.faces > 0")
    assert one.ask("lastseenTest.space.cells === lastseenTest.bake.result.cells")
    slide(one, "cell", 0.5)
    one.until("lastseenTest.bake.result.cell === 0.5 && lastseenTest.space.cells === lastseenTest.bake.result.cells")


def test_modes_with_a_panel_of_their_own_draw_nothing_that_was_baked(one):
    slide(one, "cell", 0.5)
    one.until("lastseenTest.bake.result.cell === 0.5 && lastseenTest.bake.shown === lastseenTest.bake.number")
    one.key("7")
    one.until("lastseenTest.mode === 'guards' && lastseenTest.bake.shown === null")
    one.key("2")
    one.until("lastseenTest.mode === 'watch' && lastseenTest.bake.shown === lastseenTest.bake.number")
