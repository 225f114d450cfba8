"""Write a recording step by step; what was flushed survives whatever happens to the run."""

from __future__ import annotations

import os
import zlib
from collections.abc import Sequence
from pathlib import Path
from typing import BinaryIO

import msgspec
import numpy as np

from ...agents.events import Event
from ...checks import file_path
from ...conventions import Array
from ...errors import InputError, RecordingError
from .form import CHUNK, END, FRAMES, HEAD, MAGIC, VERSION, About, Body, End, Text, digest_of
from .pack import encoded

__all__ = ["PART", "Recorder"]

PART = ".part"
"""Ending of a recording that is still being written, or whose run was killed."""


class Recorder:
    """Writes `path` + ".part" and renames it when closed: an older recording is not lost to a failed run.

    Parameters
    ----------
    path : where to.
    about : what is recorded.
    every : steps in a chunk; so many are lost at most when the run is killed.
    """

    def __init__(self, path: str | os.PathLike[str], about: About, *, every: int = 30):
        self.path = Path(file_path(path))
        self.about = about
        self._every = every
        self._columns = [np.zeros((every, *one.shape), one.dtype) for one in about.columns]
        self._before = [np.zeros(one.cells, one.dtype) for one in about.layers]
        self._keys = [layer.copy() for layer in self._before]
        self._changes: list[list[tuple[Array, Array]]] = [[] for _ in about.layers]
        self._events: list[Event] = []
        self._texts: list[Text] = []
        self._table: dict[tuple[int, int], str] = {}
        self._key_texts: dict[tuple[int, int], str] = {}
        self._first = self._held = 0
        self._file: BinaryIO | None = None
        head = msgspec.json.encode(about)
        try:
            self._file = self.part.open("wb")
            self._file.write(HEAD.pack(MAGIC, VERSION, len(head), digest_of(head)) + head)
            self._file.flush()
        except OSError as error:
            raise InputError(f"{self.path}: cannot be written ({error.strerror}); choose another place") from None

    @property
    def part(self) -> Path:
        """Where the recording is until it is closed."""
        return self.path.with_name(self.path.name + PART)

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
        if self._file is None:
            raise RecordingError(f"{self.path}: is closed; nothing can be added")
        for stored, now in zip(self._columns, columns, strict=True):
            stored[self._held] = now
        for number, now in enumerate(layers):
            cells = np.flatnonzero(self._before[number] != now)
            values = now[cells]
            self._before[number][cells] = values
            self._changes[number].append((cells, values))
        tick = self._first + self._held
        self._events += events
        for row, slot, words in texts:
            if self._table.get((row, slot)) != words:
                self._table[row, slot] = words
                self._texts.append((tick, row, slot, words))
        self._held += 1
        if self._held == self._every:
            self.flush()

    def flush(self) -> None:
        """Write the steps held so far; they can be read from now on, whatever happens."""
        if self._held == 0 or self._file is None:
            return
        counts = [[len(cells) for cells, _ in layer] for layer in self._changes]
        changes = [
            (np.concatenate([cells for cells, _ in layer]), np.concatenate([values for _, values in layer]))
            for layer in self._changes
        ]
        keys = [(row, slot, words) for (row, slot), words in self._key_texts.items()]
        body = Body(self._events, self._texts, keys, counts)
        raw = encoded([column[: self._held] for column in self._columns], self._keys, changes, body)
        self._write(FRAMES, self._first, self._held, raw)
        self._first += self._held
        self._held = 0
        self._keys = [layer.copy() for layer in self._before]
        self._changes = [[] for _ in self._changes]
        self._events, self._texts, self._key_texts = [], [], dict(self._table)

    def close(self, reason: str, digest: str, text: str = "") -> Path:
        """Write how it ended and give the file its name."""
        self.flush()
        if self._file is None:
            raise RecordingError(f"{self.path}: is closed already")
        end = End(reason, self._first, digest, text)
        self._write(END, self._first, 0, msgspec.json.encode(end))
        self._file.close()
        self._file = None
        self.part.replace(self.path)
        return self.path

    def abandon(self) -> None:
        """Stop here: what was flushed stays in the ".part" file."""
        self.flush()
        if self._file is not None:
            self._file.close()
            self._file = None

    def _write(self, kind: int, first: int, ticks: int, raw: bytes) -> None:
        assert self._file is not None
        packed = zlib.compress(raw, 1)
        numbers = CHUNK.pack(b"CH", kind, first, ticks, len(packed), len(raw), bytes(16))
        self._file.write(numbers[:-16] + digest_of(numbers[:-16], packed) + packed)
        self._file.flush()
