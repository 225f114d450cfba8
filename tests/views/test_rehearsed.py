"""After what `lastseen play` rehearses no game waits for the compiler; what was rehearsed is not rehearsed again."""

import os
import subprocess
import sys

import pytest

from lastseen.views.cli import rehearsals, rehearsed
from specimens_fights import write_fight

SCRIPT = '''
import importlib
import pkgutil

import lastseen.kernels
from lastseen.reasoning.chase.settings import PRESETS
from lastseen.simulation.puppet import PlayerInput
from lastseen.views.cli.play import GAME
from lastseen.views.cli.rehearsals import REHEARSALS
from lastseen.views.studio.folder import Folder
from lastseen.views.studio.game import Game
from lastseen.views.studio.ground import ground_answer
from lastseen.views.studio.lens import Lens
from lastseen.views.studio.messages import WhatIf
from lastseen.views.studio.opening import opened, request_for
from lastseen.views.studio.layers import layer_kinds
from lastseen.views.studio.questions import account_answer, cell_answer, flood_answer
from lastseen.views.studio.survey import Survey, instant_of


def compiled():
    """The types every kernel called from Python is ready for, from the cache or compiled now."""
    found = set()
    for info in pkgutil.iter_modules(lastseen.kernels.__path__):
        module = importlib.import_module(f"lastseen.kernels.{info.name}")
        for name, kernel in vars(module).items():
            if hasattr(kernel, "signatures") and kernel.py_func.__module__ == module.__name__:
                found |= {(info.name, name, str(types)) for types in kernel.signatures}
    return found


def play(game):
    """Run about, be known to a guard who chases and searches, and ask all that a page asks on the way."""
    lens = Lens(game)
    world = game.world
    guard = int(world.watchers[0])
    for tick in range(300):
        if tick == 40 and not game.has_ended():
            game.place(game.stage.player, start)
        if game.has_ended():
            break
        if tick % 60 == 59:
            world.hunt.perceive(
                world.bodies.xyz[game.stage.player], world.time, sure=True, agents=[guard],
                places=world.bodies.xyz[[guard]], target=game.stage.player,
            )
        game.advance(PlayerInput((1.0, 0.5), "run", tick % 30 == 0, start if tick == 20 else None))
        if tick % 10 == 0:
            lens.moment(views=True, ways=True)
            account_answer(game, guard, None)
    cell_answer(game, 3)
    survey = Survey(game.stage, world.watchers, world.targets)
    for kind in layer_kinds(game.stage)[2:]:
        survey.values(kind.name, instant_of(game))
    ground_answer(game.stage.layout, game.world.cells)
    flood_answer(game, WhatIf(start, (1.0, 0.0), start, tuple(PRESETS)[:4]))
    flood_answer(game, WhatIf(start))


GAMES = [("warehouse", "normal"), ("house", "hard"), ("rooms", "easy"), ("hall", "normal"), ("fight.yaml", None)]
stages = [opened(Folder("."), request_for(*given)) for given in GAMES]
for name in GAME:
    REHEARSALS[name]()
ready = compiled()
assert len(ready) > 50, len(ready)
for stage in stages:
    game = Game(stage)
    start = tuple(game.world.bodies.xyz[stage.player].tolist())
    play(game)
    late = {kernel[:2] for kernel in compiled() - ready}
    assert not late, f"a game in {stage.source} compiles {sorted(late)}; rehearse it in views/cli/rehearsals.py"
'''


def test_no_game_compiles_what_was_not_rehearsed(tmp_path):
    write_fight(tmp_path, ready=True)
    found = subprocess.run(
        [sys.executable, "-c", SCRIPT], cwd=tmp_path, env=os.environ, capture_output=True, text=True, check=False
    )
    assert found.returncode == 0, found.stderr[-2000:]


@pytest.fixture
def ran(monkeypatch, tmp_path):
    """Rehearsals that only note that they ran, and a cache that is empty."""
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(tmp_path))
    names: list[str] = []
    for name in ("the chase", "rules"):
        monkeypatch.setitem(rehearsals.REHEARSALS, name, lambda name=name: names.append(name))
    return names


def test_what_was_rehearsed_is_not_rehearsed_again(ran):
    told: list[str] = []
    rehearsed.rehearse_missing(["rules"], told.append)
    rehearsed.rehearse_missing(["rules", "the chase"], told.append)
    rehearsed.rehearse_missing(["rules", "the chase"], told.append)
    assert ran == ["rules", "the chase"]
    assert [words.split(":")[0] for words in told] == ["getting ready"] * 2
    assert "the chase, 1 of 1" in told[1]


def test_other_kernels_are_rehearsed_anew(ran, monkeypatch):
    rehearsed.rehearse_missing(["rules"], lambda _: None)
    monkeypatch.setattr(rehearsed, "compiler_words", lambda: "another")
    rehearsed.rehearse_missing(["rules"], lambda _: None)
    assert ran == ["rules", "rules"]


def test_what_fails_is_not_noted(ran, monkeypatch):
    def fail():
        raise RuntimeError("no")

    monkeypatch.setitem(rehearsals.REHEARSALS, "rules", fail)
    with pytest.raises(RuntimeError):
        rehearsed.rehearse_missing(["rules"], lambda _: None)
    monkeypatch.setitem(rehearsals.REHEARSALS, "rules", lambda: ran.append("rules"))
    rehearsed.rehearse_missing(["rules"], lambda _: None)
    assert ran == ["rules"]


def test_a_cache_that_cannot_be_written_is_no_fault(ran, monkeypatch, tmp_path):
    blocked = tmp_path / "file"
    blocked.write_text("")
    monkeypatch.setenv("NUMBA_CACHE_DIR", str(blocked))
    rehearsed.rehearse_missing(["rules"], lambda _: None)
    assert ran == ["rules"]
