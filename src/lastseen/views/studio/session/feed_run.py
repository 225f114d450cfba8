"""The run of a user's own game: frames it sent, kept as a recording, so that any of them can be shown again."""

from __future__ import annotations

import math
from array import array
from bisect import bisect_right, insort
from typing import Any, Literal

import msgspec
import numpy as np

from .... import __version__
from ....conventions import Array
from ....errors import InputError, RecordingError
from ....kernels.arrays.agent_arrays import GONE
from ....level.level import Level
from ....level.write import to_geojson
from ....simulation.recording.format import About
from ....simulation.recording.live_recording import GrowingRecording
from ....simulation.recording.recording import FEED, Recording, level_of
from ....vocabulary.words import AgentState
from ...prose.story import Sentence
from ..protocol.feeds import MOST_AGENTS, MOST_NUMBERS, FedAgent, FedEvent, FedFrame
from .game import MOST_RECORDED, Columns, Game

MOST_STATES = 250
MOST_HAPPENED = 50_000
"""Maximum number of events and changes of state that are kept."""
LONGEST_GAP = 600.0
"""Seconds without a frame after which a run starts again."""
_MARGIN = 10.0
"""Metres by which a map without a level grows."""
_MOMENT, _EVENTS = (0, 0), (0, 1)
"""Places in the table of texts: the frame, and the step that brought the latest events, with these."""
_Event = tuple[int, str, str, str]
"""Step, agent, name and text of an event."""


