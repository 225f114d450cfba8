"""Every overlay in a real browser: its colour is where it belongs when it is on, and not when it is off."""

from __future__ import annotations

import base64
import json
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np
import pytest
from playwright.sync_api import Browser

from lastseen.views.studio.layers import layer_kinds, packed_values
from lastseen.views.studio.survey import Survey, instant_of
from studio_browser import Window
from studio_server import TOKEN, Page, Served, serving

FAR_OFF = [41.5, 2.5, 0.0]
LAST = 620
ALL = [
    *("views", "flood", "layer search", "layer cleaned", "ghosts", "noises", "words", "ways"),
    *("patrols", "names", "mesh", "cells", "links"),
]

DRAWN_AS = {"layer search": "search", "layer cleaned": "cleaned"}
BESIDE = ["team", "zones"]  # drawn with another
CHOOSE = """(names) => {
  const chips = [...document.querySelectorAll("[data-overlay]")].map((chip) => chip.dataset.overlay);
  for (const name of chips) {
    const chip = document.querySelector(`[data-overlay="${name}"]`);
    if ((chip.getAttribute("aria-pressed") === "true") !== names.includes(name)) chip.click();
  }
  return chips;
}"""
STRIP = """(layer) => {
  const strip = document.querySelector(`#legend [data-layer="${layer}"] canvas`);
  return [...strip.getContext("2d").getImageData(0, 0, strip.width, 1).data];
}"""


class Map:
    """A map of a game that stands still: one page without a screen says what is shown, the browser shows it."""

    def __init__(self, window: Window, page: Page, served: Served):
        self.window, self.page, self.game = window, page, served.studio.director.game
        self.surveying = served.studio.director.surveying

    def layer(self, name: str) -> None:
        """Show a surveyed layer, or none, of the step shown."""
        self.window.page.select_option("select.layer", name)
        self.window.until(f"lastseenTest.layer === {json.dumps(name or None)}")
        if name:
            end = time.monotonic() + 30.0
            while (self.surveying.tick, self.surveying.shown) != (self.game.shown, (name,)) and time.monotonic() < end:
                time.sleep(0.02)
            self.page.settle()  # it was sent
            self.window.until(f"lastseenTest.overlays.includes('{name}')")

    def seek(self, tick: int) -> dict:
        """Show a step; return its columns."""
        self.page.say("seek", tick=tick)
        self.page.settle()
        self.window.until(f"lastseenTest.status.tick === {tick} && Math.round(lastseenTest.tick) === {tick}")
        return self.game.recording.frame(tick).columns

    def only(self, *names: str) -> None:
        """Show these overlays and no others, and no surveyed layer."""
        self.layer("")
        found = self.window.page.evaluate(CHOOSE, list(names))
        assert sorted(found) == sorted(ALL)
        drawn = [DRAWN_AS.get(name, name) for name in names]
        self.window.until(f"{drawn}.every((name) => lastseenTest.overlays.includes(name))")
        if "ways" in names:
            self.window.until("lastseenTest.ways > 0")
        self.window.until(f"lastseenTest.overlays.every((name) => {[*drawn, *BESIDE]}.includes(name))")

    def near(self, places: np.ndarray, *, by: tuple[float, float] = (0.0, 0.0)) -> np.ndarray:
        """Return pixels of places (n, 3), moved by some pixels."""
        return np.array(self.window.pixels(places)).reshape(-1, 2) + by

    def colours(self, pixels: np.ndarray) -> np.ndarray:
        return np.array(self.window.colours(pixels), float).reshape(-1, 3)

    @contextmanager
    def switched(self, name: str, pixels: np.ndarray) -> Iterator[Callable[[], tuple[np.ndarray, np.ndarray]]]:
        """Give the colours at pixels with an overlay off and on; what was off before is so again."""
        self.only()
        off = self.colours(pixels)
        self.only(name)
        yield lambda: (off, self.colours(pixels))
        self.only()
        np.testing.assert_array_equal(self.colours(pixels), off)

    def ink(self, name: str) -> np.ndarray:
        return rgb(self.window.module("colours.js", f"it.theme.ink['{name}']"))

    def state(self, name: str) -> np.ndarray:
        return rgb(self.window.module("colours.js", f"it.stateColour('{name}')"))

    def legend_colours(self, layer: str) -> np.ndarray:
        """Return the 128 colours the legend shows for a layer, from its low end."""
        self.window.until(f"document.querySelector('#legend [data-layer=\"{layer}\"] canvas')")
        return np.array(self.window.page.evaluate(STRIP, layer), float).reshape(-1, 4)[:, :3]

    def scale(self, name: str, values: np.ndarray, high: float) -> np.ndarray:
        all_colours = np.array(self.window.module("colours.js", f"it.scale('{name}')"), float)
        return all_colours[np.round(127 * np.clip(values / high, 0, 1)).astype(int)]


