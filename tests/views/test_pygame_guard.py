"""The pygame example runs headless: by itself, drawing the picture of the documentation, with keys, and in a studio."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from lastseen.studio import sender
from lastseen.views.studio.server import running_studios
from lastseen.views.studio.session.feeds import empty_feed
from pictures import decoded, look_alike
from studio.server import TOKEN, preparing, until

ROOT = Path(__file__).resolve().parents[2]
HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}


@pytest.fixture(autouse=True)
def _own_cache(tmp_path, monkeypatch):
    """No studio that happens to run on this machine is found."""
    monkeypatch.setenv("XDG_RUNTIME_DIR", str(tmp_path / "running"))


@pytest.fixture
def example(monkeypatch):
    for name, value in HEADLESS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    return importlib.import_module("pygame_guard")


def test_the_documentation_shows_the_game_as_it_is_drawn_now(tmp_path):
    words = [sys.executable, str(ROOT / "examples" / "pygame_guard.py"), str(tmp_path / "now.png")]
    done = subprocess.run(words, env=os.environ | HEADLESS, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    now = decoded((tmp_path / "now.png").read_bytes())
    shown = decoded((ROOT / "docs" / "pictures" / "game-loop.png").read_bytes())
    assert look_alike(now, shown), "make pictures draws it again"


def test_keys_move_you_and_the_door(example, monkeypatch):
    games, frames = [], iter(range(100))

    class Kept(example.own.Game):
        def __init__(self):
            super().__init__()
            games.append(self)

    def events():
        keys = {10: pygame.K_e, 30: pygame.K_e, 40: pygame.K_e, 60: pygame.K_ESCAPE}
        number = next(frames)
        return [pygame.event.Event(pygame.KEYDOWN, key=keys[number])] if number in keys else []

    def held():
        return {pygame.K_RIGHT: True, pygame.K_LEFT: False, pygame.K_UP: True, pygame.K_DOWN: False}

    monkeypatch.setattr(example.own, "Game", Kept)
    monkeypatch.setattr(pygame.event, "get", events)
    monkeypatch.setattr(pygame.key, "get_pressed", held)
    example.play()
    (game,) = games
    x, y, _ = game.people.xyz[0]
    assert game.now == pytest.approx(61 / 60)
    assert x > 10.5
    assert y < 12.5
    assert game.place.shut_doors == (0,)
    assert game.place.sight.closed.all()


def test_the_door_stays_open_while_a_body_is_in_it(example):
    game = example.own.Game()
    (guard,) = game.guards
    game.people.xyz[guard.body] = (18.5, 7.5, 0.0)
    guard.go((21.5, 7.5))
    game.set_door(closed=True)
    assert game.place.shut_doors == ()
    while guard.walked < 2.0:
        game.step(0, 0, 1 / 60)
    game.set_door(closed=True)
    assert game.place.shut_doors == (0,)
    guard.go((16.5, 7.5))
    assert guard.path.reached


def test_guards_find_another_path_when_the_door_shuts(example):
    game = example.own.Game()
    (guard,) = game.guards
    game.people.xyz[guard.body] = (16.5, 7.5, 0.0)
    guard.go((21.5, 7.5))
    before = guard.path.length
    game.set_door(closed=True)
    assert guard.path.reached
    assert guard.path.length > before + 10.0
    game.set_door(closed=False)
    assert guard.path.length == pytest.approx(before)


def test_a_running_studio_shows_the_guard_its_guess_and_why(example, monkeypatch, tmp_path):
    monkeypatch.setattr(sender, "MOST_WAITING", 2_000)  # it plays faster than in real time, and nothing is dropped
    folder = tmp_path / "studio"
    folder.mkdir()
    with preparing(folder, empty_feed) as served, running_studios.published("127.0.0.1", served.port, TOKEN):
        until(served.studio.ready.is_set)
        runs, frame = served.studio.director.feeds._runs, example.own.Game.step

        def step(game, *keys):
            frames = round(game.now * 60)
            until(lambda: not runs or next(iter(runs.values())).ticks > frames - 200)  # however loaded the machine is
            frame(game, *keys)

        monkeypatch.setattr(example.own.Game, "step", step)
        example.play(str(tmp_path / "now.png"))
        (run,) = runs.values()
        until(lambda: not run.is_connected)
    assert run.level == example.own.LEVEL
    lost = [one for one in run.happened if one.get("name") == "loses sight of you"]
    assert [round(one["tick"] / 60) for one in lost] == [20, 22]
    assert lost[1]["text"] == "guard 1: loses sight of you – runs to its guess"
    before, after = run.moment(600), run.moment(lost[1]["tick"] + 1)
    assert {agent.name: agent.state for agent in before.agents} == {"guard 1": "patrol", "you": "sneak"}
    (guard, _) = after.agents
    assert (guard.state, guard.why) == ("run", "it loses you and runs to (21, 5)")
    assert guard.view == pytest.approx((12.0, 1.0472), abs=1e-3)
    assert before.points == ()
    assert (before.shut, after.shut) == ((), (0,))
    ((guess,), (path,)) = after.points, after.lines
    assert [round(value) for value in guess.at[:2]] == [21, 5]
    assert path.points[-1] == pytest.approx(guess.at)
    assert path.points[0] == pytest.approx(guard.at, abs=0.01)
    assert before.numbers == {"suspicion of guard 1": 0.0}
    seen = max(run.moment(tick).numbers["suspicion of guard 1"] for tick in range(1100, 1190))
    assert seen == pytest.approx(1.0)
