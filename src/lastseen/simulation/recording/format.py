"""The file format of recordings, and the encoding of its chunks.

Bytes, little-endian::

    0   8 bytes   b"lsrecord"
    8   uint32    version of the format
    12  uint32    length of the head
    16  16 bytes  BLAKE2b digest of the head
    32  head      JSON: description of the recording (`About`)
    …   chunks    each: b"CH", uint16 kind, uint32 first tick, uint32 ticks, uint32 packed length, uint32 raw length,
                  16 bytes BLAKE2b digest of these numbers and of the packed bytes, then the packed bytes (zlib)

A chunk of frames holds about a second and can be read without the others, so a reader finds any step from the heads
alone, and the recording of a killed run is complete up to its last chunk. Unpacked, it contains::

    uint32    length of the body
    uint32    number of texts before the first step
    body      JSON: events, changed texts, words, number of changed cells of layers in each step (`Body`)
    texts     uint32 rows, slots and indices of words, in planes
    columns   each: a bit for every number that changes; the numbers of the first step, in planes; for every further
              step and number that changes, the difference (exclusive or) from the step before, in planes
    layers    each: the values before the first step
    changes   of each layer: uint32 cells, then their values

In planes means all first bytes, then all second bytes, and so on. Constant numbers cost next to nothing.
"""

from __future__ import annotations

import hashlib
import math
import struct
import zlib
from collections.abc import Sequence
from typing import Any

import msgspec
import numpy as np

from ...conventions import Array
from ...errors import RecordingError
from ...vocabulary.events import AnyEvent

MAGIC = b"lsrecord"
VERSION = 3
HEAD = struct.Struct("<8sII16s")
CHUNK = struct.Struct("<2sHIIII16s")
FRAMES, END = 1, 2
MOST_BYTES = 1 << 28
"""Maximum length of a chunk or head; a larger one is damaged."""

Text = tuple[int, int, int, str]
"""Tick, row, slot and words of a changed cell of the table of texts."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers of one type and shape, stored in every step."""

    name: str
    dtype: str
    shape: tuple[int, ...]


class LayerColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A layer over cells, stored by its changed cells."""

    name: str
    dtype: str
    cells: int


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Description of a recording: enough to run it again and to draw it."""

    lastseen: str
    scenario: str
    level: str
    seed: int
    step: float
    agents: tuple[str, ...]
    columns: tuple[Column, ...]
    layers: tuple[LayerColumn, ...]
    trees: tuple[str, ...] = ()
    notes: dict[str, Any] = {}


class Body(msgspec.Struct, frozen=True, forbid_unknown_fields=True, array_like=True):
    """Contents of a chunk besides numbers: events, texts, and numbers of changed cells of layers.

    `words` are those of the texts before the first step, each once.
    """

    events: list[AnyEvent]
    texts: list[Text]
    words: list[str]
    layer_changes: list[list[int]]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """End of a run: its reason, the number of steps, and their digest."""

    reason: str
    ticks: int
    digest: str


def column_bytes(column: Column) -> int:
    """Return the size of a column in one step, in bytes."""
    return math.prod(column.shape) * np.dtype(column.dtype).itemsize