def rgb(text: str) -> np.ndarray:
    return np.array([int(text[at : at + 2], 16) for at in (1, 3, 5)], float)


def blended(off: np.ndarray, on: np.ndarray, colour: np.ndarray, *, least: float = 0.05) -> np.ndarray:
    """Which pixels are what they were, mixed with the colour by a share of at least `least`?"""
    way = np.broadcast_to(colour, off.shape) - off
    share = ((on - off) * way).sum(axis=1) / np.maximum(1.0, (way**2).sum(axis=1))
    rest = np.abs(on - off - share[:, None] * way).max(axis=1)
    return (share >= least) & (share <= 1.05) & (rest < 12.0)


def around(pixel: np.ndarray, reach: int, every: int = 1) -> np.ndarray:
    """All pixels of a square, or every second."""
    side = np.arange(-reach, reach + 1, every)
    return pixel + np.stack(np.meshgrid(side, side), axis=-1).reshape(-1, 2)


def how_many(colours: np.ndarray, colour: np.ndarray, tolerance: float = 30.0) -> int:
    return int((np.abs(colours - colour).max(axis=1) < tolerance).sum())


@pytest.fixture(scope="module")
def shown(tmp_path_factory, browser: Browser) -> Iterator[Map]:
    """The warehouse: guards have seen somebody, lost them, and search; time stands still."""
    with serving(tmp_path_factory.mktemp("overlays"), "warehouse", "hard") as served, served.page() as page:
        page.say("input", move=[0, 1], gait="run")
        page.say("step", ticks=120)
        page.say("input")
        page.say("place", agent=page.hello["player"], at=FAR_OFF)
        for _ in range((LAST - 120) // 100):
            page.say("step", ticks=100)
        page.settle()
        window = Window(browser, f"http://{served.host}/?token={TOKEN.replace(' ', '%20')}", color_scheme="light")
        window.until("lastseenTest.agents.length > 0")
        yield Map(window, page, served)
        window.context.close()
        assert window.complaints == []
        assert window.strangers == []


@pytest.fixture
def events(shown):
    return {
        kind: [one for one in shown.game.events() if one.kind == kind] for kind in ("flood", "heard", "said", "lost")
    }


def test_views_tint_what_a_guard_looks_at(shown):
    columns = shown.seek(20)
    guard = shown.page.hello["watchers"][0]
    gaze = columns["gaze"][guard]
    ahead = columns["xyz"][guard] + np.outer([1.5, 2.0, 2.5, 3.0], [np.cos(gaze), np.sin(gaze), 0.0])
    behind = columns["xyz"][guard] - np.outer([1.5, 2.0], [np.cos(gaze), np.sin(gaze), 0.0])
    with shown.switched("views", shown.near(np.concatenate([ahead, behind]))) as read:
        off, on = read()
        tinted = blended(off, on, shown.state("patrol"))
        assert tinted[:4].sum() >= 3
        np.testing.assert_array_equal(off[4:], on[4:])


def test_a_flood_grows_ring_by_ring_keeps_off_its_barrier_and_plants_its_flag(shown, events):
    flood = events["flood"][0]
    cells = shown.game.stage.layout.arrays.cell_xyz
    warm, cold = (np.array(flood.data[name]) for name in ("warm", "cold"))
    values, heated = np.array(flood.data["values"]), np.array(flood.data["heated_in"] + flood.data["cold_in"])
    steps, hot = flood.data["steps"], values.max() + flood.data["steps"] - heated[values.argmax()]
    pixels = shown.near(cells[np.concatenate([warm, cold])])
    for tick in (12, 24):  # of 36 in which it grows
        shown.seek(flood.tick + tick)
        step = int(steps * tick * shown.game.recording.about.step / 1.2)
        left = np.where(heated <= step, hot - (step - heated), 0)
        inside, outside = (left > 0) & (heated < step), (left <= 0)
        with shown.switched("flood", pixels) as read:
            off, on = read()
            assert inside.sum() > 50
            right = blended(off[inside], on[inside], shown.scale("heat", left[inside], hot), least=0.3)
            assert right.mean() > 0.8
            assert (off[outside] == on[outside]).all(axis=1).mean() > 0.9
    shown.seek(flood.tick + 60)
    pixels = pixels[: len(warm)]
    flag = shown.near(np.array([flood.at]), by=(4.0, -18.5))
    barred = np.concatenate([around(one, 6) for one in shown.near(cells[flood.data["barrier"]][:6])])
    with shown.switched("flood", np.concatenate([pixels, flag, barred])) as read:
        off, on = read()
        count = len(pixels)
        right = blended(off[:count], on[:count], shown.scale("heat", values, values.max()), least=0.3)
        assert right.mean() > 0.8
        assert np.abs(on[count] - shown.ink("flag")).max() < 10
        hatched = blended(off[count + 1 :], on[count + 1 :], shown.ink("ink"), least=0.5)
        assert 0.05 < hatched.mean() < 0.6  # lines, not an area


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
    warm, heat = np.array(flood.data["warm"]), np.array(flood.data["values"])
    pixels = shown.near(shown.game.stage.layout.arrays.cell_xyz)
    searched = np.setdiff1d(np.flatnonzero(values), [*warm, *flood.data["barrier"], *flood.data["closed"]])
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


def surveyed(shown: Map) -> dict[str, np.ndarray]:
    """All layers that are not part of the run, of the step shown."""
    notes = shown.game.recording.about.notes
    survey = Survey(shown.game.stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))
    instant = instant_of(shown.game)
    return {kind.name: survey.values(kind.name, instant) for kind in layer_kinds(shown.game.stage)[2:]}


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
    shown.window.until("lastseenTest.layer === 'way out'")
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
        for name in ("heat", "search", "field", "light"):
            colours = np.array(shown.window.module("colours.js", f"it.scale('{name}')"), float) / 255.0
            linear = np.where(colours <= 0.04045, colours / 12.92, ((colours + 0.055) / 1.055) ** 2.4)
            lightness = np.cbrt(linear @ [0.2126, 0.7152, 0.0722])
            steps = np.diff(lightness) * np.sign(lightness[-1] - lightness[0])
            assert (steps[::1] > -0.004).all(), (scheme, name)
            assert abs(lightness[-1] - lightness[0]) > 0.3, (scheme, name)


