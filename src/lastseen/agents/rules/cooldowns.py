"""Cooldowns: keep recently executed actions from being repeated by any speaker."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from ...checks import shown
from ...errors import RuleError

__all__ = ["Cooldowns", "action_key"]


class Cooldowns:
    """Recently executed actions, blocked for all speakers until their cooldown ends."""

    def __init__(self) -> None:
        self._until: dict[bytes, float] = {}

    def blocks(self, action: Any, now: float) -> bool:
        """Return whether this action is blocked now."""
        return bool(self._until) and self._until.get(action_key(action), -math.inf) > now

    def start(self, action: Any, until: float) -> None:
        """Block this action until the given time."""
        self._until[action_key(action)] = until

    def forget(self, now: float) -> None:
        """Drop expired cooldowns."""
        self._until = {key: until for key, until in self._until.items() if until > now}


def action_key(action: Any) -> bytes:
    """Return bytes that identify an action."""
    try:
        return msgspec.json.encode(action)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise RuleError(f"an action is {shown(action)}; give text, numbers, or lists and tables of them") from None
