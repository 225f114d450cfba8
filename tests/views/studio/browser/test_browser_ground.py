"""What one walks on, in a real browser: navmesh, cells, links, doors, floors above one another."""

from __future__ import annotations

import base64

import numpy as np
import pytest

from studio.map import blended, how_many, rgb
from studio.server import serving


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
    pixels = shown.near(np.concatenate([edges, large]))
    beside = np.concatenate([pixels - np.array(shift) for shift in ((0, 0), (1, 0), (0, 1))])
    with shown.switched("mesh", beside) as read:
        off, on = read()
        lines = blended(off, on, shown.ink("mesh"), least=0.25).reshape(3, -1).any(axis=0)
        assert lines[: len(edges)].mean() > 0.9
        assert blended(off, on, shown.ink("mesh"), least=0.06)[len(edges) : len(pixels)].mean() > 0.8


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
