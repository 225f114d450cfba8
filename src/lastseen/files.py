"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import importlib
import os
import stat
import tempfile
from pathlib import Path
from time import time
from typing import Any

from .errors import InputError

__all__ = ["atomic_write"]

PART = ".lastseen.part"
"""Ending of temporary files; no other program gives its files such names."""
SECONDS_UNLOCKED = 60.0
"""Age below which an unlocked part may belong to a writer that was just about to lock it."""
SECONDS_WRITING = 24 * 3600.0
"""Age beyond which a part is stale where there are no locks; writing takes seconds."""
_fcntl: Any = importlib.import_module("fcntl") if os.name == "posix" else None
"""Locks of files; where there are none, age alone says whether a file is still being written."""
_swept: set[Path] = set()
"""Folders this process has looked through for stale parts."""


def atomic_write(path: str | os.PathLike[str], data: bytes, *, follow: bool = True, private: bool = False) -> None:
    """Put `data` at `path`: under a temporary name in the same folder first, then renamed.

    A reader sees the old file or the new one, never half of either; a failed write leaves nothing behind. What killed
    processes left in the folder is removed by the first write of the next one.

    Parameters
    ----------
    follow : where `path` is a link, replace what it names; else the link itself is replaced.
    private : let this user alone read the file, whatever the permissions of the one it replaces.

    Raises
    ------
    InputError
        The place cannot be written: no such folder, no permission, no space, a folder of that name.
    """
    target = Path(path)
    try:
        # A link keeps pointing where it did: what it names is replaced, not the link.
        target = target.resolve() if follow else target.parent.resolve() / target.name
        if target.is_dir():
            raise IsADirectoryError(21, "it is a folder")
        _remove_stale_parts(target.parent)
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
                # mkstemp makes private files; give the usual permissions (or keep those of the file replaced).
                Path(temporary).chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o666 & ~_umask())
            if _fcntl is not None:
                Path(temporary).replace(target)  # while it is locked, so that nobody takes it for stale
        if _fcntl is None:
            Path(temporary).replace(target)  # open files cannot be renamed everywhere
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from None
        raise


def _remove_stale_parts(folder: Path) -> None:
    """Remove what killed processes of this user left in a folder, once for each folder and process.

    The lock of a file goes with the process that writes it, however that ends. A part that cannot be looked at or
    removed stays: nothing depends on it.
    """
    if folder in _swept:
        return
    _swept.add(folder)
    with contextlib.suppress(OSError):
        for part in folder.iterdir():
            if part.name.startswith(".") and part.name.endswith(PART):
                with contextlib.suppress(OSError):
                    _remove_if_stale(part)


def _remove_if_stale(part: Path) -> None:
    about = part.lstat()
    age = time() - about.st_mtime
    is_own = not hasattr(os, "getuid") or about.st_uid == os.getuid()
    if not stat.S_ISREG(about.st_mode) or not is_own or age < SECONDS_UNLOCKED:
        return
    if _fcntl is None:
        if age >= SECONDS_WRITING:
            part.unlink()
        return
    with part.open("rb") as file:
        if _lock(file.fileno()):
            part.unlink()


def _lock(handle: int) -> bool:
    """Take the lock of an open file unless another process has it; False: it has, or there are no locks here."""
    if _fcntl is None:
        return False
    try:
        _fcntl.flock(handle, _fcntl.LOCK_EX | _fcntl.LOCK_NB)
    except OSError:
        return False
    return True


def _cannot_write(path: str | os.PathLike[str], error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot write {os.fspath(path)!r}: {reason}; name a file in an existing folder you may write to")


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
