"""Read a recording: any step, the events between two steps, and how it ended."""

from __future__ import annotations

import math
import os
from bisect import bisect_left, bisect_right
from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path

import msgspec
import numpy as np

from ...checks import file_path, read_only, real_number, shown, whole_number
from ...conventions import Array
from ...errors import LevelError, RecordingError, did_you_mean
from ...extensions.notebooks import Columns, Tabular, as_html
from ...level.level import Level
from ...level.readers.geojson import read
from ...vocabulary.events import AnyEvent
from ...vocabulary.words import AgentState
from .format import CHUNK, END, FRAMES, HEAD, MAGIC, MOST_BYTES, VERSION, About, Body, End, decoded, digest_of, inflated
from .writer import PART, texts_of


@dataclass(frozen=True, eq=False)
class Frame:
    """One step: columns and layers by name, and the table of texts by row and slot."""

    tick: int
    columns: dict[str, Array]
    layers: dict[str, Array]
    texts: dict[tuple[int, int], str]


@dataclass(frozen=True)
class _Place:
    """Position of a chunk in the file."""

    first: int
    ticks: int
    offset: int
    packed: int
    raw: int


class Recording(Tabular):
    """A recording opened for reading; `fault` describes damage, if any, before which it can be read."""

    _repr_html_ = as_html

    def __init__(self, source: str, data: bytes | bytearray):
        self.source = source
        self._data = data
        self.about, self._scanned = _head(source, data)
        self.end: End | None = None
        self.fault = ""
        self._places: list[_Place] = []
        try:
            self.scan_on()
        except RecordingError as error:
            self.fault = f"{error}; readable up to {self.seconds:.1f} s"
        if not self.end and not self.fault:
            self.fault = f"the run did not end; readable up to {self.seconds:.1f} s"
        self._chunk = lru_cache(maxsize=4)(self._unpacked)

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> Recording:
        """Open a recording; a damaged end is left out and described by `fault`.

        Raises
        ------
        RecordingError
            The file does not exist, is not a recording, has another format version, or is damaged at its start.
        """
        source = file_path(path)
        try:
            return cls(source, Path(source).read_bytes())
        except OSError as error:
            part = Path(source + PART)
            hint = f"; a run that did not end left {part}" if part.exists() else "; check its name"
            raise RecordingError(f"{source}: cannot be read ({error.strerror}){hint}") from None

    def __len__(self) -> int:
        return self._readable

    @property
    def _readable(self) -> int:
        return self._places[-1].first + self._places[-1].ticks if self._places else 0

    @property
    def chunks(self) -> int:
        """Number of chunks."""
        return len(self._places)

    @property
    def seconds(self) -> float:
        """Duration in seconds."""
        return len(self) * self.about.step

    def tick_at(self, seconds: float) -> int:
        """Return the last step begun at a time, clamped to the first and last step."""
        if not len(self):
            raise RecordingError(f"{self.source} holds no steps; run the scenario again")
        seconds = real_number(seconds, "seconds", f"a time from 0 to {self.seconds:g} s")
        if math.isnan(seconds):
            raise RecordingError(f"{self.source}: seconds is {seconds}; give a time from 0 to {self.seconds:g} s")
        return int(min(max(seconds / self.about.step + 1e-9, 0), len(self) - 1))

    def frame(self, tick: int) -> Frame:
        """Return the frame after step `tick`."""
        number = self.chunk_of(whole_number(tick, "tick"))
        place = self._places[number]
        body, _, numbers, keys, changes = self._chunk(number)
        row = tick - place.first
        columns = {one.name: read_only(values[row]) for one, values in zip(self.about.columns, numbers)}
        layers = {}
        for one, key, (cells, values), counts in zip(self.about.layers, keys, changes, body.layer_changes):
            known = sum(counts[: row + 1])
            now = key.copy()
            now[cells[:known]] = values[:known]  # later changes of a cell overwrite earlier ones
            layers[one.name] = read_only(now)
        return Frame(tick, columns, layers, self.texts(tick))

    def texts(self, tick: int) -> dict[tuple[int, int], str]:
        """Return the table of texts after step `tick`."""
        body, places, *_ = self._chunk(self.chunk_of(tick))
        texts = texts_of(body.words, places)
        return texts | {(line, slot): words for when, line, slot, words in body.texts if when <= tick}

    def column(self, name: str) -> Array:
        """Return all steps of a column, (ticks, …)."""
        place = self.place_of(name)
        parts = [self.chunk_column(number, place) for number in range(len(self._places))]
        one = self.about.columns[place]
        return read_only(np.concatenate(parts) if parts else np.zeros((0, *one.shape), one.dtype))

    def place_of(self, name: str) -> int:
        """Return the index of a column in `about.columns`."""
        names = [one.name for one in self.about.columns]
        if not isinstance(name, str) or name not in names:
            raise RecordingError(
                f"{self.source} has no column {shown(name)}{did_you_mean(name, names)}; it has {', '.join(names)}"
            )
        return names.index(name)

    def to_columns(self) -> Columns:
        """Return one row per step and agent: seconds, name, place, heading, speed and state."""
        agents, ticks = self.about.agents, len(self)
        xyz, velocity = (self.column(name).reshape(ticks * len(agents), -1) for name in ("xyz", "velocity"))
        states = np.array(AgentState.texts())
        return {
            "seconds": np.repeat((np.arange(ticks) + 1) * self.about.step, len(agents)),
            "agent": list(agents) * ticks,
            **dict(zip("xyz", xyz.T)),
            "heading": self.column("heading").ravel(),
            "speed": np.hypot(velocity[:, 0], velocity[:, 1]),
            "state": states[self.column("state").ravel()].tolist(),
        }

    def events(self, first: int = 0, last: int | None = None) -> Iterator[AnyEvent]:
        """Yield the events from step `first` to step `last`, inclusive."""
        until = len(self) - 1 if last is None else last
        for number, place in enumerate(self._places):
            if place.first <= until and place.first + place.ticks > first:
                yield from (event for event in self._chunk(number)[0].events if first <= event.tick <= until)

    def chunk_column(self, number: int, place: int) -> Array:
        """Return the steps of one chunk of a column, given by its index in `about.columns`."""
        return self._chunk(number)[2][place]

    def chunk_first(self, number: int) -> int:
        """Return the first step of a chunk."""
        return self._places[number].first

    def chunk_of(self, tick: int) -> int:
        """Return the number of the chunk that holds a step."""
        number = bisect_right(self._places, tick, key=lambda place: place.first) - 1
        if number >= 0 and tick < self._places[number].first + self._places[number].ticks:
            return number
        raise RecordingError(f"{self.source} has no step {tick}; it has {len(self)}, from 0")

    def _unpacked(self, number: int) -> tuple[Body, Array, list[Array], list[Array], list[tuple[Array, Array]]]:
        place = self._places[number]
        raw = inflated(bytes(self._data[place.offset : place.offset + place.packed]), place.raw)
        return decoded(raw, place.ticks, self.about.columns, self.about.layers)

    def scan_on(self) -> None:
        """Find all new chunks; the first damaged one ends the recording."""
        at = self._scanned
        while at < len(self._data) and self.end is None:
            number = len(self._places) + 1
            head = bytes(self._data[at : at + CHUNK.size])
            if len(head) < CHUNK.size:
                raise RecordingError(f"chunk {number} is cut off")
            mark, kind, first, ticks, packed, raw, digest = CHUNK.unpack(head)
            body = bytes(self._data[at + CHUNK.size : at + CHUNK.size + packed])
            if mark != b"CH" or kind not in (FRAMES, END) or raw > MOST_BYTES:
                raise RecordingError(f"chunk {number} is damaged")
            if len(body) != packed:
                raise RecordingError(f"chunk {number} is cut off")
            empty = kind == FRAMES and ticks == 0
            if digest_of(head[:-16], body) != digest or first != self._readable or empty:
                raise RecordingError(f"chunk {number} is damaged")
            place = _Place(first, ticks, at + CHUNK.size, packed, raw)
            if kind == FRAMES:
                self._places.append(place)
            else:
                self.end = _decoded_end(inflated(body, raw))
            self._scanned = at = at + CHUNK.size + packed


