"""The page by keys alone: a whole game, menus, people, overlays, time, what if; and the focus is always seen."""

from __future__ import annotations

import pytest

from studio.server import serving

CORRIDOR = """name: Corridor
legend: A = guard "Ames" heading=right

== ground z=0
################
#P..+....h....E#
################
#..A...........#
################
"""
HALL = """name: Hall
legend: A = guard "Ames" heading=right

== ground z=0
################
#P.............#
#.............E#
################
#..A...........#
################
"""
YOU = "lastseenTest.agents.find((one) => one.name !== 'Ames')"
FOCUS = "document.activeElement"


@pytest.fixture
def corridor(tmp_path):
    (tmp_path / "corridor.txt").write_text(CORRIDOR)
    with serving(tmp_path, "corridor.txt") as served:
        yield served


@pytest.fixture
def hall(tmp_path):
    (tmp_path / "hall.txt").write_text(HALL)
    with serving(tmp_path, "hall.txt") as served:
        yield served


def happened(kind: str) -> str:
    return f"lastseenTest.events.some((one) => one.kind === '{kind}')"


def hold(one, key: str, until: str) -> None:
    one.page.keyboard.down(key)
    one.until(until)
    one.page.keyboard.up(key)


def tab_to(one, selector: str, *, back: bool = False) -> None:
    """Go from control to control until one that fits has the focus."""
    for _ in range(90):
        if one.ask(f"{FOCUS}.matches('{selector}')"):
            return
        one.key("Shift+Tab" if back else "Tab")
    raise AssertionError(f"no {selector} can be reached by Tab")


def test_a_whole_game(corridor, window):
    one = window(corridor)
    hold(one, "KeyD", f"lastseenTest.status.running && {YOU}.x > 3.2")
    one.key("KeyE")
    one.until(happened("door"))
    one.page.keyboard.down("Shift")
    hold(one, "ArrowRight", f"{YOU}.x > 8.8")
    one.page.keyboard.up("Shift")
    one.key("KeyQ")
    one.until(happened("threw"))
    one.key("KeyE")
    one.until(f"{YOU}.mode === 1")
    one.key("KeyE")
    one.until(f"{YOU}.mode === 0")
    one.page.keyboard.down("KeyC")
    hold(one, "KeyD", f"{YOU}.stance !== 0 || {YOU}.x > 12")
    one.page.keyboard.up("KeyC")

    one.key("Space")
    one.until("!lastseenTest.status.running")
    last = one.ask("lastseenTest.status.ticks") - 1
    tab_to(one, "canvas.lanes")
    one.key("Shift+ArrowLeft")
    one.until(f"lastseenTest.status.tick === {last - 30}")
    one.key("Home")
    one.until("lastseenTest.status.tick === 0")
    one.key("End")
    one.until(f"lastseenTest.status.tick === {last}")

    tab_to(one, "canvas#map", back=True)
    one.page.keyboard.down("Shift")
    hold(one, "KeyD", "lastseenTest.status.ended")
    one.page.keyboard.up("Shift")
    assert one.ask("lastseenTest.status.ended.reason") == "escaped"
    one.until(f"{FOCUS}.innerText === 'Play again'")
    one.key("Enter")
    one.until("lastseenTest.status.ticks === 1 && document.querySelector('#ending').hidden")


@pytest.mark.long
def test_menus_open_another_level_and_give_the_keys_back(corridor, window):
    one = window(corridor)
    tab_to(one, "select[aria-label=Difficulty]")
    one.key("ArrowDown")
    one.until("document.querySelector('select[aria-label=Difficulty]').value === 'hard'")
    tab_to(one, 'select[aria-label="Level or scenario"]', back=True)
    before = one.ask("document.title")
    one.page.keyboard.type("rooms")
    one.until(f"document.title !== '{before}' && document.title.includes('Two rooms')")
    assert not one.ask("lastseenTest.status.running")  # letters were the menu's, not the game's
    assert one.ask(f"{FOCUS}.tagName") == "SELECT"
    one.key("Escape")
    assert one.ask(f"{FOCUS}.id") == "map"
    hold(one, "KeyS", "lastseenTest.status.running && lastseenTest.newestTick > 5")


