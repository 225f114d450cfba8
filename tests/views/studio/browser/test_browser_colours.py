"""Colours and signs the page really uses: as in pictures, and told apart with three kinds of colour blindness."""

from __future__ import annotations

from collections.abc import Callable
from itertools import combinations

import numpy as np
import pytest

from lastseen.level.level import Level
from lastseen.views.figures.drawing.canvas import Canvas
from lastseen.views.figures.drawing.palette import DOOR, EXIT, WALKABLE, mixed, scale_colours
from lastseen.views.figures.drawing.symbols import draw_door, draw_marker, symbol_size
from lastseen.views.figures.drawing.viewport import Viewport
from lastseen.views.scene.palette import FLOORS, on_floor, rgb
from lastseen.views.scene.signs import SIGNS
from studio.browser import DRAWN, Window
from studio.colour_vision import SEEN_AS, ciede2000, lab
from studio.server import serving

LEAST = 16.0
"""The difference stated in docs/studio.md."""
SHARES = [0.5, 0.6, 0.7, 0.8, 0.9, 1]
SCALES = {"flood": "flood", "search": "search", "seen by": "field"}
Pixels = Callable[[np.ndarray], np.ndarray]
Reader = Callable[[tuple[float, float], np.ndarray], np.ndarray]


@pytest.mark.parametrize(
    ("one", "other", "difference"),
    [
        ([50.0, 2.6772, -79.7751], [50.0, 0.0, -82.7485], 2.0425),
        ([50.0, 2.5, 0.0], [73.0, 25.0, -18.0], 27.1492),
        ([2.0776, 0.0795, -1.1350], [0.9033, -0.0636, -0.5514], 0.9082),
    ],
)
def test_the_difference_is_that_of_the_published_pairs(one, other, difference):
    assert round(float(ciede2000(np.array(one), np.array(other))), 4) == difference


@pytest.mark.parametrize("theme", ["light", "dark"])
def test_layers_agents_and_views_differ_with_any_kind_of_vision(rooms, window, theme):
    one = window(rooms, color_scheme=theme)
    assert one.module("colours.js", "it.theme.name") == theme
    layers = one.module("studio.js", "it.studio.hello.layers.map(({ name, scale }) => [name, scale])")
    assert dict(layers)["exposure"] == SCALES["seen by"]
    assert dict(layers)["heat"] == SCALES["flood"]
    painted = {
        name: one.module("colours.js", f"{SHARES}.map((share) => it.onFloor('{scale}', share))")
        for name, scale in SCALES.items()
    }
    inks = {name: [rgb(one.module("colours.js", f"it.theme.ink['{name}']"))] for name in ("guard", "player", "view")}
    floor = [rgb(one.module("colours.js", "it.theme.ink.floor"))]
    assert floor == [rgb(FLOORS[theme])]
    pairs = [*combinations({**painted, **inks}.items(), 2), *((pair, ("floor", floor)) for pair in inks.items())]
    for vision in SEEN_AS:
        for (one_name, some), (other_name, others) in pairs:
            apart = ciede2000(lab(some, vision)[:, None], lab(others, vision)[None])
            assert apart.min() >= LEAST, (one_name, other_name, vision)


def test_pictures_have_the_colours_of_the_page(rooms, window):
    one = window(rooms, color_scheme="light")
    for name in ("flood", "search"):
        page = one.module("colours.js", f"[0, 0.25, 0.5, 1].map((share) => it.onFloor('{name}', share))")
        steps = [round(255 * share) for share in (0, 0.25, 0.5, 1)]
        assert np.abs(scale_colours(name).astype(int)[steps] - page).max() <= 3
        assert np.abs(on_floor(name).astype(int)[[0, 127]] - np.array(page)[[0, 3]]).max() <= 1


def inside(outline: np.ndarray, point: np.ndarray) -> bool:
    """Return whether a point lies in a polygon: a ray to the right crosses its sides an odd number of times."""
    ahead = np.roll(outline, -1, axis=0)
    crosses = (outline[:, 1] > point[1]) != (ahead[:, 1] > point[1])
    with np.errstate(divide="ignore", invalid="ignore"):
        x = outline[:, 0] + (point[1] - outline[:, 1]) * (ahead - outline)[:, 0] / (ahead - outline)[:, 1]
    return bool((crosses & (point[0] < x)).sum() % 2)


