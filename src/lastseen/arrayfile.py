"""A container file of named arrays: versioned, checked against a digest, written atomically.

Byte layout, little-endian::

    0   8 bytes   b"lastseen"
    8   uint32    version of this container
    12  uint32    length of the header
    16  32 bytes  BLAKE2b digest of everything else
    48  header    JSON: kind, version of the kind, arrays (name, dtype, shape, offset), metadata of the kind
    …   payload   the arrays, each aligned to 64 bytes

Reading executes nothing and never allocates by what a header claims: sizes are checked against the file size first.
"""

from __future__ import annotations

import hashlib
import math
import os
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Generic, TypeVar

import msgspec
import numpy as np

from .conventions import Array
from .errors import CellFileError
from .files import atomic_write

MAGIC = b"lastseen"
CONTAINER_VERSION = 1
ALIGNMENT = 64
MAX_HEADER = 1 << 24

_FIXED = struct.Struct("<8sII32s")
_DTYPES = ("|u1", "<u2", "<u4", "<u8", "|i1", "<i2", "<i4", "<i8", "<f4", "<f8")
_MAX_EXTENT = 1 << 40
_AGAIN = "bake the level again or get a new copy"

Meta = TypeVar("Meta")


class _Entry(msgspec.Struct, forbid_unknown_fields=True):
    """Position of one array; `offset` counts bytes from the start of the payload."""

    name: str
    dtype: str
    shape: tuple[int, ...]
    offset: int


class _Header(msgspec.Struct, forbid_unknown_fields=True):
    kind: str
    version: int
    arrays: list[_Entry]
    meta: msgspec.Raw = msgspec.Raw(b"{}")


@dataclass(frozen=True)
class ArrayFile(Generic[Meta]):
    """Contents of a file: read-only arrays by name, and the metadata of its kind."""

    arrays: dict[str, Array]
    meta: Meta
    version: int


def write(path: str | os.PathLike[str], kind: str, version: int, arrays: Mapping[str, Array], meta: Any) -> None:
    """Write arrays of integers or floats (8 to 64 bits) to one file; `meta` is a msgspec struct.

    Raises
    ------
    InputError
        The path cannot be written; an existing file there is left untouched.
    """
    atomic_write(path, encode(kind, version, arrays, meta))


def encode(kind: str, version: int, arrays: Mapping[str, Array], meta: Any) -> bytes:
    """Return the bytes of an array file; the same input gives the same bytes."""
    entries: list[_Entry] = []
    pieces: list[bytes] = []
    offset = 0
    for name, array in arrays.items():
        stored = np.ascontiguousarray(array, dtype=array.dtype.newbyteorder("<"))
        if stored.dtype.str not in _DTYPES:
            raise TypeError(f"array {name!r} has dtype {array.dtype}; an array file holds {', '.join(_DTYPES)}")
        entries.append(_Entry(name, stored.dtype.str, array.shape, offset))
        gap = -stored.nbytes % ALIGNMENT
        pieces += [stored.tobytes(), bytes(gap)]
        offset += stored.nbytes + gap
    header = msgspec.json.encode(_Header(kind, version, entries, msgspec.Raw(msgspec.json.encode(meta))))
    header += b" " * (-(_FIXED.size + len(header)) % ALIGNMENT)
    body = b"".join([header, *pieces])
    start = struct.pack("<8sII", MAGIC, CONTAINER_VERSION, len(header))
    return start + _digest(start, memoryview(body)) + body


def read(path: str | os.PathLike[str], kind: str, version: int, meta: type[Meta]) -> ArrayFile[Meta]:
    """Read a file of this `kind` written by this `version` or an earlier one.

    Raises
    ------
    CellFileError
        Missing, truncated, damaged, of another kind or from a newer version.
    """
    source = os.fspath(path)
    try:
        with Path(path).open("rb") as file:
            _check_start(source, file.read(_FIXED.size))
            file.seek(0)
            data = file.read()
    except (OSError, ValueError) as error:
        if isinstance(error, CellFileError):
            raise
        reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
        raise CellFileError(f"{source}: cannot be read: {reason}; give a file written by `lastseen bake`") from None
    return decode(data, kind, version, meta, source=source)


