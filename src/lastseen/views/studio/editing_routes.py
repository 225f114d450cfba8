"""Where the page opens, checks and saves what it draws: requests with the token, one at a time."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from ...errors import LastSeenError
from .answers import answer, body_of, refusal
from .editing import MOST_BYTES, Changed, check_drawing, open_drawing, save_drawing
from .folder import Folder
from .security import Door

__all__ = ["editing_routes"]

_MOST_WAITING = 8
"""Requests of all pages that may wait for their turn."""
_LONGEST_NAME = 200


def editing_routes(folder: Folder, door: Door) -> list[Route]:
    """Return the routes of the editor."""
    turn = asyncio.Lock()
    waiting = 0

    def guarded(about: str, act: Callable[[Request], Awaitable[Response]]) -> Callable[[Request], Awaitable[Response]]:
        """Let in who has the token, one after another; say in words what is refused."""

        async def respond(request: Request) -> Response:
            nonlocal waiting
            if not door.knows_token(request.query_params.get("token")):
                return refusal(401, "token", "wrong token", about)
            if waiting >= _MOST_WAITING:
                return refusal(429, "busy", "the studio is busy; try again in a moment", about)
            waiting += 1
            try:
                return await act(request)
            except LastSeenError as error:
                return refusal(400, "refused", str(error), about)
            finally:
                waiting -= 1

        return respond

    async def opened(request: Request) -> Response:
        async with turn:
            return answer(200, await asyncio.to_thread(open_drawing, folder, _given(request, "name")))

    async def checked(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        async with turn:
            return answer(200, {"type": "checked", "faults": await asyncio.to_thread(check_drawing, data)})

    async def saved(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        name, before = _given(request, "name"), _given(request, "digest")
        try:
            async with turn:
                result = await asyncio.to_thread(save_drawing, folder, name, data, before)
        except Changed as error:
            # No mistake of the page: it asks what is to be done, and says so with the digest of what it would replace.
            return answer(200, {"type": "changed", "message": str(error), "digest": error.digest})
        return answer(200, {"type": "saved level", **asdict(result), "levels": folder.menus()["levels"]})

    return [
        Route("/api/level", guarded("open level", opened), methods=["GET"]),
        Route("/api/level/check", guarded("check level", checked), methods=["POST"]),
        Route("/api/level/save", guarded("save level", saved), methods=["POST"]),
    ]


def _given(request: Request, name: str) -> str:
    return request.query_params.get(name, "")[:_LONGEST_NAME]
