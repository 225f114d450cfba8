"""Start the studio: bind a port, open the browser, serve until stopped."""

from __future__ import annotations

import errno
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable

import uvicorn

from ...errors import InputError
from .app import make_app
from .folder import Folder
from .security import Door, is_loopback, new_token
from .stage import Stage
from .studio import Studio
from .uploads import Uploads

__all__ = ["bind", "can_open", "make_server", "serve"]

MOST_BYTES = 1 << 20
"""Longest message that is received at all; longer ones end the connection."""


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket: on the port, or on a free one where it is taken.

    Raises
    ------
    InputError
        Nothing can be bound at that host or port.
    """
    try:
        family = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
    except OSError as error:
        raise InputError(f"--host {host!r} is no address of this machine: {error}") from None
    for attempt in (port, 0):
        one = socket.socket(family, socket.SOCK_STREAM)
        try:
            if os.name == "posix":
                one.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            one.bind((host, attempt))
            one.listen(128)
        except OSError as error:
            one.close()
            if error.errno != errno.EADDRINUSE or attempt == 0:
                raise InputError(f"cannot serve at {host}:{port}: {error.strerror}; choose another port") from None
        else:
            one.setblocking(False)
            return one
    raise InputError(f"cannot serve at {host}:{port}")


def make_server(
    stage: Stage, folder: Folder, *, host: str, token: str, keep_running: bool = False
) -> tuple[uvicorn.Server, Studio]:
    """Return the server, not running yet, and its studio; `keep_running`: also while nobody looks."""
    uploads = Uploads()
    studio = Studio(stage, Folder(folder.root, uploads=lambda: uploads.folder), keep_running=keep_running)
    config = uvicorn.Config(
        make_app(studio, Door(token, host), uploads),
        log_level="error",
        access_log=False,
        ws="websockets-sansio",
        ws_max_size=MOST_BYTES,
        ws_per_message_deflate=False,
        server_header=False,
        proxy_headers=False,
        timeout_graceful_shutdown=1,
        lifespan="on",
    )
    return uvicorn.Server(config), studio


def can_open() -> bool:
    """Is there a display to open a browser on?"""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve(
    stage: Stage,
    folder: Folder,
    *,
    host: str,
    port: int,
    open_page: bool,
    say: Callable[[str], None],
    keep_running: bool = False,
) -> None:
    """Serve a stage until Ctrl-C or SIGTERM; what is to be said goes to `say`."""
    listening = bind(host, port)
    chosen = listening.getsockname()[1]
    token = new_token()
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{chosen}/?token={token}"
    if port and chosen != port:
        say(f"port {port} is taken; using {chosen}")
    if not is_loopback(host):
        say(f"warning: {host} can be reached from other machines; whoever has the address can play and save files")
    server, _ = make_server(stage, folder, host=host, token=token, keep_running=keep_running)
    say(f"{stage.name} is open at {address}")
    say("stop with Ctrl-C")
    if open_page and can_open():
        threading.Timer(0.5, webbrowser.open, (address,)).start()
    _run(server, listening)
    say("stopped")


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    """Serve until a signal comes: uvicorn takes it, shuts down, and hands it on to us, who are content."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listening.close()
