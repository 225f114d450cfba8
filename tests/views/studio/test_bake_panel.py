"""The panel Bake without a browser: numbers, what is drawn, bounds, and the newest question alone is answered."""

from __future__ import annotations

import base64
import json
import shlex
import threading

import numpy as np
import pytest
from click.testing import CliRunner

from lastseen import Body, CellLayout, Level
from lastseen.errors import InputError
from lastseen.views.cli.app.main import cli
from lastseen.views.studio.answers.background_answers import BackgroundAnswers
from lastseen.views.studio.panels import bake
from lastseen.views.studio.panels.bake import Bake, bake_answer
from lastseen.views.studio.protocol.greeting_builder import greeting_of
from lastseen.views.studio.protocol.news import Note, Problem, Working
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage import stage_of_level
from studio.server import PATIENCE, serving, until


@pytest.fixture(scope="module")
def game():
    return Game(stage_of_level(Level.sample("house"), "house"))


def made(game, **given):
    return bake_answer(game, Bake(**given))(lambda *_: None)


def test_without_values_the_game_is_baked_again(game):
    found, own = made(game, number=7), game.stage.layout
    assert found.number == 7
    assert (found.cells, found.faces) == (len(own), own.mesh.face_count)
    assert found.links * 2 == len(own.arrays.link_cell)
    assert found.squares.xyz == base64.b64encode(own.arrays.cell_xyz.astype("<f4").tobytes()).decode()
    storey = np.frombuffer(base64.b64decode(found.mesh.storey), "|u1")
    np.testing.assert_array_equal(storey, own.mesh.face_storey)


def test_the_command_bakes_the_same(game, tmp_path, monkeypatch):
    found = made(game, cell=0.4, radius=0.45, climb=0.2, slope=30.0)
    own = CellLayout.from_level(Level.sample("house"), Body(0.45, climb=0.2, slope=np.radians(30.0)), cell=0.4)
    assert (found.cells, found.faces) == (len(own), own.mesh.face_count)
    monkeypatch.chdir(tmp_path)
    program, *arguments = shlex.split(found.command)
    assert program == "lastseen"
    assert arguments[:2] == ["bake", "house"]
    told = CliRunner().invoke(cli, [*arguments, "--json"])
    assert told.exit_code == 0, told.output
    report = json.loads(told.stdout)
    assert (report["cells"], report["faces"]) == (found.cells, found.faces)
    assert (report["components"], report["walkable_m2"]) == (found.islands, found.area)


def test_a_file_is_named_in_the_command_as_a_shell_reads_it(tmp_path, monkeypatch):
    place = tmp_path / "my level.txt"
    place.write_text("#####\n#...#\n#####\n")
    monkeypatch.chdir(tmp_path)
    level = Level.read(place)
    found = made(Game(stage_of_level(level, "my level.txt")), radius=0.0)
    assert shlex.split(found.command)[2:5] == ["my level.txt", "-o", "my level.cells"]


def test_too_many_cells_are_refused_with_the_command_and_many_are_not_drawn(game, monkeypatch):
    monkeypatch.setattr(bake, "MOST_DRAWN", 40)
    found = made(game)
    assert found.squares is None
    assert found.mesh is None
    assert found.cells > 40
    monkeypatch.setattr(bake, "MOST_CELLS", 10)
    with pytest.raises(InputError, match=r"at most 10 are baked here.*lastseen bake house"):
        made(game)


@pytest.mark.data
def test_faces_of_a_mesh_get_the_storeys_the_page_shows(data):
    game = Game(stage_of_level(Level.read(data / "recast" / "dungeon.obj"), "dungeon.obj"))
    found = made(game)
    storey = np.frombuffer(base64.b64decode(found.mesh.storey), "|u1")
    greeted = np.frombuffer(base64.b64decode(greeting_of(game).cells.storey), "|u1")
    assert np.mean(storey[game.stage.layout.cell_face] == greeted) > 0.98
    wider = made(game, radius=0.8)
    assert set(np.frombuffer(base64.b64decode(wider.mesh.storey), "|u1")) <= set(storey)
    assert wider.area < found.area


def test_the_newest_question_is_answered_and_older_ones_are_dropped():
    said, begun, go = [], threading.Event(), threading.Event()
    answers = BackgroundAnswers(lambda message, to: said.append((message, to)))

    def slow(tell):
        begun.set()
        go.wait(PATIENCE)
        tell("half", 0.5)
        return Note("old")

    answers.ask(1, "bake", slow)
    assert begun.wait(PATIENCE)
    answers.ask(1, "bake", lambda _: Note("waiting, never begun"))
    answers.ask(1, "bake", lambda _: Note("new"))
    answers.ask(2, "bake", lambda _: Note("of another page"))
    go.set()
    until(lambda: len(said) == 2)
    assert said == [(Note("new"), (1,)), (Note("of another page"), (2,))]
    answers.stop()


def test_progress_and_errors_are_sent(monkeypatch):
    said = []
    answers = BackgroundAnswers(lambda message, to: said.append(message))
    monkeypatch.setattr("lastseen.views.studio.answers.background_answers._TELL", 0.0)

    def fails(tell):
        tell("navmesh", 0.25)
        raise InputError("too many cells")

    answers.ask(1, "bake", fails)
    until(lambda: len(said) == 2)
    assert said == [Working("bake", "navmesh", 0.25), Problem("refused", "too many cells", "bake")]
    answers.forget(1)
    answers.stop()


def test_a_page_gets_its_answer_and_errors_by_the_socket(tmp_path):
    with serving(tmp_path, "rooms") as served, served.page() as page:
        found = page.ask("bake", "baked", number=3, radius=0.2)
        assert (found["number"], found["radius"]) == (3, 0.2)
        refused = page.ask("bake", "error", number=4, radius=9.0)
        assert refused["about"] == "bake"
        unread = page.ask("bake", "error", number=5, radius=-1.0)
        assert unread["code"] == "unreadable"
