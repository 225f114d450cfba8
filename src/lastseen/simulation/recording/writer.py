"""Write a recording step by step, with its table of texts, to a file or to memory."""

from __future__ import annotations

import os
import zlib
from array import array
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO, Protocol

import msgspec
import numpy as np

from ...checks import file_path
from ...conventions import Array
from ...errors import InputError, RecordingError
from ...vocabulary.events import AnyEvent
from .format import (
    CHUNK,
    END,
    FRAMES,
    HEAD,
    MAGIC,
    MOST_BYTES,
    VERSION,
    About,
    Body,
    End,
    Text,
    column_bytes,
    digest_of,
    encoded,
)


class Sink(Protocol):
    """Target of chunks: an open file, or memory."""

    def write(self, data: bytes, /) -> object:
        """Append bytes."""

    def flush(self) -> None:
        """Make the written bytes durable."""


def head_bytes(about: About) -> bytes:
    """Return the head of a recording."""
    head = msgspec.json.encode(about)
    return HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head


def chunk_bytes(kind: int, first: int, ticks: int, raw: bytes) -> bytes:
    """Return one packed chunk."""
    packed = zlib.compress(raw, 1)
    numbers = CHUNK.pack(b"CH", kind, first, ticks, len(packed), len(raw), bytes(16))
    return numbers[:-16] + digest_of(numbers[:-16], packed) + packed


