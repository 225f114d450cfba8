"""lastseen: the stealth-AI toolkit. Everything a guard does next starts from where you were last seen."""

from __future__ import annotations

import importlib
from typing import Any

__version__ = "0.1.0"

_HOME = {
    "Agent": "navmesh.agent",
    "BakeError": "errors",
    "CellFileError": "errors",
    "CellLayout": "cells.layout",
    "InputError": "errors",
    "LastSeenError": "errors",
    "Level": "level.level",
    "LevelError": "errors",
    "NavMesh": "navmesh.navmesh",
    "QueryError": "errors",
}
"""Where each public name lives; loaded on first use, so that importing lastseen stays light."""

__all__ = sorted(_HOME)


def __getattr__(name: str) -> Any:
    if name not in _HOME:
        raise AttributeError(f"module 'lastseen' has no attribute {name!r}")
    return getattr(importlib.import_module(f".{_HOME[name]}", __name__), name)


def __dir__() -> list[str]:
    return [*__all__, "__version__"]
