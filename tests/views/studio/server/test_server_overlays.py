"""The data of overlays is sent to the pages that show them; time stands still without a page."""

from __future__ import annotations

import base64
import time

import numpy as np
import pytest

from studio.server import PATIENCE, serving, until


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio"), "rooms") as found:
        yield found


def numbers(text: str, dtype: str) -> np.ndarray:
    return np.frombuffer(base64.b64decode(text), dtype)


def test_ways_are_sent_to_the_page_that_shows_them(served):
    with served.page() as page, served.page() as other:
        page.say("overlays", ways=True, layers=[])
        page.say("step", ticks=5)
        frame, plain = page.until("frame", tick=5), other.until("frame", tick=5)
        assert plain["ways"] == {}
        assert frame["ways"]
        for agent, way in frame["ways"].items():
            np.testing.assert_allclose(way[0], frame["numbers"][agent, :3], atol=1e-3)
            assert len(way) > 1


def layer_of(page, name: str) -> int:
    return [layer["name"] for layer in page.hello["layers"]].index(name)


def until_shown(page, layer: int) -> np.ndarray:
    """Wait for a frame in which a layer says something; return its values by cell."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        heard = page.take()
        cells, values = heard["layers"].get(layer, ((), ())) if heard["type"] == "frame" else ((), ())
        if len(cells):
            return np.asarray(values)
    raise AssertionError("the layer was not sent")


def test_a_layer_is_surveyed_for_the_page_that_shows_it(served):
    with served.page() as page, served.page() as other:
        number = layer_of(page, "walk")
        other.say("overlays", layers=["search"])
        other.settle()
        before = len(other.frames)
        page.say("overlays", layers=["walk"])
        values = until_shown(page, number)
        assert len(values) > 100
        assert values.min() == 1
        other.settle()
        assert all(number not in frame["layers"] for frame in other.frames[before:])
        page.say("overlays", layers=[])
        page.settle()
        assert served.studio.director.surveying.layers(is_running=False)[number - 2].any() is np.False_


def test_layers_follow_the_game_while_it_runs(served):
    with served.page() as page:
        page.say("restart")
        page.until("hello")
        page.say("overlays", layers=["guards"])
        until_shown(page, layer_of(page, "guards"))
        surveying = served.studio.director.surveying
        before = surveying.tick
        page.say("run", running=True)
        page.until_tick(45)
        page.say("run", running=False)
        page.settle()
        until(lambda: surveying.tick > before)


def test_a_cell_is_measured_in_all_layers(served):
    with served.page() as page:
        told = page.ask("measure", "measured", cell=7)
        assert (told["cell"], told["tick"]) == (7, served.studio.director.game.shown)
        assert list(told["values"]) == [layer["name"] for layer in page.hello["layers"][2:]]
        assert told["values"]["light"] == 1.0
        assert told["values"]["walk"] > 0.0
        assert told["values"]["heat"] is None


def test_the_mesh_and_its_links_are_sent_once_when_asked(served):
    with served.page() as page:
        layout = served.studio.director.game.stage.layout
        mesh = page.ask("mesh", "mesh")
        corners = numbers(mesh["faces"]["corners"], "<u2")
        assert len(corners) == mesh["faces"]["count"] == layout.mesh.face_count
        xyz = numbers(mesh["faces"]["xyz"], "<f4").reshape(-1, 3)
        first = layout.mesh.face_xyz(1)
        np.testing.assert_allclose(xyz[corners[0] : corners[0] + corners[1]], first, atol=1e-3)
        links = numbers(mesh["links"]["cells"], "<u4").reshape(-1, 2)
        assert len(links) == mesh["links"]["count"] > 100
        away = layout.arrays.cell_xyz[links[:, 0]] - layout.arrays.cell_xyz[links[:, 1]]
        assert np.linalg.norm(away, axis=1).max() < 4.0


def test_spots_are_told_to_the_page_that_shows_them(served):
    with served.page() as page:
        page.say("overlays", spots=True, layers=["cleaned"])
        assert page.until("spots")["spots"] == []


def test_time_waits_while_no_page_is_open(served):
    with served.page() as page:
        page.say("restart")
        page.until("hello")
        page.say("run", running=True)
        page.until_tick(3)
    until(lambda: not served.studio.director.is_running)
    with served.page() as page:
        assert not page.hello["running"]
        note = page.until("note")["text"]
        assert note.startswith("Paused at")
        page.say("run", running=True)
        page.until("status", running=True)
        page.settle()
    with served.page() as page:
        page.settle()
        assert not any(text["type"] == "note" for text in page.heard)


def test_time_goes_on_where_it_is_told_to(tmp_path):
    with serving(tmp_path, "rooms", keep_running=True) as served:
        with served.page() as page:
            page.say("run", running=True)
            ticks = page.until("status", running=True)["ticks"]
        with served.page() as page:
            assert page.hello["running"]
            while page.until("frame")["tick"] < ticks + 10:  # a slow page misses some
                pass
