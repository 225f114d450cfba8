"""Frames to bytes and back: differences between steps, in planes of bytes, then zlib."""

from __future__ import annotations

import zlib
from collections.abc import Sequence

import msgspec
import numpy as np

from ...conventions import Array
from ...errors import RecordingError
from .form import Body, Column, LayerColumn

__all__ = ["decoded", "encoded", "inflated"]

_LENGTH = np.dtype("<u4")


def encoded(
    columns: Sequence[Array], keys: Sequence[Array], changes: Sequence[tuple[Array, Array]], body: Body
) -> bytes:
    """Return the raw bytes of a chunk.

    `columns` are (ticks, …) arrays; `keys` the layers' values before the first tick; `changes` per layer all changed
    cells and their values, one tick after another, with their numbers per tick in `body.layer_changes`.
    """
    text = msgspec.json.encode(body)
    pieces = [np.array(len(text), _LENGTH).tobytes(), text]
    pieces += [_planes(column) for column in columns]
    pieces += [key.tobytes() for key in keys]
    for cells, values in changes:
        pieces += [cells.astype(_LENGTH).tobytes(), values.tobytes()]
    return b"".join(pieces)


def _planes(column: Array) -> bytes:
    """Return a column's bytes: each step exclusive-or the one before, all first bytes, all second bytes …"""
    size = column.dtype.itemsize
    plain = np.ascontiguousarray(column).view(np.uint8).reshape(len(column), -1, size)
    change = plain.copy()
    change[1:] ^= plain[:-1]
    return np.ascontiguousarray(change.transpose(2, 0, 1)).tobytes()


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


def decoded(
    raw: bytes, ticks: int, columns: Sequence[Column], layers: Sequence[LayerColumn]
) -> tuple[Body, list[Array], list[Array], list[tuple[Array, Array]]]:
    """Undo `encoded`."""
    cursor = _Cursor(raw)
    try:
        body = msgspec.json.decode(cursor.take(int(cursor.array(_LENGTH, 1)[0])), type=Body)
    except msgspec.MsgspecError as error:
        raise RecordingError(f"a chunk's events cannot be read: {error}") from None
    numbers = [_unplaned(cursor, ticks, column) for column in columns]
    keys = [cursor.array(layer.dtype, layer.cells) for layer in layers]
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
    if cursor.at != len(raw):
        raise RecordingError("a chunk holds more bytes than it says")
    return body, numbers, keys, changes


def _unplaned(cursor: _Cursor, ticks: int, column: Column) -> Array:
    size, items = np.dtype(column.dtype).itemsize, int(np.prod(column.shape, dtype=np.int64))
    planes = cursor.array("|u1", size * ticks * items).reshape(size, ticks, items)
    plain = np.bitwise_xor.accumulate(np.ascontiguousarray(planes.transpose(1, 2, 0)), axis=0)
    return np.ascontiguousarray(plain).view(column.dtype).reshape(ticks, *column.shape)


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
