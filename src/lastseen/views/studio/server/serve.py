"""Start the studio: bind a port, open the browser, serve until stopped."""

from __future__ import annotations

import errno
import ipaddress
import os
import signal
import socket
import sys
import threading
import webbrowser
from collections.abc import Callable
from time import monotonic

import uvicorn

from ....errors import InputError
from ..editing.drafts import Drafts
from ..session.feeds import WAITING
from ..session.folder import Folder, Uploads
from ..session.studio import Prepare, Studio
from .app import make_app
from .running_studios import published
from .security import Door, is_loopback, kept_token, new_token

MOST_BYTES = 1 << 20
"""Maximum bytes of a received message; longer ones end the connection."""
_PATIENCE = 2.0
"""Seconds to get ready in before the page is served anyway; with cached kernels it takes no longer."""
_GLANCE = 0.02


def bind(host: str, port: int) -> socket.socket:
    """Return a listening socket on the port, or on a free one if it is taken.

    Raise InputError if neither can be bound.
    """
    try:
        family = socket.getaddrinfo(host, None, type=socket.SOCK_STREAM)[0][0]
    except OSError as error:
        raise InputError(f"--host {host!r} is not an address of this machine: {error}") from None
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
                is_strange = error.errno == errno.EADDRNOTAVAIL
                advice = "give --host an address of this machine" if is_strange else "choose another port"
                raise InputError(f"cannot serve at {host}:{port}: {error.strerror}; {advice}") from None
        else:
            one.setblocking(False)
            return one
    raise InputError(f"cannot serve at {host}:{port}")


def make_server(
    prepare: Prepare, folder: Folder, *, host: str, token: str, keep_running: bool = False, drafts: Drafts | None = None
) -> tuple[uvicorn.Server, Studio]:
    """Return the server, not running yet, and its studio; `keep_running`: also while no page is open.

    If `prepare` raises, or its stage cannot be opened, the server ends. Drafts are kept in the user's cache unless
    others are given.
    """
    uploads = Uploads()
    studio = Studio(prepare, Folder(folder.root, uploads=lambda: uploads.folder), keep_running=keep_running)
    config = uvicorn.Config(
        make_app(studio, Door(token, host), uploads, drafts),
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
    server = uvicorn.Server(config)
    studio.when_failed = lambda: setattr(server, "should_exit", True)
    return server, studio


def can_open() -> bool:
    """Return whether there is a display to open a browser on."""
    if sys.platform in ("win32", "darwin"):
        return True
    return bool(os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY"))


def serve(
    prepare: Prepare,
    folder: Folder,
    *,
    host: str,
    port: int,
    open_page: bool,
    say: Callable[[str], None],
    keep_running: bool = False,
) -> None:
    """Serve what `prepare` opens until Ctrl-C or SIGTERM; messages for the user go to `say`.

    Errors of `prepare` are raised before anything is printed, or as soon as they are known.
    """
    listening = bind(host, port)
    token = kept_token(folder.root, listening.getsockname()[1]) if is_loopback(host) else new_token()
    server, studio = make_server(prepare, folder, host=host, token=token, keep_running=keep_running)
    try:
        studio.start()
        _wait_for(studio)
        _raise_failure(studio)
        address = _announce(studio, listening, host, port, token, say)
        if open_page and can_open():
            threading.Timer(0.5, webbrowser.open, (address,)).start()
        with published(names_of(host)[0], listening.getsockname()[1], token):
            _run(server, listening)
        _raise_failure(studio)
    finally:
        listening.close()
        studio.stop()
    say("stopped")


def _wait_for(studio: Studio) -> None:
    """Wait until the studio is ready, or it is clear that this takes long: then pages show the level meanwhile."""
    end = monotonic() + _PATIENCE
    while monotonic() < end and not studio.ready.wait(_GLANCE) and not studio.preparation.takes_long.is_set():
        pass


def _raise_failure(studio: Studio) -> None:
    if studio.failure is not None:
        raise studio.failure


def _announce(
    studio: Studio, listening: socket.socket, host: str, port: int, token: str, say: Callable[[str], None]
) -> str:
    """Announce the studio's addresses, and whether other machines can connect; return the address on this one."""
    chosen = listening.getsockname()[1]
    if port and chosen != port:
        say(f"port {port} is taken; using {chosen}")
    if not is_loopback(host):
        say(f"warning: {host} can be reached from other machines; anyone with the address can play and save files")
    here, elsewhere = (f"http://{name}:{chosen}/?token={token}" for name in names_of(host))
    what = "the studio is getting ready"
    if studio.ready.is_set():
        title = studio.director.game.title
        what = "the studio waits for a game" if title == WAITING else f"{title} is open"
    say(f"{what} at {here}")
    if elsewhere != here:
        say(f"from other machines: {elsewhere}")
    say("stop with Ctrl-C")
    return here


def names_of(host: str) -> tuple[str, str]:
    """Return the names, for use in an address, by which this machine and others reach a served host.

    A host that stands for all of a machine's addresses is not itself an address: here it is the loopback, elsewhere the
    address this machine sends from.
    """
    try:
        everywhere = ipaddress.ip_address(host)
    except ValueError:
        return host, host
    if not everywhere.is_unspecified:
        shown = f"[{host}]" if everywhere.version == 6 else host
        return shown, shown
    own = _own_address(socket.AF_INET6 if everywhere.version == 6 else socket.AF_INET)
    if everywhere.version == 6:
        return "[::1]", f"[{own}]" if own else "[ADDRESS-OF-THIS-MACHINE]"
    return "127.0.0.1", own or "ADDRESS-OF-THIS-MACHINE"


def _own_address(family: socket.AddressFamily) -> str | None:
    """Return the address this machine sends from, without sending anything. None: it has no route."""
    far = "2001:db8::1" if family == socket.AF_INET6 else "192.0.2.1"  # reserved for documentation
    with socket.socket(family, socket.SOCK_DGRAM) as one:
        try:
            one.connect((far, 9))
        except OSError:
            return None
        name = str(one.getsockname()[0])
    return None if ipaddress.ip_address(name).is_unspecified else name


def _run(server: uvicorn.Server, listening: socket.socket) -> None:
    """Serve until a signal arrives; uvicorn handles it, shuts down and re-raises it, which is ignored here."""
    before = {number: signal.signal(number, lambda *_: None) for number in (signal.SIGINT, signal.SIGTERM)}
    try:
        server.run(sockets=[listening])
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)
        listening.close()