class ChunkWriter:
    """Buffer steps and write them in chunks of `every` steps, the most that can be lost.

    Chunks of huge steps are shorter, so that they stay readable. `held` is the number of steps not yet written.
    """

    def __init__(self, sink: Sink, about: About, *, every: int = 30):
        self._sink = sink
        self._every = every = min(every, max(MOST_BYTES // 2 // max(sum(map(column_bytes, about.columns)), 1), 1))
        self._columns = [np.zeros((every, *one.shape), one.dtype) for one in about.columns]
        self._before = [np.zeros(one.cells, one.dtype) for one in about.layers]
        self._keys = [layer.copy() for layer in self._before]
        self._changes: list[list[tuple[Array, Array]]] = [[] for _ in about.layers]
        self._events: list[AnyEvent] = []
        self._texts: list[Text] = []
        self._table = TextTable()
        self._unsorted: list[tuple[int, list[tuple[int, int, str]]]] = []
        """Texts of steps that are not in the table yet: together they take a third of the time."""
        self._first = self.held = 0
        sink.write(head_bytes(about))
        sink.flush()

    def __len__(self) -> int:
        return self._first + self.held

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[AnyEvent] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step: one array per column and layer, in the order of `about`.

        `texts` are changed cells (row, slot, words) of the table of texts.
        """
        for stored, now in zip(self._columns, columns, strict=True):
            stored[self.held] = now
        for number, now in enumerate(layers):
            cells = np.flatnonzero(self._before[number] != now)
            values = now[cells]
            self._before[number][cells] = values
            self._changes[number].append((cells, values))
        self._events += events
        if texts:
            self._unsorted.append((len(self), list(texts)))
        self.held += 1
        if self.held == self._every:
            self.flush()

    def flush(self) -> None:
        """Write the buffered steps, which can be read from now on."""
        if self.held == 0:
            return
        self._sort_texts()
        counts = [[len(cells) for cells, _ in layer] for layer in self._changes]
        changes = [
            (np.concatenate([cells for cells, _ in layer]), np.concatenate([values for _, values in layer]))
            for layer in self._changes
        ]
        words, places = self._table.turn()
        body = Body(self._events, self._texts, words, counts)
        raw = encoded([column[: self.held] for column in self._columns], self._keys, changes, body, places)
        self._sink.write(chunk_bytes(FRAMES, self._first, self.held, raw))
        self._sink.flush()
        self._first += self.held
        self.held = 0
        self._keys = [layer.copy() for layer in self._before]
        self._changes = [[] for _ in self._changes]
        self._events, self._texts = [], []

    def _sort_texts(self) -> None:
        """Find the texts that changed."""
        for tick, texts in self._unsorted:
            self._texts += [(tick, *text) for text in self._table.put(texts)]
        self._unsorted.clear()

    def held_step(self, tick: int) -> tuple[list[Array], list[Array]]:
        """Return copies of the columns and layers of a buffered step."""
        row = tick - self._first
        layers = [key.copy() for key in self._keys]
        for layer, changes in zip(layers, self._changes):
            for cells, values in changes[: row + 1]:
                layer[cells] = values
        return [column[row].copy() for column in self._columns], layers

    def held_texts(self, tick: int) -> dict[tuple[int, int], str]:
        """Return the table of texts of a buffered step."""
        self._sort_texts()
        texts = self._table.begun()
        return texts | {(line, slot): words for when, line, slot, words in self._texts if when <= tick}

    def held_column(self, place: int) -> Array:
        """Return a view of the buffered steps of a column, (held, …)."""
        return self._columns[place][: self.held]

    def end_bytes(self, reason: str, digest: str) -> bytes:
        """Return the final chunk, for all flushed steps."""
        end = End(reason, self._first, digest)
        return chunk_bytes(END, self._first, 0, msgspec.json.encode(end))


class TextTable:
    """Words by row and slot.

    Every chunk begins with the whole table of thousands of texts, of which few change within a chunk; words are
    therefore numbered, and only the numbers copied.
    """

    def __init__(self) -> None:
        self._now: dict[tuple[int, int], str] = {}
        self._place: dict[tuple[int, int], int] = {}
        self._rows, self._slots, self._numbers = array("I"), array("I"), array("I")
        self._words: list[str] = []
        self._number: dict[str, int] = {}
        self._begun: tuple[list[str], Array] = ([], np.zeros((3, 0), np.uint32))

    def put(self, texts: Sequence[tuple[int, int, str]]) -> list[tuple[int, int, str]]:
        """Set the words of places (row, slot); return those that changed."""
        now, known, all_words, places, numbers = self._now, self._number, self._words, self._place, self._numbers
        changed = []
        for text in texts:
            row, slot, words = text
            key = (row, slot)
            if now.get(key) == words:
                continue
            now[key] = words
            changed.append(text)
            number = known.get(words)
            if number is None:
                number = known[words] = len(all_words)
                all_words.append(words)
            place = places.get(key)
            if place is not None:
                numbers[place] = number
            else:
                places[key] = len(numbers)
                self._rows.append(row)
                self._slots.append(slot)
                numbers.append(number)
        return changed

    def begun(self) -> dict[tuple[int, int], str]:
        """Return the table at the start of the chunk."""
        return texts_of(*self._begun)

    def turn(self) -> tuple[list[str], Array]:
        """Begin another chunk; return the table at the start of the last: words, and rows, slots and numbers of words.

        Words that are no longer used are dropped.
        """
        begun = self._begun
        numbers = np.asarray(self._numbers)
        is_used = np.bincount(numbers, minlength=len(self._words)) > 0
        if not is_used.all():
            self._words = [words for words, kept in zip(self._words, is_used.tolist()) if kept]
            self._number = {words: number for number, words in enumerate(self._words)}
            numbers = (np.cumsum(is_used) - 1)[numbers]
            self._numbers = array("I", numbers.astype(np.uint32).tobytes())
        self._begun = self._words.copy(), np.array([self._rows, self._slots, self._numbers], np.uint32)
        return begun


def texts_of(words: Sequence[str], places: Array) -> dict[tuple[int, int], str]:
    """Return words by row and slot; `places` is (3, texts): rows, slots, numbers of words."""
    return {(row, slot): words[number] for row, slot, number in zip(*places.tolist())}


PART = ".part"
"""Suffix of a recording that is still being written, or whose run was killed."""


class Recorder:
    """Write `path` + ".part" and rename it when closed, so that a failed run does not overwrite an older recording.

    `every` is the number of steps in a chunk, the most that can be lost when the run is killed.
    """

    def __init__(self, path: str | os.PathLike[str], about: About, *, every: int = 30):
        self.path = Path(file_path(path))
        self.about = about
        self._file: BinaryIO | None = None
        try:
            self._file = self.part.open("wb")
            self._writer = ChunkWriter(self._file, about, every=every)
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror}); choose another path") from None

    @property
    def part(self) -> Path:
        """Path of the recording until it is closed."""
        return self.path.with_name(self.path.name + PART)

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[AnyEvent] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step; see `ChunkWriter.add`."""
        if self._file is None:
            raise RecordingError(f"{self.path} is closed; no step can be added")
        self._writer.add(columns, layers, events, texts)

    def flush(self) -> None:
        """Write the buffered steps, which can be read from now on."""
        if self._file is not None:
            self._writer.flush()

    def close(self, reason: str, digest: str) -> Path:
        """Write how the run ended, and rename the file."""
        self.flush()
        if self._file is None:
            raise RecordingError(f"{self.path} is already closed")
        self._file.write(self._writer.end_bytes(reason, digest))
        self._file.close()
        self._file = None
        self.part.replace(self.path)
        return self.path

    def abandon(self) -> None:
        """Stop writing; the ".part" file keeps all steps so far."""
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None
