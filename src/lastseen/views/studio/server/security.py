"""Access to the studio: a token that survives a restart, known hosts and origins, bounded rates."""

from __future__ import annotations

import contextlib
import hmac
import ipaddress
import os
import re
import secrets
import stat
from dataclasses import dataclass, field
from pathlib import Path
from time import monotonic, time
from urllib.parse import urlsplit

from ....errors import InputError
from ....files import atomic_write
from ....textfile import digest_of
from ..editing.drafts import drafts_folder

TOKEN_VARIABLE = "LASTSEEN_STUDIO_TOKEN"
"""A token that survives restarts of the studio; at least 22 characters, else each run gets a new one."""
_LEAST_TOKEN = 22
_LOOPBACK = ("127.0.0.1", "localhost", "::1")
HEADERS = {
    "Content-Security-Policy": (
        "default-src 'none'; script-src 'self'; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:; "
        "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'; "
        "frame-ancestors 'none'"
    ),
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "Cross-Origin-Resource-Policy": "same-origin",
    "Cross-Origin-Opener-Policy": "same-origin",
    "Cache-Control": "no-store",
}
"""Sent with everything: nothing is loaded from elsewhere, framed elsewhere or cached."""


def new_token() -> str:
    """Return the token of this run: 128 bits, or the one the user set."""
    given = os.environ.get(TOKEN_VARIABLE, "")
    return given if len(given) >= _LEAST_TOKEN else secrets.token_urlsafe(16)


def is_loopback(host: str) -> bool:
    """Return whether a host name means this machine only."""
    if host in _LOOPBACK:
        return True
    try:
        return ipaddress.ip_address(host).is_loopback
    except ValueError:
        return False


@dataclass(frozen=True)
class Door:
    """Admits requests that have the token, name this host, and come from its own page.

    A page elsewhere may make a browser connect here, but not with our token, nor with our origin. A foreign host name
    that resolves to this machine is rejected by its host header.
    """

    token: str
    host: str

    def knows_token(self, given: str | None) -> bool:
        """Return whether this is the token, in constant time."""
        return given is not None and hmac.compare_digest(given.encode("utf-8", "replace"), self.token.encode())

    def knows_host(self, header: str | None) -> bool:
        """Return whether a request may name this host."""
        name = _name_of(f"//{header}") if header else None
        if name is None:
            return False
        if is_loopback(self.host):
            return is_loopback(name)
        if name == self.host or is_loopback(name):
            return True
        try:
            ipaddress.ip_address(name)
        except ValueError:
            return False
        return True

    def knows_origin(self, origin: str | None, host: str | None) -> bool:
        """Return whether a page of this origin may send requests. Programs send none; a browser's must be our own."""
        return origin is None or origin in (f"http://{host}", f"https://{host}")


def _name_of(address: str) -> str | None:
    """Return the host an address names; None: none, or one with user information, which no browser sends."""
    try:
        parts = urlsplit(address)
        return None if "@" in parts.netloc else parts.hostname
    except ValueError:
        return None


@dataclass
class Rate:
    """A limit of messages per second on average, with `burst` at once; `may` returns whether one more is allowed."""

    per_second: float = 150.0
    burst: float = 300.0
    _left: float = field(default=-1.0)
    _since: float = field(default_factory=monotonic)

    def may(self, now: float | None = None) -> bool:
        """Count one message."""
        moment = monotonic() if now is None else now
        left = self.burst if self._left < 0.0 else self._left
        self._left = min(self.burst, left + max(0.0, moment - self._since) * self.per_second)
        self._since = moment
        if self._left < 1.0:
            return False
        self._left -= 1.0
        return True


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
