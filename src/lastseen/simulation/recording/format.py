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
from typing import Any

import msgspec
import numpy as np

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
