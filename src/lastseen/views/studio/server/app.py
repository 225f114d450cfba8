"""The server: the page and its files, and one socket for everything live."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import AsyncIterator
from pathlib import Path
from urllib.parse import quote

from starlette.applications import Starlette
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route, WebSocketRoute
from starlette.types import ASGIApp, Receive, Scope, Send
from starlette.websockets import WebSocket, WebSocketDisconnect

from ....errors import InputError
from ..editing.drafts import Drafts
from ..panels.registry import added_panels
from ..protocol.news import Code, Problem, encoded
from ..protocol.schema import parse_message, socket_in, socket_out
from ..session.folder import Folder, Uploads
from ..session.studio import Studio
from .clients import MOST_PAGES, Client
from .feed_socket import take_feed
from .http_routes import api_routes, refusal
from .page_bundle import SCRIPT, STATIC, joined_page, joined_script
from .security import HEADERS, Door, Rate

_TYPES = {
    ".html": "text/html; charset=utf-8",
    ".css": "text/css; charset=utf-8",
    ".js": "text/javascript; charset=utf-8",
    ".json": "application/json",
    ".svg": "image/svg+xml",
    ".png": "image/png",
    ".ico": "image/x-icon",
    ".woff2": "font/woff2",
}
_MISSING = PlainTextResponse("no such file", 404, HEADERS)
_NO_TOKEN, _NO_ORIGIN, _FULL, _FLOODED = 4401, 4403, 4429, 1008
_MOST_REFUSED = 2_000
"""Messages over the rate after which a page is disconnected."""


def make_app(studio: Studio, door: Door, uploads: Uploads, drafts: Drafts | None = None) -> ASGIApp:
    """Return the studio as an ASGI application; raise InputError if a panel of another package cannot be used."""
    for kinds in (socket_in, socket_out):
        kinds()  # raises if a panel does not fit
    drafts = Drafts(studio.folder.root) if drafts is None else drafts

    @contextlib.asynccontextmanager
    async def life(app: Starlette) -> AsyncIterator[None]:  # noqa: ARG001
        studio.hub.attach(asyncio.get_running_loop())
        studio.start()
        try:
            yield
        finally:
            studio.hub.attach(None)
            await asyncio.to_thread(studio.stop)
            uploads.close()

    async def page(request: Request) -> Response:  # noqa: ARG001
        return _text(joined_page(), ".html")

    async def script(request: Request) -> Response:  # noqa: ARG001
        return _text(joined_script(), ".js")

    async def static(request: Request) -> Response:
        return _file(STATIC, request.path_params["name"])

    async def panel(request: Request) -> Response:
        if not door.knows_token(request.query_params.get("token")):
            return refusal(401, "token", "wrong token", "panel")
        found = added_panels().get(request.path_params["name"])
        return _MISSING if found is None else await asyncio.to_thread(_file, found.folder, found.script)

    async def download(request: Request) -> Response:
        made = studio.director.exports.take(request.query_params.get("ticket", ""))
        if made is None:
            why = "this file was already downloaded or has expired; export it again"
            return refusal(404, "ticket", why, "download")
        named = {"Content-Type": made.form, "Content-Disposition": f"attachment; filename*=UTF-8''{quote(made.name)}"}
        return Response(made.data, headers={**HEADERS, **named})

    async def socket(websocket: WebSocket) -> None:
        if await _admits(websocket, door):
            await _converse(websocket, studio)

    async def feed(websocket: WebSocket) -> None:
        if await _admits(websocket, door):
            await take_feed(websocket, studio)

    routes = [
        Route("/", page),
        Route(SCRIPT, script),
        Route("/static/{name:path}", static),
        Route("/panels/{name}.js", panel),
        Route("/api/download", download),
        *api_routes(studio.folder, uploads, drafts, door),
        WebSocketRoute("/ws", socket),
        WebSocketRoute("/feed", feed),
    ]
    return _Guard(Starlette(routes=routes, lifespan=life), door)


class _Guard:
    """Rejects requests with an unknown host or origin, and adds our headers to the rest."""

    def __init__(self, app: ASGIApp, door: Door):
        self._app, self._door = app, door

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            request = Request(scope)
            host, origin = request.headers.get("host"), request.headers.get("origin")
            if not self._door.knows_host(host) or not self._door.knows_origin(origin, host):
                refusal = PlainTextResponse("unknown host or origin", 403, HEADERS)
                await refusal(scope, receive, send)
                return
        await self._app(scope, receive, send)


def _file(folder: Path, name: str) -> Response:
    """Return a file of the page or of a panel; nothing outside its folder."""
    try:
        place = Folder(folder).readable(name)
        kind = _TYPES[place.suffix]
    except (InputError, KeyError):
        return _MISSING
    return Response(place.read_bytes(), headers={**HEADERS, "Content-Type": kind})


def _text(text: str, suffix: str) -> Response:
    return Response(text.encode(), headers={**HEADERS, "Content-Type": _TYPES[suffix]})


async def _admits(websocket: WebSocket, door: Door) -> bool:
    """Accept a socket, and close it if its host, origin or token is wrong."""
    await websocket.accept()
    host = websocket.headers.get("host")
    if not door.knows_host(host) or not door.knows_origin(websocket.headers.get("origin"), host):
        await websocket.close(_NO_ORIGIN, "unknown host or origin")
        return False
    if not door.knows_token(websocket.query_params.get("token")):
        await websocket.close(_NO_TOKEN, "wrong token")
        return False
    return True


async def _converse(websocket: WebSocket, studio: Studio) -> None:
    """Serve one page until it disconnects."""
    if len(studio.hub.clients) >= MOST_PAGES:
        await websocket.close(_FULL, "too many pages")
        return
    client = Client()
    studio.hub.clients[client.number] = client
    studio.join(client.number)
    sending = asyncio.create_task(client.send_on(websocket.send_text, websocket.send_bytes))
    listening = asyncio.create_task(_listen(websocket, studio, client))
    try:
        await asyncio.wait({sending, listening}, return_when=asyncio.FIRST_COMPLETED)
    finally:
        studio.hub.clients.pop(client.number, None)
        studio.leave(client.number)
        for task in (sending, listening):
            task.cancel()
            with contextlib.suppress(asyncio.CancelledError, WebSocketDisconnect, RuntimeError, OSError):
                await task
        with contextlib.suppress(RuntimeError, WebSocketDisconnect, OSError):
            await websocket.close(_FLOODED)


async def _listen(websocket: WebSocket, studio: Studio, client: Client) -> None:
    """Pass on a page's messages within its rate; return when it leaves or is disconnected."""
    rate, complaints, refused = Rate(), Rate(2.0, 5.0), 0

    def complain(code: Code, message: str) -> None:
        if complaints.may():
            client.say(encoded(Problem(code, message)))

    while refused < _MOST_REFUSED:
        received = await websocket.receive()
        if received["type"] == "websocket.disconnect":
            return
        if not rate.may():
            refused += 1
            complain("rate", f"too many messages; at most {rate.per_second:g} per second are read")
            continue
        data = received.get("text")
        if data is None:
            complain("unreadable", "messages must be JSON text, not bytes")
            continue
        try:
            message = parse_message(data)
        except InputError as error:
            complain("unreadable", str(error))
            continue
        if not studio.submit(client.number, message):
            complain("busy", "the studio is busy; try again in a moment")