def test_each_guard_has_its_own_colour_for_what_it_cleaned(shown):
    shown.seek(LAST)
    owners = shown.game.now()[1][1]
    places = shown.game.stage.layout.arrays.cell_xyz
    guards = [number for number in np.unique(owners).tolist() if number]
    assert len(guards) == 2
    for number in guards:
        cells = np.flatnonzero(owners == number)
        colour = rgb(shown.window.module("colours.js", f"it.whoColour({number - 1})"))
        with shown.switched("layer cleaned", shown.near(places[cells])) as read:
            off, on = read()
            assert blended(off, on, colour, least=0.3).mean() > 0.75
        shown.only("layer cleaned")
        assert shown.page.hello["agents"][number - 1]["name"] in shown.window.page.locator(".team").inner_text()


def test_where_searchers_are_bound_for_is_framed(shown):
    columns = shown.seek(LAST)
    states = [shown.page.hello["states"][state] for state in columns["state"]]
    bound = [n for n, state in enumerate(states) if state == "search" and columns["going"][n]]
    assert bound
    for number in bound:
        colour = rgb(shown.window.module("colours.js", f"it.whoColour({number})"))
        pixels = around(shown.near(columns["goal"][[number]])[0], 14)
        with shown.switched("layer cleaned", pixels) as read:
            off, on = read()
            assert how_many(on, colour) > how_many(off, colour) + 20


