"""Write a file whole or not at all."""

from __future__ import annotations

import contextlib
import os
import tempfile
from pathlib import Path

from .errors import InputError

__all__ = ["atomic_write"]


def atomic_write(path: str | os.PathLike[str], data: bytes, *, follow: bool = True) -> None:
    """Put `data` at `path`: under a temporary name beside it first, then renamed.

    A reader sees the old file or the new one, never half of either; a failed write leaves nothing behind.

    Parameters
    ----------
    follow : where `path` is a link, replace what it names; else the link itself is replaced.

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
        handle, temporary = tempfile.mkstemp(prefix=f".{target.name[:100]}.", suffix=".part", dir=target.parent)
    except (OSError, ValueError, RuntimeError) as error:
        raise _cannot_write(path, error) from None
    try:
        with os.fdopen(handle, "wb") as file:
            file.write(data)
            file.flush()
            os.fsync(file.fileno())
        # mkstemp makes private files; give the usual permissions (or keep those of the file replaced).
        Path(temporary).chmod(target.stat().st_mode & 0o777 if target.is_file() else 0o666 & ~_umask())
        Path(temporary).replace(target)
    except BaseException as error:
        with contextlib.suppress(OSError):
            Path(temporary).unlink()
        if isinstance(error, OSError):
            raise _cannot_write(path, error) from None
        raise


def _cannot_write(path: str | os.PathLike[str], error: Exception) -> InputError:
    reason = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return InputError(f"cannot write {os.fspath(path)!r}: {reason}; name a file in an existing folder you may write to")


def _umask() -> int:
    current = os.umask(0o022)
    os.umask(current)
    return current
