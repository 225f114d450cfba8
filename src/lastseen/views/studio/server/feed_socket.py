"""The socket of a feed: frames of a user's own game, one message at a time, so that a game never floods the studio."""

from __future__ import annotations

import asyncio
import contextlib
import traceback
from collections.abc import Callable
from typing import TypeVar

from starlette.websockets import WebSocket, WebSocketDisconnect

from ....errors import InputError, LastSeenError
from ..protocol.feeds import FeedBegins, FeedFrames, FeedOpened, FromGame
from ..protocol.news import Code, Problem, encoded
from ..protocol.schema import parse_feed
from ..session.feed_run import FeedRun
from ..session.feeds import level_in
from ..session.studio import Studio
from .security import Rate

_REFUSED, _FLOODED = 4400, 1008
_MOST_REFUSED = 200
"""Invalid messages, or messages over the rate, after which a game is disconnected."""
Result = TypeVar("Result")


async def take_feed(websocket: WebSocket, studio: Studio) -> None:
    """Take the frames of one game until it disconnects."""
    gone = (WebSocketDisconnect, RuntimeError, OSError)
    with contextlib.suppress(*gone):
        try:
            begins = _first(await _received(websocket))
            level = await asyncio.to_thread(level_in, begins)
            run = await _perform(studio, lambda: studio.director.feeds.begin(begins, level))
        except LastSeenError as error:
            await _complain(websocket, "refused", str(error))
            await websocket.close(_REFUSED, "refused")
            return
        try:
            await websocket.send_text(encoded(FeedOpened(run.source)))
            await _listen(websocket, studio, run)
            await websocket.close(_FLOODED)
        finally:
            studio.perform(lambda: studio.director.feeds.leave(begins.key))


async def _listen(websocket: WebSocket, studio: Studio, run: FeedRun) -> None:
    """Pass on messages within their rate; return when a game keeps sending what cannot be taken."""
    rate, complaints, refused = Rate(), Rate(2.0, 5.0), 0
    while refused < _MOST_REFUSED:
        data = await _received(websocket)
        try:
            if not rate.may():
                raise InputError(f"too many messages; at most {rate.per_second:g} per second are read")
            message = parse_feed(data)
            if not isinstance(message, FeedFrames):
                raise InputError("the feed has begun already; send frames")
            await _perform(studio, _taking(studio, run, message))
        except LastSeenError as error:
            refused += 1
            if complaints.may():
                await _complain(websocket, "refused", str(error))


def _taking(studio: Studio, run: FeedRun, message: FeedFrames) -> Callable[[], None]:
    return lambda: studio.director.feeds.take(run, message)


async def _perform(studio: Studio, act: Callable[[], Result]) -> Result:
    """Return what a function returns in the game's thread; an internal error is reported to the game as well."""
    try:
        return await asyncio.wrap_future(studio.perform(act))
    except LastSeenError:
        raise
    except Exception as error:
        traceback.print_exc()
        raise InputError(f"internal error in the studio: {type(error).__name__}: {error}") from None


async def _received(websocket: WebSocket) -> str | bytes:
    """Return the next message; raise WebSocketDisconnect when the game leaves."""
    received = await websocket.receive()
    if received["type"] == "websocket.disconnect":
        raise WebSocketDisconnect(received.get("code", 1000))
    text = received.get("text")
    return received.get("bytes") or b"" if text is None else text


def _first(data: str | bytes) -> FeedBegins:
    message: FromGame = parse_feed(data)
    if not isinstance(message, FeedBegins):
        raise InputError("the first message of a feed is `begin`")
    return message


async def _complain(websocket: WebSocket, code: Code, words: str) -> None:
    await websocket.send_text(encoded(Problem(code, words, "feed")))
