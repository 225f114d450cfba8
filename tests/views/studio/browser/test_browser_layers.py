"""Layers in a real browser: every value in the colour that the legend shows for it, and as a number."""

from __future__ import annotations

import numpy as np
import pytest

from lastseen.views.studio.protocol.layers import layer_kinds, packed_values
from studio.map import CHOOSE, LAST, around, blended, surveyed


def test_the_search_is_shown_as_values_of_its_scale(shown):
    shown.seek(LAST)
    values = shown.game.now()[1][0]
    cells = np.flatnonzero(values > 30)
    with shown.switched("layer search", shown.near(shown.game.stage.layout.arrays.cell_xyz[cells])) as read:
        off, on = read()
        assert len(cells) > 100
        assert blended(off, on, shown.scale("search", values[cells], 127), least=0.25).mean() > 0.8
        legend = shown.window.page.locator("#legend").inner_text()
        assert "search" in legend
        assert "127 of 127" in legend


@pytest.mark.parametrize("scheme", ["dark", "light"])
def test_what_is_painted_for_a_value_is_the_colour_the_legend_shows_for_it(shown, events, scheme):
    shown.window.module("colours.js", f"it.useTheme('{scheme}', false)")
    flood = events["flood"][0]
    shown.seek(flood.tick + 60)
    values = shown.game.now()[1][0]
    warm, heat = np.array(flood.warm), np.array(flood.values)
    pixels = shown.near(shown.game.stage.layout.arrays.cell_xyz)
    searched = np.setdiff1d(np.flatnonzero(values), [*warm, *flood.barrier, *flood.closed])
    shown.only("layer search", "flood")
    on, search, hot = shown.colours(pixels), shown.legend_colours("search"), shown.legend_colours("flood")
    for cells, wanted in (
        (searched, search[values[searched]]),
        (warm, hot[np.round(127 * heat / heat.max()).astype(int)]),
    ):
        assert len(cells) > 30
        assert (np.abs(on[cells] - wanted).max(axis=1) <= 3.0).mean() > 0.8
    assert np.abs(search[-1] - search[0]).max() > 60.0
    shown.only()
    shown.window.module("colours.js", "it.useTheme('light', false)")


def test_the_legend_lists_only_what_is_on_the_map(shown, events):
    def listed(*parts: str) -> bool:
        rows = "[...document.querySelectorAll('#legend [data-layer]')].map((row) => row.dataset.layer)"
        return shown.window.until(f"JSON.stringify({rows}) === JSON.stringify({list(parts)})")

    legend = shown.window.page.locator("#legend")
    shown.seek(20)  # no target has been seen yet
    chosen = ["views", "layer search", "flood"]
    shown.window.page.evaluate(CHOOSE, chosen)
    assert listed()
    assert "barrier" not in legend.inner_text()
    shown.window.until("[...document.querySelectorAll('#legend .states span')].some((it) => it.textContent === 'view')")
    states = legend.locator(".states").inner_text().split("\n")
    assert {"patrol", "player", "view", "exit"} <= set(states)
    assert not {"chase", "search", "flee"} & set(states)
    shown.seek(events["flood"][0].tick + 60)
    assert listed("search", "flood")
    assert "barrier" in legend.inner_text()
    signs = "[...document.querySelectorAll('#legend .states span')].map((it) => it.textContent)"
    shown.window.until(f"{signs}.includes('guess') && {signs}.includes('open door')")
    assert "last seen" not in shown.window.ask(signs)
    shown.only("layer search", "ghosts")
    shown.window.until(f"{signs}.includes('last seen')")
    assert not {"view", "guess"} & {*shown.window.ask(signs)}
    shown.only("layer search")
    assert listed("search")
    assert not {"view", "last seen"} & {*shown.window.ask(signs)}
    recording = shown.game.recording
    aware = next(tick for tick in range(LAST) if recording.frame(tick).columns["awareness"].max() > 0.2)
    assert shown.seek(aware)["awareness"].max() > 0.2
    shown.window.until(f"{signs}.includes('awareness')")
    assert shown.seek(0)["awareness"].max() == 0.0
    shown.window.until(f"!{signs}.includes('awareness')")
    shown.only()


def test_an_open_door_never_looks_closed(shown, events):
    """Floods and closed doors are both warm: an open door is floor with a frame, whatever is below."""
    tick = events["flood"][0].tick + 90
    shut = shown.seek(tick)["doors"]
    doors = [door for door, is_shut in zip(shown.game.stage.setting.level.doors, shut, strict=True) if not is_shut]
    assert len(doors) >= 3
    middles = np.array([[*door.outline_xy.mean(axis=0), 0.0] for door in doors])
    for theme in ("light", "dark"):
        shown.window.module("colours.js", f"it.useTheme('{theme}', false)")
        wanted = 0.82 * shown.ink("floor") + 0.18 * shown.ink("door")
        for overlay in ("flood", "layer search"):
            shown.only(overlay)
            assert (np.abs(shown.colours(shown.near(middles)) - wanted).max(axis=1) <= 4.0).all(), (theme, overlay)
    shown.only()
    shown.window.module("colours.js", "it.useTheme('light', false)")


