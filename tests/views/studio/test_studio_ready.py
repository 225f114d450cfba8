"""A studio that gets ready: pages connect before there is a game and see the progress; failures end it."""

from __future__ import annotations

import threading

import numba
import pytest

from lastseen.compilation.progress import CompileProgress
from lastseen.errors import InputError
from lastseen.views.studio.protocol.messages import Run, Step
from lastseen.views.studio.server import serve
from lastseen.views.studio.server.serve import make_server
from lastseen.views.studio.session import studio as studio_module
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.views.studio.session.studio import Studio
from studio.server import PATIENCE, TOKEN, Page, preparing


@pytest.fixture
def stage(tmp_path):
    return opened(Folder(tmp_path), request_for("rooms"))


def heard_until(socket, kind: str) -> list[dict]:
    """What a page hears up to the first message of a type."""
    page = Page.__new__(Page)
    page.socket, page.heard, page.frames = socket, [], []
    while not page.heard or page.heard[-1]["type"] != kind:
        page.take()
    return page.heard


def test_a_page_that_comes_early_is_told_why_it_waits(tmp_path, stage):
    may_open = threading.Event()

    def prepare(preparation):
        preparation.announce("getting ready: compiling the chase")
        assert may_open.wait(PATIENCE)
        return stage

    with preparing(tmp_path, prepare) as served, served.connect() as early, served.connect() as other:
        assert heard_until(early, "busy")[-1]["text"].startswith("getting ready")
        assert heard_until(other, "busy")[-1]["text"].startswith("getting ready")
        early.send('{"type": "run"}')
        refused = heard_until(early, "error")[-1]
        assert refused["code"] == "busy"
        may_open.set()
        heard = heard_until(early, "status")
        assert [text["type"] for text in heard].count("hello") == 1
        assert "hello" in [text["type"] for text in heard_until(other, "status")]


def test_the_page_is_served_as_soon_as_it_is_clear_that_compiling_takes_long(tmp_path, stage, monkeypatch):
    monkeypatch.setattr(serve, "_PATIENCE", 1e9)
    may_open = threading.Event()

    def prepare(preparation):
        preparation.compile_first(CompileProgress(is_busy=True))
        assert may_open.wait(PATIENCE)
        return stage

    studio = Studio(prepare, Folder(tmp_path))
    studio.start()
    try:
        serve._wait_for(studio)
        assert not studio.ready.is_set()
        may_open.set()
        assert studio.ready.wait(PATIENCE)
        serve._wait_for(studio)
    finally:
        may_open.set()
        studio.stop()


def test_what_cannot_be_opened_ends_the_server(tmp_path):
    def prepare(preparation):
        preparation.announce("getting ready")
        raise InputError("no such level")

    server, studio = make_server(prepare, Folder(tmp_path), host="127.0.0.1", token=TOKEN)
    studio.start()
    assert studio.ready.wait(PATIENCE)
    assert str(studio.failure) == "no such level"
    assert server.should_exit


def test_pages_come_and_go_however_many_messages_wait(tmp_path, stage, monkeypatch):
    """A full line refuses what pages say, but no page is left ungreeted or remembered."""
    monkeypatch.setattr(studio_module, "MOST_WAITING", 2)
    studio = Studio(lambda _: stage, Folder(tmp_path))
    held, may_go_on, seen = threading.Event(), threading.Event(), []
    monkeypatch.setattr(studio.director, "welcome", lambda client: seen.append(("came", client)))
    monkeypatch.setattr(studio.director, "forget", lambda client: seen.append(("went", client)))

    def hold(client, message):
        held.set()
        assert may_go_on.wait(PATIENCE)

    monkeypatch.setattr(studio.director, "handle", hold)
    studio.start()
    try:
        assert studio.ready.wait(PATIENCE)
        assert studio.submit(1, Run())
        assert held.wait(PATIENCE)
        assert studio.submit(1, Step())
        assert studio.submit(1, Step())
        assert not studio.submit(1, Step())
        studio.join(2)
        studio.leave(2)
        done = threading.Event()
        monkeypatch.setattr(studio.director, "forget", lambda client: (seen.append(("went", client)), done.set()))
        studio.leave(3)
        may_go_on.set()
        assert done.wait(PATIENCE)
    finally:
        may_go_on.set()
        studio.stop()
    assert seen == [("came", 2), ("went", 2), ("went", 3)]


def test_the_compiler_in_the_midst_of_a_game_is_told_of(tmp_path, stage, monkeypatch):
    studio = Studio(lambda _: stage, Folder(tmp_path))
    told, done = [], threading.Event()
    monkeypatch.setattr(studio.preparation, "announce", told.append)

    def compile_something(client, message):
        numba.njit(lambda x: x + 1)(1)

    monkeypatch.setattr(studio.director, "handle", compile_something)
    monkeypatch.setattr(studio.director, "forget", lambda _: done.set())
    studio.start()
    try:
        assert studio.ready.wait(PATIENCE)
        told.clear()
        studio.submit(1, Run())
        studio.leave(1)
        assert done.wait(PATIENCE)
    finally:
        studio.stop()
    assert told == ["compiling, first time only", ""]
