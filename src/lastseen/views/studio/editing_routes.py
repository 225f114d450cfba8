"""Routes for opening, checking and saving drawings: requests with the token, one at a time."""

from __future__ import annotations

import asyncio
from dataclasses import asdict

from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .answers import answer, body_of
from .editing import MOST_BYTES, Changed, check_drawing, open_drawing, save_drawing
from .folder import Folder
from .turns import Turns, given

__all__ = ["editing_routes"]


def editing_routes(folder: Folder, turns: Turns) -> list[Route]:
    """Return the routes of the editor."""

    async def opened(request: Request) -> Response:
        async with turns.lock:
            return answer(200, await asyncio.to_thread(open_drawing, folder, given(request, "name")))

    async def checked(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        async with turns.lock:
            return answer(200, {"type": "checked", "faults": await asyncio.to_thread(check_drawing, data)})

    async def saved(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        name, before = given(request, "name"), given(request, "digest")
        try:
            async with turns.lock:
                result = await asyncio.to_thread(save_drawing, folder, name, data, before)
        except Changed as error:
            # Not a mistake of the page: it asks the user what to do, and sends the digest of what it would replace.
            return answer(200, {"type": "changed", "message": str(error), "digest": error.digest})
        return answer(200, {"type": "saved level", **asdict(result), "levels": folder.menus()["levels"]})

    return [
        Route("/api/level", turns.guarded("open level", opened), methods=["GET"]),
        Route("/api/level/check", turns.guarded("check level", checked), methods=["POST"]),
        Route("/api/level/save", turns.guarded("save level", saved), methods=["POST"]),
    ]
