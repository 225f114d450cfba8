"""Survey layers that are not part of a run in a background thread, for pages and questions about a cell."""

from __future__ import annotations

import threading
import traceback
from collections.abc import Callable, Hashable, Iterable
from dataclasses import dataclass
from time import perf_counter

import numpy as np

from ....conventions import Array, Floats
from ....simulation.recording.recording import Frame
from ..protocol.greeting import LayerKind
from ..protocol.layers import RECORDED, packed_values
from ..protocol.news import Measured, Problem, Sent
from ..session.game import Game
from .survey import PastEvents, Survey, frame_to_survey

_REST = 0.1
"""Minimum seconds between two surveys, which use at most half of a core."""
Values = dict[str, Floats]


@dataclass(frozen=True, eq=False)
class _Request:
    survey: Survey
    frame: Frame
    names: tuple[str, ...]
    done: Callable[[Values], None]


class Surveyor:
    """Makes surveys. All methods may be called from any thread; it calls `done` and `complain` in its own."""

    def __init__(self, complain: Callable[[str], None]):
        self._complain = complain
        self._waiting: dict[Hashable, _Request] = {}
        self._changed = threading.Condition()
        self._is_stopping = False
        self._thread: threading.Thread | None = None
        self._known: tuple[Survey, Frame, Values] | None = None

    def ask(
        self,
        key: Hashable,
        survey: Survey,
        frame: Frame,
        names: tuple[str, ...],
        done: Callable[[Values], None],
    ) -> None:
        """Survey layers soon; replaces a request waiting under the same key."""
        with self._changed:
            self._waiting.pop(key, None)
            self._waiting[key] = _Request(survey, frame, names, done)
            if self._thread is None:
                self._thread = threading.Thread(target=self._run, name="lastseen surveys", daemon=True)
                self._thread.start()
            self._changed.notify()

    def forget(self, key: Hashable) -> None:
        """Drop the request under this key."""
        with self._changed:
            self._waiting.pop(key, None)

    def stop(self) -> None:
        """Start nothing more, and wait for the current survey."""
        with self._changed:
            self._is_stopping = True
            self._waiting.clear()
            self._changed.notify()
        if self._thread is not None:
            self._thread.join(timeout=5.0)

    def _run(self) -> None:
        while (request := self._next()) is not None:
            begun = perf_counter()
            try:
                request.done(self._made(request))
            except Exception as error:
                traceback.print_exc()
                self._complain(f"a layer could not be surveyed: {type(error).__name__}: {error}")
            with self._changed:
                self._changed.wait_for(lambda: self._is_stopping, max(_REST, perf_counter() - begun))

    def _next(self) -> _Request | None:
        with self._changed:
            self._changed.wait_for(lambda: self._waiting or self._is_stopping)
            return None if self._is_stopping else self._waiting.pop(next(iter(self._waiting)))

    def _made(self, request: _Request) -> Values:
        """Survey, reusing what is known of the same moment."""
        survey, frame = request.survey, request.frame
        if self._known is None or self._known[0] is not survey or self._known[1] is not frame:
            self._known = survey, frame, {}
        known = self._known[2]
        for name in request.names:
            if name not in known:
                known[name] = survey.values(name, frame)
        return {name: known[name] for name in request.names}


_EVERY = 0.1
"""Seconds between two surveyed moments while time passes."""


class LayerSurveys:
    """Belongs to the game's thread; the surveys are made in another.

    Parameters
    ----------
    say : sends a message to some pages, or to all; from any thread.
    later : runs a function in the game's thread soon.
    show : shows the moment again, with layers named `shown` of step `tick`, when there are new results.
    """

    def __init__(
        self,
        say: Callable[[Sent, tuple[int, ...] | None], None],
        later: Callable[[Callable[[], None]], None],
        show: Callable[[], None],
    ):
        self._say, self._later, self._show = say, later, show
        self._surveyor = Surveyor(self._complain)
        self._wanted: dict[int, tuple[str, ...]] = {}
        self._made: dict[str, Array] = {}
        self._asked: tuple[Frame, tuple[str, ...]] | None = None
        self._asked_at = 0.0
        self._frame: Frame | None = None
        self._past = PastEvents()
        self.tick, self.shown = -1, tuple[str, ...]()
        self._game: Game
        self._survey: Survey

    def begin(self, game: Game, kinds: tuple[LayerKind, ...]) -> None:
        """Switch to another game; without `kinds`, it has nothing to survey."""
        self._game, self._kinds = game, {kind.name: kind for kind in kinds[len(RECORDED) :]}
        self._made, self._asked, self._frame = {}, None, None
        if self._kinds:
            notes = game.recording.about.notes
            watchers, targets = (np.array(notes[name], np.int32) for name in ("watchers", "targets"))
            self._survey = Survey(game.stage, watchers, targets)
            self._nothing = np.zeros(len(game.stage.layout), np.int8)

    def choose(self, page: int, names: Iterable[str]) -> None:
        """Note which layers a page shows."""
        self._wanted[page] = tuple(name for name in names if name in self._kinds)

    def forget(self, page: int) -> None:
        """Forget a page."""
        self._wanted.pop(page, None)
        self._surveyor.forget(page)

    def stop(self) -> None:
        """Start no more surveys."""
        self._surveyor.stop()

    def layers(self, *, is_running: bool, whole: bool = False) -> list[Array]:
        """Return the latest values of all surveyed layers, (cells,) int8 each, and request new ones if they are old.

        `whole`: values known for the step shown may no longer hold.
        """
        names = tuple(name for name in self._kinds if any(name in wanted for wanted in self._wanted.values()))
        if whole:
            self._frame = None
        if names and not (is_running and perf_counter() - self._asked_at < _EVERY):
            self._ask(names)
        elif not names:
            self._made, self._asked = {}, None
        return [self._made.get(name, self._nothing) for name in self._kinds]

    def measure(self, page: int, cell: int) -> None:
        """Send a page the values of all surveyed layers for a cell soon."""
        frame = self._now()

        def done(values: Values) -> None:
            found = {name: float(given[cell]) for name, given in values.items()}
            shown = {name: None if np.isnan(value) else round(value, 3) for name, value in found.items()}
            self._say(Measured(cell=cell, tick=frame.tick, values=shown), (page,))

        self._surveyor.ask(page, self._survey, frame, tuple(self._kinds), done)

    def _now(self) -> Frame:
        if self._frame is None or self._frame.tick != self._game.shown:
            self._frame = frame_to_survey(self._game, self._past)
        return self._frame

    def _ask(self, names: tuple[str, ...]) -> None:
        frame, survey, kinds = self._now(), self._survey, self._kinds
        if self._asked is not None and self._asked[0] is frame and self._asked[1] == names:
            return
        self._asked, self._asked_at = (frame, names), perf_counter()

        def done(values: Values) -> None:
            packed = {name: packed_values(kinds[name], given) for name, given in values.items()}
            self._later(lambda: self._take(survey, frame, packed))

        self._surveyor.ask("shown", survey, frame, names, done)

    def _take(self, survey: Survey, frame: Frame, packed: dict[str, Array]) -> None:
        if survey is self._survey:
            self._made, self.tick, self.shown = packed, frame.tick, tuple(packed)
            self._show()

    def _complain(self, words: str) -> None:
        self._say(Problem("failed", words, "overlays"), None)
