"""Drags that begin on an agent, and menus that return the focus to the map, in a real browser."""

from __future__ import annotations

import math

import pytest

from studio.browser import DRAWN
from studio.server import serving

CORRIDOR = """name: Corridor
legend: A = guard "Ames" heading=left
legend: L = locked door

== ground z=0
################
#P.......L....E#
################
#..A...........#
################
"""
YOU = "lastseenTest.agents.find((one) => one.name !== 'Ames')"
GUARD = "lastseenTest.agents.find((one) => one.name === 'Ames')"


@pytest.fixture
def corridor(tmp_path):
    (tmp_path / "corridor.txt").write_text(CORRIDOR)
    (tmp_path / "broken.txt").write_text("name: Broken\n\n== ground z=0\n####\n")
    with serving(tmp_path, "corridor.txt") as served:
        yield served


def on_screen(one, x: float, y: float) -> tuple[float, float]:
    box = one.page.locator("#map").bounding_box()
    px, py = one.ask(f"lastseenTest.project({x}, {y})")
    return box["x"] + px, box["y"] + py


def drag(one, start, end, *, hold: bool = False) -> None:
    one.page.mouse.move(*on_screen(one, *start))
    one.page.mouse.down()
    one.page.mouse.move(*on_screen(one, *end), steps=4)
    if not hold:
        one.page.mouse.up()


@pytest.mark.long
def test_dragging_from_yourself_walks_there(corridor, window):
    one = window(corridor)
    x, y = one.ask(f"[{YOU}.x, {YOU}.y]")
    before = on_screen(one, 8.0, 1.5)
    drag(one, (x, y), (x + 2.0, y), hold=True)
    one.until(f"{YOU}.x > {x + 1.2}")
    one.page.mouse.up()
    assert on_screen(one, 8.0, 1.5) == pytest.approx(before, abs=1.0)


def test_the_ghost_of_what_if_is_dragged_from_where_it_starts_and_anybody_else_too(corridor, window):
    one = window(corridor)
    one.key("3")
    one.until("lastseenTest.whatif?.seen && lastseenTest.whatif.results.length > 0")
    x, y = one.ask("lastseenTest.whatif.seen.slice(0, 2)")
    drag(one, (x, y), (x + 4.0, y))
    one.until(f"Math.abs(lastseenTest.whatif.seen[0] - {x + 4.0}) < 0.4")
    at = one.ask(f"[{GUARD}.x, {GUARD}.y]")
    drag(one, at, (at[0] + 5.0, at[1]))
    one.until(f"Math.abs({GUARD}.x - {at[0] + 5.0}) < 0.6")
    one.until("lastseenTest.story.some((text) => text.startsWith('The user moved Ames to ('))")
    (mark,) = one.ask("lastseenTest.events.filter((event) => event.kind === 'placed')")
    assert inked(one, mark["tick"], mark["agent"]) > inked(one, mark["tick"] + 60, mark["agent"]) + 8


@pytest.mark.parametrize(("level", "left"), [("corridor", -0.26), ("house", 0.26)])
def test_shift_and_the_left_arrow_turn_the_heading_to_the_left_as_drawn(tmp_path, window, level, left):
    """On the screen, y runs down: rows of tiles with it, the y of a plan against it."""
    with serving(tmp_path, level) as served:
        one = window(served)
        one.key("3")
        one.until("lastseenTest.whatif?.seen && lastseenTest.whatif.results.length > 0")
        heading = "Math.atan2(lastseenTest.whatif.heading[1], lastseenTest.whatif.heading[0])"
        before = one.ask(heading)
        one.key("Shift+ArrowLeft")
        turned = one.ask(heading) - before
        assert math.remainder(turned, math.tau) == pytest.approx(left)


def inked(one, tick: int, lane: int) -> int:
    """Return the number of pixels of a lane near a moment that have the colour of marks."""
    return one.page.evaluate(
        """async ([tick, lane]) => {
          const { theme } = (await import("/page.js")).modules["colours.js"];
          const map = document.querySelector(".lanes");
          const wanted = parseInt(theme.ink.ink.slice(1), 16);
          const near = [16, 8, 0].map((shift) => (wanted >> shift) & 255);
          const ticks = Math.ceil((lastseenTest.status.ticks + 1) / 900) * 900;
          const x = 74 + (tick / ticks) * (map.clientWidth - 82);
          const ink = new OffscreenCanvas(14, 16).getContext("2d", { willReadFrequently: true });
          ink.drawImage(map, 7 - Math.round(x), -16 - lane * 16);
          const { data } = ink.getImageData(0, 0, 14, 16);
          let found = 0;
          for (let at = 0; at < data.length; at += 4) {
            if (near.every((value, part) => Math.abs(value - data[at + part]) < 70) && data[at + 3] > 200) found++;
          }
          return found;
        }""",
        [tick, lane],
    )


@pytest.mark.long
def test_menus_chosen_by_mouse_give_the_keys_back_and_a_refused_level_is_not_shown(corridor, window):
    one = window(corridor)
    speed = one.page.locator("#time select")
    box = speed.bounding_box()
    one.page.mouse.click(box["x"] + 4, box["y"] + 4)
    one.page.keyboard.press("Escape")
    one.page.mouse.click(box["x"] + 4, box["y"] + 4)
    speed.evaluate("(menu) => { menu.value = '2'; menu.dispatchEvent(new Event('change', { bubbles: true })); }")
    one.until("document.activeElement.id === 'map'")
    one.until("lastseenTest.status.speed === 2")
    menu = one.page.locator("#top select").first
    shown = menu.input_value()
    menu.evaluate(
        "(menu) => { menu.append(new Option('x', 'level:broken.txt')); menu.value = 'level:broken.txt';"
        " menu.dispatchEvent(new Event('change', { bubbles: true })); }"
    )
    one.until(f"document.querySelector('#top select').value === {shown!r}")