def looks_like_an_exit(pixels: Pixels, size: float) -> bool:
    """Return whether the sign of the table is at these pixels, given by offsets from its middle."""
    grid = np.stack(np.meshgrid(*[np.linspace(-0.85, 0.85, 9)] * 2), axis=-1).reshape(-1, 2)
    parts = [(own, np.array(outline)) for own, outline in SIGNS.places["exit"].parts]
    wanted = [next(own for own, outline in reversed(parts) if inside(outline, point)) for point in grid]
    assert 5 < wanted.count(False) < 60
    away = np.abs(pixels(size * grid) - np.where(np.array(wanted)[:, None], EXIT, WALKABLE)).max(axis=1)
    return bool((away < 70).mean() > 0.8)


def looks_like_a_door(pixels: Pixels, *, is_open: bool, is_locked: bool) -> bool:
    """Return whether a door of the table is at these pixels, given by offsets from its middle as shares of its half."""
    fill = mixed(WALKABLE, DOOR, SIGNS.door.open) if is_open else DOOR
    # A patrol may pass over a door in the editor.
    beside = pixels(np.array([(0.5, 0), (-0.5, 0), (0, 0.5), (0, -0.5)]))
    # A line of two pixels lies between the points around it.
    across = pixels(np.array([(0.5 + shift, 0.5) for shift in (-0.1, -0.05, 0, 0.05, 0.1)]))
    lightest = np.abs(across - WALKABLE).max(axis=1).min()
    crossed = lightest < 60 if is_locked else np.abs(np.median(across, axis=0) - fill).max() < 20
    return bool(np.abs(np.median(beside, axis=0) - fill).max() < 20 and crossed)


def draws_exits_and_doors(read: Reader, scale: float, size: float) -> bool:
    """Return whether exits and doors of the level are drawn as in the table; `read` gives colours at pixel offsets."""
    level = Level.sample("warehouse")
    (exit_,) = [marker for marker in level.markers if marker.kind == "exit"]
    assert {(door.open, door.locked) for door in level.doors} == {(True, False), (False, False), (False, True)}
    half = 0.5 * scale * (level.doors[0].outline_xy.max(axis=0) - level.doors[0].outline_xy.min(axis=0))
    return looks_like_an_exit(lambda away: read(exit_.xyz[:2], away), size) and all(
        looks_like_a_door(
            lambda share, door=door: read(tuple(door.outline_xy.mean(axis=0)), half * share),
            is_open=door.open,
            is_locked=door.locked,
        )
        for door in level.doors
    )


@pytest.fixture
def warehouse(tmp_path):
    with serving(tmp_path, "warehouse") as served:
        yield served


def shown_on_page(one: Window) -> bool:
    scale = one.ask("lastseenTest.scale")

    def read(place: tuple[float, float], away: np.ndarray) -> np.ndarray:
        return np.array(one.colours(np.array(one.ask(f"lastseenTest.project({place[0]}, {place[1]})")) + away), float)

    one.page.evaluate(DRAWN)
    return draws_exits_and_doors(read, scale, min(10.0, max(5.0, 0.36 * scale)))


def test_exits_and_doors_look_the_same_on_page_in_editor_and_in_pictures(warehouse, window):
    one = window(warehouse, color_scheme="light")
    one.page.set_viewport_size({"width": 1900, "height": 1200})
    one.until("lastseenTest.scale > 25")
    one.key("l")  # no names
    assert shown_on_page(one)
    one.key("4")
    one.until("lastseenTest.mode === 'edit' && lastseenTest.edit.features.length > 20")
    one.page.evaluate("document.querySelector('#notices').replaceChildren()")
    assert shown_on_page(one)
    level = Level.sample("warehouse")
    canvas = Canvas(Viewport((0.0, 0.0), (44.0, 30.0), 20.0, True), WALKABLE)
    for door in level.doors:
        draw_door(canvas, door)
    for marker in level.markers:
        draw_marker(canvas, marker)
    picture = np.asarray(canvas.finished()).astype(float)

    def read(place: tuple[float, float], away: np.ndarray) -> np.ndarray:
        x, y = np.round(canvas.view.pixels(np.array([place]))[0] + away - 0.5).astype(int).T
        return picture[y, x]

    assert draws_exits_and_doors(read, 20.0, 1.15 * symbol_size(canvas))
