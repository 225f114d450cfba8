"""Pages learn what they wait for, including those that connect late; levels are drawn before they are baked."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Callable, Iterable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lastseen.compilation.progress import CompileProgress
from lastseen.level.level import ConvexFaces, Level
from lastseen.level.samples import sample
from lastseen.views.cli.run import play
from lastseen.views.studio.protocol.level_outline import drawing_of
from lastseen.views.studio.protocol.messages import Open
from lastseen.views.studio.protocol.news import Sent, encoded
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.views.studio.session.studio import Preparation
from specimens.soups import box, join, plate, ramp
from studio.server import PATIENCE, until


class Told:
    """Keeps messages with their receivers."""

    def __init__(self) -> None:
        self.said: list[tuple[dict[str, Any], tuple[int, ...] | None]] = []

    def __call__(self, message: Sent, to: Iterable[int] | None) -> None:
        self.said.append((json.loads(encoded(message)), None if to is None else tuple(to)))

    def kinds(self, to: int | None = None) -> list[str]:
        return [text["type"] for text, heard in self.said if heard == (None if to is None else (to,))]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def preparation(told: Told) -> Preparation:
    return Preparation(told)


def test_who_comes_late_is_told_what_was_told_last(told: Told, preparation: Preparation) -> None:
    preparation.announce("getting ready")
    preparation.show("Rooms", sample("rooms"))
    preparation.compile_first(CompileProgress(1, 2.0, 9, 8.0, is_busy=True))
    preparation.join(7)
    assert told.kinds(7) == ["preview", "busy", "compiling"]
    assert told.said[-1][0] == {
        "type": "compiling", "stage": "first step", "text": "compiling kernel 2 of 9, about 8 seconds left",
        "compiled_kernels": 1, "of_kernels": 9, "compile_seconds": 2.0, "compile_seconds_left": 8.0, "share": 0.2,
    }  # fmt: skip
    preparation.finish()
    preparation.join(8)
    assert told.kinds(8) == []


def test_messages_about_kernels_are_few_but_the_last_comes(told: Told, preparation: Preparation) -> None:
    for number in range(500):
        preparation.compile_rest(CompileProgress(number, 1.0))
    preparation.compile_rest(None)
    assert 2 <= len(told.said) < 100
    assert told.said[-1][0] == {"type": "compiling", "stage": "rest", "text": ""}
    preparation.join(7)
    assert told.kinds(7) == []


def test_what_is_for_later_waits_for_the_game(preparation: Preparation) -> None:
    done = threading.Event()
    preparation.later(done.set)
    assert not done.wait(0.01)
    preparation.finish()
    assert done.wait(PATIENCE)


@pytest.mark.parametrize("name", ["warehouse", "house"])
def test_levels_look_the_same_before_and_after_they_are_baked(tmp_path: Path, name: str) -> None:
    stage = opened(Folder(tmp_path), request_for(name))
    assert drawing_of(stage.setting.level) == drawing_of(stage.setting.level, stage.layout.mesh)


def test_triangles_and_faces_are_drawn_before_they_are_baked() -> None:
    soup = join(plate(0, 0, 8, 6), box(2, 2, 0, 3, 3, 1), ramp(20, 0, 21, 6, 0, 9))
    (floor,) = drawing_of(Level(soup)).shapes
    assert sorted(floor.outline) == [[0, 0], [0, 6], [8, 0], [8, 6]]
    square = np.array([[0.0, 0, 0], [2, 0, 0], [2, 2, 0], [0, 2, 0], [4, 0, 0], [4, 2, 0]])
    faces = ConvexFaces(square, np.array([0, 4, 8]), np.array([0, 1, 2, 3, 1, 4, 5, 2]))
    (floor,) = drawing_of(Level(faces)).shapes
    assert sorted(floor.outline) == [[0, 0], [0, 2], [4, 0], [4, 2]]


SHOW_ALL = """
from lastseen.level.samples import SAMPLES, sample
from lastseen.compilation.compile_monitor import CompileCounter
from lastseen.views.studio.session.studio import Preparation