def test_hiding_places_are_seen_on_any_layer(shown):
    shown.seek(LAST)
    points = shown.window.module("studio.js", "it.studio.hello.level.points")
    hiding = np.array([point["at"] for point in points if point["kind"] == "hiding place"])
    assert len(hiding)
    pixels = np.concatenate([around(pixel, 2) for pixel in shown.near(hiding)])
    with shown.switched("layer search", pixels) as read:
        off, on = read()
        np.testing.assert_array_equal(on, off)


def test_any_layer_is_shown_in_the_colours_of_its_scale(shown):
    shown.seek(150)
    shown.only()
    kinds = {kind.name: kind for kind in layer_kinds(shown.game.stage)[2:] if kind.is_offered}
    menu = shown.window.page.locator("select.layer option").evaluate_all("all => all.map((one) => one.value)")
    assert menu == ["", *kinds]
    values = surveyed(shown)
    cells = np.arange(0, len(shown.game.stage.layout), 5)
    pixels = shown.near(shown.game.stage.layout.arrays.cell_xyz[cells])
    off = shown.colours(pixels)
    for name, kind in kinds.items():
        shown.layer(name)
        on, steps = shown.colours(pixels), packed_values(kind, values[name])[cells].astype(float)
        said = steps > 0
        assert said.sum() >= 5, name
        colours = shown.scale(kind.scale, 127 - steps if kind.is_turned else steps, 127)
        assert blended(off[said], on[said], colours[said], least=0.3).mean() > 0.8, name
        assert (off[~said] == on[~said]).all(axis=1).mean() > 0.9 if (~said).any() else True, name
        assert (
            np.abs(on[said] - shown.legend_colours(name)[steps[said].astype(int)]).max(axis=1) <= 3.0
        ).mean() > 0.8, name
        legend = shown.window.page.locator(f"#legend [data-layer='{name}']").inner_text()
        assert kind.unit in legend, name
    shown.layer("")
    np.testing.assert_array_equal(shown.colours(pixels), off)


def test_layers_are_gone_through_by_keys_and_follow_the_step_shown(shown):
    shown.seek(150)
    shown.only()
    shown.window.key("j")
    shown.window.until("lastseenTest.layer === 'heat'")
    shown.window.key("Shift+J")
    shown.window.key("Shift+J")
    shown.window.until("lastseenTest.layer === 'areas'")
    shown.layer("guards")
    places = shown.game.stage.layout.arrays.cell_xyz
    then, before = surveyed(shown)["guards"], shown.colours(shown.near(places))
    shown.seek(400)
    shown.layer("guards")
    now = surveyed(shown)["guards"]
    nearer, changed = then - now > 8.0, (shown.colours(shown.near(places)) != before).any(axis=1)
    assert nearer.sum() > 30
    assert changed[nearer].mean() > 0.9
    shown.layer("")


def test_scales_grow_evenly_lighter_or_darker(shown):
    for scheme in ("dark", "light"):
        shown.window.module("colours.js", f"it.useTheme('{scheme}', false)")
        for name in ("flood", "search", "field", "light"):
            colours = np.array(shown.window.module("colours.js", f"it.scale('{name}')"), float) / 255.0
            linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
            lightness = np.cbrt(linear @ [0.2126, 0.7152, 0.0722])
            steps = np.diff(lightness) * np.sign(lightness[-1] - lightness[0])
            assert (steps[::1] > -0.004).all(), (scheme, name)
            assert abs(lightness[-1] - lightness[0]) > 0.12, (scheme, name)


def test_a_cell_tells_its_value_in_every_layer(shown):
    shown.seek(LAST)
    shown.only("layer search", "layer cleaned")
    values, owners = shown.game.now()[1]
    cell = int(np.flatnonzero((owners > 0) & (values > 0))[0])
    box = shown.window.page.locator("#map").bounding_box()
    x, y = shown.near(shown.game.stage.layout.arrays.cell_xyz[[cell]])[0]
    shown.window.key("2")
    shown.window.page.mouse.move(box["x"] + x, box["y"] + y)
    shown.window.until(f"document.querySelector('.under').innerText.includes('search {values[cell]} of 127')")
    shown.window.page.mouse.click(box["x"] + x, box["y"] + y)
    shown.window.until(f"lastseenTest.selected?.cell === {cell} || lastseenTest.selected?.kind === 'agent'")
    name = shown.page.hello["agents"][owners[cell] - 1]["name"]
    shown.window.until(f"document.querySelector('#side .body').innerText.includes('{name}')")
    assert str(values[cell]) in shown.window.page.locator("#side .body").inner_text()
    row = "#side [data-layer='{}'] td:last-child"
    shown.window.until(f"document.querySelector(`{row.format('walk')}`).innerText !== '…'")
    for kind in layer_kinds(shown.game.stage)[2:]:
        if kind.is_offered:
            text, value = (
                shown.window.page.locator(row.format(kind.name)).inner_text(),
                surveyed(shown)[kind.name][cell],
            )
            assert text == kind.nothing if np.isnan(value) else abs(float(text.split()[0]) - value) <= 0.51, kind.name
            assert np.isnan(value) or kind.unit.rstrip("s") in text
    shown.window.key("Escape")
