"""Where studios of this user listen: one private file per running studio, with its address and token."""

from __future__ import annotations

import contextlib
import os
import socket
import stat
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import parse_qs, urlsplit

import msgspec

from ....errors import InputError
from ....files import atomic_write

_MOST_BYTES = 4_096
_PATIENCE = 0.5
"""Seconds to wait for a connection; a running studio accepts one at once."""


class Running(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """A studio: host and port it listens on, its token, and its process."""

    host: str
    port: int
    token: str
    pid: int

    @property
    def address(self) -> str:
        """The address of its page, without the token."""
        return f"http://{self.host}:{self.port}/"


def running_folder() -> Path:
    """Return the folder of these files, which only this user can read."""
    if own := os.environ.get("XDG_RUNTIME_DIR"):
        return Path(own) / "lastseen"
    return Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache") / "lastseen" / "running"


@contextlib.contextmanager
def published(host: str, port: int, token: str) -> Iterator[None]:
    """Publish where a studio listens until the block ends; without a usable cache, nothing is published."""
    home = running_folder()
    place = home / f"{port}.json"
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        data = msgspec.json.encode(Running(host, port, token, os.getpid()))
        atomic_write(place, data, follow=False, private=True)
    except (OSError, InputError):
        yield
        return
    try:
        yield
    finally:
        found = _read(place)
        if found is not None and found.pid == os.getpid():
            with contextlib.suppress(OSError):
                place.unlink()


def find_running() -> Running | None:
    """Return the studio of this user that was started last and answers; None: there is none."""
    try:
        places = [(place.lstat().st_mtime, place) for place in running_folder().glob("*.json")]
    except OSError:
        return None
    found = (_read(place) for _, place in sorted(places, reverse=True))
    return next((one for one in found if one is not None and _answers(one)), None)


def _read(place: Path) -> Running | None:
    """Return the content of a file; None: others could have written or read it, or it is damaged."""
    try:
        handle = os.open(place, os.O_RDONLY | getattr(os, "O_NOFOLLOW", 0) | getattr(os, "O_NONBLOCK", 0))
    except OSError:
        return None
    with os.fdopen(handle, "rb") as file:
        about = os.fstat(handle)
        # Systems without file owners protect the folder of the user as a whole.
        is_own = not hasattr(os, "getuid") or (about.st_uid == os.getuid() and not about.st_mode & 0o077)
        data = file.read(_MOST_BYTES) if stat.S_ISREG(about.st_mode) and is_own else b""
    try:
        return msgspec.json.decode(data, type=Running)
    except msgspec.MsgspecError:
        return None


def _answers(studio: Running) -> bool:
    with contextlib.suppress(OSError):
        socket.create_connection((studio.host.strip("[]"), studio.port), _PATIENCE).close()
        return True
    return False


def studio_at(address: str, token: str | None) -> Running:
    """Return the studio at an address as `lastseen play` prints it, or as HOST:PORT; its token may be in the address.

    Raise InputError if the address cannot be read or there is no token.
    """
    try:
        parts = urlsplit(address if "//" in address else f"//{address}", scheme="http")
        host, port = parts.hostname, parts.port
    except ValueError:
        host = port = None
    if not host or not port or parts.scheme != "http":
        raise InputError(f"address is {address!r}; give the one `lastseen play` prints, or HOST:PORT")
    token = token or next(iter(parse_qs(parts.query).get("token", ())), None)
    if not token:
        raise InputError(f"{address} has no token; give the whole address `lastseen play` prints, or token=")
    return Running(f"[{host}]" if ":" in host else host, port, token, 0)
