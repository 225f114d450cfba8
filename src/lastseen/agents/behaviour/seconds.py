"""Times given to nodes: a number of seconds, or a key under which one is found."""

from __future__ import annotations

import math
from typing import Any

from ...errors import BehaviourError
from .ports import Input

__all__ = ["checked_seconds", "read_seconds"]


def checked_seconds(seconds: Input[Any], label: str) -> None:
    """Raise a BehaviourError unless a written time is a number of seconds, at least 0."""
    if seconds.key is None and not _is_time(seconds.value):
        raise BehaviourError(f"{label} has {seconds.value!r} seconds; give a finite number, at least 0")


def read_seconds(seconds: Input[Any], context: Any) -> float:
    """Return the time as it is now."""
    value = seconds.read(context)
    if seconds.key is not None and not _is_time(value):
        raise BehaviourError(f"key {seconds.key!r} holds {value!r}; a time is a finite number of seconds, at least 0")
    return float(value)


def _is_time(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and math.isfinite(value) and value >= 0