@pytest.mark.long
def test_a_locked_door_is_crossed_out_and_said_to_be_locked(corridor, window):
    one = window(corridor)
    assert "locked" in one.page.locator("#legend").inner_text()
    x, y = one.ask("lastseenTest.project(9.5, 1.5)")
    scale = one.ask("lastseenTest.scale")
    corner, beside = one.colours([(x - 0.3 * scale, y - 0.3 * scale), (x - 0.3 * scale, y)])
    assert corner != beside
    one.page.keyboard.down("KeyD")
    one.until(f"{YOU}.x > 8.0")
    one.page.keyboard.up("KeyD")
    one.key("KeyE")
    one.until("document.body.innerText.includes('This door is locked.')")


@pytest.mark.long
def test_what_if_tells_the_heat_of_the_map_under_the_pointer_and_takes_no_number_out_of_range(tmp_path, window):
    with serving(tmp_path, "rooms") as served:
        one = window(served, reduced_motion="reduce")
        one.key("3")
        one.page.get_by_label("Second preset").select_option("no barrier")
        one.until("document.querySelectorAll('.result').length === 2")
        left, right = one.ask("lastseenTest.whatif.results.map((one) => one.warm)")
        values = [{cell: value for cell, value, _ in warm} for warm in (left, right)]
        differ = [cell for cell in values[1] if values[0].get(cell, 0) != values[1][cell]]
        cell = next(iter(differ))
        place = served.studio.director.game.stage.layout.arrays.cell_xyz[cell]
        box = one.page.locator("#map").bounding_box()
        x, y = on_screen(one, *place[:2])
        told = "document.querySelector('.under').innerText"
        one.page.mouse.move(x + box["width"] / 2, y)
        one.until(f"{told}.includes('cell {cell} ') && {told}.endsWith('heat {values[1][cell]}')")
        one.page.mouse.move(x, y)
        heat = values[0].get(cell)
        one.until(f"{told}.endsWith('heat {heat}')" if heat else f"!{told}.includes('heat')")

        number, words = one.page.get_by_label("Heat H (number)"), one.page.locator(".slider .wrong").first
        for typed, kept in (("99999", "127"), ("-5", "1"), ("", "1")):
            number.fill(typed)
            assert words.inner_text() == "Heat H must be an integer from 1 to 127."
            number.press("Enter")
            assert number.input_value() == kept
            one.until(f"lastseenTest.whatif.results[0].hot === {kept}")
        number.fill("20")
        assert words.count() == 0 or not words.is_visible()
        one.until("lastseenTest.whatif.results[0].hot === 20")


MANY = """name: Many
legend: A = guard "Ames"

== ground z=0
################
#P............E#
################
#..A.A.A.A.A.A.#
#A.A...........#
################
"""
# Pixels of each lane that are written in, left of where time begins.
WRITTEN = """() => {
  const map = document.querySelector(".lanes");
  const ratio = map.width / map.clientWidth;
  const ink = new OffscreenCanvas(map.width, map.height).getContext("2d", { willReadFrequently: true });
  ink.drawImage(map, 0, 0);
  const people = lastseenTest.agents.length;
  const row = Math.min(16, (map.clientHeight - 18) / people);
  return lastseenTest.agents.map((_, lane) => {
    const { data } = ink.getImageData(0, Math.round((16 + lane * row) * ratio), 70 * ratio, Math.floor(row * ratio));
    let written = 0;
    for (let at = 3; at < data.length; at += 4) if (data[at] > 100) written++;
    return written;
  });
}"""


@pytest.mark.long
def test_nine_lanes_have_names_fast_taps_count_and_links_that_say_nothing_harm_nothing(tmp_path, window):
    (tmp_path / "many.txt").write_text(MANY)
    with serving(tmp_path, "many.txt") as served, served.page() as page:
        one = window(served)
        one.page.set_viewport_size({"width": 1366, "height": 768})
        assert one.ask("lastseenTest.agents.length") == 9
        one.page.evaluate(DRAWN)
        assert min(one.page.evaluate(WRITTEN)) > 15
        page.say("step", ticks=60)
        one.until("lastseenTest.tick === 60")
        for _ in range(10):
            one.key(",")
        one.until("lastseenTest.tick === 50 && lastseenTest.status.tick === 50")
        for key in (",", ",", "."):
            one.key(key)
        one.until("lastseenTest.tick === 49 && lastseenTest.status.tick === 49")
        for key in ("[", "["):
            one.key(key)
        one.until("lastseenTest.status.speed === 0.25")
        for number, link in enumerate(("view=a,b,c", "view=1,2", "view=1,2,0&tick=abc&agent=99")):
            one.page.goto(f"{one.address}&visit={number}#{link}")
            one.until("lastseenTest.agents.length === 9 && lastseenTest.scale > 5")
            one.page.get_by_text("This link contains no view").wait_for()
            assert one.ask("lastseenTest.selected") is None
