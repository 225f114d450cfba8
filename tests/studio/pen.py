"""A hand with a mouse on a drawing of the studio, in a real browser."""

from __future__ import annotations

from studio.browser import DRAWN, Window

CHECKED = "lastseenTest.edit.faults !== null"
# The number of pixels in the colour of errors within a radius of a place on the map.
RED = """([x, y, reach]) => {
  const map = document.querySelector("#map");
  const ratio = map.width / map.clientWidth;
  const ink = new OffscreenCanvas(map.width, map.height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const { data } = ink.getImageData((x - reach) * ratio, (y - reach) * ratio, 2 * reach * ratio, 2 * reach * ratio);
  let count = 0;
  for (let at = 0; at < data.length; at += 4) if (data[at] - data[at + 1] > 90 && data[at] - data[at + 2] > 90) count++;
  return count;
}"""


class Pen:
    """A hand with a mouse on the drawing; places are metres."""

    def __init__(self, window: Window):
        self.window, self.mouse = window, window.page.mouse

    def pixel(self, x: float, y: float) -> tuple[float, float]:
        box = self.window.page.locator("#map").bounding_box()
        right, down = self.window.ask(f"lastseenTest.project({x}, {y})")
        return box["x"] + right, box["y"] + down

    def click(self, *places: tuple[float, float]) -> None:
        for place in places:
            self.mouse.click(*self.pixel(*place))

    def drag(self, start: tuple[float, float], end: tuple[float, float]) -> None:
        self.mouse.move(*self.pixel(*start))
        self.mouse.down()
        self.mouse.move(*self.pixel((start[0] + end[0]) / 2, (start[1] + end[1]) / 2))
        self.mouse.move(*self.pixel(*end))
        self.mouse.up()

    def key(self, *names: str) -> None:
        for name in names:
            self.window.key(name)

    @property
    def edit(self) -> dict:
        return self.window.ask("lastseenTest.edit")

    def kinds(self) -> list[str]:
        return [feature["kind"] for feature in self.edit["features"]]

    def last(self) -> dict:
        return self.edit["features"][-1]

    def ring(self, number: int = -1) -> list[tuple[float, float]]:
        return [(x, y) for x, y, _ in self.edit["features"][number]["parts"][0]]

    def faults(self) -> list[dict]:
        self.window.until(CHECKED)
        return self.edit["faults"]

    def red(self, spot: list[float]) -> int:
        self.window.page.evaluate(DRAWN)
        return self.window.page.evaluate(RED, spot)

    def say(self, label: str) -> None:
        self.window.page.get_by_role("button", name=label, exact=True).click()

    def file(self, entry: str) -> None:
        self.window.page.locator(".file-menu summary").click()
        self.window.page.locator(".file-menu .entry", has_text=entry).click()


def begin(window, served, *, fresh: bool = True, **options: object) -> Pen:
    one = window(served, **options)
    one.key("4")
    one.until("lastseenTest.edit.isReady")
    pen = Pen(one)
    if fresh:
        pen.file("New level")
        one.until("lastseenTest.edit.source === 'new level'")
    return pen


def draw_two_rooms(pen: Pen) -> None:
    pen.key("l")
    pen.drag((0, 0), (8, 6))
    pen.drag((9, 0), (15, 6))
    pen.drag((8, 2), (9, 3.5))
