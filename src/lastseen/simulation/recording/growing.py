"""A recording in memory that is still being written, and can be asked of any moment meanwhile."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from ...agents.events import Event
from ...checks import read_only
from ...conventions import Array
from .chunks import ChunkWriter
from .form import About, End
from .recording import Frame, Recording

__all__ = ["GrowingRecording"]


class _Memory:
    """Bytes that only grow."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes, /) -> None:
        self.data += data

    def flush(self) -> None:
        """Nothing waits."""


class GrowingRecording(Recording):
    """Steps are added at its end; every question of a `Recording` is answered for those added so far.

    Packed as in a file, a few hundred bytes a step; events and the columns that were asked for as a whole are kept
    unpacked, so that asking again costs only what is new.
    """

    def __init__(self, about: About, *, source: str = "this run", every: int = 30):
        self._memory = _Memory()
        self._writer = ChunkWriter(self._memory, about, every=every)
        super().__init__(source, self._memory.data)
        self.fault = ""
        self._happened: list[Event] = []
        self._ticks: list[int] = []
        self._unpacked_columns: dict[str, list[Array]] = {}

    def __len__(self) -> int:
        return len(self._writer)

    @property
    def size(self) -> int:
        """Bytes held."""
        return len(self._memory.data)

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[Event] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step; see `ChunkWriter.add`."""
        self._writer.add(columns, layers, events, texts)
        self._happened += events
        self._ticks += [event.tick for event in events]

    def finish(self, reason: str, digest: str, text: str = "") -> None:
        """Say how it ended; nothing is added then."""
        self._catch_up()
        self.end = End(reason, len(self), digest, text)

    def to_bytes(self, reason: str, digest: str, text: str = "") -> bytes:
        """Return the file of all steps so far, ended for a reason."""
        self._catch_up()
        return bytes(self._memory.data) + self._writer.end_bytes(reason, digest, text)

    def frame(self, tick: int) -> Frame:
        """What held after step `tick`?"""
        self._catch_up()
        return super().frame(tick)

    def column(self, name: str) -> Array:
        """All steps of a column so far: (ticks, …)."""
        self._catch_up()
        parts = self._unpacked_columns.get(name)
        if parts is None:
            whole = super().column(name)
            self._unpacked_columns[name] = [whole]
            return whole
        known = sum(map(len, parts))
        place = [one.name for one in self.about.columns].index(name)
        for number in range(self.chunk_of(known), self.chunks) if known < len(self) else ():
            parts.append(self.chunk_column(number, place))
        self._unpacked_columns[name] = [np.concatenate(parts)]
        return read_only(self._unpacked_columns[name][0])

    def events(self, first: int = 0, last: int | None = None) -> Iterator[Event]:
        """What happened from step `first` up to and with step `last`?"""
        until = len(self) if last is None else last
        yield from self._happened[bisect_left(self._ticks, first) : bisect_right(self._ticks, until)]

    def _catch_up(self) -> None:
        self._writer.flush()
        self.scan_on()