def test_people_cells_and_their_reasons(corridor, window):
    one = window(corridor)
    one.key("2")
    tab_to(one, "button.person")
    one.key("Enter")
    one.until("lastseenTest.selected?.kind === 'agent' && lastseenTest.selected.number === 0")
    one.until("document.querySelector('#side .body').innerText.includes('Behaviour tree')")
    assert one.ask(f"{FOCUS}.matches('button.person')")
    one.key("Control+ArrowRight")
    x = one.ask("lastseenTest.agents[0].x")
    one.until(f"lastseenTest.status.ticks === 2 && lastseenTest.agents[0].x > {x - 1e-6}")
    one.key("Shift+ArrowRight")
    cell = one.until("lastseenTest.selected?.cell")
    one.until("document.querySelector('#side .body').innerText.includes('Neighbours')")
    one.key("Shift+ArrowRight")
    one.until(f"lastseenTest.selected?.cell >= 0 && lastseenTest.selected.cell !== {cell}")
    one.key("Escape")
    one.until("lastseenTest.selected === null")


@pytest.mark.long
def test_overlays_keep_the_focus(corridor, window):
    one = window(corridor)
    tab_to(one, '[data-overlay="cells"]')
    one.keep()
    one.key("Enter")
    one.until("lastseenTest.overlays.includes('cells')")
    assert one.changed() > 100
    assert one.ask(f"{FOCUS}.dataset.overlay") == "cells"
    one.key("Space")
    one.until("!lastseenTest.overlays.includes('cells')")
    one.key("k")
    one.until("lastseenTest.overlays.includes('cells')")
    one.key("k")


def test_what_if_by_arrows_and_sliders(corridor, window):
    one = window(corridor)
    one.key("3")
    first = one.until("document.querySelector('.result')?.innerText")
    hold(one, "ArrowRight", f"document.querySelector('.result').innerText !== {first!r}")
    tab_to(one, ".slider input[type=range]")
    heat = int(one.ask(f"{FOCUS}.value"))
    one.key("ArrowRight")
    one.until(f"{FOCUS}.value === '{heat + 1}'")
    tab_to(one, 'select[aria-label="Second preset"]', back=True)
    one.key("ArrowDown")
    one.until("document.querySelectorAll('.result').length === 2")
    command = one.ask("document.querySelector('.result button').title")
    assert f"--hot {heat + 1}" in command
    one.key("Escape")
    one.key("Control+ArrowLeft")
    one.until("document.querySelector('.result button').title.includes('--guard')")


def test_every_control_shows_that_it_has_the_focus(corridor, window):
    one = window(corridor)
    seen = []
    for _ in range(70):
        one.key("Tab")
        outline = one.ask(
            f"{FOCUS} === document.body ? null : [getComputedStyle({FOCUS}).outlineStyle, "
            f"{FOCUS}.id || {FOCUS}.innerText || {FOCUS}.getAttribute('aria-label') || {FOCUS}.className]"
        )
        if outline is None:
            break
        assert outline[0] != "none", outline
        seen.append(outline[1])
    assert len(seen) > 25
    assert "map" in seen


@pytest.mark.long
def test_a_mouse_click_leaves_the_keys_to_the_game(corridor, window):
    one = window(corridor)
    one.page.locator('[data-overlay="cells"]').click()
    one.until("lastseenTest.overlays.includes('cells')")
    one.key("Space")
    one.until("lastseenTest.status.running")
    assert one.ask("lastseenTest.overlays.includes('cells')")


@pytest.mark.long
def test_fingers_pan_zoom_and_choose(corridor, window):
    one = window(corridor, has_touch=True)
    box = one.page.locator("#map").bounding_box()
    x, y = one.ask("lastseenTest.agents[0].pixel")
    one.page.touchscreen.tap(box["x"] + x, box["y"] + y)
    one.until("lastseenTest.selected?.kind === 'agent'")
    touch(one, [[300, 200]], [[360, 200]], box)
    one.until(f"Math.abs(lastseenTest.agents[0].pixel[0] - {x} - 60) < 3")
    scale = one.ask("lastseenTest.scale")
    touch(one, [[300, 200], [400, 200]], [[250, 200], [450, 200]], box)
    one.until(f"lastseenTest.scale > 1.5 * {scale}")


