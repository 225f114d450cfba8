"""The token of a studio that is started again: pages of the run before are known to it."""

from __future__ import annotations

import contextlib
import os
import re
import stat
from pathlib import Path
from time import time

from ...errors import InputError
from ...files import atomic_write
from ...textfile import digest_of
from .drafts import drafts_folder
from .security import new_token

__all__ = ["kept_token", "tokens_folder"]

KEPT_SECONDS = 12 * 3600.0
"""After its last start a studio has a new token."""
_TOKEN = re.compile(rb"[A-Za-z0-9_-]{22}")


def tokens_folder() -> Path:
    """Return where tokens are kept, for nobody but this user."""
    return drafts_folder().parent / "tokens"


def kept_token(folder: Path, port: int, home: Path | None = None) -> str:
    """Return the token a studio of this folder had at this port some hours ago, else a new one, and keep it.

    It is kept in a file only this user can read, as browsers keep the address that holds it; a file others can read or
    have made is not used. Where files have no owners, nothing is kept.
    """
    token = new_token()
    if not hasattr(os, "getuid") or not _TOKEN.fullmatch(token.encode()):
        return token  # set by the user
    home = tokens_folder() if home is None else home
    place = home / digest_of(f"{folder.resolve()}\0{port}".encode())[:32]
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        _drop_old(home)
        token = _read(place) or token
        atomic_write(place, token.encode(), follow=False, private=True)
    except (OSError, InputError):
        pass  # a cache that cannot be used is none
    return token


def _read(place: Path) -> str | None:
    try:
        handle = os.open(place, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK)
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        is_own = stat.S_ISREG(about.st_mode) and about.st_uid == os.getuid() and not about.st_mode & 0o077
        data = file.read(100) if is_own else b""
    return data.decode() if _TOKEN.fullmatch(data) else None


def _drop_old(home: Path) -> None:
    for one in home.iterdir():
        with contextlib.suppress(OSError):
            if one.lstat().st_mtime < time() - KEPT_SECONDS:
                one.unlink()
