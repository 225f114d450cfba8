"""Make files for pages in the background: one after another in a separate thread, downloaded once with a ticket."""

from __future__ import annotations

import queue
import re
import secrets
import threading
import traceback
from collections.abc import Callable
from dataclasses import dataclass, replace
from pathlib import Path
from time import monotonic

from ....errors import InputError, LastSeenError
from ....simulation.game_loop import outcome
from ....simulation.recording.live_recording import GrowingRecording
from ....simulation.recording.recording import RememberedRecording, level_of, require_simulated
from ....simulation.replay.comparison import compare
from ....vocabulary.words import EndReason
from ...figures.moment.replay_figure import draw_moment, draw_replay_gif, reel_of
from ...prose.comparison import ToldComparison, told_comparison
from ...scene.recorded_scene import RecordedScene
from ..protocol import news
from ..protocol.messages import Export
from ..session.folder import Folder
from ..session.game import Game
from ..session.stage import Stage, stage_of_recording
from .replay_page import Progress, replay_data, replay_page

MOST_WAITING = 8
"""Maximum number of files waiting for all pages; each page waits for one."""
MOST_KEPT = 256 * 1024 * 1024
"""Maximum bytes of files not downloaded yet; the oldest go first."""
KEPT_SECONDS = 300.0
_TELL = 0.15
"""Seconds between two progress messages."""


@dataclass(frozen=True)
class Made:
    """A file: its bytes, its name and a note, and the comparison of which it is a part."""

    name: str
    form: str
    data: bytes
    note: str = ""
    comparison: ToldComparison | None = None


@dataclass(eq=False)
class _Job:
    client: int
    kind: news.Job
    about: str
    make: Callable[[Progress], Made]
    is_cancelled: bool = False
    reported: float = 0.0


class _CancelledError(Exception):
    """The file is no longer needed."""


class Exports:
    """Makes files. All methods may be called from any thread; `say` sends a message to some pages."""

    def __init__(self, say: Callable[[news.Sent, tuple[int, ...]], None]):
        self._say = say
        self._lock = threading.Lock()
        self._jobs: dict[int, _Job] = {}
        self._waiting: queue.Queue[_Job | None] = queue.Queue()
        self._kept: dict[str, tuple[float, Made]] = {}
        self._thread: threading.Thread | None = None

    def ask(self, client: int, kind: news.Job, make: Callable[[Progress], Made], *, about: str = "export") -> None:
        """Make a file for a page soon; the page gets progress messages and then a ticket.

        Raise InputError if the page already waits for one, or too many pages do.
        """
        with self._lock:
            if client in self._jobs:
                raise InputError("a file is already being made for this page; wait for it or cancel it")
            if len(self._jobs) >= MOST_WAITING:
                raise InputError(f"{MOST_WAITING} files are already being made; try again in a moment")
            job = self._jobs[client] = _Job(client, kind, about, make)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lastseen exports", daemon=True)
                self._thread.start()
        self._tell(job, "waiting", 0.0)
        self._waiting.put(job)

    def cancel(self, client: int) -> bool:
        """Cancel a page's file; False: there was none."""
        with self._lock:
            job = self._jobs.get(client)
            if job is not None:
                job.is_cancelled = True
            return job is not None

    def stop(self) -> None:
        """Abandon all work."""
        with self._lock:
            for job in self._jobs.values():
                job.is_cancelled = True
            self._kept.clear()
        self._waiting.put(None)
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def take(self, ticket: str) -> Made | None:
        """Return the file of a ticket, which is valid once and for a few minutes."""
        with self._lock:
            self._drop()
            found = self._kept.pop(ticket, None)
        return None if found is None else found[1]

    def _run(self) -> None:
        while (job := self._waiting.get()) is not None:
            made, to, ticket = self._made(job), (job.client,), secrets.token_urlsafe(16)
            with self._lock:
                # Free the slot before announcing the result, so that the page may request the next file at once.
                self._jobs.pop(job.client, None)
                if isinstance(made, Made):
                    self._kept[ticket] = (monotonic(), made)
                    self._drop()
            if isinstance(made, Made):
                self._say(news.Exported(job.kind, made.name, len(made.data), made.note, ticket, made.comparison), to)
                continue
            if made is not None:
                self._say(made, to)
            self._say(news.Cancelled(job.kind), to)

    def _made(self, job: _Job) -> Made | news.Problem | None:
        """Return the file, or why there is none; None: it was cancelled."""

        def progress(text: str, fraction: float) -> None:
            if job.is_cancelled:
                raise _CancelledError
            if monotonic() - job.reported >= _TELL:
                job.reported = monotonic()
                self._tell(job, text, fraction)

        try:
            progress("starting", 0.0)
            return job.make(progress)
        except _CancelledError:
            return None
        except LastSeenError as error:
            return news.Problem("refused", str(error), job.about)
        except Exception as error:
            traceback.print_exc()
            words = f"the file could not be made: {type(error).__name__}: {error}"
            return news.Problem("failed", words, job.about)

    def _drop(self) -> None:
        """Forget files that are too old, or too many."""
        oldest, size = monotonic() - KEPT_SECONDS, sum(len(made.data) for _, made in self._kept.values())
        for ticket, (since, made) in list(self._kept.items()):
            if since < oldest or (size > MOST_KEPT and len(self._kept) > 1):
                del self._kept[ticket]
                size -= len(made.data)

    def _tell(self, job: _Job, text: str, fraction: float) -> None:
        self._say(news.Progress(job.kind, text, round(fraction, 3)), (job.client,))


_UNUSUAL = re.compile(r"[^\w.-]+")


def frozen(game: Game) -> Stage:
    """Return the recording so far as a stage that does not change while the game continues."""
    recording = game.recording
    if isinstance(recording, GrowingRecording):
        end = recording.end if game.world is None else outcome(game.world)
        ending = (EndReason.STOPPED.value, game.digest()) if end is None else (end.reason, end.digest)
        recording = RememberedRecording(recording.source, recording.to_bytes(*ending))
    return replace(game.stage, recording=recording)


def maker_of(game: Game, asked: Export) -> Callable[[Progress], Made]:
    """Return a function that makes the requested file; the game may continue meanwhile.

    Raise InputError for steps that do not exist.
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


def _film(stage: Stage) -> RecordedScene:
    assert stage.recording is not None
    return RecordedScene(stage.recording, layout=stage.layout)


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
        other = require_simulated(folder.recording(name))
        if not len(other):
            raise InputError(f"{name!r} has no steps; there is nothing to compare")
        assert stage.recording is not None
        found = compare(stage.recording, other)
        progress("baking", 0.05)
        data = replay_data(stage_of_recording(other, level_of(other), name, folder.root), progress=progress)
        return Made(name, "application/octet-stream", data, comparison=told_comparison(found, stage.recording, other))

    return make
