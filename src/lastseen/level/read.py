"""Read a level from a file of any known kind, chosen by its content as well as its name.

Other packages add kinds: objects with `read(data, source)`, `sniff(data, suffix)` and `suffixes`.
"""

from __future__ import annotations

import importlib
import os
import stat
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

from ..arrayfile import MAGIC
from ..checks import instance_of, shown, text_of
from ..errors import Fault, InputError, LevelError, did_you_mean
from ..extensions import extension, extension_names
from .check import find_faults
from .level import Level, TriangleSoup
from .overlay import overlay_path, with_overlay

_READERS = {
    "geojson": ("geojson", (".geojson",)),
    "tiled": ("tiled", (".tmj",)),
    "gram": ("gram", ()),
    "polyanya": ("polyanya", (".mesh",)),
    "movingai": ("movingai", (".map",)),
    "mesh": ("mesh_file", (".obj", ".glb", ".gltf", ".ply", ".stl", ".off")),
    "text": ("text_map", (".txt", ".level")),
}
"""Kind: its module under `readers` and its usual suffixes. Strict formats come first, since almost anything is text."""

MAX_BYTES = {"mesh": 256 * 2**20}
MAX_TEXT_BYTES = 64 * 2**20
"""Size limits. Reading text needs about ten times its size in memory."""


def level_kinds() -> tuple[str, ...]:
    """Return the kinds of level files that can be read, those of other packages last."""
    return tuple(dict.fromkeys((*_READERS, *extension_names("readers"))))


def read_level(path: str | os.PathLike[str], *, kind: str = "auto", up: str = "auto", flip: bool = False) -> Level:
    """Return the level in a file.

    Parameters
    ----------
    path : file to read.
    kind : "auto" to detect it from the content, or one of `level_kinds()`.
    up : up axis of a triangle mesh: "auto" (y for .obj, .glb, .gltf; z for .stl, .ply, .off), "y" or "z".
    flip : reverse the winding of the triangles of a mesh, for files whose floors face down.

    Raises
    ------
    LevelError
        The file is missing, of an unknown kind, broken, or holds a faulty level; `faults` lists everything found.
    InputError
        `kind` or `up` is not one of those above, or `up` or `flip` is given for a level without triangles.
    """
    return _sound(*inspect_level(path, kind=kind, up=up, flip=flip), os.fspath(path))


def _sound(level: Level | None, faults: tuple[Fault, ...], source: str) -> Level:
    if level is None or any(fault.severity == "error" for fault in faults):
        raise LevelError(source, faults)
    return level


def parse_level(text: str | bytes, *, kind: str = "auto", name: str = "text") -> Level:
    """Return the level written in a text: a text map, GeoJSON or any other of `level_kinds()`.

    `name` stands for the file: errors and levels that have no name of their own use it. Raises as `read_level` does.
    """
    if not isinstance(text, str | bytes):
        raise InputError(f"text is {shown(text)}; give the content of a level file, or call read_level with its name")
    data = text.encode() if isinstance(text, str) else text
    return _sound(*_inspected(data, text_of(name, "name"), _known_kind(kind)), name)


def inspect_level(
    path: str | os.PathLike[str], *, kind: str = "auto", up: str = "auto", flip: bool = False
) -> tuple[Level | None, tuple[Fault, ...]]:
    """Return the level in a file and all its faults; None instead of a level that could not be built.

    Errors come before warnings; a level with only warnings is sound. Parameters are those of `read_level`.
    """
    if not isinstance(path, str | os.PathLike):
        raise InputError(f"path is {shown(path)}; give a file name")
    _known_kind(kind)
    instance_of(flip, bool, "flip", "it must be True or False")
    source = os.fspath(path)
    try:
        data = _content(source)
    except LevelError as error:
        return None, error.faults
    return _inspected(data, source, kind, up, flip, overlay=_overlay)


def _overlay(level: Level) -> Level:
    """Return a mesh with its overlay, if there is one next to it."""
    place = overlay_path(Path(level.source))
    if not isinstance(level.surface, TriangleSoup) or place == Path(level.source) or not place.is_file():
        return level
    return with_overlay(level, _content(os.fspath(place)), place.name)


def _known_kind(kind: str) -> str:
    if not isinstance(kind, str) or (kind not in ("auto", *_READERS) and kind not in level_kinds()):
        kinds = ("auto", *level_kinds())
        raise InputError(f"kind is {shown(kind)}; it must be one of {', '.join(kinds)}{did_you_mean(kind, kinds[1:])}")
    return kind


def _inspected(
    data: bytes,
    source: str,
    kind: str,
    up: str = "auto",
    flip: bool = False,
    overlay: Callable[[Level], Level] = lambda level: level,
) -> tuple[Level | None, tuple[Fault, ...]]:
    try:
        _check_filled(data, source)
        chosen = _kind_of(data, Path(source).suffix.lower(), source) if kind == "auto" else kind
        limit = MAX_BYTES.get(chosen, MAX_TEXT_BYTES)
        if len(data) > limit:
            raise _too_large(source, len(data), limit)
        reader, options = _reader(chosen), _options(chosen, up, flip)
        if hasattr(reader, "inspect"):  # it also tells what it ignores
            level, ignored = reader.inspect(data, source, **options)
        else:
            level, ignored = reader.read(data, source, **options), []
        level = overlay(level if level.source else replace(level, source=source))
    except LevelError as error:
        return None, error.faults
    return level, (*find_faults(level), *ignored)


