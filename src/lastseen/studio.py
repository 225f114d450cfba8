"""Show a game of your own in the studio while it runs: agents, points, lines, numbers, events and reasons."""

from __future__ import annotations

from .views.studio.feed.feed import Feed, connect

__all__ = [
    "Feed",
    "connect",
]
