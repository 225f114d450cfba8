"""The form of a recording, written down once.

Bytes, little-endian::

    0   8 bytes   b"lsrecord"
    8   uint32    version of this form
    12  uint32    length of the head
    16  16 bytes  BLAKE2b digest of the head
    32  head      JSON: what is recorded (`About`)
    …   chunks    each: b"CH", uint16 kind, uint32 first tick, uint32 ticks, uint32 packed length, uint32 raw length,
                  16 bytes BLAKE2b digest of these numbers and of the packed bytes, then the packed bytes (zlib)

A chunk of frames holds about a second and needs no other to be read, so a reader finds any moment from the heads
alone, and a run that was killed is whole up to its last chunk. In it are, unpacked::

    uint32    length of the body
    uint32    texts that held before the first step
    body      JSON: events, texts that changed, words, cells of layers that changed in each step (`Body`)
    texts     uint32 rows, slots and numbers in the words, in planes
    columns   each: a bit for every number that changes; the numbers of the first step, in planes; for every further
              step and number that changes the difference (exclusive or) from the step before, in planes
    layers    each: the values before the first step
    changes   of each layer: uint32 cells, then their values

In planes means all first bytes, then all second bytes, and so on. What does not change costs next to nothing.
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
"""No chunk or head is longer: a damaged length is not believed."""

Text = tuple[int, int, int, str]
"""Tick, row, slot, words: a cell of the table of texts that changed."""


class Column(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Numbers stored in every step: all of one type and shape."""

    name: str
    dtype: str
    shape: tuple[int, ...]


class LayerColumn(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A layer over cells, stored as the cells that changed."""

    name: str
    dtype: str
    cells: int


class About(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """What a recording is of: enough to run it again and to draw it."""

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
    """What a chunk holds beside its numbers: events, texts, lengths of the layers' changes.

    `words` are those of the texts that held before the first step, each once.
    """

    events: list[AnyEvent]
    texts: list[Text]
    words: list[str]
    layer_changes: list[list[int]]


class End(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """How a run ended: the named reason, how many steps there were, and the digest of all of them."""

    reason: str
    ticks: int
    digest: str


def column_bytes(column: Column) -> int:
    """Return the bytes of a column in one step, unpacked."""
    return math.prod(column.shape) * np.dtype(column.dtype).itemsize


def digest_of(*parts: bytes) -> bytes:
    """Return 16 bytes that stand for these."""
    digest = hashlib.blake2b(digest_size=16)
    for part in parts:
        digest.update(part)
    return digest.digest()


_LENGTH = np.dtype("<u4")


def encoded(
    columns: Sequence[Array], keys: Sequence[Array], changes: Sequence[tuple[Array, Array]], body: Body, places: Array
) -> bytes:
    """Return the raw bytes of a chunk.

    `columns` are (ticks, …) arrays; `keys` the layers' values before the first tick; `changes` per layer all changed
    cells and their values, one tick after another, with their numbers per tick in `body.layer_changes`; `places` row,
    slot and number in `body.words` of each text that held before the first tick, (3, texts).
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
    """Return the bytes of a table of numbers: all first bytes, all second bytes …"""
    plain = np.ascontiguousarray(numbers).view(np.uint8).reshape(*numbers.shape, numbers.itemsize)
    return plain.transpose(2, 0, 1).tobytes()


def _differences(column: Array) -> list[bytes]:
    """Return a column's bytes: which numbers change, those of the first step, and the changes of each step.

    Most numbers stay for longer than a chunk. To pass them on for zlib to find out takes most of its time.
    """
    numbers = column.reshape(len(column), -1)
    plain = numbers.view(f"u{column.itemsize}")
    change = plain[1:] ^ plain[:-1]
    does_change = np.bitwise_or.reduce(change, axis=0) != 0
    return [np.packbits(does_change).tobytes(), _planes(numbers[:1]), _planes(change[:, does_change])]


class _Cursor:
    """Reads from raw bytes and says where they end too early."""

    def __init__(self, raw: bytes):
        self.raw = raw
        self.at = 0

    def take(self, count: int) -> bytes:
        piece = self.raw[self.at : self.at + count]
        if len(piece) != count:
            raise RecordingError("a chunk holds fewer bytes than it says")
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
    """Undo `encoded`: body, places of texts, columns, keys and changes of layers."""
    if ticks * sum(map(column_bytes, columns)) > MOST_BYTES:
        raise RecordingError(f"a chunk says it holds {ticks} steps; that is more than fits")
    cursor = _Cursor(raw)
    length, texts = cursor.array(_LENGTH, 2).tolist()
    try:
        body = msgspec.json.decode(cursor.take(length), type=Body)
    except msgspec.MsgspecError as error:
        raise RecordingError(f"a chunk's events cannot be read: {error}") from None
    places = cursor.planes(_LENGTH, 3, texts)
    if texts and int(places[2].max()) >= len(body.words):
        raise RecordingError(f"a chunk's texts name words beyond its {len(body.words)}")
    numbers = [_summed(cursor, ticks, column) for column in columns]
    keys = [cursor.array(layer.dtype, layer.cells) for layer in layers]
    changes = _changes(cursor, ticks, layers, body)
    if cursor.at != len(raw):
        raise RecordingError("a chunk holds more bytes than it says")
    return body, places, numbers, keys, changes


def _changes(cursor: _Cursor, ticks: int, layers: Sequence[LayerColumn], body: Body) -> list[tuple[Array, Array]]:
    if len(body.layer_changes) != len(layers) or any(len(counts) != ticks for counts in body.layer_changes):
        raise RecordingError("a chunk's layers do not fit the head")
    changes = []
    for layer, counts in zip(layers, body.layer_changes):
        if min(counts, default=0) < 0:
            raise RecordingError("a chunk counts fewer than no cells")
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
    """Unpack exactly `length` bytes; anything else is damage."""
    engine = zlib.decompressobj()
    try:
        raw = engine.decompress(packed, length + 1)
    except zlib.error as error:
        raise RecordingError(f"a chunk cannot be unpacked: {error}") from None
    if len(raw) != length or not engine.eof:
        raise RecordingError("a chunk unpacks to another length than it says")
    return raw
