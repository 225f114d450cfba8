"""Databases of rules shipped with lastseen, to use, copy and change."""

from __future__ import annotations

from functools import cache
from importlib import resources
from pathlib import Path

from ...checks import shown
from ...errors import InputError, did_you_mean
from .pack import RulePack, open_rules

__all__ = ["READY_RULES", "ready_rules", "ready_rules_folder"]

READY_RULES = ("guards",)
"""Names of the databases; "guards" holds the lines of guards and civilians in every state."""


def ready_rules_folder(name: str) -> Path:
    """Return the folder of a shipped database, to copy and change."""
    if not isinstance(name, str) or name not in READY_RULES:
        hint = did_you_mean(name, READY_RULES)
        raise InputError(f"no ready rules {shown(name)}{hint}; there are {', '.join(READY_RULES)}")
    return Path(str(resources.files("lastseen.agents.rules"))) / "samples" / name


def ready_rules(name: str) -> RulePack:
    """Return a shipped database, compiled; the result is cached."""
    return _opened(str(ready_rules_folder(name)))


@cache
def _opened(folder: str) -> RulePack:
    return open_rules(folder)