def touch(one, start, end, box) -> None:
    """Put fingers down, move them, lift them."""
    session = one.context.new_cdp_session(one.page)

    def send(kind: str, points) -> None:
        found = [{"x": box["x"] + x, "y": box["y"] + y, "id": number} for number, (x, y) in enumerate(points)]
        session.send("Input.dispatchTouchEvent", {"type": kind, "touchPoints": found})

    send("touchStart", start)
    for share in (0.25, 0.5, 0.75, 1.0):
        send("touchMove", [[a + (c - a) * share, b + (d - b) * share] for (a, b), (c, d) in zip(start, end)])
    send("touchEnd", [])
    session.detach()


@pytest.mark.long
def test_contrast_and_stillness_are_respected(corridor, window):
    plain = window(corridor)
    strong = window(corridor, contrast="more", reduced_motion="reduce")
    quiet = "getComputedStyle(document.documentElement).getPropertyValue('--quiet').trim()"
    assert plain.ask(quiet) != strong.ask(quiet)
    assert strong.module("colours.js", "it.theme.ink.quiet") == strong.ask(quiet)
    animation = "getComputedStyle(document.querySelector('#tour')).animationName"
    assert (plain.ask(animation), strong.ask(animation)) == ("rise", "none")


def place(one, x: float, y: float) -> tuple[float, float]:
    """Return the pixels of a place of the map."""
    box = one.page.locator("#map").bounding_box()
    px, py = one.ask(f"lastseenTest.project({x}, {y})")
    return box["x"] + px, box["y"] + py


def test_hold_to_aim_let_go_to_blink_leave_a_decoy_and_set_a_trap(hall, window):
    one = window(hall)
    x, y = place(one, 6.5, 1.5)
    one.page.mouse.move(x, y)
    one.page.keyboard.down("Backquote")
    one.until("document.querySelector('.touch [aria-pressed=true]')?.innerText === 'Blink'")
    one.page.keyboard.up("Backquote")
    one.until(happened("blinked"))
    one.until(f"Math.abs({YOU}.x - 6.5) < 0.6")
    one.key("Semicolon")
    one.until(happened("left decoy"))
    one.key("Quote")
    one.until(happened("set trap"))
    assert one.ask("document.querySelector('.touch [aria-pressed=true]') === null")
    one.key("Backspace")
    one.until(happened("time stops"))
    titles = one.ask("[...document.querySelectorAll('.touch button:not([hidden])')].map((one) => one.innerText)")
    assert {"Stop time", "Possess"} <= set(titles)


def test_a_tap_after_the_button_blinks_there(hall, window):
    one = window(hall)
    one.page.evaluate("[...document.querySelectorAll('.touch button')].find((b) => b.innerText === 'Blink').click()")
    one.until("document.querySelector('.touch [aria-pressed=true]')?.innerText === 'Blink'")
    x, y = place(one, 5.5, 2.5)
    one.page.mouse.click(x, y)
    one.until(happened("blinked"))
    one.until(f"Math.abs({YOU}.x - 5.5) < 0.6")


TWO_STATES = """
level: manor
level_states: [present, past]
swarms: [{name: bees, place: [15, 7.8], count: 12, team: intruders}]
agents:
  - {name: Ames, at: [2, 8], heading: 3.14, patrol: ""}
  - {name: you, brain: puppet, at: [7.5, 3.5]}
"""


def test_a_key_travels_to_the_other_state_and_creatures_are_drawn(tmp_path, window):
    (tmp_path / "two.yaml").write_text(TWO_STATES)
    with serving(tmp_path, "two.yaml") as served:
        one = window(served)
        one.until("lastseenTest.creatures.length === 12")
        assert one.ask("lastseenTest.creatures.every(([x, y]) => Math.hypot(x - 15, y - 7.8) < 3)")
        one.key("Backslash")
        one.until(happened("travelled"))
        one.until(f"Math.abs({YOU}.x - 30.5) < 0.1")
        assert "Travel" in one.ask(
            "[...document.querySelectorAll('.touch button:not([hidden])')].map((one) => one.innerText)"
        )
