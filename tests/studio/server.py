"""A studio that really serves, in a thread of this process, and a page without a screen that connects to it."""

from __future__ import annotations

import contextlib
import json
import struct
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, Union
from urllib.parse import quote

import msgspec
import numpy as np
from websockets.sync.client import ClientConnection, connect

from lastseen.errors import RecordingError
from lastseen.views.studio.answers.replay_page import replay_page
from lastseen.views.studio.editing.drafts import Drafts
from lastseen.views.studio.protocol.replies import PlacedGuards, SneakPaths
from lastseen.views.studio.protocol.schema import TO_GAMES, Answer, socket_out
from lastseen.views.studio.server.serve import bind, make_server
from lastseen.views.studio.session.folder import Folder
from lastseen.views.studio.session.game import Game
from lastseen.views.studio.session.stage_opening import opened, request_for
from lastseen.views.studio.session.studio import Prepare, Studio
from specimens.recordings import recorded

TOKEN = "the token of these tests"
PATIENCE = 120.0
"""Seconds until a test gives up: only a failing test waits so long, however loaded the machine is."""


class Served:
    """Where a studio listens, and the studio itself."""

    def __init__(self, port: int, studio: Studio, folder: Path):
        self.port, self.studio, self.folder = port, studio, folder

    @property
    def uploads(self) -> Path:
        return self.studio.director.folder.path("uploaded/x").parent

    @property
    def host(self) -> str:
        return f"127.0.0.1:{self.port}"

    def connect(self, *, token: str | None = TOKEN, **options: Any) -> ClientConnection:
        query = "" if token is None else f"?token={token.replace(' ', '%20')}"
        limits = {"max_size": None, "compression": None, "open_timeout": PATIENCE} | options
        return connect(f"ws://{self.host}/ws{query}", **limits)

    @property
    def address(self) -> str:
        return f"http://{self.host}/?token={quote(TOKEN)}"

    @contextlib.contextmanager
    def page(self) -> Iterator[Page]:
        with self.connect() as socket:
            yield Page(socket)


class Page:
    """Sends and receives what a page does; keeps every text it received."""

    def __init__(self, socket: ClientConnection):
        self.socket = socket
        self.heard: list[dict[str, Any]] = []
        self.frames: list[dict[str, Any]] = []
        self._asked = 0
        self.hello = self.until("hello")

    def say(self, kind: str, /, **more: Any) -> None:
        self.socket.send(json.dumps({"type": kind, **more}))

    def take(self, timeout: float = PATIENCE) -> dict[str, Any]:
        data = self.socket.recv(timeout=timeout)
        if isinstance(data, bytes):
            frame = decoded(data)
            self.frames.append(frame)
            return frame
        text: dict[str, Any] = json.loads(data)
        self.heard.append(text)
        return text

    def until(self, kind: str, /, **wanted: Any) -> dict[str, Any]:
        """Listen until a message of that type says what is wanted."""
        end = time.monotonic() + PATIENCE
        while time.monotonic() < end:
            heard = self.take()
            if heard["type"] == kind and all(heard.get(key) == value for key, value in wanted.items()):
                return heard
        raise AssertionError(f"no {kind} with {wanted} came")

    def until_tick(self, tick: int) -> dict[str, Any]:
        """Listen until a frame of this step or a later one comes: frames are left out on a loaded machine."""
        while (frame := self.until("frame"))["tick"] < tick:
            pass
        return frame

    def ask(self, kind: str, answer: str, /, **more: Any) -> dict[str, Any]:
        self.say(kind, **more)
        return self.until(answer)

    def settle(self) -> dict[str, Any]:
        """Wait until everything sent so far has been handled; return the status then."""
        self._asked += 1
        self.say("run", running=False)
        self.say("cell", cell=self._asked)
        self.until("cell", cell=self._asked)
        # Messages about a run that is being repeated wait for it: then the last status is still to come.
        status = [text for text in self.heard if text["type"] in ("status", "hello")][-1]
        return self.until("status", repeating=None) if status["repeating"] is not None else status


def until(holds: Callable[[], bool]) -> None:
    """Wait until something holds, as long as a loaded machine may take."""
    end = time.monotonic() + PATIENCE
    while not holds():
        assert time.monotonic() < end, "it never came true"
        time.sleep(0.01)


def resume(game: Game) -> None:
    """Continue a game from the step shown, as the studio does in the background."""
    try:
        again = game.repeater()(lambda tick: True)
    except RecordingError:
        game.give_up_world()
        raise
    assert again is not None
    game.adopt(again)


