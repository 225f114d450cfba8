"""How requests are read and answered: bounded bodies, JSON with our headers."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ...errors import InputError
from .security import HEADERS

__all__ = ["answer", "body_of", "refusal"]


def answer(status: int, values: dict[str, Any]) -> Response:
    """Return values as JSON, with the headers of everything."""
    return Response(msgspec.json.encode(values), status, {**HEADERS, "Content-Type": "application/json"})


def refusal(status: int, code: str, message: str, about: str) -> Response:
    """Return why something was not done."""
    return answer(status, {"type": "error", "code": code, "message": message, "about": about})


async def body_of(request: Request, most: int) -> bytes:
    """Return what was sent, or refuse it as soon as it is longer than `most` bytes."""
    data = bytearray()
    try:
        async for piece in request.stream():
            data += piece
            if len(data) > most:
                raise InputError(f"a file may have {most:,} bytes at most")
    except ClientDisconnect:
        raise InputError("whoever sent this went away before its end") from None
    return bytes(data)
