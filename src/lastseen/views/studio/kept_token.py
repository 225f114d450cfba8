"""Keep the token of a studio, so that pages of a previous run are accepted after a restart."""

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
"""Time after its last start until a studio gets a new token."""
_TOKEN = re.compile(rb"[A-Za-z0-9_-]{22}")


def tokens_folder() -> Path:
    """Return the folder of tokens, which only this user can read."""
    return drafts_folder().parent / "tokens"


def kept_token(folder: Path, port: int, home: Path | None = None) -> str:
    """Return the token a studio in this folder recently had at this port, or a new one, and keep it.

    The token is stored in a file that only this user can read, just as browsers keep the address with it; a file that
    others can read or have created is ignored. On systems without file owners, nothing is kept.
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
        pass  # an unusable cache is ignored
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
