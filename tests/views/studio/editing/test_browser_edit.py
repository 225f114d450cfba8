"""Levels drawn in a real browser: shaped, caught by one another, copied, taken back; by mouse or by keys."""

from __future__ import annotations

import numpy as np
import pytest

from studio.pen import begin, draw_two_rooms


def test_every_change_can_be_taken_back_and_made_again(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    whole = pen.edit["features"]
    assert pen.edit["undo"] == ["draw floor"] * 3
    for count in (2, 1, 0):
        pen.key("Control+z")
        assert len(pen.edit["features"]) == count
    assert not pen.edit["isDirty"]
    pen.click((1, 1), (2, 1), (2, 2))
    pen.key("Control+z", "Control+z", "Control+z")
    assert pen.edit["features"] == []
    pen.key("Control+Shift+Z", "Control+Shift+Z", "Control+y")
    assert pen.edit["features"] == whole
    assert pen.edit["redo"] == 0
    pen.key("v")
    pen.click((3, 3))
    pen.drag((3, 3), (3, 4))
    assert pen.edit["undo"][3:] == ["move"]
    pen.key("ArrowLeft", "ArrowLeft")
    assert pen.ring(0)[0] == (-1.0, 1.0)
    assert pen.edit["undo"][3:] == ["move", "move"]
    pen.key("Control+z", "Control+z")
    assert pen.edit["features"] == whole


def test_things_are_selected_copied_and_removed(rooms, window):
    pen = begin(window, rooms)
    draw_two_rooms(pen)
    pen.key("g")
    pen.click((12, 1))
    pen.key("r")
    pen.click((12, 1), (14, 1), (14, 3))
    pen.key("Enter", "v")
    pen.drag((11, 0.2), (14.8, 3.6))
    assert len(pen.edit["selected"]) == 2
    pen.key("Control+c")
    pen.mouse.move(*pen.pixel(3, 3))
    pen.key("Control+v")
    guard, patrol = pen.edit["features"][-2:]
    assert (guard["properties"]["name"], patrol["properties"]["name"]) == ("guard 2", "patrol 2")
    assert guard["properties"]["patrol"] == "patrol 2"
    assert guard["parts"][0][0] == [2.0, 2.0, 0.0]
    pen.key("Control+d")
    assert len(pen.edit["features"]) == 9
    pen.key("Control+x")
    assert len(pen.edit["features"]) == 7
    pen.key("Control+a")
    assert len(pen.edit["selected"]) == 7
    pen.key("Escape", "Tab")
    assert pen.edit["selected"] == [pen.edit["features"][0]["id"]]
    pen.key("Shift+Tab", "Delete")
    assert pen.kinds() == ["floor"] * 3 + ["spawn", "patrol", "spawn"]
    assert pen.faults()[0]["what"].startswith("it follows patrol")


@pytest.mark.long
def test_outlines_are_shaped_by_their_corners_and_catch_one_another(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (8, 6))
    pen.drag((10, 0), (14, 6))
    pen.key("v")
    pen.click((12, 3))
    pen.drag((10, 6), (8.1, 5.9))
    assert pen.ring()[3] == (8.0, 6.0)
    pen.drag((12, 0), (12, -2))
    assert pen.ring() == [(10, 0), (12, -2), (14, 0), (14, 6), (8, 6)]
    pen.key("Delete")
    assert pen.ring() == [(10, 0), (14, 0), (14, 6), (8, 6)]
    pen.mouse.move(*pen.pixel(14, 6))
    pen.window.page.keyboard.down("Alt")
    pen.drag((14, 6), (14.13, 6.21))
    pen.window.page.keyboard.up("Alt")
    assert pen.ring()[2] == pytest.approx((14.13, 6.21), abs=0.04)
    assert pen.ring()[2] != (14.0, 6.0)
    pen.key("u")
    pen.drag((2, 2), (4, 4))
    assert [len(part) for part in pen.edit["features"][0]["parts"]] == [4, 4]
    assert pen.faults() == []
    pen.key("v", "Escape")
    pen.click((1, 1))
    pen.drag((4, 4), (9.5, 9.5))
    assert [fault["id"] for fault in pen.faults() if fault["severity"] == "error"] == [pen.edit["features"][0]["id"]]


@pytest.mark.long
def test_walls_and_doors_go_on_from_where_axes_end(rooms, window):
    pen = begin(window, rooms)
    pen.key("l")
    pen.drag((0, 0), (14, 9))
    pen.key("w")
    pen.drag((7, 1), (7, 3.5))
    pen.key("d")
    pen.drag((7, 3.5), (7, 5))
    pen.key("w")
    pen.drag((7, 5), (7, 8))
    pen.drag((7, 2), (10, 2))  # from the middle of another
    rings = [np.array(pen.ring(number)) for number in (1, 2, 3, 4)]
    for ring, low, high in zip(rings[:3], (0.9, 3.5, 4.9), (3.6, 5.0, 8.1)):
        np.testing.assert_allclose([ring.min(axis=0), ring.max(axis=0)], [[6.9, low], [7.1, high]], atol=1e-6)
    np.testing.assert_allclose([rings[3].min(axis=0), rings[3].max(axis=0)], [[6.9, 1.9], [10.1, 2.1]], atol=1e-6)
    pen.key("o")  # blocks catch corners
    pen.drag((7.1, 3.6), (9, 4.5))
    np.testing.assert_allclose(np.array(pen.ring()).min(axis=0), [7.1, 3.6], atol=1e-6)


def test_keys_alone_draw_shape_and_select(rooms, window):
    pen = begin(window, rooms)
    pen.key("l", "Enter", "g", "Enter", "Shift+ArrowUp", "r", "Enter", "v", ".", "Insert", "ArrowDown")
    floor, guard, patrol = pen.edit["features"]
    (left, low), (right, _), (_, high), _ = [point[:2] for point in floor["parts"][0]]
    x, y, _ = guard["parts"][0][0]
    assert (right - left, high - low, x) == (6, 4, (left + right) / 2)
    assert y == (low + high) / 2 + 5
    assert [fault["id"] for fault in pen.faults()] == [guard["id"]]
    assert patrol["parts"][0] == [[x, y - 5, 0], [x + 0.5, y - 5.5, 0], [x + 1, y - 5, 0]]
    pen.key("Escape", "Escape", "Tab", "Tab", "Shift+ArrowDown")
    assert pen.edit["selected"] == [guard["id"]]
    assert pen.faults() == []
    pen.key("?")
    assert pen.window.page.get_by_text("Hiding place", exact=True).is_visible()


def test_tools_have_names(rooms, window):
    pen = begin(window, rooms)
    shown = pen.window.page.locator("[data-tool] span")
    assert shown.all_inner_texts()[:3] == ["Select", "Floor", "Hole"]
    assert all(shown.nth(at).is_visible() for at in range(shown.count()))


def test_tools_keep_their_names_on_a_phone_and_all_modes_stay_in_sight(rooms, window):
    pen = begin(window, rooms)
    pen.window.page.set_viewport_size({"width": 390, "height": 844})
    named = pen.window.page.locator("[data-tool] span")
    assert all(named.nth(at).is_visible() for at in range(named.count()))
    assert pen.window.page.locator(".tools-row").bounding_box()["height"] < 64
    pen.key("1")
    pen.window.until("lastseenTest.mode === 'play'")
    pen.window.until("!document.querySelector('#legend details').open")  # it makes room by itself
    rail = "document.querySelector('#rail')"
    pen.window.until(f"{rail}.scrollHeight <= {rail}.clientHeight")
    pen.window.page.set_viewport_size({"width": 1280, "height": 800})
    chips = "document.querySelector('.chips')"
    pen.window.until(f"{chips}.scrollWidth <= {chips}.clientWidth")
