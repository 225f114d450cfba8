"""`lastseen tree …`: check, print and convert behaviour trees."""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="tree",
    homes={"check": "tree_check", "show": "tree_show", "convert": "tree_convert", "schema": "tree_schema"},
    help="Check, print and convert behaviour trees.",
)
