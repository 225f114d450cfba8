"""What people see, say and are up to, in a real browser: on, its colour is where it belongs; off, it is not."""

from __future__ import annotations

import numpy as np
import pytest

from studio.map import LAST, Map, around, blended, how_many
from studio.server import serving


def test_views_tint_what_a_guard_looks_at(shown):
    columns = shown.seek(20)
    guard = shown.page.hello["watchers"][0]
    gaze = columns["gaze"][guard]
    ahead = columns["xyz"][guard] + np.outer([1.5, 2.0, 2.5, 3.0], [np.cos(gaze), np.sin(gaze), 0.0])
    behind = columns["xyz"][guard] - np.outer([1.5, 2.0], [np.cos(gaze), np.sin(gaze), 0.0])
    with shown.switched("views", shown.near(np.concatenate([ahead, behind]))) as read:
        off, on = read()
        tinted = blended(off, on, shown.ink("view"))
        assert tinted[:4].sum() >= 3
        np.testing.assert_array_equal(off[4:], on[4:])


def test_ghosts_stand_where_somebody_was_seen_last(shown):
    shown.seek(LAST)
    shown.only("ghosts")
    ghost = shown.window.ask("lastseenTest.ghosts[0]")
    pixels = around(shown.near(np.array([[ghost["x"], ghost["y"], ghost["z"]]]))[0], 16)
    with shown.switched("ghosts", pixels) as read:
        off, on = read()
        assert blended(off, on, shown.ink("player"), least=0.3).sum() > 20


# Two labels next to one sign, another sign below it: where they are written, and where they may not be.
LABELS = """async () => {
  const { Labels } = (await import("/page.js")).modules["map/labels.js"];
  const [words, drawn] = [new Labels(), []];
  const ink = new OffscreenCanvas(600, 600).getContext("2d");
  ink.fillText = (text, x, y) => drawn.push([x, y - 6.5, ink.measureText(text).width, 13]);
  words.begin(600, 600);
  const signs = [[184, 184, 32, 32], [190, 210, 32, 32]];
  for (const sign of signs) words.block(...sign);
  for (const text of ["1.9 s ago", "you"]) words.labelAround(ink, text, 200, 200, 16);
  return [...signs, ...drawn];
}"""


def test_ages_and_names_find_room_beside_signs(shown):
    boxes = np.array(shown.window.page.evaluate(LABELS))
    assert len(boxes) == 4
    (x, y, width, height), middle = boxes.T, boxes[:, :2] + boxes[:, 2:] / 2
    apart = (np.abs(x[:, None] + width[:, None] / 2 - middle[:, 0]) >= (width[:, None] + width) / 2) | (
        np.abs(y[:, None] + height[:, None] / 2 - middle[:, 1]) >= (height[:, None] + height) / 2
    )
    assert apart[2:, :2].all()
    assert apart[2, 3]
    assert np.abs(middle[2:] - 200.0).max() < 80.0


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
    """Guards of normal difficulty, which notice a target gradually."""
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
    colour = shown.agent(guard)
    filled = centre + size * turned(np.linspace(0.1, 0.9, 9) * share)
    assert how_many(shown.colours(filled), colour, 60.0) >= 7
    empty = centre + size * turned(share + np.linspace(0.15, 0.85, 7) * (1.0 - share))
    assert how_many(shown.colours(empty), colour, 60.0) <= 1


def turned(shares: np.ndarray) -> np.ndarray:
    """Directions on the screen after shares of a turn from the top, clockwise."""
    angle = 2 * np.pi * shares - np.pi / 2
    return np.stack([np.cos(angle), np.sin(angle)], axis=1)


def test_ways_follow_the_floor_to_where_somebody_goes(shown):
    drawn = 0
    for tick in (60, 180, 300):
        columns = shown.seek(tick)
        for agent, way in shown.game.ways(columns).items():
            middles = ((way[:-1] + way[1:]) / 2)[np.linalg.norm(np.diff(way, axis=0), axis=1) > 2.0]
            # Signs are drawn over paths: somebody else may stand on this one.
            middles = middles[np.linalg.norm(middles[:, None] - columns["xyz"], axis=2).min(axis=1) > 1.0]
            if not len(middles):
                continue
            with shown.switched("ways", shown.near(middles)) as read:
                off, on = read()
                assert blended(off, on, shown.agent(agent), least=0.3).mean() > 0.7
                drawn += len(off)
    assert drawn


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


def test_modes_that_edit_a_level_show_none_of_its_run(shown):
    shown.seek(LAST)
    shown.only("layer search")
    one = shown.window
    listed = "[...document.querySelectorAll('#legend .states span')].map((it) => it.textContent)"
    of_run = "['player', 'view', 'patrol', 'search', 'chase', 'suspicious']"
    one.until(f"{listed}.includes('door') && {listed}.includes('player')")
    one.key("7")
    one.until("lastseenTest.mode === 'guards' && !lastseenTest.overlays.includes('search')")
    one.until(f"{listed}.includes('door') && !{listed}.some((name) => {of_run}.includes(name))")
    one.key("1")
    one.until(f"lastseenTest.overlays.includes('search') && {listed}.includes('player')")


def test_the_legend_names_lines_that_are_drawn_and_no_others(shown):
    shown.seek(10)
    listed = "[...document.querySelectorAll('#legend .states span')].map((it) => it.textContent)"
    lines = {"ways": "path", "patrols": "patrol route", "mesh": "navmesh", "cells": "cell", "links": "link"}
    shown.only(*lines)
    shown.window.until(f"{list(lines.values())}.every((name) => {listed}.includes(name))")
    shown.only()
    shown.window.until(f"!{list(lines.values())}.some((name) => {listed}.includes(name))")
