"""Access to the studio: a token for each run, known hosts and origins, bounded rates."""

from __future__ import annotations

import hmac
import ipaddress
import os
import secrets
from dataclasses import dataclass, field
from time import monotonic
from urllib.parse import urlsplit

__all__ = ["HEADERS", "Door", "Rate", "is_loopback", "new_token"]

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
