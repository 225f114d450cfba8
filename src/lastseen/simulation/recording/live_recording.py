"""A recording in memory that can be read while it is still being written."""

from __future__ import annotations

from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence

import numpy as np

from ...checks import read_only, whole_number
from ...conventions import Array
from ...vocabulary.events import AnyEvent
from .format import About, End
from .recording import Frame, Recording
from .writer import ChunkWriter


class _Memory:
    """A growing array of bytes."""

    def __init__(self) -> None:
        self.data = bytearray()

    def write(self, data: bytes, /) -> None:
        self.data += data

    def flush(self) -> None:
        """Do nothing, as nothing is buffered."""


class GrowingRecording(Recording):
    """A recording to which steps are added, readable up to the last one.

    Steps are packed as in a file, a few hundred bytes each, and the bytes do not depend on what is read meanwhile: the
    last steps can be read before they are packed. Events and columns that were read are kept unpacked, so that reading
    them again costs only what is new.
    """

    def __init__(self, about: About, *, source: str = "this run", every: int = 30):
        self._memory = _Memory()
        self._writer = ChunkWriter(self._memory, about, every=every)
        super().__init__(source, self._memory.data)
        self.fault = ""
        self._happened: list[AnyEvent] = []
        self._ticks: list[int] = []
        self._grown: dict[str, tuple[Array, int]] = {}

    def __len__(self) -> int:
        return len(self._writer)

    @property
    def size(self) -> int:
        """Size in bytes."""
        return len(self._memory.data)

    def add(
        self,
        columns: Sequence[Array],
        layers: Sequence[Array] = (),
        events: Sequence[AnyEvent] = (),
        texts: Sequence[tuple[int, int, str]] = (),
    ) -> None:
        """Add the next step; see `ChunkWriter.add`."""
        self._writer.add(columns, layers, events, texts)
        self._happened += events
        self._ticks += [event.tick for event in events]

    def finish(self, reason: str, digest: str) -> None:
        """Set how it ended; no step may be added afterwards."""
        self._catch_up()
        self.end = End(reason, len(self), digest)

    def to_bytes(self, reason: str, digest: str) -> bytes:
        """Return the file of all steps so far, with a reason of its end."""
        self._catch_up()
        return bytes(self._memory.data) + self._writer.end_bytes(reason, digest)

    def frame(self, tick: int) -> Frame:
        """Return the frame after step `tick`."""
        self.scan_on()
        if not len(self) - self._writer.held <= whole_number(tick, "tick") < len(self):
            return super().frame(tick)
        columns, layers = self._writer.held_step(tick)
        return Frame(
            tick,
            {one.name: read_only(values) for one, values in zip(self.about.columns, columns)},
            {one.name: read_only(values) for one, values in zip(self.about.layers, layers)},
            self._writer.held_texts(tick),
        )

    def texts(self, tick: int) -> dict[tuple[int, int], str]:
        """Return the table of texts after step `tick`."""
        self.scan_on()
        is_held = len(self) - self._writer.held <= tick < len(self)
        return self._writer.held_texts(tick) if is_held else super().texts(tick)

    def column(self, name: str) -> Array:
        """Return all steps of a column so far, (ticks, …)."""
        self.scan_on()
        place = self.place_of(name)
        one = self.about.columns[place]
        room, known = self._grown.get(name) or (np.zeros((0, *one.shape), one.dtype), 0)
        if len(room) < len(self):
            larger = np.empty((2 * len(self), *one.shape), one.dtype)
            larger[:known] = room[:known]
            room = larger
        for rows in self._rows_since(known, place):
            room[known : known + len(rows)] = rows
            known += len(rows)
        self._grown[name] = room, known
        return read_only(room[:known])

    def _rows_since(self, tick: int, place: int) -> Iterator[Array]:
        """Yield the rows of a column from a step on, packed ones first."""
        packed = len(self) - self._writer.held
        while tick < packed:
            number = self.chunk_of(tick)
            rows = self.chunk_column(number, place)[tick - self.chunk_first(number) :]
            yield rows
            tick += len(rows)
        yield self._writer.held_column(place)[tick - packed :]

    def events(self, first: int = 0, last: int | None = None) -> Iterator[AnyEvent]:
        """Yield the events from step `first` to step `last`, inclusive."""
        until = len(self) if last is None else last
        yield from self._happened[bisect_left(self._ticks, first) : bisect_right(self._ticks, until)]

    def _catch_up(self) -> None:
        self._writer.flush()
        self.scan_on()