def decoded(data: bytes) -> dict[str, Any]:
    """Decode a frame, byte by byte as the format describes."""
    kind, flags, agents, tick, watchers, targets, doors, blocks, views, ways = struct.unpack_from("<BBHIHHHHHH", data)
    assert kind == 1
    at, pairs = 20, watchers * targets

    def take(dtype: str, count: int) -> np.ndarray:
        nonlocal at
        found = np.frombuffer(data, dtype, count, at)
        at += -(-found.nbytes // 4) * 4
        return found

    people = take("V40", agents)
    frame: dict[str, Any] = {
        "type": "frame",
        "full": bool(flags & 1),
        "tick": tick,
        "numbers": np.array([np.frombuffer(one.tobytes()[:36], "<f4") for one in people]).reshape(agents, 9),
        "marks": np.array([np.frombuffer(one.tobytes()[36:], "u1") for one in people]).reshape(agents, 4),
        "awareness": take("<f4", pairs).reshape(watchers, targets),
        "visible": take("u1", pairs).reshape(watchers, targets),
        "known": take("<f4", 6 * pairs).reshape(watchers, targets, 6),
        "doors": take("u1", doors),
        "fights": take("<f4,<f4,<f4,<i2,u1,u1", agents) if flags & 2 else None,
        "objects": take("<f4,<f4,<f4,u1,u1,u1,u1", int(take("<u4", 1)[0])) if flags & 8 else None,
        "layers": {},
        "views": {},
        "ways": {},
    }
    for _ in range(blocks):
        layer, zero, count = struct.unpack_from("<HHI", data, at)
        assert zero == 0
        at += 8
        frame["layers"][layer] = (take("<u4", count), take("i1", count))
    for _ in range(views):
        agent, points = struct.unpack_from("<HH", data, at)
        at += 4
        frame["views"][agent] = take("<f4", 2 * points).reshape(points, 2)
    for _ in range(ways):
        agent, points = struct.unpack_from("<HH", data, at)
        at += 4
        frame["ways"][agent] = take("<f4", 3 * points).reshape(points, 3)
    if flags & 4:
        frame["given"], at = json.loads(data[at:]), len(data)
    assert at == len(data)
    return frame


class Traffic:
    """Checks everything a studio sends against its protocol, between the studio and its server.

    Attributes
    ----------
    faults : messages that do not fit, and why.
    """

    def __init__(self, app: Any):
        self._app = app
        self.faults: list[str] = []

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        form = ""

        async def checked(event: Any) -> None:
            nonlocal form
            if event["type"] == "websocket.send" and event.get("text") is not None:
                kinds = TO_GAMES if scope["path"] == "/feed" else socket_out()
                self.check(event["text"], Union[kinds])  # noqa: UP007
            elif event["type"] == "http.response.start":
                form = dict(event["headers"]).get(b"content-type", b"").decode()
            elif event["type"] == "http.response.body" and form == "application/json":
                is_file = scope["path"] == "/api/download" and b'"type":"error"' not in event["body"][:20]
                file = PlacedGuards if b'"geojson"' in event["body"][:20] else SneakPaths
                self.check(event["body"], file if is_file else Answer)
            await send(event)

        await self._app(scope, receive, checked)

    def check(self, data: str | bytes, form: Any) -> None:
        """Note a message that is not of this form."""
        try:
            msgspec.json.decode(data, type=form)
        except msgspec.MsgspecError as error:
            self.faults.append(f"{error}: {data[:300]!r}")


@contextlib.contextmanager
def serving(
    folder: Path, what: str = "rooms", difficulty: str | None = None, *, keep_running: bool = False
) -> Iterator[Served]:
    """Serve a level of the folder, or a sample, on a free port."""
    stage = opened(Folder(folder), request_for(what, difficulty))
    with preparing(folder, lambda _: stage, keep_running=keep_running) as served:
        assert served.studio.ready.wait(PATIENCE)
        assert served.studio.failure is None
        yield served


@contextlib.contextmanager
def preparing(folder: Path, prepare: Prepare, *, keep_running: bool = False, port: int = 0) -> Iterator[Served]:
    """Serve what is still being prepared, on a free port or a given one."""
    listening = bind("127.0.0.1", port)
    drafts = Drafts(folder, folder.parent / "drafts")
    settings = {"host": "127.0.0.1", "token": TOKEN, "keep_running": keep_running, "drafts": drafts}
    server, studio = make_server(prepare, Folder(folder), **settings)
    traffic = server.config.app = Traffic(server.config.app)
    thread = threading.Thread(target=server.run, kwargs={"sockets": [listening]}, daemon=True)
    thread.start()
    until(lambda: server.started)
    try:
        yield Served(listening.getsockname()[1], studio, folder)
    finally:
        server.should_exit = True
        thread.join(PATIENCE)
        listening.close()
        assert not thread.is_alive(), "the server did not stop"
    assert traffic.faults == [], "the server sent what the protocol does not know"


def write_replay(folder: Path, text: str, first: int = 0, last: int | None = None) -> str:
    """Record a scenario as run.rec and make a replay file of it; return its address."""
    recorded(text, folder / "run.rec")
    place = folder / "replay.html"
    place.write_bytes(replay_page(opened(Folder(folder), request_for("run.rec")), first, last))
    return place.as_uri()
