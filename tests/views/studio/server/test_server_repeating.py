"""Continuing from a past step repeats the run in the background: pages can view the game meanwhile, and cancel."""

from __future__ import annotations

import pytest

from lastseen.errors import RecordingError
from lastseen.views.studio.session.game import Game
from studio.server import serving

EAST = {"move": [1, 0], "gait": "walk"}


@pytest.fixture(scope="module")
def served(tmp_path_factory):
    with serving(tmp_path_factory.mktemp("studio"), "corridor") as found:
        yield found


@pytest.fixture
def page(served):
    with served.page() as found:
        found.say("restart")
        found.until("hello", tick=0)
        found.say("input", **EAST)
        found.say("step", ticks=40)
        found.until("status", tick=40)
        yield found


def test_pages_look_on_while_a_run_is_repeated(page, gate):
    digest = page.settle()["digest"]
    page.say("seek", tick=15)
    page.say("resume")
    assert page.until("status", repeating=15)["ticks"] == 41
    page.say("input", **EAST)
    page.say("step", ticks=25)
    assert page.ask("cell", "cell", cell=3)["tick"] == 15
    page.say("seek", tick=30)
    assert page.until("frame", tick=30)["full"]
    assert page.ask("ask", "account", agent=0)["number"] == 0
    gate.set()
    page.until("status", tick=15, ticks=16)
    page.until("status", tick=40, ticks=41)
    status = page.until("status", repeating=None)
    assert (status["digest"], status["live"]) == (digest, True)


def test_a_repeated_run_can_be_called_off_and_nothing_has_changed(page, gate):
    digest = page.settle()["digest"]
    page.say("seek", tick=15)
    page.say("resume")
    page.until("status", repeating=15)
    page.say("step", ticks=3)
    assert "no file is being made" in page.ask("cancel", "error", what="file")["message"]
    page.say("cancel", what="run")
    page.ask("cell", "cell", cell=1)
    gate.set()
    status = page.settle()  # a run called off before it came to the gate has said so already
    assert (status["tick"], status["ticks"], status["repeating"]) == (15, 41, None)
    page.say("cancel")
    assert "no run is being repeated" in page.until("error")["message"]
    page.say("seek", tick=40)
    assert page.until("status", tick=40)["digest"] == digest
    page.say("step", ticks=1)
    assert page.until("status", tick=41)["live"]


def test_who_begins_again_does_not_wait(page, gate):
    page.say("seek", tick=15)
    page.say("resume")
    page.until("status", repeating=15)
    page.say("restart")
    assert page.until("hello", tick=0)["repeating"] is None
    gate.set()
    page.say("step", ticks=2)
    assert page.until("status", tick=2)["ticks"] == 3
    assert page.settle()["ticks"] == 3


def test_somebody_is_moved_in_the_past_once_the_run_is_repeated(page, gate):
    page.say("seek", tick=15)
    x, y, z = page.until("frame", tick=15)["numbers"][0][:3].tolist()
    page.say("place", agent=0, at=[x + 0.5, y, z])
    page.until("status", repeating=15)
    gate.set()
    assert page.until("status", repeating=None)["ticks"] == 16
    page.settle()
    page.say("seek", tick=15)
    page.until("status", tick=15)
    assert page.until("frame")["numbers"][0][0] == pytest.approx(x + 0.5, abs=0.05)


def test_what_cannot_be_repeated_is_said_and_can_still_be_watched(page, monkeypatch):
    def repeater(game):
        def repeat(progress):
            raise RecordingError("step 15 came out otherwise")

        return repeat

    monkeypatch.setattr(Game, "repeater", repeater)
    page.say("seek", tick=15)
    page.say("resume")
    assert "otherwise" in page.until("error", about="resume")["message"]
    status = page.settle()
    assert (status["mode"], status["tick"], status["ticks"]) == ("watch", 15, 41)
