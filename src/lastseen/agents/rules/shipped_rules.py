"""Databases of rules shipped with lastseen, to use, copy and change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...shipped import Shipped
from .engine.pack import RulePack, open_rules

SHIPPED_RULES = ("guards",)
"""Names of the databases; "guards" holds the lines of guards and civilians in every state."""

_FOLDERS = Shipped("shipped rules", "lastseen.agents.rules", "samples", suffix="", names=SHIPPED_RULES)


def shipped_rules_folder(name: str) -> Path:
    """Return the folder of a shipped database, to copy and change."""
    return _FOLDERS.path(name)


def shipped_rules(name: str) -> RulePack:
    """Return a shipped database, compiled; the result is cached."""
    return _opened(str(shipped_rules_folder(name)))


@cache
def _opened(folder: str) -> RulePack:
    return open_rules(folder)
