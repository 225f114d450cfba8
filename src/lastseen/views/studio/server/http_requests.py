"""Handle HTTP requests: bounded bodies, JSON answers, and slow requests one after another with the token."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ....errors import InputError, LastSeenError
from ..protocol.news import Code, Problem, Sent
from .security import HEADERS, Door


def answer(message: Sent, status: int = 200) -> Response:
    """Return a message as JSON, with the standard headers."""
    return Response(msgspec.json.encode(message), status, {**HEADERS, "Content-Type": "application/json"})


def refusal(status: int, code: Code, message: str, about: str) -> Response:
    """Return an error response."""
    return answer(Problem(code, message, about), status)


async def body_of(request: Request, most: int) -> bytes:
    """Return the body of a request; raise as soon as it exceeds `most` bytes."""
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > most:
                raise InputError(f"the file is larger than {most:,} bytes")
    except ClientDisconnect:
        raise InputError("the connection closed before the upload was complete") from None
    return bytes(data)


Act = Callable[[Request], Awaitable[Response]]

_MOST_WAITING = 8
"""Maximum number of waiting requests of all pages."""
_LONGEST_NAME = 200


class Turns:
    """Serialises requests; `lock` is held while something is read or written."""

    def __init__(self, door: Door):
        self.lock = asyncio.Lock()
        self._door = door
        self._waiting = 0

    def guarded(self, about: str, act: Act) -> Act:
        """Wrap a handler so that it requires the token and answers errors with a message."""

        async def respond(request: Request) -> Response:
            if not self._door.knows_token(request.query_params.get("token")):
                return refusal(401, "token", "wrong token", about)
            if self._waiting >= _MOST_WAITING:
                return refusal(429, "busy", "the studio is busy; try again in a moment", about)
            self._waiting += 1
            try:
                return await act(request)
            except LastSeenError as error:
                return refusal(400, "refused", str(error), about)
            finally:
                self._waiting -= 1

        return respond


def given(request: Request, name: str) -> str:
    """Return a parameter of a request's query."""
    return request.query_params.get(name, "")[:_LONGEST_NAME]
