"""Send the frames of a game to the studio from a thread of its own, so that the game never waits."""

from __future__ import annotations

import contextlib
import logging
import secrets
import subprocess
import sys
import threading
import zlib
from base64 import b64encode
from collections import deque
from contextlib import AbstractContextManager
from time import monotonic, sleep
from urllib.parse import quote

import msgspec
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.sync.client import ClientConnection, connect

from ..errors import InputError
from ..level.level import Level
from ..level.write import to_geojson
from ..views.studio.protocol.feeds import (
    MOST_EVENTS,
    MOST_FEED_BYTES,
    MOST_FRAMES,
    MOST_LEVEL_BYTES,
    FedEvent,
    FedFrame,
    FeedBegins,
    FeedFrames,
    FeedOpened,
    ToGame,
)
from ..views.studio.server.running_studios import Running, find_running

MOST_WAITING = 300
"""Maximum number of frames that wait to be sent: five seconds at 60 frames per second."""
_MOST_WAITING_EVENTS = 2_000
_PAUSE = 1.0 / 30.0
"""Minimum seconds between two messages."""
_GLANCE = 0.5
"""Seconds after which the thread notices that the studio has gone, if there is nothing to send."""
_PATIENCE = 5.0
"""Seconds to wait for an answer of the studio."""
_FIRST_WAIT, _LONGEST_WAIT = 0.25, 4.0
_START_PATIENCE = 60.0
_WRONG_TOKEN = 4401
_LOG = logging.getLogger("lastseen.studio")


class Sender:
    """A bounded queue of frames, and the thread that sends them and reconnects.

    Attributes
    ----------
    is_connected : whether the studio receives frames now; `address`: where it is.
    dropped : number of frames that were never sent.
    """

    def __init__(self, where: Running, name: str, level: Level | None, step: float, *, finds: bool):
        self._where, self._finds = where, finds
        self._hello = msgspec.json.encode(FeedBegins(secrets.token_hex(16), name, step, _packed(level)))
        if len(self._hello) > MOST_FEED_BYTES:
            raise _too_large()
        self._frames: deque[FedFrame] = deque()
        self._events: deque[FedEvent] = deque(maxlen=_MOST_WAITING_EVENTS)
        self._wake, self._lock = threading.Event(), threading.Lock()
        self._closing = False
        self._socket: ClientConnection | None = None
        self._thread = threading.Thread(target=self._run, name="lastseen feed", daemon=True)
        self.dropped = 0

    @property
    def is_connected(self) -> bool:
        """Whether the studio receives frames now."""
        return self._socket is not None

    @property
    def address(self) -> str:
        """The address of the studio, without the token."""
        return self._where.address

    def begin(self) -> None:
        """Connect and start sending; raise InputError if the studio cannot be reached or rejects the feed."""
        self._socket = self._connected()
        self._thread.start()

    def put(self, frame: FedFrame, events: list[FedEvent]) -> None:
        """Queue a frame and its events; drop the oldest frame if too many wait."""
        with self._lock:
            if self._closing:
                return
            self._events.extend(events)
            self._frames.append(frame)
            if len(self._frames) > MOST_WAITING:
                self._frames.popleft()
                self.dropped += 1
        self._wake.set()

    def close(self) -> None:
        """Send what waits, for at most a second, and end the thread."""
        with self._lock:
            self._closing = True
        self._wake.set()
        if self._thread.is_alive():
            self._thread.join(1.0)

    def _run(self) -> None:
        wait = _FIRST_WAIT
        while True:
            socket = self._socket
            try:
                if socket is None:
                    socket = self._socket = self._connected()
                wait = _FIRST_WAIT
                self._send_on(socket)
                self._socket = None
                socket.close()
                return
            except (ConnectionClosed, InvalidHandshake, OSError, InputError) as error:
                if self._socket is not None:
                    _LOG.warning("the studio at %s has gone; frames are dropped until it is back", self.address)
                else:
                    _LOG.debug("the studio cannot be reached: %s", error)
                self._socket = None
            if self._closing:
                return
            sleep(wait)
            wait = min(_LONGEST_WAIT, 2.0 * wait)

    def _send_on(self, socket: ClientConnection) -> None:
        """Send frames as they come, until the feed is closed and nothing waits any more."""
        while True:
            self._wake.wait(_GLANCE)
            self._wake.clear()
            self._hear(socket)
            while (batch := self._batch()) is not None:
                begun = monotonic()
                self._send(socket, batch)
                if not self._closing:
                    sleep(max(0.0, _PAUSE - (monotonic() - begun)))
            if self._closing:
                return

    def _batch(self) -> FeedFrames | None:
        """Take what waits, as much as one message may hold; None: nothing waits."""
        with self._lock:
            frames = [self._frames.popleft() for _ in range(min(len(self._frames), MOST_FRAMES))]
            events = [self._events.popleft() for _ in range(min(len(self._events), MOST_EVENTS))] if frames else []
        return FeedFrames(tuple(frames), tuple(events), self.dropped) if frames else None

    def _send(self, socket: ClientConnection, batch: FeedFrames) -> None:
        """Send a batch in as many messages as it takes; a frame that is too large alone is dropped."""
        data = msgspec.json.encode(batch)
        if len(data) <= MOST_FEED_BYTES:
            socket.send(data, text=True)
            return
        if len(batch.frames) == 1:
            self.dropped += 1
            _LOG.warning("a frame of %s bytes was dropped; at most %s are sent", len(data), MOST_FEED_BYTES)
            return
        half = len(batch.frames) // 2
        self._send(socket, msgspec.structs.replace(batch, frames=batch.frames[:half], events=()))
        self._send(socket, msgspec.structs.replace(batch, frames=batch.frames[half:]))

    def _hear(self, socket: ClientConnection) -> None:
        """Report what the studio complains about."""
        while True:
            try:
                answer = _decoded(socket.recv(timeout=0))
            except TimeoutError:
                return
            if not isinstance(answer, FeedOpened):
                _LOG.warning("the studio: %s", answer.message)

    def _connected(self) -> ClientConnection:
        """Return a socket the studio has accepted; raise InputError if it refuses."""
        if self._socket is None and self._finds:
            self._where = find_running() or self._where  # it may have another port and token by now
        where = self._where
        try:
            with contextlib.ExitStack() as stack:
                socket = stack.enter_context(_socket(where))
                socket.send(self._hello, text=True)
                answer = _decoded(socket.recv(timeout=_PATIENCE))
                if isinstance(answer, FeedOpened):
                    stack.pop_all()  # it stays open
                    return socket
        except TimeoutError:
            raise InputError(f"the studio at {where.address} does not answer; is it still getting ready?") from None
        except (ConnectionClosed, InvalidHandshake, OSError) as error:
            if isinstance(error, ConnectionClosed) and error.rcvd:  # a studio says why, other servers only hang up
                wrong = error.rcvd.code == _WRONG_TOKEN
                why = "rejects the token; start it again, or give the one it prints" if wrong else "refuses"
                raise InputError(f"the studio at {where.address} {why}") from None
            what = f"no studio answers at {where.address} ({error})"
            raise InputError(f"{what}; start one with `lastseen play --feed`, or give the address it prints") from None
        raise InputError(f"the studio at {where.address} refuses: {answer.message}")


