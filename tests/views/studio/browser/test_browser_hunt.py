"""A chase and a search in a real browser: the flood, which guard cleared what, and where each one goes and why."""

from __future__ import annotations

import numpy as np

from studio.map import LAST, around, blended, how_many, rgb


def test_a_flood_grows_ring_by_ring_keeps_off_its_barrier_and_plants_its_flag(shown, events):
    flood = events["flood"][0]
    cells = shown.game.stage.layout.arrays.cell_xyz
    warm, cold = (np.array(getattr(flood, name)) for name in ("warm", "cold"))
    values, heated = np.array(flood.values), np.array(flood.heated_in + flood.cold_in)
    steps, hot = flood.steps, values.max() + flood.steps - heated[values.argmax()]
    pixels = shown.near(cells[np.concatenate([warm, cold])])
    for tick in (12, 24):  # of 36 in which it grows
        shown.seek(flood.tick + tick)
        step = int(steps * tick * shown.game.recording.about.step / 1.2)
        left = np.where(heated <= step, hot - (step - heated), 0)
        inside, outside = (left > 0) & (heated < step), (left <= 0)
        with shown.switched("flood", pixels) as read:
            off, on = read()
            assert inside.sum() > 50
            right = blended(off[inside], on[inside], shown.scale("flood", left[inside], hot), least=0.3)
            assert right.mean() > 0.8
            assert (off[outside] == on[outside]).all(axis=1).mean() > 0.9
    shown.seek(flood.tick + 60)
    pixels = pixels[: len(warm)]
    flag = shown.near(np.array([flood.at]), by=(4.0, -18.5))
    barred = np.concatenate([around(one, 6) for one in shown.near(cells[list(flood.barrier)][:6])])
    with shown.switched("flood", np.concatenate([pixels, flag, barred])) as read:
        off, on = read()
        count = len(pixels)
        right = blended(off[:count], on[:count], shown.scale("flood", values, values.max()), least=0.3)
        assert right.mean() > 0.8
        assert np.abs(on[count] - shown.ink("flag")).max() < 10
        hatched = blended(off[count + 1 :], on[count + 1 :], shown.ink("ink"), least=0.5)
        assert 0.05 < hatched.mean() < 0.6  # lines, not an area


def test_each_guard_has_its_own_colour_for_what_it_cleaned(shown):
    shown.seek(LAST)
    owners = shown.game.now()[1][1]
    places = shown.game.stage.layout.arrays.cell_xyz
    guards = [number for number in np.unique(owners).tolist() if number]
    assert len(guards) == 2
    for number in guards:
        cells = np.flatnonzero(owners == number)
        colour = rgb(shown.window.module("colours.js", f"it.guardColour({number - 1})"))
        with shown.switched("layer cleaned", shown.near(places[cells])) as read:
            off, on = read()
            assert blended(off, on, colour, least=0.3).mean() > 0.75
        shown.only("layer cleaned")
        assert shown.page.hello["agents"][number - 1]["name"] in shown.window.page.locator(".team").inner_text()


def test_where_searchers_are_bound_for_is_framed(shown):
    columns = shown.seek(LAST)
    states = [shown.page.hello["vocabulary"]["states"][state] for state in columns["state"]]
    bound = [n for n, state in enumerate(states) if state == "search" and columns["going"][n]]
    assert bound
    for number in bound:
        colour = rgb(shown.window.module("colours.js", f"it.guardColour({number})"))
        pixels = around(shown.near(columns["goal"][[number]])[0], 14)
        with shown.switched("layer cleaned", pixels) as read:
            off, on = read()
            assert how_many(on, colour) > how_many(off, colour) + 20


def test_a_searcher_shows_the_places_it_ranked(shown):
    columns = shown.seek(LAST)
    states = [shown.page.hello["vocabulary"]["states"][state] for state in columns["state"]]
    number = states.index("search")
    shown.only()
    shown.window.page.locator(".person").nth(number).click()
    shown.window.until("document.querySelectorAll('.ranked tr').length > 2")
    told = [one for one in shown.game.events() if one.kind == "searches" and one.agent == number][-1]
    rows = shown.window.page.locator(".ranked tr").all_inner_texts()[1:]
    assert [int(row.split()[1]) for row in rows] == list(told.cells)
    assert [float(row.split()[2]) for row in rows] == [round(score, 2) for score in told.scores]
    assert "for " in shown.window.page.locator(".why .who").inner_text()  # how long it has done so
    pixels = around(shown.near(shown.game.stage.layout.arrays.cell_xyz[list(told.cells[:1])])[0], 10)
    assert how_many(shown.colours(pixels), shown.ink("accent")) > 25
    shown.window.key("Escape")
    shown.window.until("lastseenTest.selected === null")
    assert how_many(shown.colours(pixels), shown.ink("accent")) == 0
