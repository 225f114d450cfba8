"""Export parts of a run as a picture, an animation or a page, and compare the run with another."""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from ....errors import InputError
from ....simulation.game_loop import outcome
from ....simulation.recording.live_recording import GrowingRecording
from ....simulation.recording.recording import RememberedRecording, level_of
from ....simulation.replay.comparison import compare
from ....vocabulary.words import EndReason
from ...figures.moment.replay_figure import draw_moment
from ...figures.moment.replay_gif import draw_replay_gif, reel_of
from ...prose.comparison import told_comparison
from ...scene.film import Film
from ..protocol.messages import Export
from ..session.folder import Folder
from ..session.game import Game
from ..session.stage import Stage, stage_of_recording
from .export_jobs import Made
from .replay_page import Progress, replay_data, replay_page

_UNUSUAL = re.compile(r"[^\w.-]+")


def frozen(game: Game) -> Stage:
    """Return the recording so far as a stage that does not change while the game continues."""
    recording = game.recording
    if isinstance(recording, GrowingRecording):
        end = recording.end if game.world is None else outcome(game.world)
        told = (EndReason.STOPPED.value, game.digest()) if end is None else (end.reason, end.digest)
        recording = RememberedRecording(recording.source, recording.to_bytes(*told))
    return replace(game.stage, recording=recording)


def maker_of(game: Game, asked: Export) -> Callable[[Progress], Made]:
    """Return a function that makes the requested file; the game may continue meanwhile.

    Raises
    ------
    InputError
        It asks for steps that do not exist.
    """
    last = game.ticks - 1
    first = asked.first if asked.first is not None else (game.shown if asked.kind == "png" else 0)
    until = first if asked.kind == "png" else (last if asked.last is None else asked.last)
    if not first <= until <= last:
        raise InputError(f"steps {first} to {until} cannot be exported; there are 0 to {last}")
    if asked.kind == "gif" and first == until:
        raise InputError("an animation needs more than one step; select a longer stretch")
    stage = frozen(game)
    return lambda progress: _MAKERS[asked.kind](stage, first, until, progress)


def _picture(stage: Stage, first: int, last: int, progress: Progress) -> Made:
    progress("drawing", 0.1)
    data = draw_moment(_film(stage), last)
    return Made(f"{plain_name(stage)}-{_seconds(stage, first)}.png", "image/png", data)


def _moving(stage: Stage, first: int, last: int, progress: Progress) -> Made:
    progress("drawing", 0.0)
    film = _film(stage)
    step = film.recording.about.step
    reel = reel_of(film, first * step, last * step)
    data = draw_replay_gif(film, reel, progress=progress)
    name = f"{plain_name(stage)}-{_seconds(stage, first)}-{_seconds(stage, last)}.gif"
    return Made(name, "image/gif", data, reel.thinned)


def _page(stage: Stage, first: int, last: int, progress: Progress) -> Made:
    data = replay_page(stage, first, last, progress=progress)
    return Made(f"{plain_name(stage)}.html", "text/html; charset=utf-8", data)


_MAKERS = {"png": _picture, "gif": _moving, "html": _page}


def _film(stage: Stage) -> Film:
    assert stage.recording is not None
    return Film(stage.recording, layout=stage.layout)


def _seconds(stage: Stage, tick: int) -> str:
    assert stage.recording is not None
    return f"{tick * stage.recording.about.step:.1f}s"


def plain_name(stage: Stage) -> str:
    """Return the start of a file name: letters, digits and little else."""
    return _UNUSUAL.sub("-", Path(stage.name).stem or stage.name).strip("-.")[:60] or "run"


def comparer_of(game: Game, folder: Folder, name: str) -> Callable[[Progress], Made]:
    """Return a function that compares the run so far with a recording in a folder; the game may continue meanwhile."""
    stage = frozen(game)

    def make(progress: Progress) -> Made:
        progress("reading", 0.0)
        other = folder.recording(name)
        if not len(other):
            raise InputError(f"{name!r} has no steps; there is nothing to compare")
        assert stage.recording is not None
        found = compare(stage.recording, other)
        progress("baking", 0.05)
        data = replay_data(stage_of_recording(other, level_of(other), name, folder.root), progress=progress)
        return Made(name, "application/octet-stream", data, comparison=told_comparison(found, stage.recording, other))

    return make
