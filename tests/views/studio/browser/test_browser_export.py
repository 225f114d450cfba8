"""Files that leave the page, in a real browser: each is downloaded and looked into."""

from __future__ import annotations

import io

import numpy as np
import pytest
from PIL import Image

from lastseen.simulation.recording.recording import Recording
from lastseen.views.figures.drawing.palette import scale_colours
from specimens.recordings import LOST, recorded
from studio.browser import SIZE
from studio.server import serving


@pytest.fixture(scope="module")
def lost(tmp_path_factory):
    folder = tmp_path_factory.mktemp("browser_export")
    recorded(LOST, folder / "lost.rec")
    with serving(folder, "lost.rec") as served:
        yield served


def kept(one, entry: str) -> tuple[str, bytes]:
    """Choose an entry of the menu; return name and bytes of what the browser is given."""
    one.page.locator(".share summary").click()
    with one.page.expect_download() as waiting:
        one.page.get_by_role("button", name=entry).click()
    return waiting.value.suggested_filename, waiting.value.path().read_bytes()


def seek(one, tick: int) -> None:
    one.key("Home")
    one.until("lastseenTest.tick === 0 && lastseenTest.status.tick === 0")
    one.page.locator(".lanes").focus()
    for step in range(30, tick + 1, 30):
        one.key("Shift+ArrowRight")
        one.until(f"lastseenTest.tick === {step} && lastseenTest.status.tick === {step}")


def pixels(data: bytes) -> np.ndarray:
    return np.asarray(Image.open(io.BytesIO(data)).convert("RGB"))


def count(picture: np.ndarray, colour: tuple[int, int, int]) -> int:
    return int((np.abs(picture.astype(int) - colour).sum(axis=2) < 12).sum())


def test_a_picture_of_the_screen_is_the_map(lost, window):
    one = window(lost)
    name, data = kept(one, "Screenshot")
    shown = pixels(data)
    assert name.endswith(".png")
    assert 500 < shown.shape[1] < SIZE["width"]
    place = one.ask("lastseenTest.agents[0].pixel")
    around = shown[int(place[1]) - 8 : int(place[1]) + 9, int(place[0]) - 8 : int(place[0]) + 9]
    assert len(np.unique(around.reshape(-1, 3), axis=0)) > 10


def test_a_picture_with_legend_is_of_the_moment_shown(lost, window):
    one = window(lost)
    seek(one, 30)
    name, early = kept(one, "Picture with legend")
    assert name == "lost-1.0s.png"
    seek(one, 360)
    name, late = kept(one, "Picture with legend")
    assert name == "lost-12.0s.png"
    # In the middle of the search its colour is on the map, at first it is not.
    colour = tuple(scale_colours("search")[-1].tolist())
    assert count(pixels(late), colour) > count(pixels(early), colour)


def test_a_film_of_the_stretch_selected(lost, window):
    one = window(lost)
    box = one.page.locator(".lanes").bounding_box()
    left, width, y = box["x"] + 74, box["width"] - 82, box["y"] + 24
    one.page.mouse.move(left + width * 0.1, y)
    one.page.mouse.down()
    one.page.mouse.move(left + width * 0.25, y, steps=4)
    one.page.mouse.up()
    name, data = kept(one, "Animation")
    film = Image.open(io.BytesIO(data))
    first, last = (float(word.removesuffix("s")) for word in name.removesuffix(".gif").split("-")[1:])
    assert 1.5 < first < 2.0 < 4.0 < last < 4.6
    assert film.n_frames == pytest.approx(10 * (last - first), abs=2)
    begin = np.asarray(film.convert("RGB"))
    film.seek(film.n_frames - 1)
    end = np.asarray(film.convert("RGB"))
    assert begin.shape == end.shape
    assert 200 < (begin != end).any(axis=2).sum() < begin.shape[0] * begin.shape[1] // 2
    one.page.get_by_text("Created lost-").wait_for()