def _socket(where: Running) -> AbstractContextManager[ClientConnection]:
    """Return a socket to connect; without pings, which a busy studio would not answer in time."""
    address = f"ws://{where.host}:{where.port}/feed?token={quote(where.token)}"
    return connect(
        address,
        compression=None,
        max_size=MOST_FEED_BYTES,
        open_timeout=_PATIENCE,
        close_timeout=1.0,
        ping_interval=None,
    )


def _decoded(data: str | bytes) -> ToGame:
    try:
        return msgspec.json.decode(data, type=ToGame)
    except msgspec.MsgspecError as error:
        raise InputError(f"the studio answers what this version of lastseen does not know: {error}") from None


def _packed(level: Level | None) -> str:
    """Return a level as base64 of its compressed GeoJSON."""
    if level is None:
        return ""
    data = to_geojson(level)
    if len(data) > MOST_LEVEL_BYTES:
        raise _too_large()
    return b64encode(zlib.compress(data, 9)).decode()


def _too_large() -> InputError:
    return InputError(f"the level is too large to send (over {MOST_LEVEL_BYTES >> 20} MiB as GeoJSON); leave it out")


def start_studio() -> Running:
    """Start a studio of its own process that waits for games, and open its page; raise InputError if it fails."""
    command = [sys.executable, "-m", "lastseen", "play", "--feed"]
    begun = subprocess.Popen(
        command, stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, start_new_session=True
    )
    end = monotonic() + _START_PATIENCE
    while monotonic() < end and begun.poll() is None:
        found = find_running()
        if found is not None:
            return found
        sleep(0.1)
    raise InputError(f"the studio did not start; try `{' '.join(command[1:])}` in a terminal")