def test_ghosts_stand_where_somebody_was_seen_last(shown):
    shown.seek(LAST)
    shown.only("ghosts")
    ghost = shown.window.ask("lastseenTest.ghosts[0]")
    pixels = around(shown.near(np.array([[ghost["x"], ghost["y"], ghost["z"]]]))[0], 16)
    with shown.switched("ghosts", pixels) as read:
        off, on = read()
        assert blended(off, on, shown.ink("ghost"), least=0.3).sum() > 20


def test_sounds_spread_from_where_they_were_made(shown, events):
    heard = events["heard"][0]
    shown.seek(heard.tick + 9)
    centre = shown.near(np.array([heard.at]))[0]
    angles = np.linspace(0, 2 * np.pi, 60, endpoint=False)
    rings = np.concatenate([centre + r * np.stack([np.cos(angles), np.sin(angles)], axis=1) for r in range(8, 16)])
    with shown.switched("noises", rings) as read:
        off, on = read()
        assert blended(off, on, shown.ink("accent"), least=0.1).sum() > 40


def test_what_guards_say_stands_beside_them(shown, events):
    said = events["said"][0]
    columns = shown.seek(said.tick + 6)
    centre = shown.near(columns["xyz"][[said.agent]])[0]
    with shown.switched("words", around(centre, 60, 2)) as read:
        off, on = read()
        changed = (off != on).any(axis=1)
        assert changed.sum() > 200
        assert how_many(on[changed], shown.ink("ink"), 60.0) > 15
        assert how_many(on[changed], shown.ink("paper"), 4.0) > 60


@pytest.fixture
def noticing(tmp_path):
    """Guards of normal wits, who notice somebody by and by."""
    with serving(tmp_path, "warehouse", "normal") as served, served.page() as page:
        page.say("place", agent=page.hello["player"], at=[13.5, 16.5, 0.0])
        page.say("step", ticks=60)
        page.settle()
        yield served, page


def test_awareness_fills_an_arc_round_a_guard(noticing, window):
    served, page = noticing
    shown = Map(window(served, color_scheme="light"), page, served)
    shown.only()  # it belongs to the guard itself
    awareness = shown.game.recording.column("awareness")[:, :, 0]
    ticks, rows = np.nonzero((awareness > 0.3) & (awareness < 0.7))
    tick, row = int(ticks[0]), int(rows[0])
    columns, guard = shown.seek(tick), page.hello["watchers"][row]
    centre, share = shown.near(columns["xyz"][[guard]])[0], float(awareness[tick, row])
    size = 1.9 * shown.window.module("map/people.js", "it.signSize({scale: lastseenTest.scale})")
    state = page.hello["states"][columns["state"][guard]]
    colour = shown.state("suspicious" if state == "patrol" else state)
    filled = centre + size * turned(np.linspace(0.1, 0.9, 9) * share)
    assert how_many(shown.colours(filled), colour, 60.0) >= 7
    empty = centre + size * turned(share + np.linspace(0.15, 0.85, 7) * (1.0 - share))
    assert how_many(shown.colours(empty), colour, 60.0) <= 1


def turned(shares: np.ndarray) -> np.ndarray:
    """Directions on the screen after shares of a turn from the top, clockwise."""
    angle = 2 * np.pi * shares - np.pi / 2
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def test_ways_follow_the_floor_to_where_somebody_goes(shown):
    columns = shown.seek(60)
    ways = shown.game.ways(columns)
    for agent, way in ways.items():
        middles = (way[:-1] + way[1:]) / 2
        long = np.linalg.norm(np.diff(way, axis=0), axis=1) * 20 > 8
        colour = shown.state(shown.page.hello["states"][columns["state"][agent]])
        with shown.switched("ways", shown.near(middles[long])) as read:
            off, on = read()
            assert len(off)
            assert blended(off, on, colour, least=0.3).mean() > 0.7