def test_a_replay_opens_from_disk(lost, window, tmp_path):
    one = window(lost)
    name, data = kept(one, "Replay (HTML)")
    assert name == "lost.html"
    (tmp_path / name).write_bytes(data)
    other = window((tmp_path / name).as_uri())
    assert other.ask("lastseenTest.status.ticks") == one.ask("lastseenTest.status.ticks") == 526
    other.keep()
    other.key("End")
    other.until("lastseenTest.tick === 525")
    assert other.changed() > 200
    one.key("End")
    one.until("lastseenTest.status.tick === 525")
    assert other.ask("lastseenTest.status.digest") == one.ask("lastseenTest.status.digest")


@pytest.mark.long
def test_a_film_can_be_given_up(lost, window):
    one = window(lost)
    one.page.locator(".share summary").click()
    one.page.get_by_role("button", name="Animation").click()
    one.page.get_by_role("button", name="Cancel").click()
    one.until("document.querySelector('.exporting').hidden")
    assert kept(one, "Picture with legend")[1].startswith(b"\x89PNG")


def test_a_game_is_saved_and_opened_again(tmp_path, window):
    with serving(tmp_path, "rooms") as served:
        one = window(served)
        for ticks in (2, 3, 4):
            one.key(".")
            one.until(f"lastseenTest.status.ticks === {ticks}")
        digest = one.ask("lastseenTest.status.digest")
        one.page.locator(".share summary").click()
        one.page.get_by_label("Recording name").fill("mine")
        one.page.get_by_role("button", name="Save recording").click()
        one.hears("Saved mine.rec.")
        one.page.get_by_label("Level or scenario").select_option("recording:mine.rec")
        one.until("lastseenTest.mode === 'watch' && lastseenTest.status.ticks === 4")
        one.key("End")
        one.until("lastseenTest.status.tick === 3")
        assert one.ask("lastseenTest.status.digest") == digest


def test_no_recording_is_replaced_unasked_and_a_run_that_was_left_can_still_be_saved(tmp_path, window):
    with serving(tmp_path, "rooms") as served, served.page() as page:
        one = window(served)
        menu, name = one.page.locator(".share summary"), one.page.get_by_label("Recording name")
        save = one.page.get_by_role("button", name="Save recording", exact=True)

        def saved(as_name: str | None = None) -> None:
            menu.click()
            if as_name:
                name.fill(as_name)
            save.click()

        saved()
        one.hears("Saved run.rec.")
        first = (tmp_path / "run.rec").read_bytes()
        page.say("step", ticks=160)
        one.until("lastseenTest.status.ticks === 161")
        assert name.input_value() == "run 2"
        saved("run")
        one.page.locator("dialog.ask").get_by_role("button", name="Cancel").click()
        assert (tmp_path / "run.rec").read_bytes() == first
        one.key("r")
        one.until("lastseenTest.status.ticks === 1")
        menu.click()
        one.page.get_by_role("button", name="Save previous run (0:05.4)").click()
        one.hears("Saved run 2.rec.")
        assert len(Recording.read(tmp_path / "run 2.rec")) == 161
        assert one.page.get_by_role("button", name="Save previous run").count() == 0
        page.say("step", ticks=5)
        one.until("lastseenTest.status.ticks === 6")
        saved("run")
        one.page.get_by_role("button", name="Replace", exact=True).click()
        one.hears("Saved run.rec.", times=2)
        assert len(Recording.read(tmp_path / "run.rec")) == 6


@pytest.mark.long
def test_a_recording_from_elsewhere_is_opened(tmp_path, window):
    (tmp_path / "served").mkdir()
    recorded(LOST, tmp_path / "other.rec")
    (tmp_path / "bad.rec").write_bytes(b"no recording")
    with serving(tmp_path / "served", "rooms") as served:
        one = window(served)
        one.excused = "400 (Bad Request)"
        for file, words in (("bad.rec", "is not a recording of lastseen"), ("other.rec", None)):
            one.page.locator(".share summary").click()
            with one.page.expect_file_chooser() as chooser:
                one.page.get_by_role("button", name="Open a file").click()
            chooser.value.set_files(tmp_path / file)
            if words:
                one.page.get_by_text(words).wait_for()
        one.until("lastseenTest.status.ticks === 526 && lastseenTest.agents.length === 2")
        assert one.ask("lastseenTest.agents.map((one) => one.name)") == ["Ames", "you"]