def _reader(kind: str) -> Any:
    """Return the module that reads `kind`; each is imported on first use, along with libraries such as trimesh."""
    if kind not in _READERS:
        added = extension("readers", kind)
        missing = [name for name in ("read", "sniff", "suffixes") if not hasattr(added, name)]
        if missing:
            raise InputError(f"reader {kind!r} of another package lacks {', '.join(missing)}; see docs/extensions.md")
        return added
    return importlib.import_module(f".readers.{_READERS[kind][0]}", __package__)


def _options(kind: str, up: str, flip: bool) -> dict[str, Any]:
    if kind == "mesh":
        return {"up": up, "flip": flip}
    if flip:
        raise InputError(f"flip applies only to triangle meshes, but this file is of kind {kind}; omit it")
    if up not in ("auto", "z"):
        raise InputError(f"up is {up!r}, but this file is of kind {kind}; only triangle meshes have an up axis")
    return {}


def _content(source: str) -> bytes:
    """Return the bytes of a regular file within the size limit, or raise `LevelError`."""
    limit = max(MAX_TEXT_BYTES, *MAX_BYTES.values())
    try:
        status = Path(source).stat()
        if stat.S_ISDIR(status.st_mode):
            raise LevelError(source, [Fault("it is a folder", "give a file in it")])
        if not stat.S_ISREG(status.st_mode):
            raise LevelError(source, [Fault("it is not an ordinary file", "give a level file")])
        if status.st_size > limit:
            raise _too_large(source, status.st_size, limit)
        with Path(source).open("rb") as file:
            data = file.read(limit + 1)
    except FileNotFoundError:
        raise LevelError(source, [Fault("there is no such file", _neighbour(Path(source)))]) from None
    except (OSError, ValueError) as error:
        if isinstance(error, LevelError):
            raise
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        raise LevelError(source, [Fault(f"it cannot be read: {reason}", "check its name and permissions")]) from None
    return data


def _check_filled(data: bytes, source: str) -> None:
    if data and not data.strip(b"\0"):
        what = f"it holds only zero bytes ({len(data):,})"
        raise LevelError(source, [Fault(what, "its content was lost in writing or copying: restore the file")])
    if not data.strip(b"\0 \t\r\n\xef\xbb\xbf"):
        raise LevelError(source, [Fault("the file is empty", "write a level into it, or start from a sample level")])


def _too_large(source: str, size: int, limit: int) -> LevelError:
    what = f"it has {size / 2**20:,.0f} MiB; the limit is {limit / 2**20:,.0f} MiB"
    return LevelError(source, [Fault(what, "split the level, or remove detail that is never walked on")])


def _neighbour(path: Path) -> str:
    """Return advice for a missing file: a similar name in the same folder, if there is one."""
    try:
        names = [entry.name for entry in path.parent.iterdir()] if path.parent.is_dir() else []
    except OSError:
        names = []
    return f"check the name{did_you_mean(path.name, names)}"


def _kind_of(data: bytes, suffix: str, source: str) -> str:
    """Return the kind whose reader recognises the content; the suffix decides if several or none do."""
    if data.startswith(MAGIC) and b"\0" in data[:64]:
        advice = "give the level it was baked from; `lastseen show` draws cell files"
        raise LevelError(source, [Fault("it is a baked cell file, not a level", advice)])
    usual = [kind for kind in _READERS if suffix in _READERS[kind][1]]
    matching = [kind for kind in _READERS if _reader(kind).sniff(data, suffix)]
    both = [kind for kind in matching if kind in usual]
    if not both:  # a shipped reader whose content and suffix fit needs no other package
        added = {kind: _reader(kind) for kind in extension_names("readers") if kind not in _READERS}
        both = [kind for kind, reader in added.items() if suffix in reader.suffixes and reader.sniff(data, suffix)]
        matching += [kind for kind, reader in added.items() if reader.sniff(data, suffix)]
    for choice in (both, matching, usual):
        if choice:
            return choice[0]
    advice = f"use one of these kinds: {', '.join(level_kinds())}; or set the kind (`kind`, `--kind`)"
    if suffix == ".tmx" or b"<map " in data[:1000]:
        what = "it is a map of Tiled in XML (.tmx), which is not read"
        raise LevelError(source, [Fault(what, "save it as JSON in Tiled: File > Save As …, JSON map files (.tmj)")])
    if b"\n" not in data and not suffix:
        advice = f"{advice}; to read a file, call Level.read(path)"
    raise LevelError(source, [Fault("unrecognised level format", advice)])
