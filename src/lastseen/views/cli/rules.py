"""`lastseen rules …`: check, explain, time and convert rules."""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="rules",
    homes={
        "check": "rules_check",
        "sorted": "rules_sorted",
        "why": "rules_why",
        "bench": "rules_bench",
        "convert": "rules_convert",
        "schema": "rules_schema",
    },
    help="Check, explain and convert rules for lines and reactions.",
)
