"""Files made by the studio, over a real socket: fetched once, bounded, and never in the way of the game."""

from __future__ import annotations

import io
import json
import threading

import httpx
import numpy as np
import pytest
from PIL import Image

from lastseen.errors import InputError
from lastseen.views.studio.answers import export_jobs as module
from lastseen.views.studio.answers.export_jobs import Exports, Made
from lastseen.views.studio.protocol.news import Progress, encoded
from studio.server import PATIENCE, serving


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("exports"), "rooms") as found:
        yield found


@pytest.fixture
def page(served):
    with served.page() as found:
        found.say("restart")
        found.until("hello")
        found.say("step", ticks=60)
        found.until("status", ticks=61)
        yield found


def fetched(served, ticket):
    return httpx.get(f"http://{served.host}/api/download", params={"ticket": ticket}, timeout=PATIENCE, verify=False)


def made(served, page, **asked):
    told = page.ask("export", "exported", **asked)
    answer = fetched(served, told["ticket"])
    assert answer.status_code == 200
    assert len(answer.content) == told["bytes"]
    return told, answer


def test_a_picture_of_the_moment_shown(served, page):
    told, answer = made(served, page, kind="png")
    assert told["name"] == "Two-rooms-2.0s.png"
    assert answer.headers["content-type"] == "image/png"
    picture = np.asarray(Image.open(io.BytesIO(answer.content)).convert("RGB"))
    assert picture.shape[0] > 300
    assert len(np.unique(picture.reshape(-1, 3), axis=0)) > 50
    other = made(served, page, kind="png", **{"from": 0})[1]
    assert other.content != answer.content


def test_a_film_of_a_stretch(served, page):
    told, answer = made(served, page, kind="gif", **{"from": 0, "to": 30})
    assert told["name"] == "Two-rooms-0.0s-1.0s.gif"
    film = Image.open(io.BytesIO(answer.content))
    assert film.n_frames == 10
    heard = [text for text in page.heard if text["type"] == "progress"]
    assert [text["kind"] for text in heard] == ["gif"] * len(heard)
    assert heard
    assert all(0.0 <= text["fraction"] <= 1.0 for text in heard)


def test_a_page_of_everything_is_an_attachment(served, page):
    _, answer = made(served, page, kind="html")
    assert answer.headers["content-disposition"] == "attachment; filename*=UTF-8''Two-rooms.html"
    assert answer.headers["x-content-type-options"] == "nosniff"
    assert answer.text.startswith("<!doctype html>")


def test_a_ticket_is_good_once(served, page):
    told, _ = made(served, page, kind="png")
    again = fetched(served, told["ticket"])
    assert again.status_code == 404
    assert again.json()["code"] == "ticket"
    assert fetched(served, "").status_code == fetched(served, "x" * 5_000).status_code == 404


def test_only_the_page_that_asked_is_told(served, page):
    with served.page() as other:
        made(served, page, kind="png")
        other.settle()
        assert not [text for text in other.heard if text["type"] in ("progress", "exported")]


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ({"kind": "gif", "from": 30, "to": 20}, "steps 30 to 20 cannot be exported; there are 0 to 60"),
        ({"kind": "html", "to": 61}, "steps 0 to 61 cannot be exported"),
        ({"kind": "png", "from": 2**31 - 1}, "cannot be exported"),
        ({"kind": "gif", "from": 5, "to": 5}, "needs more than one step"),
    ],
)
def test_steps_that_are_not_there(page, asked, words):
    told = page.ask("export", "error", **asked)
    assert (told["code"], told["about"]) == ("refused", "export")
    assert words in told["message"]


@pytest.mark.parametrize(
    "asked",
    [
        {"kind": "exe"},
        {},
        {"kind": "png", "path": "/etc/passwd"},
        {"kind": "gif", "from": -1},
        {"kind": "gif", "from": 1e9},
        {"kind": "gif", "to": 2**64},
        {"kind": "gif", "to": "9"},
    ],
)
def test_hostile_messages_change_nothing(page, asked):
    assert page.ask("export", "error", **asked)["code"] == "unreadable"
    assert page.ask("cancel", "error")["message"].startswith("nothing to cancel")


def test_the_game_goes_on_meanwhile(served, page):
    page.say("run", running=True, speed=1.0)
    told = page.ask("export", "exported", kind="gif", **{"from": 0, "to": 30})
    page.say("run", running=False)
    assert page.settle()["ticks"] > 62
    assert Image.open(io.BytesIO(fetched(served, told["ticket"]).content)).n_frames == 10


