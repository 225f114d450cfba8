"""`lastseen level …`: check, convert, list and draw level files."""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="level",
    homes={"check": "level_check", "convert": "level_convert", "list": "level_list", "show": "level_show"},
    help="Check, convert, list and draw level files.",
)