with CompileCounter().counting() as counter:
    for name in SAMPLES:
        Preparation(lambda text, to: None).show(name, sample(name))
    assert counter.done == 0, f"showing levels compiles {counter.done} kernels"
"""


def test_levels_are_shown_without_any_kernel(tmp_path: Path) -> None:
    """In a process of its own with an empty cache: kernels that are kept would not be noticed."""
    env = {**os.environ, "NUMBA_CACHE_DIR": str(tmp_path)}
    found = subprocess.run([sys.executable, "-c", SHOW_ALL], env=env, capture_output=True, text=True, check=False)
    assert found.returncode == 0, found.stderr[-2000:]
    assert not list(tmp_path.rglob("*.nbc")), "kernels were compiled"


def test_a_level_is_shown_before_it_is_baked(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    happened: list[str] = []

    def fail(*_: object, **__: object) -> None:
        happened.append("bake")
        raise KeyError

    monkeypatch.setattr("lastseen.cells.from_level.build_navmesh", fail)
    for request in (Open(level="rooms"), Open(scenario="brawl")):
        happened.clear()
        with pytest.raises(KeyError):
            opened(Folder(tmp_path), request, when_read=lambda title, level: happened.append(title))
        assert len(happened) == 2
        assert happened[-1] == "bake"


@pytest.fixture
def compiled(monkeypatch: pytest.MonkeyPatch) -> list[tuple[str, ...]]:
    """Purposes that kernels are compiled for; none are."""
    happened: list[tuple[str, ...]] = []

    def compile_purposes(
        names: tuple[str, ...], _jobs: int, progress: Callable[[CompileProgress], None], _nice: int, _skipped: object
    ) -> None:
        happened.append(names)
        for done in (0, 1, 2):
            progress(CompileProgress(done, 1.0, 2, 2.0 - done, done < 2, "a.kernel"))

    monkeypatch.setattr("lastseen.compilation.warmup.compile_purposes", compile_purposes)
    monkeypatch.setattr("lastseen.compilation.warmup.is_ready", lambda *_: False)
    return happened


def test_play_compiles_first_what_the_first_steps_need(
    tmp_path: Path, told: Told, preparation: Preparation, compiled: list[tuple[str, ...]]
) -> None:
    stage = play._prepare(Folder(tmp_path), request_for("rooms"), preparation)
    assert stage.name == "Two rooms"
    assert told.kinds()[:2] == ["preview", "compiling"]
    assert told.said[1][0]["stage"] == "first step"
    assert told.said[1][0]["text"] == "compiling kernel 1 of 2, about 2 seconds left"
    assert compiled == [("play",)]
    preparation.finish()
    until(lambda: told.said[-1][0] == {"type": "compiling", "stage": "rest", "text": ""})
    assert compiled == [("play",), ("play",), ("chase", "game", "play")]  # what is interpreted until then comes first


def test_where_all_is_compiled_nothing_is_left_for_later(
    tmp_path: Path, preparation: Preparation, compiled: list[tuple[str, ...]], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lastseen.compilation.warmup.is_ready", lambda *_: True)
    monkeypatch.setattr(preparation, "later", lambda _: pytest.fail("nothing is left"))
    play._prepare(Folder(tmp_path), request_for("rooms"), preparation)
    assert compiled == [("play",)]  # which returns at once


def test_where_kernels_are_shipped_no_compiler_is_announced(
    preparation: Preparation, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("lastseen.compilation.warmup.compile_purposes", lambda *_: None)
    play._compile_rest(preparation)
    assert capsys.readouterr() == ("", "")


def test_what_is_compiled_during_the_game_is_announced_and_counted(
    preparation: Preparation, compiled: list[tuple[str, ...]], capsys: pytest.CaptureFixture[str]
) -> None:
    play._compile_rest(preparation)
    assert compiled == [play.FIRST, play.REST]
    assert capsys.readouterr().err.splitlines() == [
        "compiling the rest in the background: chases, searches, crews",
        "compiled 4 more kernels in 2 s",
    ]