class Heard:
    """Pages that only listen."""

    def __init__(self):
        self.told = []
        self.came = threading.Condition()

    def say(self, message, to):
        with self.came:
            self.told.append((to, json.loads(encoded(message))))
            self.came.notify_all()

    def until(self, kind, to):
        def find():
            return [told for who, told in self.told if told["type"] == kind and who == (to,)]

        with self.came:
            assert self.came.wait_for(find, timeout=PATIENCE), self.told
            return find()[-1]


@pytest.fixture
def heard():
    return Heard()


@pytest.fixture
def exports(heard):
    found = Exports(heard.say)
    yield found
    found.stop()


def holding(gate):
    """Make a file that is done when the gate opens, and asks now and then whether it is still wanted."""

    def make(progress):
        while not gate.wait(0.01):
            progress("waits", 0.5)
        return Made("x.bin", "application/octet-stream", b"data")

    return make


def test_one_file_for_a_page_and_few_for_all(exports, heard):
    gate = threading.Event()
    exports.ask(1, "gif", holding(gate))
    with pytest.raises(InputError, match="already being made for this page; wait for it or cancel it"):
        exports.ask(1, "gif", holding(gate))
    for client in range(2, module.MOST_WAITING + 1):
        exports.ask(client, "gif", holding(gate))
    with pytest.raises(InputError, match="8 files are already being made"):
        exports.ask(99, "gif", holding(gate))
    gate.set()
    tickets = {heard.until("exported", client)["ticket"] for client in range(1, module.MOST_WAITING + 1)}
    assert len(tickets) == module.MOST_WAITING
    exports.ask(99, "gif", holding(gate))
    heard.until("exported", 99)


def test_what_is_cancelled_is_given_up(exports, heard):
    exports.ask(1, "gif", holding(threading.Event()))
    assert exports.cancel(1)
    heard.until("cancelled", 1)
    assert not exports.cancel(2)


def test_errors_are_told_and_the_next_file_is_made(exports, heard):
    def refuse(progress):
        raise InputError("not this")

    def fail(progress):
        raise ZeroDivisionError("oh")

    exports.ask(1, "gif", refuse)
    assert heard.until("error", 1) == {"type": "error", "code": "refused", "message": "not this", "about": "export"}
    exports.ask(2, "gif", fail)
    assert "ZeroDivisionError: oh" in heard.until("error", 2)["message"]
    heard.until("cancelled", 1)
    heard.until("cancelled", 2)
    gate = threading.Event()
    gate.set()
    exports.ask(3, "gif", holding(gate))
    assert exports.take(heard.until("exported", 3)["ticket"]).data == b"data"


@pytest.mark.parametrize("data", [b"data", None])
def test_the_next_file_may_be_requested_as_soon_as_a_result_is_announced(data):
    heard, refused = Heard(), []

    def make(progress):
        if data is None:
            raise InputError("not this")
        return Made("x.bin", "application/octet-stream", data)

    def say(message, to):
        if isinstance(message, Progress):
            return
        if not heard.told:
            try:
                exports.ask(1, "gif", make)
            except InputError as error:
                refused.append(error)
        heard.say(message, to)

    exports = Exports(say)
    exports.ask(1, "gif", make)
    with heard.came:
        last = "cancelled" if data is None else "exported"
        assert heard.came.wait_for(lambda: [told["type"] for _, told in heard.told].count(last) == 2, PATIENCE)
    exports.stop()
    assert refused == []


def test_files_nobody_fetches_are_dropped(exports, heard, monkeypatch):
    gate = threading.Event()
    gate.set()
    monkeypatch.setattr(module, "MOST_KEPT", 10)
    tickets = []
    for client in (1, 2, 3):
        exports.ask(client, "gif", holding(gate))
        tickets.append(heard.until("exported", client)["ticket"])
    assert exports.take(tickets[0]) is None
    monkeypatch.setattr(module, "KEPT_SECONDS", -1.0)
    assert exports.take(tickets[2]) is None


def test_a_run_is_compared_with_what_it_was(served, page):
    page.say("save", name="before")
    page.until("saved")
    page.say("input", move=[1.0, 0.0])
    page.say("step", ticks=10)
    page.until("status", ticks=71)
    told = page.ask("compare", "exported", recording="before.rec")
    found = told["comparison"]
    assert found["steps"] == [71, 61]
    assert (found["compared"], found["tick"], found["cannot"]) == (61, None, "")
    assert fetched(served, told["ticket"]).status_code == 200


@pytest.mark.parametrize("name", ["none.rec", "../before.rec", "/etc/passwd", "uploaded/../x.rec", "\0", "rooms"])
def test_only_recordings_of_the_folder_are_compared(page, name):
    told = page.ask("compare", "error", recording=name)
    assert (told["code"], told["about"]) == ("refused", "compare")
