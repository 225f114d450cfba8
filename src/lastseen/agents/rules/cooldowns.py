"""Cooldowns: what was executed a moment ago is not executed again, by anybody."""

from __future__ import annotations

import math
from typing import Any

import msgspec

from ...checks import shown
from ...errors import RuleError

__all__ = ["Cooldowns", "action_key"]


class Cooldowns:
    """Actions executed lately by anybody: others may not execute them until their time has run out."""

    def __init__(self) -> None:
        self._until: dict[bytes, float] = {}

    def blocks(self, action: Any, now: float) -> bool:
        """May nobody execute this action now?"""
        return bool(self._until) and self._until.get(action_key(action), -math.inf) > now

    def start(self, action: Any, until: float) -> None:
        """Nobody may execute this action until then."""
        self._until[action_key(action)] = until

    def forget(self, now: float) -> None:
        """Drop what has run out."""
        self._until = {key: until for key, until in self._until.items() if until > now}


def action_key(action: Any) -> bytes:
    """Return bytes that are the same for the same action only."""
    try:
        return msgspec.json.encode(action)
    except (TypeError, ValueError, OverflowError, RecursionError):
        raise RuleError(f"an action is {shown(action)}; give text, numbers, or lists and tables of them") from None
