"""Frames to bytes and back: differences between steps of what changes, in planes of bytes, then zlib."""

from __future__ import annotations

import math
import zlib
from collections.abc import Sequence

import msgspec
import numpy as np

from ...conventions import Array
from ...errors import RecordingError
from .format import MOST_BYTES, Body, Column, LayerColumn, column_bytes

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
