"""Last words: where somebody was and what it knew, in a line, for an episode that ends by its fault."""

from __future__ import annotations

import math

from ..agents.knowledge.knowledge import SOURCES
from .world import World

__all__ = ["knew", "last_words"]

_MOST = 4
"""Targets named; the newest are, of more only the number is told."""


def knew(world: World, agent: int) -> list[str]:
    """What did an agent know of its targets? The newest first; nothing for those it knew nothing of."""
    row = int(world.watcher_row[agent])
    if row < 0:
        return []
    know = world.knowledge.arrays
    columns = [column for column in range(len(world.targets)) if know.source[row, column]]
    columns.sort(key=lambda column: -float(know.time[row, column]))
    return [_known(world, row, column) for column in columns]


def _known(world: World, row: int, column: int) -> str:
    know = world.knowledge.arrays
    x, y, _ = know.xyz[row, column].tolist()
    source, since = SOURCES[know.source[row, column]], world.time - float(know.time[row, column])
    age = f" {max(0.0, since):.1f} s ago" if math.isfinite(since) else ""
    return f"{world.target_name(column)} at ({x:.1f}, {y:.1f}){age} ({source})"


def last_words(world: World, agent: int) -> str:
    """Where was it, what was it up to, and what did it know?"""
    x, y, _ = world.bodies.xyz[agent].tolist()
    known = knew(world, agent)
    if known:
        more = f" and {len(known) - _MOST} more" if len(known) > _MOST else ""
        words = f"knew of {', '.join(known[:_MOST])}{more}"
    elif world.watcher_row[agent] < 0 or not len(world.targets):
        words = "watched nobody"
    else:
        names = [world.target_name(column) for column in range(len(world.targets))]
        words = f"watched {', '.join(names[:_MOST])} and knew nothing"
    return f"it was at ({x:.1f}, {y:.1f}), {world.state_of(agent)}; it {words}"