def test_patrols_are_dotted_from_stop_to_stop(shown):
    shown.seek(10)
    for patrol in shown.page.hello["level"]["patrols"]:
        points = np.array([point for n, point in enumerate(patrol["points"]) if point not in patrol["points"][:n]])
        with shown.switched("patrols", shown.near(points)) as read:
            _, on = read()
            assert (np.abs(on - shown.ink("patrol-line")).max(axis=1) < 12).mean() > 0.7


def test_names_are_written_beside_people(shown):
    columns = shown.seek(10)
    guard = shown.page.hello["watchers"][0]
    with shown.switched("names", around(shown.near(columns["xyz"][[guard]])[0], 34)) as read:
        off, on = read()
        assert how_many(on, shown.ink("quiet"), 25.0) > how_many(off, shown.ink("quiet"), 25.0) + 15


def ground(shown) -> dict:
    return shown.page.ask("mesh", "mesh")


def test_the_navmesh_has_its_edges_and_a_tint(shown):
    shown.seek(10)
    faces = ground(shown)["faces"]
    count = np.frombuffer(base64.b64decode(faces["corners"]), "<u2").astype(int)
    xyz = np.frombuffer(base64.b64decode(faces["xyz"]), "<f4").reshape(-1, 3)
    shapes = np.split(xyz, np.cumsum(count)[:-1])
    edges = np.concatenate([(shape + np.roll(shape, -1, axis=0)) / 2 for shape in shapes])
    large = [shape.mean(axis=0) for shape in shapes if np.ptp(shape[:, 0]) > 3 and np.ptp(shape[:, 1]) > 3]
    with shown.switched("mesh", shown.near(np.concatenate([edges, large]))) as read:
        off, on = read()
        assert blended(off, on, shown.ink("mesh"), least=0.25)[: len(edges)].mean() > 0.8
        assert blended(off, on, shown.ink("mesh"), least=0.06)[len(edges) :].mean() > 0.8


def test_cells_are_a_grid(shown):
    shown.seek(10)
    arrays = shown.game.stage.layout.arrays
    inner = arrays.cell_grid[1:, 0] == arrays.cell_grid[:-1, 0] + 1
    column = arrays.cell_grid[1:][inner]
    lines = arrays.origin_xyz[:2] + column[:, :2] * arrays.size_xyz[:2] + [0.0, arrays.size_xyz[1] / 2]
    places = np.concatenate([lines, arrays.cell_xyz[1:][inner][:, 2:]], axis=1)
    pixels = shown.near(places)[::9]
    beside = np.concatenate([pixels - np.array([shift, 0]) for shift in (1, 0)])
    with shown.switched("cells", beside) as read:
        off, on = read()
        drawn = blended(off, on, shown.ink("grid"), least=0.1).reshape(2, -1).any(axis=0)
        assert drawn.mean() > 0.8


def test_links_join_cells(shown):
    shown.seek(10)
    cells = shown.game.stage.layout.arrays.cell_xyz.astype(float)
    links = np.frombuffer(base64.b64decode(ground(shown)["links"]["cells"]), "<u4").reshape(-1, 2)[::17]
    middles = 0.7 * cells[links[:, 0]] + 0.3 * cells[links[:, 1]]
    pixels = np.concatenate([shown.near(middles, by=(shift, shift)) for shift in (-0.5, 0.5)])
    with shown.switched("links", pixels) as read:
        off, on = read()
        assert blended(off, on, shown.ink("link"), least=0.15).reshape(2, -1).any(axis=0).mean() > 0.85


