"""A window of a real browser on the studio: waits for states of the page, and counts pixels of its map."""

from __future__ import annotations

import json
import shutil
from typing import Any
from urllib.parse import urlsplit

from playwright.sync_api import Browser, ConsoleMessage, Page, Request

NAMES = ("chromium", "chromium-browser", "google-chrome")
PATIENCE = 120.0
SIZE = {"width": 1280, "height": 800}
# The page forbids evaluating text later on, so the whole wait is one call.
WAIT = """async (milliseconds) => {
  const end = performance.now() + milliseconds;
  const holds = () => { try { return CONDITION; } catch { return null; } };
  while (!holds() && performance.now() < end) await new Promise((done) => setTimeout(done, 20));
  const found = holds();
  return { found, came: Boolean(found) };
}"""
PIXELS = """() => {
  const map = document.querySelector("#map");
  const ink = new OffscreenCanvas(map.width, map.height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const now = new Uint32Array(ink.getImageData(0, 0, map.width, map.height).data.buffer);
  const kept = window.keptPixels ?? new Uint32Array(0);
  let differ = Math.abs(now.length - kept.length);
  for (let at = 0; at < Math.min(now.length, kept.length); at++) if (now[at] !== kept[at]) differ++;
  if (KEEP) window.keptPixels = now;
  return differ;
}"""
# As text both ways: lists of thousands of numbers take seconds.
COLOURS = """(points) => {
  const map = document.querySelector("#map");
  const ink = new OffscreenCanvas(map.width, map.height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const ratio = map.width / map.clientWidth;
  const { data, width } = ink.getImageData(0, 0, map.width, map.height);
  return JSON.stringify(JSON.parse(points).map(([x, y]) => {
    const at = 4 * (Math.round(y * ratio) * width + Math.round(x * ratio));
    return [data[at], data[at + 1], data[at + 2]];
  }));
}"""
SPEED_REMARK = "GL Driver Message (OpenGL, Performance"
# Two pictures later whatever was asked for has been drawn.
DRAWN = "() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => done(true))))"

FRAMES = """async (count) => {
  for (; count > 0; count--) await new Promise((done) => requestAnimationFrame(done));
}"""

STILL = """async () => {
  for (let moving = [1]; moving.length; ) {
    await new Promise((done) => requestAnimationFrame(done));
    moving = document.getAnimations();
    await Promise.allSettled(moving.map((one) => one.finished));
  }
}"""


def chromium() -> str:
    """Return where the browser is; say what to do if there is none."""
    found = next(filter(None, map(shutil.which, NAMES)), None)
    assert found, f"no {' or '.join(NAMES)} here: `make test` installs it as root, else install the package 'chromium'"
    return found


class Window:
    """A page in a browser profile of its own.

    Attributes
    ----------
    complaints : errors of the page and of its console.
    strangers : requests to any other host.
    excused : what a test brings about itself; complaints that contain it do not count.
    """

    def __init__(self, browser: Browser, address: str, *, tour: bool = False, **options: Any):
        self.address = address
        self.host = urlsplit(address).netloc
        self.complaints: list[str] = []
        self.strangers: list[str] = []
        self.excused: str | None = None
        self.context = browser.new_context(viewport=SIZE, **options)
        self.context.set_default_timeout(1000.0 * PATIENCE)
        if not tour:
            self.context.add_init_script("localStorage.setItem('lastseen.tour', '[\"skipped\"]')")
        self.page = self.open()

    def open(self) -> Page:
        """Open another tab of the same profile; the first is `page`."""
        page = self.context.new_page()
        page.on("console", self._heard)
        page.on("pageerror", lambda error: self.complaints.append(str(error)))
        page.on("request", self._asked)
        page.on("websocket", lambda socket: self._went(socket.url))
        page.goto(self.address)
        return page

    def _heard(self, message: ConsoleMessage) -> None:
        # Reading back a picture drawn in software makes some drivers remark on speed, at random.
        remarks = (SPEED_REMARK, self.excused or SPEED_REMARK)
        is_excused = any(remark in message.text for remark in remarks)
        if message.type in ("error", "warning", "assert") and not is_excused:
            self.complaints.append(message.text)

    def _asked(self, request: Request) -> None:
        self._went(request.url)

    def _went(self, address: str) -> None:
        parts = urlsplit(address)
        if parts.netloc != self.host and parts.scheme not in ("data", "blob"):
            self.strangers.append(address)

    def until(self, condition: str, *, page: Page | None = None, seconds: float = PATIENCE) -> Any:
        """Wait until JavaScript is true of the page; return its value."""
        page = page or self.page
        found = page.evaluate(WAIT.replace("CONDITION", condition), seconds * 1000.0)
        if not found["came"]:
            state = page.evaluate("() => [lastseenTest.status, lastseenTest.overlays, lastseenTest.story]")
            raise AssertionError(f"never came true: {condition}; the page says {state}")
        return found["found"]

    def hears(self, words: str, *, times: int = 1) -> None:
        """Wait until the page has said this in messages so many times; on the page they soon go away."""
        self.until(f"lastseenTest.said.filter((one) => one.includes({json.dumps(words)})).length >= {times}")

    def ask(self, expression: str, page: Page | None = None) -> Any:
        """Return a value of the page now."""
        return (page or self.page).evaluate(f"() => ({expression})")

    def frames(self, count: int) -> None:
        """Wait until the page could have drawn so often, which takes longer on a loaded machine."""
        self.page.evaluate(FRAMES, count)

    def still(self) -> None:
        """Wait until nothing on the page moves by itself."""
        self.page.evaluate(STILL)

    def keep(self) -> None:
        """Remember the pixels of the map as they are."""
        self.page.evaluate(DRAWN)
        self.page.evaluate(PIXELS.replace("KEEP", "true"))

    def changed(self) -> int:
        """Return how many pixels of the map differ from those kept."""
        self.page.evaluate(DRAWN)
        return int(self.page.evaluate(PIXELS.replace("KEEP", "false")))

    def colours(self, pixels: Any) -> Any:
        """Return the colours (n, 3) of the map at pixels (n, 2)."""
        self.page.evaluate(DRAWN)
        return json.loads(self.page.evaluate(COLOURS, json.dumps([list(map(float, one)) for one in pixels])))

    def pixels(self, places: Any) -> Any:
        """Return where places (n, 3) in metres are on the map."""
        expression = "(places) => places.map((one) => lastseenTest.project(...one))"
        return self.page.evaluate(expression, [list(map(float, one)) for one in places])

    def module(self, name: str, expression: str) -> Any:
        """Return a value of one of the page's own modules, which is `it`."""
        take = f"const it = (await import('/page.js')).modules['{name}']"
        return self.page.evaluate(f"async () => {{ {take}; return {expression}; }}")

    def key(self, name: str) -> None:
        """Press and release a key."""
        self.page.keyboard.press(name)

    def pause(self) -> None:
        """Let no time pass, and wait until all of it is drawn."""
        if self.ask("lastseenTest.status.running"):
            self.key("Space")
        self.until("!lastseenTest.status.running && lastseenTest.tick === lastseenTest.status.tick")