def decode(data: bytes, kind: str, version: int, meta: type[Meta], *, source: str = "bytes") -> ArrayFile[Meta]:
    """Return the contents of an array file given as bytes; see `read`."""
    header_length = _check_start(source, data[: _FIXED.size])
    if len(data) < _FIXED.size + header_length:
        raise _damaged(source, f"it ends after {len(data)} bytes, inside its header")
    view = memoryview(data)
    header = _header(source, view[_FIXED.size : _FIXED.size + header_length], kind, version)
    payload = view[_FIXED.size + header_length :]
    _check_sizes(source, header, len(payload))
    if _digest(view[:16], view[_FIXED.size :]) != data[16 : _FIXED.size]:
        raise _damaged(source, "its content does not match its digest")
    try:
        about = msgspec.json.decode(header.meta, type=meta)
    except msgspec.MsgspecError as error:
        raise _damaged(source, f"its metadata does not fit: {error}") from None
    arrays = {entry.name: _array(entry, payload) for entry in header.arrays}
    return ArrayFile(arrays, about, header.version)


def _check_start(source: str, fixed: bytes) -> int:
    """Return the length of the header; raise if this cannot be one of our files."""
    if not fixed:
        raise CellFileError(f"{source}: the file is empty; {_AGAIN}")
    if fixed[: len(MAGIC)] != MAGIC[: len(fixed)]:
        raise CellFileError(
            f"{source}: not a lastseen file (it starts with {fixed[:8]!r} instead of {MAGIC!r}); "
            "give a file written by `lastseen bake`"
        )
    if len(fixed) < _FIXED.size:
        raise _damaged(source, f"it has {len(fixed)} bytes, at least {_FIXED.size} are needed")
    _, container, header_length, _ = _FIXED.unpack(fixed)
    if not 1 <= container <= CONTAINER_VERSION:
        raise CellFileError(
            f"{source}: container version {container}, but this lastseen reads 1 … {CONTAINER_VERSION}; "
            "update lastseen or bake the level again"
        )
    if header_length > MAX_HEADER:
        raise _damaged(source, f"its header claims {header_length} bytes, at most {MAX_HEADER} are allowed")
    return int(header_length)


def _header(source: str, text: memoryview, kind: str, version: int) -> _Header:
    try:
        header = msgspec.json.decode(text, type=_Header)
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise _damaged(source, f"its header cannot be decoded: {error}") from None
    if header.kind != kind:
        raise CellFileError(f"{source}: holds a {header.kind[:80]!r}, expected a {kind!r}; give another file")
    if not 1 <= header.version <= version:
        raise CellFileError(
            f"{source}: {kind} version {header.version}, but this lastseen reads 1 … {version}; "
            "update lastseen or bake the level again"
        )
    return header


def _check_sizes(source: str, header: _Header, available: int) -> None:
    """Check that the arrays lie back to back within the payload and fill it."""
    end = 0
    for entry in header.arrays:
        extents_fit = len(entry.shape) <= 4 and all(0 <= extent <= _MAX_EXTENT for extent in entry.shape)
        if entry.dtype not in _DTYPES or not extents_fit:
            raise _damaged(source, f"array {entry.name[:80]!r} has type {entry.dtype[:20]!r} and shape {entry.shape}")
        size = math.prod(entry.shape) * int(entry.dtype[2:])
        if entry.offset != end or size > available - end:
            raise _damaged(
                source,
                f"array {entry.name[:80]!r} claims bytes {entry.offset} … {entry.offset + size} of {available}",
            )
        end += size + -size % ALIGNMENT
    if end != available:
        raise _damaged(source, f"it holds {available} bytes of arrays, but its header lists {end}")
    if len({entry.name for entry in header.arrays}) < len(header.arrays):
        raise _damaged(source, "two of its arrays have the same name")


def _array(entry: _Entry, payload: memoryview) -> Array:
    """Return a read-only view into the file's bytes, in native byte order."""
    count = math.prod(entry.shape)
    # frombuffer rejects an empty slice at the very end of a buffer.
    stored = np.frombuffer(payload, entry.dtype, count, entry.offset) if count else np.empty(0, entry.dtype)
    array: Array = stored.astype(stored.dtype.newbyteorder("="), copy=False).reshape(entry.shape)
    array.setflags(write=False)
    return array


def _digest(start: bytes | memoryview, body: memoryview) -> bytes:
    digest = hashlib.blake2b(start, digest_size=32)
    digest.update(body)
    return digest.digest()


def _damaged(source: str, what: str) -> CellFileError:
    return CellFileError(f"{source}: the file is damaged: {what}; {_AGAIN}")