def test_doors_that_are_shut_differ_from_open_ones(shown):
    columns = shown.seek(10)
    shown.only()
    doors = [shape for shape in shown.page.hello["level"]["shapes"] if shape["kind"] == "door"]
    # between the middle and an edge: a cross lies over the middles of locked ones
    spots = [(np.mean(door["outline"], axis=0) + np.mean(door["outline"][:2], axis=0)) / 2 for door in doors]
    colours = shown.colours(shown.near(np.array([[*spot, 0.0] for spot in spots])))
    is_shut = np.array([columns["doors"][door["number"]] == 1 for door in doors])
    solid = np.abs(colours - shown.ink("door")).max(axis=1) < 6
    np.testing.assert_array_equal(solid, is_shut)
    assert 0 < is_shut.sum() < len(doors)


def test_a_cell_tells_its_value_in_every_layer(shown):
    shown.seek(LAST)
    shown.only("layer search", "layer cleaned")
    values, owners = shown.game.now()[1]
    cell = int(np.flatnonzero((owners > 0) & (values > 0))[0])
    box = shown.window.page.locator("#map").bounding_box()
    x, y = shown.near(shown.game.stage.layout.arrays.cell_xyz[[cell]])[0]
    shown.window.key("2")
    shown.window.page.mouse.move(box["x"] + x, box["y"] + y)
    assert f"search {values[cell]} of 127" in shown.window.page.locator(".under").inner_text()
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


def test_a_searcher_shows_the_places_it_ranked(shown):
    columns = shown.seek(LAST)
    states = [shown.page.hello["states"][state] for state in columns["state"]]
    number = states.index("search")
    shown.only()
    shown.window.page.locator(".person").nth(number).click()
    shown.window.until("document.querySelectorAll('.ranked tr').length > 2")
    told = [one for one in shown.game.events() if one.kind == "searches" and one.agent == number][-1].data
    rows = shown.window.page.locator(".ranked tr").all_inner_texts()[1:]
    assert [int(row.split()[1]) for row in rows] == told["cells"]
    assert [float(row.split()[2]) for row in rows] == [round(score, 2) for score in told["scores"]]
    assert "for " in shown.window.page.locator(".why .who").inner_text()  # how long it has done so
    pixels = around(shown.near(shown.game.stage.layout.arrays.cell_xyz[told["cells"][:1]])[0], 10)
    assert how_many(shown.colours(pixels), shown.ink("accent")) > 30
    shown.window.key("Escape")
    shown.window.until("lastseenTest.selected === null")
    assert how_many(shown.colours(pixels), shown.ink("accent")) == 0


@pytest.fixture
def house(tmp_path):
    with serving(tmp_path, "house") as served:
        yield served


def test_all_floors_are_seen_stacked(house, window):
    one = window(house, color_scheme="light", reduced_motion="reduce")
    layout = house.studio.director.game.stage.layout
    storeys = layout.mesh.face_storey[layout.cell_face]
    floor = rgb(one.module("colours.js", "it.theme.ink.floor"))
    places = [layout.arrays.cell_xyz[storeys == storey][::7] for storey in np.unique(storeys)]
    one.key("z")
    one.until("lastseenTest.tilt === 1")
    heights = []
    for storey in places:
        pixels = np.array(one.pixels(storey))
        colours = np.array(one.colours(pixels), float)
        assert how_many(colours, floor, 60.0) > 0.6 * len(pixels)
        heights.append(pixels[:, 1].mean())
    assert len(heights) == 2
    assert heights[0] > heights[1] + 100  # what is above is drawn above
    one.key("2")
    box = one.page.locator("#map").bounding_box()
    for storey, most in ((1, 0.9), (0, 0.5)):  # what is above covers something of what is below
        cells = np.flatnonzero(storeys == storey)[::13]
        found = []
        for x, y in np.array(one.pixels(layout.arrays.cell_xyz[cells])):
            one.page.mouse.move(box["x"] + x, box["y"] + y)
            found.append(one.page.locator(".under").inner_text().split(" ·")[0])
        assert len(cells) >= 6
        assert np.mean([told == f"cell {cell}" for told, cell in zip(found, cells)]) >= most, storey
    one.page.mouse.click(box["x"] + x, box["y"] + y)
    one.until("lastseenTest.selected")
