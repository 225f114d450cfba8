"""Read and answer requests: bounded bodies, and JSON with our headers."""

from __future__ import annotations

from typing import Any

import msgspec
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response

from ...errors import InputError
from .security import HEADERS

__all__ = ["answer", "body_of", "refusal"]


def answer(status: int, values: dict[str, Any]) -> Response:
    """Return values as JSON, with the standard headers."""
    return Response(msgspec.json.encode(values), status, {**HEADERS, "Content-Type": "application/json"})


def refusal(status: int, code: str, message: str, about: str) -> Response:
    """Return an error response."""
    return answer(status, {"type": "error", "code": code, "message": message, "about": about})


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