class FeedRun(Game):
    """Frames of a game elsewhere, at even steps of time; it can be watched and saved, but not continued here.

    Attributes
    ----------
    name : the title of the run; `source`: the name it is opened by.
    level : what the game sent; None: it sent none.
    agents, states : numbers by name, in order of appearance; states begin with those of lastseen; `used` occurred.
    numbers : steps and values of each number, where it changed.
    happened : events and changes of state, in order, as pages get them; `fresh`: those not yet sent.
    is_connected : whether more frames may come; `dropped` counts those the game left out.
    """

    is_feed = True

    def __init__(self, name: str, level: Level | None, step: float, source: str = ""):
        self.name, self.source, self.level = name, source or name, level
        self.world, self.searching, self.shown = None, None, 0
        self.is_connected, self.dropped = False, 0
        text = "" if level is None else to_geojson(level).decode()
        notes = {FEED: name, "watchers": [], "targets": []}
        self._about = About(__version__, "", text, 0, step, (), (), (), notes=notes)
        self.restart()

    def restart(self) -> None:
        """Forget all frames."""
        self.recording = GrowingRecording(self._about)
        self.agents: dict[str, int] = {}
        self.states = {state: number for number, state in enumerate(AgentState.texts())}
        self.used: dict[str, None] = {}
        self.numbers: dict[str, tuple[array[int], array[float]]] = {}
        self.happened: list[dict[str, Any]] = []
        self.fresh: list[dict[str, Any]] = []
        self._why: dict[str, tuple[array[int], str]] = {}
        self._before: dict[str, str] = {}
        self._waiting: list[FedEvent] = []
        self._begun: float | None = None
        self._low, self._high = np.full(2, np.inf), np.full(2, -np.inf)
        self.shown = 0
        self._cached: tuple[int, FedFrame] | None = None

    @classmethod
    def read(cls, recording: Recording, source: str) -> FeedRun:
        """Return the run a recording of a feed holds; raise RecordingError if it cannot be read."""
        level = level_of(recording) if recording.about.level else None
        run = cls(str(recording.about.notes[FEED]), level, recording.about.step, source)
        tick = 0
        try:
            for tick in range(len(recording)):
                texts = recording.texts(tick)
                since, happened = msgspec.json.decode(texts.get(_EVENTS, "[-1, []]"), type=tuple[int, list[_Event]])
                frame = _frame(texts[_MOMENT])
                run._require_room(frame)
                run._note(tick, frame, happened if since == tick else [])
        except (msgspec.MsgspecError, KeyError, InputError) as error:
            raise RecordingError(f"{source}: step {tick} cannot be read: {error}") from None
        run.recording = recording
        return run

    def add(self, frames: tuple[FedFrame, ...], events: tuple[FedEvent, ...] = ()) -> bool:
        """Add frames and events in order of their times; return whether the run started again.

        It does so if time goes back, stands still for ten minutes, or the memory for a run is used up. Raise InputError
        for a frame with more agents, states or numbers than a run may have.
        """
        self._waiting = [*self._waiting, *events][-MOST_HAPPENED:]
        did_restart = False
        for frame in frames:
            self._require_room(frame)
            tick = self._tick(frame.time)
            too_late = (tick - len(self.recording)) * self.step > LONGEST_GAP
            if self._begun is not None and (tick < self.ticks - 1 or too_late or self.is_full):
                self.restart()
                did_restart = True
            if self._begun is None:
                self._begun, tick = frame.time, 0
            if tick >= self.ticks:
                self._append(tick, frame)
        return did_restart

    def finish(self) -> None:
        """Add the events that came after the last step, in a step of their own."""
        if self._waiting and self.ticks:
            self._append(self.ticks, self.moment(self.ticks - 1))

    def _append(self, tick: int, frame: FedFrame) -> None:
        assert isinstance(self.recording, GrowingRecording)
        while len(self.recording) < tick:
            self.recording.add(())  # nothing came: everything stays as it was
        ready = [one for one in self._waiting if self._tick(one.time) <= tick]
        self._waiting = [one for one in self._waiting if self._tick(one.time) > tick]
        happened = sorted((max(0, self._tick(one.time)), one.agent, one.name, one.text) for one in ready)
        self.recording.add((), texts=_texts(frame, tick, happened))
        self._note(tick, frame, happened)

    def _tick(self, time: float) -> int:
        return 0 if self._begun is None else round((time - self._begun) / self.step)

    def _require_room(self, frame: FedFrame) -> None:
        """Raise for a frame that would give the run too many agents, states or numbers."""
        kinds = (
            ("agents", self.agents, {agent.name for agent in frame.agents}, MOST_AGENTS),
            ("states", self.states, {agent.state for agent in frame.agents}, MOST_STATES),
            ("numbers", self.numbers, set(frame.numbers), MOST_NUMBERS),
        )
        for what, known, given, most in kinds:
            if len(known.keys() | given) > most:
                raise InputError(f"a feed has at most {most} {what} with different names; use fewer names")

    def _note(self, tick: int, frame: FedFrame, happened: list[_Event]) -> None:
        """Note what is new in a frame."""
        for agent in frame.agents:
            number = self.agents.setdefault(agent.name, len(self.agents))
            self.states.setdefault(agent.state, len(self.states))
            self._low, self._high = np.minimum(self._low, agent.at[:2]), np.maximum(self._high, agent.at[:2])
            if agent.state:
                self.used.setdefault(agent.state)
            if self._before.get(agent.name) != agent.state:
                self._before[agent.name] = agent.state
                self._happen(tick, number, "state", f"{agent.name}: {agent.state or 'no state'}", state=agent.state)
            since, why = self._why.get(agent.name, (array("I"), ""))
            if why != agent.why:
                since.append(tick)
                self._why[agent.name] = since, agent.why
        for name, value in frame.numbers.items():
            ticks, values = self.numbers.setdefault(name, (array("I"), array("d")))
            if not values or values[-1] != value:
                ticks.append(tick)
                values.append(value)
        for when, who, name, text in happened:
            words = f"{who}: {name}" if who else name
            self._happen(when, self.agents.get(who, -1), "reported", f"{words} – {text}" if text else words, name=name)

    def _happen(self, tick: int, agent: int, kind: str, text: str, **more: str) -> None:
        if len(self.happened) < MOST_HAPPENED:
            event = {"kind": kind, "tick": tick, "agent": agent, "text": text, **more}
            insort(self.happened, event, key=lambda one: one["tick"])
            self.fresh.append(event)

    @property
    def step(self) -> float:
        """Seconds between two steps."""
        return self.recording.about.step

    @property
    def title(self) -> str:
        """The title of the run."""
        return self.name

    @property
    def mode(self) -> Literal["play", "watch"]:
        """ "watch"."""
        return "watch"

    @property
    def is_full(self) -> bool:
        """Whether the recording has reached its maximum size."""
        return isinstance(self.recording, GrowingRecording) and self.recording.size > MOST_RECORDED

    def is_at_end(self) -> bool:
        """Return whether the last step is shown."""
        return self.shown >= self.ticks - 1

    def has_ended(self) -> bool:
        """Return whether no frame can follow the last one."""
        return not self.is_connected

    def is_waiting(self) -> bool:
        """Return whether the next frame has yet to come."""
        return self.is_connected and self.is_at_end()

    def seek(self, tick: int) -> None:
        """Show another step; beyond the last, the last."""
        self.shown = max(0, min(tick, self.ticks - 1))

    def moment(self, tick: int | None = None) -> FedFrame:
        """Return the frame of a step; None: the step shown."""
        tick = self.shown if tick is None else tick
        if not 0 <= tick < self.ticks:
            return FedFrame(0.0)
        if self._cached is None or self._cached[0] != tick:
            self._cached = tick, _frame(self.recording.texts(tick)[_MOMENT])
        return self._cached[1]

    def now(self) -> tuple[Columns, list[Array]]:
        """Return the columns of the step shown, as frames need them; a feed has no layers."""
        count = len(self.agents)
        numbers = {"xyz": np.zeros((count, 3)), "velocity": np.zeros((count, 2)), "goal": np.zeros((count, 3))}
        columns: Columns = numbers | {name: np.zeros(count) for name in ("heading", "stance", "going", "state")}
        columns |= {name: np.zeros((0, 0)) for name in ("awareness", "visible", "known_source", "known_time")}
        columns |= {"known_xyz": np.zeros((0, 0, 3)), "known_direction": np.zeros((0, 0, 2))}
        moment = self.moment()
        columns |= {"mode": np.full(count, GONE), "doors": self._shut(moment)}
        for agent in moment.agents:
            row = self.agents[agent.name]
            columns["xyz"][row], columns["heading"][row] = agent.at, agent.heading
            columns["state"][row], columns["mode"][row] = self.states[agent.state], 0
        return columns | {"gaze": columns["heading"]}, []

    def _shut(self, moment: FedFrame) -> Array:
        """Return which doors of the level are shut at a moment, (doors,) uint8."""
        doors = () if self.level is None else self.level.doors
        shut = [not door.open for door in doors] if moment.shut is None else np.isin(range(len(doors)), moment.shut)
        return np.array(shut, np.uint8)

    def agent(self, number: int, tick: int) -> tuple[str, FedAgent | None, int]:
        """Return the name of an agent, the agent at a step (None: it is gone), and since when its reason holds."""
        name = list(self.agents)[number]
        found = next((one for one in reversed(self.moment(tick).agents) if one.name == name), None)
        since, _ = self._why.get(name, (array("I"), ""))
        place = bisect_right(since, tick) - 1
        return name, found, since[place] if place >= 0 else tick

    def story(self) -> list[Sentence]:
        """Return events and changes of state as sentences."""
        names = list(self.agents)
        return [
            Sentence(
                one["tick"], one["tick"] * self.step, names[one["agent"]] if one["agent"] >= 0 else "", one["text"]
            )
            for one in self.happened
        ]

    def bounds(self) -> tuple[float, float, float, float]:
        """Return a rectangle around all agents so far (west, south, east, north), which grows in large steps."""
        if not np.isfinite(self._low).all():
            return -_MARGIN, -_MARGIN, _MARGIN, _MARGIN
        (west, south), (east, north) = self._low.tolist(), self._high.tolist()
        low = (_MARGIN * (math.floor(value / _MARGIN) - 0.5) for value in (west, south))
        high = (_MARGIN * (math.ceil(value / _MARGIN) + 0.5) for value in (east, north))
        return *low, *high

    def digest(self) -> str:
        """Return nothing: a feed has no digest."""
        return ""

    def file(self) -> bytes:
        """Return the run so far as the bytes of a recording file."""
        if not isinstance(self.recording, GrowingRecording):
            raise InputError("this recording is already a file")
        if not self.ticks:
            raise InputError("nothing has been received yet; save once the game has sent a frame")
        return self.recording.to_bytes("stopped", "")


def _frame(text: str) -> FedFrame:
    return msgspec.json.decode(text, type=FedFrame)


def _texts(frame: FedFrame, tick: int, happened: list[_Event]) -> list[tuple[int, int, str]]:
    """Return a frame and the events before it as texts; the time of a frame is its step."""
    texts = [(*_MOMENT, msgspec.json.encode(msgspec.structs.replace(frame, time=0.0)).decode())]
    return [*texts, (*_EVENTS, msgspec.json.encode((tick, happened)).decode())] if happened else texts
