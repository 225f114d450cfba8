"""Atomic file writing: a file is replaced as a whole or not at all."""

from __future__ import annotations

import contextlib
import importlib
import os
import re
import stat
import tempfile
from collections.abc import Mapping
from pathlib import Path
from time import time
from typing import Any

from .errors import InputError

PART = ".lastseen.part"
"""Suffix of temporary files, unlikely to be used by any other program."""
SECONDS_UNLOCKED = 60.0
"""Age below which an unlocked part may belong to a writer that is about to lock it."""
SECONDS_WRITING = 24 * 3600.0
"""Age beyond which a part counts as stale on platforms without file locks; writing takes seconds."""
_OLD_PART = re.compile(r"\.(.{1,100})\.[a-z0-9_]{8}\.part", re.DOTALL)
"""Names of temporary files in earlier versions; other programs may use such names, too."""
_fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None
"""Module for file locks; without it, age alone decides whether a file is still being written."""
_swept: set[Path] = set()
"""Folders this process has already cleared of stale parts."""


def atomic_write(path: str | os.PathLike[str], data: bytes, *, follow: bool = True, private: bool = False) -> None:
    """Write `data` to `path` through a temporary file in the same folder, which is then renamed.

    A reader sees the old file or the new one, never half of either; a failed write leaves nothing behind. Parts left
    by killed processes are removed by the next process that writes to the folder.

    Parameters
    ----------
    follow : if `path` is a symbolic link, replace the file it points to; otherwise replace the link itself.
    private : let only this user read the file, whatever the permissions of the file it replaces.

    Raises
    ------
    InputError
        The path cannot be written: no such folder, no permission, no space left, or it is a folder.
    """
    target = Path(path)
    try:
        # A link keeps its target: the file it points to is replaced.
        target = target.resolve() if follow else target.parent.resolve() / target.name
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        _remove_stale_parts(target.parent, target.name)
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=PART, dir=target.parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise _cannot_write(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            _lock(handle)
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
            if not private:
                # mkstemp creates private files; set the usual permissions or those of the replaced file.
                Path(temporary).chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o666 & ~_umask())
            if _fcntl is not None:
                Path(temporary).replace(target)  # still locked, so that no process takes it for stale
        if _fcntl is None:
            Path(temporary).replace(target)  # not every platform can rename open files
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from None
        raise


def write_all(files: Mapping[Path, bytes]) -> None:
    """Write all files or none: if one cannot be written, those before it are restored.

    Raises
    ------
    InputError
        A file cannot be written; nothing has changed.
    """
    before = {place: place.read_bytes() if place.exists() else None for place in files}
    try:
        for place, data in files.items():
            place.parent.mkdir(parents=True, exist_ok=True)
            atomic_write(place, data)
    except (OSError, InputError) as error:
        for place, data_or_none in before.items():
            _put_back(place, data_or_none)
        why = str(error) if isinstance(error, InputError) else f"{place.name!r} cannot be written: {error.strerror}"
        raise InputError(f"{why}; nothing was saved") from None


def _put_back(place: Path, data: bytes | None) -> None:
    with contextlib.suppress(OSError, InputError):
        if data is None:
            place.unlink(missing_ok=True)
        elif place.read_bytes() != data:
            atomic_write(place, data)


def _remove_stale_parts(folder: Path, written: str) -> None:
    """Remove parts that killed processes of this user left in a folder, once per folder and process.

    Earlier versions did not lock their parts: these must be a day old and named after `written` or another file in the
    folder.

    The lock of a file is released when its process ends, however it ends. A part that cannot be inspected or
    removed stays: nothing depends on it.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        found = list(folder.iterdir())
        names = {one.name[:100] for one in found} | {written[:100]}
        for part in found:
            old = _OLD_PART.fullmatch(part.name)
            is_old = old is not None and old[1] in names
            if is_old or (part.name.startswith(".") and part.name.endswith(PART)):
                with contextlib.suppress(OSError):
                    _remove_if_stale(part, has_lock=_fcntl is not None and not is_old)


def _remove_if_stale(part: Path, has_lock: bool) -> None:
    about = part.lstat()
    age = time() - about.st_mtime
    is_own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    if not stat.S_ISREG(about.st_mode) or not is_own or age < SECONDS_UNLOCKED:
        return
    if not has_lock:
        if age >= SECONDS_WRITING:
            part.unlink()
        return
    with part.open("rb") as file:
        if _lock(file.fileno()):
            part.unlink()


def _lock(handle: int) -> bool:
    """Try to lock an open file; return False if another process holds the lock or there are no locks."""
    if _fcntl is None:
        return False
    try:
        _fcntl.flock(handle, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _cannot_write(path: str | os.PathLike[str], error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot write {os.fspath(path)!r}: {reason}; choose a writable file in an existing folder")


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
