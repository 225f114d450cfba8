"""What messages are made of: their bases in both directions, errors, and numbers within limits."""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec

Metres = Annotated[float, msgspec.Meta(ge=-1e6, le=1e6)]
Point = tuple[Metres, Metres, Metres]
Number = Annotated[int, msgspec.Meta(ge=0, le=2**31 - 1)]


class Message(msgspec.Struct, frozen=True, forbid_unknown_fields=True, tag_field="type"):
    """Base of the messages that pages and games send."""


class Sent(msgspec.Struct, frozen=True, tag_field="type", forbid_unknown_fields=True):
    """Base of the messages the studio sends."""


def encoded(message: Sent) -> str:
    """Return a message as JSON."""
    return msgspec.json.encode(message).decode()


class Part(msgspec.Struct, frozen=True, forbid_unknown_fields=True):
    """Base of parts of messages."""


Code = Literal["refused", "failed", "rate", "unreadable", "busy", "token", "ticket"]


class Problem(Sent, frozen=True, tag="error"):
    """A request was refused or failed; `about` names the request."""

    code: Code
    message: str
    about: str = ""
