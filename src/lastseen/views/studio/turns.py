"""Handle slow requests: only with the token, one after another, few at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable

from starlette.requests import Request
from starlette.responses import Response

from ...errors import LastSeenError
from .answers import refusal
from .security import Door

__all__ = ["Act", "Turns", "given"]

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
