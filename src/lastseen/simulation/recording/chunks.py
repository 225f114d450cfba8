"""Write a recording step by step into anything that takes bytes."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from typing import Protocol

import msgspec
import numpy as np

from ...agents.events import Event
from ...conventions import Array
from .form import CHUNK, END, FRAMES, HEAD, MAGIC, MOST_BYTES, VERSION, About, Body, End, Text, column_bytes, digest_of
from .pack import encoded
from .texts import TextTable

__all__ = ["ChunkWriter", "Sink", "chunk_bytes", "head_bytes"]


class Sink(Protocol):
    """What chunks are written into: an open file, or memory."""

    def write(self, data: bytes, /) -> object:
        """Add bytes at the end."""

    def flush(self) -> None:
        """Make what was written last."""


def head_bytes(about: About) -> bytes:
    """Return the bytes a recording begins with."""
    head = msgspec.json.encode(about)
    return HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head


def chunk_bytes(kind: int, first: int, ticks: int, raw: bytes) -> bytes:
    """Return one chunk, packed."""
    packed = zlib.compress(raw, 1)
    numbers = CHUNK.pack(b"CH", kind, first, ticks, len(packed), len(raw), bytes(16))
    return numbers[:-16] + digest_of(numbers[:-16], packed) + packed


class ChunkWriter:
    """Gathers steps and writes them in chunks of `every`, after the head; so many are lost at most.

    Chunks of huge steps are shorter, so that they can be read. `held` steps are not written yet.
    """

    def __init__(self, sink: Sink, about: About, *, every: int = 30):
        self._sink = sink
        self._every = every = min(every, max(MOST_BYTES // 2 // max(sum(map(column_bytes, about.columns)), 1), 1))
        self._columns = [np.zeros((every, *one.shape), one.dtype) for one in about.columns]
        self._before = [np.zeros(one.cells, one.dtype) for one in about.layers]
        self._keys = [layer.copy() for layer in self._before]
        self._changes: list[list[tuple[Array, Array]]] = [[] for _ in about.layers]
        self._events: list[Event] = []
        self._texts: list[Text] = []
        self._table = TextTable()
        self._first = self.held = 0
        sink.write(head_bytes(about))
        sink.flush()

    def __len__(self) -> int:
        return self._first + self.held

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[Event] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step: one array per column and layer, in the order of `about`.

        `texts` are cells (row, slot, words) of the table of texts that changed.
        """
        for stored, now in zip(self._columns, columns, strict=True):
            stored[self.held] = now
        for number, now in enumerate(layers):
            cells = np.flatnonzero(self._before[number] != now)
            values = now[cells]
            self._before[number][cells] = values
            self._changes[number].append((cells, values))
        tick = len(self)
        self._events += events
        self._texts += [(tick, *text) for text in self._table.put(texts)]
        self.held += 1
        if self.held == self._every:
            self.flush()

    def flush(self) -> None:
        """Write the steps held so far; they can be read from now on, whatever happens."""
        if self.held == 0:
            return
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

    def held_step(self, tick: int) -> tuple[list[Array], list[Array], dict[tuple[int, int], str]]:
        """Return columns, layers and texts of a step that is held, as copies."""
        row = tick - self._first
        layers = [key.copy() for key in self._keys]
        for layer, changes in zip(layers, self._changes):
            for cells, values in changes[: row + 1]:
                layer[cells] = values
        texts = self._table.begun()
        texts |= {(line, slot): words for when, line, slot, words in self._texts if when <= tick}
        return [column[row].copy() for column in self._columns], layers, texts

    def held_column(self, place: int) -> Array:
        """Return the steps held of the column at a place: (held, …), to be copied."""
        return self._columns[place][: self.held]

    def end_bytes(self, reason: str, digest: str, text: str = "") -> bytes:
        """Return the chunk that says how it ended, of all steps flushed."""
        end = End(reason, self._first, digest, text)
        return chunk_bytes(END, self._first, 0, msgspec.json.encode(end))