def digest_of(*parts: bytes) -> bytes:
    """Return the BLAKE2b digest of some bytes, 16 bytes."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.digest()


_LENGTH = np.dtype("<u4")


def encoded(
    columns: Sequence[Array], keys: Sequence[Array], changes: Sequence[tuple[Array, Array]], body: Body, places: Array
) -> bytes:
    """Return the raw bytes of a chunk.

    `columns` are (ticks, …) arrays; `keys` the layers' values before the first tick; `changes` per layer the changed
    cells and their values, tick by tick, with their counts in `body.layer_changes`; `places` the row, slot and index in
    `body.words` of each text before the first tick, (3, texts).
    """
    text = msgspec.json.encode(body)
    pieces = [np.array([len(text), places.shape[1]], _LENGTH).tobytes(), text, _planes(places.astype(_LENGTH))]
    for column in columns:
        pieces += _differences(column)
    pieces += [key.tobytes() for key in keys]
    for cells, values in changes:
        pieces += [cells.astype(_LENGTH).tobytes(), values.tobytes()]
    return b"".join(pieces)


def _planes(numbers: Array) -> bytes:
    """Return the bytes of a table of numbers in planes: all first bytes, all second bytes …"""
    plain = np.ascontiguousarray(numbers).view(np.uint8).reshape(*numbers.shape, numbers.itemsize)
    return plain.transpose(2, 0, 1).tobytes()


def _differences(column: Array) -> list[bytes]:
    """Return a column's bytes: which numbers change, the numbers of the first step, and the changes of each step.

    Most numbers are constant within a chunk; leaving them out saves most of the time of zlib.
    """
    numbers = column.reshape(len(column), -1)
    plain = numbers.view(f"u{column.itemsize}")
    change = plain[1:] ^ plain[:-1]
    does_change = np.bitwise_or.reduce(change, axis=0) != 0
    return [np.packbits(does_change).tobytes(), _planes(numbers[:1]), _planes(change[:, does_change])]


class _Cursor:
    """Read from raw bytes; raise if they end too early."""

    def __init__(self, raw: bytes):
        self.raw = raw
        self.at = 0

    def take(self, count: int) -> bytes:
        piece = self.raw[self.at : self.at + count]
        if len(piece) != count:
            raise RecordingError("a chunk holds fewer bytes than its header says")
        self.at += count
        return piece

    def array(self, dtype: str | np.dtype[np.uint32], count: int) -> Array:
        return np.frombuffer(self.take(count * np.dtype(dtype).itemsize), dtype)

    def planes(self, dtype: str | np.dtype[np.uint32], rows: int, items: int) -> Array:
        """Undo `_planes`."""
        size = np.dtype(dtype).itemsize
        bytes_of = self.array("|u1", size * rows * items).reshape(size, rows, items)
        return np.ascontiguousarray(bytes_of.transpose(1, 2, 0)).view(dtype).reshape(rows, items)


def decoded(
    raw: bytes, ticks: int, columns: Sequence[Column], layers: Sequence[LayerColumn]
) -> tuple[Body, Array, list[Array], list[Array], list[tuple[Array, Array]]]:
    """Decode a chunk: body, places of texts, columns, keys and changes of layers."""
    if ticks * sum(map(column_bytes, columns)) > MOST_BYTES:
        raise RecordingError(f"the header of a chunk gives {ticks} steps, more than fit")
    cursor = _Cursor(raw)
    length, texts = cursor.array(_LENGTH, 2).tolist()
    try:
        body = msgspec.json.decode(cursor.take(length), type=Body)
    except msgspec.MsgspecError as error:
        raise RecordingError(f"a chunk's events cannot be read: {error}") from None
    places = cursor.planes(_LENGTH, 3, texts)
    if texts and int(places[2].max()) >= len(body.words):
        raise RecordingError(f"texts of a chunk refer to words beyond its {len(body.words)}")
    numbers = [_summed(cursor, ticks, column) for column in columns]
    keys = [cursor.array(layer.dtype, layer.cells) for layer in layers]
    changes = _changes(cursor, ticks, layers, body)
    if cursor.at != len(raw):
        raise RecordingError("a chunk holds more bytes than its header says")
    return body, places, numbers, keys, changes


def _changes(cursor: _Cursor, ticks: int, layers: Sequence[LayerColumn], body: Body) -> list[tuple[Array, Array]]:
    if len(body.layer_changes) != len(layers) or any(len(counts) != ticks for counts in body.layer_changes):
        raise RecordingError("the layers of a chunk do not match the head")
    changes = []
    for layer, counts in zip(layers, body.layer_changes):
        if min(counts, default=0) < 0:
            raise RecordingError("a chunk has a negative number of cells")
        cells = cursor.array(_LENGTH, sum(counts))
        if len(cells) and int(cells.max()) >= layer.cells:
            raise RecordingError(f"layer {layer.name!r} has a change outside its {layer.cells} cells")
        changes.append((cells, cursor.array(layer.dtype, sum(counts))))
    return changes


def _summed(cursor: _Cursor, ticks: int, column: Column) -> Array:
    """Undo `_differences`."""
    items = math.prod(column.shape)
    does_change = np.unpackbits(cursor.array("|u1", -(-items // 8)), count=items).astype(bool)
    found = np.zeros((ticks, items), column.dtype)
    found[0] = cursor.planes(column.dtype, 1, items)[0]
    found[1:, does_change] = cursor.planes(column.dtype, ticks - 1, int(does_change.sum()))
    plain = found.view(np.uint8)
    np.bitwise_xor.accumulate(plain, axis=0, out=plain)
    return found.reshape(ticks, *column.shape)


def inflated(packed: bytes, length: int) -> bytes:
    """Unpack exactly `length` bytes; any other length is damage."""
    engine = zlib.decompressobj()
    try:
        raw = engine.decompress(packed, length + 1)
    except zlib.error as error:
        raise RecordingError(f"a chunk cannot be unpacked: {error}") from None
    if len(raw) != length or not engine.eof:
        raise RecordingError("a chunk unpacks to a length other than that of its header")
    return raw