def _decoded_end(raw: bytes) -> End:
    try:
        return msgspec.json.decode(raw, type=End)
    except msgspec.MsgspecError as error:
        raise RecordingError(f"its end cannot be read: {error}") from None


def _head(source: str, data: bytes | bytearray) -> tuple[About, int]:
    """Return the description of the recording, and the offset of its first chunk."""
    if len(data) < HEAD.size or not data.startswith(MAGIC):
        raise RecordingError(f"{source} is not a recording of lastseen; make one with lastseen run")
    _, version, length, digest = HEAD.unpack(data[: HEAD.size])
    if version != VERSION:
        raise RecordingError(
            f"{source}: recorded in format {version}, but this version of lastseen reads format {VERSION}; "
            + ("update lastseen to read it" if version > VERSION else "record the scenario again with lastseen run")
        )
    head = bytes(data[HEAD.size : HEAD.size + length])
    if length > MOST_BYTES or len(head) != length or digest_of(head) != digest:
        raise RecordingError(f"{source}: its head is damaged, so nothing can be read; run the scenario again")
    try:
        about = msgspec.json.decode(head, type=About)
        for one in about.columns:
            _check(one.dtype, one.shape)
        for layer in about.layers:
            _check(layer.dtype, (layer.cells,))
    except (msgspec.MsgspecError, TypeError, ValueError) as error:
        raise RecordingError(f"{source}: its head is invalid: {error}") from None
    if not 0.0 < about.step < 60.0:
        raise RecordingError(f"{source}: its step is {about.step} s")
    return about, HEAD.size + length


def _check(dtype: str, shape: tuple[int, ...]) -> None:
    if np.dtype(dtype).kind not in "iufb" or min(shape, default=0) < 0 or np.prod(shape, dtype=float) > MOST_BYTES:
        raise ValueError(f"invalid column of {dtype} {shape}")


FEED = "feed"
"""Note of a recording that a user's own game sent to the studio: the name of the game."""


def is_feed(recording: Recording) -> bool:
    """Return whether a recording shows a user's own game instead of a simulated run."""
    return isinstance(recording.about.notes.get(FEED), str)


def require_simulated(recording: Recording) -> Recording:
    """Return a recording of a simulated run; raise RecordingError for one of a user's own game."""
    if is_feed(recording):
        what = "shows a game of your own, not a simulated run"
        raise RecordingError(f"{recording.source} {what}; watch it: lastseen play {recording.source}")
    return recording


def level_of(recording: Recording) -> Level | None:
    """Return the level of a recording; None if it cannot be read."""
    try:
        return read(recording.about.level.encode(), recording.source)
    except LevelError:
        return None


class RememberedRecording(Recording):
    """A recording that keeps its events after they were first read.

    Explaining an action needs all earlier events; reading them from the chunks of a long recording takes minutes.
    """

    _happened: tuple[list[int], list[AnyEvent]] | None = None

    def events(self, first: int = 0, last: int | None = None) -> Iterator[AnyEvent]:
        """Yield the events from step `first` to step `last`, inclusive."""
        if self._happened is None:
            events = list(super().events())
            self._happened = [event.tick for event in events], events
        ticks, events = self._happened
        until = len(self) - 1 if last is None else last
        yield from events[bisect_left(ticks, first) : bisect_right(ticks, until)]
