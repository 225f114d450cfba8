"""Databases of rules shipped with lastseen, to use, copy and change."""

from __future__ import annotations

from functools import cache
from pathlib import Path

from ...shipped import Shipped
from .engine.pack import RulePack, open_rules

READY_RULES = ("guards",)
"""Names of the databases; "guards" holds the lines of guards and civilians in every state."""

_FOLDERS = Shipped("ready rules", "lastseen.agents.rules", "samples", suffix="", names=READY_RULES)


def ready_rules_folder(name: str) -> Path:
    """Return the folder of a shipped database, to copy and change."""
    return _FOLDERS.path(name)


def ready_rules(name: str) -> RulePack:
    """Return a shipped database, compiled; the result is cached."""
    return _opened(str(ready_rules_folder(name)))


@cache
def _opened(folder: str) -> RulePack:
    return open_rules(folder)
