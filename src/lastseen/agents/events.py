"""Events: what happened, when, to whom and why, in a form that people read and machines store."""

from __future__ import annotations

from typing import Any

import msgspec

__all__ = ["Event", "Value"]

Value = str | int | float | bool | None | list[Any] | dict[str, Any]


class Event(msgspec.Struct, frozen=True, omit_defaults=True):
    """One thing that happened.

    Attributes
    ----------
    tick : number of the step it happened in.
    kind : what, one of `KINDS` of whoever makes it: "noticed", "lost", "flood", "said" …
    agent : number of the agent it happened to; -1: nobody.
    other : number of another one concerned; -1: nobody.
    at : place in metres.
    text : one sentence or line for people.
    data : numbers behind it: destinations with their terms, stop reasons, distances.
    """

    tick: int
    kind: str
    agent: int = -1
    other: int = -1
    at: tuple[float, float, float] | None = None
    text: str = ""
    data: dict[str, Any] = {}
