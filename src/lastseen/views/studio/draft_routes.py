"""Routes for storing unsaved work of pages and finding it again: requests with the token."""

from __future__ import annotations

import asyncio

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.routing import Route

from .answers import answer, body_of
from .drafts import MOST_BYTES, Drafts
from .turns import Turns, given

__all__ = ["draft_routes"]


def draft_routes(drafts: Drafts, turns: Turns) -> list[Route]:
    """Return the routes of drafts."""

    async def listed(request: Request) -> Response:
        found = await asyncio.to_thread(drafts.all, given(request, "kind"))
        return answer(200, {"type": "drafts", "home": drafts.home, "drafts": msgspec.to_builtins(found)})

    async def opened(request: Request) -> Response:
        return answer(200, {"type": "draft", **await asyncio.to_thread(drafts.read, given(request, "id"))})

    async def kept(request: Request) -> Response:
        data = await body_of(request, MOST_BYTES)
        async with turns.lock:
            return answer(200, {"type": "kept", "newest": await asyncio.to_thread(drafts.keep, data)})

    async def dropped(request: Request) -> Response:
        async with turns.lock:
            await asyncio.to_thread(drafts.drop, given(request, "id"))
        return answer(200, {"type": "dropped"})

    return [
        Route("/api/drafts", turns.guarded("list drafts", listed), methods=["GET"]),
        Route("/api/draft", turns.guarded("open draft", opened), methods=["GET"]),
        Route("/api/draft", turns.guarded("keep draft", kept), methods=["POST"]),
        Route("/api/draft/drop", turns.guarded("drop draft", dropped), methods=["POST"]),
    ]
