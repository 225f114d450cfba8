"""Connection to a dask.distributed scheduler, with failures reported in one line and its own logs silenced."""

from __future__ import annotations

import importlib
import logging
import socket
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Any

from ...errors import InputError

__all__ = ["connected", "quiet"]

_CONNECT = 5.0
_CLOSE = 2.0
_WORD, _LONGEST = 8, 1 << 20
"""Bytes of a message's length prefix, and the longest greeting accepted."""
_TALKATIVE = ("distributed", "tornado", "asyncio")


@contextmanager
def quiet() -> Iterator[None]:
    """Silence the libraries' logs about lost connections, which are reported in one line instead."""
    names = [name for name in logging.root.manager.loggerDict if name.partition(".")[0] in _TALKATIVE]
    before = {name: logging.getLogger(name).level for name in {*names, *_TALKATIVE}}
    try:
        for name in before:
            logging.getLogger(name).setLevel(logging.CRITICAL + 1)
        yield
    finally:
        for name, level in before.items():
            logging.getLogger(name).setLevel(level)


@contextmanager
def connected(distributed: Any, address: str) -> Iterator[Any]:
    """Yield a client of the scheduler at an address; close it at the end, whether or not the scheduler answers.

    Raises
    ------
    InputError
        The address is invalid, nothing answers there, or it is not a scheduler.
    """
    _knock(address)
    # Created in two steps, as a client that fails to connect must still be marked as closed.
    client = distributed.Client.__new__(distributed.Client)
    try:
        client.__init__(address, timeout=_CONNECT, set_as_default=False)
    except (OSError, TimeoutError, ValueError, ImportError) as error:
        client.status = "closed"
        raise _absent(address, str(error)) from None
    try:
        yield client
    finally:
        with suppress(OSError, TimeoutError, distributed.TimeoutError):
            client.close(timeout=_CLOSE)


def _knock(address: str) -> None:
    """Reject an invalid address, or one where no scheduler listens, before a client tries for long."""
    addressing: Any = importlib.import_module("distributed.comm.addressing")
    try:
        host, port = addressing.get_address_host_port(address)
        with socket.create_connection((host, int(port)), _CONNECT) as line:
            if addressing.parse_address(address)[0] == "tcp":
                _greeted(line)
    except (ValueError, OSError, OverflowError) as error:
        raise _absent(address, str(error)) from None


def _greeted(line: socket.socket) -> None:
    """Wait for a scheduler's greeting, which it sends at once, preceded by its length in bytes.

    A client would wait for ever if another server stays silent.
    """
    said, ended = b"", "the connection was closed without a greeting"
    try:
        while len(said) < _WORD and (more := line.recv(_WORD - len(said))):
            said += more
    except TimeoutError:
        ended = f"the connection is open, but no greeting came within {_CONNECT:g} s"
    if not said:
        raise ValueError(f"{ended}: another server, a proxy or a firewall")
    if len(said) < _WORD or not 0 < int.from_bytes(said, "little") < _LONGEST:
        raise ValueError("another service listens there")


def _absent(address: str, why: str) -> InputError:
    reason = " ".join(why.split())[:100]
    return InputError(
        f"no scheduler answers at {address!r} ({reason}); start one with `dask scheduler` and give the "
        "address it prints, such as tcp://host:8786"
    )
