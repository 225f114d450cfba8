"""A map of a game that stands still, in a real browser: what is shown on it, and in which colours."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import numpy as np

from lastseen.views.studio.answers.survey import Survey, frame_to_survey
from lastseen.views.studio.protocol.layers import layer_kinds
from studio.browser import Window
from studio.server import Page, Served, until

FAR_OFF = [41.5, 2.5, 0.0]
LAST = 620
ALL = [
    *("views", "flood", "layer search", "layer cleaned", "ghosts", "noises", "words", "ways"),
    *("patrols", "names", "mesh", "cells", "links"),
]
DRAWN_AS = {"layer search": "search", "layer cleaned": "cleaned"}
BESIDE = ["team", "zones", "barrier"]  # drawn with another
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
            until(lambda: (self.surveying.tick, self.surveying.shown) == (self.game.shown, (name,)))
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

    def agent(self, number: int) -> np.ndarray:
        return rgb(self.window.module("colours.js", f"it.agentColour({number}, 'patrol')"))

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
    """Return which pixels are what they were, mixed with the colour by a share of at least `least`."""
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


def surveyed(shown: Map) -> dict[str, np.ndarray]:
    """All layers that are not part of the run, of the step shown."""
    notes = shown.game.recording.about.notes
    survey = Survey(shown.game.stage, *(np.array(notes[name], np.int32) for name in ("watchers", "targets")))
    frame = frame_to_survey(shown.game)
    return {kind.name: survey.values(kind.name, frame) for kind in layer_kinds(shown.game.stage)[2:]}
