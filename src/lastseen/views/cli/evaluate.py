"""`lastseen evaluate …`: measure how well guards predict, search and act together."""

from __future__ import annotations

from .main import LazyGroup

__all__ = ["command"]

command = LazyGroup(
    name="evaluate",
    homes={"chase": "evaluate_chase", "crews": "evaluate_crews", "search": "evaluate_search"},
    help="Measure how well guards predict, search and cooperate in simulated trials.",
)
