"""The pygame example runs headless: by itself, drawing the picture of the documentation, and with keys."""

from __future__ import annotations

import importlib
import os
import subprocess
import sys
from pathlib import Path

import pygame
import pytest

from pictures import decoded, look_alike

ROOT = Path(__file__).resolve().parents[2]
HEADLESS = {"SDL_VIDEODRIVER": "dummy", "SDL_AUDIODRIVER": "dummy", "PYGAME_HIDE_SUPPORT_PROMPT": "1"}


def test_the_documentation_shows_the_game_as_it_is_drawn_now(tmp_path):
    words = [sys.executable, str(ROOT / "examples" / "pygame_guard.py"), str(tmp_path / "now.png")]
    done = subprocess.run(words, env=os.environ | HEADLESS, capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stderr[-2000:]
    now = decoded((tmp_path / "now.png").read_bytes())
    shown = decoded((ROOT / "docs" / "pictures" / "game-loop.png").read_bytes())
    assert look_alike(now, shown), "make pictures draws it again"


def test_keys_move_you_and_the_door(monkeypatch):
    for name, value in HEADLESS.items():
        monkeypatch.setenv(name, value)
    monkeypatch.syspath_prepend(str(ROOT / "examples"))
    example = importlib.import_module("pygame_guard")
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
